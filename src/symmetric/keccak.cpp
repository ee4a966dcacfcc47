// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202, section 3.3) on one state, lanes in variables, two rounds per turn so that no lane has to be copied back.
// On the Cortex-M4 in assembly, keccak_armv7m.S.
#include "symmetric/armv7m.hpp"
#include "symmetric/keccak_round.hpp"
#include "symmetric/shake256.hpp"

namespace aioli {
#if defined(AIOLI_ARMV7M)
namespace {

// Of each round constant the word of its even bits, then that of its odd bits.
struct InterleavedConstants {
  uint32_t w[keccak_rounds][2];
};
consteval InterleavedConstants interleaved_constants() {
  InterleavedConstants c{};
  for (int round = 0; round < keccak_rounds; round++)
    for (int i = 0; i < 64; i++) c.w[round][i % 2] |= uint32_t(keccak_constants.rc[round] >> i & 1) << i / 2;
  return c;
}
constexpr InterleavedConstants interleaved = interleaved_constants();

}  // namespace

extern "C" void aioli_keccak_f1600_armv7m(uint64_t state[25], const uint32_t *constants, const uint32_t *constants_end);

void keccak_f1600(uint64_t state[25]) {
  aioli_keccak_f1600_armv7m(state, interleaved.w[0], interleaved.w[0] + sizeof interleaved / sizeof(uint32_t));
}

#else
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
#endif

}  // namespace aioli
