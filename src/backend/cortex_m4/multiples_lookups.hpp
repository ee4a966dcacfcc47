// SPDX-License-Identifier: Apache-2.0
// Public times secret where a row of the secret matrix is many words: sums[e] += entry's element e times a row, four words of it
// at a time.  The element, which is public, indexes a table of multiples of the row: by its nibble, or by both of its nibbles
// over GF(256).
//
// And one secret scalar times a row of P: a table of its products with all bytes, which are one element or two.
//
// Unlike Lookups (lookups.hpp) the entries come one after the other and the sums go by: with six to twelve words in a row (UOV's
// oil) there are no registers for sums.
#pragma once
#include "backend/cortex_m4/assembly.hpp"
#include "backend/cortex_m4/packed.hpp"
#include "base/bytes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Multiples of four words by all nibbles, and over GF(256) by x^4 times all nibbles.
template <class F> using MultiplesOfFour = uint32_t[16 * Packed<F>::halves][4];

template <class F> inline void set_multiples(MultiplesOfFour<F> &to, const uint32_t *row) {
  for (int x = 0; x < 4; x++) {
    uint32_t power = row[x];
    for (int half = 0; half < Packed<F>::halves; half++) {
      uint32_t(*const of)[4] = to + 16 * half;
      const uint32_t a = power, b = Packed<F>::times_x(a), c = Packed<F>::times_x(b), d = Packed<F>::times_x(c);
      const uint32_t ab = a ^ b, cd = c ^ d;
      of[0][x] = 0, of[1][x] = a, of[2][x] = b, of[3][x] = ab;
      of[4][x] = c, of[5][x] = a ^ c, of[6][x] = b ^ c, of[7][x] = ab ^ c;
      of[8][x] = d, of[9][x] = a ^ d, of[10][x] = b ^ d, of[11][x] = ab ^ d;
      of[12][x] = cd, of[13][x] = a ^ cd, of[14][x] = b ^ cd, of[15][x] = ab ^ cd;
      power = Packed<F>::times_x(d);
    }
  }
}

// For all elements of an entry of Bytes bytes: four words at sums, Step bytes further for each equation.
#if defined(AIOLI_ARMV7M_GCC)
#define AIOLI_M4_ADD_ROW_AT(at) \
  "ldm " at                     \
  ", {r8-r11}\n"                \
  "eor r4, r4, r8\n"            \
  "eor r5, r5, r9\n"            \
  "eor r6, r6, r10\n"           \
  "eor r7, r7, r11\n"
template <class F, int Bytes, int Step>
AIOLI_M4_NAKED void add_looked_up(uint32_t *, const uint8_t *, const MultiplesOfFour<F> &) {
  __asm__(
      ".syntax unified\n"
      "push {r4-r11, lr}\n"
      "add r3, r1, %[bytes]\n"
      "1:\n"
      "ldrb r12, [r1], #1\n"
      "ldm r0, {r4-r7}\n"
      "and lr, r12, #15\n"
      "add lr, r2, lr, lsl #4\n"
      "and r12, r12, #0xf0\n"  // times sixteen bytes already
      "add r12, r2, r12\n"     //
      AIOLI_M4_ADD_ROW_AT("lr")
      ".if %c[bits] == 4\n"  // two equations
      "stm r0, {r4-r7}\n"
      "add r0, r0, %[step]\n"
      "ldm r0, {r4-r7}\n"
      ".else\n"
      "add r12, r12, #256\n"
      ".endif\n"  //
      AIOLI_M4_ADD_ROW_AT("r12")
      "stm r0, {r4-r7}\n"
      "add r0, r0, %[step]\n"
      "cmp r1, r3\n"
      "bne 1b\n"
      "pop {r4-r11, pc}\n"
      :
      : [bytes] "i"(Bytes), [step] "i"(Step), [bits] "i"(F::bits));
}
#else
template <class F, int Bytes, int Step>
inline void add_looked_up(uint32_t *sums, const uint8_t *entry, const MultiplesOfFour<F> &multiples) {
  for (int i = 0; i < Bytes; i++)
    for (int half = 0; half < 2; half++) {
      const uint32_t *row = multiples[(entry[i] >> (4 * half) & 15) + (F::bits == 8 ? 16 * half : 0)];
      for (int x = 0; x < 4; x++) sums[x] ^= row[x];
      if (F::bits == 4 || half == 1) sums += Step / 4;
    }
}
#endif

// m-vectors at `to`, which are whole words and Step bytes apart, += what the table has for each byte of the entries, Bytes bytes
// each, for count > 0 entries.
#if defined(AIOLI_ARMV7M_GCC)
template <int Bytes, int Step> AIOLI_M4_NAKED void add_byte_multiples(uint8_t *, const uint8_t *, const uint8_t *, int) {
  __asm__(
      ".syntax unified\n"
      "push {r4-r8, lr}\n"
      "1:\n"
      ".rept %c[bytes] / 4\n"
      "ldr r8, [r1], #4\n"
      "uxtb r4, r8\n"
      "uxtb r5, r8, ror #8\n"
      "uxtb r6, r8, ror #16\n"
      "lsr r7, r8, #24\n"
      "ldrb r4, [r2, r4]\n"
      "ldrb r5, [r2, r5]\n"
      "ldrb r6, [r2, r6]\n"
      "ldrb r7, [r2, r7]\n"
      "ldr r8, [r0]\n"
      "eor r8, r8, r4\n"
      "eor r8, r8, r5, lsl #8\n"
      "eor r8, r8, r6, lsl #16\n"
      "eor r8, r8, r7, lsl #24\n"
      "str r8, [r0], #4\n"
      ".endr\n"
      ".rept %c[bytes] %% 4\n"
      "ldrb r4, [r1], #1\n"
      "ldrb r5, [r0]\n"
      "ldrb r4, [r2, r4]\n"
      "eor r5, r5, r4\n"
      "strb r5, [r0], #1\n"
      ".endr\n"
      "add r0, r0, %[skip]\n"
      "subs r3, r3, #1\n"
      "bne 1b\n"
      "pop {r4-r8, pc}\n"
      :
      : [bytes] "i"(Bytes), [skip] "i"(Step - Bytes));
}
#else
template <int Bytes, int Step>
inline void add_byte_multiples(uint8_t *to, const uint8_t *entries, const uint8_t *table, int count) {
  for (int t = 0; t < count; t++, to += Step, entries += Bytes)
    for (int i = 0; i < Bytes; i++) to[i] ^= table[entries[i]];
}
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
