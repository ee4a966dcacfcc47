// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] for Armv7-M, constant time.  keccak_round.hpp is the meaning.
//
// Interleaved: a lane is two words, of its even bits (half 0) and of its odd bits (half 1), so that a rotation of 64 bits is one
// of each word; one by an odd distance exchanges the halves.  Such rotations then cost nothing, because nearly all instructions
// rotate their last operand.
//
// Lazy: a word in memory or in a register is rotated to the right of what it stands for, by a number that is known here and
// called its lag.  An instruction with two operands has one lag or the other in its result, whichever operand stands first.  The
// lags below are such that a round leaves those that it finds, so that rounds can be a loop; no rotation is an instruction of its
// own.
//
// Two buffers: a round reads from one and writes to the other.  The words that meet in chi stand side by side, so that one
// instruction loads them.
#include "symmetric/armv7m.hpp"
#if defined(AIOLI_ARMV7M)

  .syntax unified
  .thumb
  .altmacro

// ---- where words are, and their lags ------------------------------------------------------------------------------------------

// rho_x_y: the offsets of rho.  The lane after (x, y) is (y, 2x + 3y).
.macro set_rho x, y, t
  .set rho_\x\()_\y, (\t + 1) * (\t + 2) / 2 % 64
  .set next_x, \y
  .set next_y, (2 * \x + 3 * \y) % 5
.endm
  .set rho_0_0, 0
  .set next_x, 1
  .set next_y, 0
  .irp t, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
  set_rho %next_x, %next_y, \t
  .endr

// for_words what: what x, y, h for all words.
.macro for_halves what, x, y
  \what \x, \y, 0
  \what \x, \y, 1
.endm
.macro for_words what
  .irp y, 0, 1, 2, 3, 4
    .irp x, 0, 1, 2, 3, 4
      for_halves \what, \x, \y
    .endr
  .endr
.endm

// before_x_y_h: the half from which rho and pi make half h of lane (x, y), lane ((x + 3y) mod 5, x) being where it comes from.
// at_x_y_h: where half h of lane (x, y) stands.  Groups of five words make a half row of the result; they stand in the order of
// rows.
.macro set_place from_x, from_y, x, y, h
  .set before_\x\()_\y\()_\h, \h ^ (rho_\from_x\()_\from_y % 2)
  set_at \from_x, \from_y, %(\h ^ (rho_\from_x\()_\from_y % 2)), %(4 * (10 * \y + 5 * \h + \x))
.endm
.macro set_at x, y, h, address
  .set at_\x\()_\y\()_\h, \address
.endm
.macro place x, y, h
  set_place %((\x + 3 * \y) % 5), \x, \x, \y, \h
.endm
  for_words place

// The lags of D(x, h), theta's effect on a column; why they are these is said at each.
  .set lag_D_0_0, 1
  .set lag_D_0_1, 1
  .set lag_D_1_0, 0
  .set lag_D_1_1, 0
  .set lag_D_2_0, 1
  .set lag_D_2_1, 0
  .set lag_D_3_0, 2
  .set lag_D_3_1, 1
  .set lag_D_4_0, 0
  .set lag_D_4_1, 0

// lag_B_x_y_h: after theta, rho and pi, the lag of D and the distance of rho.  Lane (0, 0) keeps its own instead of D's, which is
// none. lag_x_y_h: after the round the same, since chi begins with this word; but words (3, 0) get that of (0, 0).
.macro set_lag from_x, from_y, before, x, y, h
  .set lag_B_\x\()_\y\()_\h, (lag_D_\from_x\()_\before + (rho_\from_x\()_\from_y + 1 - \h) / 2) % 32
  .if \x + \y == 0
    .set lag_B_\x\()_\y\()_\h, 0
  .endif
  .set lag_\x\()_\y\()_\h, lag_B_\x\()_\y\()_\h
  .if \x == 3 && \y == 0
    .set lag_\x\()_\y\()_\h, 0
  .endif
.endm
.macro lag x, y, h
  set_lag %((\x + 3 * \y) % 5), \x, %(before_\x\()_\y\()_\h), \x, \y, \h
.endm
  for_words lag

// ---- registers and memory -----------------------------------------------------------------------------------------------------

// C(x, h), the sum of a column, in the order in which the first ten words of a buffer load.
C_0_0 .req r4
C_1_0 .req r5
C_2_1 .req r6
C_3_1 .req r7
C_4_0 .req r8
C_0_1 .req r9
C_1_1 .req r10
C_2_0 .req r11
C_3_0 .req r12
C_4_1 .req lr
// D(x, h) takes the register of a C(x, h) that is used up.  Three of them go to memory, behind the buffer that the round reads.
D_1_0 .req r1
D_4_1 .req r4
D_0_1 .req r5
D_2_0 .req r7
D_3_1 .req r8
D_4_0 .req r9
D_0_0 .req r10
D_1_1 .req r11
D_2_1 .req r12
D_3_0 .req lr
  .set slot_1_0, 200
  .set slot_4_1, 204
  .set slot_0_1, 208

  .set buffer_a, 0
  .set buffer_b, 212
  .set constants, 424       // those of the next round
  .set constants_end, 428
  .set state, 432
  .set frame, 448

