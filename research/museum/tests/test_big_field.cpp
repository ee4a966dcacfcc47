// SPDX-License-Identifier: Apache-2.0
// GUI, HmFEv and what they compute with.  big_field_model.py compares with a model besides.
#include <doctest/doctest.h>
#include <random>
#include <tuple>
#include "museum/schemes/cstar.hpp"
#include "museum/schemes/gui.hpp"
#include "museum/schemes/hmfev.hpp"

using namespace museum;
using namespace museum::algebra;
using field::BinaryExtension;

static constexpr auto acknowledged = broken::Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing();

template <class K> static typename K::Element random_of(std::mt19937_64 &rng) {
  typename K::Element e;
  for (size_t i = 0; i < size_t(K::bits); i++)
    if (rng() & 1) e.flip(i);
  return e;
}

TEST_CASE_TEMPLATE("products: portable as by PCLMULQDQ", Words, std::array<int, 1>, std::array<int, 2>, std::array<int, 4>) {
  constexpr size_t words = std::tuple_size_v<Words>;
  std::mt19937_64 rng(1);
  for (int round = 0; round < 200; round++) {
    uint64_t a[words], b[words], p[2 * words], expected[2 * words] = {};
    for (size_t k = 0; k < words; k++) a[k] = round == 0 ? ~uint64_t(0) : rng(), b[k] = round < 2 ? ~uint64_t(0) : rng();
    for (size_t i = 0; i < 64 * words; i++)
      for (size_t j = 0; j < 64 * words; j++)
        if (a[i / 64] >> i % 64 & b[j / 64] >> j % 64 & 1) expected[(i + j) / 64] ^= uint64_t(1) << (i + j) % 64;
    field::carryless_product_portable<words>(p, a, b);
    CHECK(std::equal(p, p + 2 * words, expected));
#ifdef MUSEUM_PCLMUL
    if (!field::have_pclmul) continue;
    field::carryless_product_pclmul<words>(p, a, b);
    CHECK(std::equal(p, p + 2 * words, expected));
#endif
  }
}

TEST_CASE_TEMPLATE("a field", K, BinaryExtension<240, 0x129>, BinaryExtension<120, 0x1b>, BinaryExtension<96, 0x641>,
                   BinaryExtension<10, 9>) {
  std::mt19937_64 rng(2);
  // Rabin's test of the modulus: x^(2^n) = x, and x^(2^(n/p)) - x is a unit for the primes p that divide n.
  const auto x = K::Element::of(2);
  CHECK(K::power_of_two(x, K::bits) == x);
  for (const int p : {2, 3, 5})
    if (K::bits % p == 0) {
      const auto difference = K::power_of_two(x, size_t(K::bits / p)) + x;
      CHECK(difference * K::inverse(difference) == K::one());
    }
  for (int round = 0; round < 20; round++) {
    const auto a = random_of<K>(rng), b = random_of<K>(rng), c = random_of<K>(rng);
    CHECK(a * b == b * a);
    CHECK((a * b) * c == a * (b * c));
    CHECK(a * (b + c) == a * b + a * c);
    if (a) CHECK(a * K::inverse(a) == K::one());
    CHECK(K::trace(a) == K::trace(a * a));
  }
  CHECK(!K::inverse({}));
}

TEST_CASE_TEMPLATE("roots as by trying all", D, std::array<int, 3>, std::array<int, 5>, std::array<int, 9>) {
  using K = BinaryExtension<10, 9>;
  std::mt19937_64 rng(3);
  int single = 0;
  for (int round = 0; round < 60; round++) {
    Univariate<K> f;
    for (size_t i = 0; i <= std::tuple_size_v<D>; i++) f.push_back(random_of<K>(rng));
    std::vector<K::Element> roots;
    for (uint64_t e = 0; e < 1024; e++)
      if (!evaluate_at<K>(f, K::Element::of(e))) roots.push_back(K::Element::of(e));
    const auto root = only_root<K>(f);
    CHECK(root.has_value() == (roots.size() == 1));
    if (root) {
      CHECK(*root == roots[0]);
      single++;
    }
    const auto g = product_of_roots<K>(f);
    CHECK(g.size() == roots.size() + 1);
    if (roots.size() > 1) CHECK(!evaluate_at<K>(f, some_root<K>(g)));
  }
  CHECK(single > 5);
}

template <class F, class K> static void subfield() {
  const Subfield<F, K> L;
  std::mt19937_64 rng(4);
  for (int x = 0; x < F::q; x++)
    for (int y = 0; y < F::q; y += 1 + F::q / 16) {
      CHECK(L.image(F::mul(uint8_t(x), uint8_t(y))) == L.image(uint8_t(x)) * L.image(uint8_t(y)));
      CHECK(L.image(F::add(uint8_t(x), uint8_t(y))) == L.image(uint8_t(x)) + L.image(uint8_t(y)));
    }
  CHECK(L.image(1) == K::one());
  const auto e = random_of<K>(rng);
  CHECK(L.from_coordinates(L.coordinates(e).data()) == e);
  Vector<F> scaled = L.coordinates(e);
  for (auto &c : scaled) c = F::mul(c, F::q - 1);
  CHECK(L.coordinates(L.scaled(F::q - 1, e)) == scaled);
}
TEST_CASE("small fields inside large ones") {
  subfield<field::Gf2, BinaryExtension<96, 0x641>>();
  subfield<field::Gf4, BinaryExtension<240, 0x129>>();
  subfield<field::Gf256, BinaryExtension<120, 0x1b>>();
}

