// SPDX-License-Identifier: Apache-2.0
// The museum's linear algebra: identities that determine each result.
#include <doctest/doctest.h>
#include "museum/algebra/equations.hpp"
#include "museum/algebra/forms.hpp"
#include "museum/algebra/polynomial.hpp"
#include "museum/field/binary_field.hpp"
#include "museum/field/prime_field.hpp"

using namespace museum::algebra;
using namespace museum::field;

#define FIELDS Gf2, Gf16, Gf256, TowerGf16, TowerGf256, Gf7, Gf31

TEST_CASE_TEMPLATE("a multiple of a row is added element by element, at any length", F, FIELDS) {
  Random rng(1);
  for (size_t n : {0, 1, 15, 16, 31, 32, 33, 79, 100})
    for (int round = 0; round < 20; round++) {
      const auto x = random_vector<F>(n, rng), y = random_vector<F>(n, rng);
      const auto a = random_element<F>(rng);
      Vector<F> sum = y;
      F::add_scaled(sum.data(), a, x.data(), n);
      for (size_t i = 0; i < n; i++) CHECK(sum[i] == F::add(y[i], F::mul(a, x[i])));
    }
}

TEST_CASE_TEMPLATE("kernels, inverses and solutions are what they say", F, FIELDS) {
  Random rng(2);
  for (int round = 0; round < 20; round++) {
    const Matrix<F> L = random_matrix<F>(7, 4, rng), R = random_matrix<F>(4, 11, rng), A = L * R;
    const Matrix<F> K = kernel(A);
    CHECK(K.rows() == 11 - rank(A));
    CHECK(rank(K) == K.rows());
    CHECK(A * transpose(K) == Matrix<F>(7, K.rows()));
    CHECK(rank(stack(row_space(A), complement(row_space(A)))) == 11);
    const auto b = museum::algebra::apply(A, random_vector<F>(11, rng));
    const auto x = solve(A, b);
    REQUIRE(x.has_value());
    CHECK(museum::algebra::apply(A, *x) == b);
    const Matrix<F> S = random_matrix<F>(9, 9, rng);
    const auto inverted = inverse(S);
    CHECK(inverted.has_value() == (rank(S) == 9));
    if (inverted) CHECK(S * *inverted == Matrix<F>::identity(9));
  }
}

// More than 64 pivots at a time and more than one strip of words; columns without a pivot; fewer rows than columns and more.
TEST_CASE_TEMPLATE("equations have the solutions that elimination row by row finds", F, Gf2, Gf4, Gf256) {
  Random rng(7);
  for (const auto &[rows, cols, most] : {std::array<size_t, 3>{90, 70, 40}, {200, 230, 150}, {150, 2300, 150}, {33, 64, 33}}) {
    if (F::q > 2 && cols > 1000) continue;
    Matrix<F> A = random_matrix<F>(rows, most, rng) * random_matrix<F>(most, cols, rng);
    for (size_t i = 0; i < rows; i++) A(i, 5) = A(i, 64 % cols) = 0;
    Equations<F> equations(cols);
    for (size_t i = 0; i < rows; i++) {
      equations.add_row();
      for (size_t j = 0; j < cols; j++) {
        const auto some = random_element<F>(rng);  // in two parts
        equations.add(j, some), equations.add(j, F::sub(A(i, j), some));
      }
    }
    CHECK(equations.rows() == rows);
    CHECK(equations.kernel() == kernel(A));
  }
}

TEST_CASE_TEMPLATE(
    "the characteristic polynomial is that of similar matrices, has the eigenvalues as roots, and annihilates its matrix", F,
    FIELDS) {
  Random rng(3);
  for (size_t n : {1, 2, 3, 8, 12}) {
    const Matrix<F> A = random_matrix<F>(n, n, rng);
    const auto p = characteristic_polynomial(A);
    CHECK(p.size() == n + 1);
    CHECK(p[n] == 1);
    Matrix<F> value(n, n);  // Cayley and Hamilton
    for (size_t i = p.size(); i-- > 0;) {
      value = value * A;
      for (size_t j = 0; j < n; j++) value(j, j) = F::add(value(j, j), p[i]);
    }
    CHECK(value == Matrix<F>(n, n));
    for (int x = 0; x < F::q; x++) {
      Matrix<F> shifted = A;
      for (size_t j = 0; j < n; j++) shifted(j, j) = F::sub(shifted(j, j), typename F::Element(x));
      CHECK((evaluate<F>(p, typename F::Element(x)) == 0) == (rank(shifted) < n));
    }
  }
}

