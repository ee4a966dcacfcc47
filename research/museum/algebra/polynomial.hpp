// SPDX-License-Identifier: Apache-2.0
// Characteristic polynomials of dense matrices, and roots of polynomials in small fields.
#pragma once
#include "museum/algebra/matrix.hpp"

namespace museum::algebra {

// A polynomial in one variable: element i is the coefficient of x^i.
template <class F> using Polynomial = std::vector<typename F::Element>;

template <class F> typename F::Element evaluate(const Polynomial<F> &p, typename F::Element x) {
  typename F::Element y = 0;
  for (size_t i = p.size(); i-- > 0;) y = F::add(F::mul(y, x), p[i]);
  return y;
}

// All roots in F, each once.  The field is small: every element is tried.
template <class F> Vector<F> roots(const Polynomial<F> &p) {
  Vector<F> found;
  for (int x = 0; x < F::q; x++)
    if (evaluate<F>(p, typename F::Element(x)) == 0) found.push_back(typename F::Element(x));
  return found;
}

// det(x I - A), by a similar matrix in Hessenberg form (H. Cohen, A Course in Computational Algebraic Number Theory, 2.2.4); n^3
// operations.
template <class F> Polynomial<F> characteristic_polynomial(Matrix<F> H) {
  using E = typename F::Element;
  const size_t n = H.rows();
  for (size_t m = 1; m + 1 < n; m++) {
    size_t p = m;
    while (p < n && H(p, m - 1) == 0) p++;
    if (p == n) continue;
    if (p != m) {
      H.swap_rows(p, m);
      for (size_t i = 0; i < n; i++) std::swap(H(i, p), H(i, m));
    }
    // Row i -= u_i row m for all i > m, then the inverse of all that on the columns at once: column m += sum of u_i column i.
    const E inverse = F::inv(H(m, m - 1));
    Vector<F> u(n, 0);
    for (size_t i = m + 1; i < n; i++) {
      u[i] = F::mul(H(i, m - 1), inverse);
      if (u[i] != 0) H.add_row(i, F::neg(u[i]), m, m - 1);
    }
    for (size_t r = 0; r < n; r++) H(r, m) = F::add(H(r, m), dot<F>(u, H.row(r)));
  }
  std::vector<Polynomial<F>> p(n + 1);
  p[0] = {1};
  for (size_t k = 1; k <= n; k++) {
    p[k].assign(k + 1, 0);
    for (size_t i = 0; i < k; i++) p[k][i + 1] = p[k - 1][i];
    F::add_scaled(p[k].data(), F::neg(H(k - 1, k - 1)), p[k - 1].data(), k);
    E t = 1;
    for (size_t i = 1; i < k; i++) {
      t = F::mul(t, H(k - i, k - i - 1));
      F::add_scaled(p[k].data(), F::neg(F::mul(t, H(k - i - 1, k - 1))), p[k - i - 1].data(), k - i);
    }
  }
  return p[n];
}

}  // namespace museum::algebra
