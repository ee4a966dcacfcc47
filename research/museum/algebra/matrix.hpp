// SPDX-License-Identifier: Apache-2.0
// Dense matrices over a field of at most 256 elements (research/museum/field), and what elimination gives.  A vector is a
// std::vector of elements.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace museum::algebra {

template <class F> using Vector = std::vector<typename F::Element>;

template <class F> class Matrix {
 public:
  using E = typename F::Element;
  Matrix() = default;
  Matrix(size_t rows, size_t cols) : rows_(rows), cols_(cols), entries_(rows * cols, 0) {}
  static Matrix identity(size_t n) {
    Matrix I(n, n);
    for (size_t i = 0; i < n; i++) I(i, i) = 1;
    return I;
  }
  static Matrix from_rows(const std::vector<Vector<F>> &rows, size_t cols) {
    Matrix M(0, cols);
    for (const auto &row : rows) M.append_row(row);
    return M;
  }

  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  E &operator()(size_t i, size_t j) { return entries_[i * cols_ + j]; }
  E operator()(size_t i, size_t j) const { return entries_[i * cols_ + j]; }
  E *row(size_t i) { return entries_.data() + i * cols_; }
  const E *row(size_t i) const { return entries_.data() + i * cols_; }
  Vector<F> row_vector(size_t i) const { return Vector<F>(row(i), row(i) + cols_); }
  bool operator==(const Matrix &) const = default;

  void append_row(const Vector<F> &v) {
    entries_.insert(entries_.end(), v.begin(), v.begin() + std::ptrdiff_t(cols_));
    rows_++;
  }
  void swap_rows(size_t i, size_t j) {
    if (i != j) std::swap_ranges(row(i), row(i) + cols_, row(j));
  }
  // Row i += a * row j, from column `from` on.
  void add_row(size_t i, E a, size_t j, size_t from = 0) { F::add_scaled(row(i) + from, a, row(j) + from, cols_ - from); }
  void scale_row(size_t i, E a) {
    for (size_t j = 0; j < cols_; j++) (*this)(i, j) = F::mul(a, (*this)(i, j));
  }

 private:
  size_t rows_ = 0, cols_ = 0;
  std::vector<E> entries_;
};

template <class F> Matrix<F> transpose(const Matrix<F> &A) {
  Matrix<F> T(A.cols(), A.rows());
  for (size_t i = 0; i < A.rows(); i++)
    for (size_t j = 0; j < A.cols(); j++) T(j, i) = A(i, j);
  return T;
}

template <class F> Matrix<F> operator*(const Matrix<F> &A, const Matrix<F> &B) {
  Matrix<F> C(A.rows(), B.cols());
  for (size_t i = 0; i < A.rows(); i++)
    for (size_t k = 0; k < A.cols(); k++) F::add_scaled(C.row(i), A(i, k), B.row(k), B.cols());
  return C;
}

template <class F> Matrix<F> operator+(Matrix<F> A, const Matrix<F> &B) {
  for (size_t i = 0; i < A.rows(); i++) F::add_scaled(A.row(i), 1, B.row(i), B.cols());
  return A;
}

// x A, the combination of the rows of A with coefficients x.
template <class F> Vector<F> combine_rows(const Vector<F> &x, const Matrix<F> &A) {
  Vector<F> y(A.cols(), 0);
  for (size_t i = 0; i < A.rows(); i++) F::add_scaled(y.data(), x[i], A.row(i), A.cols());
  return y;
}

template <class F> typename F::Element dot(const Vector<F> &x, const typename F::Element *y) {
  typename F::Element s = 0;
  for (size_t i = 0; i < x.size(); i++) s = F::add(s, F::mul(x[i], y[i]));
  return s;
}

// A x.
template <class F> Vector<F> apply(const Matrix<F> &A, const Vector<F> &x) {
  Vector<F> y(A.rows());
  for (size_t i = 0; i < A.rows(); i++) y[i] = dot<F>(x, A.row(i));
  return y;
}

template <class F> bool is_zero(const Vector<F> &x) {
  return std::all_of(x.begin(), x.end(), [](auto e) { return e == 0; });
}

