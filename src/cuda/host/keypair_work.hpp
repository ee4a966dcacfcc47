// SPDX-License-Identifier: Apache-2.0
// Making keys on a device, wave by wave.
#pragma once
#include <aioli/cuda.h>

#include "base/bytes.hpp"
#include "cuda/host/carver.hpp"
#include "cuda/host/work.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

class KeypairWork : Work<aioli_keypair_row> {
 public:
  static constexpr bool secret = true;

  // `drawn`: for each row without a seed of its own the one that was drawn, seed_sk_bytes each.
  KeypairWork(const Task<Row> &task, const uint8_t *drawn) : Work(task), drawn_(drawn) {}

  struct Wave {
    Piece piece;
    const uint8_t *seeds, *public_keys;  // pinned
  };
  struct Waves {
    Limits limits;
    Wave of[Device::lanes];
  };

  bool prepare(Device &device, Waves &waves) {
    set_limits(device, waves.limits, plan_->count(), s_.secret_words);
    return reserve_lanes(device, waves.limits, [this](const Limits &limits) { return room(limits, limits.rows); }) &&
           device.load(set_, number_);
  }

  bool begin(Device &device, Waves &waves, int lane_number) {
    Wave &w = waves.of[lane_number];
    const Lane &lane = device.at[lane_number];
    if (!take(w.piece, waves.limits, waves.limits.rows)) return false;
    const uint32_t rows = w.piece.rows;
    Carver pinned(reinterpret_cast<uintptr_t>(lane.pinned)), memory(lane.memory);
    Ends host, device_side;
    host.carve(pinned, s_, rows);
    device_side.carve(memory, s_, rows);
    Memory m;
    m.carve(memory, s_, waves.limits.pass_keys);
    w.seeds = host.seeds;
    w.public_keys = host.public_keys;
    for (uint32_t i = 0; i < rows; i++)
      copy(host.seeds + uint64_t(i) * s_.seed_sk_bytes, seed_of(number_of(w.piece, i)), s_.seed_sk_bytes);

    device.upload(lane, device_side.seeds, host.seeds, uint64_t(rows) * s_.seed_sk_bytes);
    enqueue(device, lane, m, waves.limits, device_side, rows);
    return device.download(lane, host.public_keys, device_side.public_keys, uint64_t(rows) * s_.public_key_bytes);
  }

  // Keys whose seeds are on the device already, and their public keys will be.  Waits until all is done.  False if the device
  // failed or has no memory for it.
  bool keypair_arrays(Device &device, const aioli_cuda_keypair_arrays &arrays) {
    Limits l;
    set_limits(device, l, arrays.count, s_.secret_words);
    // Room for one row's ends, although none is wanted: no driver gives zero bytes.
    if (!reserve_lanes(device, l, [this](const Limits &limits) { return room(limits, 1); }) || !device.load(set_, number_))
      return false;
    const Lane &lane = device.at[0];
    Carver memory(lane.memory);
    Memory m;
    m.carve(memory, s_, l.pass_keys);
    for (size_t first = 0; first < arrays.count && device.ok(); first += l.rows) {
      const uint32_t rows = uint32_t(arrays.count - first < l.rows ? arrays.count - first : l.rows);
      Ends ends;
      ends.seeds = const_cast<uint8_t *>(arrays.sk) + first * arrays.sk_stride, ends.seed_stride = arrays.sk_stride;
      ends.public_keys = arrays.pk + first * arrays.pk_stride, ends.public_key_stride = arrays.pk_stride;
      enqueue(device, lane, m, l, ends, rows);
    }
    return device.wait(lane);
  }

  Progress advance(Device &, Waves &waves, int lane_number) {
    const Wave &w = waves.of[lane_number];
    for (uint32_t i = 0; i < w.piece.rows; i++) {
      const size_t r = number_of(w.piece, i);
      copy(rows_[r].pk, w.public_keys + uint64_t(i) * s_.public_key_bytes, s_.public_key_bytes);
      if (rows_[r].sk != rows_[r].seed) copy(rows_[r].sk, w.seeds + uint64_t(i) * s_.seed_sk_bytes, s_.seed_sk_bytes);
      status_[r] = AIOLI_OK;
    }
    return Progress::done;
  }

 private:
  struct Ends {  // pinned, and on the device
    uint8_t *seeds, *public_keys;
    uint32_t seed_stride, public_key_stride;
    void carve(Carver &c, const SetLayout &s, uint64_t rows) {
      c.take(seeds, rows * s.seed_sk_bytes);
      c.take(public_keys, rows * s.public_key_bytes);
      seed_stride = s.seed_sk_bytes, public_key_stride = s.public_key_bytes;
    }
  };
  struct Memory {
    uint32_t *oil, *schedules, *expanded, *products;
    void carve(Carver &c, const SetLayout &s, uint64_t keys) {
      c.take(oil, keys * s.oil_words);
      c.take(schedules, keys * s.round_key_words);
      c.take(expanded, keys * s.secret_words);
      c.take(products, keys * s.keygen_product_words);
    }
  };
  // `rows` of them with both ends.
  Room room(const Limits &l, uint32_t rows) const {
    Carver memory(0), pinned(0);
    Ends ends;
    Memory m;
    ends.carve(pinned, s_, rows);
    ends.carve(memory, s_, rows);
    m.carve(memory, s_, l.pass_keys);
    return {memory.used(), pinned.used()};
  }
  const uint8_t *seed_of(size_t r) const { return rows_[r].seed != nullptr ? rows_[r].seed : drawn_ + r * s_.seed_sk_bytes; }

  void enqueue(Device &device, const Lane &lane, const Memory &m, const Limits &l, const Ends &ends, uint32_t rows) const {
    for (uint32_t first = 0; first < rows; first += l.pass_keys) {
      const uint32_t n = rows - first < l.pass_keys ? rows - first : l.pass_keys;
      const uint8_t *seeds = ends.seeds + uint64_t(first) * ends.seed_stride;
      uint8_t *public_keys = ends.public_keys + uint64_t(first) * ends.public_key_stride;
      device.launch(lane, ExpandSeedsArgs{public_keys, m.oil, seeds, n, ends.public_key_stride, ends.seed_stride});
      device.launch(lane, ScheduleKeysArgs{m.schedules, public_keys, n, ends.public_key_stride});
      device.launch(lane, ExpandArgs{m.expanded, m.schedules, nullptr, n, s_.P_entries, s_.secret_words, 0});
      device.launch(lane, KeygenTimesArgs{m.products, m.expanded, m.oil, n});
      device.launch(lane, KeygenSumsArgs{public_keys, m.products, m.oil, n, ends.public_key_stride});
    }
  }

  const uint8_t *const drawn_;
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
