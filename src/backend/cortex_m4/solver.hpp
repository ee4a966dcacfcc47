// SPDX-License-Identifier: Apache-2.0
// The column solver (linalg/solver.hpp) on bit-sliced rows: thirty-two columns are four words (slices.hpp), and the rows take the
// place of the columns that came.
//
// Columns are still what is added to each other: to clear row e in all unused columns, each later row gets the vector of factors
// times its own entry in the pivot column, whose number is secret; the entry is found by a mask.  The factors take the place of
// row e.
#pragma once
#include "backend/cortex_m4/slices.hpp"
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// For each of `rows` rows, which are in Groups groups of four words, Stride words apart: the entry where the mask `pivot` has its
// only bit times the factors is added.
#if defined(AIOLI_ARMV7M_GCC)
template <int Groups, int Stride>
AIOLI_M4_NAKED void eliminate(uint32_t (*)[4], const uint32_t (&)[Groups], const Multiplicand (&)[Groups], int) {
  __asm__(
      ".syntax unified\n"
      "push {r1-r11, lr}\n"  // [sp]: pivot, [sp + 8]: rows left
      "1:\n"
      // The entry: of each plane the one bit, if it is set, in r4 .. r7.
      "ldr r1, [sp]\n"
      "ldm r0, {r4-r7}\n"
      "ldr r12, [r1], #4\n"
      "mov lr, r0\n"
      "and r4, r4, r12\n"
      "and r5, r5, r12\n"
      "and r6, r6, r12\n"
      "and r7, r7, r12\n"
      ".rept %c[more]\n"
      "add lr, lr, %[stride]\n"
      "ldr r12, [r1], #4\n"
      "ldm lr, {r8-r11}\n"
      "and r8, r8, r12\n"
      "and r9, r9, r12\n"
      "and r10, r10, r12\n"
      "and r11, r11, r12\n"
      "orr r4, r4, r8\n"
      "orr r5, r5, r9\n"
      "orr r6, r6, r10\n"
      "orr r7, r7, r11\n"
      ".endr\n"
      // To the flags: 0 - r has no carry if r is not zero.
      "rsbs r7, r7, #0\n"
      "adc r3, r3, r3\n"
      "rsbs r6, r6, #0\n"
      "adc r3, r3, r3\n"
      "rsbs r5, r5, #0\n"
      "adc r3, r3, r3\n"
      "rsbs r4, r4, #0\n"
      "adc r3, r3, r3\n"
      "mvn r3, r3, lsl #28\n"
      "msr apsr_nzcvq, r3\n"
      "mov r1, r0\n"
      ".rept %c[groups]\n"
      "ldm r2!, {r4-r10}\n"
      "ldm r1, {r3, r11, r12, lr}\n"  //
      AIOLI_M4_ADD_PRODUCT
      "stm r1, {r3, r11, r12, lr}\n"
      "add r1, r1, %[stride]\n"
      ".endr\n"
      "sub r2, r2, %[factors]\n"
      "add r0, r0, #16\n"
      "ldr r3, [sp, #8]\n"
      "subs r3, r3, #1\n"
      "str r3, [sp, #8]\n"
      "bne 1b\n"
      "msr apsr_nzcvq, r3\n"  // zero: Q would keep a bit of an entry
      "add sp, sp, #12\n"
      "pop {r4-r11, pc}\n"
      :
      : [groups] "i"(Groups), [more] "i"(Groups - 1), [stride] "i"(4 * Stride), [factors] "i"(sizeof(Multiplicand) * Groups));
}
#else
template <int Groups, int Stride>
inline void eliminate(uint32_t (*row)[4], const uint32_t (&pivot)[Groups], const Multiplicand (&factors)[Groups], int rows) {
  for (int r = 0; r < rows; r++) {
    uint32_t entry[4] = {};
    for (int g = 0; g < Groups; g++)
      for (int b = 0; b < 4; b++) entry[b] |= row[r + g * Stride / 4][b] & pivot[g];
    ScalarMask scalar;
    for (int b = 0; b < 4; b++) scalar.mask[b] = uint32_t(mask_of_nonzero(entry[b]));
    for (int g = 0; g < Groups; g++) add_product(row[r + g * Stride / 4], factors[g], scalar);
  }
}
#endif

