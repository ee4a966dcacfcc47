// SPDX-License-Identifier: Apache-2.0
// Which rows the devices do, in which order, and who takes which of them next.
#pragma once
#include <pthread.h>

#include "batch/grouping.hpp"
#include "batch/memory.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// Rows side by side in the plan's order.
struct Piece {
  size_t first;   // position
  uint32_t rows;  // of them
  bool tables;    // all of one key, which is worth tables
};

// Rows in an order in which those with one key lie side by side; first the keys of which there are most.
class Plan {
 public:
  Plan() { pthread_mutex_init(&lock_, nullptr); }
  ~Plan() {
    pthread_mutex_destroy(&lock_);
    free(order_);
    free(fresh_);
  }
  Plan(const Plan &) = delete;

  // No memory: false.  Then rows are added, group after group, those that are worth tables before the others.
  bool allocate_for(size_t rows) {
    order_ = allocate<size_t>(rows);
    fresh_ = allocate<uint8_t>(rows);
    return order_ != nullptr && fresh_ != nullptr;
  }
  void add(size_t row, bool new_key, bool tables) {
    order_[count_] = row;
    fresh_[count_++] = new_key;
    keys_ += new_key;
    if (tables) with_tables_ = count_;
  }

  size_t count() const { return count_; }
  size_t keys() const { return keys_; }  // at least as many as there are in any piece
  size_t row(size_t position) const { return order_[position]; }
  // Whether another key begins here.  The first row of a piece has to be taken for that, whatever this says.
  bool new_key(size_t position) const { return fresh_[position] != 0; }

  // The next piece, of at most so many rows and keys, and at least a few rows if there are; false if nothing is left.  `share` of
  // the rest is aimed at, so that all who take end together.
  bool take(Piece &piece, uint32_t most_rows, uint32_t most_keys, uint32_t share) {
    pthread_mutex_lock(&lock_);
    const bool some = next_ < count_;
    if (some) {
      constexpr size_t few = 1024;
      size_t most = (count_ - next_) / share + 1;
      if (most < few) most = few;
      if (most > most_rows) most = most_rows;
      piece = {next_, 0, next_ < with_tables_};
      for (uint32_t keys = 0; next_ < count_ && piece.rows < most; next_++, piece.rows++) {
        const bool another = piece.rows == 0 || new_key(next_);
        if (another && piece.rows > 0 && (piece.tables || next_ == with_tables_)) break;
        if (another && ++keys > most_keys) break;
      }
    }
    pthread_mutex_unlock(&lock_);
    return some;
  }

 private:
  size_t *order_ = nullptr;
  uint8_t *fresh_ = nullptr;
  size_t count_ = 0, keys_ = 0, with_tables_ = 0, next_ = 0;
  pthread_mutex_t lock_;
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
