// SPDX-License-Identifier: Apache-2.0
// Products of rows with a small matrix over affine maps: two entries of a row are interleaved, two columns of W come out.
#pragma once
#include "backend/wide/affine_layout.hpp"
#include "backend/wide/row_segments.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// W.  For each pair of columns 2q, 2q + 1 of W the sums of two interleaved m-vectors (affine_layout.hpp), W_2q low and W_(2q+1)
// high:
//
//     sums[q]     row 0: whole even, odd, .., half | row 1: .. | .. | words, even | words, odd
//                 words of eight rows in the order 0 2 4 6 1 3 5 7, of four rows 0 2 1 3
//
// Every row is read by itself from its first column to its last, P1 and then P2, in pairs 2i, 2i + 1; the odd column between
// them is put together from both.  Words alone go through all rows of a block at once.
template <class P, class V, int C> struct AffineProducts {
  using L = AffineLayout<P, V>;
  using Register = typename V::Register;
  static constexpr int entry = L::entry, block = L::block, columns_of_W = C, pairs = (C + 1) / 2;
  static constexpr int words_at = block * L::registers;
  alignas(64) uint8_t sums[pairs][words_at + 2 * L::word][V::bytes];

  template <class Factor> void times(const RowSegment (&segments)[block], const Factor &X) {
    multiply(segments, none, none, X, true);
  }
  template <class Factor> void add_times(const RowSegment (&segments)[block], const Factor &X) {
    multiply(segments, none, none, X, false);
  }
  template <class Factor>
  void times_parts(const RowSegment (&segments)[block], const RowSegment (&more)[block], const RowSegment (&column)[block],
                   const Factor &X) {
    multiply(segments, more, column, X, true);
  }

  void add(const RowSegment (&segments)[block], int column) {
    for (int b = 0; b < block; b++) add_row<0>(segments[b], b, column);
    if constexpr (L::word) {
      RowSegment moved[block];
      for (int b = 0; b < block; b++) moved[b] = {segments[b].entries, column, segments[b].count};
      each_pair_of_words(moved, [&](Register even, Register odd, int q) __attribute__((always_inline)) {
        add_to(sums[q][words_at], even), add_to(sums[q][words_at + 1], odd);
      });
    }
  }

  void get(Mvector<P> &to, int b, int c) const {
    uint8_t *bytes = to.in_place();
    const uint8_t *const pair = sums[c / 2][0];
    for (int at = 0; at < 8 * Mvector<P>::words; at += 8) {
      const uint8_t *even, *odd;
      if (at < L::half_at)
        even = pair + (b * L::registers + at / V::bytes * 2) * V::bytes + at % V::bytes, odd = even + V::bytes;
      else if (at < L::word_at)
        even = pair + (b * L::registers + L::registers - 1) * V::bytes + at - L::half_at, odd = even + V::bytes / 2;
      else
        even = pair + words_at * V::bytes + 8 * L::position(b), odd = even + V::bytes;
      store64(bytes + at, word_of_pair(load64(even), load64(odd), c % 2));
    }
    to.load_in_place();
  }

 private:
  static constexpr int pair_bytes = int(sizeof sums[0]);
  static constexpr RowSegment none[block] = {};  // nothing is read of these, or added to
  static void add_to(uint8_t *to, Register r) { (V::load(to) ^ r).store(to); }

  // Entries of some rows in two columns, of which each row begins one column after the one before; the first one with an odd
  // column or not.
  template <int part, int rows, int odd> struct RowEntries {
    using Entries = Interleaved<P, V, part>;
    static constexpr int per_row = Entries::registers, registers = rows * per_row, head = (odd + rows) / 2;
    static constexpr bool masked = false;
    static constexpr int offset(int r) { return (r / per_row * L::registers + r % per_row) * V::bytes; }
    const uint8_t *p[rows];

    [[gnu::always_inline]] explicit RowEntries(const RowSegment *segments) {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) p[b] = segments[b].entries - (odd + b) * entry;
    }
    // Pair t of those in which not all rows have begun; of which registers.
    static constexpr int begun(int t) { return 2 * t + 2 - odd < rows ? (2 * t + 2 - odd) * per_row : registers; }
    [[gnu::always_inline]] void read_head(Register (&x)[registers], int t) const {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) {
        if (2 * t >= odd + b)
          put(x, b, Entries::both(p[b]));
        else if (2 * t + 1 == odd + b)
          put(x, b, Entries::only_second(p[b] + entry));
      }
    }
    [[gnu::always_inline]] void read(Register (&x)[registers], int column) const {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) put(x, b, Entries::both(p[b] + column * entry));
    }
    [[gnu::always_inline]] void read_last(Register (&x)[registers], const RowSegment *more) const {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++)
        put(x, b, more != nullptr ? Entries::both(p[b], more[b].entries) : Entries::only_first(p[b]));
    }
    [[gnu::always_inline]] void go_on(int columns) {
#pragma GCC unroll 4
      for (auto &next : p) next += columns * entry;
    }
    [[gnu::always_inline]] void go_to(const RowSegment *more) {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) p[b] = more[b].entries;
    }

   private:
    [[gnu::always_inline]] static void put(Register (&x)[registers], int b, const Entries &e) {
#pragma GCC unroll 2
      for (int i = 0; i < per_row; i++) x[b * per_row + i] = e.r[i];
    }
  };

  // The words of a block's rows in two columns.  The first row begins with an even column, each other one column after the row
  // before, which it follows in memory: so what stands before its first column may be read, and is masked out.
  struct WordEntries {
    static constexpr int registers = 2, head = block / 2;
    static constexpr bool masked = true;
    static constexpr int offset(int r) { return r * V::bytes; }
    const uint8_t *p[block];

    [[gnu::always_inline]] explicit WordEntries(const RowSegment *segments) {
#pragma GCC unroll 8
      for (int b = 0; b < block; b++) p[b] = segments[b].entries - b * entry;
    }
    static constexpr int begun(int) { return registers; }
    [[gnu::always_inline]] void read_head(Register (&x)[registers], int t) const {
      V::interleave(load(0) & V::load(masks.begun[2 * t]), load(1) & V::load(masks.begun[2 * t + 1]), x[0], x[1]);
    }
    [[gnu::always_inline]] void read(Register (&x)[registers], int column) const {
      V::interleave(load(column).kept(), load(column + 1).kept(), x[0], x[1]);
    }
    [[gnu::always_inline]] void read_last(Register (&x)[registers], const RowSegment *more) const {
      V::interleave(load(0), more != nullptr ? WordEntries(more, 0).load(0) : V::zero(), x[0], x[1]);
    }
    [[gnu::always_inline]] void go_on(int columns) {
#pragma GCC unroll 8
      for (auto &next : p) next += columns * entry;
    }
    [[gnu::always_inline]] void go_to(const RowSegment *more) { *this = WordEntries(more, 0); }

   private:
    [[gnu::always_inline]] WordEntries(const RowSegment *segments, int) {
#pragma GCC unroll 8
      for (int b = 0; b < block; b++) p[b] = segments[b].entries;
    }
    [[gnu::always_inline]] Register load(int column) const {
      const uint8_t *at[block];
#pragma GCC unroll 8
      for (int b = 0; b < block; b++) at[b] = p[b] + column * entry;
      return L::load_words(at);
    }
  };
  // All bits in the words of rows 0 .. j, those that have begun j columns after the first one.
  struct Masks {
    alignas(64) uint8_t begun[block][V::bytes]{};
    consteval Masks() {
      for (int j = 0; j < block; j++)
        for (int b = 0; b <= j; b++)
          for (int i = 0; i < 8; i++) begun[j][8 * L::position(b) + i] = 0xff;
    }
  };
  static constexpr Masks masks{};

  // Sums of the products of what a source reads of `segments`, and then of `more`, with columns 2 first .. 2 (first + count) - 1
  // of X, of which `maps` has the blocks. They begin with `column`, with zero (fresh) or with what they are.
  template <class Source, int first, int count, int height>
  [[gnu::noinline]] static void accumulate(const RowSegment *segments, const RowSegment *more, const RowSegment *column,
                                           const uint8_t (*maps)[height][8], uint8_t *sums_of_0, bool fresh) {
    constexpr int registers = Source::registers;
    Source from(segments);
    Register s[count][registers], x[registers], next[registers];
    // At known distances of one address, so that none has an address of its own.
    uint8_t *const to = sums_of_0 + first * pair_bytes;
    const auto at = [&](int q, int r) __attribute__((always_inline)) { return to + q * pair_bytes + Source::offset(r); };
#pragma GCC unroll 16  // all loops over sums are unrolled, else they would live in memory
    for (int q = 0; q < count; q++)
#pragma GCC unroll 8
      for (int r = 0; r < registers; r++) s[q][r] = fresh ? V::zero() : V::load(at(q, r));
    if (first == 0 && column != nullptr) {
      Source of_column = from;
      of_column.go_to(column), of_column.read_last(s[0], nullptr);
    }

    int i = segments[0].first / 2;  // the current pair of columns
    const auto add = [&](int some) __attribute__((always_inline)) {
#pragma GCC unroll 16
      for (int q = 0; q < count; q++) {
        const Register map = V::broadcast8(maps[first + q][i]);
#pragma GCC unroll 8
        for (int r = 0; r < registers; r++)
          if (r < some) s[q][r] = s[q][r] ^ V::affine(x[r], map);
      }
      i++;
    };
    const auto add_pairs = [&](int n) __attribute__((always_inline)) {
      for (; n > 1; n -= 2, i += 2) {
        from.read(x, 0), from.read(next, 2), from.go_on(4);
#pragma GCC unroll 16
        for (int q = 0; q < count; q++) {
          const Register map = V::broadcast8(maps[first + q][i]), map_next = V::broadcast8(maps[first + q][i + 1]);
#pragma GCC unroll 8
          for (int r = 0; r < registers; r++) s[q][r] = V::sum(s[q][r], V::affine(x[r], map), V::affine(next[r], map_next));
        }
      }
      if (n > 0) from.read(x, 0), from.go_on(2), add(registers);
    };
    const auto add_head = [&](int t)
                              __attribute__((always_inline)) { from.read_head(x, t), add(Source::begun(t)), from.go_on(2); };
    if constexpr (Source::masked) {
#pragma GCC unroll 1
      for (int t = 0; t < Source::head; t++) add_head(t);
    } else {  // which rows have begun is known then
#pragma GCC unroll 4
      for (int t = 0; t < Source::head; t++) add_head(t);
    }
    const int end = segments[0].first + segments[0].count, left = more->count - end % 2;
    add_pairs(end / 2 - i);
    if (end % 2 != 0) from.read_last(x, more->count > 0 ? more : nullptr), add(registers);
    if (left > 0) {
      from.go_to(more), from.go_on(end % 2);
      add_pairs(left / 2);
      if (left % 2 != 0) from.read_last(x, nullptr), add(registers);
    }
#pragma GCC unroll 16
    for (int q = 0; q < count; q++)
#pragma GCC unroll 8
      for (int r = 0; r < registers; r++) s[q][r].store(at(q, r));
  }
  // For all columns of W, as many at a time as have their sums in processor registers.
  template <class Source, int first = 0, class Factor>
  static void accumulate_all(const RowSegment *segments, const RowSegment *more, const RowSegment *column, const Factor &X,
                             uint8_t *to, bool fresh) {
    constexpr int most = V::accumulators / Source::registers, rounds = (pairs + most - 1) / most;
    constexpr int even = (pairs + rounds - 1) / rounds, count = pairs - first < even ? pairs - first : even;
    accumulate<Source, first, count>(segments, more, column, X.blocks, to, fresh);
    if constexpr (first + count < pairs) accumulate_all<Source, first + count>(segments, more, column, X, to, fresh);
  }

  template <class Factor>
  void multiply(const RowSegment (&segments)[block], const RowSegment (&more)[block], const RowSegment (&column)[block],
                const Factor &X, bool fresh) {
    static_assert(Factor::columns == C);
    const auto column_of = [&](int b) { return column[b].count > 0 ? column + b : nullptr; };
    const bool triangle = L::word && are_triangle<block>(segments, more);
    for (int b = 0; b < block; b += rows_at_once) {
      if (triangle || (rows_at_once > 1 && are_triangle<rows_at_once>(segments + b, more + b))) {
        multiply_rows<0, rows_at_once>(segments + b, more + b, column_of(b), X, b, fresh);
        continue;
      }
      for (int row = b; row < b + rows_at_once; row++) {
        const RowSegment empty = {segments[row].entries, 0, 0}, segment = segments[row].count > 0 ? segments[row] : empty;
        const bool joined = more[row].count == 0 || more[row].first == segment.first + segment.count;
        multiply_rows<0, 1>(&segment, joined ? more + row : none, column_of(row), X, row, fresh);
        if (!joined) multiply_rows<0, 1>(more + row, none, nullptr, X, row, false);
      }
    }
    if constexpr (L::word) {
      bool follow = triangle && segments[0].first % 2 == 0;
      for (int b = 1; b < block; b++) follow &= segments[b].entries == segments[b - 1].entries + segments[b - 1].count * entry;
      if (follow)
        accumulate_all<WordEntries>(segments, more, column_of(0), X, sums[0][words_at], fresh);
      else
        multiply_words(segments, more, column, X, fresh);
    }
  }
  // Rows of which each begins one column after the one before and all end together, none of them empty; and what follows, if
  // anything, begins there and ends together.
  template <int rows> static bool are_triangle(const RowSegment *segments, const RowSegment *more) {
    const int begin = segments[0].first, end = begin + segments[0].count;
    bool so = segments[rows - 1].count > 0;
    for (int b = 0; b < rows; b++)
      so &= (segments[b].first == begin + b) & (segments[b].count == end - begin - b) & (more[b].count == more[0].count) &
            (more[b].first == end || more[b].count == 0);
    return so;
  }
  // So many rows of halves share the maps that are loaded: as many as have sums in processor registers.
  static constexpr int rows_of_halves = 3 * 4 * pairs <= 2 * V::accumulators ? 4 : 6 * 2 * pairs <= 5 * V::accumulators ? 2 : 1;
  static constexpr int rows_at_once = L::whole > 0 ? 1 : rows_of_halves;
  template <int part, int rows, class Factor>
  void multiply_rows(const RowSegment *segments, const RowSegment *more, const RowSegment *column, const Factor &X, int row,
                     bool fresh) {
    if constexpr (part < L::whole + L::half) {
      uint8_t *const to = sums[0][row * L::registers + 2 * part];
      if (segments[0].first % 2 == 0)
        accumulate_all<RowEntries<part, rows, 0>>(segments, more, column, X, to, fresh);
      else
        accumulate_all<RowEntries<part, rows, 1>>(segments, more, column, X, to, fresh);
      multiply_rows<part + 1, rows>(segments, more, column, X, row, fresh);
    }
  }

  // Words of rows that lie anyhow: the last block, and those that begin with an odd column.
  template <class Visit> static void each_pair_of_words(const RowSegment (&segments)[block], Visit visit) {
    const SegmentColumns<block> columns(segments, entry, L::zeros);
    const uint8_t *p[block], *next[block];
    Register even, odd;
    for (int i = columns.first / 2; 2 * i < columns.end;) {
      int left = columns.at(p, 2 * i) / 2;
      if (left == 0) {  // some rows have but one of the two
        columns.at(next, 2 * i + 1);
        V::interleave(L::load_words(p), L::load_words(next), even, odd);
        visit(even, odd, i++);
      }
      for (; left > 0; left--) {
        const Register first = L::load_words(p);
#pragma GCC unroll 8
        for (auto &at : p) at += entry;
        V::interleave(first, L::load_words(p), even, odd);
#pragma GCC unroll 8
        for (auto &at : p) at += entry;
        visit(even, odd, i++);
      }
    }
  }
  template <class Factor>
  [[gnu::noinline]] void multiply_words(const RowSegment (&segments)[block], const RowSegment (&more)[block],
                                        const RowSegment (&column)[block], const Factor &X, bool fresh) {
    for (int q = 0; fresh && q < pairs; q++) zero(sums[q][words_at], 2 * V::bytes);
    const auto add_products = [&](Register even, Register odd, int i) {
      for (int q = 0; q < pairs; q++) {
        const Register map = V::broadcast8(X.blocks[q][i]);
        add_to(sums[q][words_at], V::affine(even, map)), add_to(sums[q][words_at + 1], V::affine(odd, map));
      }
    };
    each_pair_of_words(segments, add_products);
    each_pair_of_words(more, add_products);
    each_pair_of_words(
        column, [&](Register even, Register odd, int) { add_to(sums[0][words_at], even), add_to(sums[0][words_at + 1], odd); });
  }

  // Entries to W from column on.
  template <int part> void add_row(const RowSegment &segment, int b, int column) {
    if constexpr (part < L::whole + L::half) {
      using Entries = Interleaved<P, V, part>;
      const uint8_t *p = segment.entries;
      int left = segment.count, q = column / 2;
      const auto add = [&](const Entries &x) __attribute__((always_inline)) {
#pragma GCC unroll 2
        for (int i = 0; i < Entries::registers; i++) add_to(sums[q][b * L::registers + 2 * part + i], x.r[i]);
        q++;
      };
      if (column % 2 != 0 && left > 0) add(Entries::only_second(p)), p += entry, left--;
      for (; left > 1; left -= 2, p += 2 * entry) add(Entries::both(p));
      if (left > 0) add(Entries::only_first(p));
      add_row<part + 1>(segment, b, column);
    }
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
