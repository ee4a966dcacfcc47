// SPDX-License-Identifier: Apache-2.0
// Verification on a device, wave by wave.
#pragma once
#include <aioli/batch.h>

#include "cuda/host/limits.hpp"
#include "cuda/host/messages.hpp"
#include "cuda/host/plan.hpp"
#include "cuda/host/run.hpp"

namespace aioli::inline AIOLI_ISA {
namespace cuda {

class VerifyWork {
 public:
  static constexpr bool secret = false;
  // A group of so many rows fills the device with tiles of tables (one per window of an m-vector column and table_rows rows); a smaller one
  // is done by masks.
  static constexpr size_t worth_tables = 256;

  VerifyWork(const Set &set, int number, const aioli_alg *alg, bool digests, aioli_status *status, const aioli_verify_row *rows,
             Plan &plan, size_t devices)
      : set_(set), s_(set.layout), number_(number), alg_(alg), digests_(digests), status_(status), rows_(rows), plan_(plan),
        share_(uint32_t(devices) * Device::lanes) {}

  struct Wave {
    Piece piece;
    const uint8_t *verdicts;  // pinned
  };
  struct Waves {
    Limits limits;
    Wave of[Device::lanes];
  };

  bool prepare(Device &device, Waves &waves) {
    Limits &l = waves.limits;
    const uint32_t in_cache = uint32_t(device.cache_bytes / 4 * 3 / Device::lanes / (4 * s_.public_words));
    l.pass_keys = in_cache < 64 ? 64 : in_cache;
    if (plan_.count() < l.rows) l.rows = uint32_t(plan_.count());
    const auto room_of = [this](const Limits &limits) {
      const Room masks = room(limits, false), tables = room(limits, true);
      return Room{masks.memory > tables.memory ? masks.memory : tables.memory, masks.pinned};
    };
    if (!reserve_lanes(device, l, room_of)) return false;
    return device.load(set_, number_);
  }

  bool begin(Device &device, Waves &waves, int lane_number) {
    Wave &wave = waves.of[lane_number];
    const Lane &lane = device.at[lane_number];
    if (!plan_.take(wave.piece, waves.limits.rows, waves.limits.keys, share_)) return false;
    const Piece &piece = wave.piece;
    const auto row = [&](uint32_t i) -> const aioli_verify_row & { return rows_[plan_.row(piece.first + i)]; };

    Sizes sizes = {0, waves.limits.pass_rows, waves.limits.pass_keys, Messages::measure(piece.rows, digests_, row), piece.tables};
    for (uint32_t i = 0; i < piece.rows; i++) sizes.keys += starts_key(piece, i);
    if (piece.tables && sizes.pass_rows > s_.table_rows) sizes.pass_rows -= sizes.pass_rows % s_.table_rows;  // whole tiles
    Input host, input;
    Memory m;
    Carver pinned(reinterpret_cast<uintptr_t>(lane.pinned)), memory(lane.memory);
    host.carve(pinned, s_, sizes);
    input.carve(memory, s_, sizes);
    const size_t input_bytes = pinned.used();
    uint8_t *verdicts;
    pinned.take(verdicts, piece.rows);
    wave.verdicts = verdicts;
    m.carve(memory, s_, sizes);

    if (!host.messages.fill(alg_, s_, sizes.messages, digests_, row)) return false;
    uint32_t key = 0;
    for (uint32_t i = 0; i < piece.rows; i++) {
      if (starts_key(piece, i))
        __builtin_memcpy(host.public_keys + uint64_t(key++) * s_.public_key_bytes, row(i).pk, s_.public_key_bytes);
      host.keys[i] = key - 1;
      __builtin_memcpy(host.signatures + uint64_t(i) * s_.signature_bytes, row(i).sig, s_.signature_bytes);
    }
    // A pass counts its keys from the first that it has: all passes are laid out before the copy begins.
    Pass passes[most_passes];
    uint32_t pass_count = 0;
    for (uint32_t i = 0; i < piece.rows; pass_count++) {
      if (pass_count == most_passes) return false;
      passes[pass_count] = next_pass(host.keys, i, sizes);
      i += passes[pass_count].rows;
    }
    if (!device.upload(lane, input.signatures, host.signatures, input_bytes)) return false;
    enqueue_rows(device, lane, input, m, sizes);
    if (piece.tables) {
      enqueue_key(device, lane, input.public_keys, m, 1);
      for (uint32_t p = 0; p < pass_count; p++) enqueue_with_tables(device, lane, input, m, passes[p]);
    } else {
      for (uint32_t p = 0; p < pass_count; p++) enqueue_with_masks(device, lane, input, m, passes[p]);
    }
    device.download(lane, verdicts, m.verdicts, piece.rows);
    return device.ok();
  }

