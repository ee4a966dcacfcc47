// SPDX-License-Identifier: Apache-2.0
// The solver of A x = y: the very x of the specification, against Gaussian elimination as it is taught.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "kernels/segments.hpp"

using namespace kernels;

namespace {

struct System {
  Matrix A;
  Vector y, r;
};

// Solves it both ways; returns whether there is a solution.
bool check(Solver &solver, const System &s) {
  const int m = s.A.rows, columns = s.A.columns;
  const oracle::Solution expected = oracle::solve(s.A, s.y, s.r);
  Vector x(size_t(columns), 0xee);
  const bool solved = solver.solve(x.data(), s.A.e.data(), s.y.data(), s.r.data());
  CHECK(solved == expected.exists);
  if (!solved || !expected.exists) return expected.exists;

  CHECK(x == expected.x);
  Matrix column(columns, 1), right(m, 1);  // and what a solution is, without any elimination
  column.e = x;
  right.e = s.y;
  CHECK(oracle::multiply(s.A, column) == right);
  Vector forced = s.r;
  for (int j : expected.pivots) forced[size_t(j)] = x[size_t(j)];
  CHECK(x == forced);
  return true;
}

Matrix invertible(Random &random, int m) {
  for (;;) {
    Matrix a = random_matrix(random, m, m);
    if (oracle::solve(a, Vector(size_t(m)), Vector(size_t(m))).exists) return a;
  }
}

// Of full rank with these pivots and no others: a column that is none is a combination of pivots on its left (or zero).
Matrix with_pivots(Random &random, int columns, const std::vector<int> &pivots) {
  const int m = int(pivots.size());
  const Matrix basis = invertible(random, m);
  Matrix A(m, columns);
  int used = 0;
  for (int j = 0; j < columns; j++) {
    const bool is_pivot = used < m && pivots[size_t(used)] == j;
    const int kind = random.below(4);  // of the others: zero, a copy, a multiple of one, a combination of all so far
    for (int p = is_pivot ? used : 0; p < (is_pivot ? used + 1 : used); p++) {
      uint8_t scalar = is_pivot ? 1 : kind == 3 ? random.element() : 0;
      if (!is_pivot && kind == 1 && p == used - 1) scalar = 1;
      if (!is_pivot && kind == 2 && p == used / 2) scalar = random.nonzero_element();
      for (int i = 0; i < m; i++) A(i, j) = uint8_t(A(i, j) ^ oracle::multiply(scalar, basis(i, p)));
    }
    used += is_pivot;
  }
  return A;
}

// Random, zero, or all 15.
Vector some_vector(Random &random, int n) {
  const int kind = random.below(6);
  return kind == 0 ? Vector(size_t(n)) : kind == 1 ? Vector(size_t(n), 15) : oracle::random_vector(random, n);
}
System system(Random &random, Matrix A) {
  const Vector y = some_vector(random, A.rows), r = some_vector(random, A.columns);
  return {std::move(A), y, r};
}

// Rows or columns put in some other order.
Matrix rows_shuffled(Random &random, const Matrix &a) {
  std::vector<int> order(size_t(a.rows));
  std::iota(order.begin(), order.end(), 0);
  for (int i = a.rows - 1; i > 0; i--) std::swap(order[size_t(i)], order[size_t(random.below(i + 1))]);
  Matrix b(a.rows, a.columns);
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < a.columns; j++) b(i, j) = a(order[size_t(i)], j);
  return b;
}

struct Subject {
  Solver *solver;
  bool small;
  int columns() const { return solver->k * solver->o; }
};
template <class F> void on_every_solver(F f) {
  std::vector<Subject> subjects;
  for (Solver *s : small_solvers()) subjects.push_back({s, true});
  for (const NamedSet &s : distinct_sets()) subjects.push_back({s.set->solver, false});
  for (const Subject &s : subjects) {
    CAPTURE(s.solver->m);
    CAPTURE(s.solver->o);
    CAPTURE(s.solver->k);
    f(s);
  }
}

std::vector<int> some_pivots(Random &random, int m, int columns, int kind) {
  std::vector<int> all(static_cast<size_t>(columns));
  std::iota(all.begin(), all.end(), 0);
  if (kind == 0) return {all.begin(), all.begin() + m};  // the first columns
  if (kind == 1) return {all.end() - m, all.end()};      // the last: as late as can be
  while (int(all.size()) > m) all.erase(all.begin() + random.below(int(all.size())));
  if (kind == 2) all[0] = 0;
  return all;
}

}  // namespace

