// SPDX-License-Identifier: Apache-2.0
// AES-128 counter mode bit-sliced over words, or pairs of words, that spares two rounds of ten in long streams: for WebAssembly,
// which has no AES instructions, and memory enough for seven kilobytes of keys.
#pragma once
#include "symmetric/aes128_ctr.hpp"

namespace aioli {

using WordPair __attribute__((vector_size(16))) = uint64_t;

// For streams of a few hundred blocks.  W: uint64_t or WordPair.
template <class W> struct Aes128SlicedShort {
  static constexpr int batch = 2 * sizeof(W), ahead = 1;  // blocks; batches
  using Short = Aes128SlicedShort;
  using State = AesSlicedOn<W>;
  void init(const uint8_t key[16], const uint8_t iv[16]) { keys_.init(key, iv); }
  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const;

 protected:
  void start(State &s, uint32_t first) const;
  Aes128Portable keys_;
};

// For long streams: of the ten rounds, two are done once for 256 blocks, as in aes128_ni.hpp.  (Streams of public seeds only:
// this looks nothing up by a secret, but it is they that are long.)
template <class W> struct Aes128SlicedLong : Aes128SlicedShort<W> {
  using Aes128SlicedShort<W>::batch, Aes128SlicedShort<W>::keys_;
  using State = AesSlicedOn<W>;
  void init(const uint8_t key[16], const uint8_t iv[16]);
  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const;

 private:
  void two_rounds(State &s, uint32_t first, uint64_t columns) const;
  State by_last_byte_[256 / batch];
};

}  // namespace aioli
