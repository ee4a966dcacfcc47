// SPDX-License-Identifier: Apache-2.0
// The kernels over affine maps (GFNI): one instruction applies a matrix of 8 x 8 bits to each byte of a register, and so any 2 x 2 block over
// GF(16) to any pair of nibbles.
//
// A byte holds one equation of two inputs, and the block gives two outputs: four multiplications for each byte.  In `times` the inputs
// are two entries of a row and the outputs two columns of X; in `add_outer` they are two rows of W and two rows of U.  Both want the block
// of two rows and two columns of X, which is the same one.  A block of rows is as many as a register has words: so all rows' entries in one
// column fill registers (pieces.hpp) that one block of X serves.  Even rows stand before odd ones: a register of rows 2t, 2t + 2, .. and its
// partner with rows 2t + 1, 2t + 3, .. put two rows in one byte.
#pragma once
#include "backend/portable/kernels.hpp"
#include "backend/wide/block_maps.hpp"
#include "backend/wide/block_solver.hpp"
#include "backend/wide/pieces.hpp"
#include "backend/wide/shuffle_solver.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P, class V, class AesType> struct GfniKernels : PortableKernels<P, AesType> {
  using Group = Pieces<P, V>;
  using Register = typename V::Register;
  static constexpr int entry = Group::entry, block = Group::group, registers = Group::registers;
  static_assert(Group::padded == 8 * Mvector<P>::words);
  using Solver = typename V::template Solver<P>;

 private:
  static constexpr int position(int row) { return row % 2 * (block / 2) + row / 2; }
  // Strips in the order in which registers take them.
  struct Paired {
    Strip strips[block];
    explicit Paired(const Strip (&s)[block]) {
      for (int b = 0; b < block; b++) strips[position(b)] = s[b];
    }
  };
  // Two columns in one register each, for even and odd equations; from register x on.
  template <bool add, int x = 0, class Columns>
  [[gnu::always_inline]] static void interleave(uint8_t (&to)[2][Group::bytes], const Columns &columns) {
    if constexpr (x < registers) {
      uint8_t *even_to = to[0] + x * V::bytes, *odd_to = to[1] + x * V::bytes;
      Register even, odd;
      V::interleave(columns.template first<x>(), columns.template second<x>(), even, odd);
      if (add) even = even ^ V::load(even_to), odd = odd ^ V::load(odd_to);
      even.store(even_to);
      odd.store(odd_to);
      interleave<add, x + 1>(to, columns);
    }
  }
  // Two columns anywhere; two that follow each other in all rows.
  struct AnyColumns {
    const uint8_t *p[block], *next[block];
    template <int x> [[gnu::always_inline]] Register first() const { return Group::template load<x>(p); }
    template <int x> [[gnu::always_inline]] Register second() const { return Group::template load<x>(next); }
  };
  struct Neighbours {
    const uint8_t *p[block];
    template <int x> [[gnu::always_inline]] Register first() const { return Group::template load<x>(p); }
    template <int x> [[gnu::always_inline]] Register second() const { return Group::template load<x, entry>(p); }
  };
  // Columns j, j + 1, .. before `end`, a pair to each place from `to` on.
  template <bool add>
  [[gnu::noinline]] static void interleave_pairs(uint8_t (*to)[2][Group::bytes], const Walk<Group> &walk, int j, int end) {
    while (j < end) {
      if (const int run = walk.together(j) / 2; run > 0) {
        Neighbours columns;
        walk.at(columns.p, j);
        const int stop = j + 2 * run < end ? j + 2 * run : end - 1;
        for (; j < stop; j += 2, to++) {
          interleave<add>(*to, columns);
#pragma GCC unroll 8
          for (auto &p : columns.p) p += 2 * entry;
        }
      } else {
        AnyColumns columns;
        walk.at(columns.p, j), walk.at(columns.next, j + 1);
        interleave<add>(*to, columns);
        j += 2, to++;
      }
    }
  }

  // Registers of a group whose rows can be paired lane by lane, as x and its partner, and what each is multiplied by: all but the last
  // register, which holds the last words of all rows and is its own partner.
  static constexpr bool last = block == 8 ? Group::eighth : Group::quarter;
  struct Pair {
    int x, partner, sum, kind;  // which sum its products belong to, and which arrangement of blocks it needs
  };
  static constexpr int mains = (registers - last) / 2;
  static constexpr int sums_of_mains = Group::full + Group::half + (block == 8 ? Group::quarter : 0);
  // Arrangements: a block for each full register; two, one for each half; ..
  static constexpr int fulls = block / 2, halves = block / 4, quarters = block / 8;
  static constexpr int kinds = fulls + halves + quarters + 1;
  static constexpr struct Pairs {
    Pair main[mains > 0 ? mains : 1];
    consteval Pairs() : main{} {
      int y = 0, sum = 0;
      for (int f = 0; f < Group::full; f++, sum++)
        for (int t = 0; t < fulls; t++, y++) main[y] = {f * block + t, f * block + t + fulls, sum, t};
      for (int s = 0; Group::half && s < halves; s++, y++)
        main[y] = {Group::halves_in + s, Group::halves_in + s + halves, sum, fulls + s};
      sum += Group::half;
      for (int s = 0; block == 8 && Group::quarter && s < quarters; s++, y++)
        main[y] = {Group::quarters_in + s, Group::quarters_in + s + quarters, sum, fulls + halves + s};
    }
  } pair{};

 public:
  // 2 x 2 blocks of a matrix as 8 x 8 bits each: of two columns, one pair of rows after the other; rows past N are zero.
  template <int N, int C> struct Factor {
    static constexpr int pairs = (C + 1) / 2, height = ((N + block + 1) / 2 + 15) / 16 * 16;
    alignas(64) uint8_t blocks[pairs][height][8];

    void set(const Fmat<N, C> &A) {
      Secret<Fmat<C, N>> transposed;
      transpose(transposed, A);
      constexpr int words = Fmat<C, N>::row_words, padded = (height + V::bytes - 1) / V::bytes * V::bytes;
      static_assert(8 * words <= padded);
      uint8_t rows[2][padded];  // bytes: two rows of one column, the even one and the odd one
      zero(rows[0], sizeof rows);
      for (int q = 0; q < pairs; q++) {
        for (int c = 0; c < 2; c++)
          for (int w = 0; w < words; w++) store64(rows[c] + 8 * w, 2 * q + c < C ? transposed.w[2 * q + c][w] : 0);
        for (int at = 0; at < height; at += V::bytes) {
          Register maps[8];
          maps_of_blocks<V>(maps, V::load(rows[0] + at), V::load(rows[1] + at));
          uint8_t *to = blocks[q][at];  // and the blocks behind it
#pragma GCC unroll 8
          for (int i = 0; i < 8; i++) V::store_lanes(to + 16 * i, 128, maps[i], (height - at) / 16);
        }
      }
      wipe(rows, sizeof rows);
    }
  };

  template <int C> struct Products {
    // Of each pair of columns, for even and odd equations: the rows' entries in both columns, low and high nibbles.
    static constexpr int pairs = (C + 1) / 2;
    alignas(64) uint8_t sums[pairs][2][Group::bytes];

    template <int N> void times(const Strip (&strips)[block], const Factor<N, C> &X) {
      if (!multiply(strips, X, true)) zero(sums[0][0], sizeof sums);
    }
    template <int N> void add_times(const Strip (&strips)[block], const Factor<N, C> &X) { multiply(strips, X, false); }

    void add(const Strip (&strips)[block], int column) {
      Strip from_0[block];
      int count = 0;
      for (int b = 0; b < block; b++) {
        Strip &s = from_0[position(b)] = strips[b];
        s.first = 0;
        if (s.count > count) count = s.count;
      }
      const Walk<Group> walk(from_0, {0, count});
      interleave_pairs<true>(sums + column / 2, walk, -(column % 2), count);
    }

    void get(Mvector<P> &to, int b, int c) const {
      uint8_t *bytes = to.in_place();
      for (int at = 0; at < Group::padded; at += 8) {
        const int from = Group::place(block, position(b), at);
        store64(bytes + at, word(load64(sums[c / 2][0] + from), load64(sums[c / 2][1] + from), c % 2));
      }
      to.load_in_place();
    }

   private:
    // Pairs of entries of P's rows as bytes, so many at a time; and how many pairs of columns of W have their sums in registers.
    static constexpr int chunk = 16384 / (2 * Group::bytes) / 2 * 2;
    static constexpr int most = V::accumulators / registers > 0 ? V::accumulators / registers : 1;
    static constexpr int rounds = (pairs + most - 1) / most, together = (pairs + rounds - 1) / rounds;
    alignas(64) uint8_t index[chunk][2][Group::bytes];

    // False, and nothing is done, if all strips are empty.
    template <int N> bool multiply(const Strip (&strips)[block], const Factor<N, C> &X, bool fresh) {
      const Paired paired(strips);
      const ColumnRange columns = columns_of(paired.strips);
      if (columns.first == columns.end) return false;
      const Walk<Group> walk(paired.strips, columns);
      for (int begin = columns.first / 2, end = (columns.end + 1) / 2; begin < end; begin += chunk, fresh = false) {
        int count = end - begin < chunk ? end - begin : chunk;
        interleave_pairs<false>(index, walk, 2 * begin, 2 * (begin + count));
        if (count % 2 != 0) zero(index[count++][0], sizeof index[0]);
        for (int parity = 0; parity < 2; parity++) {
          int q = 0;
          for (; q + together <= pairs; q += together) accumulate<together>(X, begin, count, q, parity, fresh);
          if constexpr (pairs % together != 0) accumulate<pairs % together>(X, begin, count, q, parity, fresh);
        }
      }
      return true;
    }
    template <int Together, int N>
    void accumulate(const Factor<N, C> &X, int begin, int count, int first, int parity, bool fresh) {
      Register acc[Together][registers];
#pragma GCC unroll 8  // all loops over registers are unrolled, else the sums would live in memory
      for (int q = 0; q < Together; q++)
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) acc[q][x] = fresh ? V::zero() : V::load(sums[first + q][parity] + x * V::bytes);
      for (int i = 0; i < count; i += 2) {
        Register a[Together], b[Together];
#pragma GCC unroll 8
        for (int q = 0; q < Together; q++)
          a[q] = V::broadcast8(X.blocks[first + q][begin + i]), b[q] = V::broadcast8(X.blocks[first + q][begin + i + 1]);
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) {
          const Register one = Register::load_once(index[i][parity] + x * V::bytes),
                         two = Register::load_once(index[i + 1][parity] + x * V::bytes);
#pragma GCC unroll 8
          for (int q = 0; q < Together; q++) acc[q][x] = V::sum(acc[q][x], V::affine(one, a[q]), V::affine(two, b[q]));
        }
      }