TEST_CASE("solver: random systems") {
  Random random(90);
  on_every_solver([&](const Subject &s) {
    int solvable = 0;
    const int trials = s.small ? 200 : 3;
    for (int trial = 0; trial < trials; trial++)
      solvable += check(*s.solver, system(random, random_matrix(random, s.solver->m, s.columns())));
    CHECK(solvable > trials / 2 - 1);
  });
}

TEST_CASE("solver: given pivots, early and late, all other columns depending on those before") {
  Random random(91);
  on_every_solver([&](const Subject &s) {
    for (int trial = 0; trial < (s.small ? 100 : 4); trial++) {
      const std::vector<int> pivots = some_pivots(random, s.solver->m, s.columns(), trial % 4);
      CHECK(check(*s.solver, system(random, with_pivots(random, s.columns(), pivots))));
    }
  });
}

TEST_CASE("solver: pivots far from the diagonal in either direction") {
  Random random(92);
  on_every_solver([&](const Subject &s) {
    const int m = s.solver->m, columns = s.columns();
    for (int kind = 0; kind < 6; kind++) {
      Matrix A(m, columns);
      for (int i = 0; i < m; i++)
        for (int j = 0; j < columns; j++) {
          const int d = j - (columns - m) - i;  // 0 on the diagonal that ends in the last column
          bool here = false;
          if (kind == 0) here = d >= 0;                // upper triangular at the right end
          if (kind == 1) here = j - i <= 0;            // lower triangular at the left end
          if (kind == 2) here = i + j == m - 1;        // backwards
          if (kind == 3) here = i + j >= columns - 1;  // backwards and triangular
          if (kind == 4) here = d == 0;
          if (kind == 5) here = i == j || j >= m;
          if (here) A(i, j) = random.nonzero_element();
        }
      CAPTURE(kind);
      CHECK(check(*s.solver, system(random, A)));
      CHECK(check(*s.solver, system(random, rows_shuffled(random, A))));
    }
  });
}

TEST_CASE("solver: too small a rank is told, whatever the right side") {
  Random random(93);
  on_every_solver([&](const Subject &s) {
    const int m = s.solver->m, columns = s.columns();
    const auto fails = [&](Matrix A) {
      System t = system(random, std::move(A));
      CHECK_FALSE(check(*s.solver, t));
      t.y.assign(t.y.size(), 0);  // consistent, but not of full rank
      t.r.assign(t.r.size(), 0);
      CHECK_FALSE(check(*s.solver, t));
    };
    fails(Matrix(m, columns));
    std::vector<int> ranks = {m - 1, m - 2, m / 2, 1};
    if (!s.small) ranks.resize(2);
    for (int rank : ranks) fails(oracle::multiply(random_matrix(random, m, rank), random_matrix(random, rank, columns)));

    Matrix A = random_matrix(random, m, columns);
    const int row = random.below(m), other = (row + 1 + random.below(m - 1)) % m;
    for (int kind = 0; kind < 4; kind++) {
      Matrix B = A;
      const int zero_row = kind == 0 ? 0 : kind == 1 ? m - 1 : row;
      const uint8_t scalar = random.nonzero_element();
      for (int j = 0; j < columns; j++) B(zero_row, j) = kind < 3 ? 0 : oracle::multiply(scalar, A(other, j));
      fails(B);
    }
    if (columns == m) {  // one column less than needed
      Matrix B = A;
      const int column = random.below(columns), from = (column + 1) % columns;
      for (int i = 0; i < m; i++) B(i, column) = B(i, from);
      fails(B);
    }
  });
}

// One equation decides everything: each column in turn is the only one that can serve the last equation.
TEST_CASE("solver: the last pivot at every place") {
  Random random(94);
  on_every_solver([&](const Subject &s) {
    if (!s.small) return;
    const int m = s.solver->m, columns = s.columns();
    for (int place = m - 1; place < columns; place++) {
      std::vector<int> pivots(static_cast<size_t>(m));
      std::iota(pivots.begin(), pivots.end(), 0);
      pivots.back() = place;
      CHECK(check(*s.solver, system(random, with_pivots(random, columns, pivots))));
    }
    for (int place = 0; place <= columns - m; place++) {  // leading columns of zero
      std::vector<int> pivots(static_cast<size_t>(m));
      std::iota(pivots.begin(), pivots.end(), place);
      Matrix A = with_pivots(random, columns, pivots);
      CHECK(check(*s.solver, system(random, A)));
    }
  });
}
