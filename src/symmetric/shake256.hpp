// SPDX-License-Identifier: Apache-2.0
// SHAKE256 (FIPS 202), incremental.
#pragma once
#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "symmetric/keccak_lane.hpp"

namespace aioli {
// Keccak-f[1600] on 25 lanes in the form of keccak_lane.hpp, lane (x, y) at 5y + x.  One copy in the library, compiled for the baseline.
void keccak_f1600(uint64_t state[25]);
}  // namespace aioli

namespace aioli::inline AIOLI_ISA {

class Shake256 {
 public:
  static constexpr int rate = 136;
  void init() {
    for (auto &lane : state_) lane = 0;
    position_ = 0;
  }
  void absorb(const uint8_t *data, size_t n) {
    while (n > 0) {
      if (position_ == 0 && n >= rate) {
        for (uint32_t i = 0; i < rate / 8; i++) add(i, load64(data + 8 * i));
        keccak_f1600(state_);
        data += rate, n -= rate;
        continue;
      }
      if (position_ % 8 == 0 && n >= 8) {
        add(position_ / 8, load64(data));
        data += 8, n -= 8, position_ += 8;
      } else {
        add(position_ / 8, uint64_t(*data++) << (8 * (position_ % 8)));
        n--, position_++;
      }
      if (position_ == rate) keccak_f1600(state_), position_ = 0;
    }
  }
  // Ends absorbing.
  void finish() {
    add(position_ / 8, uint64_t(0x1f) << (8 * (position_ % 8)));
    add(rate / 8 - 1, uint64_t(0x80) << 56);
    position_ = rate;
  }
  // The next n bytes of output; after finish().
  void squeeze(uint8_t *out, size_t n) {
    while (n > 0) {
      if (position_ == rate) keccak_f1600(state_), position_ = 0;
      if (position_ % 8 == 0 && n >= 8) {
        store64(out, keccak_lane(state_[position_ / 8]));
        out += 8, n -= 8, position_ += 8;
        continue;
      }
      *out++ = uint8_t(keccak_lane(state_[position_ / 8]) >> (8 * (position_ % 8)));
      n--, position_++;
    }
  }

 private:
  void add(uint32_t i, uint64_t lane) { state_[i] ^= keccak_form(lane); }

  uint64_t state_[25];
  uint32_t position_;  // bytes absorbed into, or read of, the current block
};

// out = SHAKE256(parts...), parts being Bytes or Views.
template <class... Parts> void shake256(uint8_t *out, size_t n, const Parts &...parts) {
  Secret<Shake256> h;
  h.init();
  (h.absorb(view(parts).p, view(parts).n), ...);
  h.finish();
  h.squeeze(out, n);
}

}  // namespace aioli::inline AIOLI_ISA
