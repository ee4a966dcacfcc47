// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202, section 3.3) on one state, lanes in variables, two rounds per turn so that no lane has to be copied back.
#include "symmetric/keccak_round.hpp"
#include "symmetric/shake256.hpp"

namespace aioli {
namespace {

struct Word {
  uint64_t w;
  friend Word operator^(Word a, Word b) { return {a.w ^ b.w}; }
  template <int n> Word rotate() const {
    if constexpr (n == 0) return *this;
    return {w << n | w >> (64 - n) % 64};
  }
  static Word broadcast(uint64_t w) { return {w}; }
  static Word sum(Word a, Word b, Word c) { return {a.w ^ b.w ^ c.w}; }
  static Word chi(Word a, Word b, Word c) { return {a.w ^ (~b.w & c.w)}; }
};

}  // namespace

void keccak_f1600(uint64_t state[25]) {
  Word a[25], b[25];
  for (int i = 0; i < 25; i++) a[i].w = state[i];
  for (int round = 0; round < keccak_rounds; round += 2) {
    keccak_round(b, a, keccak_constants.rc[round]);
    keccak_round(a, b, keccak_constants.rc[round + 1]);
  }
  for (int i = 0; i < 25; i++) state[i] = a[i].w;
  wipe(a, sizeof a);
  wipe(b, sizeof b);
}

}  // namespace aioli
