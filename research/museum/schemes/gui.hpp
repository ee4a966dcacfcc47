// SPDX-License-Identifier: Apache-2.0
// GUI: HFEv- with a Quartz-like chain, inverted only where a polynomial has a single root.
//
// STATUS CARD
//   HFE                J. Patarin, EUROCRYPT 1996.  BROKEN by A. Kipnis, A. Shamir, CRYPTO 1999 (rank), and J.-C. Faugère,
//                      A. Joux, CRYPTO 2003 (Gröbner bases): the challenge with 80 variables fell.
//   HFEv-, GUI         A. Petzoldt, M.-S. Chen, B.-Y. Yang, C. Tao, J. Ding, ASIACRYPT 2015.  BROKEN by C. Tao, A. Petzoldt,
//                      J. Ding, CRYPTO 2021 (ePrint 2020/1424): neither vinegar nor minus raises the rank that matters, which
//                      is the number of powers of q up to D.  Improved by J. Baena, P. Briaud, D. Cabarcas, R. Perlner,
//                      D. Smith-Tone, J. Verbel, CRYPTO 2022 (ePrint 2021/1677), by support minors, as here.
//                      Keys of all three sets fall here: (2, 96, 5, ..) in a second, (4, 120, 17, ..) and (2, 240, 9, ..) in
//                      seconds and minutes.
//   Demonstration: museum_hfe_rank, at full size.
//
// A RECONSTRUCTION, NOT official: map, degrees and sizes are those of the papers and of the benchmark code of 2017, which departs
// from them (it multiplies the vinegar's form into a coefficient instead of adding it).  Derivation of the key, choice of the
// moduli, order of coefficients and bits are ours; it is consistent with itself and interoperates with nothing.
//
//   central map    K = GF(q^n), F = GF(q): sum over q^i + q^j <= D of alpha_ij X^(q^i + q^j) + sum over q^i <= D of beta_i(w)
//                  X^(q^i) + gamma(w), with v vinegars w; beta_i affine in w, gamma quadratic
//   public map     first m = n - a coordinates of T o F o S, S and T affine, in n + v variables
//   signature      S_0 = 0; for i = 1 .. k: D_i = first m elements of SHA-256 iterated i times, (S_i, X_i) = a preimage of D_i +
//                  S_(i - 1), S_i its first m coordinates; signature (S_k, X_k, .., X_1)
#pragma once
#include "museum/algebra/univariate.hpp"
#include "museum/field/binary_field.hpp"
#include "museum/schemes/acknowledgement.hpp"
#include "museum/schemes/big_field.hpp"
#include "museum/symmetric/sha2.hpp"

