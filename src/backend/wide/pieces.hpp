// SPDX-License-Identifier: Apache-2.0
// How m-vectors of any length fill registers: whole registers, then a half, a quarter and an eighth as needed.  As many m-vectors as a register
// has words of eight bytes put their halves, quarters and eighths together, so that registers are 96 to 100 % full for every m of MAYO; rounded, 84 to 100 %.
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

// Rounded: an m-vector that lacks but one word of a register takes one alone.  Nothing has then to be put together or taken apart.
// What lies behind the m-vector comes with it: up to `padded` - `entry` bytes, fewer than `slack`.
template <class P, class V, bool Rounded = false> struct Pieces {
  using Vector = V;
  static constexpr int entry = P::m_bytes, group = V::bytes / 8;
  static constexpr int words = (entry + 7) / 8;
  static constexpr int padded =
      Rounded && words == group - 1 ? V::bytes : 8 * words;  // in registers; past `words` there is anything
  static constexpr int full = padded / V::bytes, half_at = full * V::bytes;
  static constexpr int half = padded / (V::bytes / 2) % 2, quarter_at = half_at + half * V::bytes / 2;
  static constexpr int quarter = padded / (V::bytes / 4) % 2, eighth_at = quarter_at + quarter * V::bytes / 4;
  static constexpr int eighth = group == 8 ? padded / 8 % 2 : 0;
  static_assert(group == 4 || group == 8);
  static constexpr int readable = padded + (group == 8 && padded / 8 % 2 ? 8 : 0);  // V::eighths reads sixteen bytes for eight
  static_assert(readable - entry <= slack);
  static constexpr uint8_t zeros[readable] = {};  // an m-vector where a row has none

  // Where a row stands in a block: even rows before odd ones.
  static constexpr int position(int row) { return row % 2 * (group / 2) + row / 2; }
  static constexpr int row_at(int position) { return position % (group / 2) * 2 + position / (group / 2); }

  // Four or eight m-vectors in registers: their full ones (`group` times `full`), then halves, quarters, eighths.
  static constexpr int halves_in = group * full, quarters_in = halves_in + half * group / 2,
                       eighths_in = quarters_in + quarter * group / 4;
  static constexpr int registers = eighths_in + eighth, bytes = registers * V::bytes;

  // Kinds of pieces: one for each full register of an m-vector, then half, quarter and eighth.  How many m-vectors it takes to fill a
  // register with them, and which register the first ones fill.
  static constexpr int kinds = full + half + quarter + eighth;
  static constexpr int width_of(int kind) {
    return kind < full ? 1 : half && kind == full ? 2 : quarter && kind == full + half ? 4 : 8;
  }
  static constexpr int registers_at(int kind) {
    const int width = width_of(kind);
    return width == 1 ? kind * group : width == 2 ? halves_in : width == 4 ? quarters_in : eighths_in;
  }
  // Pieces of a kind of the m-vectors that are `at` bytes behind p; up to `readable` bytes of each may be read.
  template <int kind, int at = 0> [[gnu::always_inline]] static auto load_pieces(const uint8_t *const *p) {
    if constexpr (width_of(kind) == 1)
      return V::load(p[0] + at + kind * V::bytes);
    else if constexpr (width_of(kind) == 2)
      return V::halves(p[0] + at + half_at, p[1] + at + half_at);
    else if constexpr (width_of(kind) == 4)
      return V::quarters(p[0] + at + quarter_at, p[1] + at + quarter_at, p[2] + at + quarter_at, p[3] + at + quarter_at);
    else
      return V::eighths(p, at + eighth_at);
  }
  // Register x of `group` packed m-vectors.
  template <int x> [[gnu::always_inline]] static auto load(const uint8_t *const (&p)[group]) {
    constexpr int kind = x < halves_in     ? x / group
                         : x < quarters_in ? full
                         : x < eighths_in  ? full + half
                                           : full + half + quarter;
    return load_pieces<kind>(p + (x - registers_at(kind)) * width_of(kind));
  }

  // Of `count` m-vectors: first all full registers, then all halves, and so on.  Where the halves, quarters and eighths begin, and
  // where byte `at` of m-vector i stands.  A word of eight bytes is never torn.
  static constexpr int halves_at(int count) { return full * count * V::bytes; }
  static constexpr int quarters_at(int count) { return halves_at(count) + half * count * V::bytes / 2; }
  static constexpr int eighths_at(int count) { return quarters_at(count) + quarter * count * V::bytes / 4; }
  static constexpr int place(int count, int i, int at) {
    if (at < half_at) return (at / V::bytes * count + i) * V::bytes + at % V::bytes;
    if (at < quarter_at) return halves_at(count) + i * V::bytes / 2 + at - half_at;
    if (at < eighth_at) return quarters_at(count) + i * V::bytes / 4 + at - quarter_at;
    return eighths_at(count) + i * 8 + at - eighth_at;
  }
};

