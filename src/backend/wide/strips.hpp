// SPDX-License-Identifier: Apache-2.0
// A block's strips column by column.
#pragma once
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

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

// A strip's entry of `bytes` bytes in column j; `zeros` if it has none.
inline const uint8_t *entry_of(const Strip &s, int j, int bytes, const uint8_t *zeros) {
  return j >= s.first && j < s.first + s.count ? s.entries + (j - s.first) * bytes : zeros;
}

// Where the strips' entries of `bytes` bytes stand; `zeros` where a strip has none.
template <int Block> class StripColumns {
 public:
  StripColumns(const Strip (&strips)[Block], int bytes, const uint8_t *zeros) : strips_(strips), bytes_(bytes), zeros_(zeros) {
    for (const Strip &s : strips) {
      if (s.first > all_.first) all_.first = s.first;
      if (s.first + s.count < all_.end) all_.end = s.first + s.count;
    }
  }
  // Column j.  Returns how many columns from j on are reached by moving all pointers on by an entry: those that all strips
  // have, or j alone.
  int at(const uint8_t *(&p)[Block], int j) const {
    for (int b = 0; b < Block; b++) p[b] = entry_of(strips_[b], j, bytes_, zeros_);
    return j >= all_.first && j < all_.end ? all_.end - j : 1;
  }

 private:
  const Strip (&strips_)[Block];
  ColumnRange all_ = {0, 1 << 28};  // the columns that all strips have
  const int bytes_;
  const uint8_t *const zeros_;
};

// Pointers to the entries in one column after the other, none left out: most steps only move them on.
template <int Block> class ColumnPointers {
 public:
  const uint8_t *p[Block];

  ColumnPointers(const Strip (&strips)[Block], int bytes, const uint8_t *zeros) : columns_(strips, bytes, zeros), bytes_(bytes) {}
  [[gnu::always_inline]] void go_to(int j) {
    if (--steps_ > 0) {
#pragma GCC unroll 8
      for (auto &next : p) next += bytes_;
    } else {
      steps_ = columns_.at(p, j);
    }
  }

 private:
  const StripColumns<Block> columns_;
  const int bytes_;
  int steps_ = 0;  // columns, this one included, before strips begin or end
};

}  // namespace AIOLI_ISA
}  // namespace aioli