namespace museum::broken::gui {

template <class F_, class K_, size_t D_, size_t a_, size_t v_, size_t k_> class Gui {
 public:
  using F = F_;
  using K = K_;
  using Element = typename K::Element;
  using Pair = BigFieldPair<F, K, 1>;
  using Secret = BigFieldKey<F, K, 1>;
  using Central = CentralMap<F, K, 1>;
  static constexpr size_t t = 1, n = Subfield<F, K>::degree, D = D_, a = a_, v = v_, k = k_, m = n - a, N = n + v;
  static constexpr size_t public_key_bytes = big_field_public_bytes<F>(N, m), signature_bytes = packed_bytes<F>(m + k * (a + v));
  static_assert(m * F::bits <= 256);
  // Powers of q up to D, and the exponents of the slots Z_i = X^(q^i).
  static constexpr size_t q_to(size_t i) { return i == 0 ? 1 : F::q * q_to(i - 1); }
  static constexpr size_t slots = [] {
    size_t i = 0;
    while (q_to(i) <= D) i++;
    return i;
  }();
  // Which X^(q^i + q^j) there are; over GF(2) those with i = j are linear, and counted there.
  static constexpr bool has(size_t i, size_t j) { return i <= j && q_to(i) + q_to(j) <= D && !(F::q == 2 && i == j); }

  static std::vector<Element> slots_of(const std::array<Element, t> &X) {
    std::vector<Element> Z;
    for (size_t i = 0; i < slots; i++) Z.push_back(Subfield<F, K>::frobenius(X[0], i));
    return Z;
  }

  Pair keygen(View seed) const { return big_field_keygen<F, K, t>(L, seed, m, Central::with_terms(slots, v, has), slots_of); }
  static Bytes encode(const QuadraticMap<F> &public_map) { return encode_public(public_map); }
  static QuadraticMap<F> decode_public(View bytes) { return decode_public_map<F>(N, m, bytes); }

  // The one X with F(X, w) = Y, if there is one and no other.
  std::optional<Element> invert_central(const Central &central, const Vector<F> &w, const Element &Y) const {
    const auto linear = central.with_vinegar(L, 0, w);
    algebra::Univariate<K> f(D + 1);
    for (size_t i = 0; i < slots; i++) {
      f[q_to(i)] += linear[i];
      for (size_t j = i; j < slots; j++)
        if (has(i, j)) f[q_to(i) + q_to(j)] += central.polynomials[0].alpha[i * slots + j];
    }
    f[0] = linear[slots] + Y;
    return algebra::only_root<K>(f);
  }
  // The chain.  invert(y, i): some x with P(x) = y.
  template <class Invert> static Bytes chain(View message, Invert &&invert) {
    Vector<F> S(m), extras;
    Bytes hash(message.begin(), message.end());
    for (size_t i = 1; i <= k; i++) {
      Vector<F> y = next_digest(hash);
      F::add_scaled(y.data(), 1, S.data(), m);
      const Vector<F> x = invert(y, i);
      S.assign(x.begin(), x.begin() + m);
      extras.insert(extras.begin(), x.begin() + m, x.end());
    }
    S.insert(S.end(), extras.begin(), extras.end());
    return pack<F>(S);
  }

  Bytes sign(const Secret &key, View message, Acknowledgement) const {
    const Bytes whole = sha2(Sha2::sha256, {message});
    return chain(message, [&](Vector<F> y, size_t i) {
      y.resize(n);
      for (int attempt = 0; attempt < 256; attempt++) {
        // The dropped coordinates and the vinegars are free.
        const uint8_t counters[2] = {uint8_t(i), uint8_t(attempt)};
        const Vector<F> free = sample<F>(a + v, [&](size_t bytes) { return shake256({key.seed, whole, counters}, bytes); });
        std::copy_n(free.begin(), a, y.begin() + m);
        Vector<F> w(free.begin() + a, free.end());
        w.push_back(1);
        if (const auto X = invert_central(key.central, w, undo_T(L, key, y)[0])) return undo_S<F, K, 1>(L, key, {*X}, w);
      }
      throw std::runtime_error("gui: no polynomial with a single root");
    });
  }
  static bool verify(const QuadraticMap<F> &public_map, View message, View signature) {
    const auto all = unpack<F>(signature, m + k * (a + v));
    if (!all || public_map.n != N || public_map.m != m) return false;
    std::vector<Vector<F>> digests;
    Bytes hash(message.begin(), message.end());
    for (size_t i = 0; i < k; i++) digests.push_back(next_digest(hash));
    Vector<F> S(all->begin(), all->begin() + m);
    for (size_t i = k; i > 0; i--) {
      const auto extra = all->begin() + std::ptrdiff_t(m + (k - i) * (a + v));
      S.insert(S.end(), extra, extra + (a + v));
      S = public_map.evaluate(S);
      F::add_scaled(S.data(), 1, digests[i - 1].data(), m);
    }
    return algebra::is_zero<F>(S);
  }

  const Subfield<F, K> L;

 private:
  // hash = SHA-256(hash); its first m elements.
  static Vector<F> next_digest(Bytes &hash) {
    hash = sha2(Sha2::sha256, {hash});
    Vector<F> e = *unpack<F>(hash, 256 / F::bits);
    e.resize(m);
    return e;
  }
};

using Gui240 = Gui<field::Gf2, field::BinaryExtension<240, 0x129>, 9, 16, 16, 3>;  // GUI(2, 240, 9, 16, 16, 3)
using Gui120 =
    Gui<field::Gf4, field::BinaryExtension<240, 0x129>, 17, 8, 8, 2>;          // GUI(4, 120, 17, 8, 8, 2): GF(4^120) = GF(2^240)
using Gui96 = Gui<field::Gf2, field::BinaryExtension<96, 0x641>, 5, 6, 6, 3>;  // GUI(2, 96, 5, 6, 6, 3)
static_assert(Gui240::public_key_bytes == 921088 && Gui240::signature_bytes == 40);
static_assert(Gui120::m == 112 && Gui120::N == 128 && Gui120::signature_bytes == 36);

}  // namespace museum::broken::gui
