// SPDX-License-Identifier: Apache-2.0
// Products over affine maps where an m-vector fills a register, or half of one: rows need not be put together to fill registers, and each is read from
// its own first column to its last.
#pragma once
#include "backend/wide/pieces.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Two entries of a row in the nibbles of a byte, and one or none where the row begins or ends with the other column of a pair.  Where an
// m-vector fills half a register, two entries fill one as they lie in the row, and stay together: of both, the even equations in the first half and
// the odd ones in the second.  Else each has a register, and so have even and odd equations.
template <class P, class V, bool halves> struct EntryPair {
  static constexpr int entry = P::m_bytes;
  typename V::Register part[2];  // even equations, odd ones

  [[gnu::always_inline]] static EntryPair both(const uint8_t *first, const uint8_t *second) {
    return of(V::load(first).kept(), V::load(second).kept());
  }
  [[gnu::always_inline]] static EntryPair both(const uint8_t *p) { return both(p, p + entry); }
  [[gnu::always_inline]] static EntryPair only_first(const uint8_t *p) { return of(V::load(p), V::zero()); }
  [[gnu::always_inline]] static EntryPair only_second(const uint8_t *p) { return of(V::zero(), V::load(p)); }

 private:
  [[gnu::always_inline]] static EntryPair of(typename V::Register first, typename V::Register second) {
    EntryPair x;
    V::interleave(first, second, x.part[0], x.part[1]);
    return x;
  }
};
template <class P, class V> struct EntryPair<P, V, true> {
  static_assert(2 * P::m_bytes == V::bytes);
  typename V::Register part[1];

  [[gnu::always_inline]] static EntryPair both(const uint8_t *first, const uint8_t *second) {
    return {V::interleave_halves(V::halves(first, second))};
  }
  [[gnu::always_inline]] static EntryPair both(const uint8_t *p) { return {V::interleave_halves(V::load(p))}; }
  [[gnu::always_inline]] static EntryPair only_first(const uint8_t *p) { return {V::interleave_halves(V::first_half(p))}; }
  [[gnu::always_inline]] static EntryPair only_second(const uint8_t *p) { return {V::interleave_halves(V::second_half(p))}; }
};

