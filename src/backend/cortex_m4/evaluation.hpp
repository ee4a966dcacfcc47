// SPDX-License-Identifier: Apache-2.0
// Words of buckets (linalg/evaluation.hpp), of thirty-two bits and by assembly.
#pragma once
#include "backend/cortex_m4/assembly.hpp"
#include "backend/cortex_m4/packed.hpp"
#include "linalg/evaluation.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Entry t, Bytes bytes at any address and up to three more that are read, to bucket power[log[t]], for t < count; where log[t] is
// 255, to none.  A bucket is so many whole words.
#if defined(AIOLI_ARMV7M_GCC)
template <int Bytes> AIOLI_M4_NAKED void add_to_buckets(uint8_t *, const uint8_t *, const uint8_t *, const uint8_t *, int) {
  __asm__(
      ".syntax unified\n"
      "push {r4-r11, lr}\n"
      "ldr lr, [sp, #36]\n"
      "1:\n"
      "ldrb r12, [r2], #1\n"
      "cmp r12, #255\n"
      "beq 2f\n"
      "ldrb r12, [r3, r12]\n"
      "mov r4, %[size]\n"
      "mla r12, r12, r4, r0\n"
      // Four words, and what is left.
      ".set at, 0\n"
      ".rept %c[size] / 16\n"
      "ldr r4, [r1, #at]\n"
      "ldr r5, [r1, #at + 4]\n"
      "ldr r6, [r1, #at + 8]\n"
      "ldr r7, [r1, #at + 12]\n"
      "ldm r12, {r8-r11}\n"
      "eor r4, r4, r8\n"
      "eor r5, r5, r9\n"
      "eor r6, r6, r10\n"
      "eor r7, r7, r11\n"
      "stm r12!, {r4-r7}\n"
      ".set at, at + 16\n"
      ".endr\n"
      ".rept %c[size] / 4 %% 4\n"
      "ldr r4, [r1, #at]\n"
      "ldr r8, [r12]\n"
      "eor r4, r4, r8\n"
      "str r4, [r12], #4\n"
      ".set at, at + 4\n"
      ".endr\n"
      "2:\n"
      "add r1, r1, %[bytes]\n"
      "subs lr, lr, #1\n"
      "bne 1b\n"
      "pop {r4-r11, pc}\n"
      :
      : [bytes] "i"(Bytes), [size] "i"((Bytes + 3) / 4 * 4));
}
#else
template <int Bytes>
inline void add_to_buckets(uint8_t *buckets, const uint8_t *entries, const uint8_t *logs, const uint8_t *power, int count) {
  for (int t = 0; t < count; t++, entries += Bytes) {
    if (logs[t] == 255) continue;
    uint8_t *bucket = buckets + power[logs[t]] * ((Bytes + 3) / 4 * 4);
    for (int i = 0; i < Bytes; i += 4) store32(bucket + i, load32(bucket + i) ^ load32(entries + i));
  }
}
#endif

template <class F> struct BucketWordsM4 {
  using Word = uint32_t;
  static Word load(const uint8_t *p) { return load32(p); }
  static void store(uint8_t *p, Word w) { store32(p, w); }
  static Word times_x(Word w) { return Packed<F>::times_x(w); }
  template <int Bytes>
  static void add(uint8_t *buckets, const uint8_t *entries, const uint8_t *logs, const uint8_t *power, int count) {
    add_to_buckets<Bytes>(buckets, entries, logs, power, count);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