TEST_CASE_TEMPLATE("block Wiedemann finds the kernel, and none where there is none", F, Gf16, Gf256, Gf31) {
  Random rng(4);
  for (size_t corank : {0, 1, 2}) {
    const size_t n = 150;
    SparseMatrix<F> A{n, {}};
    for (size_t i = 0; i < n + 40; i++) {
      SparseRow<F> row;
      for (int k = 0; k < 6; k++) {
        const auto column = uint32_t((k == 0 ? i : rng()) % (n - corank));  // each occurs
        row.add(column, random_unit<F>(rng));
      }
      A.rows.push_back(row);
    }
    // The last columns are combinations of others, so that the kernel has `corank` dimensions.
    for (auto &row : A.rows)
      for (size_t c = 0; c < corank; c++)
        for (size_t k = 0, terms = row.column.size(); k < terms; k++)
          if (row.column[k] % 3 == c) row.add(uint32_t(n - corank + c), row.value[k]);
    REQUIRE(n - rank(A.dense()) == corank);
    const Matrix<F> K = block_wiedemann(A, corank + 1, rng, 8);
    CHECK(K.rows() == corank);
    CHECK(A * transpose(K) == Matrix<F>(A.rows.size(), K.rows()));
  }
}

TEST_CASE_TEMPLATE("XL finds the zero of a system that has one, dense and sparse, and none of one that has none", F, Gf16,
                   TowerGf16, Gf31) {
  Random rng(5);
  const size_t N = 6, m = 10;
  const int D = xl_degree(N, m);
  REQUIRE(D == 3);
  const Xl<F> xl(N, size_t(D));
  for (int round = 0; round < 5; round++) {
    auto P = Forms<F>::random(N, m, rng);
    Vector<F> zero = random_vector<F>(N, rng);
    zero[N - 1] = 1;
    const auto value = P(zero);
    for (size_t k = 0; k < m; k++) P.upper(k)(N - 1, N - 1) = F::sub(P.upper(k)(N - 1, N - 1), value[k]);
    for (const auto &result : {xl.solve_dense(P.rows(), rng), xl.solve_sparse(P.rows(), rng)}) {
      CHECK(result.outcome == Outcome::unique);
      CHECK(result.point == zero);
    }
    P.upper(0)(N - 1, N - 1) = F::add(P.upper(0)(N - 1, N - 1), 1);
    CHECK(xl.solve_dense(P.rows(), rng).outcome == Outcome::none);
    CHECK(xl.solve_sparse(P.rows(), rng).outcome == Outcome::none);
  }
}

TEST_CASE_TEMPLATE("forms: polar, restriction and preimages", F, Gf16, Gf256, Gf7) {
  Random rng(6);
  const auto key = random_oil_and_vinegar<F>(7, 4, 4, rng);
  CHECK(key.P.vanishes_on(key.oil));
  CHECK(!key.P.vanishes_on(random_matrix<F>(4, 11, rng)));
  const auto x = random_vector<F>(11, rng), y = random_vector<F>(11, rng);
  Vector<F> sum = x;
  F::add_scaled(sum.data(), 1, y.data(), 11);
  const auto polar = museum::algebra::apply(key.P.polar_at(x), y);
  for (size_t k = 0; k < 4; k++) CHECK(polar[k] == F::sub(F::sub(key.P(sum)[k], key.P(x)[k]), key.P(y)[k]));
  const auto t = random_vector<F>(4, rng);
  CHECK(key.P(preimage(key.P, key.oil, t, rng)) == t);
}
