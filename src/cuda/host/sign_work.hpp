// SPDX-License-Identifier: Apache-2.0
// Signing on a device, wave by wave; within a wave attempt by attempt, each with the rows that the one before left without a
// solution.
#pragma once
#include <aioli/cuda.h>

#include "cuda/host/messages.hpp"
#include "cuda/host/work.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

class SignWork : Work<aioli_sign_row> {
 public:
  static constexpr bool secret = true;
  static constexpr int most_attempts = 256;

  // `randomness`: R of each row of the batch, R_bytes each.
  SignWork(const Task<Row> &task, const uint8_t *randomness) : Work(task), randomness_(randomness) {}

 private:
  struct Sizes {
    uint32_t keys, pass_rows;
    Messages::Sizes messages;
    bool arrays;  // seeds, digests and signatures are the caller's, on the device
    uint32_t rows() const { return messages.rows; }
  };
  struct Input {
    uint8_t *seeds, *randomness;
    uint32_t *keys;  // of each row
    Messages messages;
    uint32_t seed_stride, randomness_stride, digest_stride;
    void carve(Carver &c, const SetLayout &s, const Sizes &z) {
      c.take(seeds, z.arrays ? 0 : uint64_t(z.keys) * s.seed_sk_bytes);
      c.take(randomness, uint64_t(z.rows()) * s.R_bytes);
      c.take(keys, z.rows());
      if (!z.arrays) messages.carve(c, s, z.messages);
      seed_stride = s.seed_sk_bytes, randomness_stride = s.R_bytes, digest_stride = s.digest_bytes;
    }
  };
  // Of one attempt at each row that is left: what is copied to the device before it, and back after it.
  struct Attempt {
    uint32_t *rows;
    uint8_t *solved, *signatures;  // of all rows
    uint32_t signature_stride;
    void carve(Carver &c, const SetLayout &s, const Sizes &z) {
      c.take(rows, z.rows());
      c.take(solved, z.rows());
      c.take(signatures, z.arrays ? 0 : uint64_t(z.rows()) * s.signature_bytes);
      signature_stride = s.signature_bytes;
    }
  };
  // Expanded keys.  They come first, so that the one of a wave is where the next wave looks for it, if that is of the same key.
  struct Keys {
    uint32_t *oil, *schedules, *expanded;
    uint8_t *seeds_pk;
    void carve(Carver &c, const SetLayout &s, uint64_t keys) {
      c.take(seeds_pk, keys * s.seed_pk_bytes);
      c.take(oil, keys * s.oil_words);
      c.take(schedules, keys * s.round_key_words);
      c.take(expanded, keys * s.secret_words);
    }
  };
  struct Memory {
    uint32_t *attempts, *targets, *row_schedules, *lambda, *oil_terms, *vinegar, *products, *right_sides;
    uint8_t *lambda_keys;
    void carve(Carver &c, const SetLayout &s, const Sizes &z) {
      const uint64_t rows = z.rows(), slots = z.pass_rows;
      c.take(attempts, rows);
      c.take(targets, rows * s.mvector_words);
      c.take(lambda_keys, rows * 32);
      c.take(row_schedules, s.linear_term ? rows * s.round_key_words : 0);
      c.take(lambda, s.linear_term ? rows * s.lambda_words : 0);
      c.take(oil_terms, s.linear_term ? rows * s.oil_term_words : 0);
      c.take(vinegar, slots * s.vinegar_words);
      c.take(products, slots * s.sign_product_words);
      c.take(right_sides, slots * s.mvector_words);
      if (!s.linear_term) lambda = oil_terms = nullptr;
    }
  };

 public:
  struct Wave {
    Piece piece;
    uint32_t left;  // rows without a signature
    int attempts;
    Sizes sizes;
    Input input;            // on the device
    Attempt host, attempt;  // pinned, and on the device
    Keys keys;
    Memory memory;
  };
  struct Waves {
    Limits limits;
    Wave of[Device::lanes];
    const uint8_t *expanded[Device::lanes];  // the only key that is expanded in the lane's memory
  };