// The columns that any of the strips has; or none: first == end.
struct ColumnRange {
  int first, end;
};
template <int Block> ColumnRange columns_of(const Strip (&strips)[Block]) {
  ColumnRange r{0, 0};
  for (const Strip &s : strips) {
    if (s.count == 0) continue;
    const bool none = r.first == r.end;
    if (none || s.first < r.first) r.first = s.first;
    if (none || s.first + s.count > r.end) r.end = s.first + s.count;
  }
  return r;
}

// Where the packed m-vectors of the strips stand in one column after the other.
template <class Pieces> class Walk {
 public:
  static constexpr int block = Pieces::group;

  Walk(const Strip (&strips)[block], ColumnRange columns) : strips_(strips), all_(columns) {
    for (const Strip &s : strips) {
      if (s.first > all_.first) all_.first = s.first;
      if (s.first + s.count < all_.end) all_.end = s.first + s.count;
    }
  }
  // Column j; zeros where a strip has none.
  void at(const uint8_t *(&p)[block], int j) const {
    for (int b = 0; b < block; b++) p[b] = entry_of(strips_[b], j);
  }
  // How many columns from j on all strips have.  Their entries follow each other.
  int together(int j) const { return j >= all_.first && j < all_.end ? all_.end - j : 0; }

  static const uint8_t *entry_of(const Strip &s, int j) {
    return j >= s.first && j < s.first + s.count ? s.entries + (j - s.first) * Pieces::entry : Pieces::zeros;
  }

 private:
  const Strip (&strips_)[block];
  ColumnRange all_;  // the columns that all strips have
};

// The same for one column after the other: most steps only move the pointers on.
template <class Pieces> class ColumnPointers {
 public:
  const uint8_t *p[Pieces::group];

  ColumnPointers(const Strip (&strips)[Pieces::group], ColumnRange columns) : walk_(strips, columns) {}
  // Columns are visited in order, none left out.
  [[gnu::always_inline]] void go_to(int j) {
    if (--steps_ > 0) {
#pragma GCC unroll 8
      for (auto &next : p) next += Pieces::entry;
    } else {
      walk_.at(p, j);
      steps_ = walk_.together(j);
    }
  }

 private:
  const Walk<Pieces> walk_;
  int steps_ = 0;  // columns, this one included, before strips begin or end
};

