// SPDX-License-Identifier: Apache-2.0
// Secret times anything, on packed elements (packed.hpp), without slicing: a scalar is bits, and a product is the sum of those
// multiples x^b w of a word whose bit is set.  Bits are moved into the flags and sums are made by predicated instructions, as in
// slices.hpp.
//
//   weigh           one sum of many products: sums for each of four bits, of two words, are in registers while all entries go by,
//                   and multiplying by x comes last, once.
//   add_multiples   many sums of one product each: the multiples of two words are in registers, and the sums go by.
//
// Both take four bits of a scalar at a time, GF(256) so twice.
#pragma once
#include "backend/cortex_m4/assembly.hpp"
#include "backend/cortex_m4/packed.hpp"
#include "base/bytes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// sum = x^4 sum + the sum over t < count of weight t times two words: those at entries + t stride.  count > 0; weights as
// flags_of makes them.
#if defined(AIOLI_ARMV7M_GCC)
// One entry: r12 and lr are its words, the sums for the four bits in r4, r5; r6, r7; ..
#define AIOLI_M4_WEIGH_ONE \
  "ldr r12, [r2], #4\n"    \
  "msr apsr_nzcvq, r12\n"  \
  "ldr r12, [r1]\n"        \
  "ldr lr, [r1, #4]\n"     \
  "add r1, r1, r3\n"       \
  "itt vs\n"               \
  "eorvs r4, r4, r12\n"    \
  "eorvs r5, r5, lr\n"     \
  "itt cs\n"               \
  "eorcs r6, r6, r12\n"    \
  "eorcs r7, r7, lr\n"     \
  "itt eq\n"               \
  "eoreq r8, r8, r12\n"    \
  "eoreq r9, r9, lr\n"     \
  "itt mi\n"               \
  "eormi r10, r10, r12\n"  \
  "eormi r11, r11, lr\n"
#define AIOLI_M4_HORNER(times_x, a, b)            \
  times_x("r12") times_x("lr") "eor r12, r12, " a \
                               "\n"               \
                               "eor lr, lr, " b "\n"
#define AIOLI_M4_IN_PLACE16(w) AIOLI_M4_TIMES_X_GF16(w, w, "r3")
#define AIOLI_M4_IN_PLACE256(w) AIOLI_M4_TIMES_X_GF256(w, w, "r3", "r1", "r2")
#define AIOLI_M4_WEIGH(times_x) \
  ".syntax unified\n"                                                                \
  "push {r0, r4-r11, lr}\n"                                                          \
  "ldr r0, [sp, #40]\n"                                                              \
  "movs r4, #0\n"                                                                    \
  "movs r5, #0\n"                                                                    \
  "movs r6, #0\n"                                                                    \
  "movs r7, #0\n"                                                                    \
  "mov r8, r4\n"                                                                     \
  "mov r9, r4\n"                                                                     \
  "mov r10, r4\n"                                                                    \
  "mov r11, r4\n"                                                                    \
  "tst r0, #1\n"                                                                     \
  "add r0, r2, r0, lsl #2\n"                                                         \
  "bne 2f\n"                                                                         \
  "1:\n" AIOLI_M4_WEIGH_ONE "2:\n" AIOLI_M4_WEIGH_ONE                                \
  "cmp r2, r0\n"                                                                     \
  "bne 1b\n"                                                                         \
  "ldr r0, [sp]\n"                                                                   \
  "ldrd r12, lr, [r0]\n"                                                             \
  "movs r2, #0\n"                                                                    \
  "mov r1, #0x1b1b1b1b\n"                                                            \
  AIOLI_M4_HORNER(times_x, "r10", "r11") AIOLI_M4_HORNER(times_x, "r8", "r9")        \
  AIOLI_M4_HORNER(times_x, "r6", "r7") AIOLI_M4_HORNER(times_x, "r4", "r5")          \
  "strd r12, lr, [r0]\n"                                                             \
  "msr apsr_nzcvq, r2\n" /* Q and GE would keep bits of secrets */                   \
  "uadd8 r2, r2, r2\n"                                                               \
  "pop {r0, r4-r11, pc}\n"

template <class F> AIOLI_M4_NAKED void weigh(uint32_t (&)[2], const uint8_t *, const uint32_t *, int, int) {
  if constexpr (F::bits == 4)
    __asm__(AIOLI_M4_WEIGH(AIOLI_M4_IN_PLACE16));
  else
    __asm__(AIOLI_M4_WEIGH(AIOLI_M4_IN_PLACE256));
}
#else
template <class F> inline void weigh(uint32_t (&sum)[2], const uint8_t *entries, const uint32_t *weights, int stride, int count) {
  uint32_t of_bit[4][2] = {};
  for (int t = 0; t < count; t++, entries += stride)
    for (int b = 0; b < 4; b++) {
      const uint32_t mask = uint32_t(mask_of_bit(weights[t] >> (28 + b)));
      for (int x = 0; x < 2; x++) of_bit[b][x] ^= load32(entries + 4 * x) & mask;
    }
  for (int b = 3; b >= 0; b--)
    for (int x = 0; x < 2; x++) sum[x] = Packed<F>::times_x(sum[x]) ^ of_bit[b][x];
}
#endif

