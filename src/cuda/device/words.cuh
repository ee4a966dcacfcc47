// SPDX-License-Identifier: Apache-2.0
// GF(16), eight elements to a word of 32 bits.  No branch, no look-up: a scalar is four masks.
#pragma once
#include "cuda/device/dialect.cuh"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

inline constexpr uint32_t word_ones = 0x11111111;

AIOLI_DEVICE uint32_t word_times_x(uint32_t w) { return (w << 1 & 0xeeeeeeee) ^ (w >> 3 & word_ones) * 3; }
// w0 + w1 x + w2 x^2 + w3 x^3.  What passes x^3 is added up before it comes back as x + 1 times itself.
AIOLI_DEVICE uint32_t word_of_multiples(uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
  const uint32_t beyond = (w1 >> 3 & 0x11111111) ^ (w2 >> 2 & 0x33333333) ^ (w3 >> 1 & 0x77777777);
  return w0 ^ (w1 << 1 & 0xeeeeeeee) ^ (w2 << 2 & 0xcccccccc) ^ (w3 << 3 & 0x88888888) ^ beyond ^ beyond << 1;
}
// By the constant c.
template <unsigned c> AIOLI_DEVICE uint32_t word_times(uint32_t w) {
  uint32_t r = 0;
#pragma unroll
  for (int b = 0; b < 4; b++) {
    if (c >> b & 1) r ^= w;
    w = word_times_x(w);
  }
  return r;
}
// All ones or nothing.  Of conditions on secrets: no compiler has made a branch of it (tests/cuda/traces.cpp).
AIOLI_DEVICE uint32_t mask_if(bool condition) { return 0u - uint32_t(condition); }
AIOLI_DEVICE uint32_t mask_of(uint32_t x, int bit) { return uint32_t(int32_t(x << (31 - bit)) >> 31); }
AIOLI_DEVICE uint4 masks_of(uint32_t element) {
  return make_uint4(mask_of(element, 0), mask_of(element, 1), mask_of(element, 2), mask_of(element, 3));
}
AIOLI_DEVICE uint32_t select(uint4 m, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
  return (w0 & m.x) ^ (w1 & m.y) ^ (w2 & m.z) ^ (w3 & m.w);
}
struct WordMultiples {
  uint32_t w[4];
};
AIOLI_DEVICE WordMultiples word_multiples(uint32_t w) {
  const uint32_t w1 = word_times_x(w), w2 = word_times_x(w1);
  return {{w, w1, w2, word_times_x(w2)}};
}
AIOLI_DEVICE uint32_t word_multiply(const WordMultiples &b, uint4 scalar) {
  return select(scalar, b.w[0], b.w[1], b.w[2], b.w[3]);
}
// The same as products of integers, which another unit computes beside the logic: bit b of each element apart, times x^b times
// the scalar, is a product without carries.
struct WordBits {
  uint32_t b[4];
};
AIOLI_DEVICE WordBits word_bits(uint32_t w) {
  return {{w & word_ones, w >> 1 & word_ones, w >> 2 & word_ones, w >> 3 & word_ones}};
}
// `by`: the scalar's products with 1, x, x^2, x^3, each an element.
AIOLI_DEVICE uint32_t word_multiply(const WordBits &w, const uint32_t (&by)[4]) {
  return w.b[0] * by[0] ^ w.b[1] * by[1] ^ w.b[2] * by[2] ^ w.b[3] * by[3];
}
AIOLI_DEVICE uint32_t word_multiply_elementwise(uint32_t a, uint32_t b) {
  uint32_t r = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    r ^= a & ((b >> i & word_ones) * 15);
    a = word_times_x(a);
  }
  return r;
}
// The sum of a word's elements.
AIOLI_DEVICE uint32_t word_sum(uint32_t w) {
  w ^= w >> 16;
  w ^= w >> 8;
  return (w ^ w >> 4) & 15;
}
// Element i of what is encoded in nibbles.
AIOLI_DEVICE uint32_t nibble(const uint8_t *p, uint32_t i) { return p[i / 2] >> (4 * (i % 2)) & 15; }
AIOLI_DEVICE uint32_t nibble(const uint32_t *p, uint32_t i) { return p[i / 8] >> (4 * (i % 8)) & 15; }
// Elements (i, c) and (i, c + 1), if there is one, of rows of Length elements each that follow on one another; c is even.
template <uint32_t Length> AIOLI_DEVICE uint32_t two_nibbles(const uint8_t *p, uint32_t i, uint32_t c) {
  if constexpr (Length % 2 == 0)
    return p[(i * Length + c) / 2];
  else
    return nibble(p, i * Length + c) | (c + 1 < Length ? nibble(p, i * Length + c + 1) << 4 : 0);
}
// Elements i .. i + 7.  The word behind the last one may be read.
AIOLI_DEVICE uint32_t nibbles(const uint32_t *p, uint32_t i) { return __funnelshift_r(p[i / 8], p[i / 8 + 1], 4 * (i % 8)); }
// Keeps the first `count` elements.
constexpr uint32_t first_nibbles(uint32_t count) { return count >= 8 ? ~0u : (1u << (4 * count)) - 1; }

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
