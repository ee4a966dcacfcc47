// SPDX-License-Identifier: Apache-2.0
// Kipnis and Shamir: oil vectors as eigenvectors.
//   A. Kipnis, A. Shamir, "Cryptanalysis of the oil & vinegar signature scheme", CRYPTO 1998            v = o: polynomial time
//   A. Kipnis, J. Patarin, L. Goubin, "Unbalanced Oil and Vinegar Signature Schemes", EUROCRYPT 1999    v > o: about q^(v - o)
//   as much
//
// Polar forms send the oil space O into its annihilator, of dimension v.  If v = o, A^-1 B sends O to itself for any two of them,
// so half of its characteristic polynomial, which is a square, belongs to O: an eigenvalue has an eigenvector in O.  If v > o
// this is an accident of probability about q^(o - v); one tries until it happens.
#pragma once
#include "museum/algebra/polynomial.hpp"
#include "museum/attacks/oil_space.hpp"

namespace museum::attacks {

template <class F> struct KipnisShamir {
  std::optional<Matrix<F>> oil;
  size_t pencils = 0;     // pairs (A, B) tried
  size_t candidates = 0;  // lines on which P was evaluated
};

template <class F> Matrix<F> random_polar(const Forms<F> &P, Random &rng) {
  Matrix<F> A(P.n(), P.n());
  for (size_t k = 0; k < P.m(); k++) {
    const auto a = random_element<F>(rng);
    for (size_t i = 0; i < P.n(); i++) F::add_scaled(A.row(i), a, P.upper(k).row(i), P.n());
  }
  return A + transpose(A);
}

// Calls test(x) for one x on each line of the space that the rows of B span, until it says true.
template <class F, class Test> bool any_line(const Matrix<F> &B, Test test) {
  const size_t d = B.rows();
  for (size_t lead = 0; lead < d; lead++) {  // coefficient 1 at `lead`, zero before, all of F behind
    Vector<F> c(d, 0);
    c[lead] = 1;
    for (;;) {
      if (test(combine_rows(c, B))) return true;
      size_t i = lead + 1;
      while (i < d && c[i] == F::q - 1) c[i++] = 0;
      if (i >= d) break;
      c[i]++;
    }
  }
  return false;
}

// Tries `most` pencils A, B of polar forms.  Gives up if no form is invertible, as with v < o.
template <class F> KipnisShamir<F> kipnis_shamir(const Forms<F> &P, size_t o, size_t most, Random &rng) {
  KipnisShamir<F> result;
  const size_t n = P.n();
  const auto test = [&](const Matrix<F> &space) {
    return space.rows() <= 3 && any_line<F>(space, [&](const Vector<F> &x) {
             result.candidates++;
             if (!P.vanishes_at(x)) return false;
             result.oil = oil_space_of(P, x, o);
             return result.oil.has_value();
           });
  };
  int singular = 0;  // in a row
  while (result.pencils < most && singular < 100) {
    const Matrix<F> A = random_polar(P, rng), B = random_polar(P, rng);
    const auto shifted = [&](const Matrix<F> &M, const Matrix<F> &S, int x) {  // M - x S
      Matrix<F> D = M;
      for (size_t i = 0; i < n; i++) F::add_scaled(D.row(i), F::neg(typename F::Element(x)), S.row(i), n);
      return D;
    };
    if (F::characteristic == 2 && n % 2 == 1) {
      // An alternating form in an odd number of variables is never invertible: each B - x A has a kernel.
      result.pencils++;
      for (int x = 0; x < F::q; x++)
        if (test(kernel(shifted(B, A, x)))) return result;
    } else {
      const auto inverted = inverse(A);
      if (!inverted) {
        singular++;
        continue;
      }
      singular = 0;
      result.pencils++;
      const Matrix<F> M = *inverted * B;
      for (auto x : roots<F>(characteristic_polynomial(M)))
        if (test(kernel(shifted(M, Matrix<F>::identity(n), x)))) return result;
    }
  }
  return result;
}

}  // namespace museum::attacks
