// SPDX-License-Identifier: Apache-2.0
// One round of Keccak-f[1600] (FIPS 202, section 3.2), on the lanes of one state or of several at once.
#pragma once
#include "base/isa.hpp"

namespace aioli::inline AIOLI_ISA {

inline constexpr int keccak_rounds = 24;

// Round constants from their linear feedback shift register (FIPS 202, algorithm 5).
struct KeccakConstants {
  uint64_t rc[keccak_rounds];
};
consteval KeccakConstants keccak_round_constants() {
  KeccakConstants c{};
  unsigned lfsr = 1;
  for (int round = 0; round < keccak_rounds; round++) {
    for (int j = 0; j <= 6; j++) {
      if (lfsr & 1) c.rc[round] |= uint64_t(1) << ((1 << j) - 1);
      lfsr <<= 1;
      if (lfsr & 0x100) lfsr ^= 0x171;
    }
  }
  return c;
}
static constexpr KeccakConstants keccak_constants = keccak_round_constants();
static_assert(keccak_constants.rc[0] == 1 && keccak_constants.rc[1] == 0x8082 && keccak_constants.rc[23] == 0x8000000080008008);

// rho: the offset of lane (x, y), at 5y + x.
struct KeccakOffsets {
  int r[25];
};
consteval KeccakOffsets keccak_rho_offsets() {
  KeccakOffsets o{};
  for (int t = 0, x = 1, y = 0; t < 24; t++) {
    o.r[5 * y + x] = (t + 1) * (t + 2) / 2 % 64;
    const int next = (2 * x + 3 * y) % 5;
    x = y;
    y = next;
  }
  return o;
}
static constexpr KeccakOffsets keccak_rho = keccak_rho_offsets();

#if defined(__GNUC__)
#define AIOLI_INLINE __attribute__((always_inline))
#else
#define AIOLI_INLINE
#endif

// f<0>(), f<1>(), .. f<4>(): distances of rotations have to be constants, which the variable of a loop is not.
template <class F> AIOLI_INLINE inline void five_times(const F &f) {
  f.template operator()<0>();
  f.template operator()<1>();
  f.template operator()<2>();
  f.template operator()<3>();
  f.template operator()<4>();
}

// From a into b.  W is a word of each state: ^, and
//   rotate<n>() to the left, broadcast(word), sum(a, b, c) = a ^ b ^ c, chi(a, b, c) = a ^ (~b & c).
template <class W> AIOLI_INLINE inline void keccak_round(W *b, const W *a, uint64_t constant) {
  W c[5], d[5];
  five_times([&]<int x>() AIOLI_INLINE { c[x] = W::sum(W::sum(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]); });
  five_times([&]<int x>() AIOLI_INLINE { d[x] = c[(x + 4) % 5] ^ c[(x + 1) % 5].template rotate<1>(); });
  five_times([&]<int y>() AIOLI_INLINE {
    W row[5];  // pi: lane (x, y) of the result comes from lane ((x + 3y) mod 5, x)
    five_times([&]<int x>() AIOLI_INLINE {
      constexpr int from_x = (x + 3 * y) % 5, from = 5 * x + from_x;
      row[x] = (a[from] ^ d[from_x]).template rotate<keccak_rho.r[from]>();
    });
    five_times([&]<int x>() AIOLI_INLINE { b[5 * y + x] = W::chi(row[x], row[(x + 1) % 5], row[(x + 2) % 5]); });
  });
  b[0] = b[0] ^ W::broadcast(constant);
}

}  // namespace aioli::inline AIOLI_ISA
