// SPDX-License-Identifier: Apache-2.0
// How m-vectors of any length fill registers: whole registers, then a half, a quarter and an eighth as needed.  As many m-vectors as a register
// has words of eight bytes put their halves, quarters and eighths together, so that registers are 96 to 100 % full for every m of MAYO.
#pragma once
#include "linalg/mvector.hpp"
#include "linalg/rows.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P, class V> struct Pieces {
  static constexpr int entry = P::m_bytes, group = V::bytes / 8, padded = (entry + 7) / 8 * 8;
  static constexpr int full = padded / V::bytes, half_at = full * V::bytes;
  static constexpr int half = padded / (V::bytes / 2) % 2, quarter_at = half_at + half * V::bytes / 2;
  static constexpr int quarter = padded / (V::bytes / 4) % 2, eighth_at = quarter_at + quarter * V::bytes / 4;
  static constexpr int eighth = group == 8 ? padded / 8 % 2 : 0;
  static_assert(group == 4 || group == 8);

  // Four or eight m-vectors in registers: their full ones (`group` times `full`), then halves, quarters, eighths.
  static constexpr int halves_in = group * full, quarters_in = halves_in + half * group / 2,
                       eighths_in = quarters_in + quarter * group / 4;
  static constexpr int registers = eighths_in + eighth, bytes = registers * V::bytes;

  // Register x of the `group` packed m-vectors `at` bytes behind p; up to `padded` bytes of each are read.
  template <int x, int at = 0> [[gnu::always_inline]] static auto load(const uint8_t *const (&p)[group]) {
    if constexpr (x < halves_in) {
      return V::load(p[x % group] + at + x / group * V::bytes);
    } else if constexpr (x < quarters_in) {
      constexpr int first = 2 * (x - halves_in), from = at + half_at;
      return V::halves(p[first] + from, p[first + 1] + from);
    } else if constexpr (x < eighths_in) {
      constexpr int first = 4 * (x - quarters_in), from = at + quarter_at;
      return V::quarters(p[first] + from, p[first + 1] + from, p[first + 2] + from, p[first + 3] + from);
    } else {
      return V::eighths(p, at + eighth_at);
    }
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
    static constexpr uint8_t zeros[Pieces::padded] = {};
    return j >= s.first && j < s.first + s.count ? s.entries + (j - s.first) * Pieces::entry : zeros;
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

}  // namespace aioli::inline AIOLI_ISA
