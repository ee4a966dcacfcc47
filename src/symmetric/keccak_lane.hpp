// SPDX-License-Identifier: Apache-2.0
// The form in which keccak_f1600 wants the lanes of a state: as they are, but interleaved where it is written for 32-bit
// registers.  To interleave a state and undo it takes as long as three or four rounds; so that is done to what goes in and comes
// out, not for each permutation.
//
// Forms are added like lanes, and the form of zero is zero.
#pragma once
#include "base/bytes.hpp"
#include "symmetric/armv7m.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// The even bits of a lane in the lower half, its odd bits in the upper one; and back.
struct KeccakHalves {
  uint32_t low, high;

  explicit KeccakHalves(uint64_t lane) : low(uint32_t(lane)), high(uint32_t(lane >> 32)) {}
  uint64_t lane() const { return uint64_t(high) << 32 | low; }
  // Exchanges the bits of `high` under mask with those of `low` under mask << distance.
  void exchange(int distance, uint32_t mask) {
    const uint32_t t = (high ^ low >> distance) & mask;
    high ^= t;
    low ^= t << distance;
  }
};
// Bit 5 of a bit's number says in which half it is.  To go to where bit 0 says, with the other bits one place down, it is
// exchanged with bit 4, what is then there with bit 3, and so on.
inline uint64_t keccak_interleaved(uint64_t lane) {
  KeccakHalves h(lane);
  h.exchange(16, 0x0000ffff);
  h.exchange(8, 0x00ff00ff);
  h.exchange(4, 0x0f0f0f0f);
  h.exchange(2, 0x33333333);
  h.exchange(1, 0x55555555);
  return h.lane();
}
inline uint64_t keccak_deinterleaved(uint64_t words) {
  KeccakHalves h(words);
  h.exchange(1, 0x55555555);
  h.exchange(2, 0x33333333);
  h.exchange(4, 0x0f0f0f0f);
  h.exchange(8, 0x00ff00ff);
  h.exchange(16, 0x0000ffff);
  return h.lane();
}

#if defined(AIOLI_ARMV7M)
inline uint64_t keccak_form(uint64_t lane) { return keccak_interleaved(lane); }
inline uint64_t keccak_lane(uint64_t form) { return keccak_deinterleaved(form); }
#else
inline uint64_t keccak_form(uint64_t lane) { return lane; }
inline uint64_t keccak_lane(uint64_t form) { return form; }
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