template <class P, int R = P::k, int C = P::o> struct SlicedSolver {
  using X = Fmat<R, C>;
  static constexpr int m = P::m, columns = R * C, groups = columns / 32 + 1, height = 16 * Mvector<P>::words;

  union {
    Mvector<P> A[32 * groups];  // in: the columns of A, then y; used up
    uint32_t row[groups][height][4];
  };
  union {
    uint32_t pivot[m][groups];  // the bit of the pivot column of each equation
    uint32_t block[32][height / 8];
  };

  // As ColumnSolver.
  bool solve(X &x, const X &r) {
    for (int g = 0; g < groups; g++) to_rows(g);
    uint32_t s[groups][4], unused[groups], singular = 0;
    // y -= A r
    to_planes(s, r);
    for (int e = 0; e < m; e++) add_to_right_side(e, dot(e, s));

    for (int g = 0; g < groups; g++) unused[g] = g < columns / 32 ? ~uint32_t(0) : (uint32_t(1) << columns % 32) - 1;
    for (int e = 0; e < m; e++) {
      // The first unused column with a non-zero entry in row e.
      uint32_t found = 0, entry[4] = {};
      for (int g = 0; g < groups; g++) {
        const uint32_t(&p)[4] = row[g][e];
        const uint32_t lowest = uint32_t(lowest_bit((p[0] | p[1] | p[2] | p[3]) & unused[g])) & ~found;
        pivot[e][g] = lowest;
        unused[g] &= ~lowest;
        found |= uint32_t(mask_of_nonzero(lowest));
        for (int b = 0; b < 4; b++) entry[b] |= p[b] & lowest;
      }
      singular |= ~found;
      // The multiples of the pivot column that clear row e in all unused columns and in y.
      GF16 pivot_entry{};
      for (int b = 0; b < 4; b++) pivot_entry.n = uint8_t(pivot_entry.n | nonzero_bit(entry[b]) << b);
      const ScalarMask scale = scalar_mask(inverse(pivot_entry));
      Multiplicand factors[groups];
      for (int g = 0; g < groups; g++) {
        uint32_t(&p)[4] = row[g][e], f[4] = {};
        add_product(f, multiplicand(p), scale);
        const uint32_t keep = g == columns / 32 ? unused[g] | uint32_t(1) << columns % 32 : unused[g];
        for (int b = 0; b < 4; b++) p[b] = f[b] & keep;
        factors[g] = multiplicand(p);
      }
      if (e + 1 < m) eliminate<groups, 4 * height>(&row[0][e + 1], pivot[e], factors, m - 1 - e);
    }
    // Backwards: the pivot of equation e carries what y needed of it, less what later pivots already brought along.  y's own is
    // one.
    for (auto &group : s)
      for (auto &w : group) w = 0;
    s[columns / 32][0] = uint32_t(1) << columns % 32;
    for (int e = m - 1; e >= 0; e--) {
      const ScalarMask value = scalar_mask(dot(e, s));
      for (int g = 0; g < groups; g++)
        for (int b = 0; b < 4; b++) s[g][b] |= pivot[e][g] & value.mask[b];
    }
    x.zero();
    for (int i = 0, j = 0; i < R; i++)
      for (int c = 0; c < C; c++, j++) {
        GF16 a{};
        for (int b = 0; b < 4; b++) a.n = uint8_t(a.n | (s[j / 32][b] >> j % 32 & 1) << b);
        x.set(i, c, r(i, c) + a);
      }
    wipe(s, sizeof s);
    // "Singular, try again with new vinegar" is all that is said about A; the specification lets the number of attempts be seen.
    return reveal(singular) == 0;
  }

 private:
  // Columns 32 g .. 32 g + 31 to group g of the rows.
  void to_rows(int g) {
    for (int j = 0; j < 32; j++)
      for (int w = 0; w < height / 8; w++)
        block[j][w] = 32 * g + j <= columns ? uint32_t(A[32 * g + j].w[w / 2] >> (32 * (w % 2))) : 0;
    for (int w = 0; w < height / 8; w++) {
      uint32_t words[8][4];  // of eight equations; element c of word t is column 4 c + t, so that the bits of planes are in order
      for (int t = 0; t < 4; t++) {
        uint32_t tile[8];
        for (int c = 0; c < 8; c++) tile[c] = block[4 * c + t][w];
        transpose8(tile);
        for (int e = 0; e < 8; e++) words[e][t] = tile[e];
      }
      for (int e = 0; e < 8; e++) {
        slice(words[e]);
        for (int b = 0; b < 4; b++) row[g][8 * w + e][b] = words[e][b];
      }
    }
  }
  static void to_planes(uint32_t (&s)[groups][4], const X &r) {
    for (auto &group : s)
      for (auto &w : group) w = 0;
    for (int i = 0, j = 0; i < R; i++)
      for (int c = 0; c < C; c++, j++)
        for (int b = 0; b < 4; b++) s[j / 32][b] |= uint32_t(r(i, c).n >> b & 1) << j % 32;
  }
  void add_to_right_side(int e, GF16 a) {
    for (int b = 0; b < 4; b++) row[columns / 32][e][b] ^= uint32_t(a.n >> b & 1) << columns % 32;
  }
  // The sum over all columns of row e times s.
  GF16 dot(int e, const uint32_t (&s)[groups][4]) const {
    uint32_t c[7] = {};  // coefficients of the product of two polynomials
    for (int g = 0; g < groups; g++)
      for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) c[a + b] ^= row[g][e][a] & s[g][b];
    for (int i = 6; i >= 4; i--) c[i - 4] ^= c[i], c[i - 3] ^= c[i];
    unsigned n = 0;
    for (int i = 0; i < 4; i++) {
      uint32_t t = c[i];
      for (int shift = 16; shift > 0; shift /= 2) t ^= t >> shift;
      n |= (t & 1) << i;
    }
    return {uint8_t(n)};
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
