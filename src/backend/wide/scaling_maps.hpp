// SPDX-License-Identifier: Apache-2.0
// Scalars as maps that multiply every element of a byte, in constant time: 8 x 8 bits for affine maps, or two tables for byte
// shuffles.
#pragma once
#include "backend/wide/affine_map.hpp"
#include "base/bytes.hpp"
#include "field/field_of.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Multiplication of both nibbles of a byte by a: the sum of the maps of a's bits.
struct ScalingMaps {
  uint64_t of_bit[4]{};
  consteval ScalingMaps() {
    for (int bit = 0; bit < 4; bit++) {
      AffineMap map{};
      for (int nibble = 0; nibble < 8; nibble += 4) set_product(map, nibble, nibble, {uint8_t(1 << bit)});
      for (int i = 0; i < 8; i++) of_bit[bit] |= uint64_t(map[i]) << (8 * i);
    }
  }
};
inline uint64_t scaling_map(GF16 a) {
  constexpr ScalingMaps maps;
  uint64_t map = 0;
  for (int bit = 0; bit < 4; bit++) map ^= maps.of_bit[bit] & mask_of_bit(a.n >> bit);
  return map;
}

// What a byte with low nibble i, and one with high nibble i, is multiplied to: sixteen bytes each.
struct ScalingTables {
  alignas(32) uint8_t b[32];
};
template <class F> struct ScalingTablesOfBits {
  alignas(32) uint8_t of_bit[F::bits][32]{};
  consteval ScalingTablesOfBits() {
    for (int bit = 0; bit < F::bits; bit++)
      for (unsigned i = 0; i < 16; i++)
        for (int high = 0; high < 2; high++) {
          const typename F::Element scalar{uint8_t(1 << bit)};
          const unsigned product = F::bits == 8 ? (typename F::Element{uint8_t(i << (4 * high))} * scalar).n
                                                : unsigned((typename F::Element{uint8_t(i)} * scalar).n) << (4 * high);
          of_bit[bit][16 * high + int(i)] = uint8_t(product);
        }
  }
};
template <class F> inline constexpr ScalingTablesOfBits<F> scaling_tables_of_bits;
template <class F> ScalingTables scaling_tables(typename F::Element a) {
  ScalingTables t = {};
  for (int bit = 0; bit < F::bits; bit++) {
    const uint64_t mask = mask_of_bit(a.n >> bit);
    for (int i = 0; i < 32; i++) t.b[i] = uint8_t(t.b[i] ^ (scaling_tables_of_bits<F>.of_bit[bit][i] & mask));
  }
  return t;
}

}  // namespace AIOLI_ISA
}  // namespace aioli
