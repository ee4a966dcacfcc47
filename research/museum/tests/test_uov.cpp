// SPDX-License-Identifier: Apache-2.0
// Oil and vinegar with chosen parameters: what is signed verifies, what is not does not, and the lecture-sized example can be
// done by hand.
#include <doctest/doctest.h>

#include "museum/field/binary_field.hpp"
#include "museum/field/prime_field.hpp"
#include "museum/schemes/uov.hpp"

using namespace museum;
using broken::Acknowledgement;

static constexpr auto acknowledged = Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing();

TEST_CASE_TEMPLATE("signs and verifies", F, field::Gf2, field::Gf3, field::Gf7, field::Gf16, field::Gf31, field::Gf256) {
  for (const auto &[o, v] : {std::pair<size_t, size_t>{5, 5}, {6, 12}, {11, 17}}) {
    CAPTURE(int(F::q));
    const broken::uov::Uov<F> scheme(o, v);
    const auto key = scheme.keygen(view("seed"));
    const auto signature = scheme.sign(key.secret, view("message"), acknowledged);
    CHECK(scheme.verify(key.public_map, view("message"), signature));
    // Over GF(2) with five equations a wrong message passes once in 32 times; it does not here, for good: all is deterministic.
    CHECK_FALSE(scheme.verify(key.public_map, view("other message"), signature));
    for (size_t i = 0; i < scheme.n; i += 4) {
      auto wrong = signature;
      wrong.x[i] = F::add(wrong.x[i], 1);
      CHECK_FALSE(scheme.verify(key.public_map, view("message"), wrong));
    }
    for (const size_t length : {scheme.n - 1, scheme.n + 1}) {
      auto wrong = signature;
      wrong.x.resize(length);
      CHECK_FALSE(scheme.verify(key.public_map, view("message"), wrong));
    }
    CHECK_FALSE(broken::uov::Uov<F>(o, v + 1).verify(key.public_map, view("message"), signature));
    // The oil space: the public map vanishes on it, and its polar form too.
    Vector<F> a(scheme.n), b(scheme.n);
    for (size_t i = 0; i < v; i++) a[i] = key.secret.O(i, 0), b[i] = F::add(key.secret.O(i, 1), key.secret.O(i, o - 1));
    a[v] = 1, b[v + 1] = 1, b[v + o - 1] = 1;
    CHECK(algebra::is_zero<F>(key.public_map.evaluate(a)));
    CHECK(algebra::is_zero<F>(key.public_map.polar(a, b)));
    // Central and public map are the same up to the change of variables.
    CHECK(key.public_map.compose(scheme.change_of_variables(key.secret.O)).quadratic_coefficients() ==
          key.secret.central.quadratic_coefficients());
  }
}

TEST_CASE_TEMPLATE("the quadratic map", F, field::Gf3, field::Gf16, field::Gf31, field::Gf256) {
  const broken::uov::Uov<F> scheme(7, 9);
  const auto P = scheme.keygen(view("map")).public_map;
  Vector<F> x(P.n), y(P.n), sum(P.n);
  for (size_t i = 0; i < P.n; i++)
    x[i] = uint8_t((5 * i * i + 3) % F::q), y[i] = uint8_t((i * i + 2 * i + 1) % F::q), sum[i] = F::add(x[i], y[i]);
  const auto Px = P.evaluate(x), Py = P.evaluate(y), polar = P.polar(x, y), Psum = P.evaluate(sum);
  Matrix<F> T(P.n, 5);  // to fewer variables
  for (size_t i = 0; i < P.n; i++)
    for (size_t j = 0; j < 5; j++) T(i, j) = uint8_t((i * i * j + 3 * i + 2 * j * j) % F::q);
  const auto Q = P.compose(T);
  const Vector<F> z = {1, 2, 0, 1, 2};
  CHECK(Q.evaluate(z) == P.evaluate(algebra::apply(T, z)));
  for (size_t k = 0; k < P.m; k++) {
    CHECK(F::add(F::add(Px[k], Py[k]), polar[k]) == Psum[k]);
    // x^t A x, term by term
    const auto A = P.upper(k);
    uint8_t value = 0;
    for (size_t i = 0; i < P.n; i++)
      for (size_t j = i; j < P.n; j++) value = F::add(value, F::mul(P.coefficient(k, j, i), F::mul(x[i], x[j])));
    CHECK(value == Px[k]);
    CHECK(algebra::dot<F>(algebra::apply(A, x), x.data()) == value);
  }
}

