// SPDX-License-Identifier: Apache-2.0
// Secret times secret, bit-sliced: thirty-two elements are four words, one for each bit of an element.
//
// Multiplying them by a scalar is then sixteen exclusive-ors of words that are there once three sums have been made, each done or
// not as a bit of the scalar says.  All four bits of the scalar go into the processor's flags at once (N, Z, C, V), and
// predicated instructions take the same time whether the condition holds or not.
#pragma once
#include "backend/cortex_m4/assembly.hpp"
#include "base/bytes.hpp"
#include "field/gf16.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Four words of eight elements, and their four planes: bit e of element c of plane b is bit b of element c of word e.  Its own
// inverse.
inline void slice(uint32_t (&w)[4]) {
  for (int i = 0; i < 2; i++) {
    const uint32_t t = ((w[i] >> 2) ^ w[i + 2]) & 0x33333333;
    w[i + 2] ^= t;
    w[i] ^= t << 2;
  }
  for (int i = 0; i < 4; i += 2) {
    const uint32_t t = ((w[i] >> 1) ^ w[i + 1]) & 0x55555555;
    w[i + 1] ^= t;
    w[i] ^= t << 1;
  }
}

// Eight words of eight elements, transposed: element j of word i becomes element i of word j.
inline void transpose8(uint32_t (&w)[8]) {
  constexpr uint32_t mask[3] = {0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
#pragma GCC unroll 3
  for (int step = 0; step < 3; step++)
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
      const int distance = 1 << step;
      if (i & distance) continue;
      const uint32_t t = ((w[i] >> (4 * distance)) ^ w[i + distance]) & mask[step];
      w[i + distance] ^= t;
      w[i] ^= t << (4 * distance);
    }
}

// A scalar as four masks.
struct ScalarMask {
  uint32_t mask[4];
};
inline ScalarMask scalar_mask(GF16 a) {
  ScalarMask s;
  for (int b = 0; b < 4; b++) s.mask[b] = uint32_t(mask_of_bit(uint64_t(a.n) >> b));
  return s;
}
// A group of planes and the sums that its multiples are made from.
struct Multiplicand {
  uint32_t p[4], p03, p23, p12;
};
inline Multiplicand multiplicand(const uint32_t (&p)[4]) {
  return {{p[0], p[1], p[2], p[3]}, p[0] ^ p[3], p[2] ^ p[3], p[1] ^ p[2]};
}
// u += a scalar times a group.  Times x, the planes are p3, p0 + p3, p1, p2, and so on.
inline void add_product(uint32_t (&u)[4], const Multiplicand &a, const ScalarMask &s) {
  u[0] ^= (a.p[0] & s.mask[0]) ^ (a.p[3] & s.mask[1]) ^ (a.p[2] & s.mask[2]) ^ (a.p[1] & s.mask[3]);
  u[1] ^= (a.p[1] & s.mask[0]) ^ (a.p03 & s.mask[1]) ^ (a.p23 & s.mask[2]) ^ (a.p12 & s.mask[3]);
  u[2] ^= (a.p[2] & s.mask[0]) ^ (a.p[1] & s.mask[1]) ^ (a.p03 & s.mask[2]) ^ (a.p23 & s.mask[3]);
  u[3] ^= (a.p[3] & s.mask[0]) ^ (a.p[2] & s.mask[1]) ^ (a.p[1] & s.mask[2]) ^ (a.p03 & s.mask[3]);
}

#if defined(AIOLI_ARMV7M_GCC)
// A group in r3, r11, r12, lr += a scalar, which is in the flags, times planes p0 .. p3 in r4 .. r7; r8 = p0 + p3, r9 = p2 + p3,
// r10 = p1 + p2.
#define AIOLI_M4_ADD_PRODUCT \
  "itttt vs\n"               \
  "eorvs r3, r3, r4\n"       \
  "eorvs r11, r11, r5\n"     \
  "eorvs r12, r12, r6\n"     \
  "eorvs lr, lr, r7\n"       \
  "itttt cs\n"               \
  "eorcs r3, r3, r7\n"       \
  "eorcs r11, r11, r8\n"     \
  "eorcs r12, r12, r5\n"     \
  "eorcs lr, lr, r6\n"       \
  "itttt eq\n"               \
  "eoreq r3, r3, r6\n"       \
  "eoreq r11, r11, r9\n"     \
  "eoreq r12, r12, r8\n"     \
  "eoreq lr, lr, r5\n"       \
  "itttt mi\n"               \
  "eormi r3, r3, r5\n"       \
  "eormi r11, r11, r10\n"    \
  "eormi r12, r12, r9\n"     \
  "eormi lr, lr, r8\n"

