// SPDX-License-Identifier: Apache-2.0
// m quadratic polynomials in n variables: the public and the central maps of every scheme here.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "museum/algebra/matrix.hpp"

namespace museum {

using algebra::Matrix;
using algebra::Vector;

template <class F> class QuadraticMap {
 public:
  using Element = typename F::Element;

  QuadraticMap() = default;
  // Zero; `affine`: has linear and constant terms besides.
  QuadraticMap(size_t n_, size_t m_, bool affine_ = false)
      : n(n_),
        m(m_),
        affine(affine_),
        quadratic_(n_ * (n_ + 1) / 2 * m_),
        linear_(affine_ ? n_ * m_ : 0),
        constants_(affine_ ? m_ : 0) {}

  size_t n = 0, m = 0;  // variables, polynomials
  bool affine = false;

  // The m coefficients of x_i x_j, i <= j < n.  Those of one i lie one after the other, j rising, as do the i.
  Element *at(size_t i, size_t j) { return quadratic_.data() + offset(i, j); }
  const Element *at(size_t i, size_t j) const { return quadratic_.data() + offset(i, j); }
  // The m coefficients of x_i, and the m constants; of an affine map only.
  Element *linear_at(size_t i) { return linear_.data() + i * m; }
  const Element *linear_at(size_t i) const { return linear_.data() + i * m; }
  Element *constants() { return constants_.data(); }
  const Element *constants() const { return constants_.data(); }
  Vector<F> &quadratic_coefficients() { return quadratic_; }
  const Vector<F> &quadratic_coefficients() const { return quadratic_; }
  Vector<F> &linear_coefficients() { return linear_; }
  const Vector<F> &linear_coefficients() const { return linear_; }

  // Of polynomial k: x_i x_j (in any order), x_i, 1.
  Element coefficient(size_t k, size_t i, size_t j) const { return i <= j ? at(i, j)[k] : at(j, i)[k]; }
  Element linear(size_t k, size_t i) const { return affine ? linear_at(i)[k] : Element(0); }
  Element constant(size_t k) const { return affine ? constants_[k] : Element(0); }
  // The quadratic part of polynomial k as an upper triangular matrix.
  Matrix<F> upper(size_t k) const {
    Matrix<F> A(n, n);
    for (size_t i = 0; i < n; i++)
      for (size_t j = i; j < n; j++) A(i, j) = at(i, j)[k];
    return A;
  }

  // P(x).
  Vector<F> evaluate(const Vector<F> &x) const {
    Vector<F> y(m), inner(m);
    for (size_t i = 0; i < n; i++) {  // x_i (linear_i + sum of x_j over j >= i)
      if (x[i] == 0) continue;
      inner.assign(m, 0);
      if (affine) F::add_scaled(inner.data(), 1, linear_at(i), m);
      for (size_t j = i; j < n; j++) F::add_scaled(inner.data(), x[j], at(i, j), m);
      F::add_scaled(y.data(), x[i], inner.data(), m);
    }
    if (affine) F::add_scaled(y.data(), 1, constants(), m);
    return y;
  }
  // The polar form P(x + y) - P(x) - P(y) + P(0), linear in x and in y.
  Vector<F> polar(const Vector<F> &x, const Vector<F> &y) const {
    Vector<F> z(m);
    for (size_t i = 0; i < n; i++)
      for (size_t j = i; j < n; j++) F::add_scaled(z.data(), F::add(F::mul(x[i], y[j]), F::mul(x[j], y[i])), at(i, j), m);
    return z;
  }
  // The quadratic part with T x for x: T has n rows and a column for each new variable.  Zeros of T cost next to nothing.
  QuadraticMap compose(const Matrix<F> &T) const {
    const size_t c = T.cols();
    QuadraticMap result(c, m);
    Vector<F> row(c * m);
    for (size_t i = 0; i < n; i++) {
      // Row i of Q T, then T(i, k) times that into row k of the result, folded to the upper triangle.
      row.assign(row.size(), 0);
      size_t first = c;  // column with an entry
      for (size_t k = i; k < n; k++)
        for (size_t j = 0; j < c; j++)
          if (T(k, j) != 0) {
            F::add_scaled(&row[j * m], T(k, j), at(i, k), m);
            first = std::min(first, j);
          }
      for (size_t k = 0; k < c && first < c; k++) {
        if (T(i, k) == 0) continue;
        for (size_t j = first; j < k; j++) F::add_scaled(result.at(j, k), T(i, k), &row[j * m], m);
        const size_t from = std::max(first, k);
        F::add_scaled(result.at(k, from), T(i, k), &row[from * m], (c - from) * m);
      }
    }
    return result;
  }

 private:
  size_t offset(size_t i, size_t j) const { return (i * (2 * n - i + 1) / 2 + (j - i)) * m; }
  Vector<F> quadratic_, linear_, constants_;
};

}  // namespace museum