  bool prepare(Device &device, Waves &waves) { return prepare(device, waves.limits, plan_->count(), plan_->keys(), false); }

  bool begin(Device &device, Waves &waves, int lane_number) {
    Wave &w = waves.of[lane_number];
    const Lane &lane = device.at[lane_number];
    if (!take(w.piece, waves.limits, waves.limits.keys)) return false;
    const Piece &piece = w.piece;
    const auto row = [&](uint32_t i) -> const Row & { return row_of(piece, i); };

    w.sizes = {keys_of(piece), waves.limits.pass_rows, Messages::measure(piece.rows, digests_, row), false};
    Input host;
    const size_t input_bytes = lay_out(lane, w, host);
    if (!host.messages.fill(alg_, s_, w.sizes.messages, digests_, row)) return false;
    uint32_t key = 0;
    for (uint32_t i = 0; i < piece.rows; i++) {
      if (starts_key(piece, i)) __builtin_memcpy(host.seeds + uint64_t(key++) * s_.seed_sk_bytes, row(i).sk, s_.seed_sk_bytes);
      host.keys[i] = key - 1;
      __builtin_memcpy(host.randomness + uint64_t(i) * s_.R_bytes, randomness_ + number_of(piece, i) * s_.R_bytes, s_.R_bytes);
    }
    start_attempts(w);
    const uint8_t *only = w.sizes.keys == 1 ? row(0).sk : nullptr, *&expanded = waves.expanded[lane_number];
    device.upload(lane, w.input.seeds, host.seeds, input_bytes);
    if (only == nullptr || only != expanded) enqueue_keys(device, lane, w);
    expanded = only;
    return enqueue_rows(device, lane, w) && enqueue_attempt(device, lane, w);
  }

  Progress advance(Device &device, Waves &waves, int lane_number) {
    Wave &w = waves.of[lane_number];
    keep_unsolved(w, [&](uint32_t i) {
      const size_t r = number_of(w.piece, i);
      copy(rows_[r].sig, w.host.signatures + uint64_t(i) * s_.signature_bytes, s_.signature_bytes);
      status_[r] = AIOLI_OK;
    });
    if (w.left == 0) return Progress::done;
    if (w.attempts == most_attempts) {
      for (uint32_t slot = 0; slot < w.left; slot++) status_[number_of(w.piece, w.host.rows[slot])] = AIOLI_ERR_NO_SOLUTION;
      return Progress::done;
    }
    enqueue_attempt(device, device.at[lane_number], w);
    return Progress::more;
  }

