// SPDX-License-Identifier: Apache-2.0
// Public times secret, by the method of the four Russians: sums[e] += sum over j of entry j's element e times row j of a secret
// matrix, the row being W words of packed elements.  The elements of the entries are public and index tables of multiples of the
// rows.
//
// Pairs: a table for every two rows holds all 256 combinations, the first one's factor in the lower half of the index.
// Singles: a table for each row holds its sixteen multiples.
//
// The sums of a few equations are in registers while the entries, Bytes apart, go by: eight (a word of each entry) if a row is
// one word; two (a byte) if it is three; if it is two words, two with tables of pairs, whose indices take registers, and four
// with singles.  Sums stand equation by equation; a multiple of so many of them are written, and as many elements read from each
// entry.
#pragma once
#include "backend/cortex_m4/assembly.hpp"
#include "base/bytes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

enum class Table { singles = 16, pairs = 256 };  // combinations in it

// `count` tables, and one or two times as many entries.
template <int W, Table Kind> inline constexpr int equations_at_once = W == 1 ? 8 : W == 2 && Kind == Table::singles ? 4 : 2;

#if defined(AIOLI_ARMV7M_GCC)
// Around a body that takes one table's entries at r1 and moves on r0 (the table) and r1; r2 is where r1 ends.  Two bodies in one
// turn of the loop, which is entered in the middle if their number is odd.  On the stack: sums, table, entries and their end,
// count, turns.
#define AIOLI_M4_LOOKUPS(SUMS, BODY)               \
  ".syntax unified\n"                              \
  "push {r4-r11, lr}\n"                            \
  "mov r4, %[advance]\n"                           \
  "mla r4, r3, r4, r2\n"                           \
  "mov r5, %[turns]\n"                             \
  "push {r3, r5}\n"                                \
  "push {r0, r1, r2, r4}\n"                        \
  "1:\n"                                           \
  "ldrd r0, r1, [sp, #4]\n"                        \
  "ldr r2, [sp, #12]\n"                            \
  "add r12, r1, %[step]\n"                         \
  "add lr, r2, %[step]\n"                          \
  "strd r12, lr, [sp, #8]\n"                       \
  "ldr lr, [sp, #16]\n"                            \
  "ldr r12, [sp]\n"                                \
  "lsls lr, lr, #31\n"                             \
  "ldm r12, {" SUMS                                \
  "}\n"                                            \
  "mov r3, %[row]\n"                               \
  "bne 3f\n"                                       \
  "2:\n" BODY "3:\n" BODY                          \
  "cmp r1, r2\n"                                   \
  "bne 2b\n"                                       \
  "ldr r12, [sp]\n"                                \
  "stmia r12!, {" SUMS                             \
  "}\n"                                            \
  "str r12, [sp]\n"                                \
  "ldr r12, [sp, #20]\n"                           \
  "subs r12, r12, #1\n"                            \
  "str r12, [sp, #20]\n"                           \
  "bne 1b\n"                                       \
  "add sp, sp, #24\n"                              \
  "pop {r4-r11, pc}\n" : : [advance] "i"(advance), \
                           [turns] "i"(turns),     \
                           [step] "i"(step),       \
                           [row] "i"(4 * W),       \
                           [bytes] "i"(Bytes),     \
                           [table] "i"(table)

// The factors of two equations: to index bytes r10, r11.
#define AIOLI_M4_TWO_PAIRS       \
  "ldrb r11, [r1, %[bytes]]\n"   \
  "ldrb r10, [r1], %[advance]\n" \
  "lsr r12, r10, #4\n"           \
  "bfi r10, r11, #4, #4\n"       \
  "bfi r11, r12, #0, #4\n"
#define AIOLI_M4_TWO_SINGLES     \
  "ldrb r11, [r1], %[advance]\n" \
  "and r10, r11, #15\n"          \
  "lsr r11, r11, #4\n"
#define AIOLI_M4_ROW3(index, a, b, c) \
  "mla " index ", " index             \
  ", r3, r0\n"                        \
  "ldm " index ", {" index            \
  ", r12, lr}\n"                      \
  "eor " a ", " a ", " index          \
  "\n"                                \
  "eor " b ", " b                     \
  ", r12\n"                           \
  "eor " c ", " c ", lr\n"
#define AIOLI_M4_ROW2(index, second, a, b) \
  "add " index ", r0, " index              \
  ", lsl #3\n"                             \
  "ldm " index ", {" index ", " second     \
  "}\n"                                    \
  "eor " a ", " a ", " index               \
  "\n"                                     \
  "eor " b ", " b ", " second "\n"
