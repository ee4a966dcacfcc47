// SPDX-License-Identifier: Apache-2.0
// SHAKE256 of many messages, on as many Keccak states at once as a vector has words.
//
// W is word i of each of W::lanes states (keccak_plain.hpp says what it can do).  Messages may be secret; their lengths are
// public.
#pragma once
#include "symmetric/keccak_round.hpp"
#include "symmetric/shake256.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

static constexpr uint8_t keccak_no_block[Shake256::rate] = {};

template <class W> class KeccakStates {
 public:
  static constexpr int lanes = W::lanes, rate = Shake256::rate;

  void init() {
    for (W &word : words_) word = W::zero();
  }
  // Clears the states of lanes where keep is zero; where it is all ones they stay.
  void clear(const uint64_t (&keep)[lanes]) {
    const W kept = W::load(keep);
    for (W &word : words_) word = word & kept;
  }
  // Each state takes in the block of its lane.
  void absorb(const uint8_t *const (&block)[lanes]) {
    for (int i = 0; i < rate / 8; i++) words_[i] = words_[i] ^ W::gather(block, 8 * i);
  }
  // One state takes in what is left of a message, n < rate, and the padding.
  void absorb_last(const uint8_t *p, size_t n, int lane) {
    size_t i = 0;
    for (; 8 * i + 8 <= n; i++) add(int(i), load64(p + 8 * i), lane);
    const int rest = int(n - 8 * i);
    add(int(i), load_partial(p + 8 * i, rest) | uint64_t(0x1f) << (8 * rest), lane);
    add(rate / 8 - 1, uint64_t(0x80) << 56, lane);
  }
  void permute() { keccak_rounds_on(words_); }
  // The others stay what they are.
  void permute_one(int lane) {
    struct One {
      uint64_t w[25];
    };
    Secret<One> one;
    for (int i = 0; i < 25; i++) one.w[i] = keccak_form(word(i, lane));
    keccak_f1600(one.w);
    for (int i = 0; i < 25; i++) set_word(i, keccak_lane(one.w[i]), lane);
  }
  // n <= rate
  void squeeze(uint8_t *out, size_t n, int lane) const {
    size_t i = 0;
    for (; 8 * i + 8 <= n; i++) store64(out + 8 * i, word(int(i), lane));
    if (8 * i < n) store_partial(out + 8 * i, word(int(i), lane), int(n - 8 * i));
  }

 private:
  uint64_t word(int i, int lane) const {
    uint64_t w;
    __builtin_memcpy(&w, reinterpret_cast<const uint8_t *>(&words_[i]) + 8 * lane, 8);
    return w;
  }
  void set_word(int i, uint64_t w, int lane) { __builtin_memcpy(reinterpret_cast<uint8_t *>(&words_[i]) + 8 * lane, &w, 8); }
  void add(int i, uint64_t w, int lane) { set_word(i, word(i, lane) ^ w, lane); }

  W words_[25];
};

// digests + i * stride = SHAKE256(msgs[i], digest_bytes), digest_bytes <= rate.  A lane that has ended a message takes the next
// one, so that lengths may differ as they like.  When only one message is left, it alone is worked on.  The caller wipes the
// stack.
template <class W>
void shake256_many(uint8_t *digests, size_t stride, size_t digest_bytes, const uint8_t *const *msgs, const size_t *msg_bytes,
                   size_t count) {
  constexpr int lanes = W::lanes, rate = Shake256::rate;
  struct Lane {
    const uint8_t *msg;  // what is left of the message
    size_t left;
    uint8_t *digest;  // null: the lane is idle
  };
  Secret<KeccakStates<W>> states;
  states.init();
  Lane lane[lanes];
  uint64_t keep[lanes];
  size_t next = 0;
  int busy = 0;
  const auto take = [&](int j) {
    keep[j] = 0;
    lane[j] = {nullptr, 0, nullptr};
    if (next == count) return;
    lane[j] = {msgs[next], msg_bytes[next], digests + next * stride};
    next++;
    busy++;
  };

  for (int j = 0; j < lanes; j++) take(j);
  while (busy > 0) {
    const uint8_t *block[lanes];
    bool ends[lanes];
    bool blocks = false;
    int any = 0;
    states.clear(keep);
    for (int j = 0; j < lanes; j++) {
      Lane &l = lane[j];
      block[j] = keccak_no_block;
      ends[j] = l.digest != nullptr && l.left < rate;
      if (l.digest == nullptr) continue;
      any = j;
      if (ends[j]) {
        states.absorb_last(l.msg, l.left, j);
      } else {
        blocks = true;
        block[j] = l.msg;
        l.msg += rate;
        l.left -= rate;
      }
    }
    if (blocks) states.absorb(block);
    if (lanes == 1 || busy == 1)
      states.permute_one(any);
    else if constexpr (lanes > 1)
      states.permute();
    for (int j = 0; j < lanes; j++) {
      keep[j] = ~uint64_t(0);
      if (!ends[j]) continue;
      states.squeeze(lane[j].digest, digest_bytes, j);
      busy--;
      take(j);
    }
  }
}

}  // namespace AIOLI_ISA
}  // namespace aioli
