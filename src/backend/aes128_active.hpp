// SPDX-License-Identifier: Apache-2.0
// AES-128 in counter mode by the way of the backend that runs, for kernels that are compiled once and run with several: the
// arithmetic of "portable" is also that of "aesni", and avx2's that of "vaes".  One call through a pointer makes hundreds of
// bytes, so it costs nothing.
//
// In the library alone, where rows of backends.def share kernels (AIOLI_SHARED_KERNELS): elsewhere kernels have their backend's
// own AES.
#pragma once
#include "linalg/rows.hpp"

namespace aioli {

// Keys, which are public, are at an address that 64 divides.
struct AesFunctions {
  size_t key_bytes;
  void (*init)(void *keys, const uint8_t *key, const uint8_t *iv);
  void (*keystream)(const void *keys, uint8_t *out, uint32_t first, uint32_t blocks);
};
struct AesOfBackend {
  AesFunctions any, short_streams;  // for streams of all lengths, and of a few hundred blocks
};
const AesOfBackend &active_aes();  // abi/dispatch.cpp

inline namespace AIOLI_ISA {

template <class Aes> struct FunctionsOfAes {
  static constexpr int batch = 16;
  static_assert(alignof(Aes) <= 64 && batch % Aes::batch == 0);
  static void init(void *keys, const uint8_t *key, const uint8_t *iv) { static_cast<Aes *>(keys)->init(key, iv); }
  static void keystream(const void *keys, uint8_t *out, uint32_t first, uint32_t blocks) {
    static_cast<const Aes *>(keys)->keystream(out, first, blocks);
  }
  static constexpr AesFunctions functions = {sizeof(Aes), init, keystream};
};
template <class Aes>
inline constexpr AesOfBackend aes_of_backend = {FunctionsOfAes<Aes>::functions, FunctionsOfAes<typename Aes::Short>::functions};

// Own is what the backend of the kernels has.  Keys that are longer than `most` and Own's have no room: then it is Own, too.
template <class Own, size_t most, AesFunctions AesOfBackend::*which> class Aes128Active {
 public:
  static constexpr int batch = FunctionsOfAes<Own>::batch, ahead = Own::ahead;
  void init(const uint8_t key[16], const uint8_t iv[16]) {
    functions_ = active_aes().*which;
    if (functions_.key_bytes > sizeof keys_) functions_ = FunctionsOfAes<Own>::functions;
    functions_.init(keys_, key, iv);
  }
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const { functions_.keystream(keys_, out, first, blocks); }

 private:
  AesFunctions functions_;
  alignas(64) uint8_t keys_[sizeof(Own) > most ? sizeof(Own) : most];
};
// Round keys, IV and table of aes128_ni.hpp.
template <class Own> struct Aes128ActiveForAny : Aes128Active<Own, 192 + 4096, &AesOfBackend::any> {
  using Short = Aes128Active<typename Own::Short, 192, &AesOfBackend::short_streams>;
};

#if defined(AIOLI_SHARED_KERNELS)
template <class Own> using ActiveAes = Aes128ActiveForAny<Own>;
#else
template <class Own> using ActiveAes = Own;
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
