// SPDX-License-Identifier: Apache-2.0
// Verification on a device, wave by wave.
#pragma once
#include <aioli/cuda.h>

#include "cuda/host/messages.hpp"
#include "cuda/host/work.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

class VerifyWork : Work<aioli_verify_row> {
 public:
  static constexpr bool secret = false;
  // A group of so many rows fills the device with tiles of tables (one per window of an m-vector column and table_rows rows); a
  // smaller one is done by masks.
  static constexpr size_t worth_tables = 256;

  explicit VerifyWork(const Task<Row> &task) : Work(task) {}

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
    set_limits(device, l, plan_->count(), s_.public_words);
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
    if (!take(wave.piece, waves.limits, waves.limits.keys)) return false;
    const Piece &piece = wave.piece;
    const auto row = [&](uint32_t i) -> const Row & { return row_of(piece, i); };

    const Sizes sizes = sizes_of(waves.limits, keys_of(piece), Messages::measure(piece.rows, digests_, row), piece.tables);
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
      enqueue_keys(device, lane, input, m, 0, 1);
      for (uint32_t p = 0; p < pass_count; p++) enqueue_with_tables(device, lane, input, m, passes[p]);
    } else {
      for (uint32_t p = 0; p < pass_count; p++) enqueue_with_masks(device, lane, input, m, passes[p]);
    }
    device.download(lane, verdicts, m.verdicts, piece.rows);
    return device.ok();
  }

  // Rows that are on the device already, all of one key or each with its own; `verdicts` is on the device, too.  Waits until all
  // is done.  False if the device failed or has no memory for it.
  bool verify_arrays(Device &device, const aioli_cuda_verify_arrays &arrays) {
    Limits l;
    const bool one_key = arrays.pk_stride == 0, tables = one_key && arrays.count >= worth_tables;
    set_limits(device, l, arrays.count, s_.public_words);
    if (!reserve_lanes(device, l, [&](const Limits &limits) { return arrays_room(limits, tables); }) ||
        !device.load(set_, number_))
      return false;
    const Lane &lane = device.at[0];
    for (size_t first = 0; first < arrays.count && device.ok();) {
      const uint32_t rows = uint32_t(arrays.count - first < l.rows ? arrays.count - first : l.rows);
      const Sizes sizes = sizes_of(l, one_key ? 1 : rows, {rows, 0, false}, tables);
      Carver pinned(reinterpret_cast<uintptr_t>(lane.pinned)), memory(lane.memory);
      uint32_t *keys;
      Input in;
      Memory m;
      pinned.take(keys, rows);
      memory.take(in.keys, rows);
      m.carve(memory, s_, sizes);
      in.signatures = const_cast<uint8_t *>(arrays.sig) + first * arrays.sig_stride;
      in.messages.digests = const_cast<uint8_t *>(arrays.digest) + first * arrays.digest_stride;
      in.public_keys = const_cast<uint8_t *>(arrays.pk) + first * arrays.pk_stride;
      in.signature_stride = arrays.sig_stride, in.digest_stride = arrays.digest_stride;
      in.public_key_stride = one_key ? s_.public_key_bytes : arrays.pk_stride;
      m.verdicts = arrays.verdict + first;
      Pass passes[most_passes];
      uint32_t pass_count = 0;
      for (uint32_t i = 0; i < rows; i++) keys[i] = one_key ? 0 : i;
      for (uint32_t i = 0; i < rows && pass_count < most_passes; i += passes[pass_count++].rows)
        passes[pass_count] = next_pass(keys, i, sizes);
      device.upload(lane, in.keys, keys, rows * sizeof *keys);
      enqueue_rows(device, lane, in, m, sizes);
      if (one_key) enqueue_keys(device, lane, in, m, 0, 1);
      for (uint32_t p = 0; p < pass_count; p++) {
        if (tables)
          enqueue_with_tables(device, lane, in, m, passes[p]);
        else
          enqueue_with_masks(device, lane, in, m, passes[p], !one_key);
      }
      if (!device.wait(lane)) return false;  // before `keys` is written again
      first += rows;
    }
    return device.ok();
  }

  Progress advance(Device &, Waves &waves, int lane_number) {
    const Wave &wave = waves.of[lane_number];
    for (uint32_t i = 0; i < wave.piece.rows; i++)
      status_[number_of(wave.piece, i)] = wave.verdicts[i] == 1 ? AIOLI_OK : AIOLI_ERR_SIGNATURE;
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
    uint32_t signature_stride, public_key_stride, digest_stride;
    void carve(Carver &c, const SetLayout &s, const Sizes &z) {
      c.take(signatures, uint64_t(z.rows()) * s.signature_bytes);
      c.take(public_keys, uint64_t(z.keys) * s.public_key_bytes);
      c.take(keys, z.rows());
      messages.carve(c, s, z.messages);
      signature_stride = s.signature_bytes, public_key_stride = s.public_key_bytes, digest_stride = s.digest_bytes;
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
  // With tables a pass is of whole tiles, or of one that a wave does not fill.
  Sizes sizes_of(const Limits &l, uint32_t keys, const Messages::Sizes &messages, bool tables) const {
    uint32_t rows = l.pass_rows;
    if (tables) rows = rows > s_.table_rows ? rows - rows % s_.table_rows : l.rows < s_.table_rows ? l.rows : s_.table_rows;
    return {keys, rows, l.pass_keys, messages, tables};
  }
  Room arrays_room(const Limits &l, bool tables) const {
    const Sizes sizes = sizes_of(l, l.keys, {l.rows, 0, false}, tables);
    Carver memory(0), pinned(0);
    uint32_t *keys;
    Memory m;
    pinned.take(keys, l.rows);
    memory.take(keys, l.rows);
    m.carve(memory, s_, sizes);
    return {memory.used(), pinned.used()};
  }
  Room room(const Limits &l, bool tables) const {
    const Sizes sizes = sizes_of(l, l.keys, Messages::most(l.rows), tables);
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
                                        in.digest_stride, in.signature_stride});
    if (!s_.linear_term) return;
    device.launch(lane, ScheduleKeysArgs{m.row_schedules, m.lambda_keys, rows, 32});
    device.launch(lane, ExpandArgs{m.lambda, m.row_schedules, m.lambda_keys + 16, rows, s_.n, s_.lambda_words, 32});
  }
  void enqueue_keys(Device &device, const Lane &lane, const Input &in, const Memory &m, uint32_t first, uint32_t keys) const {
    const uint8_t *public_keys = in.public_keys + uint64_t(first) * in.public_key_stride;
    device.launch(lane, ScheduleKeysArgs{m.key_schedules, public_keys, keys, in.public_key_stride});
    device.launch(lane, ExpandArgs{m.expanded, m.key_schedules, nullptr, keys, s_.P_entries, s_.public_words, 0});
    device.launch(lane, UnpackOilArgs{m.expanded, public_keys, keys, in.public_key_stride});
  }
  const uint32_t *lambda_of(const Memory &m, const Pass &p) const {
    return m.lambda != nullptr ? m.lambda + uint64_t(p.first_row) * s_.lambda_words : nullptr;
  }
  void enqueue_with_masks(Device &device, const Lane &lane, const Input &in, const Memory &m, const Pass &p,
                          bool expand = true) const {
    if (expand) enqueue_keys(device, lane, in, m, p.first_key, p.keys);
    const uint8_t *signatures = in.signatures + uint64_t(p.first_row) * in.signature_stride;
    device.launch(lane, VerifyTimesArgs{m.products, m.expanded, signatures, lambda_of(m, p), in.keys + p.first_row, p.rows,
                                        in.signature_stride});
    enqueue_sums(device, lane, in, m, p);
  }
  void enqueue_with_tables(Device &device, const Lane &lane, const Input &in, const Memory &m, const Pass &p) const {
    const uint8_t *signatures = in.signatures + uint64_t(p.first_row) * in.signature_stride;
    device.launch(lane, VerifyIndicesArgs{m.indices, signatures, p.rows, in.signature_stride});
    device.launch(lane, VerifyTablesArgs{m.products, m.expanded, m.indices, lambda_of(m, p), p.rows});
    enqueue_sums(device, lane, in, m, p);
  }
  void enqueue_sums(Device &device, const Lane &lane, const Input &in, const Memory &m, const Pass &p) const {
    device.launch(
        lane, VerifySumsArgs{m.verdicts + p.first_row, m.products, in.signatures + uint64_t(p.first_row) * in.signature_stride,
                             m.targets + uint64_t(p.first_row) * s_.mvector_words, p.rows, in.signature_stride});
  }
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