template <class P, class V, class Group, int C> struct RowProducts {
  using Register = typename V::Register;
  static constexpr int entry = P::m_bytes, block = Group::group, columns_of_W = C, pairs = (C + 1) / 2;
  static constexpr bool halves = Group::half;
  static constexpr int parts = halves ? 1 : 2;
  static_assert(Group::kinds == 1 && (halves || Group::full == 1));
  // Of each pair of columns, in each byte the low and high nibbles: the rows, of each the even and the odd equations; or even and odd equations, of
  // each the rows at their positions in the group.
  alignas(64) uint8_t sums[pairs][halves ? block : 2][halves ? V::bytes : block * V::bytes];

  template <class Factor> void times(const Strip (&strips)[block], const Factor &X) { multiply(strips, none, none, X, true); }
  template <class Factor> void add_times(const Strip (&strips)[block], const Factor &X) {
    multiply(strips, none, none, X, false);
  }
  template <class Factor>
  void times_parts(const Strip (&strips)[block], const Strip (&more)[block], const Strip (&column)[block], const Factor &X) {
    multiply(strips, more, column, X, true);
  }

  void add(const Strip (&strips)[block], int column) {
    for (int b = 0; b < block; b++) {
      const uint8_t *p = strips[b].entries;
      int left = strips[b].count, q = column / 2;
      const auto add = [&](const Entries &x) __attribute__((always_inline)) {
#pragma GCC unroll 2
        for (int i = 0; i < parts; i++) (V::load(sum(q, b, i)) ^ x.part[i]).store(sum(q, b, i));
        q++;
      };
      if (column % 2 != 0 && left > 0) add(Entries::only_second(p)), p += entry, left--;
      for (; left > 1; left -= 2, p += 2 * entry) add(Entries::both(p));
      if (left > 0) add(Entries::only_first(p));
    }
  }

  void get(Mvector<P> &to, int b, int c) const {
    uint8_t *bytes = to.in_place();
    for (int i = 0; i < 8 * Mvector<P>::words; i += 8) {
      const uint64_t even = load64(sum(c / 2, b, 0) + i),
                     odd = load64((halves ? sum(c / 2, b, 0) + entry : sum(c / 2, b, 1)) + i);
      store64(bytes + i, word_of_pair(even, odd, c % 2));
    }
    to.load_in_place();
  }

 private:
  using Entries = EntryPair<P, V, halves>;
  static constexpr Strip none[block] = {};  // nothing is read of these, or added to
  // Rows whose sums are in registers at once.
  static constexpr int registers = pairs * parts, together = !halves ? 1 : 4 * pairs <= 16 ? 4 : 2 * pairs <= 20 ? 2 : 1;
  static_assert(registers <= V::accumulators);

  uint8_t *sum(int q, int row, int part) { return halves ? sums[q][row] : sums[q][part] + Group::position(row) * V::bytes; }
  const uint8_t *sum(int q, int row, int part) const {
    return halves ? sums[q][row] : sums[q][part] + Group::position(row) * V::bytes;
  }

  // Some rows' entries, and then those of `more`, which follow in the same rows; where there is a column 0 to begin with, fresh is true.
  template <class Factor>
  void multiply(const Strip (&strips)[block], const Strip (&more)[block], const Strip (&column)[block], const Factor &X,
                bool fresh) {
    for (int b = 0; b < block; b += together) {
      if (together > 1 && are_stairs(strips + b, more + b)) {
        accumulate_rows<together>(strips + b, more + b, column[b].count > 0 ? column + b : nullptr, X, b, fresh);
        continue;
      }
      for (int row = b; row < b + together; row++) {
        const Strip &strip = strips[row], &next = more[row];
        bool begun = !fresh;
        if (strip.count > 0) {
          const bool joined = next.count > 0 && next.first == strip.first + strip.count;
          accumulate_rows<1>(strips + row, joined ? more + row : none, column[row].count > 0 ? column + row : nullptr, X, row,
                             fresh);
          if (joined) continue;
          begun = true;
        }
        if (next.count > 0)
          accumulate_rows<1>(more + row, none, !begun && column[row].count > 0 ? column + row : nullptr, X, row, !begun);
        else if (!begun)
          clear(row);
      }
    }
  }
  void clear(int row) {
    for (int q = 0; q < pairs; q++)
      for (int part = 0; part < parts; part++) V::zero().store(sum(q, row, part));
  }
  // Whether each row begins one column after the one before and all end together, none of them empty; and what follows, if anything, begins there
  // and ends together.
  static bool are_stairs(const Strip *strips, const Strip *more) {
    const int begin = strips[0].first, end = begin + strips[0].count;
    bool so = strips[together - 1].count > 0;
    for (int b = 0; b < together; b++)
      so &= (strips[b].first == begin + b) & (strips[b].count == end - begin - b) & (more[b].count == more[0].count) &
            (more[b].first == end || more[b].count == 0);
    return so;
  }
  template <int rows, class Factor>
  [[gnu::always_inline]] void accumulate_rows(const Strip *strips, const Strip *more, const Strip *column, const Factor &X,
                                              int row, bool fresh) {
    if (strips[0].first % 2 == 0)
      accumulate<rows, 0>(strips, more, column, X.blocks, row, fresh);
    else
      accumulate<rows, 1>(strips, more, column, X.blocks, row, fresh);
  }

  // Rows that begin one column after each other, the first one with an odd column or not.
  template <int rows, int odd, int height>
  [[gnu::noinline]] void accumulate(const Strip *strips, const Strip *more, const Strip *column,
                                    const uint8_t (&blocks)[pairs][height][8], int row, bool fresh) {
    Register s[pairs][rows][parts];
    uint8_t *const to = sum(0, row, 0);
    // All of them at distances known here, so that none has an address of its own; `row` is a multiple of `rows`.
    const auto at = [&](int q, int b, int part) __attribute__((always_inline)) {
      return to + q * int(sizeof sums[0]) + part * int(sizeof sums[0][0]) + (halves ? b : Group::position(b)) * V::bytes;
    };
#pragma GCC unroll 16
    for (int q = 0; q < pairs; q++)
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++)
#pragma GCC unroll 2
        for (int part = 0; part < parts; part++) s[q][b][part] = fresh ? V::zero() : V::load(at(q, b, part));

    if (column != nullptr)
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) {
        const Entries x = Entries::only_first(column[b].entries);
#pragma GCC unroll 2
        for (int part = 0; part < parts; part++) s[0][b][part] = x.part[part];
      }
    Entries x[rows];
    unsigned i = unsigned(strips[0].first) / 2;  // the current pair of columns
    // The products of the rows before `end`.
    const auto add = [&](int end) __attribute__((always_inline)) {
#pragma GCC unroll 16
      for (int q = 0; q < pairs; q++) {
        const Register map = V::broadcast8(blocks[q][i]);
#pragma GCC unroll 4
        for (int b = 0; b < rows; b++)
#pragma GCC unroll 2
          for (int part = 0; part < parts; part++)
            if (b < end) s[q][b][part] = s[q][b][part] ^ V::affine(x[b].part[part], map);
      }
      i++;
    };
    // The pairs in which not all rows have begun: 2i or the column after it is a row's first, or later.
    constexpr int head = (odd + rows) / 2;
