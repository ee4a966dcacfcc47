// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "field/gf16.hpp"
#include "field/gf256.hpp"
#include "oracle/algebra.hpp"

using namespace aioli;

namespace {

uint8_t element(uint64_t w, int i) { return uint8_t(w >> (4 * i) & 15); }

uint64_t random_word(oracle::Random &random, int kind) {
  switch (kind) {
    case 0: return 0;
    case 1: return ~uint64_t(0);
    case 2: return uint64_t(random.nonzero_element()) << (4 * random.below(16));
    default: return random.next();
  }
}

}  // namespace

TEST_CASE("the oracle's product is that of the specification") {
  CHECK(oracle::multiply(2, 8) == 3);
  CHECK(oracle::multiply(15, 15) == 10);
  const uint8_t inverses[16] = {0, 1, 9, 14, 13, 11, 7, 6, 15, 2, 12, 5, 10, 4, 3, 8};
  for (uint8_t a = 0; a < 16; a++) CHECK(oracle::invert(a) == inverses[a]);
}

TEST_CASE("elements: sum, product, inverse, all of them") {
  for (uint8_t a = 0; a < 16; a++) {
    CHECK(inverse(GF16{a}).n == oracle::invert(a));
    for (uint8_t b = 0; b < 16; b++) {
      CAPTURE(int(a));
      CAPTURE(int(b));
      CHECK((GF16{a} * GF16{b}).n == oracle::multiply(a, b));
      CHECK((GF16{a} + GF16{b}).n == (a ^ b));
      GF16 sum{a};
      sum += GF16{b};
      CHECK(sum.n == (a ^ b));
      CHECK((GF16{a} == GF16{b}) == (a == b));
    }
  }
}

TEST_CASE("words: every product at every place beside random neighbours") {
  oracle::Random random(10);
  int wrong = 0;
  for (int place = 0; place < 16; place++)
    for (uint8_t a = 0; a < 16; a++)
      for (uint8_t b = 0; b < 16; b++) {
        const uint64_t keep = ~(uint64_t(15) << (4 * place));
        const uint64_t x = (random.next() & keep) | uint64_t(a) << (4 * place);
        const uint64_t y = (random.next() & keep) | uint64_t(b) << (4 * place);
        const uint64_t scaled = gf16::mul(gf16::multiples(x), gf16::scalar(GF16{b})), product = gf16::mul_elementwise(x, y);
        for (int i = 0; i < 16; i++) {
          wrong += element(scaled, i) != oracle::multiply(element(x, i), b);
          wrong += element(product, i) != oracle::multiply(element(x, i), element(y, i));
        }
      }
  CHECK(wrong == 0);
}

TEST_CASE("words: times x, multiples, sum of elements, scalars") {
  oracle::Random random(11);
  for (int trial = 0; trial < 200; trial++) {
    const uint64_t w = random_word(random, trial % 4);
    CAPTURE(w);
    const gf16::Multiples multiples = gf16::multiples(w);
    uint8_t sum = 0;
    int wrong = 0;
    for (int i = 0; i < 16; i++) {
      sum = uint8_t(sum ^ element(w, i));
      wrong += element(gf16::times_x(w), i) != oracle::multiply(2, element(w, i));
      for (int b = 0; b < 4; b++) wrong += element(multiples.w[b], i) != oracle::multiply(uint8_t(1 << b), element(w, i));
    }
    CHECK(wrong == 0);
    CHECK(gf16::sum(w).n == sum);
  }
  for (uint8_t a = 0; a < 16; a++)
    for (int b = 0; b < 4; b++) CHECK(gf16::scalar(GF16{a}).mask[b] == (a >> b & 1 ? ~uint64_t(0) : 0));
}

TEST_CASE("packed vectors: places and lengths") {
  oracle::Random random(12);
  uint64_t w[3] = {random.next(), random.next(), random.next()};
  for (int i = 0; i < 48; i++) {
    CHECK(gf16::get(w, i).n == element(w[i / 16], i % 16));
    for (uint8_t a = 0; a < 16; a++) CHECK(gf16::at(GF16{a}, i) == uint64_t(a) << (4 * (i % 16)));
  }
  for (int n = 0; n <= 200; n++) {
    int words = 0;
    while (16 * words < n) words++;
    CHECK(gf16::words(n) == words);
  }
  for (int count = 0; count <= 16; count++) {
    uint64_t kept = 0;
    for (int i = 0; i < count; i++) kept |= uint64_t(15) << (4 * i);
    CHECK(gf16::first(count) == kept);
  }
  CHECK(gf16::first(17) == ~uint64_t(0));
}

namespace {

// By the definition: polynomials over GF(2) modulo x^8 + x^4 + x^3 + x + 1.
uint8_t multiply256(unsigned a, unsigned b) {
  unsigned product = 0;
  for (int i = 0; i < 8; i++)
    if (b >> i & 1) product ^= a << i;
  for (int degree = 14; degree >= 8; degree--)
    if (product >> degree & 1) product ^= 0x11bu << (degree - 8);
  return uint8_t(product);
}

}  // namespace

TEST_CASE("GF(256): all products and inverses, of elements and in words") {
  CHECK(multiply256(0x57, 0x83) == 0xc1);  // FIPS 197, 4.2
  oracle::Random random(20);
  int wrong = 0;
  for (unsigned a = 0; a < 256; a++) {
    const GF256 A{uint8_t(a)};
    wrong += a != 0 ? multiply256(a, inverse(A).n) != 1 : inverse(A).n != 0;
    const gf256::Scalar scalar = Gf256::scalar(A);
    for (unsigned b = 0; b < 256; b++) {
      const GF256 B{uint8_t(b)};
      const uint8_t product = multiply256(a, b);
      wrong += (A * B).n != product;
      const int place = int((a + b) % 8);
      const uint64_t neighbours = random.next() & ~Gf256::at({255}, place), word = neighbours | Gf256::at(B, place);
      wrong += Gf256::get(&word, place).n != b;
      const uint64_t scaled = Gf256::mul(Gf256::multiples(word), scalar);
      const uint64_t elementwise = Gf256::mul_elementwise(word, Gf256::everywhere(A));
      for (int i = 0; i < 8; i++) wrong += uint8_t(scaled >> (8 * i)) != multiply256(a, uint8_t(word >> (8 * i)));
      wrong += scaled != elementwise;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("GF(256): sums and masks of words") {
  oracle::Random random(21);
  for (int i = 0; i < 1000; i++) {
    const uint64_t w = random.next() & random.next() & random.next();
    uint8_t sum = 0;
    for (int e = 0; e < 8; e++) {
      const uint8_t x = uint8_t(w >> (8 * e));
      sum ^= x;
      CHECK((Gf256::nonzero(w) >> (8 * e) & 255) == (x != 0));
    }
    CHECK(Gf256::sum(w).n == sum);
    CHECK(Gf256::fill(Gf256::nonzero(w)) == Gf256::nonzero(w) * 255);
  }
}
