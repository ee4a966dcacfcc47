// SPDX-License-Identifier: Apache-2.0
// Signing on a device, wave by wave; within a wave attempt by attempt, each with the rows that the one before left without a solution.
#pragma once
#include <aioli/batch.h>

#include "cuda/host/limits.hpp"
#include "cuda/host/messages.hpp"
#include "cuda/host/plan.hpp"
#include "cuda/host/run.hpp"

namespace aioli::inline AIOLI_ISA {
namespace cuda {

class SignWork {
 public:
  static constexpr bool secret = true;
  static constexpr int most_attempts = 256;

  // `randomness`: R of each row of the batch, R_bytes each.
  SignWork(const Set &set, int number, const aioli_alg *alg, bool digests, aioli_status *status, const aioli_sign_row *rows,
           Plan &plan, size_t devices, const uint8_t *randomness)
      : set_(set),
        s_(set.layout),
        number_(number),
        alg_(alg),
        digests_(digests),
        status_(status),
        rows_(rows),
        plan_(plan),
        share_(uint32_t(devices) * Device::lanes),
        randomness_(randomness) {}

 private:
  struct Sizes {
    uint32_t keys, pass_rows;
    Messages::Sizes messages;
    uint32_t rows() const { return messages.rows; }
  };
  struct Input {
    uint8_t *seeds, *randomness;
    uint32_t *keys;  // of each row
    Messages messages;
    void carve(Carver &c, const SetLayout &s, const Sizes &z) {
      c.take(seeds, uint64_t(z.keys) * s.seed_sk_bytes);
      c.take(randomness, uint64_t(z.rows()) * s.R_bytes);
      c.take(keys, z.rows());
      messages.carve(c, s, z.messages);
    }
  };
  // Of one attempt at each row that is left: what is copied to the device before it, and back after it.
  struct Attempt {
    uint32_t *rows;
    uint8_t *solved, *signatures;  // of all rows
    void carve(Carver &c, const SetLayout &s, const Sizes &z) {
      c.take(rows, z.rows());
      c.take(solved, z.rows());
      c.take(signatures, uint64_t(z.rows()) * s.signature_bytes);
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

  bool prepare(Device &device, Waves &waves) {
    Limits &l = waves.limits;
    if (plan_.count() < l.rows) l.rows = uint32_t(plan_.count());
    // The expanded keys of a wave stay for all its attempts.
    l.keys = uint32_t(device.lane_budget() / 2 / (4 * s_.secret_words));
    if (l.keys == 0) l.keys = 1;
    return reserve_lanes(device, l, [this](const Limits &limits) { return room(limits); }) && device.load(set_, number_);
  }

  bool begin(Device &device, Waves &waves, int lane_number) {
    Wave &w = waves.of[lane_number];
    const Lane &lane = device.at[lane_number];
    if (!plan_.take(w.piece, waves.limits.rows, waves.limits.keys, share_)) return false;
    const Piece &piece = w.piece;
    const auto row = [&](uint32_t i) -> const aioli_sign_row & { return rows_[plan_.row(piece.first + i)]; };

    w.sizes = {0, waves.limits.pass_rows, Messages::measure(piece.rows, digests_, row)};
    for (uint32_t i = 0; i < piece.rows; i++) w.sizes.keys += starts_key(piece, i);
    Input host;
    Carver pinned(reinterpret_cast<uintptr_t>(lane.pinned)), memory(lane.memory);
    w.keys.carve(memory, s_, w.sizes.keys);
    host.carve(pinned, s_, w.sizes);
    w.input.carve(memory, s_, w.sizes);
    const size_t input_bytes = pinned.used();
    w.host.carve(pinned, s_, w.sizes);
    w.attempt.carve(memory, s_, w.sizes);
    w.memory.carve(memory, s_, w.sizes);

    if (!host.messages.fill(alg_, s_, w.sizes.messages, digests_, row)) return false;
    uint32_t key = 0;
    for (uint32_t i = 0; i < piece.rows; i++) {
      if (starts_key(piece, i)) __builtin_memcpy(host.seeds + uint64_t(key++) * s_.seed_sk_bytes, row(i).sk, s_.seed_sk_bytes);
      host.keys[i] = key - 1;
      __builtin_memcpy(host.randomness + uint64_t(i) * s_.R_bytes, randomness_ + plan_.row(piece.first + i) * s_.R_bytes,
                       s_.R_bytes);
      w.host.rows[i] = i;
    }
    w.left = piece.rows;
    w.attempts = 0;
    const uint8_t *only = w.sizes.keys == 1 ? row(0).sk : nullptr, *&expanded = waves.expanded[lane_number];
    device.upload(lane, w.input.seeds, host.seeds, input_bytes);
    if (only == nullptr || only != expanded) enqueue_keys(device, lane, w);
    expanded = only;
    return enqueue_rows(device, lane, w) && enqueue_attempt(device, lane, w);
  }

  Progress advance(Device &device, Waves &waves, int lane_number) {
    Wave &w = waves.of[lane_number];
    // What is public of an attempt is whether its system was singular.
    uint32_t left = 0;
    for (uint32_t slot = 0; slot < w.left; slot++) {
      const uint32_t i = w.host.rows[slot];
      const size_t r = plan_.row(w.piece.first + i);
      if (w.host.solved[i] == 1) {
        copy(rows_[r].sig, w.host.signatures + uint64_t(i) * s_.signature_bytes, s_.signature_bytes);
        status_[r] = AIOLI_OK;
      } else {
        w.host.rows[left++] = i;
      }
    }
    w.left = left;
    if (left == 0) return Progress::done;
    if (++w.attempts == most_attempts) {
      for (uint32_t slot = 0; slot < left; slot++) status_[plan_.row(w.piece.first + w.host.rows[slot])] = AIOLI_ERR_NO_SOLUTION;
      return Progress::done;
    }
    enqueue_attempt(device, device.at[lane_number], w);
    return Progress::more;
  }

 private:
  Room room(const Limits &l) const {
    const Sizes sizes = {l.keys, l.pass_rows, Messages::most(l.rows)};
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

  bool starts_key(const Piece &piece, uint32_t i) const { return i == 0 || plan_.new_key(piece.first + i); }

  bool enqueue_keys(Device &device, const Lane &lane, const Wave &w) const {
    const Keys &k = w.keys;
    const uint32_t keys = w.sizes.keys;
    device.launch(lane, ExpandSeedsArgs{k.seeds_pk, k.oil, w.input.seeds, keys, s_.seed_pk_bytes, s_.seed_sk_bytes});
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
    device.launch(lane, SignSaltsArgs{salts, in.messages.digests, in.randomness, in.seeds, in.keys, rows, s_.signature_bytes,
                                      s_.digest_bytes, s_.R_bytes, s_.seed_sk_bytes});
    device.launch(
        lane, HashTargetsArgs{m.targets, m.lambda_keys, in.messages.digests, salts, rows, s_.digest_bytes, s_.signature_bytes});
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
      device.launch(lane, SignVinegarArgs{m.vinegar, rows, m.attempts, in.messages.digests, w.attempt.signatures + s_.s_bytes,
                                          in.seeds, in.keys, slots, s_.digest_bytes, s_.signature_bytes, s_.seed_sk_bytes});
      device.launch(lane, SignTimesArgs{m.products, w.keys.expanded, m.vinegar, m.lambda, m.oil_terms, rows, in.keys, slots});
      device.launch(lane, SignSumsArgs{m.right_sides, m.products, m.vinegar, m.targets, rows, slots});
      device.launch(lane, SignSolveArgs{w.attempt.signatures, w.attempt.solved, m.attempts, m.products, m.right_sides, m.vinegar,
                                        w.keys.oil, rows, in.keys, slots, s_.signature_bytes});
    }
    device.download(lane, w.host.solved, w.attempt.solved, w.piece.rows);
    return device.download(lane, w.host.signatures, w.attempt.signatures, uint64_t(w.piece.rows) * s_.signature_bytes);
  }

  const Set &set_;
  const SetLayout &s_;
  const int number_;
  const aioli_alg *const alg_;
  const bool digests_;
  aioli_status *const status_;
  const aioli_sign_row *const rows_;
  Plan &plan_;
  const uint32_t share_;
  const uint8_t *const randomness_;
};

}  // namespace cuda
}  // namespace aioli::inline AIOLI_ISA
