// SPDX-License-Identifier: Apache-2.0
// The kernels over a row: Factor and Products.
#include <doctest/doctest.h>

#include "kernels/segments.hpp"

using namespace kernels;

namespace {

// W for `block` rows, computed entry by entry.
class Expected {
 public:
  Expected(const Set &s, const Product &p) : set_(s), columns_(p.C), W_(s.block, p.C * s.places) {}
  void clear() { std::fill(W_.e.begin(), W_.e.end(), uint8_t(0)); }
  void add_times(const TestSegments &t, const Matrix &X) {
    for (int b = 0; b < set_.block; b++)
      for (int j = 0; j < t.segments[size_t(b)].count(); j++)
        for (int c = 0; c < columns_; c++)
          add_multiple(&W_(b, c * set_.places), X(t.segments[size_t(b)].first() + j, c), t.segments[size_t(b)].entry(j), set_.m);
  }
  // Row b: row index + b of P1^T times X, P1 being an upper triangular matrix row after row, one entry to a row of P1.
  void add_times_transposed(const Matrix &P1, int index, const Matrix &X) {
    for (int b = 0; b < set_.block && index + b < X.rows; b++)
      for (int j = 0; j <= index + b; j++)
        for (int c = 0; c < columns_; c++)
          add_multiple(&W_(b, c * set_.places), X(j, c),
                       P1.e.data() + (j * X.rows - j * (j - 1) / 2 + index + b - j) * P1.columns, set_.m);
  }
  void add(const TestSegments &t, int column) {
    for (int b = 0; b < set_.block; b++)
      for (int j = 0; j < t.segments[size_t(b)].count(); j++)
        add_multiple(&W_(b, (column + j) * set_.places), 1, t.segments[size_t(b)].entry(j), set_.m);
  }
  // Of all rows and columns, past the last equation too.
  bool operator==(Product &p) const { return equals(p, set_.block); }
  // Of the first rows.
  bool equals(Product &p, int rows) const {
    Matrix got = W_;
    for (int b = 0; b < rows; b++)
      for (int c = 0; c < columns_; c++) p.get(&got(b, c * set_.places), b, c);
    return got == W_;
  }

 private:
  const Set &set_;
  int columns_;
  Matrix W_;
};

TestSegments random_segments(Random &random, const Set &s, int N, Fill fill, int range) {
  TestSegments t;
  int first = 0, count = N;
  if (range == 1) first = random.below(N), count = N - first;                     // a row of P1
  if (range == 2) first = random.below(N), count = random.between(0, N - first);  // anywhere
  if (range == 3) first = N - 1, count = 1;
  if (range == 4) first = random.between(0, N), count = 0;
  const bool joined = range >= 5;  // rows of P1, or of P2, as they follow each other
  if (joined) first = random.below(N), count = random.between(std::min(N - first, s.block), N - first);
  if (range == 5) first = std::max(0, std::min(first, N - s.block)), count = N - first;
  for (int b = 0; b < s.block; b++) {
    // The rows of a triangular matrix follow each other; at its end there are none left.
    const int skip = range == 1 || range == 5 ? std::min(b, count) : 0;
    t.segments.emplace_back(random, filled(random, fill, count - skip, s.m), first + skip);
    if (range == 2) first = random.below(N), count = random.between(0, N - first);
  }
  if (joined) t.join(random);
  return t;
}

template <class F> void on_every_product(F f) {
  for (const NamedSet &s : distinct_sets())
    for (Product *p : s.set->products) {
      INFO(shape(s.names, p->N, 0, p->C));
      f(*s.set, *p);
    }
}

}  // namespace

