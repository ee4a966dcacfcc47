// SPDX-License-Identifier: Apache-2.0
// How the shuffle kernels lay m-vectors out in registers: whole registers, then a half and a quarter as needed.  Four rows, or
// four columns, put their halves and quarters together, so that registers are 96 to 100 % full for every m of MAYO.  Four
// m-vectors a b c d of MAYO-3 (54 bytes):
//
//     |whole a         |whole b         |whole c         |whole d         |half a |half b |half c |half d |a..|b..|c..|d..|
//
// Of more than four it is the same: first all whole registers, then all halves, then all quarters.
#pragma once
#include "linalg/mvector.hpp"
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V> struct ShuffleLayout {
  static_assert(V::bytes == 32);
  static constexpr int block = 4, entry = P::m_bytes, padded = (entry + 7) / 8 * 8;
  static constexpr int whole = padded / 32, half_at = whole * 32, half = padded / 16 % 2;
  static constexpr int quarter_at = half_at + half * 16, quarter = padded / 8 % 2;
  alignas(64) static constexpr uint8_t zeros[padded] = {};  // an m-vector where a row has none

  // Four m-vectors, packed.
  static constexpr int halves_in = block * whole, quarters_in = halves_in + half * block / 2;
  static constexpr int registers = quarters_in + quarter, bytes = registers * V::bytes;
  // Register x of these.
  template <int x> [[gnu::always_inline]] static V load(const uint8_t *const (&p)[block]) {
    if constexpr (x < halves_in) {
      return V::load(p[x % block] + x / block * V::bytes);
    } else if constexpr (x < quarters_in) {
      constexpr int i = 2 * (x - halves_in);
      return V::halves(p[i] + half_at, p[i + 1] + half_at);
    } else {
      return V::quarters(p[0] + quarter_at, p[1] + quarter_at, p[2] + quarter_at, p[3] + quarter_at);
    }
  }

  // Of `count` m-vectors: where the halves and quarters begin, and where byte `at` of m-vector i stands.  A word of eight bytes
  // is never torn.
  static constexpr int halves_at(int count) { return whole * count * V::bytes; }
  static constexpr int quarters_at(int count) { return halves_at(count) + half * count * V::bytes / 2; }
  static constexpr int place(int count, int i, int at) {
    if (at < half_at) return (quotient(at, V::bytes) * count + i) * V::bytes + remainder(at, V::bytes);
    if (at < quarter_at) return halves_at(count) + i * V::bytes / 2 + at - half_at;
    return quarters_at(count) + i * V::bytes / 4 + at - quarter_at;
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
