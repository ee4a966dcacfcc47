// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "museum/schemes/pflash.hpp"

using namespace museum;
using namespace museum::broken::pflash;

static constexpr auto acknowledged = broken::Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing();

static Extension::Element element(uint8_t seed) {
  Extension::Element a;
  for (size_t i = 0; i < a.size(); i++) a[i] = uint8_t(seed * (i * i + 7) + 31 * i + (i * seed >> 3));
  return a;
}

TEST_CASE("the extension is a field of 256^48 elements") {
  const Extension K;
  Extension::Element one{}, x{};
  one[0] = 1, x[1] = 1;
  // Rabin's test of the modulus: X^(256^48) = X, and X^(256^(48/p)) - X is prime to it for p = 2, 3.
  CHECK(K.frobenius(K.frobenius(x, 47), 1) == x);
  CHECK(K.frobenius(x, 1) != x);
  for (const size_t k : {24, 16}) {
    const auto difference = K.add(K.frobenius(x, k), x);
    CHECK(K.mul(difference, K.inverse(difference)) == one);
  }
  const auto a = element(3), b = element(101), c = element(200);
  CHECK(K.mul(a, b) == K.mul(b, a));
  CHECK(K.mul(K.mul(a, b), c) == K.mul(a, K.mul(b, c)));
  CHECK(K.mul(a, K.add(b, c)) == K.add(K.mul(a, b), K.mul(a, c)));
  CHECK(K.square(a) == K.mul(a, a));
  CHECK(K.mul(a, K.inverse(a)) == one);
  CHECK(K.inverse({}) == Extension::Element{});
  auto power = a;
  for (int i = 0; i < 8 * 5; i++) power = K.square(power);
  CHECK(K.frobenius(a, 5) == power);
  CHECK(K.from_coordinates(K.coordinates(a)) == a);
}

TEST_CASE("the central map is a bijection") {
  const Pflash scheme;
  for (uint8_t seed = 0; seed < 8; seed++) {
    const auto x = element(seed);
    CHECK(scheme.central_inverse(scheme.central(x)) == x);
    CHECK(scheme.central(scheme.central_inverse(x)) == x);
  }
  CHECK(scheme.central_inverse({}) == Extension::Element{});
}

TEST_CASE("signs and verifies") {
  const Pflash scheme;
  const auto key = scheme.keygen(view("seed"));
  // The public map against its definition: T and S are known by their inverses.
  Vector<F> x(96);
  for (size_t i = 0; i < 95; i++) x[i] = uint8_t((i * i + 3 * i + 1) & 15);
  Vector<F> X = algebra::apply(*algebra::inverse(key.secret.S_inverse), x);
  F::add_scaled(X.data(), 1, key.secret.s0.data(), X.size());
  Vector<F> y = algebra::apply(*algebra::inverse(key.secret.T_inverse),
                               Extension::coordinates(scheme.central(Extension::from_coordinates(X))));
  F::add_scaled(y.data(), 1, key.secret.t0.data(), y.size());
  CHECK(key.public_map.evaluate(Vector<F>(x.begin(), x.begin() + 95)) == Vector<F>(y.begin(), y.begin() + 64));

  const Bytes encoded = scheme.encode(key.public_map);
  CHECK(encoded.size() == 148960);
  const auto decoded = scheme.decode_public(encoded);
  CHECK_THROWS_AS(scheme.decode_public(View(encoded).first(100)), std::invalid_argument);
  for (const char *message : {"", "message", "another message"}) {
    const Bytes signature = scheme.sign(key.secret, view(message), acknowledged);
    CHECK(signature.size() == Pflash::signature_bytes);
    CHECK(scheme.verify(decoded, view(message), signature));
    CHECK_FALSE(scheme.verify(decoded, view("something else"), signature));
    CHECK_FALSE(scheme.verify(decoded, view(message), View(signature).first(47)));
    for (size_t i = 0; i < signature.size(); i += 5) {
      Bytes changed = signature;
      changed[i] ^= 0x10;
      CHECK_FALSE(scheme.verify(decoded, view(message), changed));
    }
    Bytes padded = signature;  // the spare half byte
    padded.back() |= 0x10;
    CHECK_FALSE(scheme.verify(decoded, view(message), padded));
  }
}
