// SPDX-License-Identifier: Apache-2.0
// Thirty-two bytes in a register, AVX2.  Include only where it is enabled.
#pragma once
#include <immintrin.h>

#include "base/isa.hpp"

namespace aioli::inline AIOLI_ISA {

struct VectorAvx2 {
  static constexpr int bytes = 32;
  __m256i v;

  static VectorAvx2 zero() { return {_mm256_setzero_si256()}; }
  static VectorAvx2 load(const uint8_t *p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))}; }
  void store(uint8_t *p) const { _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), v); }
  // The sixteen bytes at p in every sixteen-byte lane.
  static VectorAvx2 broadcast16(const uint8_t *p) {
    return {_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i *>(p)))};
  }
  static VectorAvx2 broadcast1(uint8_t byte) { return {_mm256_set1_epi8(char(byte))}; }
  friend VectorAvx2 operator^(VectorAvx2 a, VectorAvx2 b) { return {_mm256_xor_si256(a.v, b.v)}; }
  friend VectorAvx2 operator&(VectorAvx2 a, VectorAvx2 b) { return {_mm256_and_si256(a.v, b.v)}; }
  VectorAvx2 low_nibbles() const { return {_mm256_and_si256(v, _mm256_set1_epi8(15))}; }
  VectorAvx2 high_nibbles() const { return {_mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15))}; }
  // Byte i is byte index_i < 16 of the table in its lane.
  static VectorAvx2 look_up(VectorAvx2 table, VectorAvx2 index) { return {_mm256_shuffle_epi8(table.v, index.v)}; }
  // Sixteen rows of sixteen bytes, transposed: byte j of row i becomes byte i of row j.  Rows of `from` are `stride` bytes apart.
  static void transpose16(uint8_t *to, const uint8_t *from, int stride) {
    __m128i a[16], b[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i * stride));
    // Four times: rows i and i + 8 are interleaved byte by byte to rows 2i and 2i + 1.
#pragma GCC unroll 2
    for (int twice = 0; twice < 2; twice++) {
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]), b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) a[2 * i] = _mm_unpacklo_epi8(b[i], b[i + 8]), a[2 * i + 1] = _mm_unpackhi_epi8(b[i], b[i + 8]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) _mm_storeu_si128(reinterpret_cast<__m128i *>(to + 16 * i), a[i]);
  }
};

}  // namespace aioli::inline AIOLI_ISA