  // Rows that are on the device already, all of one key or each with its own; so are the signatures.  `randomness`: R of all
  // rows, on the host, or null if that is on the device, too.  Waits until all is done.  AIOLI_ERR_DEVICE, AIOLI_ERR_MEMORY,
  // AIOLI_ERR_NO_SOLUTION.
  aioli_status sign_arrays(Device &device, const aioli_cuda_sign_arrays &arrays, const uint8_t *randomness) {
    Limits l;
    const bool one_key = arrays.sk_stride == 0;
    if (!prepare(device, l, arrays.count, one_key ? 1 : arrays.count, true))
      return device.ok() ? AIOLI_ERR_MEMORY : AIOLI_ERR_DEVICE;
    const Lane &lane = device.at[0];
    const uint32_t most = !one_key && l.keys < l.rows ? l.keys : l.rows;
    for (size_t first = 0; first < arrays.count; first += most) {
      const uint32_t rows = uint32_t(arrays.count - first < most ? arrays.count - first : most);
      Wave w;
      w.piece = {first, rows, false};
      w.sizes = {one_key ? 1 : rows, l.pass_rows, {rows, 0, false}, true};
      Input host;
      const size_t input_bytes = lay_out(lane, w, host);
      for (uint32_t i = 0; i < rows; i++) host.keys[i] = one_key ? 0 : i;
      if (randomness != nullptr) __builtin_memcpy(host.randomness, randomness + first * s_.R_bytes, uint64_t(rows) * s_.R_bytes);
      start_attempts(w);
      device.upload(lane, w.input.seeds, host.seeds, input_bytes);
      w.input.seeds = const_cast<uint8_t *>(arrays.sk) + first * arrays.sk_stride;
      w.input.seed_stride = one_key ? s_.seed_sk_bytes : arrays.sk_stride;
      w.input.messages.digests = const_cast<uint8_t *>(arrays.digest) + first * arrays.digest_stride;
      w.input.digest_stride = arrays.digest_stride;
      if (randomness == nullptr) {
        w.input.randomness = const_cast<uint8_t *>(arrays.randomness) + first * arrays.randomness_stride;
        w.input.randomness_stride = arrays.randomness_stride;
      }
      w.attempt.signatures = arrays.sig + first * arrays.sig_stride;
      w.attempt.signature_stride = arrays.sig_stride;
      if (!one_key || first == 0) enqueue_keys(device, lane, w);
      enqueue_rows(device, lane, w);
      while (w.left > 0 && w.attempts < most_attempts) {
        enqueue_attempt(device, lane, w);
        if (!device.wait(lane)) return AIOLI_ERR_DEVICE;
        keep_unsolved(w, [](uint32_t) {});
      }
      if (w.left > 0) return AIOLI_ERR_NO_SOLUTION;
    }
    return AIOLI_OK;
  }

 private:
  bool prepare(Device &device, Limits &l, size_t count, size_t keys, bool arrays) const {
    limit_rows(device, l, count);
    // The expanded keys of a wave stay for all its attempts.
    l.keys = uint32_t(device.lane_budget() / 2 / (4 * s_.secret_words));
    if (l.keys == 0) l.keys = 1;
    // No more than there are: all that is reserved is cleared after each call.
    if (keys < l.keys) l.keys = uint32_t(keys);
    return reserve_lanes(device, l, [&](const Limits &limits) { return room(limits, arrays); }) && device.load(set_, number_);
  }
  // Where everything of a wave is; how much of pinned memory goes to the device at first.
  size_t lay_out(const Lane &lane, Wave &w, Input &host) const {
    Carver pinned(reinterpret_cast<uintptr_t>(lane.pinned)), memory(lane.memory);
    w.keys.carve(memory, s_, w.sizes.keys);
    host.carve(pinned, s_, w.sizes);
    w.input.carve(memory, s_, w.sizes);
    const size_t input_bytes = pinned.used();
    w.host.carve(pinned, s_, w.sizes);
    w.attempt.carve(memory, s_, w.sizes);
    w.memory.carve(memory, s_, w.sizes);
    return input_bytes;
  }
  static void start_attempts(Wave &w) {
    for (uint32_t i = 0; i < w.piece.rows; i++) w.host.rows[i] = i;
    w.left = w.piece.rows;
    w.attempts = 0;
  }
  // After an attempt: of which is public whether its system was singular.
  template <class F> static void keep_unsolved(Wave &w, F solved) {
    uint32_t left = 0;
    for (uint32_t slot = 0; slot < w.left; slot++) {
      const uint32_t i = w.host.rows[slot];
      if (w.host.solved[i] == 1)
        solved(i);
      else
        w.host.rows[left++] = i;
    }
    w.left = left;
    w.attempts++;
  }

  Room room(const Limits &l, bool arrays) const {
    const Sizes sizes = {l.keys, l.pass_rows, Messages::most(l.rows), arrays};
    Input input;
    Attempt attempt;
    Memory m;
    Keys keys;
    Carver memory(0), pinned(0);
    keys.carve(memory, s_, sizes.keys);
    input.carve(pinned, s_, sizes);
    input.carve(memory, s_, sizes);
    attempt.carve(pinned, s_, sizes);
    attempt.carve(memory, s_, sizes);
    m.carve(memory, s_, sizes);
    return {memory.used(), pinned.used()};
  }

