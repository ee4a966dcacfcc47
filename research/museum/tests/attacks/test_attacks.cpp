// SPDX-License-Identifier: Apache-2.0
// The parts that the attacks share, where a program that finds its key does not show a fault.
#include <doctest/doctest.h>
#include <set>
#include "museum/attacks/forge.hpp"
#include "museum/attacks/kipnis_shamir.hpp"
#include "museum/attacks/oil_space.hpp"
#include "museum/attacks/rainbow_key.hpp"

using namespace museum;
using namespace museum::attacks;

TEST_CASE_TEMPLATE("every line of a space is visited once, until the test says so", F, field::Gf2, field::Gf7, field::Gf16) {
  Random rng(1);
  for (size_t d : {1, 2, 3}) {
    Matrix<F> B(0, 5);
    while (rank(B) < d) B = random_matrix<F>(d, 5, rng);
    std::set<Vector<F>> lines;
    size_t visits = 0, expected = 0, power = 1;
    for (size_t i = 0; i < d; i++, power *= size_t(F::q)) expected += power;
    const bool stopped = any_line<F>(B, [&](Vector<F> x) {
      visits++;
      REQUIRE(!is_zero<F>(x));
      const auto first = F::inv(*std::find_if(x.begin(), x.end(), [](auto e) { return e != 0; }));
      for (auto &e : x) e = F::mul(first, e);
      lines.insert(x);
      return false;
    });
    CHECK(!stopped);
    CHECK(visits == expected);
    CHECK(lines.size() == expected);
    visits = 0;
    CHECK(any_line<F>(B, [&](const Vector<F> &) { return ++visits == expected; }));
    CHECK(visits == expected);
  }
}

TEST_CASE_TEMPLATE("roots of a polynomial, zero among them", F, field::Gf2, field::Gf7, field::Gf256) {
  for (int r = 0; r < F::q; r++)
    for (int s : {0, 1, F::q - 1}) {  // (x - r)(x - s)
      const auto R = typename F::Element(r), S = typename F::Element(s);
      const auto found = roots<F>({F::mul(R, S), F::neg(F::add(R, S)), 1});
      const std::set<int> expected{r, s};
      CHECK(std::set<int>(found.begin(), found.end()) == expected);
      CHECK(found.size() == expected.size());
    }
}

// (v, o, m), and whether one vector gives the space.
template <class F> static void one_vector(size_t v, size_t o, size_t m, bool enough) {
  CAPTURE(int(F::q));
  CAPTURE(v);
  CAPTURE(o);
  CAPTURE(m);
  Random rng(v + 100 * o);
  for (int round = 0; round < 5; round++) {
    const auto key = random_oil_and_vinegar<F>(v, o, m, rng);
    Vector<F> x(v + o);
    while (is_zero<F>(x)) x = combine_rows(random_vector<F>(o, rng), key.oil);
    const auto oil = oil_space_of(key.P, x, o);
    CHECK(oil.has_value() == enough);
    if (oil) CHECK(*oil == row_space(key.oil));
  }
}
TEST_CASE("one vector gives the oil space as long as n - m < 2 o - 1") {
  one_vector<field::Gf256>(5, 5, 5, true);    // balanced
  one_vector<field::Gf256>(10, 6, 6, true);   // the last n below 3 m - 1
  one_vector<field::Gf256>(11, 6, 6, false);  // n = 3 m - 1
  one_vector<field::Gf31>(10, 6, 6, true);    // also where forms are symmetric, not alternating
  one_vector<field::Gf31>(11, 6, 6, false);
  one_vector<field::Gf256>(20, 3, 20, true);   // as MAYO-1: J is O
  one_vector<field::Gf256>(24, 6, 20, true);   // as MAYO-2: J is larger, n - m = 10
  one_vector<field::Gf256>(25, 6, 20, false);  // n - m = 2 o - 1
}

TEST_CASE_TEMPLATE("a vector that is not oil gives nothing, though P vanishes there", F, field::Gf16, field::Gf31) {
  Random rng(7);
  for (const auto &[v, o] : {std::pair<size_t, size_t>{5, 4}, {6, 4}, {4, 4}, {7, 6}}) {
    const auto key = random_oil_and_vinegar<F>(v, o, o, rng);
    for (int round = 0; round < 20; round++) {
      const auto x = preimage(key.P, key.oil, Vector<F>(o), rng);
      Matrix<F> with_x = key.oil;
      with_x.append_row(x);
      if (rank(with_x) == o) continue;  // oil by accident
      REQUIRE(key.P.vanishes_at(x));
      CHECK(!oil_space_of(key.P, x, o).has_value());
    }
    CHECK(!oil_space_of(key.P, Vector<F>(v + o), o).has_value());
    Vector<F> other(v + o);
    while (key.P.vanishes_at(other)) other = random_vector<F>(v + o, rng);
    CHECK(!oil_space_of(key.P, other, o).has_value());
  }
}

TEST_CASE("a kernel that is the whole of the oil space counts") {
  using F = field::Gf7;  // one form, symmetric of rank 1 on a space in which O is a hyperplane: x_2^2 with O = {x_2 = 0}, x = e_0
  Forms<F> P(3);
  Matrix<F> A(3, 3);
  A(2, 2) = 1;
  P.add(A);
  const auto oil = oil_space_of(P, Vector<F>{1, 0, 0}, 2);
  REQUIRE(oil.has_value());
  CHECK(*oil == Matrix<F>::from_rows({{1, 0, 0}, {0, 1, 0}}, 3));
}

TEST_CASE_TEMPLATE("who forges with a wrong oil space is refused", F, field::Gf16, field::Gf31) {
  Random rng(8);
  const UovTarget<F> one(8, 6, "one"), other(8, 6, "other");
  const Matrix<F> oil = secret_oil_space(one.key.secret);
  CHECK(one.P.vanishes_on(oil));
  CHECK(forge_uov(one, oil, "message", rng));
  CHECK(!forge_uov(other, oil, "message", rng));
}

TEST_CASE("a vector of O2 gives a small Rainbow key, another zero does not, and who forges with another's key is refused") {
  using F = field::TowerGf16;
  const char *arguments[] = {"", "--v1", "6", "--o1", "6", "--o2", "6"};
  programs::Options options(7, const_cast<char **>(arguments), "");
  const Layers layers(options, 4, 30);
  const RainbowTarget<F> one(layers, 1), other(layers, 2);
  Random rng(9);
  const Matrix<F> O2 = secret_O2(one.scheme, one.pair.secret);
  CHECK(one.P.vanishes_on(O2));
  const auto key = rainbow_key_of(one.P, combine_rows(random_vector<F>(6, rng), O2), 6, 6, 200, rng);
  REQUIRE(key.has_value());
  CHECK(key->O2 == O2);
  CHECK(forge_rainbow(one, *key, "message", rng));
  CHECK(!forge_rainbow(other, *key, "message", rng));
  const auto x = preimage(*key, one.P, Vector<F>(12), rng);
  REQUIRE(x.has_value());
  REQUIRE(one.P.vanishes_at(*x));
  CHECK(!rainbow_key_of(one.P, *x, 6, 6, 200, rng).has_value());
}
