// SPDX-License-Identifier: Apache-2.0
// What the known answers of MQDSS do not show.
#include <doctest/doctest.h>

#include "museum/schemes/mqdss.hpp"

using namespace museum;
using namespace museum::broken::mqdss;

static constexpr auto acknowledged = broken::Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing();

TEST_CASE("the polar form") {
  for (const size_t n : {48, 64}) {
    const System system(view("seed"), n);
    Vector<F> x(n), y(n), both(n);
    for (size_t i = 0; i < n; i++)
      x[i] = uint8_t((i * i + 3) % 31), y[i] = uint8_t((7 * i + i * i * i) % 31), both[i] = F::add(x[i], y[i]);
    Vector<F> sum = system.evaluate(x);
    F::add_scaled(sum.data(), 1, system.evaluate(y).data(), n);
    F::add_scaled(sum.data(), 1, system.polar(x, y).data(), n);
    CHECK(system.evaluate(both) == sum);
    CHECK(system.evaluate(Vector<F>(n)) == Vector<F>(n));
    // All weights the largest, 30 = 1 * 15 + 15 * 1: sums of 16 bits have to be reduced in time.
    const Vector<F> one(n, 1), fifteen(n, 15);
    Vector<F> multiple(n);
    F::add_scaled(multiple.data(), 15, system.polar(one, one).data(), n);
    CHECK(system.polar(one, fifteen) == multiple);
    const Vector<F> most(n, 30);
    Vector<F> four = system.evaluate(most);  // F(-x) = quadratic - linear, F(x) = quadratic + linear
    F::add_scaled(four.data(), 1, system.evaluate(one).data(), n);
    CHECK(four == system.polar(one, one));
  }
}

TEST_CASE("what is refused") {
  const Mqdss scheme(mqdss_48_135);
  CHECK(scheme.signature_bytes() == 20854);
  CHECK(Mqdss(mqdss_48_184).signature_bytes() == 28400);
  CHECK(Mqdss(mqdss_64_202).signature_bytes() == 43728);
  CHECK(Mqdss(mqdss_64_277).signature_bytes() == 59928);
  const Bytes sk(16, 5), pk = scheme.public_key(sk), signature = scheme.sign(sk, view("message"), acknowledged);
  CHECK(pk.size() == scheme.public_key_bytes());
  CHECK(scheme.verify(pk, view("message"), signature));
  for (size_t at = 0; at < signature.size(); at += 1499) {
    Bytes changed = signature;
    changed[at] ^= 0x40;
    CHECK_FALSE(scheme.verify(pk, view("message"), changed));
  }
  // 31 is no element: in the first t1, e1 and r.
  for (const size_t at : {2 * 32, 2 * 32 + 135 * 30, 2 * 32 + 2 * 135 * 30}) {
    Bytes wrong = signature;
    wrong[at] |= 0xf8;
    CHECK_FALSE(scheme.verify(pk, view("message"), wrong));
  }
  Bytes key = pk;
  key[16] |= 0xf8;
  CHECK_FALSE(scheme.verify(key, view("message"), signature));
  key = pk;
  key.back() ^= 1;
  CHECK_FALSE(scheme.verify(key, view("message"), signature));
  CHECK_FALSE(scheme.verify(View(pk).first(45), view("message"), signature));
  CHECK_FALSE(scheme.verify(pk, view("message"), View(signature).first(20853)));
  CHECK_THROWS_AS(scheme.public_key(Bytes(15)), std::invalid_argument);
}
