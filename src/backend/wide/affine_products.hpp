// SPDX-License-Identifier: Apache-2.0
// Products of rows with a small matrix over affine maps: two entries of a row are interleaved, two columns of W come out.
#pragma once
#include "backend/wide/affine_layout.hpp"
#include "backend/wide/row_segments.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// The passes over rows.  Sums of a pair of columns 2q, 2q + 1 of W, interleaved m-vectors (affine_layout.hpp) with W_2q low and
// W_(2q+1) high, stand together:
//
//     row 0: whole even, odd, .., half | row 1: .. | .. | words, even | words, odd
//     words of eight rows in the order 0 2 4 6 1 3 5 7, of four rows 0 2 1 3
//
// Every row is read by itself from its first column to its last, P1 and then P2, in pairs 2i, 2i + 1; the odd column between
// them is put together from both.  Words alone go through all rows of a block at once.
//
// Nothing here depends on how many columns W has: all W of a parameter set share this code.
template <class P, class V> struct AffinePasses {
  using L = AffineLayout<P, V>;
  using Register = typename V::Register;
  static constexpr int entry = L::entry, block = L::block, words_at = block * L::registers;
  using SumsOfPair = uint8_t[words_at + 2 * L::word][V::bytes];
  static constexpr int pair_bytes = int(sizeof(SumsOfPair));
  // The blocks of X for some pairs of columns, each so many behind the one before.
  template <int height> using Maps = const uint8_t (*)[height][8];

  static void add_to(uint8_t *to, Register r) { (V::load(to) ^ r).store(to); }

  // Entries of some rows in two columns: a whole register's part of them, or the half.
  template <bool half, int rows> struct EntriesOfRows {
    using Entries = Interleaved<P, V, half ? L::whole : 0>;
    static constexpr int per_row = Entries::registers, registers = rows * per_row;
    static constexpr bool masked = false, whole = !half;
    static constexpr int offset(int r) { return (r / per_row * L::registers + r % per_row) * V::bytes; }
    static int at_part(int part) { return !half && L::whole > 1 ? part * V::bytes : 0; }

   protected:
    [[gnu::always_inline]] static void put(Register (&x)[registers], int b, const Entries &e) {
#pragma GCC unroll 2
      for (int i = 0; i < per_row; i++) x[b * per_row + i] = e.r[i];
    }
  };

  // A single row begins with any column.  Of several, the first one begins with an even column or with an odd one, and each other
  // one column after the row before.
  template <bool half, int rows, int odd = 0> struct RowEntries : EntriesOfRows<half, rows> {
    using Base = EntriesOfRows<half, rows>;
    using Base::per_row, Base::registers, Base::put;
    using typename Base::Entries;
    static constexpr int head = (odd + rows) / 2, tail = 0;
    static constexpr bool any_column = rows == 1;
    const uint8_t *p[rows];
    int at;  // of an entry

    [[gnu::always_inline]] RowEntries(const RowSegment *segments, int part) : at(Base::at_part(part)) {
      const int before = any_column ? segments[0].first % 2 : odd;
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) p[b] = segments[b].entries + at - (before + b) * entry;
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
    [[gnu::always_inline]] void read_odd(Register (&x)[registers]) const { put(x, 0, Entries::only_second(p[0] + entry)); }
    [[gnu::always_inline]] void read(Register (&x)[registers], int column) const {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) put(x, b, Entries::both(p[b] + column * entry));
    }
    [[gnu::always_inline]] void read_last(Register (&x)[registers], const RowSegment *more) const {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++)
        put(x, b, more != nullptr ? Entries::both(p[b], more[b].entries + at) : Entries::only_first(p[b]));
    }
    [[gnu::always_inline]] void go_on(int columns) {
#pragma GCC unroll 4
      for (auto &next : p) next += columns * entry;
    }
    [[gnu::always_inline]] void go_to(const RowSegment *more) {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) p[b] = more[b].entries + at;
    }
  };

  // Where the entries of rows of P1^T stand in memory that is P1: in column j the first row's, and those of the rows after it one
  // behind the other.
  struct TransposedEntries {
    const uint8_t *p;
    int step = (P::v - 1) * entry;  // to the next column; each is an entry shorter than the one before

    [[gnu::always_inline]] const uint8_t *at(int column) const { return p + column * step - column * (column - 1) / 2 * entry; }
    [[gnu::always_inline]] void go_on(int columns) { p = at(columns), step -= columns * entry; }
  };

  // Entries of some rows of P1^T, the first of which has an even number; a single row has any.
  template <bool half, int rows> struct TransposedRows : EntriesOfRows<half, rows> {
    using Base = EntriesOfRows<half, rows>;
    using Base::per_row, Base::registers, Base::put;
    using typename Base::Entries;
    static constexpr int head = 0, tail = rows / 2;  // pairs of columns in which rows end; a single row ends as any segment does
    static constexpr bool any_column = false;
    TransposedEntries from;

    [[gnu::always_inline]] TransposedRows(const RowSegment *column, int part) : from{column->entries + Base::at_part(part)} {}
    [[gnu::always_inline]] void read(Register (&x)[registers], int column) const {
      const uint8_t *const a = from.at(column), *const b = from.at(column + 1);
#pragma GCC unroll 4
      for (int r = 0; r < rows; r++) put(x, r, Entries::both(a + r * entry, b + r * entry));
    }
    [[gnu::always_inline]] void read_last(Register (&x)[registers], const RowSegment *) const {
      put(x, 0, Entries::only_first(from.p));
    }
    [[gnu::always_inline]] void read_tail(Register (&x)[registers], int t) const {
      const uint8_t *const a = from.at(0), *const b = from.at(1);
#pragma GCC unroll 4
      for (int r = 2 * t; r < rows; r++)
        put(x, r, r > 2 * t ? Entries::both(a + r * entry, b + r * entry) : Entries::only_first(a + r * entry));
    }
    static constexpr int ended(int t) { return 2 * t * per_row; }  // of which registers
    [[gnu::always_inline]] void go_on(int columns) { from.go_on(columns); }
    [[gnu::always_inline]] void go_to(const RowSegment *) {}  // nothing follows
  };

  // The words of a block's rows in two columns.  The first row begins with an even column, each other one column after the row
  // before, which it follows in memory: so what stands before its first column may be read, and is masked out.
  struct WordEntries {
    static constexpr int registers = 2, head = block / 2, tail = 0;
    static constexpr bool masked = true, any_column = false, whole = false;
    static constexpr int offset(int r) { return r * V::bytes; }
    const uint8_t *p[block];

    [[gnu::always_inline]] WordEntries(const RowSegment *segments, int) {
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
      V::interleave(load(0), more != nullptr ? WordEntries(more).load(0) : V::zero(), x[0], x[1]);
    }
    [[gnu::always_inline]] void go_on(int columns) {
#pragma GCC unroll 8
      for (auto &next : p) next += columns * entry;
    }
    [[gnu::always_inline]] void go_to(const RowSegment *more) { *this = WordEntries(more); }

   private:
    [[gnu::always_inline]] explicit WordEntries(const RowSegment *segments) {
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
  // The words of a block of rows of P1^T.
  struct TransposedWords {
    static constexpr int registers = 2, head = 0, tail = block / 2;
    static constexpr bool masked = false, any_column = false, whole = false;
    static constexpr int offset(int r) { return r * V::bytes; }
    TransposedEntries from;

    [[gnu::always_inline]] TransposedWords(const RowSegment *column, int) : from{column->entries} {}
    [[gnu::always_inline]] void read(Register (&x)[registers], int column) const {
      V::interleave(load(column).kept(), load(column + 1).kept(), x[0], x[1]);
    }
    [[gnu::always_inline]] void read_last(Register (&x)[registers], const RowSegment *) const {  // never: columns come in pairs
      x[0] = x[1] = V::zero();
    }
    [[gnu::always_inline]] void read_tail(Register (&x)[registers], int t) const {
      V::interleave(load(0) & V::load(masks.left[2 * t]), load(1) & V::load(masks.left[2 * t + 1]), x[0], x[1]);
    }
    static constexpr int ended(int) { return 0; }
    [[gnu::always_inline]] void go_on(int columns) { from.go_on(columns); }
    [[gnu::always_inline]] void go_to(const RowSegment *) {}

   private:
    [[gnu::always_inline]] Register load(int column) const {
      const uint8_t *const p = from.at(column), *at[block];
#pragma GCC unroll 8
      for (int b = 0; b < block; b++) at[b] = p + b * entry;
      return L::load_words(at);
    }
  };
  // All bits in the words of rows 0 .. j, those that have begun j columns after the first one; and of rows j and on, which have
  // not ended then.
  struct Masks {
    alignas(64) uint8_t begun[block][V::bytes]{}, left[block][V::bytes]{};
    consteval Masks() {
      for (int j = 0; j < block; j++)
        for (int b = 0; b < block; b++)
          for (int i = 0; i < 8; i++) {
            if (b <= j) begun[j][8 * L::position(b) + i] = 0xff;
            if (b >= j) left[j][8 * L::position(b) + i] = 0xff;
          }
    }
  };
  static constexpr Masks masks{};

  // Sums of the products of what a source reads of `segments`, and then of `more`, with `count` pairs of columns of X, of which
  // `maps` has the blocks.  They begin with zero (fresh) or with what they are, and those of the first pair with `column`, if
  // there is one.
  template <class Source, int count, int height>
  [[gnu::noinline]] static void accumulate(const RowSegment *segments, const RowSegment *more, const RowSegment *column,
                                           Maps<height> maps, uint8_t *to, int part, bool fresh) {
    constexpr int registers = Source::registers;
    Source from(segments, part);
    Register s[count][registers], x[registers], next[registers];
    // At known distances of one address, so that none has an address of its own.
    const auto at = [&](int q, int r) __attribute__((always_inline)) { return to + q * pair_bytes + Source::offset(r); };
#pragma GCC unroll 16  // all loops over sums are unrolled, else they would live in memory
    for (int q = 0; q < count; q++)
#pragma GCC unroll 8
      for (int r = 0; r < registers; r++) s[q][r] = fresh ? V::zero() : V::load(at(q, r));
    if (column != nullptr) {
      Source of_column = from;
      of_column.go_to(column), of_column.read_last(s[0], nullptr);
    }

    int i = segments[0].first / 2;  // the current pair of columns
    const auto add = [&](int some, int first = 0) __attribute__((always_inline)) {
#pragma GCC unroll 16
      for (int q = 0; q < count; q++) {
        const Register map = V::broadcast8(maps[q][i]);
#pragma GCC unroll 8
        for (int r = 0; r < registers; r++)
          if (r >= first && r < some) s[q][r] = s[q][r] ^ V::affine(x[r], map);
      }
      i++;
    };
    const auto add_pairs = [&](int n) __attribute__((always_inline)) {
      for (; n > 1; n -= 2, i += 2) {
        from.read(x, 0), from.read(next, 2), from.go_on(4);
#pragma GCC unroll 16
        for (int q = 0; q < count; q++) {
          const Register map = V::broadcast8(maps[q][i]), map_next = V::broadcast8(maps[q][i + 1]);
#pragma GCC unroll 8
          for (int r = 0; r < registers; r++) s[q][r] = V::sum(s[q][r], V::affine(x[r], map), V::affine(next[r], map_next));
        }
      }
      if (n > 0) from.read(x, 0), from.go_on(2), add(registers);
    };
    if constexpr (Source::any_column) {
      if (segments[0].first % 2 != 0) from.read_odd(x), add(registers), from.go_on(2);
    } else if constexpr (Source::head > 0) {
      const auto add_head = [&](int t)
                                __attribute__((always_inline)) { from.read_head(x, t), add(Source::begun(t)), from.go_on(2); };
      if constexpr (Source::masked) {
#pragma GCC unroll 1
        for (int t = 0; t < Source::head; t++) add_head(t);
      } else {  // which rows have begun is known then
#pragma GCC unroll 4
        for (int t = 0; t < Source::head; t++) add_head(t);
      }
    }
    const int end = segments[0].first + segments[0].count, left = more->count - end % 2;
    add_pairs(end / 2 - i);
    if (end % 2 != 0) from.read_last(x, more->count > 0 ? more : nullptr), add(registers);
    if constexpr (Source::tail > 0) {
#pragma GCC unroll 4
      for (int t = 0; t < Source::tail; t++) from.read_tail(x, t), add(registers, Source::ended(t)), from.go_on(2);
    }
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

  // Words of rows that lie anyhow: the last block, and those that begin with an odd column.  Their products with the blocks of so
  // many pairs of columns of X, `stride` bytes from those of one to those of the next; or without blocks, themselves, entry j to
  // column j of W.
  [[gnu::noinline]] static void add_words(const RowSegment (&segments)[block], const uint8_t *blocks, int stride, int pairs,
                                          uint8_t *to) {
    const SegmentColumns<block> columns(segments, entry, L::zeros);
    ColumnPointers<block> pointers(columns, entry);
    const auto add = [&](Register even, Register odd, int i) {
      if (blocks == nullptr) add_to(to + i * pair_bytes, even), add_to(to + i * pair_bytes + V::bytes, odd);
      for (int q = 0; blocks != nullptr && q < pairs; q++) {
        const Register map = V::broadcast8(blocks + q * stride + 8 * i);
        add_to(to + q * pair_bytes, V::affine(even, map)), add_to(to + q * pair_bytes + V::bytes, V::affine(odd, map));
      }
    };
    for (int i = columns.first / 2; 2 * i < columns.end; i++) {
      Register words[2], even, odd;
#pragma GCC unroll 1
      for (int j = 0; j < 2; j++) pointers.go_to(2 * i + j), words[j] = L::load_words(pointers.p);
      V::interleave(words[0], words[1], even, odd);
      add(even, odd, i);
    }
  }

  // Entries to W from column on, one row's.
  template <int part> static void add_row(const RowSegment &segment, int column, uint8_t *to) {
    if constexpr (part < L::whole + L::half) {
      using Entries = Interleaved<P, V, part>;
      const uint8_t *p = segment.entries;
      int left = segment.count, q = column / 2;
      const auto add = [&](const Entries &x) __attribute__((always_inline)) {
#pragma GCC unroll 2
        for (int i = 0; i < Entries::registers; i++) add_to(to + q * pair_bytes + (2 * part + i) * V::bytes, x.r[i]);
        q++;
      };
      if (column % 2 != 0 && left > 0) add(Entries::only_second(p)), p += entry, left--;
      for (; left > 1; left -= 2, p += 2 * entry) add(Entries::both(p));
      if (left > 0) add(Entries::only_first(p));
      add_row<part + 1>(segment, column, to);
    }
  }
  static void add_words(const RowSegment (&segments)[block], int column, uint8_t *sums) {
    RowSegment moved[block];
    for (int b = 0; b < block; b++) moved[b] = {segments[b].entries, column, segments[b].count};
    add_words(moved, nullptr, 0, 0, sums + words_at * V::bytes);
  }
  [[gnu::noinline]] static void add(const RowSegment (&segments)[block], int column, uint8_t *sums) {
    for (int b = 0; b < block; b++) add_row<0>(segments[b], column, sums + b * L::registers * V::bytes);
    if constexpr (L::word) add_words(segments, column, sums);
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
};

// W: the sums of each pair of its columns.
template <class P, class V, int C> struct AffineProducts {
  using Passes = AffinePasses<P, V>;
  using L = AffineLayout<P, V>;
  using Register = typename V::Register;
  static constexpr int entry = L::entry, block = L::block, columns_of_W = C, pairs = (C + 1) / 2;
  static constexpr int words_at = Passes::words_at;
  alignas(64) typename Passes::SumsOfPair sums[pairs];

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
  template <class Factor> void add_times_transposed(const uint8_t *P1, int index, const Factor &X) {
    for (int b = 0; b < block && index + b < P::v; b += rows_at_once) {
      const int row = index + b;  // its entries: as far as all rows have some
      const RowSegment column = {P1 + row * entry, 0, rows_at_once == 1 ? row + 1 : row};
      multiply_parts<typename Passes::template TransposedRows<false, rows_at_once>,
                     typename Passes::template TransposedRows<true, rows_at_once>>(&column, none, nullptr, X, b, false);
    }
    if constexpr (L::word) {
      const RowSegment column = {P1 + index * entry, 0, index};
      accumulate_all<typename Passes::TransposedWords>(&column, none, nullptr, X.blocks, sums[0][words_at], 0, false);
    }
  }
  void add(const RowSegment (&segments)[block], int column) { Passes::add(segments, column, sums[0][0]); }

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
  // Each entry begins where the one before ends, and overwrites what that has left there.
  void get_row(uint8_t *to, int b) const {
    for (int q = 0; q < pairs; q++) {
      const uint8_t *const from = sums[q][b * L::registers], *const words = sums[q][words_at] + 8 * L::position(b);
      Register low[L::whole + L::half], high[L::whole + L::half];
#pragma GCC unroll 4
      for (int part = 0; part < L::whole + L::half; part++) {
        const Register r = V::load(from + 2 * part * V::bytes);
        if (part < L::whole)
          V::interleave(r, V::load(from + (2 * part + 1) * V::bytes), low[part], high[part]);
        else
          V::interleave(V::first_halves(r, r), V::second_halves(r, r), low[part], high[part]);
      }
      const auto put = [&](const Register(&parts)[L::whole + L::half], int is_high) {
#pragma GCC unroll 4
        for (int part = 0; part < L::whole; part++) parts[part].store(to + part * V::bytes);
        if constexpr (L::half) V::template store_words<block / 2>(to + L::half_at, parts[L::whole]);
        if constexpr (L::word) store64(to + L::word_at, word_of_pair(load64(words), load64(words + V::bytes), is_high));
        to += entry;
      };
      put(low, 0);
      if (2 * q + 1 < C) put(high, 1);
    }
  }

 private:
  static constexpr RowSegment none[block] = {};  // nothing is read of these, or added to

  // For all columns of W, as many at a time as have their sums in processor registers; or one pair of them.
  template <class Source, bool one_pair = false, int height>
  void accumulate_all(const RowSegment *segments, const RowSegment *more, const RowSegment *column,
                      const uint8_t (&blocks)[pairs][height][8], uint8_t *to, int part, bool fresh) {
    // Where whole registers of two columns are read, gcc 12 keeps constants and not all of 24 sums in the registers of avx512:
    // then it is quicker to read them twice.
    constexpr int room = V::accumulators - (V::bytes == 64 && Source::whole ? 2 : 0);
    constexpr int most = one_pair ? 1 : room / Source::registers, rounds = (pairs + most - 1) / most;
    constexpr int count = (pairs + rounds - 1) / rounds, last = pairs - count * (rounds - 1);
    int q = 0;
    for (; q < pairs - last; q += count, to += count * Passes::pair_bytes, column = nullptr)
      Passes::template accumulate<Source, count, height>(segments, more, column, blocks + q, to, part, fresh);
    Passes::template accumulate<Source, last, height>(segments, more, column, blocks + q, to, part, fresh);
  }

  // Rows of P3 begin with column v: where that is odd, so are those of all sets of such rows.
  static constexpr bool odd_rows = P::v % 2 != 0;

  template <class Factor>
  void multiply(const RowSegment (&segments)[block], const RowSegment (&more)[block], const RowSegment (&column)[block],
                const Factor &X, bool fresh) {
    static_assert(Factor::columns == C);
    const auto column_of = [&](int b) { return column[b].count > 0 ? column + b : nullptr; };
    const bool odd = segments[0].first % 2 != 0,
               triangle = L::word && !odd && Passes::template are_triangle<block>(segments, more);
    for (int b = 0; b < block; b += rows_at_once) {
      if (rows_at_once > 1 && (odd_rows || !odd) &&
          (triangle || Passes::template are_triangle<rows_at_once>(segments + b, more + b))) {
        if (odd_rows && odd)
          multiply_rows<rows_at_once, odd_rows>(segments + b, more + b, column_of(b), X, b, fresh);
        else
          multiply_rows<rows_at_once>(segments + b, more + b, column_of(b), X, b, fresh);
        continue;
      }
      for (int row = b; row < b + rows_at_once; row++) {
        if (segments[row].count == 0 && more[row].count == 0 && column[row].count == 0) {
          for (int q = 0; fresh && q < pairs; q++) zero(sums[q][row * L::registers], L::registers * V::bytes);
          continue;
        }
        const RowSegment empty = {segments[row].entries, 0, 0}, segment = segments[row].count > 0 ? segments[row] : empty;
        const bool joined = more[row].count == 0 || more[row].first == segment.first + segment.count;
        multiply_rows<1>(&segment, joined ? more + row : none, column_of(row), X, row, fresh);
        if (!joined) multiply_rows<1>(more + row, none, nullptr, X, row, false);
      }
    }
    if constexpr (L::word) {
      uint8_t *const to = sums[0][words_at];
      bool follow = triangle;
      for (int b = 1; b < block; b++) follow &= segments[b].entries == segments[b - 1].entries + segments[b - 1].count * entry;
      if (follow) {
        accumulate_all<typename Passes::WordEntries>(segments, more, column_of(0), X.blocks, to, 0, fresh);
        return;
      }
      for (int q = 0; fresh && q < pairs; q++) zero(sums[q][words_at], 2 * V::bytes);
      Passes::add_words(segments, X.blocks[0][0], sizeof X.blocks[0], pairs, to);
      Passes::add_words(more, X.blocks[0][0], sizeof X.blocks[0], pairs, to);
      Passes::add_words(column, 0, sums[0][0]);
    }
  }
  // So many rows of halves share the maps that are loaded: as many as have sums in processor registers.  Where blocks of a set
  // are full, its rows never come by themselves: then it does not matter that they are read once for every pair of columns of W.
  static constexpr int rows_of_halves = 3 * 4 * pairs <= 2 * V::accumulators ? 4 : 6 * 2 * pairs <= 5 * V::accumulators ? 2 : 1;
  static constexpr int rows_at_once = L::whole > 0 ? 1 : rows_of_halves;
  static constexpr bool full_blocks = P::v % block == 0 && P::o % block == 0;
  template <int rows, int odd = 0, class Factor>
  void multiply_rows(const RowSegment *segments, const RowSegment *more, const RowSegment *column, const Factor &X, int row,
                     bool fresh) {
    multiply_parts < typename Passes::template RowEntries<false, rows, odd>,
        typename Passes::template RowEntries<true, rows, odd>,
        full_blocks &&rows<rows_at_once>(segments, more, column, X, row, fresh);
  }
  template <class Whole, class Half, bool one_pair = false, class Factor>
  void multiply_parts(const RowSegment *segments, const RowSegment *more, const RowSegment *column, const Factor &X, int row,
                      bool fresh) {
    uint8_t *const to = sums[0][row * L::registers];
    if constexpr (L::whole > 0)
      for (int part = 0; part < L::whole; part++)
        accumulate_all<Whole, one_pair>(segments, more, column, X.blocks, to + 2 * part * V::bytes, part, fresh);
    if constexpr (L::half)
      accumulate_all<Half, one_pair>(segments, more, column, X.blocks, to + 2 * L::whole * V::bytes, L::whole, fresh);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