TEST_CASE("products: every kind of matrix times every kind of row") {
  Random random(60);
  on_every_product([&](const Set &s, Product &p) {
    Expected expected(s, p);
    int range = 0;
    for (Fill right : fills)
      for (Fill left : fills) {
        if (right != Fill::random && left != Fill::random && random.below(3) != 0) continue;
        INFO("X ", name(right), ", rows ", name(left));
        const Matrix X = filled(random, right, p.N, p.C);
        p.soil();
        p.set(X.e.data());
        const TestSegments t = random_segments(random, s, p.N, left, range = (range + 1) % 7);
        CAPTURE(range);
        p.times(t.raw().data());
        expected.clear();
        expected.add_times(t, X);
        CHECK(expected == p);

        const int other = random.below(3);
        const TestSegments more = random_segments(random, s, p.N, left, other == 0 ? 2 : 4 + other);
        CAPTURE(other);
        p.add_times(more.raw().data());
        expected.add_times(more, X);
        CHECK(expected == p);
      }
  });
}

TEST_CASE("products: no rows at all give zero, and add nothing") {
  Random random(61);
  on_every_product([&](const Set &s, Product &p) {
    Expected expected(s, p);
    const Matrix X = random_matrix(random, p.N, p.C);
    const TestSegments empty = random_segments(random, s, p.N, Fill::random, 4),
                       full = random_segments(random, s, p.N, Fill::random, 0);
    p.soil();
    p.set(X.e.data());
    p.times(empty.raw().data());
    CHECK(expected == p);
    p.times(full.raw().data());
    p.add_times(empty.raw().data());
    p.add(empty.raw().data(), 0);
    expected.add_times(full, X);
    CHECK(expected == p);
    p.times(empty.raw().data());
    expected.clear();
    CHECK(expected == p);
  });
}

// A bilinear map is determined by what it does to single elements, if it is one at all.
TEST_CASE("products: single elements") {
  Random random(62);
  on_every_product([&](const Set &s, Product &p) {
    Expected expected(s, p);
    int wrong = 0;
    const auto check = [&](const Matrix &X, const TestSegments &t) {
      p.times(t.raw().data());
      expected.clear();
      expected.add_times(t, X);
      wrong += !(expected == p);
    };
    const auto segments_of = [&](int row, int column, int count, int first) {  // the last rows of a block have no such element
      TestSegments t;
      for (int b = 0; b < s.block; b++) {
        Matrix entries(count, s.m);
        entries(row, column) = b < 2 ? random.nonzero_element() : 0;
        t.segments.emplace_back(random, entries, first);
      }
      return t;
    };
    const Matrix X = random_matrix(random, p.N, p.C);
    p.soil();
    p.set(X.e.data());
    for (int j = 0; j < p.N; j++) check(X, segments_of(j, random.below(s.m), p.N, 0));  // every entry of a full row
    for (int e = 0; e < s.m; e++) check(X, segments_of(0, e, 1, random.below(p.N)));    // every equation
    CHECK(wrong == 0);
    for (int j = 0; j < p.N; j += 1 + random.below(9))
      for (int c = 0; c < p.C; c++) {  // X of a single element, too
        Matrix one(p.N, p.C);
        one(j, c) = random.nonzero_element();
        p.set(one.e.data());
        check(one, segments_of(0, random.below(s.m), 1, j));
      }
    CHECK(wrong == 0);
  });
}

