// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202, section 3.3), lanes in variables, two rounds per turn so that no lane has to be copied back.
#include "symmetric/shake256.hpp"

namespace aioli {
namespace {

constexpr int rounds = 24;

// Round constants from their linear feedback shift register (FIPS 202, algorithm 5).
struct RoundConstants {
  uint64_t rc[rounds];
};
consteval RoundConstants round_constants() {
  RoundConstants c{};
  unsigned lfsr = 1;
  for (int round = 0; round < rounds; round++) {
    for (int j = 0; j <= 6; j++) {
      if (lfsr & 1) c.rc[round] |= uint64_t(1) << ((1 << j) - 1);
      lfsr <<= 1;
      if (lfsr & 0x100) lfsr ^= 0x171;
    }
  }
  return c;
}
constexpr RoundConstants constants = round_constants();
static_assert(constants.rc[0] == 1 && constants.rc[1] == 0x8082 && constants.rc[23] == 0x8000000080008008);

constexpr uint64_t rotate(uint64_t x, int n) { return n == 0 ? x : x << n | x >> (64 - n); }

// rho: the offset of lane (x, y).
struct Offsets {
  int r[25];
};
consteval Offsets rho_offsets() {
  Offsets o{};
  for (int t = 0, x = 1, y = 0; t < 24; t++) {
    o.r[5 * y + x] = (t + 1) * (t + 2) / 2 % 64;
    const int next = (2 * x + 3 * y) % 5;
    x = y;
    y = next;
  }
  return o;
}
constexpr Offsets rho = rho_offsets();

// One round from a into b.  The loops have constant bounds and are unrolled by the compiler.
inline void one_round(uint64_t *b, const uint64_t *a, uint64_t constant) {
  uint64_t c[5], d[5];
  for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
  for (int x = 0; x < 5; x++) d[x] = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1);
#pragma GCC unroll 5
  for (int y = 0; y < 5; y++) {
    uint64_t row[5];  // pi: lane (x, y) of the result comes from lane ((x + 3y) mod 5, x)
#pragma GCC unroll 5
    for (int x = 0; x < 5; x++) {
      const int from_x = (x + 3 * y) % 5, from = 5 * x + from_x;
      row[x] = rotate(a[from] ^ d[from_x], rho.r[from]);
    }
#pragma GCC unroll 5
    for (int x = 0; x < 5; x++) b[5 * y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
  }
  b[0] ^= constant;
}

}  // namespace

void keccak_f1600(uint64_t state[25]) {
  uint64_t a[25], b[25];
  for (int i = 0; i < 25; i++) a[i] = state[i];
  for (int round = 0; round < rounds; round += 2) {
    one_round(b, a, constants.rc[round]);
    one_round(a, b, constants.rc[round + 1]);
  }
  for (int i = 0; i < 25; i++) state[i] = a[i];
  wipe(a, sizeof a);
  wipe(b, sizeof b);
}

}  // namespace aioli
