// SPDX-License-Identifier: Apache-2.0
// Whether the rows of a batch lie apart: what is written for one meets nothing of another, nor the rows and statuses themselves.
// Addresses and lengths alone; O(n) where outputs stand in the order of the rows, else O(n log n).
#pragma once
#include "base/ranges.hpp"
#include "batch/memory.hpp"

namespace aioli {

// What is written, each range with its row.
class Outputs {
 public:
  explicit Outputs(size_t most) : written_(most) {}
  bool sound() const { return written_.at != nullptr; }

  void add(Range range, size_t row) {
    if (range.p == nullptr || range.n == 0) return;
    const uintptr_t first = reinterpret_cast<uintptr_t>(range.p);
    sorted_ &= count_ == 0 || written_.at[count_ - 1].first <= first;
    written_.at[count_++] = {first, last_of(first, range.n), row};
  }

  // False if those of two rows meet.  Afterwards they stand in the order of their addresses, those of one row that meet as one.
  bool apart_from_each_other() {
    if (!sorted_) sort();
    size_t kept = 0;
    for (size_t i = 1; i < count_; i++) {
      Written &before = written_.at[kept];
      const Written &next = written_.at[i];
      if (next.first > before.last)
        written_.at[++kept] = next;
      else if (next.row != before.row)
        return false;
      else if (next.last > before.last)
        before.last = next.last;
    }
    if (count_ > 0) count_ = kept + 1;
    return true;
  }

  // Whether one that is not of this row meets the range.  After apart_from_each_other.
  bool meet_from_elsewhere(Range range, size_t row) const {
    if (range.p == nullptr || range.n == 0 || count_ == 0) return false;
    const uintptr_t first = reinterpret_cast<uintptr_t>(range.p), last = last_of(first, range.n);
    if (last < written_.at[0].first || written_.at[count_ - 1].last < first) return false;
    size_t low = 0, high = count_;  // the first output that does not end before the range
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (written_.at[middle].last < first)
        low = middle + 1;
      else
        high = middle;
    }
    for (; low < count_ && written_.at[low].first <= last; low++)
      if (written_.at[low].row != row) return true;
    return false;
  }

 private:
  struct Written {
    uintptr_t first, last;  // both written
    size_t row;
  };

  // Memory does not go round: a length that would is cut off.
  static uintptr_t last_of(uintptr_t first, size_t n) { return n - 1 <= UINTPTR_MAX - first ? first + (n - 1) : UINTPTR_MAX; }

  // Heapsort: no memory, and no order of rows makes it slow.
  void sort() {
    for (size_t i = count_ / 2; i-- > 0;) sink(i, count_);
    for (size_t n = count_; n-- > 1;) {
      swap(0, n);
      sink(0, n);
    }
  }
  void sink(size_t i, size_t n) {
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
      child += child + 1 < n && written_.at[child].first < written_.at[child + 1].first;
      if (written_.at[child].first <= written_.at[i].first) return;
      swap(i, child);
    }
  }
  void swap(size_t i, size_t j) {
    const Written kept = written_.at[i];
    written_.at[i] = written_.at[j];
    written_.at[j] = kept;
  }

  const Allocation<Written> written_;
  size_t count_ = 0;
  bool sorted_ = true;
};

// Whether anything that would be written lies on the array of rows: then they cannot even be read to be refused.
template <class Op> bool rows_are_written(const Op &op, const aioli_status *status, const typename Op::Row *rows, size_t count) {
  if (rows == nullptr) return false;
  const Range all = {rows, count * sizeof *rows};
  if (meet(all, {status, count * sizeof *status})) return true;
  if constexpr (Op::most_outputs > 0) {
    for (size_t i = 0; i < count; i++)
      for (const Range output : op.outputs(rows[i]).of)
        if (meet(all, output)) return true;
  }
  return false;
}

// AIOLI_OK, AIOLI_ERR_ARGUMENT if rows do not lie apart, AIOLI_ERR_MEMORY.  Overlaps within a row are that row's own business.
template <class Op>
aioli_status rows_apart(const Op &op, const aioli_status *status, const typename Op::Row *rows, size_t count) {
  const Range statuses = {status, count * sizeof *status};
  Outputs outputs(count * Op::most_outputs);
  if (!outputs.sound()) return AIOLI_ERR_MEMORY;
  if constexpr (Op::most_outputs > 0) {
    for (size_t place = 0; place < Op::most_outputs; place++)
      for (size_t i = 0; i < count; i++) {
        const Range output = op.outputs(rows[i]).of[place];
        if (meet(statuses, output)) return AIOLI_ERR_ARGUMENT;
        outputs.add(output, i);
      }
  }
  if (!outputs.apart_from_each_other()) return AIOLI_ERR_ARGUMENT;
  for (size_t i = 0; i < count; i++)
    for (const Range input : op.inputs(rows[i]).of)
      if (meet(statuses, input) || outputs.meet_from_elsewhere(input, i)) return AIOLI_ERR_ARGUMENT;
  return AIOLI_OK;
}

}  // namespace aioli
