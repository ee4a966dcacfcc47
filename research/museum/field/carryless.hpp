// SPDX-License-Identifier: Apache-2.0
// Products of polynomials over GF(2), 64 coefficients to a word: portable, and by PCLMULQDQ where the processor has it.
#pragma once
#include <cstddef>
#include <cstdint>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define MUSEUM_PCLMUL 1
#endif

namespace museum::field {

// p = a b, 2 `words` words.  Four bits of a at a time.
template <size_t words> void carryless_product_portable(uint64_t *p, const uint64_t *a, const uint64_t *b) {
  uint64_t multiples[16][words + 1] = {};  // of b by polynomials of degree below 4
  for (size_t i = 1; i < 16; i++)
    for (size_t k = 0; k <= words; k++) {
      const uint64_t half = multiples[i / 2][k], carry = k == 0 ? 0 : multiples[i / 2][k - 1] >> 63;
      multiples[i][k] = (half << 1 | carry) ^ (i % 2 != 0 && k < words ? b[k] : 0);
    }
  for (size_t k = 0; k < 2 * words; k++) p[k] = 0;
  for (int shift = 60; shift >= 0; shift -= 4) {
    for (size_t k = 2 * words - 1; k > 0; k--) p[k] = p[k] << 4 | p[k - 1] >> 60;
    p[0] <<= 4;
    for (size_t i = 0; i < words; i++)
      for (size_t k = 0; k <= words; k++) p[i + k] ^= multiples[a[i] >> shift & 15][k];
  }
}

#ifdef MUSEUM_PCLMUL
inline const bool have_pclmul = __builtin_cpu_supports("pclmul");

template <size_t words>
__attribute__((target("pclmul,sse4.1"))) void carryless_product_pclmul(uint64_t *p, const uint64_t *a, const uint64_t *b) {
  __m128i column[2 * words - 1] = {};
  for (size_t i = 0; i < words; i++)
    for (size_t k = 0; k < words; k++)
      column[i + k] = _mm_xor_si128(
          column[i + k], _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)a[i]), _mm_cvtsi64_si128((long long)b[k]), 0));
  uint64_t carry = 0;
  for (size_t k = 0; k < 2 * words - 1; k++) {
    p[k] = carry ^ uint64_t(_mm_cvtsi128_si64(column[k]));
    carry = uint64_t(_mm_extract_epi64(column[k], 1));
  }
  p[2 * words - 1] = carry;
}
#endif

template <size_t words> void carryless_product(uint64_t *p, const uint64_t *a, const uint64_t *b) {
#ifdef MUSEUM_PCLMUL
  if (have_pclmul) return carryless_product_pclmul<words>(p, a, b);
#endif
  carryless_product_portable<words>(p, a, b);
}

}  // namespace museum::field
