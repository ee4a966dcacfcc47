// SPDX-License-Identifier: Apache-2.0
// m quadratic polynomials in n variables: the public and the central maps of every scheme here.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "museum/field/matrix.hpp"

namespace museum {

template <class F> class QuadraticMap {
 public:
  using Element = typename F::Element;
  using Vector = field::Vector<F>;

  QuadraticMap() = default;
  // Zero; `affine`: has linear and constant terms besides.
  QuadraticMap(int n_, int m_, bool affine_ = false)
      : n(n_), m(m_), affine(affine_), quadratic_(size_t(n_) * size_t(n_ + 1) / 2 * size_t(m_)),
        linear_(affine_ ? size_t(n_) * size_t(m_) : 0), constant_(affine_ ? size_t(m_) : 0) {}

  int n = 0, m = 0;  // variables, polynomials
  bool affine = false;

  // The m coefficients of x_i x_j, i <= j < n.  Those of one i lie one after the other, j rising, as do the i.
  Element *at(int i, int j) { return quadratic_.data() + offset(i, j); }
  const Element *at(int i, int j) const { return quadratic_.data() + offset(i, j); }
  // The m coefficients of x_i, and the m constants; of an affine map only.
  Element *linear_at(int i) { return linear_.data() + size_t(i) * size_t(m); }
  const Element *linear_at(int i) const { return linear_.data() + size_t(i) * size_t(m); }
  Element *constants() { return constant_.data(); }
  const Element *constants() const { return constant_.data(); }

  // Of polynomial k: x_i x_j (in any order), x_i, 1.
  Element coefficient(int k, int i, int j) const { return i <= j ? at(i, j)[k] : at(j, i)[k]; }
  Element linear(int k, int i) const { return affine ? linear_at(i)[k] : Element(0); }
  Element constant(int k) const { return affine ? constant_[size_t(k)] : Element(0); }
  const std::vector<Element> &quadratic_coefficients() const { return quadratic_; }
  std::vector<Element> &quadratic_coefficients() { return quadratic_; }

  // P(x).
  Vector evaluate(const Vector &x) const {
    Vector y(static_cast<size_t>(m)), inner(static_cast<size_t>(m));
    for (int i = 0; i < n; i++) {  // x_i (linear_i + sum of x_j over j >= i)
      if (x[size_t(i)] == 0) continue;
      inner.assign(size_t(m), 0);
      if (affine) F::add_scaled(inner.data(), 1, linear_at(i), size_t(m));
      for (int j = i; j < n; j++) F::add_scaled(inner.data(), x[size_t(j)], at(i, j), size_t(m));
      F::add_scaled(y.data(), x[size_t(i)], inner.data(), size_t(m));
    }
    if (affine) F::add_scaled(y.data(), 1, constants(), size_t(m));
    return y;
  }
  // The polar form P(x + y) - P(x) - P(y) + P(0), linear in x and in y.
  Vector polar(const Vector &x, const Vector &y) const {
    Vector z(static_cast<size_t>(m));
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++) {
        const Element c = F::add(F::mul(x[size_t(i)], y[size_t(j)]), F::mul(x[size_t(j)], y[size_t(i)]));
        F::add_scaled(z.data(), c, at(i, j), size_t(m));
      }
    return z;
  }
  // The quadratic part with T x for x: T has n rows and as many columns as there are new variables.  Made for sparse and for unit upper
  // triangular T: what is zero costs next to nothing.
  QuadraticMap compose(const field::Matrix<F> &T) const {
    const int c = T.cols;
    QuadraticMap result(c, m);
    Vector row(size_t(c) * size_t(m));
    for (int i = 0; i < n; i++) {
      // Row i of Q T, then its multiples T[i][k] into row k of the result, folded to the upper triangle.
      row.assign(row.size(), 0);
      int first = c;
      for (int k = i; k < n; k++)
        for (int j = 0; j < c; j++) {
          if (T.at(k, j) == 0) continue;
          F::add_scaled(row.data() + size_t(j) * size_t(m), T.at(k, j), at(i, k), size_t(m));
          if (j < first) first = j;
        }
      for (int k = 0; k < c; k++) {
        const Element t = T.at(i, k);
        if (t == 0) continue;
        for (int j = first; j < k; j++) F::add_scaled(result.at(j, k), t, row.data() + size_t(j) * size_t(m), size_t(m));
        const int from = first > k ? first : k;
        if (from < c) F::add_scaled(result.at(k, from), t, row.data() + size_t(from) * size_t(m), size_t(c - from) * size_t(m));
      }
    }
    return result;
  }

 private:
  size_t offset(int i, int j) const {
    return (size_t(i) * size_t(2 * n - i + 1) / 2 + size_t(j - i)) * size_t(m);
  }
  std::vector<Element> quadratic_, linear_, constant_;
};

}  // namespace museum
