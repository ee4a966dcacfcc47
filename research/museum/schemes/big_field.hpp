// SPDX-License-Identifier: Apache-2.0
// What C*, GUI and HmFEv share: quadratic maps over a large field K = GF(q^d) in disguise, with vinegar variables over F = GF(q).
// Elements of K are vectors over F; the central map goes K^t x F^v -> K^t, and x -> T (central (S x + s0)) + t0 is quadratic over
// F, of which the first m coordinates are public.
#pragma once
#include <array>
#include "museum/field/binary_extension.hpp"
#include "museum/schemes/encoding.hpp"
#include "museum/symmetric/shake256.hpp"

namespace museum {

// F as a subfield of K, and K as a vector space over F.  F = F2[y]/(..) in the basis 1, y, ..; y goes to beta, the first power of
// the norm of x (or of the next element whose norm will do) that satisfies y's equation.  Basis of K: 1, x, .., x^(d - 1).
template <class F, class K> class Subfield {
 public:
  using Element = typename K::Element;
  static constexpr size_t degree = K::bits / F::bits;
  static_assert(K::bits % F::bits == 0);

  Subfield() : beta_(K::one()) {
    if constexpr (F::bits > 1) find_beta();
    // Bit j of coordinate i stands for x^i beta^j; the inverse of that map gives coordinates.
    Matrix<field::Gf2> from(K::bits, K::bits);
    Element power = K::one();  // of x
    for (size_t i = 0; i < degree; i++, power = power * Element::of(2)) {
      Element e = power;
      for (size_t j = 0; j < F::bits; j++, e = e * beta_) {
        basis_.push_back(e);
        for (size_t b = 0; b < K::bits; b++) from(i * F::bits + j, b) = e.bit(b);
      }
    }
    const Matrix<field::Gf2> to = *algebra::inverse(from);
    for (size_t b = 0; b < K::bits; b++) {
      Element bits;
      for (size_t i = 0; i < K::bits; i++)
        if (to(b, i)) bits.flip(i);
      to_.push_back(bits);
    }
  }

  Element image(typename F::Element c) const {
    Element e;
    for (size_t j = 0; j < F::bits; j++)
      if (c >> j & 1) e += basis_[j];
    return e;
  }
  Element from_coordinates(const typename F::Element *c) const {
    Element e;
    for (size_t i = 0; i < degree; i++)
      for (size_t j = 0; j < F::bits; j++)
        if (c[i] >> j & 1) e += basis_[i * F::bits + j];
    return e;
  }
  Vector<F> coordinates(const Element &e) const {
    Element bits;
    for (size_t b = 0; b < K::bits; b++)
      if (e.bit(b)) bits += to_[b];
    Vector<F> c(degree);
    for (size_t b = 0; b < K::bits; b++) c[b / F::bits] = uint8_t(c[b / F::bits] | bits.bit(b) << b % F::bits);
    return c;
  }
  // c e for c in F.
  Element scaled(typename F::Element c, const Element &e) const { return c == 0 ? Element() : c == 1 ? e : image(c) * e; }
  // e^(q^k).
  static Element frobenius(const Element &e, size_t k) { return K::power_of_two(e, k * F::bits); }

 private:
  void find_beta() {
    const typename F::Element last = F::mul(2, 1 << (F::bits - 1));  // y^bits
    for (uint64_t candidate = 2;; candidate++) {
      Element norm = Element::of(candidate);
      for (size_t i = 1; i < degree; i++) norm = norm * frobenius(Element::of(candidate), i);
      beta_ = K::one();
      for (int i = 1; i < F::q; i++) {
        beta_ = beta_ * norm;
        Element power = K::one(), sum;
        for (size_t j = 0; j < F::bits; j++, power = power * beta_)
          if (last >> j & 1) sum += power;
        if (sum == power) return;
      }
    }
  }
  Element beta_;
  std::vector<Element> basis_, to_;
};

// t quadratic polynomials over K in `slots` elements Z of K and v vinegars w_0 .. w_(v - 1) of F, beside which stands w_v = 1:
//   F_k = sum over a <= b of alpha_ab Z_a Z_b + sum of (sum over j of beta_aj w_j) Z_a + sum over i <= j of gamma_ij w_i w_j
template <class F, class K, size_t t> struct CentralMap {
  using Element = typename K::Element;
  struct Polynomial {
    std::vector<Element> alpha, beta, gamma;  // slots x slots, slots x (v + 1), (v + 1) x (v + 1)
  };
  struct Point {
    std::vector<Element> Z;
    Vector<F> w;
  };
  size_t slots = 0, v = 0;
  std::array<Polynomial, t> polynomials;

  bool products_alone = false;  // no beta and no gamma, as in C*

  // has(a, b): whether there are products Z_a Z_b.  Their coefficients are 1, all others zero.
  template <class Has> static CentralMap with_terms(size_t slots, size_t v, Has &&has) {
    CentralMap map;
    map.slots = slots, map.v = v;
    for (auto &p : map.polynomials) {
      for (size_t a = 0; a < slots; a++)
        for (size_t b = 0; b < slots; b++) p.alpha.push_back(has(a, b) ? K::one() : Element());
      p.beta.resize(slots * (v + 1)), p.gamma.resize((v + 1) * (v + 1));
    }
    return map;
  }

  // Once the vinegars are chosen: the coefficients of Z_a, then the constant.
  std::vector<Element> with_vinegar(const Subfield<F, K> &L, size_t k, const Vector<F> &w) const {
    std::vector<Element> sums(slots + 1);
    for (size_t a = 0; a < slots; a++)
      for (size_t j = 0; j <= v; j++) sums[a] += L.scaled(w[j], polynomials[k].beta[a * (v + 1) + j]);
    for (size_t i = 0; i <= v; i++)
      for (size_t j = i; j <= v; j++) sums[slots] += L.scaled(F::mul(w[i], w[j]), polynomials[k].gamma[i * (v + 1) + j]);
    return sums;
  }
  // F_k is the value at (y, y) of a form that is linear in both: `right` of y, then the form at (x, y).
  Point right(const Subfield<F, K> &L, size_t k, const Point &y) const {
    const Polynomial &p = polynomials[k];
    Point r{std::vector<Element>(slots + v + 1), {}};
    for (size_t a = 0; a < slots; a++) {
      for (size_t b = a; b < slots; b++) r.Z[a] += p.alpha[a * slots + b] * y.Z[b];
      for (size_t j = 0; j <= v; j++) r.Z[a] += L.scaled(y.w[j], p.beta[a * (v + 1) + j]);
    }
    for (size_t i = 0; i <= v; i++)
      for (size_t j = i; j <= v; j++) r.Z[slots + i] += L.scaled(y.w[j], p.gamma[i * (v + 1) + j]);
    return r;
  }
  Element form(const Subfield<F, K> &L, const Point &x, const Point &right_of_y) const {
    Element e;
    for (size_t a = 0; a < slots; a++) e += x.Z[a] * right_of_y.Z[a];
    for (size_t i = 0; i <= v; i++) e += L.scaled(x.w[i], right_of_y.Z[slots + i]);
    return e;
  }
};

// Elements of F and K from a seed: part after part, each SHAKE256(seed || number of the part in two bytes).
template <class F> class Draw {
 public:
  explicit Draw(View seed) : seed_(seed) {}
  Vector<F> operator()(size_t count) {
    const uint8_t label[2] = {uint8_t(part_ & 255), uint8_t(part_ >> 8)};
    part_++;
    return sample<F>(count, [&](size_t bytes) { return shake256({seed_, label}, bytes); });
  }
  // A matrix row by row, until one is invertible; with its inverse.
  std::pair<Matrix<F>, Matrix<F>> invertible(size_t n) {
    for (;;) {
      Matrix<F> A(0, n);
      for (size_t i = 0; i < n; i++) A.append_row((*this)(n));
      if (auto inverse = algebra::inverse(A)) return {std::move(A), *std::move(inverse)};
    }
  }

 private:
  View seed_;
  uint16_t part_ = 0;
};

template <class F, class K, size_t t> struct BigFieldKey {
  Bytes seed;
  CentralMap<F, K, t> central;
  Matrix<F> S_inverse, T_inverse;  // n + v and n square, n = t d
  Vector<F> s0, t0;
};
template <class F, class K, size_t t> struct BigFieldPair {
  QuadraticMap<F> public_map;  // with linear terms, but for q = 2, where x_i stands for its square; the constants are zero
  BigFieldKey<F, K, t> secret;
};

// A key with m public polynomials in n + v variables.  `central` holds which coefficients alpha there are (those not zero),
// and is filled at random; slots(X), X in K^t: the Z.
template <class F, class K, size_t t, class Slots>
BigFieldPair<F, K, t> big_field_keygen(const Subfield<F, K> &L, View seed, size_t m, CentralMap<F, K, t> central, Slots &&slots) {
  using Element = typename K::Element;
  using Point = typename CentralMap<F, K, t>::Point;
  constexpr size_t d = Subfield<F, K>::degree, n = t * d;
  const size_t v = central.v, N = n + v;
  Draw<F> draw(seed);
  auto [S, S_inverse] = draw.invertible(N);
  auto [T, T_inverse] = draw.invertible(n);
  const Vector<F> s0 = draw(N);
  Vector<F> t0 = draw(n);
  const auto element = [&] { return L.from_coordinates(draw(d).data()); };
  for (auto &p : central.polynomials) {
    for (auto &e : p.alpha)
      if (e) e = element();
    if (central.products_alone) continue;
    for (auto &e : p.beta) e = element();
    for (size_t i = 0; i <= v; i++)
      for (size_t j = i; j <= v; j++) p.gamma[i * (v + 1) + j] = element();
  }

  // S x + s0 is a sum of columns, and Z is linear in X: each coefficient is the value of the bilinear form at two columns.  Index
  // N stands for s0.
  const Matrix<F> columns = algebra::transpose(S), T_columns = algebra::transpose(T);
  std::vector<Point> left;
  std::array<std::vector<Point>, t> right;
  for (size_t i = 0; i <= N; i++) {
    const Vector<F> column = i < N ? columns.row_vector(i) : s0;
    std::array<Element, t> X;
    for (size_t k = 0; k < t; k++) X[k] = L.from_coordinates(column.data() + k * d);
    left.push_back({slots(X), Vector<F>(column.begin() + std::ptrdiff_t(n), column.end())});
    left.back().w.push_back(i == N);
    for (size_t k = 0; k < t; k++) right[k].push_back(central.right(L, k, left.back()));
  }
  QuadraticMap<F> P(N, m, F::q > 2);
  for (size_t i = 0; i <= N; i++)
    for (size_t j = i; j <= N; j++) {
      auto *place = i == N ? t0.data() : j < N ? P.at(i, j) : F::q == 2 ? P.at(i, i) : P.linear_at(i);
      if (i == N) std::fill_n(place, m, typename F::Element(0));  // t0 takes the constants away
      for (size_t k = 0; k < t; k++) {
        Element c = central.form(L, left[i], right[k][j]);
        if (i != j) c += central.form(L, left[j], right[k][i]);
        const Vector<F> e = L.coordinates(c);
        for (size_t l = 0; l < d; l++) F::add_scaled(place, e[l], T_columns.row(k * d + l), m);
      }
    }
  return {std::move(P),
          {Bytes(seed.begin(), seed.end()), std::move(central), std::move(S_inverse), std::move(T_inverse), s0, t0}};
}

// T^-1 (y - t0) as elements of K, for y with all n coordinates; and S^-1 ((X, w) - s0).
template <class F, class K, size_t t>
std::array<typename K::Element, t> undo_T(const Subfield<F, K> &L, const BigFieldKey<F, K, t> &key, Vector<F> y) {
  F::add_scaled(y.data(), 1, key.t0.data(), y.size());
  y = algebra::apply(key.T_inverse, y);
  std::array<typename K::Element, t> Y;
  for (size_t k = 0; k < t; k++) Y[k] = L.from_coordinates(y.data() + k * L.degree);
  return Y;
}
template <class F, class K, size_t t>
Vector<F> undo_S(const Subfield<F, K> &L, const BigFieldKey<F, K, t> &key, const std::array<typename K::Element, t> &X,
                 const Vector<F> &w) {
  Vector<F> x;
  for (const auto &e : X) append(x, L.coordinates(e));
  x.insert(x.end(), w.begin(), w.begin() + std::ptrdiff_t(key.central.v));
  F::add_scaled(x.data(), 1, key.s0.data(), x.size());
  return algebra::apply(key.S_inverse, x);
}

// The public key: quadratic, then linear coefficients.
template <class F> constexpr size_t big_field_public_bytes(size_t N, size_t m) {
  return packed_bytes<F>((N * (N + 1) / 2 + (F::q > 2 ? N : 0)) * m);
}
template <class F> Bytes encode_public(const QuadraticMap<F> &P) {
  Vector<F> all = P.quadratic_coefficients();
  all.insert(all.end(), P.linear_coefficients().begin(), P.linear_coefficients().end());
  return pack<F>(all);
}
template <class F> QuadraticMap<F> decode_public_map(size_t N, size_t m, View bytes) {
  QuadraticMap<F> P(N, m, F::q > 2);
  const size_t quadratic = P.quadratic_coefficients().size();
  const auto all = unpack<F>(bytes, quadratic + P.linear_coefficients().size());
  if (!all) throw std::invalid_argument("museum: a public key of the wrong length, or with padding that is not zero");
  std::copy_n(all->begin(), quadratic, P.quadratic_coefficients().begin());
  std::copy(all->begin() + std::ptrdiff_t(quadratic), all->end(), P.linear_coefficients().begin());
  return P;
}

}  // namespace museum
