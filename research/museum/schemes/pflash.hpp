// SPDX-License-Identifier: Apache-2.0
// PFLASH(16, 96-1, 64): C* over GF(16^96) with one input coordinate fixed ("projection") and 32 output coordinates dropped
// ("minus").
//
// STATUS CARD
//   C*                 T. Matsumoto, H. Imai, EUROCRYPT 1988.  BROKEN by J. Patarin, CRYPTO 1995 (cstar.hpp).
//   C* minus, SFLASH   BROKEN by V. Dubois, P.-A. Fouque, A. Shamir, J. Stern, CRYPTO 2007: minutes for the sets that NESSIE
//                      had recommended.
//   PFLASH             the projection destroys the symmetry which that attack uses (J. Ding, V. Dubois, B.-Y. Yang, O. Chen,
//                      C.-M. Cheng, "Could SFLASH be repaired?", ICALP 2008).  Examined by R. Cartor, D. Smith-Tone, 2017, and
//                      its rank by M. Øygarden, D. Smith-Tone, J. Verbel, PQCrypto 2021 (ePrint 2021/655).  No break published
//                      that we know of, no current claim either: never a candidate at NIST.  This set BROKEN here, which nobody
//                      has reviewed: its exponent is linear over GF(16^32), a kind that V. Dubois, P.-A. Fouque, J. Stern,
//                      EUROCRYPT 2007, attacked in SFLASH.  A signature is forged in a minute or two.
//   Demonstration: museum_subfield, at full size.
//
// A RECONSTRUCTION, NOT official: the map, the field and the sizes (public key 148,960 bytes, signature 48) are those of the
// benchmark code of 2017, which hashed no message and published no known answers.  Derivation of the key, hash (SHAKE256) and
// order of coefficients are ours; it is consistent with itself and interoperates with nothing.
//
//   central map    X -> X^(256^15 + 256^31) over K = GF(256^48) = GF(16^96): up to 256^15-th powers X -> X^(1 + Q), Q = 256^16.
//                  A bijection: Q^3 = 1 as an exponent, and (1 + Q) (1 - Q + Q^2) = 1 + Q^3 = 2, so that X = (Z Z^(Q^2) /
//                  Z^Q)^(1/2).
//   public map     first 64 coordinates of T o C* o S, S and T affine, S restricted to inputs whose last coordinate is 0: 95
//                  variables
#pragma once
#include <array>

#include "museum/field/binary_field.hpp"
#include "museum/schemes/acknowledgement.hpp"
#include "museum/schemes/encoding.hpp"
#include "museum/schemes/quadratic_map.hpp"

namespace museum::broken::pflash {

using F = field::TowerGf16;

// K = GF(256)[X] / (X^48 + X^3 + 0x10 X^2 + 0x04 X + 1) over Rainbow's tower.  Two coordinates over GF(16) to a coefficient, low
// half first.
class Extension {
 public:
  static constexpr size_t degree = 48;
  using Element = std::array<uint8_t, degree>;

  Extension();
  static Element add(const Element &a, const Element &b);
  static Element mul(const Element &a, const Element &b);
  static Element square(const Element &a);
  Element frobenius(const Element &a, size_t k) const;  // a^(256^k), k < 48
  static Element inverse(const Element &a);             // of 0: 0
  static Element from_coordinates(const Vector<F> &x);  // 96
  static Vector<F> coordinates(const Element &a);

 private:
  std::vector<Matrix<field::TowerGf256>> powers_;  // row i of [k]: X^i to the 256^k
};

struct SecretKey {
  Bytes seed;
  Matrix<F> S_inverse, T_inverse;  // 96 x 96
  Vector<F> s0, t0;                // of S and of T
};
struct KeyPair {
  QuadraticMap<F> public_map;  // 64 polynomials in 95 variables with linear terms; the constants are zero
  SecretKey secret;
};

class Pflash {
 public:
  static constexpr size_t coordinates = 96, n = 95, m = 64;
  static constexpr size_t public_key_bytes = (n * (n + 1) / 2 + n) * m / 2, signature_bytes = 48;
  static_assert(public_key_bytes == 148960);

  KeyPair keygen(View seed) const;
  static Bytes encode(const QuadraticMap<F> &public_map);  // quadratic, then linear coefficients
  static QuadraticMap<F> decode_public(View bytes);        // throws std::invalid_argument for bytes that are no key
  static Vector<F> target(View message);
  // 95 elements and a zero.  Deterministic.  Throws std::runtime_error after 256 attempts, of which 1 in 16 succeeds.
  Bytes sign(const SecretKey &key, View message, Acknowledgement) const;
  static bool verify(const QuadraticMap<F> &public_map, View message, View signature);

  Extension::Element central(const Extension::Element &x) const;
  Extension::Element central_inverse(const Extension::Element &y) const;
  const Extension K;
};

}  // namespace museum::broken::pflash