// ---- theta --------------------------------------------------------------------------------------------------------------------

// Adds the word that stands i-th in the buffer to its column.  The first of each column has been loaded in its place, so the
// column has its lag, lag_C_x_h; but column 3 takes over that of (3, 0).
.macro add_word register, i
  add_word_of \register, %((\i % 5 + 3 * (\i / 10)) % 5), %(\i % 5), %(\i / 5 % 2)
.endm
.macro add_word_of register, x, y, h
  add_word_at \register, \x, \y, %(\h ^ (rho_\x\()_\y % 2))
.endm
.macro add_word_at register, x, y, h
  .if \x == 3 && \y == 0
    eor   C_\x\()_\h, \register, C_\x\()_\h, ror #((lag_\x\()_\y\()_\h - lag_C_\x\()_\h + 32) % 32)
    .set lag_C_\x\()_\h, lag_\x\()_\y\()_\h
  .else
    eor   C_\x\()_\h, C_\x\()_\h, \register, ror #((lag_C_\x\()_\h - lag_\x\()_\y\()_\h + 32) % 32)
  .endif
.endm

// D(x, h) = C(x - 1, h) + C(x + 1, 1 - h), the latter rotated by one for h = 0; with the lag of the one or of the other.
.macro d_like_left register, x, h
  d_left \register, \x, \h, %((\x + 4) % 5), %((\x + 1) % 5), %(1 - \h)
.endm
.macro d_left register, x, h, left, right, other
  eor   \register, C_\left\()_\h, C_\right\()_\other, ror #((lag_C_\left\()_\h - lag_C_\right\()_\other - \other + 32) % 32)
  .if lag_D_\x\()_\h != lag_C_\left\()_\h
    .error "lag of D"
  .endif
.endm
.macro d_like_right register, x, h
  d_right \register, \x, \h, %((\x + 4) % 5), %((\x + 1) % 5), %(1 - \h)
.endm
.macro d_right register, x, h, left, right, other
  eor   \register, C_\right\()_\other, C_\left\()_\h, ror #((lag_C_\right\()_\other + \other - lag_C_\left\()_\h + 32) % 32)
  .if lag_D_\x\()_\h != lag_C_\right\()_\other + \other
    .error "lag of D"
  .endif
.endm

.macro theta
  ldm   r0!, {r4-r12, lr}   // of each column the word of (0, 0), (1, 1), .. (4, 4)
  .irp h, 0, 1
    .set lag_C_0_\h, lag_0_0_\h
    .set lag_C_1_\h, lag_1_1_\h
    .set lag_C_2_\h, lag_2_2_\h
    .set lag_C_3_\h, lag_3_3_\h
    .set lag_C_4_\h, lag_4_4_\h
  .endr
  .irp i, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46
    ldm   r0!, {r1-r3}
    add_word r1, %\i
    add_word r2, %(\i + 1)
    add_word r3, %(\i + 2)
  .endr
  ldr   r1, [r0], #4
  add_word r1, 49
  // Each but the first overwrites a sum that the two before it have used.  Columns 0 and 3 have no lag, for the sake of (0, 0)
  // and (3, 0); so what begins with them has none, or that of the rotation by one.  The others begin with column 4, whose first
  // word comes from column 1.
  d_like_left  D_1_0, 1, 0
  d_like_left  D_4_1, 4, 1
  d_like_right D_2_0, 2, 0
  d_like_left  D_0_1, 0, 1
  d_like_right D_3_0, 3, 0
  d_like_left  D_1_1, 1, 1
  d_like_left  D_4_0, 4, 0
  d_like_right D_2_1, 2, 1
  d_like_left  D_0_0, 0, 0
  d_like_right D_3_1, 3, 1
  stm   r0, {D_1_0, D_4_1, D_0_1}
.endm

// ---- the rest of a round ------------------------------------------------------------------------------------------------------

// Adds D to word B(x) of a half row, which is in register r<x + 1>.
.macro add_d register, x, y, h, from
  add_d_to \register, %((\x + 3 * \y) % 5), \x, %(before_\x\()_\y\()_\h), \from