TEST_CASE("three quadrics: the only zero, or none") {
  using K = BinaryExtension<6, 3>;
  std::mt19937_64 rng(5);
  int found = 0, missed = 0;
  for (int round = 0; round < 12; round++) {
    ThreeQuadrics<K> P{};
    for (size_t k = 0; k < 3; k++) {
      for (size_t a = 0; a < 3; a++)
        for (size_t b = a; b < 3; b++) P.quadratic[k][a][b] = random_of<K>(rng);
      for (auto &e : P.linear[k]) e = random_of<K>(rng);
    }
    std::vector<std::array<K::Element, 3>> zeros;
    for (uint64_t z = 0; z < 64 * 64 * 64; z++) {
      const std::array<K::Element, 3> Z = {K::Element::of(z & 63), K::Element::of(z >> 6 & 63), K::Element::of(z >> 12)};
      bool zero = true;
      for (size_t k = 0; k < 3 && zero; k++) {
        K::Element e = P.linear[k][3];
        for (size_t a = 0; a < 3; a++) {
          e += P.linear[k][a] * Z[a];
          for (size_t b = a; b < 3; b++) e += P.quadratic[k][a][b] * Z[a] * Z[b];
        }
        zero = !e;
      }
      if (zero) zeros.push_back(Z);
    }
    const auto Z = only_zero<K>(P);
    if (Z) {
      found++;
      REQUIRE(zeros.size() == 1);
      CHECK(*Z == zeros[0]);
    } else if (zeros.size() == 1) {
      missed++;
    }
  }
  CHECK(found > 1);
  CHECK(missed < 3);
}

template <class S> static void signs(size_t public_key_bytes, size_t signature_bytes) {
  const S scheme;
  const auto pair = scheme.keygen(view("seed"));
  const Bytes encoded = S::encode(pair.public_map);
  CHECK(encoded.size() == public_key_bytes);
  const auto decoded = S::decode_public(encoded);
  CHECK(S::encode(decoded) == encoded);
  CHECK_THROWS_AS(S::decode_public(View(encoded).first(100)), std::invalid_argument);
  for (const char *message : {"", "message"}) {
    const Bytes signature = scheme.sign(pair.secret, view(message), acknowledged);
    CHECK(signature.size() == signature_bytes);
    CHECK(S::verify(decoded, view(message), signature));
    CHECK_FALSE(S::verify(decoded, view("something else"), signature));
    CHECK_FALSE(S::verify(decoded, view(message), View(signature).first(signature.size() - 1)));
    for (size_t i = 0; i < signature.size(); i += 3) {
      Bytes changed = signature;
      changed[i] ^= 0x10;
      CHECK_FALSE(S::verify(decoded, view(message), changed));
    }
  }
}
TEST_CASE("GUI signs and verifies, with the sizes of the table") {
  signs<broken::gui::Gui96>(59097, 16);
  signs<broken::gui::Gui240>(921088, 40);
  signs<broken::gui::Gui120>(234752, 36);
}
TEST_CASE("HmFEv signs and verifies, with the sizes of the table") { signs<broken::hmfev::Hmfev256>(87840, 61); }
TEST_CASE("C* signs and verifies, and no two messages have one signature") {
  const broken::cstar::CStar63 scheme;
  const auto pair = scheme.keygen(view("seed"));
  const Bytes first = scheme.sign(pair.secret, view("message"), acknowledged);
  CHECK(first.size() == 8);
  CHECK(scheme.verify(pair.public_map, view("message"), first));
  CHECK_FALSE(scheme.verify(pair.public_map, view("massage"), first));
  CHECK_FALSE(scheme.verify(pair.public_map, view("message"), View(first).first(7)));
  CHECK(first != scheme.sign(pair.secret, view("massage"), acknowledged));
  Bytes changed = first;
  changed[7] |= 0x80;  // 63 of 64 bits are used
  CHECK_FALSE(scheme.verify(pair.public_map, view("message"), changed));
  using K = broken::cstar::CStar63::K;  // the modulus is irreducible: x^(2^63) = x, x^(2^9) - x and x^(2^21) - x are units
  const auto x = K::Element::of(2);
  CHECK(K::power_of_two(x, 63) == x);
  for (const size_t k : {9, 21}) CHECK((K::power_of_two(x, k) + x) * K::inverse(K::power_of_two(x, k) + x) == K::one());
}
// With a message of one byte the vinegar once was a row of a secret matrix.
TEST_CASE("HmFEv draws no vinegar from the streams of the key") {
  using broken::hmfev::Hmfev256;
  const Hmfev256 scheme;
  const Bytes seed(32, 7);
  const auto pair = scheme.keygen(seed);
  const auto signature = unpack<field::Gf256>(scheme.sign(pair.secret, view("a"), acknowledged), Hmfev256::N);
  Vector<field::Gf256> y = museum::algebra::apply(*inverse(pair.secret.S_inverse), *signature);
  field::Gf256::add_scaled(y.data(), 1, pair.secret.s0.data(), y.size());
  const Bytes vinegar(y.begin() + Hmfev256::m, y.end());
  bool of_the_key = false;
  for (int counter = 0; counter < 256; counter++) {
    const uint8_t label[2] = {'a', uint8_t(counter)};
    of_the_key = of_the_key || shake256({seed, label}, Hmfev256::v) == vinegar;
  }
  CHECK_FALSE(of_the_key);
}
TEST_CASE("spare bits of a signature are zero") {
  const broken::gui::Gui96 scheme;
  const auto pair = scheme.keygen(view("seed"));
  Bytes signature = scheme.sign(pair.secret, view("message"), acknowledged);
  REQUIRE(scheme.verify(pair.public_map, view("message"), signature));
  signature.back() |= 0x80;  // 126 of 128 bits are used
  CHECK_FALSE(scheme.verify(pair.public_map, view("message"), signature));
}