// Pieces of a kind of as many rows as fill a register, in one column after the other.
template <class Pieces, int kind> class RowPieces {
 public:
  using V = typename Pieces::Vector;
  static constexpr int width = Pieces::width_of(kind), entry = Pieces::entry;

  [[gnu::always_inline]] explicit RowPieces(const uint8_t *const *rows) {
#pragma GCC unroll 8
    for (int b = 0; b < width; b++) p_[b] = rows[b];
  }
  [[gnu::always_inline]] void go_on(int columns) {
#pragma GCC unroll 8
    for (int b = 0; b < width; b++) p_[b] += columns * entry;
  }
  // To where the first row, or the column before it, begins, for rows that begin after each other (Stairs).
  [[gnu::always_inline]] void go_back(unsigned columns) {
#pragma GCC unroll 8
    for (int b = 0; b < width; b++) p_[b] -= (width < Pieces::group ? 2 * b + int(columns) : Pieces::row_at(b)) * entry;
  }
  template <int j = 0> [[gnu::always_inline]] auto load() const { return Pieces::template load_pieces<kind, j * entry>(p_); }
  // Columns j and j + 1: one register for the even equations and one for the odd.
  template <int j> [[gnu::always_inline]] void interleave(typename V::Register &even, typename V::Register &odd) const {
    V::interleave(load<j>().kept(), load<j + 1>().kept(), even, odd);
  }

 private:
  const uint8_t *p_[width];
};

// The columns of a block's rows in pairs 2i, 2i + 1.  `visit` of each of the following calls one(even, odd, i), or two(even, odd, even_next, odd_next,
// i) for pairs i and i + 1: for all pairs of columns that any of the rows has whose pieces of a kind fill a register, those at positions `at` and
// following.  `start` is false if the rows lie otherwise.

// Rows that begin and end together.
template <class Pieces> class Rectangle {
 public:
  static constexpr int block = Pieces::group, entry = Pieces::entry;

  bool start(const Strip (&strips)[block]) {
    begin_ = strips[0].first, count_ = strips[0].count;
    bool so = count_ > 0;
#pragma GCC unroll 8
    for (int row = 0; row < block; row++) {
      so &= (strips[row].first == begin_) & (strips[row].count == count_);
      entries_[Pieces::position(row)] = strips[row].entries;
    }
    return so;
  }
  // The same columns, the first one under another number.
  void renumber(int first) { begin_ = first; }
  template <int kind, class One, class Two> [[gnu::always_inline]] void visit(unsigned at, const One &one, const Two &two) const {
    using V = typename Pieces::Vector;
    RowPieces<Pieces, kind> p(entries_ + at);
    typename V::Register even, odd, even_next, odd_next;
    unsigned i = unsigned(begin_) / 2;
    int left = count_;
    if (begin_ % 2 != 0) {
      V::interleave(V::zero(), p.load(), even, odd);
      one(even, odd, i++);
      p.go_on(1), left--;
    }
    for (; left > 3; left -= 4, i += 2, p.go_on(4)) {
      p.template interleave<0>(even, odd), p.template interleave<2>(even_next, odd_next);
      two(even, odd, even_next, odd_next, i);
    }
    if (left > 1) {
      p.template interleave<0>(even, odd);
      one(even, odd, i++);
      p.go_on(2), left -= 2;
    }
    if (left > 0) {
      V::interleave(p.load(), V::zero(), even, odd);
      one(even, odd, i);
    }
  }

 private:
  const uint8_t *entries_[block];
  int begin_, count_;
};

