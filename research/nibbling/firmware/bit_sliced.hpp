// SPDX-License-Identifier: Apache-2.0
// Bit-sliced arithmetic on the Cortex-M4, for m-vectors of four planes of m bits as round 1 specified them: the baseline of a
// comparison.
//
// Thirty-two elements are one word of each plane.  Their product with a secret scalar is sixteen exclusive-ors of these words,
// done or not as the scalar's bits say: all four bits go into the processor's flags at once, and four predicated instructions
// follow each IT.  The sums stay in registers, as seven words, the coefficients of x^0 .. x^6, while the entries of a row go by;
// so the multiples x p, x^2 p, x^3 p need no instruction of their own, and the reduction modulo x^4 + x + 1 is done once for each
// sum.
#pragma once
#include "backend/cortex_m4/assembly.hpp"
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// One column of a secret matrix after another; a scalar is in the highest bits of its word, and the lowest bit marks the last one
// of a column.
template <int N, int C> struct BitSlicedFactor {
  uint32_t scalar[C][N];

  void set(const Fmat<N, C> &X) {
    for (int j = 0; j < N; j++) {
      uint64_t row = 0;
      for (int c = 0; c < C; c++) {
        if (c % gf16::per_word == 0) row = X.w[j][c / gf16::per_word];
        scalar[c][j] = uint32_t(row) << 28;
        row >>= 4;
      }
    }
    for (auto &column : scalar) column[N - 1] |= 1;
  }
};

// For each of `columns` columns c: word 0 of the four planes at to + M/2 c bytes = sum over j < count of scalar[c][j] times the
// first word of the planes of entry j.  The scalars of a column are N words; the row ends with the matrix, at the mark; count >
// 0.
template <int M, int N> AIOLI_M4_NAKED void bit_sliced_columns(uint32_t *, const uint8_t *, const uint32_t *, int, int) {
// The scalar in r2, p0 .. p3 in r4 .. r7, the sums in r3, r8 .. r12, lr.
#define NIBBLING_MULTIPLY_ADD    \
  "ldr r2, [r0], #4\n"           \
  "ldr r5, [r1, %[plane]]\n"     \
  "ldr r6, [r1, %[plane] * 2]\n" \
  "ldr r7, [r1, %[plane] * 3]\n" \
  "ldr r4, [r1], %[entry]\n"     \
  "msr apsr_nzcvq, r2\n"         \
  "itttt vs\n"                   \
  "eorvs r3, r3, r4\n"           \
  "eorvs r8, r8, r5\n"           \
  "eorvs r9, r9, r6\n"           \
  "eorvs r10, r10, r7\n"         \
  "itttt cs\n"                   \
  "eorcs r8, r8, r4\n"           \
  "eorcs r9, r9, r5\n"           \
  "eorcs r10, r10, r6\n"         \
  "eorcs r11, r11, r7\n"         \
  "itttt eq\n"                   \
  "eoreq r9, r9, r4\n"           \
  "eoreq r10, r10, r5\n"         \
  "eoreq r11, r11, r6\n"         \
  "eoreq r12, r12, r7\n"         \
  "itttt mi\n"                   \
  "eormi r10, r10, r4\n"         \
  "eormi r11, r11, r5\n"         \
  "eormi r12, r12, r6\n"         \
  "eormi lr, lr, r7\n"
  __asm__(
      ".syntax unified\n"
      "push {r4-r11, lr}\n"
      "ldr r4, [sp, #36]\n"
      "push {r0-r4}\n"  // to, entries, scalars, count, columns left
      "1:\n"
      "ldrd r1, r0, [sp, #4]\n"
      "ldr r4, [sp, #12]\n"
      "mov r3, #0\n"
      "mov r8, #0\n"
      "mov r9, #0\n"
      "mov r10, #0\n"
      "mov r11, #0\n"
      "mov r12, #0\n"
      "mov lr, #0\n"
      "lsls r4, r4, #31\n"  // four entries in one turn of the loop, which is entered where the number of entries says
      "bhi 3f\n"
      "bcs 4f\n"
      "bne 5f\n"
      "2:\n" NIBBLING_MULTIPLY_ADD "3:\n" NIBBLING_MULTIPLY_ADD "4:\n" NIBBLING_MULTIPLY_ADD "5:\n" NIBBLING_MULTIPLY_ADD
      "tst r2, #1\n"
      "beq 2b\n"
      "ldr r1, [sp]\n"
      "eor r3, r3, r11\n"  // x^4 = x + 1
      "eor r8, r8, r11\n"
      "eor r8, r8, r12\n"
      "eor r9, r9, r12\n"
      "eor r9, r9, lr\n"
      "eor r10, r10, lr\n"
      "str r8, [r1, %[plane]]\n"
      "str r9, [r1, %[plane] * 2]\n"
      "str r10, [r1, %[plane] * 3]\n"
      "str r3, [r1], %[entry]\n"
      "str r1, [sp]\n"
      "ldr r0, [sp, #8]\n"
      "ldr r4, [sp, #16]\n"
      "addw r0, r0, %[column]\n"
      "str r0, [sp, #8]\n"
      "subs r4, r4, #1\n"
      "str r4, [sp, #16]\n"
      "bne 1b\n"
      "add sp, sp, #20\n"
      "pop {r4-r11, pc}\n"
      :
      : [plane] "i"(M / 8), [entry] "i"(M / 2), [column] "i"(4 * N));
#undef NIBBLING_MULTIPLY_ADD
}

// C m-vectors in planes: a row of m-vectors, which stands at a multiple of four bytes, times X.
template <int M, int C> struct BitSlicedProducts {
  static_assert(M % 32 == 0);
  uint32_t plane[C][4][M / 32];

  template <int N> void times(const RowSegment &segment, const BitSlicedFactor<N, C> &X) {
    for (int w = 0; w < M / 32; w++)
      bit_sliced_columns<M, N>(&plane[0][0][w], segment.entries + 4 * w, X.scalar[0] + segment.first, segment.count, C);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
