// SPDX-License-Identifier: Apache-2.0
// What the variant adds to the layers below it, against schoolbook algebra: m-vectors of an odd number of elements, E times a
// matrix, public combinations, square systems, the choice of columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/portable/kernels.hpp"
#include "mayo_armv7m/buckets.hpp"
#include "oracle/algebra.hpp"
#include "mayo_armv7m/work.hpp"

using namespace aioli;
using namespace aioli::armv7m;
using oracle::Matrix, oracle::Random, oracle::Vector;
using Octets = std::vector<uint8_t>;

namespace {

template <class P> Vector elements(const Mvector<P> &a) {  // with the places behind the last
  Vector v;
  for (int i = 0; i < 16 * Mvector<P>::words; i++) v.push_back(a.w[i / 16] >> (4 * (i % 16)) & 15);
  return v;
}
template <class P> Vector with_places(Vector a) {
  a.resize(16 * Mvector<P>::words);
  return a;
}
// E, column after column, spare half bytes set; `slack` random bytes behind.
template <class P> Octets columns(Random &random, const Matrix &E) {
  Octets bytes;
  for (int c = 0; c < E.columns; c++) {
    Vector column;
    for (int e = 0; e < E.rows; e++) column.push_back(E(e, c));
    Octets packed = oracle::pack(column);
    if (P::m % 2 != 0) packed.back() |= 0xf0;
    bytes.insert(bytes.end(), packed.begin(), packed.end());
  }
  for (int i = 0; i < slack; i++) bytes.push_back(random.byte());
  return bytes;
}

template <class P> void mvectors_of_odd_length() {
  Random random(P::m);
  for (int turn = 0; turn < 100; turn++) {
    const Vector a = oracle::random_vector(random, P::m);
    Octets bytes = oracle::pack(a);
    CHECK(int(bytes.size()) == P::m_bytes);
    if (P::m % 2 != 0) bytes.back() |= 0x50;
    Mvector<P> x;
    std::memset(&x, 0xa5, sizeof x);
    x.load(bytes.data());
    CHECK(elements(x) == with_places<P>(a));
    Octets stored(bytes.size() + 1, 0x77);
    x.store(stored.data());
    CHECK(stored.back() == 0x77);
    stored.pop_back();
    CHECK(stored == oracle::pack(a));
  }
}

template <class P> void matrices_times_secrets() {
  constexpr int m = P::m, C = 1 + 2 * P::o;
  Random random(P::m + 1);
  for (int turn = 0; turn < 20; turn++) {
    const Matrix E = oracle::random_matrix(random, m, m), X = oracle::random_matrix(random, m, C), Y = oracle::multiply(E, X);
    Fmat<C, m> X_transposed;
    Fmat<m, C> packed;
    X_transposed.zero();
    for (int c = 0; c < C; c++) {
      Vector column;
      for (int i = 0; i < m; i++) column.push_back(X(i, c));
      Mvector<P> a;
      a.load(oracle::pack(column).data());
      set_row<P>(X_transposed, c, a);
    }
    transpose(packed, X_transposed);
    std::vector<typename PortableKernels<P>::template Factor<m, C>> factor(1);
    factor[0].set(packed);
    typename PortableKernels<P>::template Products<C> product;
    const Octets bytes = columns<P>(random, E);
    const RowSegment segments[1] = {{bytes.data(), 0, m}};
    product.times(segments, factor[0]);
    for (int c = 0; c < C; c++) {
      Mvector<P> y;
      product.get(y, 0, c);
      Vector expected;
      for (int e = 0; e < m; e++) expected.push_back(Y(e, c));
      CHECK(elements(y) == with_places<P>(expected));
    }
  }
}

template <class P> void public_combinations() {
  constexpr int m = P::m;
  Random random(P::m + 2);
  Buckets<P> buckets;
  std::memset(static_cast<void *>(&buckets), 0xa5, sizeof buckets);
  for (int terms = 0; terms < 5; terms++) {
    buckets.zero();
    Vector expected(m);
    for (int t = 0; t < terms; t++) {
      const Matrix E = oracle::random_matrix(random, m, m), x = oracle::random_matrix(random, m, 1);
      oracle::add_multiple(expected, 1, oracle::multiply(E, x).e);
      Mvector<P> a;
      a.load(oracle::pack(x.e).data());
      buckets.add_product(columns<P>(random, E).data(), a);
    }
    Mvector<P> sum;
    buckets.sum(sum);
    CHECK(elements(sum) == with_places<P>(expected));
  }
}

template <class P> void square_systems() {
  constexpr int m = P::m;
  Random random(P::m + 3);
  std::vector<SquareSolver<P>> memory(1);
  SquareSolver<P> &solver = memory[0];
  int solved = 0, refused = 0;
  for (int turn = 0; turn < 300; turn++) {
    Matrix A = oracle::random_matrix(random, m, m);
    if (turn % 3 == 0) {  // no pivot where it is looked for first
      const int at = random.below(m);
      for (int c = 0; c <= at; c++) A(at, c) = 0;
    }
    if (turn % 5 == 0)
      for (int i = 0; i < m; i++) A(i, m - 1) = A(i, 0);
    const Vector y = oracle::random_vector(random, m);
    const oracle::Solution expected = oracle::solve(A, y, Vector(m));
    for (int c = 0; c <= m; c++) {
      Vector column = y;
      for (int i = 0; i < m && c < m; i++) column[size_t(i)] = A(i, c);
      solver.A[c].load(oracle::pack(column).data());
    }
    Fmat<1, m> x, zero;
    zero.zero();
    const bool good = solver.solve(x, zero);
    CHECK(good == expected.exists);
    (good ? solved : refused)++;
    for (int c = 0; good && c < m; c++) CHECK(x(0, c).n == expected.x[size_t(c)]);
  }
  CHECK(solved > 100);
  CHECK(refused > 50);
}

// The choice as it is specified, with divisions and in so many words.
template <class P> void choice_of_columns() {
  constexpr int K = P::columns, d = K - P::m;
  Random random(P::m + 4);
  ColumnChoice<P> choice;
  choice.start();
  std::vector<int> order;
  for (int i = 0; i < K; i++) order.push_back(i);
  for (int attempt = 0; attempt < 200; attempt++) {
    Octets bytes = random.bytes(4 * (K - 1));
    if (attempt % 10 == 0) std::fill(bytes.begin(), bytes.end(), uint8_t(0xff));
    const Octets drawn = bytes;
    struct Source {
      const Octets *bytes;
      size_t at;
    } source = {&drawn, 0};
    const RandomSource from = {[](void *context, uint8_t *out, size_t n) {
                                 Source &s = *static_cast<Source *>(context);
                                 if (s.at + n > s.bytes->size()) return -1;
                                 std::copy_n(s.bytes->begin() + long(s.at), n, out);
                                 s.at += n;
                                 return 0;
                               },
                               &source};
    REQUIRE(choice.draw(from));
    CHECK(source.at == drawn.size());
    size_t at = 0;
    for (int i = K - 1; i > 0; i--, at += 4) {
      const uint32_t x = uint32_t(drawn[at]) << 24 | uint32_t(drawn[at + 1]) << 16 | uint32_t(drawn[at + 2]) << 8 | drawn[at + 3];
      std::swap(order[size_t(i)], order[x % uint32_t(i + 1)]);
    }
    std::sort(order.begin(), order.begin() + d);
    std::vector<int> expected(order.begin() + d, order.end());
    std::sort(expected.begin(), expected.end());
    uint8_t used[P::m];
    choice.used(used);
    CHECK(std::vector<int>(used, used + P::m) == expected);
    REQUIRE_FALSE(choice.draw(from));  // nothing left to draw
  }
}

template <class P> void check_all() {
  mvectors_of_odd_length<P>();
  matrices_times_secrets<P>();
  public_combinations<P>();
  square_systems<P>();
  choice_of_columns<P>();
}

}  // namespace

TEST_CASE("m = 67, k = 14, o = 5") { check_all<Orig1>(); }
TEST_CASE("m = 64, k = 10, o = 7") { check_all<New1>(); }
TEST_CASE("m = 64, k = 14, o = 7") { check_all<New1K14>(); }

TEST_CASE("some rows of a triangle") {
  uint8_t entries[Orig1::P_bytes];
  TriangularRows<Orig1, 2, 0, Orig1::n, Orig1::v> rows;
  rows.start(entries);
  int r = 0;
  const uint8_t *p = entries;
  for (Rows<2> block; rows.next(block);)
    for (int b = 0; b < block.count; b++, r++) {
      CHECK(block.index + b == r);
      CHECK(block.P1[b].entries == p);
      CHECK(block.P1[b].first == r);
      CHECK(block.P1[b].count == Orig1::n - r);
      CHECK(block.P2[b].count == 0);
      p += block.P1[b].count * Orig1::m_bytes;
    }
  CHECK(r == Orig1::v);
  CHECK(p - entries == Orig1::pk_D - Orig1::pk_P);
}
