// SPDX-License-Identifier: Apache-2.0
// The blocks of one segment of Aes128Table (aes128_table.cpp, whose blocks_of is the meaning), for Armv7-M.  Public data only.
#include "symmetric/armv7m.hpp"
#if defined(AIOLI_ARMV7M)

  .syntax unified
  .thumb

// Registers.  Words of the state (w0 .. w3) are used up one after the other; those of the next one gather in sum0 .. sum3.
out     .req r0
table   .req r1
counter .req r2  // bits 31..24: the last counter byte; 23..8: 0x8000 in the last block, counting up to there
keys    .req r3  // round keys
w0      .req r4
w1      .req r5
w2      .req r6
w3      .req r7
sum0    .req r8
sum1    .req r9
sum2    .req r10
sum3    .req r11
t0      .req r12
t1      .req lr

// Looks up the four bytes of a word, lowest first, into w, x, y and z; z may be the word itself.  `load` is ldr, or ldrb for the
// S-box alone.  The loads stand together because each but the first then takes one cycle.
.macro look_up load, word, w, x, y, z
  uxtb  \w, \word
  uxtb  \x, \word, ror #8
  uxtb  \y, \word, ror #16
  lsr   \z, \word, #24
  \load \w, [table, \w, lsl #2]
  \load \x, [table, \x, lsl #2]
  \load \y, [table, \y, lsl #2]
  \load \z, [table, \z, lsl #2]
.endm

// The same for column c of the state, where w, x, y, z belong to columns c, c - 1, c - 2, c - 3 of the next one.  A sum stands
// rotated as its first term came out of the table, so its further terms are 24, 16 and 8 to the right of it, whatever the column.
.macro add_column load, rotation, word, w, x, y, z, temporary
  look_up \load, \word, \temporary, t0, t1, \word
  eor   \w, \w, \temporary, ror #\rotation
  eor   \x, \x, t0, ror #\rotation
  eor   \y, \y, t1, ror #\rotation
  eor   \z, \z, \word, ror #\rotation
.endm

// A round but for its key, which is then in w0 .. w3: 49 instructions with the four of add_key.
.macro round_without_key load
  look_up \load, w0, sum0, sum3, sum2, sum1
  add_column \load, 24, w1, sum1, sum0, sum3, sum2, w0
  add_column \load, 16, w2, sum2, sum1, sum0, sum3, w0
  add_column \load, 8, w3, sum3, sum2, sum1, sum0, w0
  ldm   keys!, {w0, w1, w2, w3}
.endm

// The sums' own rotations: that of the row of column 0 that each began with.
.macro add_key rotation0, rotation1, rotation2, rotation3
  eor   w0, w0, sum0, ror #\rotation0
  eor   w1, w1, sum1, ror #\rotation1
  eor   w2, w2, sum2, ror #\rotation2
  eor   w3, w3, sum3, ror #\rotation3
.endm

// void aioli_aes128_armv7m(uint8_t *out, const AesSegment *segment, uint32_t counter, const uint32_t *table)
  .section .text.aioli_aes128_armv7m, "ax", %progbits
  .p2align 2
  .global aioli_aes128_armv7m
  .hidden aioli_aes128_armv7m
  .type aioli_aes128_armv7m, %function
  .thumb_func
aioli_aes128_armv7m:
  push  {r4-r11, lr}
  ldm   r1, {r4-r10}        // the segment, copied to where one instruction gets all of it for every block
  push  {r4-r10}
  mov   table, r3

.Lblock:
  ldm   sp, {keys, w0, w1, w2, w3, t0, t1}  // round keys; round2; round1; last_byte
  // Round 1: one byte.  The carry becomes bit 23 of the counter and stays until the end: nothing else here sets flags.
  eors  t1, t1, counter, lsr #24
  ldr   t1, [table, t1, lsl #2]
  eor   t0, t0, t1
  // Round 2: its four bytes, each to a column of its own.
  look_up ldr, t0, sum0, sum1, sum2, sum3
  eor   w0, w0, sum0, ror #24
  eor   w3, w3, sum1, ror #16
  eor   w2, w2, sum2, ror #8
  eor   w1, w1, sum3
  .rept 7
  round_without_key ldr
  add_key 24, 0, 8, 16
  .endr
  // Round 10: the S-box alone.
  round_without_key ldrb
  add_key 0, 8, 16, 24
  str   w0, [out], #4       // at any address, which stm would not do
  str   w1, [out], #4
  str   w2, [out], #4
  str   w3, [out], #4
  add   counter, counter, #0x01000100
  bcc   .Lblock

  add   sp, sp, #28
  pop   {r4-r11, pc}
  .size aioli_aes128_armv7m, . - aioli_aes128_armv7m

#endif
#if defined(__ELF__)
  .section .note.GNU-stack, "", %progbits
#endif