  Progress advance(Device &, Waves &waves, int lane_number) {
    const Wave &wave = waves.of[lane_number];
    for (uint32_t i = 0; i < wave.piece.rows; i++)
      status_[plan_.row(wave.piece.first + i)] = wave.verdicts[i] == 1 ? AIOLI_OK : AIOLI_ERR_SIGNATURE;
    return Progress::done;
  }

 private:
  struct Sizes {
    uint32_t keys, pass_rows, pass_keys;
    Messages::Sizes messages;
    bool tables;
    uint32_t rows() const { return messages.rows; }
  };
  struct Input {
    uint8_t *signatures, *public_keys;
    uint32_t *keys;  // of each row, counted from the first key of its pass
    Messages messages;
    void carve(Carver &c, const SetLayout &s, const Sizes &z) {
      c.take(signatures, uint64_t(z.rows()) * s.signature_bytes);
      c.take(public_keys, uint64_t(z.keys) * s.public_key_bytes);
      c.take(keys, z.rows());
      messages.carve(c, s, z.messages);
    }
  };
  struct Memory {
    uint32_t *targets, *row_schedules, *lambda, *key_schedules, *expanded, *products;
    uint8_t *lambda_keys, *indices, *verdicts;
    void carve(Carver &c, const SetLayout &s, const Sizes &z) {
      const uint64_t rows = z.rows(), keys = z.tables ? 1 : z.pass_keys;
      c.take(targets, rows * s.mvector_words);
      c.take(lambda_keys, rows * 32);
      c.take(row_schedules, s.linear_term ? rows * s.round_key_words : 0);
      c.take(lambda, s.linear_term ? rows * s.lambda_words : 0);
      c.take(key_schedules, keys * s.round_key_words);
      c.take(expanded, keys * s.public_words);
      c.take(products, uint64_t(z.pass_rows) * s.verify_product_words);
      c.take(indices, z.tables ? s.index_bytes(z.pass_rows) : 0);
      c.take(verdicts, rows);
      if (!s.linear_term) lambda = nullptr;
    }
  };
  Room room(const Limits &l, bool tables) const {
    const Sizes sizes = {l.keys, l.pass_rows, l.pass_keys, Messages::most(l.rows), tables};
    Input input;
    Memory m;
    Carver memory(0), pinned(0);
    input.carve(pinned, s_, sizes);
    input.carve(memory, s_, sizes);
    uint8_t *verdicts;
    pinned.take(verdicts, sizes.rows());
    m.carve(memory, s_, sizes);
    return {memory.used(), pinned.used()};
  }

  struct Pass {
    uint32_t first_row, rows, first_key, keys;
  };
  static constexpr uint32_t most_passes = 1024;

  bool starts_key(const Piece &piece, uint32_t i) const { return i == 0 || (!piece.tables && plan_.new_key(piece.first + i)); }

