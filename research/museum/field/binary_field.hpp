// SPDX-License-Identifier: Apache-2.0
// Fields of characteristic 2 with up to 256 elements, one element to a byte.  Not constant time: products are looked up by their
// factors.
//
// A field is a type with static functions only, so that schemes and attacks take it as a template parameter:
//   Element            uint8_t, 0 .. q - 1
//   q, bits            number of elements; bits of an element
//   characteristic     2 here
//   add sub neg mul inv (inv(0) = 0), and add_scaled: y[i] += a x[i]
#pragma once
#include <cstddef>
#include <cstdint>
#include "museum/field/look_ups.hpp"

namespace museum::field {

// Discrete logarithms of a field whose product of two elements is `product`.
template <int q_, uint8_t product(uint8_t, uint8_t)> struct LogTables {
  uint8_t exp[2 * (q_ - 1)] = {};
  uint8_t log[q_] = {};  // log[0] means nothing
  constexpr LogTables() {
    for (unsigned g = 1; g < q_; g++) {  // the first generator of the multiplicative group
      uint8_t power = 1;
      int i = 0;
      do {
        exp[i] = power, log[power] = uint8_t(i);
        power = product(power, uint8_t(g)), i++;
      } while (power != 1);
      if (i == q_ - 1) break;
    }
    for (int i = 0; i < q_ - 1; i++) exp[q_ - 1 + i] = exp[i];
  }
};

template <int bits_, uint8_t product(uint8_t, uint8_t)> struct BinaryField {
  using Element = uint8_t;
  static constexpr int bits = bits_, q = 1 << bits_, characteristic = 2;
  static constexpr LogTables<q, product> tables{};

  static constexpr Element add(Element a, Element b) { return a ^ b; }
  static constexpr Element sub(Element a, Element b) { return a ^ b; }
  static constexpr Element neg(Element a) { return a; }
  static constexpr Element mul(Element a, Element b) {
    return a == 0 || b == 0 ? Element(0) : tables.exp[tables.log[a] + tables.log[b]];
  }
  static constexpr Element inv(Element a) { return a == 0 ? Element(0) : tables.exp[q - 1 - tables.log[a]]; }

  // y[i] += a x[i] for i < n; y and x do not overlap.
  static void add_scaled(Element *y, Element a, const Element *x, size_t n) {
    if (a != 0) add_images(y, images.of[a], x, n);
  }

 private:
  struct AllImages {
    Images of[q];
    constexpr AllImages() {
      for (int a = 0; a < q; a++)
        for (int i = 0; i < 16; i++) {
          of[a].low[i] = mul(Element(a), Element(i & (q - 1)));
          of[a].high[i] = q == 256 ? mul(Element(a), Element(i << 4 & (q - 1))) : Element(0);
        }
    }
  };
  static const AllImages images;
};
template <int bits_, uint8_t product(uint8_t, uint8_t)>
inline constexpr typename BinaryField<bits_, product>::AllImages BinaryField<bits_, product>::images{};

// F2[x] / (modulus), bit i the coefficient of x^i.
template <int bits, unsigned modulus> constexpr uint8_t polynomial_product(uint8_t a, uint8_t b) {
  unsigned p = 0;
  for (int i = 0; i < bits; i++) p ^= (b >> i & 1 ? unsigned(a) << i : 0u);
  for (int i = 2 * bits - 2; i >= bits; i--)
    if (p >> i & 1) p ^= modulus << (i - bits);
  return uint8_t(p);
}

// The fields that Rainbow and the code of 2017 use: each of degree 2 over the one before, low half and high half times the new
// root.  GF(4) = F2[x]/(x^2 + x + 1), GF(16) = GF(4)[y]/(y^2 + y + x), GF(256) = GF(16)[X]/(X^2 + X + x y).
template <int bits> constexpr uint8_t tower_product(uint8_t a, uint8_t b) {
  if constexpr (bits == 1) {
    return a & b;
  } else {
    constexpr int half = bits / 2, low = (1 << half) - 1, constant = bits == 2 ? 1 : bits == 4 ? 2 : 8;
    const auto mul = tower_product<half>;
    const uint8_t al = a & low, ah = uint8_t(a >> half), bl = b & low, bh = uint8_t(b >> half), hh = mul(ah, bh);
    return uint8_t((mul(al, bl) ^ mul(hh, constant)) | (mul(al, bh) ^ mul(ah, bl) ^ hh) << half);
  }
}

using Gf2 = BinaryField<1, tower_product<1>>;
using Gf4 = BinaryField<2, tower_product<2>>;
using Gf16 = BinaryField<4, polynomial_product<4, 0x13>>;    // x^4 + x + 1, as MAYO and UOV have it
using Gf256 = BinaryField<8, polynomial_product<8, 0x11b>>;  // x^8 + x^4 + x^3 + x + 1, as UOV and AES have it
using TowerGf16 = BinaryField<4, tower_product<4>>;          // as Rainbow has them
using TowerGf256 = BinaryField<8, tower_product<8>>;

}  // namespace museum::field
