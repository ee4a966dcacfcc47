// SPDX-License-Identifier: Apache-2.0
// Several AES blocks to a register, VAES.  Include only where VAES and AVX2 are enabled; the wider one also wants AVX-512BW.
#pragma once
#include <immintrin.h>

#include "symmetric/aes128_ni.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct Blocks2 {
  static constexpr int blocks = 2, ahead = 1;
  using Register = __m256i;
  static Register broadcast(__m128i block) { return _mm256_broadcastsi128_si256(block); }
  static Register exclusive_or(Register a, const uint8_t *p) {
    return _mm256_xor_si256(a, _mm256_load_si256(reinterpret_cast<const __m256i *>(p)));
  }
  static Register round(Register s, Register key) { return _mm256_aesenc_epi128(s, key); }
  static Register last_round(Register s, Register key) { return _mm256_aesenclast_epi128(s, key); }
  static Register first_column(Register a) { return _mm256_and_si256(a, broadcast(first_column_mask())); }
  static void store(uint8_t *p, Register a) { _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), a); }
};

#if defined(__AVX512BW__)
struct Blocks4 {
  static constexpr int blocks = 4, ahead = 4;  // one batch hardly fills the pipeline
  using Register = __m512i;
  static Register broadcast(__m128i block) { return _mm512_broadcast_i32x4(block); }
  static Register exclusive_or(Register a, const uint8_t *p) { return _mm512_xor_si512(a, _mm512_load_si512(p)); }
  static Register round(Register s, Register key) { return _mm512_aesenc_epi128(s, key); }
  static Register last_round(Register s, Register key) { return _mm512_aesenclast_epi128(s, key); }
  static Register first_column(Register a) { return _mm512_and_si512(a, broadcast(first_column_mask())); }
  static void store(uint8_t *p, Register a) { _mm512_storeu_si512(p, a); }
};
#endif

template <class W> using Aes128Vaes = Aes128LongCounter<W>;

}  // namespace AIOLI_ISA
}  // namespace aioli
