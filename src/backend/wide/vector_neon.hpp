// SPDX-License-Identifier: Apache-2.0
// Registers of sixteen bytes, NEON's, and a pair of them as a vector.  Include only for 64-bit ARM.
#pragma once
#include <arm_neon.h>

#include "backend/wide/vector_pair.hpp"

#if defined(__AARCH64EB__) || defined(__ARM_BIG_ENDIAN)
#error "The NEON backends are for little-endian processors: big-endian ones have the backend `portable`"
#endif

namespace aioli {
inline namespace AIOLI_ISA {

struct NeonRegister {
  uint8x16_t v;

  static NeonRegister zero() { return {vdupq_n_u8(0)}; }
  static NeonRegister load(const uint8_t *p) { return {vld1q_u8(p)}; }
  static NeonRegister load_words(const uint8_t *a, const uint8_t *b) { return {vcombine_u8(vld1_u8(a), vld1_u8(b))}; }
  void store(uint8_t *p) const { vst1q_u8(p, v); }
  static NeonRegister broadcast1(uint8_t byte) { return {vdupq_n_u8(byte)}; }
  static NeonRegister broadcast4(const uint8_t *p) { return {vreinterpretq_u8_u32(vdupq_n_u32(load32(p)))}; }
  friend NeonRegister operator^(NeonRegister a, NeonRegister b) { return {veorq_u8(a.v, b.v)}; }
  friend NeonRegister operator&(NeonRegister a, NeonRegister b) { return {vandq_u8(a.v, b.v)}; }
  NeonRegister low_nibbles() const { return {vandq_u8(v, vdupq_n_u8(15))}; }
  NeonRegister high_nibbles() const { return {vshrq_n_u8(v, 4)}; }
  NeonRegister low_to_high() const { return {vshlq_n_u8(v, 4)}; }
  static NeonRegister equal(NeonRegister a, NeonRegister b) { return {vceqq_u8(a.v, b.v)}; }
  static NeonRegister look_up(NeonRegister table, NeonRegister index) {
    return ct_propagate([](NeonRegister t, NeonRegister i) { return NeonRegister{vqtbl1q_u8(t.v, i.v)}; }, table, index);
  }
  // The first words of a and b; the second ones.
  static NeonRegister first_words(NeonRegister a, NeonRegister b) { return words(vzip1q_u64, a, b); }
  static NeonRegister second_words(NeonRegister a, NeonRegister b) { return words(vzip2q_u64, a, b); }
  // Of 32 bytes (low, high) numbered from `first` on, byte number_i where there is one; else r's byte i.
  static NeonRegister replaced(NeonRegister r, NeonRegister low, NeonRegister high, NeonRegister numbers, int first) {
    return ct_propagate(
        [first](NeonRegister other, NeonRegister a, NeonRegister b, NeonRegister n) {
          return NeonRegister{vqtbx2q_u8(other.v, {{a.v, b.v}}, vsubq_u8(n.v, vdupq_n_u8(uint8_t(first))))};
        },
        r, low, high, numbers);
  }
  uint64_t first_word() const { return vgetq_lane_u64(vreinterpretq_u64_u8(v), 0); }
  // Bit i: byte i is not zero; of b, bit 16 + i.
  static uint32_t nonzero_bytes(NeonRegister a, NeonRegister b) {
    const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    uint8x16_t sums = vpaddq_u8(vandq_u8(vtstq_u8(a.v, a.v), bits), vandq_u8(vtstq_u8(b.v, b.v), bits));
    sums = vpaddq_u8(sums, sums), sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
  }
  // In GF(256) modulo x^8 + x^4 + x^3 + x + 1; of 0 it is 0.  All 256 pass by, whatever the bytes are.
  static NeonRegister inverses(NeonRegister a) {
    static constexpr struct Inverses {
      alignas(16) uint8_t of[256];
      constexpr Inverses() : of{} {
        for (unsigned i = 0; i < 256; i++) of[i] = inverse(GF256{uint8_t(i)}).n;
      }
    } inverses;
    NeonRegister r = zero();
#pragma GCC unroll 8
    for (int i = 0; i < 256; i += 32) r = replaced(r, load(inverses.of + i), load(inverses.of + i + 16), a, i);
    return r;
  }
  // For each of sixteen bytes f the sixteen bytes 0, f, x f, (x + 1) f .. (both nibbles of f are multiplied).
  static void product_tables(uint8_t (*to)[16], NeonRegister factors) {
    multiples(to, factors.v, [](uint8x16_t a) {
      const uint8x16_t top = vandq_u8(vshrq_n_u8(a, 3), vdupq_n_u8(0x11));
      return veorq_u8(vaddq_u8(vandq_u8(a, vdupq_n_u8(0x77)), vandq_u8(a, vdupq_n_u8(0x77))), veorq_u8(top, vaddq_u8(top, top)));
    });
  }
  // The same in GF(256); and the sixteen bytes 0, x^4 f, x^5 f, (x^5 + x^4) f ..
  static void product_tables256(uint8_t (*low)[16], uint8_t (*high)[16], NeonRegister factors) {
    const auto times_x = [](uint8x16_t a) {
      const uint8x16_t top = vcltzq_s8(vreinterpretq_s8_u8(a));
      return veorq_u8(vshlq_n_u8(a, 1), vandq_u8(top, vdupq_n_u8(0x1b)));
    };
    multiples(high, multiples(low, factors.v, times_x), times_x);
  }

 private:
  template <class Zip> static NeonRegister words(Zip zip, NeonRegister a, NeonRegister b) {
    return {vreinterpretq_u8_u64(zip(vreinterpretq_u64_u8(a.v), vreinterpretq_u64_u8(b.v)))};
  }
  // Returns x^4 f.
  template <class TimesX> static uint8x16_t multiples(uint8_t (*to)[16], uint8x16_t f, TimesX times_x) {
    uint8x16_t a[16], b[16];
    a[0] = vdupq_n_u8(0);
#pragma GCC unroll 4
    for (int bit = 0; bit < 4; bit++) {
#pragma GCC unroll 8
      for (int i = 0; i < 1 << bit; i++) a[(1 << bit) + i] = i == 0 ? f : veorq_u8(a[i], f);
      f = times_x(f);
    }
    // A transposition.  Four times: registers i and i + 8 are interleaved byte by byte to 2i and 2i + 1.
#pragma GCC unroll 2
    for (int twice = 0; twice < 2; twice++) {
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) b[2 * i] = vzip1q_u8(a[i], a[i + 8]), b[2 * i + 1] = vzip2q_u8(a[i], a[i + 8]);
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) a[2 * i] = vzip1q_u8(b[i], b[i + 8]), a[2 * i + 1] = vzip2q_u8(b[i], b[i + 8]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) vst1q_u8(to[i], a[i]);
    return f;
  }
};
using VectorNeon = VectorPair<NeonRegister>;

}  // namespace AIOLI_ISA
}  // namespace aioli
