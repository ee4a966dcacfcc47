// SPDX-License-Identifier: Apache-2.0
// What the known answers of Rainbow do not show: the sets of 2017 in this form, sizes, keys as mathematical objects, and what is
// refused.
#include <doctest/doctest.h>

#include "museum/schemes/rainbow.hpp"

using namespace museum;
using namespace museum::broken::rainbow;

static constexpr auto acknowledged = broken::Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing();

TEST_CASE("sizes as published") {
  const Rainbow<field::TowerGf16> one(I), old(Ia_round_2);
  const Rainbow<field::TowerGf256> three(III), five(V);
  CHECK(one.public_key_bytes() == 161600);
  CHECK(one.compressed_public_key_bytes() == 60192);
  CHECK(one.secret_key_bytes() == 103648);
  CHECK(one.signature_bytes() == 66);
  CHECK(three.public_key_bytes() == 882080);
  CHECK(three.compressed_public_key_bytes() == 264608);
  CHECK(three.secret_key_bytes() == 626048);
  CHECK(three.signature_bytes() == 164);
  CHECK(five.public_key_bytes() == 1930600);
  CHECK(five.compressed_public_key_bytes() == 536136);
  CHECK(five.secret_key_bytes() == 1408736);
  CHECK(five.signature_bytes() == 212);
  CHECK(old.public_key_bytes() == 148992);
  CHECK(old.secret_key_bytes() == 92960);
  CHECK(old.signature_bytes() == 64);
  CHECK(one.compressed_secret_key_bytes == 64);
}

template <class F> static void check(const Rainbow<F> &scheme) {
  CAPTURE(scheme.p.name);
  const Bytes sk_seed(32, 7), pk_seed(32, 9);
  const auto pair = scheme.keygen_classic(sk_seed);
  const Bytes pk = scheme.encode(pair.public_map), sk = scheme.encode(pair.secret);
  CHECK(pk.size() == scheme.public_key_bytes());
  CHECK(sk.size() == scheme.secret_key_bytes());
  const auto again = scheme.decode_secret(sk);
  CHECK(scheme.encode(again) == sk);
  CHECK(scheme.T(again) * scheme.T_inverse(again) == Matrix<F>::identity(scheme.n));

  // The central map: layer 1 without the last o2 variables, neither with a product of its own oil variables.
  bool shape = true;
  const auto &C = pair.secret.central;
  for (size_t i = 0; i < scheme.n; i++)
    for (size_t j = i; j < scheme.n; j++)
      for (size_t k = 0; k < scheme.m; k++) {
        const bool present = k < scheme.o1 ? i < scheme.v1 && j < scheme.v2 : i < scheme.v2;
        shape = shape && (present || C.coefficient(k, i, j) == 0);
      }
  CHECK(shape);
  // The public map is S o F o T, at a point.
  Vector<F> w(scheme.n);
  for (size_t i = 0; i < scheme.n; i++) w[i] = uint8_t((i * i + 5 * i + 2) % F::q);
  Vector<F> y = C.evaluate(algebra::apply(scheme.T(again), w));
  for (size_t i = 0; i < scheme.o1; i++)
    for (size_t k = 0; k < scheme.o2; k++) y[i] = F::add(y[i], F::mul(again.s1(i, k), y[scheme.o1 + k]));
  CHECK(scheme.decode_public(pk).evaluate(w) == y);

  const Bytes signature = scheme.sign(again, view("message"), acknowledged);
  CHECK(signature.size() == scheme.signature_bytes());
  CHECK(scheme.verify(pair.public_map, view("message"), signature));
  CHECK_FALSE(scheme.verify(pair.public_map, view("massage"), signature));
  for (size_t i = 0; i < signature.size(); i += 3) {
    Bytes changed = signature;
    changed[i] ^= 1;
    CHECK_FALSE(scheme.verify(pair.public_map, view("message"), changed));
  }
  CHECK_FALSE(scheme.verify(pair.public_map, view("message"), View(signature).first(signature.size() - 1)));

  const auto small = scheme.keygen_circumzenithal(sk_seed, pk_seed);
  CHECK(small.public_key.size() == scheme.compressed_public_key_bytes());
  const auto expanded = scheme.expand_public(small.public_key);
  const Bytes other = scheme.sign(small.secret, view("message"), acknowledged);
  CHECK(scheme.verify(expanded, view("message"), other));
  CHECK_FALSE(scheme.verify(expanded, view("message"), signature));
  Bytes seeds = pk_seed;
  append(seeds, sk_seed);
  CHECK(scheme.encode(scheme.expand_secret(seeds)) == scheme.encode(small.secret));

  CHECK_THROWS_AS(scheme.decode_public(View(pk).first(pk.size() - 1)), std::invalid_argument);
  CHECK_THROWS_AS(scheme.decode_secret(View(sk).first(sk.size() - 1)), std::invalid_argument);
  CHECK_THROWS_AS(scheme.expand_public(View(small.public_key).first(40)), std::invalid_argument);
  CHECK_THROWS_AS(scheme.expand_secret(View(seeds).first(63)), std::invalid_argument);
}

TEST_CASE("the sets of the tables of 2017, in the form of round 3") {
  check(Rainbow<field::TowerGf16>(Ia_round_2));
  check(Rainbow<field::Gf31>(lecture_31));
  check(Rainbow<field::TowerGf256>(lecture_256));
}
TEST_CASE("small ones") {
  check(Rainbow<field::Gf16>(6, 6, 6));
  check(Rainbow<field::Gf31>(5, 4, 6));
  check(Rainbow<field::Gf256>(4, 3, 2));
}
TEST_CASE("numbers that are no elements") {
  const Rainbow<field::Gf31> scheme(5, 4, 6);
  const auto pair = scheme.keygen_classic(Bytes(32, 1));
  Bytes pk = scheme.encode(pair.public_map);
  pk[0] |= 0xf8;  // 31
  CHECK_THROWS_AS(scheme.decode_public(pk), std::invalid_argument);
}