  bool enqueue_keys(Device &device, const Lane &lane, const Wave &w) const {
    const Keys &k = w.keys;
    const uint32_t keys = w.sizes.keys;
    device.launch(lane, ExpandSeedsArgs{k.seeds_pk, k.oil, w.input.seeds, keys, s_.seed_pk_bytes, w.input.seed_stride});
    device.launch(lane, ScheduleKeysArgs{k.schedules, k.seeds_pk, keys, s_.seed_pk_bytes});
    device.launch(lane, ExpandArgs{k.expanded, k.schedules, nullptr, keys, s_.P_entries, s_.secret_words, 0});
    return device.launch(lane, LinearFormsArgs{k.expanded, k.oil, keys});
  }
  bool enqueue_rows(Device &device, const Lane &lane, const Wave &w) const {
    const Memory &m = w.memory;
    const Input &in = w.input;
    const uint32_t rows = w.piece.rows;
    if (w.sizes.messages.hash)
      device.launch(lane, HashMessagesArgs{in.messages.digests, in.messages.bytes, in.messages.offsets, rows, s_.digest_bytes});
    uint8_t *salts = w.attempt.signatures + s_.s_bytes;
    device.launch(lane, SignSaltsArgs{salts, in.messages.digests, in.randomness, in.seeds, in.keys, rows,
                                      w.attempt.signature_stride, in.digest_stride, in.randomness_stride, in.seed_stride});
    device.launch(lane, HashTargetsArgs{m.targets, m.lambda_keys, in.messages.digests, salts, rows, in.digest_stride,
                                        w.attempt.signature_stride});
    if (s_.linear_term) {
      device.launch(lane, ScheduleKeysArgs{m.row_schedules, m.lambda_keys, rows, 32});
      device.launch(lane, ExpandArgs{m.lambda, m.row_schedules, m.lambda_keys + 16, rows, s_.n, s_.lambda_words, 32});
      device.launch(lane, SignOilTermsArgs{m.oil_terms, m.lambda, w.keys.oil, in.keys, rows});
    }
    return device.fill(lane, m.attempts, 0, uint64_t(rows) * sizeof *m.attempts);
  }

  // At all rows that are left, pass_rows of them at a time.
  bool enqueue_attempt(Device &device, const Lane &lane, const Wave &w) const {
    const Memory &m = w.memory;
    const Input &in = w.input;
    device.upload(lane, w.attempt.rows, w.host.rows, w.left * sizeof *w.host.rows);
    for (uint32_t first = 0; first < w.left; first += w.sizes.pass_rows) {
      const uint32_t slots = w.left - first < w.sizes.pass_rows ? w.left - first : w.sizes.pass_rows;
      const uint32_t *rows = w.attempt.rows + first;
      device.launch(lane,
                    SignVinegarArgs{m.vinegar, rows, m.attempts, in.messages.digests, w.attempt.signatures + s_.s_bytes, in.seeds,
                                    in.keys, slots, in.digest_stride, w.attempt.signature_stride, in.seed_stride});
      device.launch(lane, SignTimesArgs{m.products, w.keys.expanded, m.vinegar, m.lambda, m.oil_terms, rows, in.keys, slots});
      device.launch(lane, SignSumsArgs{m.right_sides, m.products, m.vinegar, m.targets, rows, slots});
      device.launch(lane, SignSolveArgs{w.attempt.signatures, w.attempt.solved, m.attempts, m.products, m.right_sides, m.vinegar,
                                        w.keys.oil, rows, in.keys, slots, w.attempt.signature_stride});
    }
    device.download(lane, w.host.solved, w.attempt.solved, w.piece.rows);
    if (w.sizes.arrays) return device.ok();
    return device.download(lane, w.host.signatures, w.attempt.signatures, uint64_t(w.piece.rows) * s_.signature_bytes);
  }

  const uint8_t *const randomness_;
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