// Rows that end together and of which each begins one column later than the row before, which it follows in memory; the first one begins with an
// even column.  So what stands before a row's first column may be read, and is masked out.
template <class Pieces> class Stairs {
 public:
  static constexpr int block = Pieces::group, entry = Pieces::entry;

  bool start(const Strip (&strips)[block]) {
    begin_ = unsigned(strips[0].first), end_ = begin_ + unsigned(strips[0].count);
    bool so = begin_ % 2 == 0;
    const uint8_t *next = strips[0].entries;
#pragma GCC unroll 8
    for (int row = 0; row < block; row++) {
      const Strip &s = strips[row];
      so &= (s.count > 0) & (unsigned(s.first) == begin_ + unsigned(row)) & (unsigned(s.first + s.count) == end_) &
            (s.entries == next);
      entries_[Pieces::position(row)] = s.entries, next = s.entries + s.count * entry;
    }
    return so;
  }
  template <int kind, class One, class Two> [[gnu::always_inline]] void visit(unsigned at, const One &one, const Two &two) const {
    using V = typename Pieces::Vector;
    constexpr unsigned width = Pieces::width_of(kind), half = block / 2;
    const unsigned odd_rows = width < block ? at / half : 0;  // they begin with the second column of a pair
    unsigned i = begin_ / 2 + at % half, left = end_ / 2 - i, lacking = width < block ? width - 1 + odd_rows : half;
    if (lacking > left) lacking = left;
    lacking += (left - lacking) % 2;  // then two at a time
    left -= lacking;
    RowPieces<Pieces, kind> p(entries_ + at);
    p.go_back(odd_rows);
    typename V::Register even, odd, even_next, odd_next;
    for (const uint8_t *mask = masks<width>.begun[1 - odd_rows]; lacking > 0; lacking--, i++, mask += 2 * V::bytes, p.go_on(2)) {
      V::interleave(p.load() & V::load(mask), p.template load<1>() & V::load(mask + V::bytes), even, odd);
      one(even, odd, i);
    }
    for (; left > 0; left -= 2, i += 2, p.go_on(4)) {
      p.template interleave<0>(even, odd), p.template interleave<2>(even_next, odd_next);
      two(even, odd, even_next, odd_next, i);
    }
    if (end_ % 2 != 0) {  // a single column; all rows have the last one
      V::interleave(p.load(), V::zero(), even, odd);
      one(even, odd, i);
    }
  }

 private:
  // Which of the rows in a register have begun: column `i - 1` of the first one.  They begin two columns after each other; in a register of all rows,
  // the even ones and then the odd ones.
  template <int width> struct Masks {
    using V = typename Pieces::Vector;
    alignas(64) uint8_t begun[2 * width + 3][V::bytes]{};
    consteval Masks() {
      for (int i = 0; i < 2 * width + 3; i++)
        for (int b = 0; b < width; b++)
          for (int at = 0; at < V::bytes / width; at++)
            begun[i][b * (V::bytes / width) + at] = i > (width < block ? 2 * b : Pieces::row_at(b)) ? 0xff : 0;
    }
  };
  template <int width> static constexpr Masks<width> masks{};
  const uint8_t *entries_[block];
  unsigned begin_, end_;  // row r has columns begin_ + r .. end_ - 1
};

