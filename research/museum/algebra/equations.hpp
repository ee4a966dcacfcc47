// SPDX-License-Identifier: Apache-2.0
// Homogeneous linear equations, gathered one by one: Equations<F>.
#pragma once
#include <type_traits>
#include "museum/algebra/bit_matrix.hpp"

namespace museum::algebra {

template <class F> class DenseEquations {
 public:
  explicit DenseEquations(size_t unknowns) : zero_(unknowns), A_(0, unknowns) {}
  size_t rows() const { return A_.rows(); }
  void add_row() { A_.append_row(zero_); }
  // To the coefficient of unknown c in the last equation.
  void add(size_t c, typename F::Element e) { A_(A_.rows() - 1, c) = F::add(A_(A_.rows() - 1, c), e); }
  // Rows: a basis of the solutions.  Destroys the equations.
  Matrix<F> kernel() { return algebra::kernel(std::move(A_)); }

 private:
  Vector<F> zero_;
  Matrix<F> A_;
};

template <class F> using Equations = std::conditional_t<std::is_same_v<F, field::Gf2>, BitMatrix, DenseEquations<F>>;

}  // namespace museum::algebra
