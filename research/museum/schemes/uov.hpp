// SPDX-License-Identifier: Apache-2.0
// Oil and vinegar with freely chosen field, o and v: balanced (v = o) and unbalanced.
//
// STATUS CARD
//   balanced, v = o     J. Patarin, "The Oil and Vinegar Signature Scheme", Dagstuhl 1997.  BROKEN by A. Kipnis and A. Shamir,
//                       "Cryptanalysis of the oil & vinegar signature scheme", CRYPTO 1998, in polynomial time: the secret
//                       subspace is found by linear algebra.  Seconds at any size.  Demonstration: museum_kipnis_shamir, at full
//                       size.
//   v slightly over o   the same attack at a cost of about q^(v - o - 1) o^4 (A. Kipnis, J. Patarin, L. Goubin, EUROCRYPT
//                       1999).  BROKEN for small v - o.  Demonstration: museum_unbalanced.
//   v about 1.5 o .. 2 o and large parameters   not broken (UOV, round 3 of NIST's process).  This text is still no signature
//   scheme for use:
//                       whatever (q, o, v) you choose, nobody has reviewed it, it runs in variable time and wipes nothing.
//                       aioli proper is where the maintained schemes are.  Demonstrations: museum_one_vector (all of the key,
//                       once one vector has leaked), and on keys too small for use museum_wedge, museum_reconciliation.
//
// Encoding, hashing and expansion are this file's own (SHAKE256); nothing interoperates with it.
#pragma once
#include <array>
#include <stdexcept>

#include "museum/schemes/acknowledgement.hpp"
#include "museum/schemes/encoding.hpp"
#include "museum/schemes/quadratic_map.hpp"
#include "museum/symmetric/shake256.hpp"

namespace museum::broken::uov {

template <class F> struct Signature {
  Vector<F> x;  // n elements with P(x) = target(message, salt)
  std::array<uint8_t, 16> salt;
};

template <class F> struct SecretKey {
  Bytes seed;
  Matrix<F> O;              // v x o: the oil space is {(O z, z)}
  QuadraticMap<F> central;  // P o T with T = [[I, O], [0, I]]: without products of two oil variables
};

template <class F> struct KeyPair {
  QuadraticMap<F> public_map;
  SecretKey<F> secret;
};

template <class F> class Uov {
 public:
  // v vinegar variables, the first; o oil variables, and as many equations.
  Uov(size_t o_, size_t v_) : o(o_), v(v_), n(v_ + o_), m(o_) {
    if (o_ == 0 || v_ == 0) throw std::invalid_argument("uov: o and v are positive");
  }
  const size_t o, v, n, m;

  // The same for the same seed, of any length.  Every key with an arbitrary secret change of variables has, but for a small part
  // of them, an equal one with a unit triangular T; so it is chosen that way, and the public map's P1 and P2 at random, as UOV in
  // NIST's process does.
  KeyPair<F> keygen(View seed) const {
    uint16_t part = 0;
    const auto random = [&](size_t count) {
      const uint8_t label[2] = {uint8_t(part & 255), uint8_t(part >> 8)};
      part++;
      return sample<F>(count, [&](size_t bytes) { return shake256({seed, label}, bytes); });
    };
    Matrix<F> O(v, o);
    for (size_t i = 0; i < v; i++) std::ranges::copy(random(o), O.row(i));
    QuadraticMap<F> P(n, m);
    P.quadratic_coefficients() = random(P.quadratic_coefficients().size());
    for (size_t i = v; i < n; i++) clear(P, i);
    // P3 is what makes the oil space vanish: minus the oil part of (P1, P2, 0) o T.
    QuadraticMap<F> central = P.compose(change_of_variables(O));
    for (size_t i = v; i < n; i++) {
      for (size_t j = i; j < n; j++) F::add_scaled(P.at(i, j), F::neg(1), central.at(i, j), m);
      clear(central, i);
    }
    return {std::move(P), {Bytes(seed.begin(), seed.end()), std::move(O), std::move(central)}};
  }

  Vector<F> target(View message, View salt) const {
    return sample<F>(m, [&](size_t bytes) { return shake256({message, salt}, bytes); });
  }

  // Deterministic: the salt is derived of seed and message.  Throws std::runtime_error after 256 singular systems (over tiny
  // fields that can happen).
  Signature<F> sign(const SecretKey<F> &key, View message, Acknowledgement) const {
    Signature<F> signature;
    const Bytes salt = shake256({key.seed, digest_beside_seed(message)}, signature.salt.size());
    std::copy(salt.begin(), salt.end(), signature.salt.begin());
    const Vector<F> t = target(message, salt);
    for (int attempt = 0; attempt < 256; attempt++) {
      const uint8_t counter = uint8_t(attempt);
      const Vector<F> vinegar =
          sample<F>(v, [&](size_t bytes) { return shake256({message, salt, key.seed, View(&counter, 1)}, bytes); });
      if (auto y = preimage(key.central, t, vinegar)) {
        signature.x = algebra::apply(change_of_variables(key.O), *y);
        return signature;
      }
    }
    throw std::runtime_error("uov: no solution");
  }

  bool verify(const QuadraticMap<F> &public_map, View message, const Signature<F> &signature) const {
    return public_map.n == n && public_map.m == m && signature.x.size() == n &&
           public_map.evaluate(signature.x) == target(message, signature.salt);
  }

  // y = (vinegar, oil) with central(y) = t; nothing if the linear system for the oil is singular.
  std::optional<Vector<F>> preimage(const QuadraticMap<F> &central, const Vector<F> &t, const Vector<F> &vinegar) const {
    Vector<F> y = vinegar, right = t;
    y.resize(n);  // with no oil yet
    const Vector<F> constant = central.evaluate(y);
    Matrix<F> columns(o, m);  // row j: coefficients of oil variable j
    F::add_scaled(right.data(), F::neg(1), constant.data(), m);
    for (size_t i = 0; i < v; i++)
      for (size_t j = 0; j < o; j++) F::add_scaled(columns.row(j), y[i], central.at(i, v + j), m);
    if (central.affine)
      for (size_t j = 0; j < o; j++) F::add_scaled(columns.row(j), 1, central.linear_at(v + j), m);
    const auto oil = algebra::unique_solution(algebra::transpose(columns), right);
    if (!oil) return {};
    std::copy(oil->begin(), oil->end(), y.begin() + std::ptrdiff_t(v));
    return y;
  }

  // T = [[I, O], [0, I]].
  Matrix<F> change_of_variables(const Matrix<F> &O) const {
    Matrix<F> T = Matrix<F>::identity(n);
    for (size_t i = 0; i < v; i++) std::copy_n(O.row(i), o, T.row(i) + v);
    return T;
  }

 private:
  void clear(QuadraticMap<F> &map, size_t i) const { std::fill_n(map.at(i, i), (n - i) * m, typename F::Element(0)); }
};

}  // namespace museum::broken::uov
