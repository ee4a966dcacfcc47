// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202, section 3.3) on one state; compiled for the baseline and for each backend, with its flags.
// On the Cortex-M4 in assembly, keccak_armv7m.S.
#include "symmetric/armv7m.hpp"
#include "symmetric/keccak_round.hpp"
#include "symmetric/shake256.hpp"

#if defined(AIOLI_ARMV7M)
namespace aioli::keccak_armv7m {

// Of each round constant the word of its even bits, then that of its odd bits.  One table for all compilations of this file.
struct InterleavedConstants {
  uint32_t w[keccak_rounds][2];
};
consteval InterleavedConstants interleaved_constants() {
  InterleavedConstants c{};
  for (int round = 0; round < keccak_rounds; round++)
    for (int i = 0; i < 64; i++) c.w[round][i % 2] |= uint32_t(keccak_constants.rc[round] >> i & 1) << i / 2;
  return c;
}
inline constexpr InterleavedConstants interleaved = interleaved_constants();

}  // namespace aioli::keccak_armv7m
#endif

namespace aioli {
inline namespace AIOLI_ISA {
#if defined(AIOLI_ARMV7M)
using keccak_armv7m::interleaved;

extern "C" void aioli_keccak_f1600_armv7m(uint64_t state[25], const uint32_t *constants, const uint32_t *constants_end);

void keccak_f1600(uint64_t state[25]) {
  aioli_keccak_f1600_armv7m(state, interleaved.w[0], interleaved.w[0] + sizeof interleaved / sizeof(uint32_t));
}

#else
namespace {

struct Word {
#if defined(__BMI__) || defined(__aarch64__) || defined(__ARM_ARCH) || defined(__riscv_zbb)
  static constexpr bool inverts = false;  // ~b & c is one instruction
#else
  static constexpr bool inverts = true;
#endif
  uint64_t w;
  friend Word operator^(Word a, Word b) { return {a.w ^ b.w}; }
  [[maybe_unused]] friend Word operator&(Word a, Word b) { return {a.w & b.w}; }
  [[maybe_unused]] friend Word operator|(Word a, Word b) { return {a.w | b.w}; }
  [[maybe_unused]] Word operator~() const { return {~w}; }
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
  Word a[25];
  const auto each = [](const auto &f) AIOLI_INLINE {
    five_times([&]<int y>() AIOLI_INLINE { five_times([&]<int x>() AIOLI_INLINE { f.template operator()<5 * y + x>(); }); });
  };
  const auto turned = []<int i>(uint64_t w) AIOLI_INLINE { return Word::inverts && keccak_inverted.kept[i] ? ~w : w; };
  each([&]<int i>() AIOLI_INLINE { a[i].w = turned.template operator()<i>(state[i]); });
  keccak_rounds_on(a);
  each([&]<int i>() AIOLI_INLINE { state[i] = turned.template operator()<i>(a[i].w); });
}
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
