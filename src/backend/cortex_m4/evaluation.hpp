// SPDX-License-Identifier: Apache-2.0
// The quadratic map at a PUBLIC vector s: the sum of s_i s_j E_ij over all entries E_ij that go by.  Nothing is multiplied: each entry is added to the
// bucket of its coefficient s_i s_j, and the buckets are weighed once at the end.
//
// Everything here is public, and addresses and branches depend on all of it.
#pragma once
#include "backend/cortex_m4/assembly.hpp"
#include "backend/cortex_m4/packed.hpp"
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"
#include "linalg/rows.hpp"

namespace aioli::inline AIOLI_ISA {

// Logarithms to the base of a generator (3 over GF(256), x over GF(16)), and what they are taken of, twice in a row so that sums of two need no reduction.
template <class F> struct PublicLogarithms {
  static constexpr int order = (1 << F::bits) - 1;
  uint8_t log[order + 1] = {}, power[2 * order] = {};

  consteval PublicLogarithms() {
    typename F::Element a{1};
    for (int i = 0; i < order; i++, a = a * typename F::Element{F::bits == 8 ? uint8_t(3) : uint8_t(2)})
      log[a.n] = uint8_t(i), power[i] = power[i + order] = a.n;
    log[0] = no_logarithm;
  }
  static constexpr uint8_t no_logarithm = 255;
};
template <class F> inline constexpr PublicLogarithms<F> public_logarithms{};

// Entry t, Bytes bytes at any address and up to three more that are read, to bucket power[log[t]], for t < count; where log[t] is 255, to none.  A bucket
// is so many whole words.
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

template <class P, int N, int Block> class PublicEvaluation {
  using F = FieldOf<P>;
  static constexpr int size = (P::m_bytes + 3) / 4 * 4, words = size / 4;

 public:
  void start(const Fmat<1, N, F> &s) {
    for (auto &word : bucket_) word = 0;
    for (int j = 0; j < N; j++) log_[j] = public_logarithms<F>.log[s(0, j).n];
  }
  void add(const Rows<Block> &rows) {
    for (int b = 0; b < rows.count; b++) add(log_[rows.index + b], rows.P1[b]), add(log_[rows.index + b], rows.P2[b]);
  }
  // Used up.
  void get(Mvector<P> &to) {
    uint32_t sum[words] = {};
    // Those with bit b of their scalar, as such and then among those without.
    for (int b = F::bits - 1; b >= 0; b--) {
      for (auto &x : sum) x = Packed<F>::times_x(x);
      uint32_t *without = bucket_, *with = bucket_ + (words << b);
      for (int i = 0; i < 1 << b; i++)
        for (int x = 0; x < words; x++, without++, with++) {
          const uint32_t w = load32(reinterpret_cast<const uint8_t *>(with));
          sum[x] ^= w;
          uint8_t *const p = reinterpret_cast<uint8_t *>(without);
          store32(p, load32(p) ^ w);
        }
    }
    for (int i = 0; i < Mvector<P>::words; i++) to.w[i] = sum[2 * i] | (2 * i + 1 < words ? uint64_t(sum[2 * i + 1]) << 32 : 0);
    to.w[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
  }

 private:
  void add(uint8_t log, const Strip &strip) {
    if (log == PublicLogarithms<F>::no_logarithm || strip.count == 0) return;
    add_to_buckets<P::m_bytes>(reinterpret_cast<uint8_t *>(bucket_), strip.entries, log_ + strip.first,
                               public_logarithms<F>.power + log, strip.count);
  }
  uint32_t bucket_[words << F::bits];
  uint8_t log_[N];
};

}  // namespace aioli::inline AIOLI_ISA
