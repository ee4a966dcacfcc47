// SPDX-License-Identifier: Apache-2.0
// The other encoding of an m-vector, of round 1 as specified: four planes of m/8 bytes, plane b holding bit b of every element.
#pragma once
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

enum class Slicing { nibbles, bits };  // how the m-vectors of a set's keys are encoded

// Exchanges binary digits low < high in the numbers of a word's bits.
template <int high, int low> constexpr uint32_t exchange_digits(uint32_t x) {
  constexpr int distance = (1 << high) - (1 << low);
  constexpr uint32_t mask = [] {
    uint32_t bits = 0;
    for (int i = 0; i < 32; i++)
      if ((i >> high & 1) == 0 && (i >> low & 1) == 1) bits |= uint32_t(1) << i;
    return bits;
  }();
  const uint32_t t = (x ^ x >> distance) & mask;
  return x ^ t ^ t << distance;
}
// Bit 8 b + i to bit 4 i + b: the digits of b go behind those of i.
constexpr uint32_t bytes_to_nibbles(uint32_t x) {
  return exchange_digits<1, 0>(exchange_digits<2, 0>(exchange_digits<3, 1>(exchange_digits<4, 2>(x))));
}
constexpr uint32_t nibbles_to_bytes(uint32_t x) {
  return exchange_digits<4, 2>(exchange_digits<3, 1>(exchange_digits<2, 0>(exchange_digits<1, 0>(x))));
}
// Four words of four bytes, transposed.
constexpr void transpose_bytes(uint32_t *w) {
  constexpr uint32_t mask[2] = {0x00ff00ff, 0x0000ffff};
#pragma GCC unroll 2
  for (int step = 0; step < 2; step++)
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      const int partner = i + (1 << step), shift = 8 << step;
      if (i >> step & 1) continue;
      const uint32_t t = ((w[i] >> shift) ^ w[partner]) & mask[step];
      w[partner] ^= t;
      w[i] ^= t << shift;
    }
}

// In place, public data.
template <class P> void planes_to_nibbles(uint8_t *mvector) {
  static_assert(P::m % 32 == 0);
  uint32_t w[P::m / 32][4];
  for (int j = 0; j < P::m / 32; j++)
    for (int b = 0; b < 4; b++) w[j][b] = load32(mvector + b * (P::m / 8) + 4 * j);
  for (int j = 0; j < P::m / 32; j++) {
    transpose_bytes(w[j]);
    for (int i = 0; i < 4; i++) store32(mvector + 16 * j + 4 * i, bytes_to_nibbles(w[j][i]));
  }
}
template <class P> void nibbles_to_planes(uint8_t *mvector) {
  uint32_t w[P::m / 32][4];
  for (int j = 0; j < P::m / 32; j++)
    for (int i = 0; i < 4; i++) w[j][i] = nibbles_to_bytes(load32(mvector + 16 * j + 4 * i));
  for (int j = 0; j < P::m / 32; j++) {
    transpose_bytes(w[j]);
    for (int b = 0; b < 4; b++) store32(mvector + b * (P::m / 8) + 4 * j, w[j][b]);
  }
}

}  // namespace AIOLI_ISA
}  // namespace aioli
