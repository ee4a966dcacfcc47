// SPDX-License-Identifier: Apache-2.0
// C*: a monomial over a large field between two affine maps, where the family began.
//
// STATUS CARD
//   C*                 T. Matsumoto, H. Imai, EUROCRYPT 1988.  BROKEN by J. Patarin, "Cryptanalysis of the Matsumoto and Imai
//                      Public Key Scheme of Eurocrypt '88", CRYPTO 1995: X Y^(2^a) = X^(2^(2a)) Y makes equations that are linear
//                      in x for any y, and show in the public map.
//   Demonstration: museum_linearization, in a fraction of a second.
//
// The published map in its simplest form, one branch.  Hash (SHAKE256), field, derivation of the key and orders are ours; it
// interoperates with nothing.
//
//   central map    K = GF(2^n), n odd: X -> c X^(1 + 2^a), a bijection, since 2^a + 1 and 2^n - 1 have no common factor
//   public map     T o F o S, S and T affine, n equations in n variables over GF(2)
#pragma once
#include "museum/field/binary_field.hpp"
#include "museum/schemes/acknowledgement.hpp"
#include "museum/schemes/big_field.hpp"

namespace museum::broken::cstar {

template <class K_, size_t a_> class CStar {
 public:
  using F = field::Gf2;
  using K = K_;
  using Element = typename K::Element;
  using Pair = BigFieldPair<F, K, 1>;
  using Secret = BigFieldKey<F, K, 1>;
  static constexpr size_t n = size_t(K::bits), a = a_;
  static_assert(n % 2 == 1 && n < 64 && 0 < a && a < n);
  // 1 / (1 + 2^a) modulo 2^n - 1, by Euclid's algorithm.
  static constexpr uint64_t root = [] {
    const int64_t order = int64_t((uint64_t(1) << n) - 1);
    int64_t r0 = order, r1 = 1 + (int64_t(1) << a), s0 = 0, s1 = 1;  // r = s (1 + 2^a) modulo the order
    while (r1 > 1) {
      const int64_t quotient = r0 / r1, r = r0 - quotient * r1, s = s0 - quotient * s1;
      r0 = r1, r1 = r, s0 = s1, s1 = s;
    }
    return uint64_t(s1 < 0 ? s1 + order : s1);
  }();

  Pair keygen(View seed) const {
    auto central = CentralMap<F, K, 1>::with_terms(2, 0, [](size_t i, size_t j) { return i == 0 && j == 1; });
    central.products_alone = true;
    return big_field_keygen<F, K, 1>(L, seed, n, std::move(central),
                                     [](const auto &X) { return std::vector<Element>{X[0], K::power_of_two(X[0], a)}; });
  }
  static Vector<F> target(View message) {
    return sample<F>(n, [&](size_t bytes) { return shake256({message}, bytes); });
  }
  // The only preimage of the target.
  Bytes sign(const Secret &key, View message, Acknowledgement) const {
    const Element Y = undo_T(L, key, target(message))[0] * K::inverse(key.central.polynomials[0].alpha[1]);
    Element X = K::one();
    for (size_t bit = n; bit-- > 0;) {
      X = X * X;
      if (root >> bit & 1) X = X * Y;
    }
    return pack<F>(undo_S(L, key, {X}, {}));
  }
  static bool verify(const QuadraticMap<F> &public_map, View message, View signature) {
    if (public_map.n != n || public_map.m != n) return false;
    const auto x = unpack<F>(signature, n);
    return x && public_map.evaluate(*x) == target(message);
  }

  const Subfield<F, K> L;
};

using CStar63 = CStar<field::BinaryExtension<63, 3>, 11>;

}  // namespace museum::broken::cstar
