// SPDX-License-Identifier: Apache-2.0
// Sparse matrices, and a vector of their kernel by the block Wiedemann algorithm: only products of the matrix by a block of
// vectors, so that a matrix whose elimination would fill the memory needs no more than itself.
#pragma once
#include <numeric>
#include <random>
#include "museum/algebra/matrix.hpp"

namespace museum::algebra {

using Random = std::mt19937_64;  // seeded by the program: an attack runs the same way every time

template <class F> typename F::Element random_element(Random &rng) { return typename F::Element(rng() % F::q); }
template <class F> typename F::Element random_unit(Random &rng) { return typename F::Element(1 + rng() % (F::q - 1)); }
template <class F> Vector<F> random_vector(size_t n, Random &rng) {
  Vector<F> x(n);
  for (auto &e : x) e = random_element<F>(rng);
  return x;
}
template <class F> Matrix<F> random_matrix(size_t rows, size_t cols, Random &rng) {
  Matrix<F> A(rows, cols);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++) A(i, j) = random_element<F>(rng);
  return A;
}

template <class F> struct SparseRow {
  std::vector<uint32_t> column;
  Vector<F> value;
  void add(uint32_t c, typename F::Element a) {
    if (a != 0) column.push_back(c), value.push_back(a);
  }
};

template <class F> struct SparseMatrix {
  size_t cols = 0;
  std::vector<SparseRow<F>> rows;  // a column may occur twice in a row: the values add up

  // A X.
  Matrix<F> operator*(const Matrix<F> &X) const {
    Matrix<F> Y(rows.size(), X.cols());
    for (size_t i = 0; i < rows.size(); i++)
      for (size_t k = 0; k < rows[i].column.size(); k++)
        F::add_scaled(Y.row(i), rows[i].value[k], X.row(rows[i].column[k]), X.cols());
    return Y;
  }
  Matrix<F> dense() const {
    Matrix<F> A(rows.size(), cols);
    for (size_t i = 0; i < rows.size(); i++)
      for (size_t k = 0; k < rows[i].column.size(); k++) {
        auto &e = A(i, rows[i].column[k]);
        e = F::add(e, rows[i].value[k]);
      }
    return A;
  }
  size_t weight() const {
    return std::accumulate(rows.begin(), rows.end(), size_t(0), [](size_t s, const auto &r) { return s + r.column.size(); });
  }
  // A square matrix with (in all likelihood) the same kernel: cols rows chosen at random, each other one, times a unit, added to
  // one of them.
  SparseMatrix squared_off(Random &rng) const {
    SparseMatrix S{cols, std::vector<SparseRow<F>>(cols)};
    std::vector<size_t> order(rows.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::shuffle(order.begin(), order.end(), rng);
    for (size_t i = 0; i < order.size(); i++) {
      const SparseRow<F> &from = rows[order[i]];
      SparseRow<F> &to = S.rows[i < cols ? i : rng() % cols];
      const auto a = random_unit<F>(rng);
      for (size_t k = 0; k < from.column.size(); k++) to.add(from.column[k], F::mul(a, from.value[k]));
    }
    return S;
  }
};

// Rows p(x) = (u(x) | r(x)) of least degree with u T + r = 0 modulo x^(number of terms), T = sum of T_i x^i with matrices of n
// rows and m columns.  The basis of Beckermann and Labahn, one coefficient at a time; quadratic in the number of terms.
template <class F> class RelationBasis {
 public:
  explicit RelationBasis(const std::vector<Matrix<F>> &T)
      : T_(T), n_(T[0].rows()), m_(T[0].cols()), all_(n_ + m_), row_(all_), degree_(all_) {
    for (size_t i = 0; i < all_; i++) {
      degree_[i] = i < n_ ? 0 : 1;  // r stays below u in degree
      row_[i].assign(all_, 0);
      row_[i][i] = 1;
    }
    for (size_t k = 0; k < T.size(); k++) step(k);
  }
  size_t rows() const { return all_; }
  size_t degree(size_t i) const { return degree_[i]; }
  // The coefficients u_0 .. u_degree of row i, each with n elements.
  std::vector<Vector<F>> u(size_t i) const {
    std::vector<Vector<F>> coefficients;
    for (size_t j = 0; j <= degree_[i]; j++) {
      Vector<F> c(n_, 0);
      if ((j + 1) * all_ <= row_[i].size()) std::copy_n(row_[i].begin() + std::ptrdiff_t(j * all_), n_, c.begin());
      coefficients.push_back(c);
    }
    return coefficients;
  }

 private:
  void step(size_t k) {
    Matrix<F> residue(all_, m_);  // the coefficient of x^k in u T + r
    for (size_t i = 0; i < all_; i++) {
      const Vector<F> &p = row_[i];
      for (size_t j = 0; j * all_ < p.size() && j <= k; j++)
        for (size_t c = 0; c < n_; c++) F::add_scaled(residue.row(i), p[j * all_ + c], T_[k - j].row(c), m_);
      if ((k + 1) * all_ <= p.size()) F::add_scaled(residue.row(i), 1, &p[k * all_ + n_], m_);
    }
    std::vector<size_t> order(all_), pivot_of(m_, all_);
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return degree_[a] < degree_[b]; });
    for (size_t i : order)
      for (size_t c = 0; c < m_; c++) {
        if (residue(i, c) == 0) continue;
        const size_t p = pivot_of[c];
        if (p == all_) {
          pivot_of[c] = i;
          break;
        }
        const auto a = F::neg(F::mul(residue(i, c), F::inv(residue(p, c))));
        residue.add_row(i, a, p);
        if (row_[i].size() < row_[p].size()) row_[i].resize(row_[p].size(), 0);
        F::add_scaled(row_[i].data(), a, row_[p].data(), row_[p].size());
      }
    for (size_t p : pivot_of)
      if (p != all_) {
        row_[p].insert(row_[p].begin(), all_, 0);
        degree_[p]++;
      }
  }

  const std::vector<Matrix<F>> &T_;
  const size_t n_, m_, all_;
  std::vector<Vector<F>> row_;  // of each row the coefficients one after the other, n + m elements each
  std::vector<size_t> degree_;
};

