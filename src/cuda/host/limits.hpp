// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/host/device.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// How much is done together.  From the bounds of docs/gpu.md, not from measurements: there are none yet.
struct Limits {
  uint32_t rows = 8192;    // of a wave: enough to fill any device, few enough that two waves overlap
  uint32_t keys = 8192;    // of a wave
  uint32_t pass_rows = 0;  // whose products are in memory at a time
  uint32_t pass_keys = 0;  // expanded at a time

  void keep_in_order() {
    if (keys > rows) keys = rows;
    if (pass_rows > rows) pass_rows = rows;
    if (pass_keys > keys) pass_keys = keys;
  }
};

// Rows whose products are computed together fill a device several times over, whatever its size: on an H100 they are 2112.
inline constexpr uint32_t pass_rows_per_multiprocessor = 16;

struct Room {
  size_t memory, pinned;
};

// Reserves memory for both lanes, with fewer and fewer rows until it suffices; `room` says how much some limits take.  False if
// there is none even for one row, or if the device fails.
template <class F> bool reserve_lanes(Device &device, Limits &limits, F room) {
  for (; limits.rows > 0; limits.rows /= 2) {
    limits.keep_in_order();
    const Room r = room(limits);
    bool enough = true;
    for (Lane &lane : device.at) enough = enough && device.reserve(lane, r.memory, r.pinned);
    if (enough || !device.ok()) return enough;
  }
  return false;
}

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
