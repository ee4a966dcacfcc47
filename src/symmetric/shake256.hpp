// SPDX-License-Identifier: Apache-2.0
// SHAKE256 (FIPS 202), incremental.
#pragma once
#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "symmetric/keccak_lane.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Keccak-f[1600] on 25 lanes in the form of keccak_lane.hpp, lane (x, y) at 5y + x.  One copy for the baseline and one for each
// backend: keccak.cpp.  Whoever calls this with secrets wipes the stack.
void keccak_f1600(uint64_t state[25]);

// The state of one message, permuted by one copy or another.
template <void permutation(uint64_t state[25])> class Shake256On {
 public:
  static constexpr int rate = 136;
  void init() {
    for (auto &lane : state_) lane = 0;
    position_ = 0;
  }
  void absorb(const uint8_t *data, size_t n) {
    while (n > 0) {
      const int now = n < size_t(rate - position_) ? int(n) : rate - position_;
      int i = 0;
      for (; i + 8 <= now; i += 8) add(load64(data + i), position_ + i);
      if (i < now) add(load_partial(data + i, now - i), position_ + i);
      data += now, n -= size_t(now), position_ += now;
      if (position_ == rate) permutation(state_), position_ = 0;
    }
  }
  // Ends absorbing.
  void finish() {
    add(0x1f, position_);
    state_[rate / 8 - 1] ^= keccak_form(uint64_t(0x80) << 56);
    position_ = rate;
  }
  // What was absorbed so far, the same on every machine: the 25 lanes, then the bytes of the current block.  Before finish().
  static constexpr int saved_bytes = 201;
  void save(uint8_t out[saved_bytes]) const {
    for (int i = 0; i < 25; i++) store64(out + 8 * i, keccak_lane(state_[i]));
    out[200] = uint8_t(position_);
  }
  static bool can_restore(const uint8_t saved[saved_bytes]) { return saved[200] < rate; }
  void restore(const uint8_t saved[saved_bytes]) {
    for (int i = 0; i < 25; i++) state_[i] = keccak_form(load64(saved + 8 * i));
    position_ = saved[200] < rate ? saved[200] : 0;
  }
  // The next n bytes of output; after finish().
  void squeeze(uint8_t *out, size_t n) {
    while (n > 0) {
      if (position_ == rate) permutation(state_), position_ = 0;
      const int now = n < size_t(rate - position_) ? int(n) : rate - position_;
      int i = 0;
      for (; i + 8 <= now; i += 8) store64(out + i, word(position_ + i));
      if (i < now) store_partial(out + i, word(position_ + i), now - i);
      out += now, n -= size_t(now), position_ += now;
    }
  }

 private:
  // Eight bytes at any place of the block.  Where fewer are left of it, the others belong to the lane behind the block: what is
  // added there is zero, what is read there is not used.
  void add(uint64_t w, int at) {
    const int lane = quotient(at, 8), bits = 8 * remainder(at, 8);
    state_[lane] ^= keccak_form(w << bits);
    if (bits != 0) state_[lane + 1] ^= keccak_form(w >> (64 - bits));
  }
  uint64_t word(int at) const {
    const int lane = quotient(at, 8), bits = 8 * remainder(at, 8);
    const uint64_t w = keccak_lane(state_[lane]);
    return bits == 0 ? w : w >> bits | keccak_lane(state_[lane + 1]) << (64 - bits);
  }

  uint64_t state_[25];
  int position_;  // bytes absorbed into, or read of, the current block
};
using Shake256 = Shake256On<keccak_f1600>;

// out = SHAKE256(what was saved || parts...), parts being Bytes or Views.
template <class... Parts> void shake256_after(uint8_t *out, size_t n, const uint8_t *saved, const Parts &...parts) {
  Secret<Shake256> h;
  h.restore(saved);
  (h.absorb(view(parts).p, view(parts).n), ...);
  h.finish();
  h.squeeze(out, n);
}

// out = SHAKE256(parts...), parts being Bytes or Views.
template <class... Parts> void shake256(uint8_t *out, size_t n, const Parts &...parts) {
  Secret<Shake256> h;
  h.init();
  (h.absorb(view(parts).p, view(parts).n), ...);
  h.finish();
  h.squeeze(out, n);
}

}  // namespace AIOLI_ISA
}  // namespace aioli
