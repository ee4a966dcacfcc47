// SPDX-License-Identifier: Apache-2.0
// Planes of m-vectors: in registers of 32-bit words, and to and from nibbles.
#pragma once
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "linalg/bit_slices.hpp"
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct PlanesWord64 {
  static constexpr int lanes = 2;
  uint64_t v;

  static PlanesWord64 zero() { return {0}; }
  static PlanesWord64 load(const uint32_t *p) {
    PlanesWord64 a;
    __builtin_memcpy(&a.v, p, sizeof a.v);
    return a;
  }
  void store(uint32_t *p) const { __builtin_memcpy(p, &v, sizeof v); }
  static PlanesWord64 broadcast(uint32_t word) {
    const uint32_t both[2] = {word, word};
    return load(both);
  }
  // The words of a plane over and over, from word `first` on; a few bytes behind the plane may be read.
  template <int words, int first> static PlanesWord64 repeat(const uint8_t *plane) {
    const uint32_t both[2] = {load32(plane + 4 * first), load32(plane + 4 * ((first + 1) % words))};
    return load(both);
  }
  friend PlanesWord64 operator^(PlanesWord64 a, PlanesWord64 b) { return {a.v ^ b.v}; }
  friend PlanesWord64 operator&(PlanesWord64 a, PlanesWord64 b) { return {a.v & b.v}; }
};

#if defined(__AVX2__)
struct PlanesAvx2 {
  static constexpr int lanes = 8;
  __m256i v;

  static PlanesAvx2 zero() { return {_mm256_setzero_si256()}; }
  static PlanesAvx2 load(const uint32_t *p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))}; }
  void store(uint32_t *p) const { _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), v); }
  static PlanesAvx2 broadcast(uint32_t word) { return {_mm256_set1_epi32(int(word))}; }
  template <int words, int first> static PlanesAvx2 repeat(const uint8_t *plane) {
    if constexpr (words == 2) {
      return {_mm256_set1_epi64x(int64_t(load64(plane)))};
    } else {
      static_assert(words <= 4);
      const __m256i both = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i *>(plane)));
      if constexpr (words == 4) return {both};
      constexpr auto at = [](int lane) { return (first + lane) % words; };
      return {_mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)))};
    }
  }
  friend PlanesAvx2 operator^(PlanesAvx2 a, PlanesAvx2 b) { return {_mm256_xor_si256(a.v, b.v)}; }
  friend PlanesAvx2 operator&(PlanesAvx2 a, PlanesAvx2 b) { return {_mm256_and_si256(a.v, b.v)}; }
};
#endif

// Sixteen bits, each to the lowest bit of a nibble; and back.
constexpr uint64_t spread(uint64_t x) {
  x = (x | x << 24) & 0x000000ff000000ff;
  x = (x | x << 12) & 0x000f000f000f000f;
  x = (x | x << 6) & 0x0303030303030303;
  return (x | x << 3) & 0x1111111111111111;
}
constexpr uint64_t gather(uint64_t x) {
  x &= 0x1111111111111111;
  x = (x | x >> 3) & 0x0303030303030303;
  x = (x | x >> 6) & 0x000f000f000f000f;
  x = (x | x >> 12) & 0x000000ff000000ff;
  return (x | x >> 24) & 0xffff;
}
static_assert(spread(0x8421) == 0x1000010000100001 && gather(spread(0xa5c3) | spread(0x1234) << 1) == 0xa5c3);

// to = the m-vector whose planes begin at word `at` of each string of words.
template <class P, int Words> void from_planes(Mvector<P> &to, const uint32_t (&planes)[4][Words], int at) {
  for (int i = 0; i < Mvector<P>::words; i++) {
    to.w[i] = 0;
    for (int b = 0; b < 4; b++) to.w[i] |= spread(planes[b][at + i / 2] >> (16 * (i % 2)) & 0xffff) << b;
  }
}

// A set with bit-sliced keys whose rows reach the kernels as they stand in the key: nothing turns them into nibbles.
template <class Set> struct KeepPlanes : Set {};

// What src/linalg/bit_slices.hpp does for other sets.
template <class P> void pack_planes(uint8_t *mvector) {
  uint8_t planes[P::m_bytes];
  for (int b = 0; b < 4; b++)
    for (int i = 0; i < P::m / 16; i++) {
      const uint64_t bits = gather(load64(mvector + 8 * i) >> b);
      planes[b * (P::m / 8) + 2 * i] = uint8_t(bits), planes[b * (P::m / 8) + 2 * i + 1] = uint8_t(bits >> 8);
    }
  copy(mvector, planes, sizeof planes);
}
#define AIOLI_KEEP_PLANES(Set)                                             \
  template <> inline void planes_to_nibbles<KeepPlanes<Set>>(uint8_t *) {} \
  template <> inline void nibbles_to_planes<KeepPlanes<Set>>(uint8_t *mvector) { pack_planes<Set>(mvector); }

}  // namespace AIOLI_ISA
}  // namespace aioli
