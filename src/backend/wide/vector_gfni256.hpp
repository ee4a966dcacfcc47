// SPDX-License-Identifier: Apache-2.0
// Thirty-two bytes in a register, AVX2 and GFNI.  Include only where both are enabled.
#pragma once
#include "backend/wide/vector_avx2.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct VectorGfni256 : VectorAvx2 {
  using Register = VectorAvx2;
  static constexpr int accumulators = 10;  // registers for sums, of sixteen

  static Register sum(Register a, Register b, Register c) { return a ^ (b ^ c); }
  // (low nibbles of a | low nibbles of b), (high nibbles of a | high nibbles of b)
  static void interleave(Register a, Register b, Register &low, Register &high) {
    const __m256i mask = _mm256_set1_epi8(15);
    low.v = _mm256_or_si256(_mm256_and_si256(a.v, mask), _mm256_andnot_si256(mask, _mm256_slli_epi16(b.v, 4)));
    high.v = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(a.v, 4), mask), _mm256_andnot_si256(mask, b.v));
  }
  // (low nibbles of a's first half | low nibbles of its second half), and the same of the high nibbles: the halves of the result.
  static Register interleave_halves(Register a) {
    const __m256i mask = _mm256_set_epi64x(-0x0f0f0f0f0f0f0f10, -0x0f0f0f0f0f0f0f10, 0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f);
    const __m256i other = _mm256_permute4x64_epi64(a.v, 0x4e), up = _mm256_set_epi64x(0, 0, 4, 4),
                  down = _mm256_set_epi64x(4, 4, 0, 0);
    const __m256i moved = _mm256_srlv_epi64(_mm256_sllv_epi64(other, up), down);
    return {_mm256_or_si256(_mm256_and_si256(a.v, mask), _mm256_andnot_si256(mask, moved))};
  }
  // Each byte times the 8 x 8 bits in its word of `maps`.
  static Register affine(Register bytes, Register maps) {
    return ct_propagate([](Register b, Register m) { return Register{_mm256_gf2p8affine_epi64_epi8(b.v, m.v, 0)}; }, bytes, maps);
  }
  static Register multiply(Register a, Register b) {  // in GF(256)
    return ct_propagate([](Register x, Register y) { return Register{_mm256_gf2p8mul_epi8(x.v, y.v)}; }, a, b);
  }
  static Register inverses(Register a) {  // of all bytes, there; of 0 it is 0
    return ct_propagate(
        [](Register x) { return Register{_mm256_gf2p8affineinv_epi64_epi8(x.v, _mm256_set1_epi64x(0x0102040810204080), 0)}; }, a);
  }
  // A word from each of four places, `at` bytes behind them.
  static Register words(const uint8_t *const *p, int at) { return quarters(p[0] + at, p[1] + at, p[2] + at, p[3] + at); }
  // One word in all words; half a register, twice.
  static Register broadcast8(const uint8_t *p) { return {_mm256_broadcastq_epi64(load8(p))}; }
  static Register twice(const uint8_t *p) { return broadcast16(p); }
  // The first words.
  template <int words> static void store_words(uint8_t *p, Register a) {
    if constexpr (words == 4) return a.store(p);
    if constexpr (words >= 2) _mm_storeu_si128(reinterpret_cast<__m128i *>(p), low(a));
    if constexpr (words == 1) _mm_storel_epi64(reinterpret_cast<__m128i *>(p), low(a));
    if constexpr (words == 3) _mm_storel_epi64(reinterpret_cast<__m128i *>(p + 16), high(a));
  }
  // The sum of the words in the first half, and of those in the second.
  static void sums_of_words(uint64_t &first, uint64_t &second, Register a) {
    first = uint64_t(_mm_cvtsi128_si64(low(a)) ^ _mm_extract_epi64(low(a), 1));
    second = uint64_t(_mm_cvtsi128_si64(high(a)) ^ _mm_extract_epi64(high(a), 1));
  }
  // In each lane of sixteen bytes: the first eight bytes of a and b in turns, and the others.
  static void interleave_bytes(Register a, Register b, Register &first, Register &second) {
    first.v = _mm256_unpacklo_epi8(a.v, b.v), second.v = _mm256_unpackhi_epi8(a.v, b.v);
  }
  // Lanes that are less than `count`, so far apart.
  static void store_lanes(uint8_t *p, int stride, Register a, int count) {
    _mm_storeu_si128(reinterpret_cast<__m128i *>(p), low(a));
    if (count > 1) _mm_storeu_si128(reinterpret_cast<__m128i *>(p + stride), high(a));
  }

 private:
  static __m128i low(Register a) { return _mm256_castsi256_si128(a.v); }
  static __m128i high(Register a) { return _mm256_extracti128_si256(a.v, 1); }
  static __m128i load8(const uint8_t *p) { return _mm_loadl_epi64(reinterpret_cast<const __m128i *>(p)); }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
