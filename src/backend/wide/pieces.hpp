// SPDX-License-Identifier: Apache-2.0
// How m-vectors of any length fill registers: whole registers, then a half and a quarter as needed.  Four m-vectors put their halves and
// quarters together, so that registers are 96 to 100 % full for every m of MAYO.
#pragma once
#include "linalg/mvector.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P, class V> struct Pieces {
  static constexpr int entry = P::m_bytes, group = 4;
  static constexpr int full = entry / V::bytes + (entry % V::bytes > 3 * V::bytes / 4), half_at = full * V::bytes;
  static constexpr int half = entry - half_at > V::bytes / 4, quarter_at = half_at + half * V::bytes / 2;
  static constexpr int quarter = entry - quarter_at > 0, padded = quarter_at + quarter * V::bytes / 4;
  static_assert(padded >= entry && padded - entry < V::bytes / 4);

  // Four m-vectors in registers: their full ones (four times `full`), two of halves, one of quarters.
  static constexpr int registers = group * full + 2 * half + quarter, bytes = registers * V::bytes;

  // Register x of the four packed m-vectors at p; up to `padded` bytes of each are read.
  template <int x> static V load(const uint8_t *const (&p)[group]) {
    if constexpr (x < group * full) {
      return V::load(p[x % group] + x / group * V::bytes);
    } else if constexpr (half && x < group * full + 2) {
      constexpr int first = 2 * (x - group * full);
      return V::halves(p[first] + half_at, p[first + 1] + half_at);
    } else {
      return V::quarters(p[0] + quarter_at, p[1] + quarter_at, p[2] + quarter_at, p[3] + quarter_at);
    }
  }

  // Of `count` m-vectors: first all full registers, then all halves, then all quarters.  Where their halves and quarters begin, and
  // where byte `at` of m-vector i stands.  A word of eight bytes is never torn.
  static constexpr int halves_at(int count) { return full * count * V::bytes; }
  static constexpr int quarters_at(int count) { return halves_at(count) + half * count * V::bytes / 2; }
  static constexpr int place(int count, int i, int at) {
    if (at < half_at) return (at / V::bytes * count + i) * V::bytes + at % V::bytes;
    if (at < quarter_at) return halves_at(count) + i * V::bytes / 2 + at - half_at;
    return quarters_at(count) + i * V::bytes / 4 + at - quarter_at;
  }
};

}  // namespace aioli::inline AIOLI_ISA
