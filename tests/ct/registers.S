// SPDX-License-Identifier: Apache-2.0
// void store_sse2(uint8_t *out), store_avx, store_avx512: the registers of an x86-64 processor that calls need not preserve, as
// they are at this call: rax, rcx, rdx, rsi, r8 to r11 (rdi is the argument), then the vector registers in the width of the name.
// Nothing is changed. void zero_sse2(), zero_avx, zero_avx512: zeroes the same vector registers.
#if defined(__x86_64__)
  .macro general
  movq %rax, (%rdi)
  movq %rcx, 8(%rdi)
  movq %rdx, 16(%rdi)
  movq %rsi, 24(%rdi)
  movq %r8, 32(%rdi)
  movq %r9, 40(%rdi)
  movq %r10, 48(%rdi)
  movq %r11, 56(%rdi)
  .endm

  .text
  .globl store_sse2, store_avx, store_avx512, zero_sse2, zero_avx, zero_avx512
store_sse2:
  general
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  movdqu %xmm\n, 64+16*\n(%rdi)
  .endr
  ret
store_avx:
  general
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  vmovdqu %ymm\n, 64+32*\n(%rdi)
  .endr
  ret
store_avx512:
  general
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  vmovdqu64 %zmm\n, 64+64*\n(%rdi)
  .endr
  ret
zero_sse2:
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  pxor %xmm\n, %xmm\n
  .endr
  ret
zero_avx512:
  .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  vpxord %zmm\n, %zmm\n, %zmm\n
  .endr
zero_avx:
  vzeroall
  ret
#endif
  .section .note.GNU-stack, "", %progbits