  Pass next_pass(uint32_t *keys, uint32_t first, const Sizes &sizes) const {
    Pass p = {first, 0, keys[first], 0};
    for (uint32_t i = first; i < sizes.rows() && p.rows < sizes.pass_rows; i++) {
      const uint32_t key = keys[i] - p.first_key;
      if (key >= sizes.pass_keys) break;
      keys[i] = key;
      p.keys = key + 1;
      p.rows++;
    }
    return p;
  }

  // What each row needs, whatever its key.
  void enqueue_rows(Device &device, const Lane &lane, const Input &in, const Memory &m, const Sizes &z) const {
    const uint32_t rows = z.rows();
    if (z.messages.hash)
      device.launch(lane, HashMessagesArgs{in.messages.digests, in.messages.bytes, in.messages.offsets, rows, s_.digest_bytes});
    device.launch(lane, HashTargetsArgs{m.targets, m.lambda_keys, in.messages.digests, in.signatures + s_.s_bytes, rows,
                                        s_.digest_bytes, s_.signature_bytes});
    if (!s_.linear_term) return;
    device.launch(lane, ScheduleKeysArgs{m.row_schedules, m.lambda_keys, rows, 32});
    device.launch(lane, ExpandArgs{m.lambda, m.row_schedules, m.lambda_keys + 16, rows, s_.n, s_.lambda_words, 32});
  }
  void enqueue_key(Device &device, const Lane &lane, const uint8_t *public_keys, const Memory &m, uint32_t keys) const {
    device.launch(lane, ScheduleKeysArgs{m.key_schedules, public_keys, keys, s_.public_key_bytes});
    device.launch(lane, ExpandArgs{m.expanded, m.key_schedules, nullptr, keys, s_.P_entries, s_.public_words, 0});
    device.launch(lane, UnpackOilArgs{m.expanded, public_keys, keys, s_.public_key_bytes});
  }
  const uint32_t *lambda_of(const Memory &m, const Pass &p) const {
    return m.lambda != nullptr ? m.lambda + uint64_t(p.first_row) * s_.lambda_words : nullptr;
  }
  void enqueue_with_masks(Device &device, const Lane &lane, const Input &in, const Memory &m, const Pass &p) const {
    enqueue_key(device, lane, in.public_keys + uint64_t(p.first_key) * s_.public_key_bytes, m, p.keys);
    const uint8_t *signatures = in.signatures + uint64_t(p.first_row) * s_.signature_bytes;
    device.launch(lane, VerifyTimesArgs{m.products, m.expanded, signatures, lambda_of(m, p), in.keys + p.first_row, p.rows,
                                        s_.signature_bytes});
    enqueue_sums(device, lane, in, m, p, nullptr);
  }
  void enqueue_with_tables(Device &device, const Lane &lane, const Input &in, const Memory &m, const Pass &p) const {
    const uint8_t *signatures = in.signatures + uint64_t(p.first_row) * s_.signature_bytes;
    device.launch(lane, VerifyIndicesArgs{m.indices, signatures, p.rows, s_.signature_bytes});
    device.launch(lane, VerifyTablesArgs{m.products, m.expanded, m.indices, p.rows});
    enqueue_sums(device, lane, in, m, p, lambda_of(m, p));
  }
  void enqueue_sums(Device &device, const Lane &lane, const Input &in, const Memory &m, const Pass &p,
                    const uint32_t *lambda) const {
    device.launch(lane, VerifySumsArgs{m.verdicts + p.first_row, m.products,
                                       in.signatures + uint64_t(p.first_row) * s_.signature_bytes,
                                       m.targets + uint64_t(p.first_row) * s_.mvector_words, lambda, p.rows, s_.signature_bytes});
  }

  const Set &set_;
  const SetLayout &s_;
  const int number_;
  const aioli_alg *const alg_;
  const bool digests_;
  aioli_status *const status_;
  const aioli_verify_row *const rows_;
  Plan &plan_;
  const uint32_t share_;
};

}  // namespace cuda
}  // namespace aioli::inline AIOLI_ISA
