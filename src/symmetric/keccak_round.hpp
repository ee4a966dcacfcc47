// SPDX-License-Identifier: Apache-2.0
// One round of Keccak-f[1600] (FIPS 202, section 3.2), on the lanes of one state or of several at once.
#pragma once
#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

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
template <class F> AIOLI_INLINE constexpr void five_times(const F &f) {
  f.template operator()<0>();
  f.template operator()<1>();
  f.template operator()<2>();
  f.template operator()<3>();
  f.template operator()<4>();
}

// Where ~b & c is two instructions, some lanes are kept inverted, so that almost all of chi can do without (lane complementing,
// of the submission of Keccak).  A set of which theta makes a mere other one: column x + 1 or x - 1 has an odd number of them, or
// both have.
struct KeccakInverted {
  bool kept[25], after_theta[25];
};
consteval KeccakInverted keccak_inverted_lanes() {
  KeccakInverted s{};
  constexpr int kept[] = {1, 2, 8, 12, 17, 20};
  for (int i : kept) s.kept[i] = true;
  bool odd[5] = {};
  for (int i = 0; i < 25; i++) odd[i % 5] ^= s.kept[i];
  for (int i = 0; i < 25; i++) s.after_theta[i] = s.kept[i] ^ odd[(i + 4) % 5] ^ odd[(i + 1) % 5];
  return s;
}
static constexpr KeccakInverted keccak_inverted = keccak_inverted_lanes();

// a ^ (~b & c), where those said are inverted, the result too.
template <bool a_is, bool b_is, bool c_is, bool result_is, class W> AIOLI_INLINE constexpr W keccak_chi(W a, W b, W c) {
  constexpr bool invert = a_is != result_is;
  if constexpr (!b_is && !c_is && !invert)
    return W::chi(a, b, c);
  else if constexpr (!b_is && !c_is)
    return a ^ (b | ~c);
  else if constexpr (b_is && c_is)
    return invert ? a ^ (~b | c) : a ^ (b & ~c);
  else if constexpr (b_is)
    return invert ? ~(a ^ (b & c)) : a ^ (b & c);
  else
    return invert ? a ^ (b | c) : ~(a ^ (b | c));
}

// c[x]: the sum of column x.
template <class W> AIOLI_INLINE constexpr void keccak_columns(W *c, const W *a) {
  five_times([&]<int x>() AIOLI_INLINE { c[x] = W::sum(W::sum(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]); });
}

// a ^ b.rotate<1>(), and (a ^ b).rotate<n>(): W's own, where it has instructions for them.
template <class W> AIOLI_INLINE constexpr W sum_rotated1(W a, W b) {
  if constexpr (requires { W::sum_rotated1(a, b); })
    return W::sum_rotated1(a, b);
  else
    return a ^ b.template rotate<1>();
}
template <int n, class W> AIOLI_INLINE constexpr W rotated_sum(W a, W b) {
  if constexpr (requires { W::template rotated_sum<n>(a, b); })
    return W::template rotated_sum<n>(a, b);
  else
    return (a ^ b).template rotate<n>();
}

// From a into b; c has the columns' sums of a, then those of b, taken while its lanes are at hand.  W is a word of each state: ^,
// and
//   rotate<n>() to the left, broadcast(word), sum(a, b, c) = a ^ b ^ c, chi(a, b, c) = a ^ (~b & c),
// inverts: whether lanes are kept inverted; then &, | and ~ as well.
template <class W> AIOLI_INLINE constexpr void keccak_round(W *b, const W *a, W *c, uint64_t constant) {
  W d[5];
  five_times([&]<int x>() AIOLI_INLINE { d[x] = sum_rotated1(c[(x + 4) % 5], c[(x + 1) % 5]); });
  five_times([&]<int y>() AIOLI_INLINE {
    // pi: lane (x, y) of the result comes from lane ((x + 3y) mod 5, x)
    constexpr auto from = [](int x) { return 5 * (x % 5) + (x + 3 * y) % 5; };
    constexpr auto inverted = [](int i) { return W::inverts && keccak_inverted.after_theta[i]; };
    W row[5];
    five_times([&]<int x>() AIOLI_INLINE { row[x] = rotated_sum<keccak_rho.r[from(x)]>(a[from(x)], d[from(x) % 5]); });
    five_times([&]<int x>() AIOLI_INLINE {
      constexpr int to = 5 * y + x;
      constexpr bool first = inverted(from(x)), second = inverted(from(x + 1)), third = inverted(from(x + 2));
      constexpr bool result = W::inverts && keccak_inverted.kept[to];
      b[to] = keccak_chi<first, second, third, result>(row[x], row[(x + 1) % 5], row[(x + 2) % 5]);
      if constexpr (to == 0) b[to] = b[to] ^ W::broadcast(constant);
      if constexpr (y == 0) c[x] = b[to];
      if constexpr (y == 2 || y == 4) c[x] = W::sum(b[to - 5], b[to], c[x]);
    });
  });
}

// All rounds, in a.  In registers, where all else of the compiler's is: whoever calls this with secrets wipes the stack.
template <class W> AIOLI_INLINE inline void keccak_rounds_on(W *a) {
  W b[25], c[5];
  keccak_columns(c, a);
  for (int round = 0; round < keccak_rounds; round += 2) {  // two per turn, so that no lane has to be copied back
    keccak_round(b, a, c, keccak_constants.rc[round]);
    keccak_round(a, b, c, keccak_constants.rc[round + 1]);
  }
}

}  // namespace AIOLI_ISA
}  // namespace aioli