// Brings A to reduced echelon form in place, looking for pivots in the first `pivot_cols` columns only; returns the pivot
// columns.
template <class F> std::vector<size_t> row_reduce(Matrix<F> &A, size_t pivot_cols) {
  std::vector<size_t> pivots;
  for (size_t c = 0; c < pivot_cols && pivots.size() < A.rows(); c++) {
    const size_t r = pivots.size();
    size_t p = r;
    while (p < A.rows() && A(p, c) == 0) p++;
    if (p == A.rows()) continue;
    A.swap_rows(r, p);
    A.scale_row(r, F::inv(A(r, c)));
    for (size_t i = 0; i < A.rows(); i++)
      if (i != r && A(i, c) != 0) A.add_row(i, F::neg(A(i, c)), r, c);
    pivots.push_back(c);
  }
  return pivots;
}
template <class F> std::vector<size_t> row_reduce(Matrix<F> &A) { return row_reduce(A, A.cols()); }

// Rows: a basis of the space that the rows of A span, in reduced echelon form: equal spaces have equal bases.
template <class F> Matrix<F> row_space(Matrix<F> A) {
  const size_t rank = row_reduce(A).size();
  Matrix<F> B(rank, A.cols());
  for (size_t i = 0; i < rank; i++) std::copy(A.row(i), A.row(i) + A.cols(), B.row(i));
  return B;
}
template <class F> size_t rank(Matrix<F> A) { return row_reduce(A).size(); }

// Rows: a basis of {x : A x = 0}.
template <class F> Matrix<F> kernel(Matrix<F> A) {
  const std::vector<size_t> pivots = row_reduce(A);
  const size_t n = A.cols();
  Matrix<F> K(n - pivots.size(), n);
  size_t k = 0, next = 0;
  for (size_t c = 0; c < n; c++) {
    if (next < pivots.size() && pivots[next] == c) {
      next++;
      continue;
    }
    K(k, c) = 1;
    for (size_t i = 0; i < pivots.size(); i++) K(k, pivots[i]) = F::neg(A(i, c));
    k++;
  }
  return K;
}

// Some x with A x = b (free unknowns zero), if there is one.
template <class F> std::optional<Vector<F>> solve(const Matrix<F> &A, const Vector<F> &b) {
  Matrix<F> M(A.rows(), A.cols() + 1);
  for (size_t i = 0; i < A.rows(); i++) {
    std::copy(A.row(i), A.row(i) + A.cols(), M.row(i));
    M(i, A.cols()) = b[i];
  }
  const auto pivots = row_reduce(M, A.cols());
  for (size_t i = pivots.size(); i < A.rows(); i++)
    if (M(i, A.cols()) != 0) return std::nullopt;
  Vector<F> x(A.cols(), 0);
  for (size_t i = 0; i < pivots.size(); i++) x[pivots[i]] = M(i, A.cols());
  return x;
}

// The x with A x = b for a square A; nothing if A is singular, whatever b is.
template <class F> std::optional<Vector<F>> unique_solution(const Matrix<F> &A, const Vector<F> &b) {
  Matrix<F> M(A.rows(), A.cols() + 1);
  for (size_t i = 0; i < A.rows(); i++) {
    std::copy(A.row(i), A.row(i) + A.cols(), M.row(i));
    M(i, A.cols()) = b[i];
  }
  if (row_reduce(M, A.cols()).size() < A.cols()) return std::nullopt;
  Vector<F> x(A.cols());
  for (size_t i = 0; i < x.size(); i++) x[i] = M(i, A.cols());
  return x;
}

template <class F> std::optional<Matrix<F>> inverse(const Matrix<F> &A) {
  const size_t n = A.rows();
  Matrix<F> M(n, 2 * n);
  for (size_t i = 0; i < n; i++) {
    std::copy(A.row(i), A.row(i) + n, M.row(i));
    M(i, n + i) = 1;
  }
  if (row_reduce(M, n).size() < n) return std::nullopt;
  Matrix<F> B(n, n);
  for (size_t i = 0; i < n; i++) std::copy(M.row(i) + n, M.row(i) + 2 * n, B.row(i));
  return B;
}

// Rows of A and of B together.
template <class F> Matrix<F> stack(Matrix<F> A, const Matrix<F> &B) {
  for (size_t i = 0; i < B.rows(); i++) A.append_row(B.row_vector(i));
  return A;
}

// Unit vectors that together with the rows of A (independent) make a basis of the whole space: a complement of A's row space.
template <class F> Matrix<F> complement(const Matrix<F> &A) {
  Matrix<F> R = A, C(0, A.cols());
  const auto pivots = row_reduce(R);
  for (size_t c = 0; c < A.cols(); c++)
    if (!std::binary_search(pivots.begin(), pivots.end(), c)) {
      Vector<F> e(A.cols(), 0);
      e[c] = 1;
      C.append_row(e);
    }
  return C;
}

}  // namespace museum::algebra
