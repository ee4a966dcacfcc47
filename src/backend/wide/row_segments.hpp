// SPDX-License-Identifier: Apache-2.0
// A block's segments column by column.
#pragma once
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// A segment's entry of `bytes` bytes in column j; `zeros` if it has none.
inline const uint8_t *entry_of(const RowSegment &s, int j, int bytes, const uint8_t *zeros) {
  return j >= s.first && j < s.first + s.count ? s.entries + (j - s.first) * bytes : zeros;
}

// Where the segments' entries of `bytes` bytes stand; `zeros` where a segment has none.
template <int Block> class SegmentColumns {
 public:
  int first, end;  // the columns that any segment has; or none: first == end

  [[gnu::always_inline]] SegmentColumns(const RowSegment (&segments)[Block], int bytes, const uint8_t *zeros)
      : segments_(segments), bytes_(bytes), zeros_(zeros) {
    first = first_of_all_ = segments[0].first, end = end_of_all_ = segments[0].first + segments[0].count;
    int different = 0;
#pragma GCC unroll 8
    for (const RowSegment &s : segments) different |= (s.first ^ segments[0].first) | (s.count ^ segments[0].count);
    if (different != 0) set_range();
  }
  // Column j.  Returns how many columns from j on are reached by moving all pointers on by an entry: those that all segments
  // have, or j alone.
  [[gnu::always_inline]] int at(const uint8_t *(&p)[Block], int j) const {
    if (j >= first_of_all_ && j < end_of_all_) {
#pragma GCC unroll 8
      for (int b = 0; b < Block; b++) p[b] = segments_[b].entries + (j - segments_[b].first) * bytes_;
      return end_of_all_ - j;
    }
    for (int b = 0; b < Block; b++) p[b] = entry_of(segments_[b], j, bytes_, zeros_);
    return 1;
  }

 private:
  [[gnu::noinline]] void set_range() {
    first = end = 0;
    for (const RowSegment &s : segments_) {
      if (s.first > first_of_all_) first_of_all_ = s.first;
      if (s.first + s.count < end_of_all_) end_of_all_ = s.first + s.count;
      if (s.count == 0) continue;
      const bool none = first == end;
      if (none || s.first < first) first = s.first;
      if (none || s.first + s.count > end) end = s.first + s.count;
    }
  }
  const RowSegment (&segments_)[Block];
  int first_of_all_, end_of_all_;  // the columns that all segments have
  const int bytes_;
  const uint8_t *const zeros_;
};

// Pointers to the entries in one column after the other, none left out: most steps only move them on.
template <int Block> class ColumnPointers {
 public:
  using Columns = SegmentColumns<Block>;
  const uint8_t *p[Block];

  ColumnPointers(const SegmentColumns<Block> &columns, int bytes) : columns_(columns), bytes_(bytes) {}
  [[gnu::always_inline]] void go_to(int j) {
    if (--steps_ > 0) {
#pragma GCC unroll 8
      for (auto &next : p) next += bytes_;
    } else {
      steps_ = columns_.at(p, j);
    }
  }

 private:
  const SegmentColumns<Block> columns_;
  const int bytes_;
  int steps_ = 0;  // columns, this one included, before segments begin or end
};

// The same of rows first_row .. first_row + Block - 1 of P1^T, P1 being in memory.
template <class P, int Block> struct TransposedColumns {
  const uint8_t *P1;
  int first_row;
  const uint8_t *zeros;
  int first = 0, end = first_row + Block < P::v ? first_row + Block : P::v;
};
template <class P, int Block> class TransposedPointers {
 public:
  using Columns = TransposedColumns<P, Block>;
  const uint8_t *p[Block];

  TransposedPointers(const Columns &columns, int) : columns_(columns) {}
  [[gnu::always_inline]] void go_to(int j) {
    const uint8_t *const entry = columns_.P1 + RowLayout<P>::entry_offset(j, columns_.first_row);
#pragma GCC unroll 8
    for (int b = 0; b < Block; b++) p[b] = j <= columns_.first_row + b ? entry + b * P::m_bytes : columns_.zeros;
  }

 private:
  const Columns columns_;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