#pragma GCC unroll 8
      for (int q = 0; q < Together; q++)
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) acc[q][x].store(sums[first + q][parity] + x * V::bytes);
    }
  };

  template <int R, int C, int First = 0> struct Sums {
    // Of each pair of the factor's columns and each column, registers in which the rows' pieces are added up side by side: for each full
    // register of an m-vector one for the even equations and one for the odd ones; for its half, its quarter and its last word one, even
    // equations in the first half and odd ones in the second.
    static constexpr int columns = C, pair_0 = First / 2, shift = First % 2, pairs = (shift + R + 1) / 2;
    static constexpr int folded = 2 * Group::full, last_in = folded + sums_of_mains - Group::full;
    static constexpr int each = (last_in + last) * V::bytes;
    alignas(64) uint8_t plane[pairs][C][each];

    void zero() { aioli::AIOLI_ISA::zero(plane[0][0], sizeof plane); }

    template <int N, int F, int D> void add_outer(const Factor<N, F> &X, int index, const Products<D> &W) {
      static_assert(D >= C && First + R <= F);
      prepare(X, index);
      for (int q = 0; 2 * q < C; q++) {
        Column low, high;
#pragma GCC unroll 2
        for (int parity = 0; parity < 2; parity++)
#pragma GCC unroll 16
          for (int y = 0; y < mains; y++)
            V::interleave(V::load(W.sums[q][parity] + pair.main[y].x * V::bytes),
                          V::load(W.sums[q][parity] + pair.main[y].partner * V::bytes), low.main[parity][y],
                          high.main[parity][y]);
        if constexpr (last) {
          const Register even = V::load(W.sums[q][0] + Group::bytes - V::bytes),
                         odd = V::load(W.sums[q][1] + Group::bytes - V::bytes);
          V::interleave(V::first_halves(even, odd), V::second_halves(even, odd), low.last, high.last);
        }
        accumulate(2 * q, low);
        if (2 * q + 1 < C) accumulate(2 * q + 1, high);
      }
    }

    template <int Origin, int N, int F> void add_outer(const Factor<N, F> &X, int index, const Strip (&strips)[block]) {
      static_assert(First + R <= F);
      const Paired paired(strips);
      const ColumnRange range = columns_of(paired.strips);
      ColumnPointers<Group> p(paired.strips, range);
      prepare(X, index);
      for (int j = range.first; j < range.end; j++) {
        p.go_to(j);
        Column column;
        load_mains<0>(column, p.p);
        if constexpr (last) {
          const Register words = Group::template load<registers - 1>(p.p);
          Register even, odd;
          V::interleave(V::first_halves(words, words), V::second_halves(words, words), even, odd);
          column.last = V::first_halves(even, odd);
        }
        accumulate(j - Origin, column);
      }
    }

    void add_transposed(int index, const Products<R> &W) {  // in W, too, two of U's rows share a byte
      static_assert(First == 0);
      for (int q = 0; q < pairs; q++)
        for (int b = 0; b < block && index + b < C; b++) {
          const int at = position(b);
          uint8_t *to = plane[q][index + b];
          const auto add_to = [&](int x, Register r) { add(to + x * V::bytes, r); };
          const auto from = [&](int parity, int x) { return V::load(W.sums[q][parity] + x * V::bytes); };
          const auto both = [&](int x, int half) {
            return half == 0 ? V::first_halves(from(0, x), from(1, x)) : V::second_halves(from(0, x), from(1, x));
          };
          for (int f = 0; f < Group::full; f++)
            for (int parity = 0; parity < 2; parity++) add_to(2 * f + parity, from(parity, f * block + at));
          if (Group::half) add_to(folded, both(Group::halves_in + at / 2, at % 2));
          if (block == 8 && Group::quarter)
            add_to(folded + Group::half, both(Group::quarters_in + at / 4, at / 2 % 2) & V::words_of_halves(at % 2 * 2, 2));
          if constexpr (last) add_to(last_in, both(registers - 1, b % 2) & V::words_of_halves(b / 2, 1));
        }
    }

    void get(Mvector<P> &to, int i, int j) const {
      const int q = (shift + i) / 2, high = (shift + i) % 2;
      const uint8_t *from = plane[q][j];
      uint8_t *bytes = to.in_place();  // not by way of other memory: loads that combine stores of several sizes would wait
#pragma GCC unroll 8
      for (int sum = 0; sum < sums_of_mains; sum++) {
        Register even, odd, nibbles[2];
        if (sum < Group::full) {
          even = V::load(from + 2 * sum * V::bytes), odd = V::load(from + (2 * sum + 1) * V::bytes);
        } else {
          const Register both = V::load(from + (sum + Group::full) * V::bytes);
          even = V::first_halves(both, both), odd = V::second_halves(both, both);
        }
        V::interleave(even, odd, nibbles[0], nibbles[1]);
        const Register r = high != 0 ? nibbles[1] : nibbles[0];
        if (sum < Group::full)
          r.store(bytes + sum * V::bytes);
        else if (Group::half && sum == Group::full)
          V::store_half(bytes + Group::half_at, r);
        else
          V::store_sum_of_quarters(bytes + Group::quarter_at, r);
      }
      if constexpr (last) {
        uint64_t even, odd;
        V::sums_of_words(even, odd, V::load(from + last_in * V::bytes));
        store64(bytes + Group::padded - 8, word(even, odd, high));
      }
      to.load_in_place();
    }

   private:
    static void add(uint8_t *to, Register r) { (V::load(to) ^ r).store(to); }
    struct Column {
      Register main[2][mains > 0 ? mains : 1], last;
    };
    // For each pair of U's rows the blocks of the current rows, as registers need them.
    alignas(64) uint8_t blocks[pairs][kinds][V::bytes];

    template <int N, int F> void prepare(const Factor<N, F> &X, int index) {
      for (int q = 0; q < pairs; q++) {
        alignas(64) uint8_t rows[8 * (block / 2)];
        const uint8_t *from = X.blocks[pair_0 + q][index / 2];
        for (int t = 0; t < block / 2; t++) {
          uint64_t b = load64(from + 8 * t);
          // Rows 2t + 1 and 2t + 2 are the second inputs of one block and the first ones of the next.
          if (index % 2 != 0) b = (b >> 4 & low_nibbles) | (load64(from + 8 * t + 8) & low_nibbles) << 4;
          store64(rows + 8 * t, b);
        }
        for (int t = 0; t < fulls && Group::full; t++) V::broadcast8(rows + 8 * t).store(blocks[q][t]);
        for (int s = 0; s < halves && Group::half; s++) V::broadcast_twos(rows + 16 * s).store(blocks[q][fulls + s]);
        if constexpr (block == 8 && Group::quarter) V::broadcast_fours(rows).store(blocks[q][fulls + halves]);
        if constexpr (last) V::twice(rows).store(blocks[q][kinds - 1]);
        wipe(rows, sizeof rows);
      }
    }
    template <int y> [[gnu::always_inline]] static void load_mains(Column &column, const uint8_t *const (&p)[block]) {
      if constexpr (y < mains) {
        V::interleave(Group::template load<pair.main[y].x>(p), Group::template load<pair.main[y].partner>(p), column.main[0][y],
                      column.main[1][y]);
        load_mains<y + 1>(column, p);
      }
    }
    [[gnu::always_inline]] void accumulate(int j, const Column &column) {
      for (int q = 0; q < pairs; q++) {
        uint8_t *to = plane[q][j];
#pragma GCC unroll 8
        for (int sum = 0; sum < sums_of_mains; sum++) {
          Register even = V::zero(), odd = V::zero();
#pragma GCC unroll 16
          for (int y = 0; y < mains; y++)
            if (pair.main[y].sum == sum) {
              const Register b = Register::load_once(blocks[q][pair.main[y].kind]);
              even = even ^ V::affine(column.main[0][y], b), odd = odd ^ V::affine(column.main[1][y], b);
            }
          if (sum < Group::full) {
            add(to + 2 * sum * V::bytes, even), add(to + (2 * sum + 1) * V::bytes, odd);
          } else {
            uint8_t *both = to + (sum + Group::full) * V::bytes;
            V::sum(V::load(both), V::first_halves(even, odd), V::second_halves(even, odd)).store(both);
          }
        }
        if constexpr (last) add(to + last_in * V::bytes, V::affine(column.last, V::load(blocks[q][kinds - 1])));
      }
    }
  };

 private:
  static constexpr uint64_t low_nibbles = 0x0f0f0f0f0f0f0f0f;

  // Eight bytes of an m-vector from those of its even and odd equations, of which it has the low or the high nibbles.
  static uint64_t word(uint64_t even, uint64_t odd, int high) {
    return high == 0 ? (even & low_nibbles) | (odd & low_nibbles) << 4 : (even >> 4 & low_nibbles) | (odd & ~low_nibbles);
  }
};

}  // namespace aioli::inline AIOLI_ISA
