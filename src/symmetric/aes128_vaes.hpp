// SPDX-License-Identifier: Apache-2.0
// AES-128 counter mode with several blocks to a register, VAES: eight registers in flight.  Include only where VAES and AVX2 are enabled; the
// wider one also wants AVX-512BW.
#pragma once
#include <immintrin.h>

#include "symmetric/aes128_ni.hpp"

namespace aioli::inline AIOLI_ISA {

struct Blocks2 {
  static constexpr int blocks = 2;
  using Register = __m256i;
  static Register broadcast(__m128i block) { return _mm256_broadcastsi128_si256(block); }
  static Register exclusive_or(Register a, const uint8_t *p) {
    return _mm256_xor_si256(a, _mm256_load_si256(reinterpret_cast<const __m256i *>(p)));
  }
  static Register round(Register s, Register key) { return _mm256_aesenc_epi128(s, key); }
  static Register last_round(Register s, Register key) { return _mm256_aesenclast_epi128(s, key); }
  static void store(uint8_t *p, Register a) { _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), a); }
};

#if defined(__AVX512BW__)
struct Blocks4 {
  static constexpr int blocks = 4;
  using Register = __m512i;
  static Register broadcast(__m128i block) { return _mm512_broadcast_i32x4(block); }
  static Register exclusive_or(Register a, const uint8_t *p) { return _mm512_xor_si512(a, _mm512_load_si512(p)); }
  static Register round(Register s, Register key) { return _mm512_aesenc_epi128(s, key); }
  static Register last_round(Register s, Register key) { return _mm512_aesenclast_epi128(s, key); }
  static void store(uint8_t *p, Register a) { _mm512_storeu_si512(p, a); }
};
#endif

template <class W> struct Aes128Vaes : Aes128Ni {
  static constexpr int registers = 8, batch = registers * W::blocks;  // blocks

  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
    using Register = typename W::Register;
    for (; blocks > 0; blocks -= batch, first += batch, out += 16 * batch) {
      const Register start = W::broadcast(counter_block(first));
      Register s[registers];
#pragma GCC unroll 8
      for (int i = 0; i < registers; i++) s[i] = W::exclusive_or(start, batch_numbers.block[i * W::blocks]);
#pragma GCC unroll 9
      for (int i = 1; i < 10; i++) {
        const Register key = W::broadcast(round_key[i]);
#pragma GCC unroll 8
        for (auto &x : s) x = W::round(x, key);
      }
      const Register key = W::broadcast(round_key[10]);
#pragma GCC unroll 8
      for (int i = 0; i < registers; i++) W::store(out + 16 * W::blocks * i, W::last_round(s[i], key));
    }
  }
};

}  // namespace aioli::inline AIOLI_ISA