// U[g][i] += scalar i times group g, for i < R; group g is four words, Stride words apart, the next one after them.  U is in
// planes.  A scalar is in the highest four bits of its word.  Unrolled: so many scalars in one turn of the loop; it divides R.
template <int R, int Stride, int Unrolled>
AIOLI_M4_NAKED void accumulate(uint32_t (*)[R][4], const uint32_t *, const uint32_t (&)[R], int) {
  static_assert(R % Unrolled == 0);
  __asm__(
      ".syntax unified\n"
      "push {r1, r3-r11, lr}\n"  // [sp]: the next group, [sp + 4]: groups left
      "1:\n"
      ".if %c[step] == 4\n"
      "ldm r1!, {r4-r7}\n"
      ".else\n"
      "ldr r4, [r1], %[step]\n"
      "ldr r5, [r1], %[step]\n"
      "ldr r6, [r1], %[step]\n"
      "ldr r7, [r1], %[step]\n"
      ".endif\n"
      "str r1, [sp]\n"
      ".if %c[turns] > 1\n"
      "add r1, r2, %[scalars]\n"
      ".endif\n"
      // slice
      "eor r8, r6, r4, lsr #2\n"
      "eor r9, r7, r5, lsr #2\n"
      "and r8, r8, #0x33333333\n"
      "and r9, r9, #0x33333333\n"
      "eor r6, r6, r8\n"
      "eor r7, r7, r9\n"
      "eor r4, r4, r8, lsl #2\n"
      "eor r5, r5, r9, lsl #2\n"
      "eor r8, r5, r4, lsr #1\n"
      "eor r9, r7, r6, lsr #1\n"
      "and r8, r8, #0x55555555\n"
      "and r9, r9, #0x55555555\n"
      "eor r5, r5, r8\n"
      "eor r7, r7, r9\n"
      "eor r4, r4, r8, lsl #1\n"
      "eor r6, r6, r9, lsl #1\n"
      "eor r8, r4, r7\n"
      "eor r9, r6, r7\n"
      "eor r10, r5, r6\n"
      "2:\n"
      ".rept %c[unrolled]\n"
      "ldr r3, [r2], #4\n"
      "msr apsr_nzcvq, r3\n"
      "ldm r0, {r3, r11, r12, lr}\n" AIOLI_M4_ADD_PRODUCT
      "stmia r0!, {r3, r11, r12, lr}\n"
      ".endr\n"
      ".if %c[turns] > 1\n"
      "cmp r2, r1\n"
      "bne 2b\n"
      ".endif\n"
      "sub r2, r2, %[scalars]\n"
      "ldr r1, [sp]\n"
      "ldr r3, [sp, #4]\n"
      "subs r3, r3, #1\n"
      "str r3, [sp, #4]\n"
      "bne 1b\n"
      "msr apsr_nzcvq, r3\n"  // zero: Q would keep a bit of a scalar
      "add sp, sp, #8\n"
      "pop {r4-r11, pc}\n"
      :
      : [step] "i"(4 * Stride), [scalars] "i"(4 * R), [unrolled] "i"(Unrolled), [turns] "i"(R / Unrolled));
}
#else
template <int R, int Stride, int Unrolled>
inline void accumulate(uint32_t (*U)[R][4], const uint32_t *words, const uint32_t (&scalars)[R], int groups) {
  for (int g = 0; g < groups; g++, words += 4 * Stride) {
    uint32_t p[4] = {words[0], words[Stride], words[2 * Stride], words[3 * Stride]};
    slice(p);
    const Multiplicand a = multiplicand(p);
    for (int i = 0; i < R; i++) add_product(U[g][i], a, scalar_mask(GF16{uint8_t(scalars[i] >> 28)}));
  }
}
#endif

