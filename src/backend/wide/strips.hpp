// SPDX-License-Identifier: Apache-2.0
// A block's strips column by column.
#pragma once
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// A strip's entry of `bytes` bytes in column j; `zeros` if it has none.
inline const uint8_t *entry_of(const Strip &s, int j, int bytes, const uint8_t *zeros) {
  return j >= s.first && j < s.first + s.count ? s.entries + (j - s.first) * bytes : zeros;
}

// Where the strips' entries of `bytes` bytes stand; `zeros` where a strip has none.
template <int Block> class StripColumns {
 public:
  int first, end;  // the columns that any strip has; or none: first == end

  [[gnu::always_inline]] StripColumns(const Strip (&strips)[Block], int bytes, const uint8_t *zeros)
      : strips_(strips), bytes_(bytes), zeros_(zeros) {
    first = first_of_all_ = strips[0].first, end = end_of_all_ = strips[0].first + strips[0].count;
    int different = 0;
#pragma GCC unroll 8
    for (const Strip &s : strips) different |= (s.first ^ strips[0].first) | (s.count ^ strips[0].count);
    if (different != 0) set_range();
  }
  // Column j.  Returns how many columns from j on are reached by moving all pointers on by an entry: those that all strips have,
  // or j alone.
  [[gnu::always_inline]] int at(const uint8_t *(&p)[Block], int j) const {
    if (j >= first_of_all_ && j < end_of_all_) {
#pragma GCC unroll 8
      for (int b = 0; b < Block; b++) p[b] = strips_[b].entries + (j - strips_[b].first) * bytes_;
      return end_of_all_ - j;
    }
    for (int b = 0; b < Block; b++) p[b] = entry_of(strips_[b], j, bytes_, zeros_);
    return 1;
  }

 private:
  [[gnu::noinline]] void set_range() {
    first = end = 0;
    for (const Strip &s : strips_) {
      if (s.first > first_of_all_) first_of_all_ = s.first;
      if (s.first + s.count < end_of_all_) end_of_all_ = s.first + s.count;
      if (s.count == 0) continue;
      const bool none = first == end;
      if (none || s.first < first) first = s.first;
      if (none || s.first + s.count > end) end = s.first + s.count;
    }
  }
  const Strip (&strips_)[Block];
  int first_of_all_, end_of_all_;  // the columns that all strips have
  const int bytes_;
  const uint8_t *const zeros_;
};

// Pointers to the entries in one column after the other, none left out: most steps only move them on.
template <int Block> class ColumnPointers {
 public:
  const uint8_t *p[Block];

  ColumnPointers(const StripColumns<Block> &columns, int bytes) : columns_(columns), bytes_(bytes) {}
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
