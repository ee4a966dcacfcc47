// SPDX-License-Identifier: Apache-2.0
// Tables for byte shuffles: byte i of a pair's table is i times both scalars of the pair, a*i | b*i << 4.
#pragma once
#include "base/bytes.hpp"
#include "field/gf16.hpp"

namespace aioli::inline AIOLI_ISA {

// The tables of all pairs of elements of a packed row, which has an even number of whole words or the padding that makes it so.  Byte p of
// the packed row is pair p, so the sixteen multiples of the row are the tables, transposed.  `table` has room for 8 * Words of them.
template <class V, int Words> void product_tables(uint8_t (*table)[16], const uint64_t *row) {
  static_assert(Words % 2 == 0);
  alignas(16) uint8_t multiple[16][8 * Words];
  for (int w = 0; w < Words; w++) {
    const gf16::Multiples f = gf16::multiples(row[w]);
    uint64_t sum[16];
    sum[0] = 0;
    for (int b = 0; b < 4; b++)
      for (int i = 0; i < 1 << b; i++) sum[(1 << b) + i] = sum[i] ^ f.w[b];
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) store64(multiple[i] + 8 * w, sum[i]);
  }
  for (int p = 0; p < 8 * Words; p += 16) V::transpose16(table[p], multiple[0] + p, 8 * Words);
  wipe(multiple, sizeof multiple);
}

}  // namespace aioli::inline AIOLI_ISA
