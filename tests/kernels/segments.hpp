// SPDX-License-Identifier: Apache-2.0
// Test data for kernels: matrices and segments of many kinds, and what is expected of them in the plainest form.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "kernels/adapter.hpp"
#include "linalg/rows.hpp"
#include "oracle/algebra.hpp"

namespace kernels {

using oracle::Matrix;
using oracle::Random;
using oracle::Vector;

enum class Fill { random, zero, all_15, one_element, one_row, last_column, last_row, sparse };
inline constexpr Fill fills[] = {Fill::random,  Fill::zero,        Fill::all_15,   Fill::one_element,
                                 Fill::one_row, Fill::last_column, Fill::last_row, Fill::sparse};
inline const char *name(Fill fill) {
  constexpr const char *names[] = {"random", "zero", "all 15", "one element", "one row", "last column", "last row", "sparse"};
  return names[int(fill)];
}

inline Matrix filled(Random &random, Fill fill, int rows, int columns) {
  Matrix a(rows, columns);
  if (rows == 0 || columns == 0) return a;
  const int row = random.below(rows), column = random.below(columns);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      bool here = false;
      switch (fill) {
        case Fill::random: here = true; break;
        case Fill::zero: break;
        case Fill::all_15: a(r, c) = 15; break;
        case Fill::one_element: a(r, c) = r == row && c == column ? random.nonzero_element() : 0; break;
        case Fill::one_row: here = r == row; break;
        case Fill::last_column: here = c == columns - 1; break;
        case Fill::last_row: here = r == rows - 1; break;
        case Fill::sparse: here = random.below(16) == 0; break;
      }
      if (here) a(r, c) = random.element();
    }
  return a;
}

// A segment in memory of its own: at an odd address or not, garbage before it and in the slack behind it, and nothing after that.
class TestSegment {
 public:
  // entries: one m-vector to a row
  TestSegment(Random &random, Matrix entries, int first)
      : entries_(std::move(entries)), first_(first), offset_(size_t(random.below(17))) {
    const oracle::Bytes packed = bytes();
    memory_ = garbage(random, offset_ + packed.size() + aioli::slack);
    std::copy(packed.begin(), packed.end(), memory_.get() + offset_);
  }
  oracle::Bytes bytes() const { return oracle::pack(entries_.e); }
  static std::shared_ptr<uint8_t[]> garbage(Random &random, size_t size) {
    std::shared_ptr<uint8_t[]> memory(new uint8_t[size]);
    const int kind = random.below(4);
    for (size_t i = 0; i < size; i++) memory[i] = kind == 0 ? 0xff : kind == 1 ? 0 : random.byte();
    return memory;
  }
  void move_to(const std::shared_ptr<uint8_t[]> &memory, size_t offset) {
    const oracle::Bytes packed = bytes();
    memory_ = memory, offset_ = offset;
    std::copy(packed.begin(), packed.end(), memory_.get() + offset_);
  }
  RawSegment raw() const { return {memory_.get() + offset_, first_, count()}; }
  int first() const { return first_; }
  int count() const { return entries_.rows; }
  const Matrix &entries() const { return entries_; }
  const uint8_t *entry(int j) const { return entries_.e.data() + j * entries_.columns; }

 private:
  Matrix entries_;
  int first_;
  size_t offset_;
  std::shared_ptr<uint8_t[]> memory_;
};

// One for each of the rows that a kernel takes at once.
struct TestSegments {
  std::vector<TestSegment> segments;
  std::vector<RawSegment> raw() const {
    std::vector<RawSegment> r;
    for (const TestSegment &s : segments) r.push_back(s.raw());
    return r;
  }
  // Behind each other, as rows stand in a key; garbage and slack around them.
  void join(Random &random) {
    const size_t begin = random.below(2) == 0 ? 0 : size_t(random.below(17));
    size_t size = begin;
    for (const TestSegment &s : segments) size += s.bytes().size();
    const auto memory = TestSegment::garbage(random, size + aioli::slack);
    size = begin;
    for (TestSegment &s : segments) s.move_to(memory, size), size += s.bytes().size();
  }
};

// The sets, each shape once (sets of the same shape share their kernels), under the names of all that have it.
struct NamedSet {
  std::string names;
  const Set *set;
};
inline std::vector<NamedSet> distinct_sets() {
  std::vector<NamedSet> list;
  for (const Set *s : sets()) {
    const auto same = std::find_if(list.begin(), list.end(), [&](const NamedSet &n) { return n.set->solver == s->solver; });
    if (same == list.end())
      list.push_back({s->name, s});
    else
      same->names += std::string(", ") + s->name;
  }
  return list;
}

inline std::string shape(const std::string &sets, int n, int r, int c) {
  return sets + ": N=" + std::to_string(n) + (r > 0 ? " R=" + std::to_string(r) : "") + " C=" + std::to_string(c);
}

// to += scalar * (m elements)
inline void add_multiple(uint8_t *to, uint8_t scalar, const uint8_t *from, int m) {
  if (scalar == 0) return;
  const uint8_t *row = oracle::table.product[scalar];
  for (int i = 0; i < m; i++) to[i] = uint8_t(to[i] ^ row[from[i]]);
}

}  // namespace kernels
