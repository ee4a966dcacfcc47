// SPDX-License-Identifier: Apache-2.0
// The messages of a wave on their way to the device: as they are if all are short, and else as digests that the host has made.
#pragma once
#include <aioli/aioli.h>

#include "base/bytes.hpp"
#include "cuda/device/kernels.hpp"
#include "cuda/host/carver.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

struct Messages {
  // A thread hashes one message, and the longest holds up all.
  static constexpr size_t longest = 1024, room_per_row = 128;

  uint8_t *digests = nullptr;
  uint8_t *bytes = nullptr;  // and offsets: null unless the device hashes
  uint64_t *offsets = nullptr;

  struct Sizes {
    uint32_t rows;
    uint64_t bytes;
    bool hash;  // the device does
  };
  static Sizes most(uint32_t rows) { return {rows, rows * room_per_row, true}; }

  // `message(i)` is the row i of the wave, with fields msg and msg_bytes.
  template <class F> static Sizes measure(uint32_t rows, bool given_digests, F message) {
    Sizes sizes = {rows, 0, !given_digests};
    for (uint32_t i = 0; i < rows && sizes.hash; i++) {
      const size_t n = message(i).msg_bytes;
      sizes.bytes += n;
      sizes.hash = n <= longest && sizes.bytes <= rows * room_per_row;
    }
    return sizes;
  }

  // On both sides alike.  Digests are on both, whoever makes them.
  void carve(Carver &c, const SetLayout &s, const Sizes &sizes) {
    c.take(digests, uint64_t(sizes.rows) * s.digest_bytes);
    if (!sizes.hash) return;
    c.take(bytes, sizes.bytes);
    c.take(offsets, sizes.rows + uint64_t{1});
  }

  template <class F>
  bool fill(const aioli_alg *alg, const SetLayout &s, const Sizes &sizes, bool given_digests, F message) const {
    if (sizes.hash) {
      uint64_t at = 0;
      for (uint32_t i = 0; i < sizes.rows; i++) {
        const auto &row = message(i);
        offsets[i] = at;
        if (row.msg_bytes > 0) __builtin_memcpy(bytes + at, row.msg, row.msg_bytes);
        at += row.msg_bytes;
      }
      offsets[sizes.rows] = at;
      return true;
    }
    if (given_digests) {
      for (uint32_t i = 0; i < sizes.rows; i++)
        __builtin_memcpy(digests + uint64_t(i) * s.digest_bytes, message(i).msg, s.digest_bytes);
      return true;
    }
    constexpr uint32_t together = 64;
    const uint8_t *msgs[together];
    size_t msg_bytes[together];
    for (uint32_t first = 0; first < sizes.rows; first += together) {
      uint32_t n = 0;
      for (; n < together && first + n < sizes.rows; n++)
        msgs[n] = message(first + n).msg, msg_bytes[n] = message(first + n).msg_bytes;
      if (aioli_digest_batch(alg, digests + uint64_t(first) * s.digest_bytes, s.digest_bytes, msgs, msg_bytes, n) != AIOLI_OK)
        return false;
    }
    return true;
  }
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
