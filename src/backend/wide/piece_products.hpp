// SPDX-License-Identifier: Apache-2.0
// Products over affine maps where m-vectors are put together from several rows to fill registers (pieces.hpp).
#pragma once
#include "backend/wide/pieces.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V, class Group, int C> struct PieceProducts {
  using Register = typename V::Register;
  static constexpr int entry = Group::entry, block = Group::group;
  // Of each pair of columns, for even and odd equations: the rows' entries in both columns, low and high nibbles.
  static constexpr int columns_of_W = C, pairs = (C + 1) / 2;
  alignas(64) uint8_t sums[pairs][2][Group::bytes];

  template <class Factor> void times(const Strip (&strips)[block], const Factor &X) { multiply(strips, X, true); }
  template <class Factor> void add_times(const Strip (&strips)[block], const Factor &X) { multiply(strips, X, false); }
  template <class Factor>
  void times_parts(const Strip (&strips)[block], const Strip (&more)[block], const Strip (&column)[block], const Factor &X) {
    if (strips[1].first - strips[0].first == 1 && stairs.start(strips) && more[1].count > 0 && rectangle.start(more))
      multiply_pieces<0, 0>(Both{stairs, rectangle}, X, true);
    else
      multiply(strips, X, true), multiply(more, X, false);
    add(column, 0);
  }

  void add(const Strip (&strips)[block], int column) {
    if (strips[0].count > 1 && rectangle.start(strips)) {
      rectangle.renumber(column);
      return add_pieces<0>();
    }
    int longest = 0;
    for (const Strip &s : strips) longest = s.count > longest ? s.count : longest;  // none: the linear term before round 3
    for (int j = 0; j < longest; j++) {
      const uint8_t *p[block];
#pragma GCC unroll 8
      for (int b = 0; b < block; b++) p[Group::position(b)] = j < strips[b].count ? strips[b].entries + j * entry : Group::zeros;
      add_column<0>(p, sums[(column + j) / 2][0], (column + j) % 2 != 0);
    }
  }

  void get(Mvector<P> &to, int b, int c) const {
    uint8_t *bytes = to.in_place();
    for (int at = 0; at < 8 * Group::words; at += 8) {
      const int from = Group::place(block, Group::position(b), at);
      store64(bytes + at, word_of_pair(load64(sums[c / 2][0] + from), load64(sums[c / 2][1] + from), c % 2));
    }
    to.load_in_place();
  }

 private:
  // How many pairs of columns of W have their sums in registers, each for even and for odd equations.
  static constexpr int most = V::accumulators / 2, rounds = (pairs + most - 1) / most, together = (pairs + rounds - 1) / rounds;
  Stairs<Group> stairs;
  Rectangle<Group> rectangle;
  struct Both {
    const Stairs<Group> &stairs;
    const Rectangle<Group> &rectangle;
    template <int kind, class One, class Two>
    [[gnu::always_inline]] void visit(unsigned at, const One &one, const Two &two) const {
      stairs.template visit<kind>(at, one, two);
      rectangle.template visit<kind>(at, one, two);
    }
  };
  PairedColumns<Group> columns;

  template <class Factor> void multiply(const Strip (&strips)[block], const Factor &X, bool fresh) {
    static_assert(Factor::columns == C);
    const int step = strips[1].first - strips[0].first;
    if (step == 1 && stairs.start(strips)) return multiply_pieces<0, 0>(stairs, X, fresh);
    if (step == 0 && rectangle.start(strips)) return multiply_pieces<0, 0>(rectangle, X, fresh);
    for (columns.start(strips); columns.next(); fresh = false) multiply_pieces<0, 0>(columns, X, fresh);
    if (fresh) zero(sums[0][0], sizeof sums);
  }
  // One register of the sums after another, so that nothing that is made of P on the way has to be stored.
  template <int kind, int first, class Columns, class Factor>
  void multiply_pieces(const Columns &of, const Factor &X, bool fresh) {
    if constexpr (first < pairs) {
      constexpr int width = Group::width_of(kind), pairs_at_once = pairs - first < together ? pairs - first : together;
      for (unsigned s = 0; s < block / width; s++)
        accumulate<kind, pairs_at_once>(of, s * width, X.blocks + first,
                                        sums[first][0] + (Group::registers_at(kind) + s) * V::bytes, fresh);
      multiply_pieces<kind, first + together>(of, X, fresh);
    } else if constexpr (kind + 1 < Group::kinds) {
      multiply_pieces<kind + 1, 0>(of, X, fresh);
    }
  }
  // The sums of register x, of rows at position `row` and following, for as many pairs of columns of W.
  template <int kind, int pairs_at_once, class Columns, int height>
  [[gnu::noinline]] static void accumulate(const Columns &of, unsigned row, const uint8_t (*blocks)[height][8], uint8_t *x,
                                           bool fresh) {
    Register even_sums[pairs_at_once], odd_sums[pairs_at_once];
#pragma GCC unroll 16  // all loops over sums are unrolled, else they would live in memory
    for (int q = 0; q < pairs_at_once; q++) {
      even_sums[q] = fresh ? V::zero() : V::load(x + 2 * q * Group::bytes);
      odd_sums[q] = fresh ? V::zero() : V::load(x + (2 * q + 1) * Group::bytes);
    }
    of.template visit<kind>(
        row,
        [&](Register even, Register odd, unsigned i) __attribute__((always_inline)) {
#pragma GCC unroll 16
          for (int q = 0; q < pairs_at_once; q++) {
            const Register b = V::broadcast8(blocks[q][i]);
            even_sums[q] = even_sums[q] ^ V::affine(even, b), odd_sums[q] = odd_sums[q] ^ V::affine(odd, b);
          }
        },
        [&](Register even, Register odd, Register even_next, Register odd_next, unsigned i) __attribute__((always_inline)) {
#pragma GCC unroll 16
          for (int q = 0; q < pairs_at_once; q++) {
            const Register b = V::broadcast8(blocks[q][i]), b_next = V::broadcast8(blocks[q][i + 1]);
            even_sums[q] = V::sum(even_sums[q], V::affine(even, b), V::affine(even_next, b_next));
            odd_sums[q] = V::sum(odd_sums[q], V::affine(odd, b), V::affine(odd_next, b_next));
          }
        });
#pragma GCC unroll 16
    for (int q = 0; q < pairs_at_once; q++)
      even_sums[q].store(x + 2 * q * Group::bytes), odd_sums[q].store(x + (2 * q + 1) * Group::bytes);
  }
  // The columns of a rectangle, one register of the sums after another.
  template <int kind> void add_pieces() {
    constexpr int width = Group::width_of(kind);
    for (unsigned s = 0; s < block / width; s++) {
      uint8_t *const to = sums[0][0] + (Group::registers_at(kind) + s) * V::bytes;
      const auto one = [&](Register even, Register odd, unsigned i) __attribute__((always_inline)) {
        uint8_t *const at = to + i * 2 * Group::bytes;
        (V::load(at) ^ even).store(at), (V::load(at + Group::bytes) ^ odd).store(at + Group::bytes);
      };
      rectangle.template visit<kind>(s * width, one,
                                     [&](Register even, Register odd, Register even_next, Register odd_next, unsigned i)
                                         __attribute__((always_inline)) { one(even, odd, i), one(even_next, odd_next, i + 1); });
    }
    if constexpr (kind + 1 < Group::kinds) add_pieces<kind + 1>();
  }
  // One entry of each row, to one column's half of the nibbles.
  template <int kind> [[gnu::always_inline]] static void add_column(const uint8_t *const (&p)[block], uint8_t *to, bool high) {
    constexpr int width = Group::width_of(kind);
#pragma GCC unroll 8
    for (int row = 0; row < block; row += width) {
      uint8_t *const at = to + (Group::registers_at(kind) + row / width) * V::bytes;
      const Register entries = Group::template load_pieces<kind>(p + row);
      Register even, odd;
      if (high)
        V::interleave(V::zero(), entries, even, odd);
      else
        V::interleave(entries, V::zero(), even, odd);
      (V::load(at) ^ even).store(at), (V::load(at + Group::bytes) ^ odd).store(at + Group::bytes);
    }
    if constexpr (kind + 1 < Group::kinds) add_column<kind + 1>(p, to, high);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