.endm
.macro add_d_to register, x, y, h, from
  .ifdef slot_\x\()_\h
    ldr   r6, [sp, #(\from + slot_\x\()_\h)]
    add_d_in \register, r6, \x, \y, \h
  .else
    add_d_in \register, D_\x\()_\h, \x, \y, \h
  .endif
.endm
.macro add_d_in register, d, x, y, h
  .if \x + \y == 0
    eor   \register, \register, \d, ror #((lag_\x\()_\y\()_\h - lag_D_\x\()_\h + 32) % 32)
  .else
    eor   \register, \d, \register, ror #((lag_D_\x\()_\h - lag_\x\()_\y\()_\h + 32) % 32)
  .endif
.endm

// chi of one word, B(x) + (not B(x1)) B(x2), and iota.
.macro chi_word b0, b1, b2, x, x1, x2, y, h, to
  bic   r6, \b2, \b1, ror #((lag_B_\x2\()_\y\()_\h - lag_B_\x1\()_\y\()_\h + 32) % 32)
  .if \x == 3 && \y == 0
    eor   r6, r6, \b0, ror #((lag_B_\x2\()_\y\()_\h - lag_B_\x\()_\y\()_\h + 32) % 32)
  .else
    eor   r6, \b0, r6, ror #((lag_B_\x\()_\y\()_\h - lag_B_\x2\()_\y\()_\h + 32) % 32)
  .endif
  .if \x + \y == 0          // iota; the constant is there by now
    .if \h == 0
      eor   r6, r6, r11
    .else
      eor   r6, r6, lr
    .endif
  .endif
  str   r6, [sp, #(\to + at_\x\()_\y\()_\h)]
.endm

// Half a row of the result.  The buffer is read backwards.
.macro half_row y, h, from, to
  ldmdb r0!, {r1-r5}
  add_d r1, 0, \y, \h, \from
  add_d r2, 1, \y, \h, \from
  add_d r3, 2, \y, \h, \from
  add_d r4, 3, \y, \h, \from
  add_d r5, 4, \y, \h, \from
  .if \y == 0 && \h == 1    // From here on D(2, 0), D(1, 1) and D(3, 0) have no use.
    ldr   r7, [sp, #constants]
    ldrd  r11, lr, [r7], #8
    str   r7, [sp, #constants]
  .endif
  chi_word r1, r2, r3, 0, 1, 2, \y, \h, \to
  chi_word r2, r3, r4, 1, 2, 3, \y, \h, \to
  chi_word r3, r4, r5, 2, 3, 4, \y, \h, \to
  chi_word r4, r5, r1, 3, 4, 0, \y, \h, \to
  chi_word r5, r1, r2, 4, 0, 1, \y, \h, \to
.endm

.macro round from, to
  add   r0, sp, #\from
  theta
  .irp y, 4, 3, 2, 1, 0
    half_row \y, 1, \from, \to
    half_row \y, 0, \from, \to
  .endr
.endm

// ---- the state of the caller, which knows no lags -----------------------------------------------------------------------------

.macro store register, x, y, h
  .if lag_\x\()_\y\()_\h != 0
    ror   \register, \register, #lag_\x\()_\y\()_\h
  .endif
  str   \register, [sp, #(buffer_a + at_\x\()_\y\()_\h)]
.endm
.macro load register, x, y, h
  ldr   \register, [sp, #(buffer_a + at_\x\()_\y\()_\h)]
.endm
.macro straighten register, x, y, h
  .if lag_\x\()_\y\()_\h != 0
    ror   \register, \register, #(32 - lag_\x\()_\y\()_\h)
  .endif
.endm
// The ten words of row y, which are in r1 .. r10.
.macro row_words what, y
  \what r1, 0, \y, 0
  \what r2, 0, \y, 1
  \what r3, 1, \y, 0
  \what r4, 1, \y, 1
  \what r5, 2, \y, 0
  \what r6, 2, \y, 1
  \what r7, 3, \y, 0
  \what r8, 3, \y, 1
  \what r9, 4, \y, 0
  \what r10, 4, \y, 1
.endm

// void aioli_keccak_f1600_armv7m(uint64_t state[25], const uint32_t *constants, const uint32_t *constants_end)
// State and constants are interleaved, even half first; the constants are of an even number of rounds.
  .section .text.aioli_keccak_f1600_armv7m, "ax", %progbits
  .p2align 2
  .global aioli_keccak_f1600_armv7m
  .hidden aioli_keccak_f1600_armv7m
  .type aioli_keccak_f1600_armv7m, %function
  .thumb_func
aioli_keccak_f1600_armv7m:
  push  {r4-r11, lr}
  sub   sp, sp, #frame
  strd  r1, r2, [sp, #constants]
  str   r0, [sp, #state]
  .irp y, 0, 1, 2, 3, 4
    ldm   r0!, {r1-r10}
    row_words store, \y
  .endr

.Ltwo_rounds:
  round buffer_a, buffer_b
  round buffer_b, buffer_a
  ldr   r1, [sp, #constants_end]
  cmp   r7, r1
  bne   .Ltwo_rounds

  ldr   r0, [sp, #state]
  .irp y, 0, 1, 2, 3, 4
    row_words load, \y
    row_words straighten, \y
    stm   r0!, {r1-r10}
  .endr
  // Wipes the frame.
  .irp register, r1, r2, r3, r4, r5, r6, r7, r8
    mov   \register, #0
  .endr
  .rept frame / 32
  stm   sp!, {r1-r8}
  .endr
  pop   {r4-r11, pc}
  .size aioli_keccak_f1600_armv7m, . - aioli_keccak_f1600_armv7m

#endif
#if defined(__ELF__)
  .section .note.GNU-stack, "", %progbits
#endif
