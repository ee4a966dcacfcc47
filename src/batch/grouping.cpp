// SPDX-License-Identifier: Apache-2.0
#include "batch/grouping.hpp"

#include <stdlib.h>

#include "batch/memory.hpp"

namespace aioli {
namespace {
// SplitMix64: a stream of words from a seed.
uint64_t next_word(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
}  // namespace

Fingerprint::Fingerprint(uint64_t seed) {
  for (uint32_t &word : shift_) word = uint32_t(next_word(seed));
  for (uint32_t &word : shift_of_sums_) word = uint32_t(next_word(seed));
}

uint64_t Fingerprint::of_piece(const uint8_t *piece, size_t n) const {
  uint64_t sum = 0;
  const uint32_t *shift = shift_;
  const auto add = [&](uint64_t pair) {
    sum += uint64_t(uint32_t(pair) + shift[0]) * (uint32_t(pair >> 32) + shift[1]);
    shift += 2;
  };
  for (; n >= 8; piece += 8, n -= 8) add(load64(piece));
  if (n > 0) add(load_partial(piece, int(n)));
  return sum;
}

uint64_t Fingerprint::of(const uint8_t *key, size_t n) const {
  if (n <= piece_bytes) return of_piece(key, n);
  uint64_t sum = 0;
  const uint32_t *shift = shift_of_sums_;
  for (size_t at = 0; at < n; at += piece_bytes, shift += 2) {
    const uint64_t piece = of_piece(key + at, n - at < piece_bytes ? n - at : piece_bytes);
    sum += uint64_t(uint32_t(piece) + shift[0]) * (uint32_t(piece >> 32) + shift[1]);
  }
  return sum;
}

// A tag that occurs.
struct Grouping::Cell {
  uint64_t tag;
  size_t next;  // of the same bucket, or none
  size_t count, first;
};

Grouping::~Grouping() {
  free(order_);
  free(groups_);
}

bool Grouping::build(uint64_t *tags, size_t count, size_t worth, uint64_t seed) {
  constexpr size_t none = ~size_t{0};
  if (count > SIZE_MAX / sizeof(Cell)) return false;
  int bits = 1;
  while ((uint64_t{1} << bits) < count) bits++;
  const Allocation<Cell> cells(count);
  const size_t bucket_count = size_t{1} << bits;
  const Allocation<size_t> buckets(bucket_count);
  order_ = allocate<size_t>(count);
  if (cells.at == nullptr || buckets.at == nullptr || order_ == nullptr) return false;
  __builtin_memset(buckets.at, 0xff, bucket_count * sizeof(size_t));
  static_assert(none == SIZE_MAX);

  // A random odd factor, so that nobody fills one bucket on purpose.
  const uint64_t factor = next_word(seed) | 1;
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (tags[i] == alone) continue;
    size_t &head = buckets.at[size_t((tags[i] * factor) >> (64 - bits))];
    size_t at = head;
    while (at < used && cells.at[at].tag != tags[i]) at = cells.at[at].next;
    if (at >= used) {
      at = used++;
      cells.at[at] = {tags[i], head, 0, none};
      head = at;
    }
    cells.at[at].count++;
    tags[i] = at;
  }

  for (size_t c = 0; c < used; c++)
    if (cells.at[c].count >= worth) group_count_++;
  groups_ = allocate<Group>(group_count_);
  if (groups_ == nullptr) return false;
  size_t g = 0;
  for (size_t c = 0; c < used; c++) {
    Cell &cell = cells.at[c];
    if (cell.count < worth) continue;
    cell.first = grouped_;
    groups_[g++] = {grouped_, cell.count};
    grouped_ += cell.count;
  }
  size_t single = grouped_;
  for (size_t i = 0; i < count; i++) {
    const bool in_group = tags[i] != alone && cells.at[tags[i]].first != none;
    order_[in_group ? cells.at[tags[i]].first++ : single++] = i;
  }
  return true;
}

}  // namespace aioli
