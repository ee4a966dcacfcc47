// SPDX-License-Identifier: Apache-2.0
// GF(256) = F2[x] / (x^8 + x^4 + x^3 + x + 1), the field of AES: one element, and vectors packed eight to a 64-bit word (element
// i in bits 8i .. 8i + 7).  Nothing here branches on, or looks up by, an element.
#pragma once
#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct GF256 {
  uint8_t n;  // bit i is the coefficient of x^i

  friend constexpr GF256 operator+(GF256 a, GF256 b) { return {uint8_t(a.n ^ b.n)}; }
  friend constexpr GF256 operator*(GF256 a, GF256 b) {
    unsigned p = 0;
    for (int i = 0; i < 8; i++) p ^= (unsigned(a.n) << i) & unsigned(all_ones_if(b.n >> i & 1));
    for (int i = 0; i < 2; i++) {  // x^8 = x^4 + x^3 + x + 1; what comes out of degree 11 and more wants a second step
      const unsigned high = p >> 8;
      p = (p & 255) ^ high ^ high << 1 ^ high << 3 ^ high << 4;
    }
    return {uint8_t(p)};
  }
  constexpr GF256 &operator+=(GF256 b) { return *this = *this + b; }
  friend constexpr bool operator==(GF256 a, GF256 b) { return a.n == b.n; }
};

constexpr GF256 inverse(GF256 a) {  // a^254; the inverse of 0 is 0
  const GF256 a2 = a * a, a3 = a2 * a, a6 = a3 * a3, a12 = a6 * a6, a15 = a12 * a3;
  const GF256 a30 = a15 * a15, a60 = a30 * a30, a120 = a60 * a60, a126 = a120 * a6, a127 = a126 * a;
  return a127 * a127;
}

namespace gf256 {

inline constexpr int per_word = 8;
inline constexpr uint64_t ones = 0x0101010101010101;  // bit 0 of every element

constexpr uint64_t times_x(uint64_t w) {
  const uint64_t top = (w >> 7) & ones;
  return ((w & ~(ones << 7)) << 1) ^ top ^ top << 1 ^ top << 3 ^ top << 4;
}

// A scalar as eight masks, one for each of its bits.
struct Scalar {
  uint64_t mask[8];
};
// w, x w .. x^7 w: what a word is multiplied from.
struct Multiples {
  uint64_t w[8];
};

}  // namespace gf256

// The field as an argument of templates: the members of Gf16 (gf16.hpp).
struct Gf256 {
  using Element = GF256;
  using Scalar = gf256::Scalar;
  using Multiples = gf256::Multiples;
  static constexpr int bits = 8, per_word = gf256::per_word;

  static constexpr int words(int elements) { return (elements + per_word - 1) / per_word; }
  static constexpr int bytes(int elements) { return elements; }
  static constexpr Element get(const uint64_t *w, int i) { return {uint8_t(w[i / per_word] >> (8 * (i % per_word)))}; }
  static constexpr uint64_t at(Element a, int i) { return uint64_t(a.n) << (8 * (i % per_word)); }
  static constexpr uint64_t first(int count) { return count >= per_word ? ~uint64_t(0) : (uint64_t(1) << (8 * count)) - 1; }
  static constexpr uint64_t fill(uint64_t lowest_bits) { return spread(lowest_bits, 255); }
  static constexpr uint64_t everywhere(Element a) { return spread(a.n, gf256::ones); }
  static constexpr uint64_t nonzero(uint64_t w) {
    w |= w >> 4;
    w |= w >> 2;
    return (w | w >> 1) & gf256::ones;
  }
  static constexpr uint64_t times_x(uint64_t w) { return gf256::times_x(w); }
  static Scalar scalar(Element a) {
    Scalar s;
    for (int i = 0; i < 8; i++) s.mask[i] = mask_of_bit(a.n >> i);
    return s;
  }
  static constexpr Multiples multiples(uint64_t w) {
    Multiples m{};
    for (int i = 0; i < 8; i++, w = gf256::times_x(w)) m.w[i] = w;
    return m;
  }
  static uint64_t mul(const Multiples &b, const Scalar &a) {
    uint64_t r = 0;
    for (int i = 0; i < 8; i++) r ^= b.w[i] & a.mask[i];
    return r;
  }
  static constexpr uint64_t mul_elementwise(uint64_t a, uint64_t b) {
    uint64_t r = 0;
    for (int i = 0; i < 8; i++) {
      r ^= a & fill(b >> i & gf256::ones);
      a = gf256::times_x(a);
    }
    return r;
  }
  static constexpr Element sum(uint64_t w) {
    w ^= w >> 32;
    w ^= w >> 16;
    w ^= w >> 8;
    return {uint8_t(w)};
  }
};

namespace gf256 {

// Multiplication by x, from which all is made, has the order 51 = 255 / 5, and the generator 3 the order 255: every element but 0
// is a power of it.  So inverses are tried for all, and the packed operations agree with those of single elements.
consteval bool proven() {
  GF256 power{1};
  for (int i = 1; i < 255; i++) {
    power = power * GF256{3};
    if (power == GF256{1} || !(power * inverse(power) == GF256{1})) return false;
    if (!(Gf256::get(Gf256::multiples(power.n * ones).w + 1, 5) == GF256{2} * power)) return false;
    if (Gf256::mul_elementwise(power.n * ones, 0xd4 * ones) != (power * GF256{0xd4}).n * ones) return false;
  }
  return power * GF256{3} == GF256{1} && GF256{0x57} * GF256{0x83} == GF256{0xc1} && inverse(GF256{0}) == GF256{0};
}
static_assert(proven());

}  // namespace gf256
}  // namespace AIOLI_ISA
}  // namespace aioli
