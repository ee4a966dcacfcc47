// SPDX-License-Identifier: Apache-2.0
// The museum's fields against their definitions, every pair of elements.
#include <doctest/doctest.h>

#include <vector>

#include "field/gf16.hpp"
#include "museum/field/binary_field.hpp"
#include "museum/field/prime_field.hpp"

using namespace museum::field;

TEST_CASE_TEMPLATE("a field", F, Gf2, Gf4, Gf16, Gf256, TowerGf16, TowerGf256, Gf3, Gf7, Gf31) {
  bool good = true;
  for (int a = 0; a < F::q; a++) {
    const uint8_t A = uint8_t(a);
    good = good && F::mul(A, 1) == A && F::add(A, F::neg(A)) == 0 && F::sub(0, A) == F::neg(A) && F::inv(0) == 0;
    good = good && (a == 0 || F::mul(A, F::inv(A)) == 1);
    for (int b = 0; b < F::q; b++) {
      const uint8_t B = uint8_t(b), C = uint8_t((7 * a + 3 * b + 1) % F::q);
      good = good && F::mul(A, B) == F::mul(B, A) && F::add(F::sub(A, B), B) == A;
      good = good && F::mul(F::mul(A, B), C) == F::mul(A, F::mul(B, C));
      good = good && F::mul(A, F::add(B, C)) == F::add(F::mul(A, B), F::mul(A, C));
    }
  }
  CHECK(good);
}

TEST_CASE_TEMPLATE("adding a multiple of a vector", F, Gf2, Gf16, Gf256, TowerGf16, TowerGf256, Gf7, Gf31) {
  std::vector<uint8_t> x(16 + 16 + 5), y(x.size());
  for (int a = 0; a < F::q; a++) {
    for (size_t i = 0; i < x.size(); i++) x[i] = uint8_t((i * i + 11 * i + 5) % F::q), y[i] = uint8_t((3 * i + 1) % F::q);
    std::vector<uint8_t> expected = y;
    for (size_t i = 0; i < x.size(); i++) expected[i] = F::add(y[i], F::mul(uint8_t(a), x[i]));
    F::add_scaled(y.data(), uint8_t(a), x.data(), x.size());
    CHECK(y == expected);
  }
}

TEST_CASE("known products") {
  CHECK(Gf256::mul(0x57, 0x83) == 0xc1);  // FIPS 197, section 4.2
  CHECK(Gf7::inv(3) == 5);
  // The towers by their roots: y^2 = y + x, X^2 = X + x y.
  CHECK(TowerGf16::mul(4, 4) == (4 ^ 2));
  CHECK(TowerGf256::mul(0x10, 0x10) == (0x10 ^ 8));
  bool same = true;
  for (int a = 0; a < 16; a++)
    for (int b = 0; b < 16; b++)
      same = same && Gf16::mul(uint8_t(a), uint8_t(b)) == (aioli::GF16{uint8_t(a)} * aioli::GF16{uint8_t(b)}).n;
  CHECK(same);  // the core's GF(16)
}
