// SPDX-License-Identifier: Apache-2.0
// From one vector of the oil space to all of it, and from there to signatures.
#pragma once
#include <optional>
#include "museum/algebra/forms.hpp"
#include "museum/schemes/quadratic_map.hpp"

namespace museum::attacks {

using namespace museum::algebra;

// A scheme's public map; its quadratic part is all there is in the schemes attacked here.
template <class F> Forms<F> forms_of(const QuadraticMap<F> &map) {
  Forms<F> P(map.n);
  for (size_t k = 0; k < map.m; k++) {
    Matrix<F> U(map.n, map.n);
    for (size_t i = 0; i < map.n; i++)
      for (size_t j = i; j < map.n; j++) U(i, j) = map.at(i, j)[k];
    P.add(std::move(U));
  }
  return P;
}

// The oil space, of dimension o, that contains x: rows a basis in echelon form; nothing if there is none, or if it is too small
// for this.  All of it is orthogonal to x under every polar form, so it lies in J = {y : P'(x, y) = 0}, of dimension n - m or
// little more.  There a polar form has rank 2 (dim J - o) at most, so that it has a kernel, which lies in the oil space and holds
// more than x if dim J < 2 o - 1; a few kernels span it.
// P. Pebereau, "One vector to rule them all: Key recovery from one vector in UOV schemes", PQCrypto 2024, ePrint 2023/1131.
template <class F> std::optional<Matrix<F>> oil_space_of(const Forms<F> &P, const Vector<F> &x, size_t o) {
  if (is_zero<F>(x) || !P.vanishes_at(x)) return std::nullopt;
  const Matrix<F> J = kernel(P.polar_at(x));
  Matrix<F> oil(0, P.n());
  oil.append_row(x);
  if (J.rows() == o) oil = row_space(J);
  for (size_t k = 0; k < P.m() && oil.rows() < o; k++) {
    const Matrix<F> inside = kernel(J * P.polar(k) * transpose(J)) * J;
    if (inside.rows() > o || !P.vanishes_on(inside)) continue;  // more than what is certain lies in this kernel
    oil = row_space(stack(std::move(oil), inside));
  }
  if (oil.rows() != o || !P.vanishes_on(oil)) return std::nullopt;
  return row_space(oil);
}

// Form 0's polar matrix in the coordinates of a basis that begins with `oil`: the picture of a recovered key.
template <class F> Matrix<F> polar_in_recovered_basis(const Forms<F> &P, const Matrix<F> &oil, size_t k = 0) {
  const Matrix<F> basis = stack(oil, complement(oil));
  return basis * P.polar(k) * transpose(basis);
}

}  // namespace museum::attacks
