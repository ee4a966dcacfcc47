// SPDX-License-Identifier: Apache-2.0
// HmFEv: three quadratic polynomials in three variables over a field of medium size, with vinegar.
//
// STATUS CARD
//   Multi-HFE          C.-H. Chen, M.-S. Chen, J. Ding, F. Werner, B.-Y. Yang, 2008.  BROKEN by L. Bettale, J.-C. Faugère,
//                      L. Perret, Designs, Codes and Cryptography 69, 2013 (rank).
//   HMFEv              A. Petzoldt, M.-S. Chen, J. Ding, B.-Y. Yang, PQCrypto 2017.  The high-rank attack on it: Y. Hashimoto,
//                      JSIAM Letters 10, 2018.  Never a candidate at NIST.  BROKEN here by the attack on HFEv- of C. Tao,
//                      A. Petzoldt, J. Ding, CRYPTO 2021 (ePrint 2020/1424), applied to it, which nobody has reviewed: vinegar
//                      does not raise the rank, 3.  A key of the set below falls in about a minute.
//   Demonstration: museum_hfe_rank, at full size.
//
// A RECONSTRUCTION, NOT official: map, parameters and sizes (public key 87,840 bytes, signature 61) are those of the paper and of
// the benchmark code of 2017, whose vinegar part computes something else.  The coefficients of X_1, X_2, X_3 are affine in the
// vinegars, the constants quadratic.  Fields, derivation of the key, hash (SHAKE256) and order of coefficients are ours; it is
// consistent with itself and interoperates with nothing.
#pragma once
#include "museum/algebra/three_quadrics.hpp"
#include "museum/field/binary_field.hpp"
#include "museum/schemes/acknowledgement.hpp"
#include "museum/schemes/big_field.hpp"

namespace museum::broken::hmfev {

template <class F_, class K_, size_t v_> class Hmfev {
 public:
  using F = F_;
  using K = K_;
  using Element = typename K::Element;
  using Pair = BigFieldPair<F, K, 3>;
  using Secret = BigFieldKey<F, K, 3>;
  static constexpr size_t t = 3, slots = 3, v = v_, m = 3 * Subfield<F, K>::degree, N = m + v;
  static constexpr size_t public_key_bytes = big_field_public_bytes<F>(N, m), signature_bytes = packed_bytes<F>(N);

  // Which X_i X_j there are, and the Z of CentralMap: the variables themselves.
  static constexpr bool has(size_t i, size_t j) { return i <= j; }
  static std::vector<Element> slots_of(const std::array<Element, t> &X) { return {X.begin(), X.end()}; }

  Pair keygen(View seed) const {
    return big_field_keygen<F, K, t>(L, seed, m, CentralMap<F, K, t>::with_terms(slots, v, has), slots_of);
  }
  static Bytes encode(const QuadraticMap<F> &public_map) { return encode_public(public_map); }
  static QuadraticMap<F> decode_public(View bytes) { return decode_public_map<F>(N, m, bytes); }
  static Vector<F> target(View message) {
    return sample<F>(m, [&](size_t bytes) { return shake256({message}, bytes); });
  }

  Bytes sign(const Secret &key, View message, Acknowledgement) const {
    const auto Y = undo_T(L, key, target(message));
    const Bytes whole = digest_beside_seed(message);
    for (int attempt = 0; attempt < 256; attempt++) {
      const uint8_t counter = uint8_t(attempt);
      Vector<F> w = sample<F>(v, [&](size_t bytes) { return shake256({key.seed, whole, View(&counter, 1)}, bytes); });
      w.push_back(1);
      algebra::ThreeQuadrics<K> system;
      for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < 3; i++)
          for (size_t j = i; j < 3; j++) system.quadratic[k][i][j] = key.central.polynomials[k].alpha[3 * i + j];
        std::ranges::copy(key.central.with_vinegar(L, k, w), system.linear[k].begin());
        system.linear[k][3] += Y[k];
      }
      if (const auto X = algebra::only_zero<K>(system)) return pack<F>(undo_S(L, key, *X, w));
    }
    throw std::runtime_error("hmfev: no system with a single zero");
  }
  static bool verify(const QuadraticMap<F> &public_map, View message, View signature) {
    if (public_map.n != N || public_map.m != m) return false;
    const auto x = unpack<F>(signature, N);
    return x && public_map.evaluate(*x) == target(message);
  }

  const Subfield<F, K> L;
};

using Hmfev256 = Hmfev<field::Gf256, field::BinaryExtension<120, 0x1b>, 16>;  // HmFEv(256, 15, 3, 16)
static_assert(Hmfev256::public_key_bytes == 87840 && Hmfev256::signature_bytes == 61);

}  // namespace museum::broken::hmfev
