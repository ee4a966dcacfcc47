// SPDX-License-Identifier: Apache-2.0
// Signatures from a stolen oil space, checked by the scheme's own verification.
#pragma once
#include <string>
#include "museum/attacks/oil_space.hpp"
#include "museum/field/binary_field.hpp"
#include "museum/field/prime_field.hpp"
#include "museum/schemes/uov.hpp"

namespace museum::attacks {

// A key of research/museum/schemes/uov.hpp under attack.
template <class F> struct UovTarget {
  UovTarget(size_t v, size_t o, const std::string &seed)
      : scheme(o, v), key(scheme.keygen(view(seed))), P(forms_of(key.public_map)) {}
  const broken::uov::Uov<F> scheme;
  const broken::uov::KeyPair<F> key;
  const Forms<F> P;
};

// For comparison only: no attack looks at it.  The space {(O z, z)}.
template <class F> Matrix<F> secret_oil_space(const broken::uov::SecretKey<F> &secret) {
  const size_t v = secret.O.rows(), o = secret.O.cols();
  Matrix<F> B(o, v + o);
  for (size_t j = 0; j < o; j++) {
    for (size_t i = 0; i < v; i++) B(j, i) = secret.O(i, j);
    B(j, v + j) = 1;
  }
  return row_space(B);
}

// Signs with nothing but the public key and the space; true if the scheme accepts the signature, and refuses it for another
// message.
template <class F> bool forge_uov(const UovTarget<F> &target, const Matrix<F> &oil, const std::string &message, Random &rng) {
  const auto &[scheme, key, P] = target;
  broken::uov::Signature<F> signature;
  for (auto &byte : signature.salt) byte = uint8_t(rng());
  signature.x = preimage(P, oil, scheme.target(view(message), signature.salt), rng);
  return scheme.verify(key.public_map, view(message), signature) &&
         !scheme.verify(key.public_map, view(message + "!"), signature);
}

}  // namespace museum::attacks
