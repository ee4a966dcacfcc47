// SPDX-License-Identifier: Apache-2.0
// GF(p) for a prime p < 256, one element 0 .. p - 1 to a byte.  The interface is that of binary_field.hpp.  Not constant time.
#pragma once
#include <cstddef>
#include <cstdint>

namespace museum::field {

template <int p> struct PrimeField {
  static_assert(p > 2 && p < 256);
  using Element = uint8_t;
  static constexpr int q = p, characteristic = p;
  static constexpr int bits = p <= 4 ? 2 : p <= 8 ? 3 : p <= 16 ? 4 : p <= 32 ? 5 : p <= 64 ? 6 : p <= 128 ? 7 : 8;

  static constexpr Element add(Element a, Element b) { return Element((a + b) % p); }
  static constexpr Element sub(Element a, Element b) { return Element((a + p - b) % p); }
  static constexpr Element neg(Element a) { return Element((p - a) % p); }
  static constexpr Element mul(Element a, Element b) { return Element(a * b % p); }
  static constexpr Element inv(Element a) {  // a^(p - 2)
    Element r = 1, power = a;
    for (int e = p - 2; e > 0; e >>= 1, power = mul(power, power))
      if (e & 1) r = mul(r, power);
    return r;
  }
  // y[i] += a x[i] for i < n.
  static void add_scaled(Element *y, Element a, const Element *x, size_t n) {
    if (a == 0) return;
    for (size_t i = 0; i < n; i++) y[i] = Element(uint16_t(y[i] + a * x[i]) % p);
  }
};

using Gf3 = PrimeField<3>;
using Gf7 = PrimeField<7>;
using Gf31 = PrimeField<31>;

}  // namespace museum::field
