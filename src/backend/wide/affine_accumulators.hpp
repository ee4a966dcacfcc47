// SPDX-License-Identifier: Apache-2.0
// Rank-one updates over affine maps: two rows of W are interleaved, two rows of U come out.
#pragma once
#include "backend/wide/affine_layout.hpp"
#include "backend/wide/row_segments.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// U.  For each pair of the factor's columns, U_i low and U_(i+1) high, and for each column of U two interleaved m-vectors
// (affine_layout.hpp):
//
//     sums[i / 2][j]     whole even, odd, .., half, words (even | odd)
//
// Words of the rows' products are added up side by side, as they come from rows 0 and 1, 2 and 3, ..; their sum is taken when
// they are read.
template <class P, class V, int R, int C, int First = 0> struct AffineAccumulators {
  using L = AffineLayout<P, V>;
  using Register = typename V::Register;
  static constexpr int block = L::block, row_pairs = block / 2;
  static constexpr int columns = C, pair_0 = First / 2, shift = First % 2, pairs = (shift + R + 1) / 2;
  alignas(64) uint8_t sums[pairs][C][L::registers + L::word][V::bytes];

  void zero() { aioli::AIOLI_ISA::zero(sums[0][0][0], sizeof sums); }

  template <class Factor, class Products> void add_outer(const Factor &X, int index, const Products &W) {
    static_assert(Products::columns_of_W >= C && First + R <= Factor::columns);
    const Maps maps(X, index);
    for (int q = 0; 2 * q < C; q++) {
      Column both[2];
      load_columns(both[0], both[1], W, q);
      if (columns_at_once == 2 && 2 * q + 1 < C) {
        accumulate<2>(2 * q, both, maps);
      } else {
        accumulate<1>(2 * q, both, maps);
        if (2 * q + 1 < C) accumulate<1>(2 * q + 1, both + 1, maps);
      }
    }
  }

  template <int Origin, class Factor> void add_outer(const Factor &X, int index, const RowSegment (&segments)[block]) {
    static_assert(First + R <= Factor::columns);
    const Maps maps(X, index);
    const SegmentColumns<block> walk(segments, L::entry, L::zeros);
    const uint8_t *p[block];
    for (int j = walk.first; j < walk.end;)
      for (int left = walk.at(p, j); left > 0; left--, j++) {
        Column column;
        load_entries<0>(column, p);
        accumulate<1>(j - Origin, &column, maps);
#pragma GCC unroll 8
        for (auto &next : p) next += L::entry;
      }
  }

  void get(Mvector<P> &to, int i, int j) const { collect(to, entry_at(i, j)); }
  void get_upper(Mvector<P> &to, int i, int j) const { collect(to, entry_at(i, j), entry_at(j, i)); }

 private:
  static void add_to(uint8_t *to, Register r) { (V::load(to) ^ r).store(to); }

  // The 2 x 2 blocks of the current rows, for each pair of U's rows.
  struct Maps {
    const uint8_t *first;
    int stride;
    uint8_t shifted[pairs][row_pairs][8];

    template <class Factor> [[gnu::always_inline]] Maps(const Factor &X, int index) {
      first = X.blocks[pair_0][index / 2], stride = sizeof X.blocks[0];
      if (index % 2 == 0) return;
      // From an odd row on, rows 2t + 1 and 2t + 2 are the second inputs of one block and the first ones of the next.
      for (int q = 0; q < pairs; q++)
        for (int t = 0; t < row_pairs; t++) {
          const uint8_t *from = first + q * stride + 8 * t;
          store64(shifted[q][t], (load64(from) >> 4 & low_nibbles) | (load64(from + 8) & low_nibbles) << 4);
        }
      first = shifted[0][0], stride = sizeof shifted[0];
    }
    const uint8_t *of_pair(int q) const { return first + q * stride; }
  };

  // A column of W, or of segments: rows 2t and 2t + 1 interleaved.
  struct Column {
    Register of[L::registers][row_pairs], words;
  };
  static constexpr int columns_at_once = L::registers == 1 ? 2 : 1;  // where registers suffice

  // Columns 2q and 2q + 1 of W.
  template <class Products> [[gnu::always_inline]] static void load_columns(Column &low, Column &high, const Products &W, int q) {
#pragma GCC unroll 8
    for (int r = 0; r < L::registers; r++)
#pragma GCC unroll 4
      for (int t = 0; t < row_pairs; t++)
        V::interleave(V::load(W.sums[q][2 * t * L::registers + r]), V::load(W.sums[q][(2 * t + 1) * L::registers + r]),
                      low.of[r][t], high.of[r][t]);
    if constexpr (L::word) {
      const Register even = V::load(W.sums[q][W.words_at]), odd = V::load(W.sums[q][W.words_at + 1]);
      V::interleave(V::first_halves(even, odd), V::second_halves(even, odd), low.words, high.words);
    }
  }
  // An entry of each row.
  template <int part> [[gnu::always_inline]] static void load_entries(Column &column, const uint8_t *const (&p)[block]) {
    if constexpr (part < L::whole + L::half) {
      using Entries = Interleaved<P, V, part>;
#pragma GCC unroll 4
      for (int t = 0; t < row_pairs; t++) {
        const Entries both = Entries::both(p[2 * t], p[2 * t + 1]);
#pragma GCC unroll 2
        for (int i = 0; i < Entries::registers; i++) column.of[2 * part + i][t] = both.r[i];
      }
      load_entries<part + 1>(column, p);
    } else if constexpr (L::word) {
      column.words = V::interleave_halves(L::load_words(p));
    }
  }

  // Some columns of U, from j on.
  template <int some> [[gnu::always_inline]] void accumulate(int j, const Column *column, const Maps &maps) {
    for (int q = 0; q < pairs; q++) {
      const uint8_t *const blocks = maps.of_pair(q);
      Register map[row_pairs];
#pragma GCC unroll 4
      for (int t = 0; t < row_pairs; t++) map[t] = V::broadcast8(blocks + 8 * t).kept();
#pragma GCC unroll 2
      for (int c = 0; c < some; c++) {
        auto &to = sums[q][j + c];
#pragma GCC unroll 8
        for (int r = 0; r < L::registers; r++) {
          const Register *const x = column[c].of[r];
          Register s = V::load(to[r]);
#pragma GCC unroll 2
          for (int t = 0; t < row_pairs; t += 2) s = V::sum(s, V::affine(x[t], map[t]), V::affine(x[t + 1], map[t + 1]));
          s.store(to[r]);
        }
        if constexpr (L::word) add_to(to[L::registers], V::affine(column[c].words, V::twice(blocks)));
      }
    }
  }

  struct Entry {
    const uint8_t (&of)[L::registers + L::word][V::bytes];
    bool high;

    // The registers of a whole one or of the half, as nibbles in their order.
    [[gnu::always_inline]] Register nibbles(int part) const {
      Register even = V::load(of[2 * part]), odd = even, low_ones, high_ones;
      if (part < L::whole)
        odd = V::load(of[2 * part + 1]);
      else
        even = V::first_halves(even, even), odd = V::second_halves(odd, odd);
      V::interleave(even, odd, low_ones, high_ones);
      return high ? high_ones : low_ones;
    }
    uint64_t word() const {
      uint64_t even, odd;
      V::sums_of_words(even, odd, V::load(of[L::registers]));
      return word_of_pair(even, odd, high);
    }
  };
  Entry entry_at(int i, int j) const { return {sums[(shift + i) / 2][j], (shift + i) % 2 != 0}; }
  // The sum of some entries.
  template <class... Entries> static void collect(Mvector<P> &to, Entries... entries) {
    collect_part<0>(to.in_place(),
                    entries...);  // not by way of other memory: loads that combine stores of several sizes would wait
    to.load_in_place();
  }
  template <int part, class... Entries> [[gnu::always_inline]] static void collect_part(uint8_t *bytes, Entries... entries) {
    if constexpr (part < L::whole + L::half) {
      constexpr int room = part < L::whole ? block : block / 2, left = L::words - part * block;
      V::template store_words<(left < room ? left : room)>(bytes + part * V::bytes, (entries.nibbles(part) ^ ...));
      collect_part<part + 1>(bytes, entries...);
    } else if constexpr (L::word) {
      store64(bytes + L::word_at, (entries.word() ^ ...));
    }
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
