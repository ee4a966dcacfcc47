/* SPDX-License-Identifier: Apache-2.0
 * Loops whose instructions and model cycles are counted by hand, in the comments: tools/m4 holds the plugin to these numbers.
 * Columns: instructions, cycles, for each turn unless said otherwise.  All branch targets are 2-byte instructions or aligned.
 */
  .syntax unified
  .thumb
  .text

  .macro begin region
  .p2align 2
  .inst.w 0xf3af8040 + \region
  .endm
  .macro end
  .inst.w 0xf3af8060
  .endm

/* n turns of two instructions: 2 n + 1 instructions; taken branch 2 cycles, the last 1: 1 + 3 n - 1 = 3 n cycles. */
  .global loop_countdown
  .type loop_countdown, %function
  .thumb_func
loop_countdown:
  begin 0
  mov r0, #1000 /* 1, 1, once */
1:
  subs r0, #1 /* 1, 1 */
  bne 1b      /* 1, 2; the last time 1 */
  end
  bx lr
  .size loop_countdown, . - loop_countdown

/* Multiplications, a conditional block, loads and stores: 18 n + 2 instructions, 24 n + 1 cycles. */
  .global loop_mixed
  .type loop_mixed, %function
  .thumb_func
loop_mixed:
  push {r4, r5, r6, r7, lr}
  ldr r3, =words
  mov r12, #1000
  begin 1
  movs r1, #12 /* 1, 1, once */
  movs r2, #5 /* 1, 1, once */
1:
  mul r4, r1, r2        /* 1, 1 */
  umull r4, r5, r1, r2  /* 1, 1 */
  umlal r4, r5, r1, r2  /* 1, 1 */
  cmp r12, #0           /* 1, 1 */
  it eq                 /* 1, 1 */
  addeq r1, #1          /* 1, 1: counted though its condition fails */
  ldr r4, [r3]          /* 1, 2 */
  ldr r5, [r3, #4]      /* 1, 1: right after a load that is not its address */
  adds r4, r4, r5       /* 1, 1 */
  ldr r6, [r3, #8]      /* 1, 2 */
  ldr r7, [r6]          /* 1, 2: its address has just been loaded */
  str r4, [r3, #4]      /* 1, 1 */
  str r4, [r3, r1]      /* 1, 2: an index register */
  ldrb r4, [r3]         /* 1, 2 */
  eor r4, r4, r5, lsl #3 /* 1, 1 */
  subs r12, #1          /* 1, 1 */
  nop                   /* 1, 1 */
  bne 1b                /* 1, 2; the last time 1 */
  end
  pop {r4, r5, r6, r7, pc}
  .size loop_mixed, . - loop_mixed

/* Calls, several registers at once, pairs, a division: 18 n - 1 instructions (the last turn goes without its `b`),
   47 n - 1 cycles. */
  .global loop_calls
  .type loop_calls, %function
  .thumb_func
loop_calls:
  push {r4, r5, r6, r7, lr}
  mov r12, #1000
  ldr r3, =words
  movs r2, #3
  .p2align 2
  begin 2
1:
  push {r4, r5, r6, lr} /* 1, 1 + 4 */
  bl leaf               /* 1, 2 */
  ldrd r4, r5, [r3]     /* 1, 3 */
  strd r4, r5, [r3]     /* 1, 3 */
  vmov s0, r4           /* 1, 1 */
  vmov r4, s0           /* 1, 1 */
  vstr s0, [r3, #12]    /* 1, 2 */
  vldr s1, [r3, #12]    /* 1, 2 */
  udiv r4, r3, r2       /* 1, 7 */
  ldm r3, {r4, r5}      /* 1, 1 + 2 */
  stm r3, {r4, r5}      /* 1, 1 + 2 */
  cbz r2, 2f            /* 1, 1: not taken */
  pop {r4, r5, r6, lr}  /* 1, 1 + 4 */
  subs r12, #1          /* 1, 1 */
  beq 2f                /* 1, 1; the last time 2 */
  b 1b                  /* 1, 2; the last time not reached */
  .p2align 2
2:
  end
  pop {r4, r5, r6, r7, pc}
  .size loop_calls, . - loop_calls

  .p2align 2
  .type leaf, %function
  .thumb_func
leaf:
  movs r0, #0 /* 1, 1 */
  bx lr       /* 1, 3 and 1 more: it returns to a 4-byte instruction that is not aligned to 4 */
  .size leaf, . - leaf

  .data
  .p2align 3
words:
  .word 1, 2, words, 0, 0
