// SPDX-License-Identifier: Apache-2.0
// How the affine kernels lay m-vectors out in registers.
//
// One instruction multiplies all bytes of a register, two nibbles to a byte, by one 2 x 2 block of GF(16): the nibbles must
// want the same block, and the register should be full.  So an m-vector is cut into whole registers, half a register and a word
// of eight bytes, of each as many as it needs (a half or a whole register may be the last one and not quite full).  In
// registers of 64 bytes and of 32:
//
//     MAYO-1   40 bytes   |half          |word|                |whole                |word|
//     MAYO-2   32 bytes   |half          |                     |whole                |
//     MAYO-3   54 bytes   |whole                      ..|      |whole                |half      |word..|
//     MAYO-5   71 bytes   |whole                        |word..|  |whole             |whole                |word..|
//
// Two m-vectors a, b are "interleaved": byte i has an equation of a in its low nibble and the same one of b in its high nibble.
//
//     whole     |even equations of a | b << 4              |   |odd equations of a | b << 4               |
//     half      |even equations of a | b << 4 |odd equations  |
//     word      |a0 | b0 << 4, a2 | b2 << 4, .. |a1 | b1 << 4, a3 | b3 << 4, .. |   even equations, and a register of odd ones:
//               one word of as many pairs as a register has words
//
// In products a and b are two entries of a row, and words are those of a block's rows.  Rank-one updates interleave two rows
// instead; there the word of pair (a0, a1) stands in the first half of a register with its even equations, in the second half
// with its odd ones.
#pragma once
#include "linalg/mvector.hpp"
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

inline constexpr uint64_t low_nibbles = 0x0f0f0f0f0f0f0f0f;
// Eight bytes of an m-vector from those of its even and odd equations, of which it has the low or the high nibbles.
inline uint64_t word_of_pair(uint64_t even, uint64_t odd, int high) {
  return high == 0 ? (even & low_nibbles) | (odd & low_nibbles) << 4 : (even >> 4 & low_nibbles) | (odd & ~low_nibbles);
}

template <class P, class V> struct AffineLayout {
  using Register = typename V::Register;
  // A block of rows is as many as a register has words.
  static constexpr int block = V::bytes / 8, entry = P::m_bytes, words = Mvector<P>::words;

  // Words past the whole registers: one goes alone, one more than half a register has makes a half and a word, and what lacks
  // one or two of a half or of a whole register is taken for one, with whatever stands behind it.
  static constexpr int left = words % block, half_words = block / 2;
  static constexpr int whole = words / block + (left > half_words + 1), half = left <= half_words + 1 && (left > 1 || words == 1),
                       word = words > 1 && (left == 1 || left == half_words + 1);
  static constexpr int half_at = whole * V::bytes, word_at = half_at + half * V::bytes / 2;
  static constexpr int read = word_at + 16 * word;  // how much of an entry is read: V::words takes sixteen bytes for eight
  static_assert(read - entry <= slack);
  alignas(64) static constexpr uint8_t zeros[read] = {};  // an entry where a row has none

  // Registers of two interleaved m-vectors, less their words: two for each whole one, then one for the half.
  static constexpr int registers = 2 * whole + half;

  // Where a row's word stands in a register: even rows before odd ones.
  static constexpr int position(int row) { return row % 2 * (block / 2) + row / 2; }
  // The word of each row of a block, p[row] being its entry.
  [[gnu::always_inline]] static Register load_words(const uint8_t *const (&p)[block]) {
    const uint8_t *at[block];
#pragma GCC unroll 8
    for (int row = 0; row < block; row++) at[position(row)] = p[row];
    return V::words(at, word_at);
  }
};

// Part of two interleaved m-vectors: a whole register's, or that of the half, which comes last.
template <class P, class V, int part> struct Interleaved {
  using L = AffineLayout<P, V>;
  static constexpr bool half = part == L::whole;
  static constexpr int registers = half ? 1 : 2, at = part * V::bytes, first_register = 2 * part;
  typename V::Register r[registers];

  [[gnu::always_inline]] static Interleaved both(const uint8_t *a, const uint8_t *b) {
    if constexpr (half) return {V::interleave_halves(V::halves(a + at, b + at))};
    return of(V::load(a + at).kept(), V::load(b + at).kept());
  }
  // An entry and the next one of its row.
  [[gnu::always_inline]] static Interleaved both(const uint8_t *p) {
    if constexpr (half && 2 * L::entry == V::bytes) return {V::interleave_halves(V::load(p))};
    return both(p, p + L::entry);
  }
  [[gnu::always_inline]] static Interleaved only_first(const uint8_t *a) {
    if constexpr (half) return both(a, L::zeros);
    return of(V::load(a + at), V::zero());
  }
  [[gnu::always_inline]] static Interleaved only_second(const uint8_t *b) {
    if constexpr (half) return both(L::zeros, b);
    return of(V::zero(), V::load(b + at));
  }

 private:
  [[gnu::always_inline]] static Interleaved of(typename V::Register a, typename V::Register b) {
    Interleaved x;
    V::interleave(a, b, x.r[0], x.r[registers - 1]);
    return x;
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
