// SPDX-License-Identifier: Apache-2.0
// The blocks of rows of a key in memory, in another order.  Sums do not care about it; caches do.
//
// Where passes over a key that is larger than a cache always go from its beginning to its end, the cache is of no use: it keeps
// what was read last, and what will be read next is what it has just given up ("sequential flooding").  A pass that begins
// elsewhere, or goes the other way, meets what the last one has left.
#pragma once
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Some rows, and then others.
template <class First, class Second> class JoinedRows {
 public:
  static constexpr int blocks = First::blocks + Second::blocks;
  First first;
  Second second;

  void go_to(int block) {
    first.go_to(block < First::blocks ? block : First::blocks);
    second.go_to(block < First::blocks ? 0 : block - First::blocks);
  }
  template <int Block> bool next(Rows<Block> &rows) { return first.next(rows) || second.next(rows); }
};

// All blocks of rows of a source, one after the other.
template <class Rows, class Source, class Visit> void for_rows(Source &source, const Visit &visit) {
  for (Rows rows; source.next(rows);) visit(rows);
}
template <class Rows, class First, class Second, class Visit>
void for_rows(JoinedRows<First, Second> &source, const Visit &visit) {
  for_rows<Rows>(source.first, visit), for_rows<Rows>(source.second, visit);
}

// Rows in blocks that can be gone to: all of them once, from any block on and around, up or down.
template <class Source> class CircularRows : public Source {
 public:
  // `choice`: any number, PUBLIC, best a random one.
  void begin_at(uint32_t choice) {
    up_ = choice % 2 != 0, begin_ = int(uint64_t(choice) * Source::blocks >> 32);
    rewind();
  }
  void rewind() { at_ = begin_, left_ = Source::blocks; }
  template <int Block> bool next(Rows<Block> &rows) {
    if (left_ == 0) return false;
    left_--;
    Source::go_to(at_);
    if (up_)
      at_ = at_ + 1 < Source::blocks ? at_ + 1 : 0;
    else
      at_ = at_ > 0 ? at_ - 1 : Source::blocks - 1;
    return Source::next(rows);
  }

 private:
  bool up_;
  int begin_, at_, left_;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
