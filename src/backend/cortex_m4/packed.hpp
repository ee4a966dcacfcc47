// SPDX-License-Identifier: Apache-2.0
// Elements of GF(16) or GF(256) packed in 32-bit words, for the kernels of UOV (square_kernels.hpp): eight or four to a word, the
// first lowest.
#pragma once
#include "backend/cortex_m4/slices.hpp"
#include "field/field_of.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class F> struct Packed {
  static constexpr int bits = F::bits, per_word = 32 / bits, halves = bits / 4;  // a half: four bits of an element

  static constexpr uint32_t times_x(uint32_t w) {
    constexpr uint32_t tops = bits == 4 ? 0x88888888 : 0x80808080;
    const uint32_t top = w & tops;
    if constexpr (bits == 4)
      return (w ^ top) << 1 ^ top >> 3 ^ top >> 2;
    else
      return (w ^ top) << 1 ^ spread32(top >> 7, 0x1b);
  }
  static constexpr uint32_t everywhere(uint32_t element) { return element * (bits == 4 ? 0x11111111u : 0x01010101u); }

  // per_word words, transposed: element j of word i becomes element i of word j.
  static void transpose(uint32_t (&w)[per_word]) {
    if constexpr (bits == 4) {
      transpose8(w);
    } else {
      for (int i = 0; i < 4; i += 2) exchange(w[i], w[i + 1], 8, 0x00ff00ff);
      for (int i = 0; i < 2; i++) exchange(w[i], w[i + 2], 16, 0x0000ffff);
    }
  }

 private:
  static void exchange(uint32_t &a, uint32_t &b, int shift, uint32_t mask) {
    const uint32_t t = ((a >> shift) ^ b) & mask;
    b ^= t;
    a ^= t << shift;
  }
};

// Four bits of a scalar in the highest bits of a word, as the assembly moves them into the flags.  Half 0 is the lower one.
constexpr uint32_t flags_of(uint32_t element, int half) { return (element >> (4 * half)) << 28; }

#if defined(AIOLI_ARMV7M_GCC)
// A word of GF(256) times x, in place: doubling a byte carries out of it what has to be reduced, and SEL picks by these carries.
// `poly` holds 0x1b in every byte, `zero` is zero.
#define AIOLI_M4_TIMES_X_GF256(to, from, temporary, poly, zero) \
  "uadd8 " to ", " from ", " from                               \
  "\n"                                                          \
  "sel " temporary ", " poly ", " zero                          \
  "\n"                                                          \
  "eor " to ", " to ", " temporary "\n"
#define AIOLI_M4_TIMES_X_GF16(to, from, temporary) \
  "and " temporary ", " from                       \
  ", #0x88888888\n"                                \
  "eor " to ", " from ", " temporary               \
  "\n"                                             \
  "lsl " to ", " to                                \
  ", #1\n"                                         \
  "eor " to ", " to ", " temporary                 \
  ", lsr #3\n"                                     \
  "eor " to ", " to ", " temporary ", lsr #2\n"
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