TEST_CASE("products: every pair of elements, in every equation and column") {
  Random random(63);
  on_every_product([&](const Set &s, Product &p) {
    Expected expected(s, p);
    p.soil();
    int wrong = 0;
    for (int b = 0; b < 16; b++) {
      const int j = random.below(p.N);
      Matrix X(p.N, p.C);
      for (int c = 0; c < p.C; c++) X(j, c) = uint8_t((b + c) % 16);
      p.set(X.e.data());
      for (int a = 0; a < 16; a++) {
        TestSegments t;
        for (int row = 0; row < s.block; row++) {
          Matrix entries(1, s.m);
          for (int e = 0; e < s.m; e++) entries(0, e) = uint8_t((a + e + row) % 16);
          t.segments.emplace_back(random, entries, j);
        }
        p.times(t.raw().data());
        expected.clear();
        expected.add_times(t, X);
        wrong += !(expected == p);
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("products: additive in both factors") {
  Random random(64);
  on_every_product([&](const Set &s, Product &p) {
    const auto product = [&](const Matrix &X, const std::vector<Matrix> &rows) {
      TestSegments t;
      for (const Matrix &row : rows) t.segments.emplace_back(random, row, 0);
      p.set(X.e.data());
      p.times(t.raw().data());
      Matrix W(s.block * p.C, s.places);
      for (int b = 0; b < s.block; b++)
        for (int c = 0; c < p.C; c++) p.get(&W(b * p.C + c, 0), b, c);
      return W;
    };
    const auto sum = [](Matrix a, const Matrix &b) {
      for (size_t i = 0; i < a.e.size(); i++) a.e[i] = uint8_t(a.e[i] ^ b.e[i]);
      return a;
    };
    const auto rows = [&] {
      std::vector<Matrix> r;
      for (int b = 0; b < s.block; b++) r.push_back(random_matrix(random, p.N, s.m));
      return r;
    };
    const std::vector<Matrix> a = rows(), b = rows();
    std::vector<Matrix> a_plus_b;
    for (size_t i = 0; i < a.size(); i++) a_plus_b.push_back(sum(a[i], b[i]));
    const Matrix X = random_matrix(random, p.N, p.C), Y = random_matrix(random, p.N, p.C);
    p.soil();
    CHECK(product(X, a_plus_b) == sum(product(X, a), product(X, b)));
    CHECK(product(sum(X, Y), a) == sum(product(X, a), product(Y, a)));
  });
}

TEST_CASE("products: entries added to columns") {
  Random random(65);
  on_every_product([&](const Set &s, Product &p) {
    Expected expected(s, p);
    const Matrix X = random_matrix(random, p.N, p.C);
    p.soil();
    p.set(X.e.data());
    const TestSegments start = random_segments(random, s, p.N, Fill::random, 1);
    p.times(start.raw().data());
    expected.add_times(start, X);
    for (int column = 0; column < p.C; column++)
      for (Fill fill : {Fill::random, Fill::all_15, Fill::last_column}) {
        TestSegments t;  // as the linear term: one entry a row; as P2: up to the last column; or none
        for (int b = 0; b < s.block; b++) {
          const int most = p.C - column, count = fill == Fill::random ? most : fill == Fill::all_15 ? 1 : random.between(0, most);
          t.segments.emplace_back(random, filled(random, fill, count, s.m), random.below(p.N));  // `first` means nothing here
        }
        p.add(t.raw().data(), column);
        expected.add(t, column);
        CHECK(expected == p);
      }
  });
}

// As verification wants it: rows of P1, which begin one column after each other, P2's behind them, and the linear term.
TEST_CASE("products: two runs of each row and a column at once") {
  Random random(66);
  on_every_product([&](const Set &s, Product &p) {
    Expected expected(s, p);
    for (int trial = 0; trial < 60; trial++) {
      CAPTURE(trial);
      const int begin = trial % 4 == 0 ? 0 : random.below(p.N), end = random.between(begin + 1, p.N);
      const int rows = std::min(end - begin, trial % 3 == 0 ? random.between(1, s.block) : s.block);
      const int first = trial % 5 == 4 ? random.below(p.N) : end;  // mostly, `more` begins where `segments` end
      const int more_count = trial % 7 == 6 ? 0 : random.between(0, p.N - first);
      const bool linear = trial % 2 == 0, ragged = trial % 6 == 5;  // or `more` lies anyhow
      TestSegments segments, more, column;
      for (int b = 0; b < s.block; b++) {
        const bool some = b < rows;
        segments.segments.emplace_back(random, random_matrix(random, some ? end - begin - b : 0, s.m), begin + b);
        const int here = ragged && random.below(2) == 0 ? random.below(p.N) : first;
        const int count = ragged ? random.between(0, p.N - here) : more_count;
        more.segments.emplace_back(random, random_matrix(random, some ? count : 0, s.m), here);
        column.segments.emplace_back(random, random_matrix(random, some && linear ? 1 : 0, s.m), 0);
      }
      if (trial % 8 != 7) segments.join(random), more.join(random), column.join(random);
      const Matrix X = random_matrix(random, p.N, p.C);
      p.soil();
      p.set(X.e.data());
      p.times(segments.raw().data(), more.raw().data(), column.raw().data());
      expected.clear();
      expected.add_times(segments, X);
      expected.add_times(more, X);
      expected.add(column, 0);
      CHECK(expected == p);
    }
  });
}

// As L wants it.  What stands behind P1 is read, and may be in rows that do not count.
TEST_CASE("products: rows of a triangular matrix transposed") {
  Random random(69);
  int seen = 0;
  on_every_product([&](const Set &s, Product &p) {
    if (!p.transposes()) return;
    seen++;
    Expected expected(s, p);
    const Matrix P1 = random_matrix(random, p.N * (p.N + 1) / 2, s.m), X = random_matrix(random, p.N, p.C);
    const oracle::Bytes packed = oracle::pack(P1.e);
    const auto memory = TestSegment::garbage(random, 1 + packed.size() + size_t(s.block * s.m_bytes + aioli::slack));
    std::copy(packed.begin(), packed.end(), memory.get() + 1);
    p.soil();
    p.set(X.e.data());
    for (int index = 0; index < p.N; index += s.block) {
      CAPTURE(index);
      const TestSegments row = random_segments(random, s, p.N, Fill::random, 0);
      p.times(row.raw().data());
      p.add_times_transposed(memory.get() + 1, index);
      expected.clear();
      expected.add_times(row, X);
      expected.add_times_transposed(P1, index, X);
      CHECK(expected.equals(p, std::min(s.block, p.N - index)));
    }
  });
  CHECK(seen > 0);
}

TEST_CASE("products: a row as packed bytes") {
  Random random(70);
  on_every_product([&](const Set &s, Product &p) {
    const Matrix X = random_matrix(random, p.N, p.C);
    p.soil();
    p.set(X.e.data());
    p.times(random_segments(random, s, p.N, Fill::random, 0).raw().data());
    for (int b = 0; b < s.block; b++) {
      Matrix row(p.C, s.m);
      for (int c = 0; c < p.C; c++) {
        Matrix entry(1, s.places);
        p.get(&entry(0, 0), b, c);
        std::copy_n(entry.e.begin(), s.m, &row(c, 0));
      }
      const size_t bytes = size_t(p.C * s.m_bytes), offset = size_t(random.below(17));
      const auto memory = TestSegment::garbage(random, offset + bytes + aioli::slack);
      p.get_row(memory.get() + offset, b);
      const uint8_t *const got = memory.get() + offset;
      CHECK(oracle::Bytes(got, got + bytes) == oracle::pack(row.e));
    }
  });
}

TEST_CASE("signatures' nibbles as a matrix, at odd places and even ones") {
  Random random(67);
  for (const NamedSet &named : distinct_sets()) {
    Encoding &e = *named.set->encoding;
    INFO(shape(named.names, e.R, 0, e.C));
    const int padded = (e.C + 15) / 16 * 16;
    for (int trial = 0; trial < 8; trial++) {
      oracle::Bytes nibbles = random.bytes(size_t(e.R * e.C + 1) / 2);  // nothing behind it
      Matrix got(e.R, padded), expected(e.R, padded);
      for (int i = 0; i < e.R * e.C; i++) expected(i / e.C, i % e.C) = uint8_t(nibbles[size_t(i) / 2] >> (4 * (i % 2)) & 15);
      std::vector<uint8_t> exact(nibbles.begin(), nibbles.end());
      e.decode(got.e.data(), exact.data());
      CHECK(got == expected);
    }
  }
}

TEST_CASE("sums of powers of z: with vectors as without") {
  Random random(68);
  for (const NamedSet &named : distinct_sets()) {
    Encoding &e = *named.set->encoding;
    INFO(named.names);
    for (Fill fill : fills) {
      const Matrix u = filled(random, fill, e.count, named.set->m);
      Matrix got(1, named.set->places), expected(1, named.set->places);
      e.power_sum(got.e.data(), u.e.data(), true);
      e.power_sum(expected.e.data(), u.e.data(), false);
      CHECK(got == expected);
    }
  }
}
