// SPDX-License-Identifier: Apache-2.0
// 2 x 2 blocks over GF(16) as affine maps, made for whole registers of them.
#pragma once
#include "backend/wide/affine_map.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Which elements a have bit i in x^j a is a linear map of a: for each i one map of both nibbles of a byte, j being the output
// bit.  Byte 3 - i or 7 - i of the map that multiplies by a is that; so they stand in the order of those bytes.
struct BlockMaps {
  AffineMap row[4]{};
  consteval BlockMaps() {
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        for (int bit = 0; bit < 4; bit++)
          if ((GF16{uint8_t(1 << j)} * GF16{uint8_t(1 << bit)}).n >> i & 1)
            for (int nibble = 0; nibble < 8; nibble += 4) set(row[3 - i], nibble + j, nibble + bit);
  }
};
inline constexpr BlockMaps block_maps;

// In each lane of sixteen bytes, registers i and i + 4 byte by byte to 2i and 2i + 1: of the seven bits that say in which of the
// eight registers and where in its lane a byte stands, the first becomes the last.
template <class V> [[gnu::always_inline]] inline void rotate_bytes(typename V::Register (&r)[8]) {
  typename V::Register next[8];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) V::interleave_bytes(r[i], r[i + 4], next[2 * i], next[2 * i + 1]);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) r[i] = next[i];
}

// The maps of blocks whose byte for one output has the factor of the low input in its low nibble, of the high input in its high
// nibble: words 2i and 2i + 1 of each lane's sixteen are in register i.
template <class V>
[[gnu::always_inline]] inline void maps_of_blocks(typename V::Register (&maps)[8], typename V::Register low_output,
                                                  typename V::Register high_output) {
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) maps[i] = V::affine(i < 4 ? high_output : low_output, V::broadcast8(block_maps.row[i % 4]));
#pragma GCC unroll 3
  for (int round = 0; round < 3; round++) rotate_bytes<V>(maps);
}

}  // namespace AIOLI_ISA
}  // namespace aioli
