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
  using Group = Pieces<P, V, true>;
  using Register = typename V::Register;
  static constexpr int entry = Group::entry, block = Group::group, registers = Group::registers;
  static_assert(Group::words == Mvector<P>::words);
  using Solver = typename V::template Solver<P>;

 private:
  static constexpr int position(int row) { return Group::position(row); }
  // Strips in the order in which registers take them.
  struct Paired {
    Strip strips[block];
    explicit Paired(const Strip (&s)[block]) {
      for (int b = 0; b < block; b++) strips[position(b)] = s[b];
    }
  };
  // Registers of a group whose rows can be paired lane by lane, as x and its partner, and what each is multiplied by: all but the last
  // register, which holds the last words of all rows and is its own partner.
  static constexpr bool last = block == 8 ? Group::eighth : Group::quarter;
  struct Pair {
    int x, partner, sum, kind;  // which sum its products belong to, and which arrangement of blocks it needs
    int products_at_once;       // two: with those of the next pair; none: with those of the one before
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
        for (int t = 0; t < fulls; t++, y++) main[y] = {f * block + t, f * block + t + fulls, sum, t, 1};
      for (int s = 0; Group::half && s < halves; s++, y++)
        main[y] = {Group::halves_in + s, Group::halves_in + s + halves, sum, fulls + s, 1};
      sum += Group::half;
      for (int s = 0; block == 8 && Group::quarter && s < quarters; s++, y++)
        main[y] = {Group::quarters_in + s, Group::quarters_in + s + quarters, sum, fulls + halves + s, 1};
      for (int i = 0; i + 1 < y; i++)
        if (main[i].products_at_once == 1 && main[i + 1].sum == main[i].sum)
          main[i].products_at_once = 2, main[i + 1].products_at_once = 0;
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

    template <int N> void times(const Strip (&strips)[block], const Factor<N, C> &X) { multiply(strips, X, true); }
    template <int N> void add_times(const Strip (&strips)[block], const Factor<N, C> &X) { multiply(strips, X, false); }

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
        for (int b = 0; b < block; b++) p[position(b)] = j < strips[b].count ? strips[b].entries + j * entry : zeros;
        add_column<0>(p, sums[(column + j) / 2][0], (column + j) % 2 != 0);
      }
    }

    void get(Mvector<P> &to, int b, int c) const {
      uint8_t *bytes = to.in_place();
      for (int at = 0; at < 8 * Group::words; at += 8) {
        const int from = Group::place(block, position(b), at);
        store64(bytes + at, word(load64(sums[c / 2][0] + from), load64(sums[c / 2][1] + from), c % 2));
      }
      to.load_in_place();
    }

   private:
    // How many pairs of columns of W have their sums in registers, each for even and for odd equations.
    static constexpr int most = V::accumulators / 2, rounds = (pairs + most - 1) / most, together = (pairs + rounds - 1) / rounds;
    Stairs<Group> stairs;
    Rectangle<Group> rectangle;
    PairedColumns<Group> columns;

    template <int N> void multiply(const Strip (&strips)[block], const Factor<N, C> &X, bool fresh) {
      const int step = strips[1].first - strips[0].first;
      if (step == 1 && stairs.start(strips)) return multiply_pieces<0, 0>(stairs, X, fresh);
      if (step == 0 && rectangle.start(strips)) return multiply_pieces<0, 0>(rectangle, X, fresh);
      for (columns.start(strips); columns.next(); fresh = false) multiply_pieces<0, 0>(columns, X, fresh);
      if (fresh) zero(sums[0][0], sizeof sums);
    }
    // One register of the sums after another, so that nothing that is made of P on the way has to be stored.
    template <int kind, int first, class Columns, int N>
    void multiply_pieces(const Columns &of, const Factor<N, C> &X, bool fresh) {
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
    static constexpr uint8_t zeros[Group::padded] = {};
    // The columns of a rectangle, one register of the sums after another.
    template <int kind> void add_pieces() {
      constexpr int width = Group::width_of(kind);
      for (unsigned s = 0; s < block / width; s++) {
        uint8_t *const to = sums[0][0] + (Group::registers_at(kind) + s) * V::bytes;
        const auto one = [&](Register even, Register odd, unsigned i) __attribute__((always_inline)) {
          uint8_t *const at = to + i * 2 * Group::bytes;
          (V::load(at) ^ even).store(at), (V::load(at + Group::bytes) ^ odd).store(at + Group::bytes);
        };
        rectangle.template visit<kind>(
            s * width, one,
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

    void get(Mvector<P> &to, int i, int j) const { collect(to, entry_at(i, j)); }
    void get_upper(Mvector<P> &to, int i, int j) const { collect(to, entry_at(i, j), entry_at(j, i)); }

   private:
    struct Entry {
      const uint8_t *from;
      bool high;

      // Sum `sum` of the registers, as nibbles in their order.
      [[gnu::always_inline]] Register nibbles(int sum) const {
        Register even, odd, low_ones, high_ones;
        if (sum < Group::full) {
          even = V::load(from + 2 * sum * V::bytes), odd = V::load(from + (2 * sum + 1) * V::bytes);
        } else {
          const Register both = V::load(from + (sum + Group::full) * V::bytes);
          even = V::first_halves(both, both), odd = V::second_halves(both, both);
        }
        V::interleave(even, odd, low_ones, high_ones);
        return high ? high_ones : low_ones;
      }
      uint64_t last_word() const {
        uint64_t even, odd;
        V::sums_of_words(even, odd, V::load(from + last_in * V::bytes));
        return word(even, odd, high);
      }
    };
    Entry entry_at(int i, int j) const { return {plane[(shift + i) / 2][j], (shift + i) % 2 != 0}; }
    // The sum of some entries.
    template <class... Entries> static void collect(Mvector<P> &to, Entries... entries) {
      uint8_t *bytes = to.in_place();  // not by way of other memory: loads that combine stores of several sizes would wait
#pragma GCC unroll 8
      for (int sum = 0; sum < sums_of_mains; sum++) {
        const Register r = (entries.nibbles(sum) ^ ...);
        if (sum < Group::full)
          store_full(bytes, r, sum);
        else if (Group::half && sum == Group::full)
          V::store_half(bytes + Group::half_at, r);
        else
          V::store_sum_of_quarters(bytes + Group::quarter_at, r);
      }
      if constexpr (last) store64(bytes + 8 * Group::words - 8, (entries.last_word() ^ ...));
      to.load_in_place();
    }
    // Full register `sum` of an m-vector.
    [[gnu::always_inline]] static void store_full(uint8_t *bytes, Register r, int sum) {
      if constexpr (Group::padded > 8 * Group::words)
        V::store_but_last_word(bytes, r);  // there is but one
      else
        r.store(bytes + sum * V::bytes);
    }
    static void add(uint8_t *to, Register r) { (V::load(to) ^ r).store(to); }
    struct Column {
      Register main[2][mains > 0 ? mains : 1], last;
    };
    // For each pair of U's rows the blocks of the current rows, as registers need them.
    alignas(64) uint8_t blocks[pairs][kinds][V::bytes];

    template <int N, int F> void prepare(const Factor<N, F> &X, int index) {
      for (int q = 0; q < pairs; q++) {
        alignas(64) uint8_t shifted[8 * (block / 2)];
        const uint8_t *rows = X.blocks[pair_0 + q][index / 2];
        if (index % 2 != 0) {  // rows 2t + 1 and 2t + 2 are the second inputs of one block and the first ones of the next
          for (int t = 0; t < block / 2; t++)
            store64(shifted + 8 * t, (load64(rows + 8 * t) >> 4 & low_nibbles) | (load64(rows + 8 * t + 8) & low_nibbles) << 4);
          rows = shifted;
        }
        for (int t = 0; t < fulls && Group::full; t++) V::broadcast8(rows + 8 * t).store(blocks[q][t]);
        for (int s = 0; s < halves && Group::half; s++) V::broadcast_twos(rows + 16 * s).store(blocks[q][fulls + s]);
        if constexpr (block == 8 && Group::quarter) V::broadcast_fours(rows).store(blocks[q][fulls + halves]);
        if constexpr (last) V::twice(rows).store(blocks[q][kinds - 1]);
        if (index % 2 != 0) wipe(shifted, sizeof shifted);
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
          const bool folded_in = sum >= Group::full;
          uint8_t *at = to + (folded_in ? sum + Group::full : 2 * sum) * V::bytes;
          Register even = folded_in ? V::zero() : V::load(at), odd = folded_in ? V::zero() : V::load(at + V::bytes);
#pragma GCC unroll 16
          for (int y = 0; y < mains; y++) {
            if (pair.main[y].sum != sum || pair.main[y].products_at_once == 0) continue;
            const Register b = Register::load_once(blocks[q][pair.main[y].kind]);
            if (pair.main[y].products_at_once == 2) {
              const Register b_next = Register::load_once(blocks[q][pair.main[y + 1].kind]);
              even = V::sum(even, V::affine(column.main[0][y], b), V::affine(column.main[0][y + 1], b_next));
              odd = V::sum(odd, V::affine(column.main[1][y], b), V::affine(column.main[1][y + 1], b_next));
            } else {
              even = even ^ V::affine(column.main[0][y], b), odd = odd ^ V::affine(column.main[1][y], b);
            }
          }
          if (folded_in)
            V::sum(V::load(at), V::first_halves(even, odd), V::second_halves(even, odd)).store(at);
          else
            even.store(at), odd.store(at + V::bytes);
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