TEST_CASE_TEMPLATE("a map with linear and constant terms", F, field::Gf7, field::Gf16) {
  const broken::uov::Uov<F> scheme(4, 6);
  const auto key = scheme.keygen(view("affine"));
  QuadraticMap<F> central(scheme.n, scheme.m, true);
  central.quadratic_coefficients() = key.secret.central.quadratic_coefficients();
  Vector<F> x(scheme.n), expected;
  for (size_t i = 0; i < scheme.n; i++) {
    x[i] = uint8_t((i * i + 2) % F::q);
    for (size_t k = 0; k < scheme.m; k++) central.linear_at(i)[k] = uint8_t((3 * i + 5 * k + 1) % F::q);
  }
  for (size_t k = 0; k < scheme.m; k++) central.constants()[k] = uint8_t((k * k + 3) % F::q);
  for (size_t k = 0; k < scheme.m; k++) {  // term by term
    uint8_t value = central.constant(k);
    for (size_t i = 0; i < scheme.n; i++) {
      value = F::add(value, F::mul(central.linear(k, i), x[i]));
      for (size_t j = i; j < scheme.n; j++) value = F::add(value, F::mul(central.coefficient(k, i, j), F::mul(x[i], x[j])));
    }
    expected.push_back(value);
  }
  CHECK(central.evaluate(x) == expected);
  // Oil that makes it so: linear terms of vinegar and of oil, and constants, count.
  size_t solved = 0;
  for (uint8_t a = 0; a < 7; a++) {
    const auto y = scheme.preimage(central, expected, {a, 1, 2, 3, 4, 5});
    if (!y) continue;
    solved++;
    CHECK(central.evaluate(*y) == expected);
  }
  CHECK(solved > 0);
}

// With a message of two bytes the salt, which everyone sees, once was the beginning of a row of O.
TEST_CASE("the salt is none of the key's streams") {
  const broken::uov::Uov<field::Gf256> scheme(4, 6);
  const auto pair = scheme.keygen(view("seed"));
  for (const char low : {0, 1, 5}) {
    const std::string message = {low, 0};
    const auto salt = scheme.sign(pair.secret, view(message), acknowledged).salt;
    CHECK(Bytes(salt.begin(), salt.end()) != shake256({view("seed"), view(message)}, salt.size()));
  }
}

TEST_CASE("elements from a source that has few of them") {
  using F = field::PrimeField<17>;  // five bits, of which 17 of 32 numbers are elements
  std::vector<size_t> calls;
  const auto e = sample<F>(100, [&](size_t bytes) {  // each call begins anew, as a hash does; bytes 50 to 299 are none
    calls.push_back(bytes);
    Bytes random(bytes, 31);
    for (size_t i = 0; i < bytes; i++)
      if (i < 50 || i >= 300) random[i] = uint8_t(0xe0 | i % 17);
    return random;
  });
  CHECK(calls == std::vector<size_t>{264, 528});
  REQUIRE(e.size() == 100);
  for (size_t i = 0; i < 100; i++) CHECK(e[i] == (i < 50 ? i : 250 + i) % 17);
}

