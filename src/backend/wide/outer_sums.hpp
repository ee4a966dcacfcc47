// SPDX-License-Identifier: Apache-2.0
// Rank-one updates over affine maps: two rows of W in the nibbles of a byte, two rows of U out of it.
#pragma once
#include "backend/wide/pieces.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V, class Group, bool by_rows, int R, int C, int First = 0> struct OuterSums {
  using Register = typename V::Register;
  static constexpr int block = Group::group, registers = Group::registers;

 private:
  // Strips in the order in which registers take them.
  struct Paired {
    Strip strips[block];
    explicit Paired(const Strip (&s)[block]) {
      for (int b = 0; b < block; b++) strips[Group::position(b)] = s[b];
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
  // Arrangements of blocks: a block for a full register; two, one for each half; ..
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
  // Halves in sums: even and odd equations stay together in a register (V::interleave_halves), two rows in a byte, where a vector can do so.
  static constexpr bool unfolded = Group::half && requires(Register a) { V::interleave_halves(a); };
  static constexpr bool is_unfolded(int y) { return unfolded && pair.main[y].sum == Group::full; }

 public:
  // Of each pair of the factor's columns and each column, registers in which the rows' pieces are added up side by side: for each full
  // register of an m-vector one for the even equations and one for the odd ones; for its half, its quarter and its last word one, even
  // equations in the first half and odd ones in the second.
  static constexpr int columns = C, pair_0 = First / 2, shift = First % 2, pairs = (shift + R + 1) / 2;
  static constexpr int columns_at_once = unfolded && Group::full == 0 ? 2 : 1;  // where registers suffice
  static constexpr int folded = 2 * Group::full, last_in = folded + sums_of_mains - Group::full;
  static constexpr int each = (last_in + last) * V::bytes;
  alignas(64) uint8_t plane[pairs][C][each];

  void zero() { aioli::AIOLI_ISA::zero(plane[0][0], sizeof plane); }

  template <class Factor, class Products> void add_outer(const Factor &X, int index, const Products &W) {
    static_assert(Products::columns_of_W >= C && First + R <= Factor::columns);
    prepare(X, index);
    for (int q = 0; 2 * q < C; q++) {
      Column both[2];
      load_columns(both[0], both[1], W, q);
      if (columns_at_once == 2 && 2 * q + 1 < C) {
        accumulate<2>(2 * q, both);
      } else {
        accumulate<1>(2 * q, both);
        if (2 * q + 1 < C) accumulate<1>(2 * q + 1, both + 1);
      }
    }
  }

  template <int Origin, class Factor> void add_outer(const Factor &X, int index, const Strip (&strips)[block]) {
    static_assert(First + R <= Factor::columns);
    prepare(X, index);
    const int first = strips[0].first, count = strips[0].count;
    const uint8_t *p[block];
    bool alike = true;  // all begin and end together, as L does, and the linear term
#pragma GCC unroll 8
    for (int b = 0; b < block; b++) {
      alike &= (strips[b].first == first) & (strips[b].count == count);
      p[Group::position(b)] = strips[b].entries;
    }
    if (alike) {
      for (int j = first; j < first + count; j++) {
        add_column(j - Origin, p);
#pragma GCC unroll 8
        for (auto &next : p) next += Group::entry;
      }
    } else {
      const Paired paired(strips);
      const ColumnRange range = columns_of(paired.strips);
      ColumnPointers<Group> walk(paired.strips, range);
      for (int j = range.first; j < range.end; j++) walk.go_to(j), add_column(j - Origin, walk.p);
    }
  }

  template <class Products> void add_transposed(int index, const Products &W) {  // in W, too, two of U's rows share a byte
    static_assert(First == 0);
    if constexpr (by_rows && Group::half) {
      for (int q = 0; q < pairs; q++)
        for (int b = 0; b < block && index + b < C; b++) add(plane[q][index + b], V::load(W.sums[q][b]));
      return;
    } else {
      add_pieces_transposed(index, W);
    }
  }
  template <class Products> void add_pieces_transposed(int index, const Products &W) {
    for (int q = 0; q < pairs; q++)
      for (int b = 0; b < block && index + b < C; b++) {
        const int at = Group::position(b);
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
      return word_of_pair(even, odd, high);
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
  // For each pair of U's rows the blocks of the current rows, two by two; and put together as registers of several rows need them.
  static constexpr int together = kinds - fulls;
  uint8_t blocks[pairs][fulls][8];
  alignas(64) uint8_t arranged[pairs][together][V::bytes];
  // Arrangement `kind` for pair q.
  [[gnu::always_inline]] Register map(int q, int kind) const {
    return kind < fulls ? V::broadcast8(blocks[q][kind]).kept() : Register::load_once(arranged[q][kind - fulls]);
  }

  template <class Factor> void prepare(const Factor &X, int index) {
    for (int q = 0; q < pairs; q++) {
      const uint8_t *rows = X.blocks[pair_0 + q][index / 2];
      // From an odd row on, rows 2t + 1 and 2t + 2 are the second inputs of one block and the first ones of the next.
      for (int t = 0; t < fulls; t++) {
        const uint64_t own = load64(rows + 8 * t);
        store64(blocks[q][t], index % 2 == 0 ? own : (own >> 4 & low_nibbles) | (load64(rows + 8 * t + 8) & low_nibbles) << 4);
      }
      const uint8_t *all = blocks[q][0];
      for (int s = 0; s < halves && Group::half && !unfolded; s++) V::broadcast_twos(all + 16 * s).store(arranged[q][s]);
      if constexpr (block == 8 && Group::quarter) V::broadcast_fours(all).store(arranged[q][halves]);
      if constexpr (last) V::twice(all).store(arranged[q][together - 1]);
    }
  }
  // Columns 2q and 2q + 1 of W.
  template <class Products> [[gnu::always_inline]] static void load_columns(Column &low, Column &high, const Products &W, int q) {
    if constexpr (by_rows && Group::half) {
#pragma GCC unroll 4
      for (int t = 0; t < block / 2; t++)
        V::interleave(V::load(W.sums[q][2 * t]), V::load(W.sums[q][2 * t + 1]), low.main[t % 2][t / 2], high.main[t % 2][t / 2]);
    } else {
#pragma GCC unroll 16
      for (int y = 0; y < mains; y++) {
        const auto load = [&](int parity, int x) { return V::load(W.sums[q][parity] + x * V::bytes); };
        const Register even = load(0, pair.main[y].x), even_partner = load(0, pair.main[y].partner);
        const Register odd = load(1, pair.main[y].x), odd_partner = load(1, pair.main[y].partner);
        if (is_unfolded(y)) {
          V::interleave(V::first_halves(even, odd), V::first_halves(even_partner, odd_partner), low.main[0][y], high.main[0][y]);
          V::interleave(V::second_halves(even, odd), V::second_halves(even_partner, odd_partner), low.main[1][y],
                        high.main[1][y]);
        } else {
          V::interleave(even, even_partner, low.main[0][y], high.main[0][y]);
          V::interleave(odd, odd_partner, low.main[1][y], high.main[1][y]);
        }
      }
    }
    if constexpr (last) {
      const Register even = V::load(W.sums[q][0] + Group::bytes - V::bytes),
                     odd = V::load(W.sums[q][1] + Group::bytes - V::bytes);
      V::interleave(V::first_halves(even, odd), V::second_halves(even, odd), low.last, high.last);
    }
  }
  // A column of strips: an entry of each row.
  [[gnu::always_inline]] void add_column(int j, const uint8_t *const (&p)[block]) {
    Column column;
    load_mains<0>(column, p);
    if constexpr (last) {
      const Register words = Group::template load<registers - 1>(p);
      if constexpr (requires { V::interleave_halves(words); }) {
        column.last = V::interleave_halves(words);
      } else {
        Register even, odd;
        V::interleave(V::first_halves(words, words), V::second_halves(words, words), even, odd);
        column.last = V::first_halves(even, odd);
      }
    }
    accumulate<1>(j, &column);
  }
  template <int y> [[gnu::always_inline]] static void load_mains(Column &column, const uint8_t *const (&p)[block]) {
    if constexpr (y < mains) {
      if constexpr (is_unfolded(y)) {
        constexpr int at = pair.main[y].x - Group::halves_in;  // which of the registers of halves
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++)
          column.main[i][y] =
              V::interleave_halves(V::halves(p[2 * at + i] + Group::half_at, p[2 * at + i + block / 2] + Group::half_at));
      } else {
        V::interleave(Group::template load<pair.main[y].x>(p), Group::template load<pair.main[y].partner>(p), column.main[0][y],
                      column.main[1][y]);
      }
      load_mains<y + 1>(column, p);
    }
  }
  // Some columns of U, from j on.
  template <int some> [[gnu::always_inline]] void accumulate(int j, const Column *column) {
    for (int q = 0; q < pairs; q++) {
#pragma GCC unroll 8
      for (int sum = 0; sum < sums_of_mains; sum++) {
        const bool folded_in = sum >= Group::full, in_one = folded_in && unfolded && sum == Group::full;
        const int at = (folded_in ? sum + Group::full : 2 * sum) * V::bytes;
        Register even[some], odd[some];
#pragma GCC unroll 2
        for (int c = 0; c < some; c++) {
          uint8_t *const to = plane[q][j + c] + at;
          even[c] = folded_in && !in_one ? V::zero() : V::load(to), odd[c] = folded_in ? V::zero() : V::load(to + V::bytes);
        }
#pragma GCC unroll 16
        for (int y = 0; y < mains; y++) {
          const Pair &of = pair.main[y];
          if (of.sum != sum) continue;
          if (in_one) {
            const int t = 2 * (of.x - Group::halves_in);
            const Register b = map(q, t), b_next = map(q, t + 1);
#pragma GCC unroll 2
            for (int c = 0; c < some; c++)
              even[c] = V::sum(even[c], V::affine(column[c].main[0][y], b), V::affine(column[c].main[1][y], b_next));
          } else if (of.products_at_once == 2) {
            const Register b = map(q, of.kind), b_next = map(q, pair.main[y + 1].kind);
#pragma GCC unroll 2
            for (int c = 0; c < some; c++) {
              const auto &x = column[c].main;
              even[c] = V::sum(even[c], V::affine(x[0][y], b), V::affine(x[0][y + 1], b_next));
              odd[c] = V::sum(odd[c], V::affine(x[1][y], b), V::affine(x[1][y + 1], b_next));
            }
          } else if (of.products_at_once == 1) {
            const Register b = map(q, of.kind);
#pragma GCC unroll 2
            for (int c = 0; c < some; c++)
              even[c] = even[c] ^ V::affine(column[c].main[0][y], b), odd[c] = odd[c] ^ V::affine(column[c].main[1][y], b);
          }
        }
#pragma GCC unroll 2
        for (int c = 0; c < some; c++) {
          uint8_t *const to = plane[q][j + c] + at;
          if (in_one)
            even[c].store(to);
          else if (folded_in)
            V::sum(V::load(to), V::first_halves(even[c], odd[c]), V::second_halves(even[c], odd[c])).store(to);
          else
            even[c].store(to), odd[c].store(to + V::bytes);
        }
      }
      if constexpr (last) {
        const Register b = map(q, kinds - 1);
#pragma GCC unroll 2
        for (int c = 0; c < some; c++) add(plane[q][j + c] + last_in * V::bytes, V::affine(column[c].last, b));
      }
    }
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