#pragma GCC unroll 4
    for (int t = 0; t < head; t++) {
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) {
        const uint8_t *p = strips[b].entries;
        if (2 * t >= odd + b)
          x[b] = Entries::both(p + (2 * t - odd - b) * entry);
        else if (2 * t + 1 == odd + b)
          x[b] = Entries::only_second(p);
      }
      add(2 * t + 2 - odd);
    }

    const uint8_t *p[rows];
#pragma GCC unroll 4
    for (int b = 0; b < rows; b++) p[b] = strips[b].entries + (2 * head - odd - b) * entry;
    const auto add_pairs = [&](int count) __attribute__((always_inline)) {
      for (; count > 1; count -= 2, i += 2) {
        Entries next[rows];
#pragma GCC unroll 4
        for (int b = 0; b < rows; b++) x[b] = Entries::both(p[b]), next[b] = Entries::both(p[b] + 2 * entry), p[b] += 4 * entry;
#pragma GCC unroll 16
        for (int q = 0; q < pairs; q++) {
          const Register map = V::broadcast8(blocks[q][i]), map_next = V::broadcast8(blocks[q][i + 1]);
#pragma GCC unroll 4
          for (int b = 0; b < rows; b++)
#pragma GCC unroll 2
            for (int part = 0; part < parts; part++)
              s[q][b][part] = V::sum(s[q][b][part], V::affine(x[b].part[part], map), V::affine(next[b].part[part], map_next));
        }
      }
      if (count > 0) {
#pragma GCC unroll 4
        for (int b = 0; b < rows; b++) x[b] = Entries::both(p[b]), p[b] += 2 * entry;
        add(rows);
      }
    };

    const int end = strips[0].first + strips[0].count;
    int left = more[0].count;
    add_pairs(end / 2 - int(i));
    if (end % 2 != 0) {  // the last column of `strips`, and the first of `more`
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) x[b] = left > 0 ? Entries::both(p[b], more[b].entries) : Entries::only_first(p[b]);
      add(rows);
    }
    if (left > 0) {
      left -= end % 2;
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++) p[b] = more[b].entries + end % 2 * entry;
      add_pairs(left / 2);
      if (left % 2 != 0) {
#pragma GCC unroll 4
        for (int b = 0; b < rows; b++) x[b] = Entries::only_first(p[b]);
        add(rows);
      }
    }
#pragma GCC unroll 16
    for (int q = 0; q < pairs; q++)
#pragma GCC unroll 4
      for (int b = 0; b < rows; b++)
#pragma GCC unroll 2
        for (int part = 0; part < parts; part++) s[q][b][part].store(at(q, b, part));
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
