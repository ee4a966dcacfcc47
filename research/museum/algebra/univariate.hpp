// SPDX-License-Identifier: Apache-2.0
// Polynomials in one variable over a large field (field/binary_extension.hpp), and their roots without factoring them.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>
#include "museum/field/binary_extension.hpp"

namespace museum::algebra {

// Element i is the coefficient of x^i; the last one is not zero.
template <class K> using Univariate = std::vector<typename K::Element>;

template <class K> void trim(Univariate<K> &p) {
  while (!p.empty() && !p.back()) p.pop_back();
}
template <class K> typename K::Element evaluate_at(const Univariate<K> &p, const typename K::Element &x) {
  typename K::Element y;
  for (size_t i = p.size(); i-- > 0;) y = y * x + p[i];
  return y;
}
template <class K> void make_monic(Univariate<K> &p) {
  const auto inverse = K::inverse(p.back());
  for (auto &c : p) c = c * inverse;
}
// p modulo f, which is monic.
template <class K> void reduce(Univariate<K> &p, const Univariate<K> &f) {
  const size_t d = f.size() - 1;
  for (; p.size() > d; p.pop_back())
    for (size_t i = 0; i < d; i++) p[p.size() - 1 - d + i] += p.back() * f[i];
  trim<K>(p);
}
// Monic; of two that are zero: zero.
template <class K> Univariate<K> gcd(Univariate<K> a, Univariate<K> b) {
  trim<K>(a), trim<K>(b);
  while (!b.empty()) {
    make_monic<K>(b);
    reduce<K>(a, b);
    std::swap(a, b);
  }
  if (!a.empty()) make_monic<K>(a);
  return a;
}

// Squares modulo a monic polynomial f of degree d at least 2: the square of x^i for i < d is known once for all.
template <class K> class SquaresModulo {
 public:
  explicit SquaresModulo(const Univariate<K> &f) : degree_(f.size() - 1) {
    for (size_t i = 0; i < degree_; i++) {
      Univariate<K> p = i == 0 ? Univariate<K>{K::one()} : squares_.back();
      if (i > 0) p.insert(p.begin(), 2, {});
      reduce<K>(p, f);
      squares_.push_back(p);
    }
  }
  Univariate<K> operator()(const Univariate<K> &p) const {
    Univariate<K> result(degree_);
    for (size_t i = 0; i < p.size(); i++) {
      const auto c = p[i] * p[i];
      if (2 * i < degree_)
        result[2 * i] += c;
      else
        for (size_t k = 0; k < squares_[i].size(); k++) result[k] += c * squares_[i][k];
    }
    trim<K>(result);
    return result;
  }

 private:
  size_t degree_;
  std::vector<Univariate<K>> squares_;
};

// gcd(f, x^(2^n) - x), the product of x - r over all roots r in K: of degree 1 if and only if there is one root alone.
template <class K> Univariate<K> product_of_roots(Univariate<K> f) {
  trim<K>(f);
  if (f.size() < 3) {
    if (!f.empty()) make_monic<K>(f);
    return f;
  }
  make_monic<K>(f);
  const SquaresModulo<K> square(f);
  Univariate<K> power = {{}, K::one()};
  for (int i = 0; i < K::bits; i++) power = square(power);
  power.resize(std::max<size_t>(power.size(), 2));
  power[1] += K::one();
  return gcd<K>(f, power);
}
// The root of f, if it has one and no other.
template <class K> std::optional<typename K::Element> only_root(const Univariate<K> &f) {
  const Univariate<K> g = product_of_roots<K>(f);
  return g.size() == 2 ? std::optional(g[0]) : std::nullopt;
}

// Some root of a monic polynomial that is a product of different x - r, r in K: Berlekamp's trace algorithm.  The trace of c r is
// 0 for about half of the roots.
template <class K> typename K::Element some_root(Univariate<K> f) {
  for (size_t c = 0; f.size() > 2; c = (c + 1) % size_t(K::bits)) {
    const SquaresModulo<K> square(f);
    typename K::Element factor;
    factor.flip(c);
    Univariate<K> power = {{}, factor}, sum(f.size() - 1);
    for (int i = 0; i < K::bits; i++, power = square(power))
      for (size_t k = 0; k < power.size(); k++) sum[k] += power[k];
    const Univariate<K> g = gcd<K>(f, sum);
    if (g.size() > 1 && g.size() < f.size()) f = g;
  }
  return f[0];
}

}  // namespace museum::algebra
