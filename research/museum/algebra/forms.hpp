// SPDX-License-Identifier: Apache-2.0
// Systems of m quadratic forms in n variables, as attacks see them: matrices, of which only what belongs to the form matters.
#pragma once
#include "museum/algebra/sparse.hpp"
#include "museum/algebra/xl.hpp"

namespace museum::algebra {

template <class F> class Forms {
 public:
  using E = typename F::Element;
  explicit Forms(size_t n) : n_(n) {}
  static Forms random(size_t n, size_t m, Random &rng) {
    Forms P(n);
    for (size_t k = 0; k < m; k++) P.add(random_matrix<F>(n, n, rng));
    return P;
  }

  size_t n() const { return n_; }
  size_t m() const { return upper_.size(); }
  // The form x -> x A x^T, kept as an upper triangular matrix.
  void add(Matrix<F> A) {
    for (size_t i = 0; i < n_; i++)
      for (size_t j = 0; j < i; j++) {
        A(j, i) = F::add(A(j, i), A(i, j));
        A(i, j) = 0;
      }
    upper_.push_back(std::move(A));
  }
  const Matrix<F> &upper(size_t k) const { return upper_[k]; }
  Matrix<F> &upper(size_t k) { return upper_[k]; }

  // P(x), m elements.
  Vector<F> operator()(const Vector<F> &x) const {
    Vector<F> y(m());
    for (size_t k = 0; k < m(); k++) y[k] = dot<F>(combine_rows(x, upper_[k]), x.data());
    return y;
  }
  bool vanishes_at(const Vector<F> &x) const {
    for (const auto &U : upper_)
      if (dot<F>(combine_rows(x, U), x.data()) != 0) return false;
    return true;
  }
  // The polar form P(x + y) - P(x) - P(y) = x B y^T of form k.
  Matrix<F> polar(size_t k) const { return upper_[k] + transpose(upper_[k]); }
  // The matrix of y -> P'(x, y), m rows of n.
  Matrix<F> polar_at(const Vector<F> &x) const {
    Matrix<F> D(m(), n_);
    for (size_t k = 0; k < m(); k++) {
      const Vector<F> left = combine_rows(x, upper_[k]);
      for (size_t i = 0; i < n_; i++) D(k, i) = F::add(left[i], dot<F>(x, upper_[k].row(i)));
    }
    return D;
  }
  // Is P zero on the space that the rows of B span?
  bool vanishes_on(const Matrix<F> &B) const {
    const Forms R = restricted(B);
    for (const auto &U : R.upper_)
      if (!(U == Matrix<F>(U.rows(), U.cols()))) return false;
    return true;
  }
  // z -> P(z B), in as many variables as B has rows.
  Forms restricted(const Matrix<F> &B) const {
    Forms R(B.rows());
    const Matrix<F> T = transpose(B);
    for (const auto &U : upper_) R.add(B * U * T);
    return R;
  }
  // Combinations of the forms: row i of C has the coefficients of the i-th.
  Forms combined(const Matrix<F> &C) const {
    Forms R(n_);
    for (size_t i = 0; i < C.rows(); i++) {
      Matrix<F> A(n_, n_);
      for (size_t k = 0; k < m(); k++)
        if (C(i, k) != 0)
          for (size_t r = 0; r < n_; r++) F::add_scaled(A.row(r), C(i, k), upper_[k].row(r), n_);
      R.upper_.push_back(std::move(A));
    }
    return R;
  }
  // As XL wants them: a form to a row.
  Matrix<F> rows() const {
    Matrix<F> M(m(), pair_count(n_));
    for (size_t k = 0; k < m(); k++)
      for (size_t i = 0; i < n_; i++)
        for (size_t j = i; j < n_; j++) M(k, pair_index(i, j, n_)) = upper_[k](i, j);
    return M;
  }

 private:
  size_t n_;
  std::vector<Matrix<F>> upper_;
};

// A random system that vanishes on a random space of dimension o, with that space: oil and vinegar in general position.
template <class F> struct OilAndVinegar {
  Forms<F> P;
  Matrix<F> oil;  // rows: a basis
};
template <class F> OilAndVinegar<F> random_oil_and_vinegar(size_t v, size_t o, size_t m, Random &rng) {
  const size_t n = v + o;
  // Oil (O | I): in the coordinates (x + z O, z) the block of z with z is what must vanish.
  OilAndVinegar<F> key{Forms<F>(n), Matrix<F>(o, n)};
  const Matrix<F> O = random_matrix<F>(o, v, rng);
  for (size_t i = 0; i < o; i++) {
    std::copy(O.row(i), O.row(i) + v, key.oil.row(i));
    key.oil(i, v + i) = 1;
  }
  const Matrix<F> T = transpose(key.oil);
  for (size_t k = 0; k < m; k++) {
    Matrix<F> A(n, n);
    for (size_t i = 0; i < v; i++)
      for (size_t j = i; j < n; j++) A(i, j) = random_element<F>(rng);
    const Matrix<F> remainder = key.oil * A * T;  // what A does on the oil space, to be taken away
    for (size_t i = 0; i < o; i++)
      for (size_t j = 0; j < o; j++) A(v + i, v + j) = F::neg(remainder(i, j));
    key.P.add(A);
  }
  return key;
}

// Some x with P(x) = t, given a space on which P vanishes and whose dimension is at least m: what the holder of the secret key
// does.
template <class F> Vector<F> preimage(const Forms<F> &P, const Matrix<F> &oil, const Vector<F> &t, Random &rng) {
  for (;;) {
    const Vector<F> vinegar = random_vector<F>(P.n(), rng);
    const Vector<F> at = P(vinegar);
    Vector<F> missing(P.m());
    for (size_t k = 0; k < P.m(); k++) missing[k] = F::sub(t[k], at[k]);
    const auto z = solve(P.polar_at(vinegar) * transpose(oil), missing);
    if (!z) continue;
    Vector<F> x = combine_rows(*z, oil);
    F::add_scaled(x.data(), 1, vinegar.data(), x.size());
    return x;
  }
}

}  // namespace museum::algebra