#define AIOLI_M4_ROW1(extract, sum)  \
  extract                            \
      "ldr r12, [r0, r12, lsl #2]\n" \
      "eor " sum ", " sum ", r12\n"
#define AIOLI_M4_NEXT_TABLE "add r0, r0, %[table]\n"
#define AIOLI_M4_BODY3(two) two AIOLI_M4_ROW3("r10", "r4", "r5", "r6") AIOLI_M4_ROW3("r11", "r7", "r8", "r9") AIOLI_M4_NEXT_TABLE
#define AIOLI_M4_BODY2_PAIRS \
  AIOLI_M4_TWO_PAIRS AIOLI_M4_ROW2("r10", "r12", "r4", "r5") AIOLI_M4_ROW2("r11", "r12", "r6", "r7") AIOLI_M4_NEXT_TABLE
#define AIOLI_M4_SINGLE2(extract, a, b) extract AIOLI_M4_ROW2("r12", "lr", a, b)
#define AIOLI_M4_BODY2_SINGLES                                                                                      \
  "ldrh r3, [r1], %[advance]\n" AIOLI_M4_SINGLE2("and r12, r3, #15\n", "r4", "r5")                                  \
      AIOLI_M4_SINGLE2("ubfx r12, r3, #4, #4\n", "r6", "r7") AIOLI_M4_SINGLE2("ubfx r12, r3, #8, #4\n", "r8", "r9") \
          AIOLI_M4_SINGLE2("lsr r12, r3, #12\n", "r10", "r11") AIOLI_M4_NEXT_TABLE
// Eight equations: the indices of the even ones to the bytes of r3, of the odd ones to those of lr.
#define AIOLI_M4_BODY1_PAIRS                                                                              \
  "ldr lr, [r1, %[bytes]]\n"                                                                              \
  "ldr r12, [r1], %[advance]\n"                                                                           \
  "and r3, lr, #0x0f0f0f0f\n"                                                                             \
  "eor lr, lr, r3\n"                                                                                      \
  "eor r3, r12, r3, lsl #4\n"                                                                             \
  "and r12, r12, #0xf0f0f0f0\n"                                                                           \
  "eor r3, r3, r12\n"                                                                                     \
  "orr lr, lr, r12, lsr #4\n" AIOLI_M4_ROW1("uxtb r12, r3\n", "r4") AIOLI_M4_ROW1("uxtb r12, lr\n", "r5") \
      AIOLI_M4_ROW1("ubfx r12, r3, #8, #8\n", "r6") AIOLI_M4_ROW1("ubfx r12, lr, #8, #8\n", "r7")         \
          AIOLI_M4_ROW1("ubfx r12, r3, #16, #8\n", "r8") AIOLI_M4_ROW1("ubfx r12, lr, #16, #8\n", "r9")   \
              AIOLI_M4_ROW1("lsr r12, r3, #24\n", "r10") AIOLI_M4_ROW1("lsr r12, lr, #24\n", "r11") AIOLI_M4_NEXT_TABLE
#define AIOLI_M4_BODY1_SINGLES                                                                                         \
  "ldr r3, [r1], %[advance]\n" AIOLI_M4_ROW1("and r12, r3, #15\n", "r4") AIOLI_M4_ROW1("ubfx r12, r3, #4, #4\n", "r5") \
      AIOLI_M4_ROW1("ubfx r12, r3, #8, #4\n", "r6") AIOLI_M4_ROW1("ubfx r12, r3, #12, #4\n", "r7")                     \
          AIOLI_M4_ROW1("ubfx r12, r3, #16, #4\n", "r8") AIOLI_M4_ROW1("ubfx r12, r3, #20, #4\n", "r9")                \
              AIOLI_M4_ROW1("ubfx r12, r3, #24, #4\n", "r10") AIOLI_M4_ROW1("lsr r12, r3, #28\n", "r11") AIOLI_M4_NEXT_TABLE