template <class F> std::vector<Vector<F>> first_rows(const Matrix<F> &A, size_t count) {
  std::vector<Vector<F>> rows;
  for (size_t i = 0; i < count; i++) rows.push_back(A.row_vector(i));
  return rows;
}

// Rows: vectors of the kernel of A, independent, `wanted` of them at most; none if A is (in all likelihood) injective.  A has at
// least as many rows as columns.  D. Coppersmith, Solving homogeneous linear equations over GF(2) via block Wiedemann algorithm,
// 1994.
template <class F> Matrix<F> block_wiedemann(const SparseMatrix<F> &tall, size_t wanted, Random &rng, size_t block = 32) {
  const SparseMatrix<F> A = tall.squared_off(rng);
  const size_t N = A.cols, terms = 2 * ((N + block - 1) / block) + 4;
  const Matrix<F> X = random_matrix<F>(block, N, rng), Z = random_matrix<F>(N, block, rng);
  std::vector<Matrix<F>> T;  // (X A^(i+1) Z)^T
  Matrix<F> Y = Z;
  for (size_t i = 0; i < terms; i++) {
    Y = A * Y;
    T.push_back(transpose(X * Y));
  }
  const RelationBasis<F> basis(T);

  // Row (u | r) of degree d: X A^s (A w) = 0 for all s <= terms - 1 - d, where w = sum of A^(d-j) Z u_j.  All rows of low degree
  // at once.
  std::vector<size_t> low;
  for (size_t i = 0; i < basis.rows(); i++)
    if (basis.degree(i) <= terms / 2) low.push_back(i);
  std::sort(low.begin(), low.end(), [&](size_t a, size_t b) { return basis.degree(a) < basis.degree(b); });
  if (low.size() > wanted + 4) low.resize(wanted + 4);
  Matrix<F> found(0, N);
  if (low.empty()) return found;
  size_t longest = 0;
  std::vector<std::vector<Vector<F>>> u;
  for (size_t i : low) {
    u.push_back(basis.u(i));
    longest = std::max(longest, basis.degree(i));
  }
  Matrix<F> W(N, low.size());  // Horner: W = A W + Z u_j
  for (size_t step = 0; step <= longest; step++) {
    if (step > 0) W = A * W;
    Matrix<F> U(block, low.size());
    for (size_t l = 0; l < low.size(); l++) {
      const size_t behind = longest - (u[l].size() - 1);  // shorter relations join later
      if (step >= behind)
        for (size_t c = 0; c < block; c++) U(c, l) = u[l][step - behind][c];
    }
    W = W + Z * U;
  }
  for (int power = 0; power < 4; power++) {  // A^power w may be the first that A sends to zero
    const Matrix<F> image = A * W, columns = transpose(W), images = transpose(image);
    for (size_t l = 0; l < low.size(); l++) {
      if (!is_zero<F>(images.row_vector(l)) || is_zero<F>(columns.row_vector(l))) continue;
      Matrix<F> more = found;
      more.append_row(columns.row_vector(l));
      if (rank(more) == more.rows()) found = more;
    }
    W = image;
  }
  // The square matrix may have a larger kernel than the tall one: keep the combinations that the tall one sends to zero, too.
  if (found.rows() == 0) return found;
  Matrix<F> kept = kernel(tall * transpose(found)) * found;
  return kept.rows() <= wanted ? kept : Matrix<F>::from_rows(first_rows(kept, wanted), N);
}

}  // namespace museum::algebra