// Upper(U) += column `column` of a square matrix of R rows, of packed m-vectors, Bytes each, row after row, at any address:
// sixteen elements times scalar i go to entry (i, column) for i <= column, and to (column, i) below.  The elements are words[0]
// and words[8].  A scalar is in the highest four bits of its word.
#if defined(AIOLI_ARMV7M_GCC)
// A word times x, in `to`.
#define AIOLI_M4_TIMES_X(to, from) \
  "and r12, " from                 \
  ", #0x88888888\n"                \
  "eor " to ", " from              \
  ", r12\n"                        \
  "lsl " to ", " to                \
  ", #1\n"                         \
  "eor " to ", " to                \
  ", r12, lsr #3\n"                \
  "eor " to ", " to ", r12, lsr #2\n"
// An entry at r0 += a scalar from r2 on times two words in r4 and r8, whose multiples follow them.  The entry is then in r12 and
// r1.
#define AIOLI_M4_ADD_PACKED_PRODUCT \
  "ldr r12, [r2], #4\n"             \
  "msr apsr_nzcvq, r12\n"           \
  "ldr r12, [r0]\n"                 \
  "ldr r1, [r0, #4]\n"              \
  "itt vs\n"                        \
  "eorvs r12, r12, r4\n"            \
  "eorvs r1, r1, r8\n"              \
  "itt cs\n"                        \
  "eorcs r12, r12, r5\n"            \
  "eorcs r1, r1, r9\n"              \
  "itt eq\n"                        \
  "eoreq r12, r12, r6\n"            \
  "eoreq r1, r1, r10\n"             \
  "itt mi\n"                        \
  "eormi r12, r12, r7\n"            \
  "eormi r1, r1, r11\n"             \
  "str r1, [r0, #4]\n"

template <int R, int Bytes> AIOLI_M4_NAKED void accumulate_upper(uint8_t *, const uint32_t *, const uint32_t (&)[R], int) {
  __asm__(
      ".syntax unified\n"
      "push {r4-r11, lr}\n"
      "ldr r4, [r1]\n"
      "ldr r8, [r1, #32]\n"                                                                      //
      AIOLI_M4_TIMES_X("r5", "r4") AIOLI_M4_TIMES_X("r6", "r5") AIOLI_M4_TIMES_X("r7", "r6")     //
      AIOLI_M4_TIMES_X("r9", "r8") AIOLI_M4_TIMES_X("r10", "r9") AIOLI_M4_TIMES_X("r11", "r10")  //
      // Down the column to the diagonal: rows get shorter, and so do the steps.
      "mov r12, %[bytes]\n"
      "mla r0, r3, r12, r0\n"
      "mov lr, %[row]\n"
      "1:\n" AIOLI_M4_ADD_PACKED_PRODUCT
      "str r12, [r0]\n"
      "add r0, r0, lr\n"
      "sub lr, lr, %[bytes]\n"
      "subs r3, r3, #1\n"
      "bpl 1b\n"
      // Along the row behind it.  lr has gone one step too far, and ends with the row.
      "sub r0, r0, lr\n"
      "cmp lr, #0\n"
      "blt 3f\n"
      "2:\n" AIOLI_M4_ADD_PACKED_PRODUCT
      "str r12, [r0], %[bytes]\n"
      "subs lr, lr, %[bytes]\n"
      "bpl 2b\n"
      "3:\n"
      "mov r3, #0\n"
      "msr apsr_nzcvq, r3\n"  // Q would keep a bit of a scalar
      "pop {r4-r11, pc}\n"
      :
      : [bytes] "i"(Bytes), [row] "i"(Bytes * (R - 1)));
}
#else
template <int R, int Bytes>
inline void accumulate_upper(uint8_t *upper, const uint32_t *words, const uint32_t (&scalars)[R], int column) {
  const gf16::Multiples multiples = gf16::multiples(words[0] | uint64_t(words[8]) << 32);
  for (int i = 0; i < R; i++) {
    const int row = i < column ? i : column, before = row * R - row * (row - 1) / 2 + (i + column - 2 * row);
    uint8_t *entry = upper + before * Bytes;
    store64(entry, load64(entry) ^ gf16::mul(multiples, gf16::scalar(GF16{uint8_t(scalars[i] >> 28)})));
  }
}
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