template <int W, int Bytes, Table Kind> struct Lookups {
  static_assert(W >= 1 && W <= 3);
  static constexpr bool pairs = Kind == Table::pairs;
  static constexpr int advance = Bytes * (pairs ? 2 : 1), step = equations_at_once<W, Kind> / 2,
                       turns = (Bytes + step - 1) / step;
  static constexpr int table = 4 * W * int(Kind);

  AIOLI_M4_NAKED static void add(uint32_t *, const uint32_t *, const uint8_t *, int) {
    if constexpr (W == 3 && pairs)
      __asm__(AIOLI_M4_LOOKUPS("r4-r9", AIOLI_M4_BODY3(AIOLI_M4_TWO_PAIRS)));
    else if constexpr (W == 3)
      __asm__(AIOLI_M4_LOOKUPS("r4-r9", AIOLI_M4_BODY3(AIOLI_M4_TWO_SINGLES)));
    else if constexpr (W == 2 && pairs)
      __asm__(AIOLI_M4_LOOKUPS("r4-r7", AIOLI_M4_BODY2_PAIRS));
    else if constexpr (W == 2)
      __asm__(AIOLI_M4_LOOKUPS("r4-r11", AIOLI_M4_BODY2_SINGLES));
    else if constexpr (pairs)
      __asm__(AIOLI_M4_LOOKUPS("r4-r11", AIOLI_M4_BODY1_PAIRS));
    else
      __asm__(AIOLI_M4_LOOKUPS("r4-r11", AIOLI_M4_BODY1_SINGLES));
  }
};
#else
template <int W, int Bytes, Table Kind> struct Lookups {
  static void add(uint32_t *sums, const uint32_t *table, const uint8_t *entries, int count) {
    constexpr int step = equations_at_once<W, Kind>, each = Kind == Table::pairs ? 2 : 1;
    for (int e = 0; e < 2 * Bytes; e += step)
      for (int t = 0; t < count; t++)
        for (int i = e; i < e + step; i++) {
          int index = 0;
          for (int j = 0; j < each; j++) index |= (entries[(each * t + j) * Bytes + i / 2] >> (4 * (i % 2)) & 15) << (4 * j);
          for (int x = 0; x < W; x++) sums[W * i + x] ^= table[W * (t * int(Kind) + index) + x];
        }
  }
};
#endif

// to[i] = from[i] + row for so many rows of W words, a multiple of eight: what tables are made with.
#if defined(AIOLI_ARMV7M_GCC)
template <int W> AIOLI_M4_NAKED void add_row(uint32_t *, const uint32_t *, const uint32_t (&)[W], int) {
#define AIOLI_M4_ADD_ROW(ROW, WORDS, SUMS, ROWS)   \
  ".syntax unified\n"                              \
  "push {r4-r12, lr}\n"                            \
  "ldm r2, {" ROW                                  \
  "}\n"                                            \
  "1:\n"                                           \
  "ldm r1!, {" WORDS "}\n" SUMS "stm r0!, {" WORDS \
  "}\n"                                            \
  "subs r3, r3, #" ROWS                            \
  "\n"                                             \
  "bne 1b\n"                                       \
  "pop {r4-r12, pc}\n"
#define AIOLI_M4_SUM(word, row) "eor " word ", " word ", " row "\n"
  if constexpr (W == 1)
    __asm__(AIOLI_M4_ADD_ROW("r4", "r5-r12",
                             AIOLI_M4_SUM("r5", "r4") AIOLI_M4_SUM("r6", "r4") AIOLI_M4_SUM("r7", "r4") AIOLI_M4_SUM("r8", "r4")
                                 AIOLI_M4_SUM("r9", "r4") AIOLI_M4_SUM("r10", "r4") AIOLI_M4_SUM("r11", "r4")
                                     AIOLI_M4_SUM("r12", "r4"),
                             "8"));
  else if constexpr (W == 2)
    __asm__(AIOLI_M4_ADD_ROW("r4, r5", "r6-r12, lr",
                             AIOLI_M4_SUM("r6", "r4") AIOLI_M4_SUM("r7", "r5") AIOLI_M4_SUM("r8", "r4") AIOLI_M4_SUM("r9", "r5")
                                 AIOLI_M4_SUM("r10", "r4") AIOLI_M4_SUM("r11", "r5") AIOLI_M4_SUM("r12", "r4")
                                     AIOLI_M4_SUM("lr", "r5"),
                             "4"));
  else
    __asm__(AIOLI_M4_ADD_ROW("r4-r6", "r7-r12",
                             AIOLI_M4_SUM("r7", "r4") AIOLI_M4_SUM("r8", "r5") AIOLI_M4_SUM("r9", "r6") AIOLI_M4_SUM("r10", "r4")
                                 AIOLI_M4_SUM("r11", "r5") AIOLI_M4_SUM("r12", "r6"),
                             "2"));
}
#else
template <int W> inline void add_row(uint32_t *to, const uint32_t *from, const uint32_t (&row)[W], int rows) {
  for (int i = 0; i < rows; i++)
    for (int x = 0; x < W; x++) *to++ = *from++ ^ row[x];
}
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