TEST_CASE("what is no encoding of elements") {
  CHECK(unpack<field::Gf31>(Bytes{0xf7, 0xff}, 3) == std::nullopt);  // 30, 31, 31 and a bit of padding
  CHECK(unpack<field::Gf31>(Bytes{0x08, 0x42}, 3) == Vector<field::Gf31>{1, 1, 1});
  CHECK(unpack<field::Gf31>(Bytes{0x08, 0x43}, 3) == std::nullopt);  // padding
  CHECK(unpack<field::Gf31>(Bytes{0x08}, 3) == std::nullopt);
  CHECK(unpack<field::Gf16>(Bytes{0x21, 0x03}, 3) == Vector<field::Gf16>{1, 2, 3});
  CHECK(unpack<field::Gf16>(Bytes{0x21, 0x13}, 3) == std::nullopt);  // padding
  CHECK(unpack<field::Gf16>(Bytes{0x21, 0x03, 0x00}, 3) == std::nullopt);
  CHECK(unpack<field::Gf7>(Bytes{6, 7}, 2) == std::nullopt);
}

// An example small enough for pencil and paper: q = 7, two oil and two vinegar variables.  Our own; the numbers below were worked
// by hand.
//   central    f1 = y1 y3 + 2 y2 y4 + y1 y2          f2 = 3 y1 y4 + y2 y3 + y2^2           (vinegar y1, y2; oil y3, y4)
//   secret     O = (1 2; 3 4), x = T y: x1 = y1 + y3 + 2 y4, x2 = y2 + 3 y3 + 4 y4, x3 = y3, x4 = y4
//   public     p1 = x1 x2 + 5 x1 x3 + 3 x1 x4 + 6 x2 x3 + 2 x3^2 + 2 x3 x4
//              p2 = x2^2 + 3 x1 x4 + 2 x2 x3 + 6 x2 x4 + 6 x3^2 + 3 x3 x4 + 3 x4^2
//   signing    target (3, 5), vinegar (1, 2): y3 + 4 y4 = 1, 2 y3 + 3 y4 = 1, so y = (1, 2, 3, 3) and x = (3, 2, 3, 3)
// The oil's system has determinant 3 y1^2 - 2 y2^2; as 2/3 = 3 is no square, only the vinegar (0, 0) is refused.
TEST_CASE("the worked example over GF(7)") {
  using F = field::Gf7;
  const broken::uov::Uov<F> scheme(2, 2);
  QuadraticMap<F> central(4, 2), expected(4, 2);
  const auto set = [](QuadraticMap<F> &map, size_t k, std::initializer_list<std::array<int, 3>> terms) {
    for (const auto &[i, j, c] : terms) map.at(size_t(i - 1), size_t(j - 1))[k] = uint8_t(c);
  };
  set(central, 0, {{1, 3, 1}, {2, 4, 2}, {1, 2, 1}});
  set(central, 1, {{1, 4, 3}, {2, 3, 1}, {2, 2, 1}});
  set(expected, 0, {{1, 2, 1}, {1, 3, 5}, {1, 4, 3}, {2, 3, 6}, {3, 3, 2}, {3, 4, 2}});
  set(expected, 1, {{2, 2, 1}, {1, 4, 3}, {2, 3, 2}, {2, 4, 6}, {3, 3, 6}, {3, 4, 3}, {4, 4, 3}});
  Matrix<F> O(2, 2);
  O(0, 0) = 1, O(0, 1) = 2, O(1, 0) = 3, O(1, 1) = 4;
  const auto T = scheme.change_of_variables(O);
  CHECK(central.compose(*algebra::inverse(T)).quadratic_coefficients() == expected.quadratic_coefficients());
  const auto y = scheme.preimage(central, {3, 5}, {1, 2});
  REQUIRE(y);
  CHECK(*y == Vector<F>{1, 2, 3, 3});
  CHECK(algebra::apply(T, *y) == Vector<F>{3, 2, 3, 3});
  CHECK(expected.evaluate({3, 2, 3, 3}) == Vector<F>{3, 5});
  int refused = 0;
  for (uint8_t a = 0; a < 7; a++)
    for (uint8_t b = 0; b < 7; b++) refused += !scheme.preimage(central, {3, 5}, {a, b});
  CHECK(refused == 1);
}
