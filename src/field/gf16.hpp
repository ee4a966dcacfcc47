// SPDX-License-Identifier: Apache-2.0
// GF(16) = F2[x] / (x^4 + x + 1): one element, and vectors packed sixteen to a 64-bit word (element i in bits 4i .. 4i + 3).
// Nothing here branches on, or looks up by, an element.
#pragma once
#include "base/numbers.hpp"
#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct GF16 {
  uint8_t n;  // 0 .. 15; bit i is the coefficient of x^i

  friend constexpr GF16 operator+(GF16 a, GF16 b) { return {uint8_t(a.n ^ b.n)}; }
  friend constexpr GF16 operator*(GF16 a, GF16 b) {
    unsigned p = 0;
    for (int i = 0; i < 4; i++) p ^= (unsigned(a.n) << i) & unsigned(all_ones_if(b.n >> i & 1));
    const unsigned high = p >> 4;  // x^4 = x + 1
    return {uint8_t((p ^ high ^ high << 1) & 15)};
  }
  constexpr GF16 &operator+=(GF16 b) { return *this = *this + b; }
  friend constexpr bool operator==(GF16 a, GF16 b) { return a.n == b.n; }
};

constexpr GF16 inverse(GF16 a) {  // a^14; the inverse of 0 is 0
  const GF16 a2 = a * a, a4 = a2 * a2;
  return a2 * a4 * (a4 * a4);
}

namespace gf16 {

inline constexpr int per_word = 16;
inline constexpr uint64_t ones = 0x1111111111111111;  // bit 0 of every element

constexpr int words(int elements) { return (elements + per_word - 1) / per_word; }
constexpr GF16 get(const uint64_t *w, int i) { return {uint8_t(w[quotient(i, per_word)] >> (4 * remainder(i, per_word)) & 15)}; }
constexpr uint64_t at(GF16 a, int i) { return uint64_t(a.n) << (4 * (i % per_word)); }
// Keeps the first `count` elements of a word.
constexpr uint64_t first(int count) { return count >= per_word ? ~uint64_t(0) : (uint64_t(1) << (4 * count)) - 1; }

// The lowest bit of every element, in all four; one element, everywhere.
constexpr uint64_t fill(uint64_t lowest_bits) { return spread(lowest_bits, 15); }
constexpr uint64_t everywhere(GF16 a) { return spread(a.n, ones); }

// Words, or vectors of words.
template <class Word> constexpr void set_times_x(Word &to, const Word &w) {
  const Word top = (w >> 3) & ones;
  to = ((w & ~(ones << 3)) << 1) ^ top ^ top << 1;
}
constexpr uint64_t times_x(uint64_t w) {
  set_times_x(w, w);
  return w;
}

// A scalar as four masks, one for each of its bits.
struct Scalar {
  uint64_t mask[4];
};
inline Scalar scalar(GF16 a) { return {{mask_of_bit(a.n), mask_of_bit(a.n >> 1), mask_of_bit(a.n >> 2), mask_of_bit(a.n >> 3)}}; }
// w, x w, x^2 w, x^3 w: what a word is multiplied from.
struct Multiples {
  uint64_t w[4];
};
constexpr Multiples multiples(uint64_t w) {
  const uint64_t w1 = times_x(w), w2 = times_x(w1);
  return {{w, w1, w2, times_x(w2)}};
}
inline uint64_t mul(const Multiples &b, const Scalar &a) {
  return (b.w[0] & a.mask[0]) ^ (b.w[1] & a.mask[1]) ^ (b.w[2] & a.mask[2]) ^ (b.w[3] & a.mask[3]);
}

// Element by element.
constexpr uint64_t mul_elementwise(uint64_t a, uint64_t b) {
  uint64_t r = 0;
  for (int i = 0; i < 4; i++) {
    r ^= a & fill(b >> i & ones);
    a = times_x(a);
  }
  return r;
}
// The sum of all elements of a word.
constexpr GF16 sum(uint64_t w) {
  w ^= w >> 32;
  w ^= w >> 16;
  w ^= w >> 8;
  w ^= w >> 4;
  return {uint8_t(w & 15)};
}

// Exhaustive: a field, and the packed operations agree with it.
consteval bool proven() {
  for (unsigned a = 0; a < 16; a++) {
    const GF16 A{uint8_t(a)};
    if (a != 0 && !(A * inverse(A) == GF16{1})) return false;
    if (get(multiples(a * ones).w + 1, 7).n != (GF16{2} * A).n) return false;
    for (unsigned b = 0; b < 16; b++) {
      const GF16 B{uint8_t(b)};
      if (!(A * B == B * A) || mul_elementwise(a * ones, b * ones) != uint64_t((A * B).n) * ones) return false;
      for (unsigned c = 0; c < 16; c++) {
        const GF16 C{uint8_t(c)};
        if (!((A * B) * C == A * (B * C)) || !(A * (B + C) == A * B + A * C)) return false;
      }
    }
  }
  return GF16{2} * GF16{8} == GF16{3} && GF16{15} * GF16{15} == GF16{10} && inverse(GF16{0}) == GF16{0};
}
static_assert(proven());

}  // namespace gf16

// The field as an argument of templates; gf256.hpp has the other one, with the same members.
struct Gf16 {
  using Element = GF16;
  using Scalar = gf16::Scalar;
  using Multiples = gf16::Multiples;
  static constexpr int bits = 4, per_word = gf16::per_word;

  static constexpr int words(int elements) { return gf16::words(elements); }
  static constexpr int bytes(int elements) { return (elements + 1) / 2; }
  static constexpr Element get(const uint64_t *w, int i) { return gf16::get(w, i); }
  static constexpr uint64_t at(Element a, int i) { return gf16::at(a, i); }
  static constexpr uint64_t first(int count) { return gf16::first(count); }
  static constexpr uint64_t fill(uint64_t lowest_bits) { return gf16::fill(lowest_bits); }
  static constexpr uint64_t everywhere(Element a) { return gf16::everywhere(a); }
  // The lowest bit of every element that is not zero.
  static constexpr uint64_t nonzero(uint64_t w) {
    w |= w >> 2;
    return (w | w >> 1) & gf16::ones;
  }
  static constexpr uint64_t times_x(uint64_t w) { return gf16::times_x(w); }
  static Scalar scalar(Element a) { return gf16::scalar(a); }
  static constexpr Multiples multiples(uint64_t w) { return gf16::multiples(w); }
  static uint64_t mul(const Multiples &b, const Scalar &a) { return gf16::mul(b, a); }
  static constexpr uint64_t mul_elementwise(uint64_t a, uint64_t b) { return gf16::mul_elementwise(a, b); }
  static constexpr Element sum(uint64_t w) { return gf16::sum(w); }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