// Two words at `to`, at any address, += scalar 0 times `words`, and so on, for count > 0 scalars, each a step further than the
// one before; the step shrinks by Shrink each time.  Then words is x^4 words: what the next half of the scalars is for.
#if defined(AIOLI_ARMV7M_GCC)
#define AIOLI_M4_MULTIPLE16(to, from) AIOLI_M4_TIMES_X_GF16(to, from, "r3")
#define AIOLI_M4_MULTIPLE256(to, from) AIOLI_M4_TIMES_X_GF256(to, from, "r3", "lr", "r12")
#define AIOLI_M4_ADD_MULTIPLES(multiple) \
  ".syntax unified\n"                                                 \
  "push {r3-r11, lr}\n"                                               \
  "ldr r4, [r3]\n"                                                    \
  "ldr r5, [r3, #4]\n"                                                \
  "mov lr, #0x1b1b1b1b\n"                                             \
  "mov r12, #0\n" multiple("r6", "r4") multiple("r7", "r5")           \
      multiple("r8", "r6") multiple("r9", "r7") multiple("r10", "r8") \
      multiple("r11", "r9")                                           \
  "ldr r3, [sp, #40]\n"                                               \
  "add r3, r2, r3, lsl #2\n"                                          \
  "1:\n"                                                              \
  "ldr r12, [r2], #4\n"                                               \
  "msr apsr_nzcvq, r12\n"                                             \
  "ldr r12, [r0]\n"                                                   \
  "ldr lr, [r0, #4]\n"                                                \
  "itt vs\n"                                                          \
  "eorvs r12, r12, r4\n"                                              \
  "eorvs lr, lr, r5\n"                                                \
  "itt cs\n"                                                          \
  "eorcs r12, r12, r6\n"                                              \
  "eorcs lr, lr, r7\n"                                                \
  "itt eq\n"                                                          \
  "eoreq r12, r12, r8\n"                                              \
  "eoreq lr, lr, r9\n"                                                \
  "itt mi\n"                                                          \
  "eormi r12, r12, r10\n"                                             \
  "eormi lr, lr, r11\n"                                               \
  "str r12, [r0]\n"                                                   \
  "str lr, [r0, #4]\n"                                                \
  "add r0, r0, r1\n"                                                  \
  ".if %c[shrink] > 0\n"                                              \
  "sub r1, r1, %[shrink]\n"                                           \
  ".endif\n"                                                          \
  "cmp r2, r3\n"                                                      \
  "bne 1b\n"                                                          \
  "mov lr, #0x1b1b1b1b\n"                                             \
  "mov r12, #0\n" multiple("r4", "r10") multiple("r5", "r11")         \
  "ldr r3, [sp]\n"                                                    \
  "str r4, [r3]\n"                                                    \
  "str r5, [r3, #4]\n"                                                \
  "mov r2, #0\n"                                                      \
  "msr apsr_nzcvq, r2\n" /* Q and GE would keep bits of secrets */    \
  "uadd8 r2, r2, r2\n"                                                \
  "pop {r3-r11, pc}\n" : : [shrink] "i"(Shrink)

template <class F, int Shrink = 0> AIOLI_M4_NAKED void add_multiples(uint8_t *, int, const uint32_t *, uint32_t (&)[2], int) {
  if constexpr (F::bits == 4)
    __asm__(AIOLI_M4_ADD_MULTIPLES(AIOLI_M4_MULTIPLE16));
  else
    __asm__(AIOLI_M4_ADD_MULTIPLES(AIOLI_M4_MULTIPLE256));
}
#else
template <class F, int Shrink = 0>
inline void add_multiples(uint8_t *to, int step, const uint32_t *scalars, uint32_t (&words)[2], int count) {
  uint32_t multiple[5][2] = {{words[0], words[1]}};
  for (int b = 1; b < 5; b++)
    for (int x = 0; x < 2; x++) multiple[b][x] = Packed<F>::times_x(multiple[b - 1][x]);
  for (int i = 0; i < count; i++, to += step, step -= Shrink)
    for (int x = 0; x < 2; x++) {
      uint32_t sum = load32(to + 4 * x);
      for (int b = 0; b < 4; b++) sum ^= multiple[b][x] & uint32_t(mask_of_bit(scalars[i] >> (28 + b)));
      store32(to + 4 * x, sum);
    }
  for (int x = 0; x < 2; x++) words[x] = multiple[4][x];
}
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
