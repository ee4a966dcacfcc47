// SPDX-License-Identifier: Apache-2.0
// XL: a zero of a system of quadratic forms, by linear algebra on all multiples of a degree (N. Courtois, A. Klimov, J.
// Patarin, A. Shamir, Efficient Algorithms for Solving Overdefined Systems of Multivariate Polynomial Equations, EUROCRYPT
// 2000).
//
// The forms are homogeneous in N variables; an affine system is one with the last variable in place of 1.  Columns of the
// Macaulay matrix are the monomials of degree D, rows the forms times all monomials of degree D - 2.  If the system has one zero
// up to scaling, and D is large enough, its kernel is the vector of all monomials at that zero.  Dense: elimination.  Sparse:
// block Wiedemann.
#pragma once
#include "museum/algebra/sparse.hpp"

namespace museum::algebra {

// Row k: the coefficients of form k, of x_i x_j with i <= j at pair_index(i, j, N).
inline size_t pair_index(size_t i, size_t j, size_t N) { return i * N - i * (i + 1) / 2 + j; }
inline size_t pair_count(size_t N) { return N * (N + 1) / 2; }

enum class Outcome { none, unique, ambiguous };

template <class F> struct XlResult {
  Outcome outcome = Outcome::ambiguous;
  Vector<F> point;  // if unique: its last nonzero coordinate is 1
  size_t columns = 0, rows = 0, rank = 0;
};

// The least degree at which the series (1 - t^2)^m / (1 - t)^N has a coefficient that is not positive: where XL solves a random
// system.
inline int xl_degree(int N, int m, int highest = 12) {
  std::vector<double> c(size_t(highest + 1), 0);
  c[0] = 1;
  for (int i = 0; i < m; i++)
    for (size_t d = c.size(); d-- > 2;) c[d] -= c[d - 2];
  for (int i = 0; i < N; i++)
    for (size_t d = 1; d < c.size(); d++) c[d] += c[d - 1];
  for (int d = 2; d <= highest; d++)
    if (c[size_t(d)] <= 0) return d;
  return -1;
}

template <class F> class Xl {
 public:
  // For systems in N variables, at degree D >= 2: numbers the monomials once, for any number of systems.
  Xl(size_t N, size_t D) : N_(N), D_(D), binomial_(N + D + 1, std::vector<size_t>(D + 2, 0)) {
    for (size_t a = 0; a < binomial_.size(); a++) {
      binomial_[a][0] = 1;
      for (size_t b = 1; b <= D + 1 && a > 0; b++) binomial_[a][b] = binomial_[a - 1][b - 1] + binomial_[a - 1][b];
    }
    columns_ = binomial_[N + D - 1][D];
    std::vector<size_t> monomial;
    list(monomial, 0, D - 2);
  }
  size_t columns() const { return columns_; }
  size_t multipliers() const { return table_.size(); }

  XlResult<F> solve_dense(const Matrix<F> &forms, Random &rng) const {
    XlResult<F> result{Outcome::ambiguous, {}, columns_, forms.rows() * table_.size(), 0};
    std::vector<Vector<F>> pivot(columns_);
    std::vector<size_t> order(result.rows);
    std::iota(order.begin(), order.end(), size_t(0));
    std::shuffle(order.begin(), order.end(), rng);
    size_t idle = 0;  // rows in a row that brought nothing, once one dimension is left
    for (size_t index : order) {
      Vector<F> row(columns_, 0);
      const auto &columns = table_[index / forms.rows()];
      const auto *form = forms.row(index % forms.rows());
      for (size_t t = 0; t < columns.size(); t++) row[columns[t]] = F::add(row[columns[t]], form[t]);
      if (reduce(row, pivot)) {
        if (++result.rank == columns_) {
          result.outcome = Outcome::none;
          return result;
        }
      } else if (result.rank == columns_ - 1 && ++idle == 8) {
        break;
      }
    }
    if (result.rank == columns_ - 1) {
      Vector<F> w(columns_, 0);  // the one free column is 1; backwards through the pivots
      for (size_t c = columns_; c-- > 0;)
        if (pivot[c].empty()) {
          w[c] = 1;
        } else {
          auto s = typename F::Element(0);
          for (size_t d = c + 1; d < columns_; d++) s = F::add(s, F::mul(pivot[c][d], w[d]));
          w[c] = F::neg(s);
        }
      read_point(result, w, forms);
    }
    return result;
  }

  SparseMatrix<F> macaulay(const Matrix<F> &forms) const {
    SparseMatrix<F> A{columns_, {}};
    for (const auto &columns : table_)
      for (size_t k = 0; k < forms.rows(); k++) {
        SparseRow<F> row;
        for (size_t t = 0; t < columns.size(); t++) row.add(columns[t], forms(k, t));
        A.rows.push_back(row);
      }
    return A;
  }

  XlResult<F> solve_sparse(const Matrix<F> &forms, Random &rng) const {
    XlResult<F> result{Outcome::none, {}, columns_, forms.rows() * table_.size(), 0};
    const Matrix<F> kernel = block_wiedemann(macaulay(forms), 2, rng);
    if (kernel.rows() == 1) read_point(result, kernel.row_vector(0), forms);
    if (kernel.rows() > 1) result.outcome = Outcome::ambiguous;
    return result;
  }

 private:
  // Position of a monomial among those of degree D, given its variables in ascending order: the combinatorial number system.
  size_t index_of(const std::vector<size_t> &ascending) const {
    size_t index = 0;
    for (size_t k = 0; k < ascending.size(); k++) index += binomial_[ascending[k] + k][k + 1];
    return index;
  }
  void list(std::vector<size_t> &monomial, size_t from, size_t left) {
    if (left > 0) {
      for (size_t v = from; v < N_; v++) {
        monomial.push_back(v);
        list(monomial, v, left - 1);
        monomial.pop_back();
      }
      return;
    }
    std::vector<uint32_t> columns;
    for (size_t i = 0; i < N_; i++)
      for (size_t j = i; j < N_; j++) {
        std::vector<size_t> product = monomial;
        product.insert(std::upper_bound(product.begin(), product.end(), i), i);
        product.insert(std::upper_bound(product.begin(), product.end(), j), j);
        columns.push_back(uint32_t(index_of(product)));
      }
    table_.push_back(columns);
  }
  // Subtracts pivots from the row; true if something was left, which is then a pivot itself.
  bool reduce(Vector<F> &row, std::vector<Vector<F>> &pivot) const {
    for (size_t c = 0; c < columns_; c++) {
      if (row[c] == 0) continue;
      if (pivot[c].empty()) {
        const auto inverse = F::inv(row[c]);
        for (size_t d = c; d < columns_; d++) row[d] = F::mul(inverse, row[d]);
        pivot[c] = row;
        return true;
      }
      F::add_scaled(row.data() + c, F::neg(row[c]), pivot[c].data() + c, columns_ - c);
    }
    return false;
  }
  // x_i from the monomials x_j^(D-1) x_i; then every form must vanish there.
  void read_point(XlResult<F> &result, const Vector<F> &w, const Matrix<F> &forms) const {
    result.outcome = Outcome::none;
    for (size_t j = N_; j-- > 0;) {
      std::vector<size_t> power(D_, j);
      const auto scale = w[index_of(power)];
      if (scale == 0) continue;
      Vector<F> x(N_);
      for (size_t i = 0; i < N_; i++) {
        std::vector<size_t> monomial(D_ - 1, j);
        monomial.insert(std::upper_bound(monomial.begin(), monomial.end(), i), i);
        x[i] = F::mul(w[index_of(monomial)], F::inv(scale));
      }
      Vector<F> products;
      for (size_t a = 0; a < N_; a++)
        for (size_t b = a; b < N_; b++) products.push_back(F::mul(x[a], x[b]));
      if (is_zero<F>(algebra::apply(forms, products))) result.outcome = Outcome::unique, result.point = x;
      return;
    }
  }

  size_t N_, D_, columns_ = 0;
  std::vector<std::vector<size_t>> binomial_;
  std::vector<std::vector<uint32_t>>
      table_;  // for each monomial of degree D - 2: the columns of its products with x_i x_j, i <= j
};

}  // namespace museum::algebra
