// SPDX-License-Identifier: Apache-2.0
// What verify_work.hpp, sign_work.hpp and keypair_work.hpp have in common: the set, and the rows of the host that a plan hands
// out.
#pragma once
#include <aioli/batch.h>

#include "cuda/host/limits.hpp"
#include "cuda/host/plan.hpp"
#include "cuda/host/run.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// Of one call.  Arrays on a device have neither rows nor a plan.
template <class Row> struct Task {
  const Set &set;
  int number;
  const aioli_alg *alg;
  bool digests;  // are given for messages
  aioli_status *status;
  const Row *rows;
  Plan *plan;
  size_t devices;
};

template <class R> class Work {
 protected:
  using Row = R;
  explicit Work(const Task<Row> &task)
      : set_(task.set),
        s_(task.set.layout),
        number_(task.number),
        alg_(task.alg),
        digests_(task.digests),
        status_(task.status),
        rows_(task.rows),
        plan_(task.plan),
        share_(uint32_t(task.devices) * Device::lanes) {}

  bool take(Piece &piece, const Limits &limits, uint32_t most_keys) const {
    return plan_->take(piece, limits.rows, most_keys, share_);
  }
  // Row i of a piece: its number in the batch, itself, and whether another key begins with it.
  size_t number_of(const Piece &piece, uint32_t i) const { return plan_->row(piece.first + i); }
  const Row &row_of(const Piece &piece, uint32_t i) const { return rows_[number_of(piece, i)]; }
  bool starts_key(const Piece &piece, uint32_t i) const { return i == 0 || (!piece.tables && plan_->new_key(piece.first + i)); }
  uint32_t keys_of(const Piece &piece) const {
    uint32_t keys = 0;
    for (uint32_t i = 0; i < piece.rows; i++) keys += starts_key(piece, i);
    return keys;
  }

  // No more rows than there are, and products for as many at a time as the device is given.
  static void limit_rows(const Device &device, Limits &limits, size_t count) {
    if (count < limits.rows) limits.rows = uint32_t(count);
    limits.pass_rows = pass_rows_per_multiprocessor * device.multiprocessors;
  }
  // The same, and as many expanded keys at a time, of so many words, as the second-level cache holds.
  static void set_limits(const Device &device, Limits &limits, size_t count, uint32_t key_words) {
    limit_rows(device, limits, count);
    const uint32_t in_cache = uint32_t(device.cache_bytes / 4 * 3 / Device::lanes / (4 * key_words));
    limits.pass_keys = in_cache < 64 ? 64 : in_cache;
  }

  const Set &set_;
  const SetLayout &s_;
  const int number_;
  const aioli_alg *const alg_;
  const bool digests_;
  aioli_status *const status_;
  const Row *const rows_;
  Plan *const plan_;
  const uint32_t share_;
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