// Rows that lie anyhow: the columns that all rows have, where entries follow each other, perhaps a single one behind
// them, and before and after these the pairs that some rows lack.
template <class Pieces> class PairedColumns {
 public:
  static constexpr int block = Pieces::group, entry = Pieces::entry;
  using V = typename Pieces::Vector;
  struct Middle {
    int first, count;         // pairs
    int one_more;             // or none: a column
    const uint8_t *p[block];  // where the first one begins
  } middle;
  struct Edge {
    static constexpr int most = 6;
    int first, count;
    const uint8_t *p[2 * most][block];  // zeros where a row has none
    // Pairs that none of these rows has, before the others.
    template <int rows> int skipped(unsigned row) const {
      int least = begin[row];
#pragma GCC unroll 8
      for (int b = 1; b < rows; b++) least = begin[row + b] < least ? begin[row + b] : least;
      return least;
    }
    int begin[block];
  } edge[2];

  void start(const Strip (&strips)[block]) {
    int first = none, latest = 0, earliest = none, past = 0;
#pragma GCC unroll 8
    for (int row = 0; row < block; row++) {
      const Strip &s = strips[row];
      const int b = Pieces::position(row), end = s.count > 0 ? s.first + s.count : 0, begin = s.count > 0 ? s.first : none;
      first_[b] = s.first, count_[b] = s.count;
      column_0_[b] = reinterpret_cast<uintptr_t>(s.entries) - uintptr_t(s.first * entry);
      first = begin < first ? begin : first, latest = begin > latest ? begin : latest;
      earliest = end < earliest ? end : earliest, past = end > past ? end : past;
    }
    end_ = (past + 1) / 2, at_ = end_ > 0 ? first / 2 : 0;
    const int all = (latest + 1) / 2, all_end = earliest / 2;  // the pairs that all have
    one_more_ = past == earliest && latest < past ? past % 2 : 0;
    if (all >= all_end + one_more_) one_more_ = 0;
    middle_ = after_middle_ = end_;
    if (all < all_end + one_more_) middle_ = all, after_middle_ = all_end + one_more_;
  }
  // The next edge, middle and edge; false if nothing is left.
  bool next() {
    if (at_ >= end_) return false;
    edge[0].count = edge[1].count = middle.first = middle.count = middle.one_more = 0;
    if (at_ < middle_) fill(edge[0], middle_);
    if (at_ == middle_ && middle_ < after_middle_) {
      middle.first = at_, middle.count = after_middle_ - middle_ - one_more_, middle.one_more = one_more_;
      for (int b = 0; b < block; b++) middle.p[b] = at(b, 2 * middle_);
      at_ = after_middle_;
    } else {
      for (auto &p : middle.p) p = Pieces::zeros;
    }
    if (at_ >= after_middle_ && at_ < end_) fill(edge[1], end_);
    return true;
  }

  template <int kind, class One, class Two>
  [[gnu::always_inline]] void visit(unsigned row, const One &one, const Two &two) const {
    constexpr int width = Pieces::width_of(kind);
    int any = 0;
#pragma GCC unroll 8
    for (int b = 0; b < width; b++) any |= count_[row + b];
    if (any == 0) return;
    typename V::Register even, odd, even_next, odd_next;
    const auto at_edge = [&](const Edge &e) __attribute__((always_inline)) {
      if (e.count == 0) return;
      for (int i = e.template skipped<width>(row); i < e.count; i++) {
        V::interleave(Pieces::template load_pieces<kind>(e.p[2 * i] + row).kept(),
                      Pieces::template load_pieces<kind>(e.p[2 * i + 1] + row).kept(), even, odd);
        one(even, odd, unsigned(e.first + i));
      }
    };
    at_edge(edge[0]);
    RowPieces<Pieces, kind> p(middle.p + row);
    int i = middle.first;
    const int end = middle.first + middle.count;
    for (; i + 1 < end; i += 2, p.go_on(4)) {
      p.template interleave<0>(even, odd), p.template interleave<2>(even_next, odd_next);
      two(even, odd, even_next, odd_next, unsigned(i));
    }
    if (i < end) {
      p.template interleave<0>(even, odd);
      one(even, odd, unsigned(i++));
      p.go_on(2);
    }
    if (middle.one_more > 0) {
      V::interleave(p.load(), V::zero(), even, odd);
      one(even, odd, unsigned(i));
    }
    at_edge(edge[1]);
  }

 private:
  static constexpr int none = 1 << 28;
  const uint8_t *at(int b, int column) const {
    return reinterpret_cast<const uint8_t *>(column_0_[b] + uintptr_t(column * entry));
  }
  [[gnu::noinline]] void fill(Edge &e, int up_to) {
    e.first = at_, e.count = up_to - at_ < e.most ? up_to - at_ : e.most;
    const int columns = 2 * e.count;
    for (int b = 0; b < block; b++) {
      const auto inside = [&](int column) { return column < 0 ? 0 : column < columns ? column : columns; };
      const int begin = inside(first_[b] - 2 * at_), end = inside(first_[b] + count_[b] - 2 * at_);
      const uint8_t *p = at(b, 2 * at_ + begin);
      int j = 0;
      for (; j < begin; j++) e.p[j][b] = Pieces::zeros;
      for (; j < end; j++, p += entry) e.p[j][b] = p;
      for (; j < columns; j++) e.p[j][b] = Pieces::zeros;
      e.begin[b] = begin / 2;
    }
    at_ += e.count;
  }
  int first_[block], count_[block];
  uintptr_t column_0_[block];  // where column 0 would begin
  int at_, middle_, after_middle_, end_;
  int one_more_;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
