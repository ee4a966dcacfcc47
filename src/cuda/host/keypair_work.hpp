// SPDX-License-Identifier: Apache-2.0
// Making keys on a device, wave by wave.
#pragma once
#include <aioli/batch.h>

#include "base/bytes.hpp"
#include "cuda/host/carver.hpp"
#include "cuda/host/limits.hpp"
#include "cuda/host/plan.hpp"
#include "cuda/host/run.hpp"

namespace aioli::inline AIOLI_ISA {
namespace cuda {

class KeypairWork {
 public:
  static constexpr bool secret = true;

  // `drawn`: for each row without a seed of its own the one that was drawn, seed_sk_bytes each.
  KeypairWork(const Set &set, int number, aioli_status *status, const aioli_keypair_row *rows, Plan &plan, size_t devices,
              const uint8_t *drawn)
      : set_(set),
        s_(set.layout),
        number_(number),
        status_(status),
        rows_(rows),
        plan_(plan),
        share_(uint32_t(devices) * Device::lanes),
        drawn_(drawn) {}

  struct Wave {
    Piece piece;
    const uint8_t *seeds, *public_keys;  // pinned
  };
  struct Waves {
    Limits limits;
    Wave of[Device::lanes];
  };

  bool prepare(Device &device, Waves &waves) {
    Limits &l = waves.limits;
    if (plan_.count() < l.rows) l.rows = uint32_t(plan_.count());
    const uint32_t in_cache = uint32_t(device.cache_bytes / 4 * 3 / Device::lanes / (4 * s_.secret_words));
    l.pass_keys = in_cache < 64 ? 64 : in_cache;
    return reserve_lanes(device, l, [this](const Limits &limits) { return room(limits); }) && device.load(set_, number_);
  }

  bool begin(Device &device, Waves &waves, int lane_number) {
    Wave &w = waves.of[lane_number];
    const Lane &lane = device.at[lane_number];
    if (!plan_.take(w.piece, waves.limits.rows, waves.limits.rows, share_)) return false;
    const uint32_t rows = w.piece.rows, pass = waves.limits.pass_keys;
    Carver pinned(reinterpret_cast<uintptr_t>(lane.pinned)), memory(lane.memory);
    Ends host, device_side;
    host.carve(pinned, s_, rows);
    device_side.carve(memory, s_, rows);
    Memory m;
    m.carve(memory, s_, pass);
    w.seeds = host.seeds;
    w.public_keys = host.public_keys;
    for (uint32_t i = 0; i < rows; i++)
      copy(host.seeds + uint64_t(i) * s_.seed_sk_bytes, seed_of(w.piece.first + i), s_.seed_sk_bytes);

    device.upload(lane, device_side.seeds, host.seeds, uint64_t(rows) * s_.seed_sk_bytes);
    for (uint32_t first = 0; first < rows; first += pass) {
      const uint32_t n = rows - first < pass ? rows - first : pass;
      uint8_t *public_keys = device_side.public_keys + uint64_t(first) * s_.public_key_bytes;
      device.launch(lane, ExpandSeedsArgs{public_keys, m.oil, device_side.seeds + uint64_t(first) * s_.seed_sk_bytes, n,
                                          s_.public_key_bytes, s_.seed_sk_bytes});
      device.launch(lane, ScheduleKeysArgs{m.schedules, public_keys, n, s_.public_key_bytes});
      device.launch(lane, ExpandArgs{m.expanded, m.schedules, nullptr, n, s_.P_entries, s_.secret_words, 0});
      device.launch(lane, KeygenTimesArgs{m.products, m.expanded, m.oil, n});
      device.launch(lane, KeygenSumsArgs{public_keys, m.products, m.oil, n, s_.public_key_bytes});
    }
    return device.download(lane, host.public_keys, device_side.public_keys, uint64_t(rows) * s_.public_key_bytes);
  }

  Progress advance(Device &, Waves &waves, int lane_number) {
    const Wave &w = waves.of[lane_number];
    for (uint32_t i = 0; i < w.piece.rows; i++) {
      const size_t r = plan_.row(w.piece.first + i);
      copy(rows_[r].pk, w.public_keys + uint64_t(i) * s_.public_key_bytes, s_.public_key_bytes);
      if (rows_[r].sk != rows_[r].seed) copy(rows_[r].sk, w.seeds + uint64_t(i) * s_.seed_sk_bytes, s_.seed_sk_bytes);
      status_[r] = AIOLI_OK;
    }
    return Progress::done;
  }

 private:
  struct Ends {  // pinned, and on the device
    uint8_t *seeds, *public_keys;
    void carve(Carver &c, const SetLayout &s, uint64_t rows) {
      c.take(seeds, rows * s.seed_sk_bytes);
      c.take(public_keys, rows * s.public_key_bytes);
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
  Room room(const Limits &l) const {
    Carver memory(0), pinned(0);
    Ends ends;
    Memory m;
    ends.carve(pinned, s_, l.rows);
    ends.carve(memory, s_, l.rows);
    m.carve(memory, s_, l.pass_keys);
    return {memory.used(), pinned.used()};
  }
  const uint8_t *seed_of(size_t position) const {
    const size_t r = plan_.row(position);
    return rows_[r].seed != nullptr ? rows_[r].seed : drawn_ + r * s_.seed_sk_bytes;
  }

  const Set &set_;
  const SetLayout &s_;
  const int number_;
  aioli_status *const status_;
  const aioli_keypair_row *const rows_;
  Plan &plan_;
  const uint32_t share_;
  const uint8_t *const drawn_;
};

}  // namespace cuda
}  // namespace aioli::inline AIOLI_ISA
