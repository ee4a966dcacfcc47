// SPDX-License-Identifier: Apache-2.0
// Which rows share a key.
#pragma once
#include <aioli/sizes.h>

#include "base/bytes.hpp"

namespace aioli {

// A fingerprint of public keys that nobody can choose keys against: NH, the sum of products of pairs of 32-bit words, each
// shifted by a random word; and of keys of more than one piece of 8 KB the same of the pieces' sums.  Two keys of equal length
// share it with probability 2^-32, long ones 2^-31.  Were it so, the rows of one would take longer; nothing is
// decided by it.
class Fingerprint {
 public:
  explicit Fingerprint(uint64_t seed);
  uint64_t of(const uint8_t *key, size_t n) const;

 private:
  static constexpr size_t piece_bytes = 8192;
  uint64_t of_piece(const uint8_t *piece, size_t n) const;
  uint32_t shift_[piece_bytes / 8 * 2], shift_of_sums_[(AIOLI_MAX_PUBLIC_KEY_BYTES / piece_bytes + 1) * 2];
};

struct Group {
  size_t first, count;  // positions in Grouping::order
};

// The rows in an order in which those of a group lie side by side, groups first, then all rows that are better worked on singly.
class Grouping {
 public:
  static constexpr uint64_t alone = ~uint64_t{0};  // a tag of rows without a key

  Grouping() = default;
  ~Grouping();
  Grouping(const Grouping &) = delete;

  // Rows with equal tags are a group if there are at least `worth` of them.  Overwrites the tags.  False if there is no memory.
  bool build(uint64_t *tags, size_t count, size_t worth, uint64_t seed);

  size_t row(size_t position) const { return order_ != nullptr ? order_[position] : position; }
  const Group &group(size_t i) const { return groups_[i]; }
  size_t groups() const { return group_count_; }
  size_t grouped() const { return grouped_; }  // rows in groups: the position of the first single row

 private:
  struct Cell;
  size_t *order_ = nullptr;
  Group *groups_ = nullptr;
  size_t group_count_ = 0, grouped_ = 0;
};

}  // namespace aioli
