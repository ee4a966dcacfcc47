// SPDX-License-Identifier: Apache-2.0
// The rank-one updates: Factor and Accumulators.
#include <doctest/doctest.h>

#include "kernels/segments.hpp"

using namespace kernels;

namespace {

class Expected {
 public:
  Expected(const Set &s, const Sum &u) : set_(s), rows_(u.R), columns_(u.C), N_(u.N), U_(u.R * u.C, s.places) {}
  void clear() { std::fill(U_.e.begin(), U_.e.end(), uint8_t(0)); }
  // W: the products of block row b are the entries of segment b.
  void add_outer(const Matrix &A, int index, const TestSegments &W) {
    for (int b = 0; b < set_.block && index + b < N_; b++) {
      const TestSegment &w = W.segments[size_t(b)];
      for (int i = 0; i < rows_; i++)
        for (int j = 0; j < std::min(w.count(), columns_); j++)
          add_multiple(&U_(i * columns_ + j, 0), A(index + b, i), w.entry(j), set_.m);
    }
  }
  void add_segments(const Matrix &A, int index, const TestSegments &t, int origin) {
    for (int b = 0; b < set_.block && index + b < N_; b++) {
      const TestSegment &w = t.segments[size_t(b)];
      for (int i = 0; i < rows_; i++)
        for (int j = 0; j < w.count(); j++)
          add_multiple(&U_(i * columns_ + w.first() - origin + j, 0), A(index + b, i), w.entry(j), set_.m);
    }
  }
  void add_transposed(int index, const TestSegments &T) {
    for (int b = 0; b < set_.block && index + b < columns_; b++)
      for (int i = 0; i < rows_; i++) add_multiple(&U_(i * columns_ + index + b, 0), 1, T.segments[size_t(b)].entry(i), set_.m);
  }
  bool operator==(Sum &u) const {
    Matrix got(U_.rows, U_.columns), expected = U_;
    for (int i = 0; i < rows_; i++)
      for (int j = 0; j < columns_; j++) {
        const bool folded = u.upper() && j < i;  // is in entry (j, i)
        if (!folded) u.get(&got(i * columns_ + j, 0), i, j);
        if (folded) add_multiple(&expected(j * columns_ + i, 0), 1, &expected(i * columns_ + j, 0), set_.m);
        if (folded) std::fill_n(&expected(i * columns_ + j, 0), set_.places, uint8_t(0));
      }
    return got == expected;
  }

 private:
  const Set &set_;
  int rows_, columns_, N_;
  Matrix U_;
};

template <class F> void on_every_sum(F f) {
  for (const NamedSet &s : distinct_sets())
    for (Sum *u : s.set->sums) {
      INFO(shape(s.names, u->N, u->R, u->C), u->origin >= 0 ? ", segments" : u->upper() ? ", products, upper" : ", products");
      f(*s.set, *u);
    }
}

// One update by whichever of the two kernels this is, and the same for what is expected.
void update(Random &random, const Set &s, Sum &u, Expected &expected, const Matrix &A, int index, Fill fill, int kind) {
  TestSegments t;
  if (u.origin < 0) {
    const int count = kind == 0 ? u.product_columns : random.between(0, u.product_columns);
    for (int b = 0; b < s.block; b++) t.segments.emplace_back(random, filled(random, fill, count, s.m), 0);
    u.set_products(t.raw().data());
    u.add_outer(index);
    expected.add_outer(A, index, t);
    return;
  }
  for (int b = 0; b < s.block; b++) {
    int first = u.origin, count = u.C;
    if (kind == 1) count = random.between(0, u.C), first += random.between(0, u.C - count);
    if (kind == 2) first += random.below(u.C), count = u.origin + u.C - first;  // as the rows of a triangular matrix
    t.segments.emplace_back(random, filled(random, fill, count, s.m), first);
  }
  u.add_outer(index, t.raw().data());
  expected.add_segments(A, index, t, u.origin);
}

}  // namespace

TEST_CASE("sums: every kind of scalar times every kind of vector") {
  Random random(70);
  on_every_sum([&](const Set &s, Sum &u) {
    Expected expected(s, u);
    for (Fill left : fills)
      for (Fill right : fills) {
        if (left != Fill::random && right != Fill::random && random.below(3) != 0) continue;
        INFO("A ", name(left), ", vectors ", name(right));
        const Matrix A = filled(random, left, u.N, u.R);
        u.soil();
        u.set(A.e.data());
        u.zero();
        expected.clear();
        for (int kind = 0; kind < 3; kind++) update(random, s, u, expected, A, random.below(u.N), right, kind);
        CHECK(expected == u);
      }
  });
}

TEST_CASE("sums: every row of the scalars, the blocks over the end too") {
  Random random(71);
  on_every_sum([&](const Set &s, Sum &u) {
    Expected expected(s, u);
    const Matrix A = random_matrix(random, u.N, u.R);
    u.soil();
    u.set(A.e.data());
    u.zero();
    for (int index = 0; index < u.N; index++) {  // rows past the last one count as zero: their vectors are not
      update(random, s, u, expected, A, index, Fill::one_row, index % 3);
      if (index >= u.N - 2 || index % 16 == 0) CHECK(expected == u);
    }
  });
}

TEST_CASE("sums: every pair of elements, in every equation") {
  Random random(72);
  on_every_sum([&](const Set &s, Sum &u) {
    if (u.C > 64) return;  // reading them out so often takes too long; nothing depends on the number of columns here
    Expected expected(s, u);
    u.soil();
    int wrong = 0;
    for (int a = 0; a < 16; a++) {
      Matrix A(u.N, u.R);
      for (int r = 0; r < u.N; r++)
        for (int i = 0; i < u.R; i++) A(r, i) = uint8_t((a + r + i) % 16);
      u.set(A.e.data());
      u.zero();
      expected.clear();
      for (int b = 0; b < 16; b++) {
        const int index = random.below(u.N), first = random.below(u.C);
        TestSegments t;
        for (int row = 0; row < s.block; row++) {
          Matrix entries(u.origin < 0 ? first + 1 : 1, s.m);
          for (int e = 0; e < s.m; e++) entries(entries.rows - 1, e) = uint8_t((b + row + e) % 16);
          t.segments.emplace_back(random, entries, u.origin < 0 ? 0 : u.origin + first);
        }
        if (u.origin < 0) {
          u.set_products(t.raw().data());
          u.add_outer(index);
          expected.add_outer(A, index, t);
        } else {
          u.add_outer(index, t.raw().data());
          expected.add_segments(A, index, t, u.origin);
        }
        wrong += b % 4 == 3 && !(expected == u);
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("sums: products added as columns, and zero again") {
  Random random(73);
  on_every_sum([&](const Set &s, Sum &u) {
    if (!u.transposes()) return;
    Expected expected(s, u);
    u.soil();
    u.zero();
    CHECK(expected == u);
    for (int index = 0; index < u.C;
         index += index % 3 == 0 ? 1 : s.block) {  // over the end too: rows that are no column do not count
      TestSegments t;
      for (int b = 0; b < s.block; b++)
        t.segments.emplace_back(random, filled(random, index % 2 == 0 ? Fill::random : Fill::all_15, u.R, s.m),
                                random.below(u.N));
      u.add_transposed(index, t.raw().data());
      expected.add_transposed(index, t);
    }
    CHECK(expected == u);
    u.zero();
    expected.clear();
    CHECK(expected == u);
  });
}
