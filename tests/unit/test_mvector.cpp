// SPDX-License-Identifier: Apache-2.0
// m-vectors and what is made of them, on every parameter set: packed bytes, polynomials modulo f(z), bit slices, whipping.
// The templates are reached through small adapters, so that the checks are compiled once.
#include <bit>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "linalg/bit_slices.hpp"
#include "oracle/algebra.hpp"
#include "scheme/mayo_whipping.hpp"

using oracle::Vector;

namespace {

struct Term {
  int exponent;
  Vector a;
};

struct Adapter {
  const char *name;
  int m, m_bytes, k, o, pairs, places;  // places: elements that the words of an m-vector have room for
  unsigned f_tail;
  Vector (*load)(const uint8_t *p);            // all places
  void (*store)(uint8_t *p, const Vector &a);  // m elements
  Vector (*sum)(const Vector &a, const Vector &b);
  bool (*equal)(const Vector &a, const Vector &b);
  Vector (*combine)(const std::vector<Term> &terms);       // sum of z^e a modulo f, e <= pairs
  Vector (*combine_few)(const std::vector<Term> &terms);   // e <= 1
  Vector (*combine_word)(const std::vector<Term> &terms);  // e <= 16
  int (*exponent)(int i, int j);
  std::vector<Vector (*)(const std::vector<Vector> &U)> whip;            // k x k; without vectors, and with
  std::vector<Vector> (*whip_columns[3])(const std::vector<Vector> &M);  // k x o in, k o columns out; so many lanes or others
  void (*to_nibbles)(uint8_t *p);                                        // null unless m is a multiple of 16
  void (*to_planes)(uint8_t *p);
};

template <class P> struct Of {
  using V = aioli::Mvector<P>;

  static V packed(const Vector &a) {
    V v;
    v.zero();
    for (int i = 0; i < P::m; i++) v.w[i / 16] |= uint64_t(a[size_t(i)]) << (4 * (i % 16));
    return v;
  }
  static Vector unpacked(const V &v) {
    Vector a(16 * V::words);
    for (size_t i = 0; i < a.size(); i++) a[i] = v.w[i / 16] >> (4 * (i % 16)) & 15;
    return a;
  }
  static Vector load(const uint8_t *p) {
    V v;
    std::memset(&v, 0xa5, sizeof v);
    v.load(p);
    for (int i = 0; i < P::m; i++)
      if (v[i].n != (v.w[i / 16] >> (4 * (i % 16)) & 15)) return {};
    return unpacked(v);
  }
  static void store(uint8_t *p, const Vector &a) { packed(a).store(p); }
  static Vector sum(const Vector &a, const Vector &b) {
    V v = packed(a);
    v += packed(b);
    return unpacked(v);
  }
  static bool equal(const Vector &a, const Vector &b) { return packed(a) == packed(b); }

  template <int Degree> static Vector combine(const std::vector<Term> &terms) {
    struct {
      aioli::Wide<P, Degree> sum;
      uint64_t behind;
    } s;
    std::memset(&s, 0xa5, sizeof s);
    s.sum.zero();
    for (const Term &t : terms) s.sum.add_shifted(packed(t.a), t.exponent);
    V v;
    std::memset(&v, 0xa5, sizeof v);
    s.sum.reduce(&v);
    return s.behind == 0xa5a5a5a5a5a5a5a5 ? unpacked(v) : Vector();
  }

  static int exponent(int i, int j) {
    constexpr auto whipping = P::whipping();
    return whipping.exponent[i][j];
  }
  struct Accumulators {
    std::vector<Vector> e;
    void get_upper(V &to, int i, int j) const {  // of U
      to = packed(e[size_t(i * P::k + j)]);
      if (i != j) to += packed(e[size_t(j * P::k + i)]);
    }
  };
  template <bool vectors> static Vector whip(const std::vector<Vector> &U) {
    static aioli::PowerSum<P, P::pairs, vectors> sum;
    std::memset(static_cast<void *>(&sum), 0xa5, sizeof sum);
    V y;
    std::memset(&y, 0xa5, sizeof y);
    aioli::whip<P>(y, Accumulators{U}, sum);
    return unpacked(y);
  }
  static std::vector<Vector (*)(const std::vector<Vector> &)> whips() {
    if constexpr (std::endian::native == std::endian::little) return {whip<false>, whip<true>};
    return {whip<false>};
  }
  template <int Lanes> static std::vector<Vector> whip_columns(const std::vector<Vector> &M) {
    static V in[P::k][P::o], out[P::k * P::o];
    static aioli::WhippingColumn<P, Lanes> column;
    for (int i = 0; i < P::k; i++)
      for (int c = 0; c < P::o; c++) in[i][c] = packed(M[size_t(i * P::o + c)]);
    aioli::whip_columns<P>(out, in, column);
    std::vector<Vector> columns;
    for (const V &v : out) columns.push_back(unpacked(v));
    return columns;
  }

  static Adapter adapter(const char *name) {
    Adapter a{name,
              P::m,
              P::m_bytes,
              P::k,
              P::o,
              P::pairs,
              16 * V::words,
              P::f_tail,
              load,
              store,
              sum,
              equal,
              combine<P::pairs>,
              combine<1>,
              combine<16>,
              exponent,
              whips(),
              {whip_columns<1>, whip_columns<4>, whip_columns<8>},
              nullptr,
              nullptr};
    if constexpr (P::m % 32 == 0) a.to_nibbles = aioli::planes_to_nibbles<P>, a.to_planes = aioli::nibbles_to_planes<P>;
    static_assert(P::slicing == aioli::Slicing::nibbles || P::m % 32 == 0);
    return a;
  }
};

std::vector<Adapter> adapters() {
  return {
#define AIOLI_MAYO_SET(identifier, name, params) Of<aioli::params>::adapter(name),
#include "oracle/mayo_sets.inc"
#undef AIOLI_MAYO_SET
  };
}

template <class F> void on_every_set(F f) {
  for (const Adapter &s : adapters()) {
    INFO("set ", s.name);
    f(s);
  }
}

Vector padded(Vector a, int places) {
  a.resize(size_t(places));
  return a;
}

Vector expected_combination(const Adapter &s, const std::vector<Term> &terms) {
  Vector sum(size_t(s.m + 200));
  for (const Term &t : terms)
    for (int i = 0; i < s.m; i++) sum[size_t(t.exponent + i)] = uint8_t(sum[size_t(t.exponent + i)] ^ t.a[size_t(i)]);
  return padded(oracle::remainder(sum, oracle::modulus(s.m, s.f_tail)), s.places);
}

}  // namespace

TEST_CASE("every set of the registry is here") { CHECK(adapters().size() >= 4); }

TEST_CASE("load: any address, nothing behind the m-vector matters, past m is zero") {
  oracle::Random random(30);
  on_every_set([&](const Adapter &s) {
    for (int offset = 0; offset < 17; offset++) {
      const Vector a = oracle::random_vector(random, s.m);
      const oracle::Bytes bytes = oracle::pack(a);
      oracle::Bytes memory = random.bytes(size_t(offset + s.m_bytes + 9));
      std::copy(bytes.begin(), bytes.end(), memory.begin() + offset);
      CHECK(s.load(memory.data() + offset) == padded(a, s.places));
      memory.resize(size_t(offset + s.m_bytes));
      const oracle::Bytes exact = memory;  // a sanitizer sees a byte too many
      CHECK(s.load(exact.data() + offset) == padded(a, s.places));
    }
  });
}

TEST_CASE("store: any address, and not a byte beside") {
  oracle::Random random(31);
  on_every_set([&](const Adapter &s) {
    for (size_t offset = 0; offset < 17; offset++) {
      const Vector a = oracle::random_vector(random, s.m);
      const oracle::Bytes bytes = oracle::pack(a), around = random.bytes(offset + size_t(s.m_bytes) + 9);
      oracle::Bytes memory = around, expected = around;
      std::copy(bytes.begin(), bytes.end(), expected.begin() + int(offset));
      s.store(memory.data() + offset, a);
      CHECK(memory == expected);
      oracle::Bytes exact(offset + size_t(s.m_bytes));
      s.store(exact.data() + offset, a);
      CHECK(std::equal(bytes.begin(), bytes.end(), exact.begin() + int(offset)));
    }
  });
}

TEST_CASE("sums and comparison") {
  oracle::Random random(32);
  on_every_set([&](const Adapter &s) {
    const Vector a = oracle::random_vector(random, s.m), b = oracle::random_vector(random, s.m);
    Vector c = a;
    oracle::add_multiple(c, 1, b);
    CHECK(s.sum(a, b) == padded(c, s.places));
    CHECK(s.equal(a, a));
    for (int i = 0; i < s.m; i++)
      for (int bit = 0; bit < 4; bit++) {
        Vector d = a;
        d[size_t(i)] = uint8_t(d[size_t(i)] ^ 1 << bit);
        CHECK_FALSE(s.equal(a, d));
      }
  });
}

TEST_CASE("polynomials: one term, every exponent") {
  oracle::Random random(33);
  on_every_set([&](const Adapter &s) {
    for (int e = 0; e <= s.pairs; e++) {
      CAPTURE(e);
      std::vector<Term> terms = {{e, oracle::random_vector(random, s.m)}};
      CHECK(s.combine(terms) == expected_combination(s, terms));
      terms[0].a.assign(size_t(s.m), 15);
      CHECK(s.combine(terms) == expected_combination(s, terms));
      for (int place : {0, s.m - 17, s.m - 2, s.m - 1}) {
        terms[0].a.assign(size_t(s.m), 0);
        terms[0].a[size_t(place)] = random.nonzero_element();
        CHECK(s.combine(terms) == expected_combination(s, terms));
      }
    }
  });
}

TEST_CASE("polynomials: sums of terms, and sums of other degrees") {
  oracle::Random random(34);
  on_every_set([&](const Adapter &s) {
    const auto check = [&](Vector (*combine)(const std::vector<Term> &), int degree, int count) {
      CAPTURE(degree);
      CAPTURE(count);
      std::vector<Term> terms;
      for (int i = 0; i < count; i++)
        terms.push_back({i == 0 ? degree : random.between(0, degree), oracle::random_vector(random, s.m)});
      CHECK(combine(terms) == expected_combination(s, terms));
    };
    for (int count : {0, 1, 2, 7, 300}) {
      check(s.combine, s.pairs, count);
      check(s.combine_few, 1, count);
      check(s.combine_word, 16, count);
    }
  });
}

// Of the multiplication by z in F[z]/f(z) the scheme needs that this is a field.  Rabin's test: z^(16^m) = z, and z^(16^(m/p)) -
// z has no factor in common with f for any prime p that divides m.
TEST_CASE("f(z) is irreducible over F") {
  on_every_set([](const Adapter &s) {
    const Vector f = oracle::modulus(s.m, s.f_tail), z = padded({0, 1}, s.m);
    std::vector<Vector> powers = {z};  // z^(16^i)
    while (int(powers.size()) <= s.m) {
      Vector a = powers.back();
      for (int squaring = 0; squaring < 4; squaring++) {
        Vector square(size_t(2 * s.m));
        for (int i = 0; i < s.m; i++) square[size_t(2 * i)] = oracle::multiply(a[size_t(i)], a[size_t(i)]);
        a = oracle::remainder(square, f);
      }
      powers.push_back(a);
    }
    CHECK(powers[size_t(s.m)] == z);
    for (int p = 2; p <= s.m; p++) {
      bool prime = true;
      for (int d = 2; d * d <= p; d++) prime = prime && p % d != 0;
      if (!prime || s.m % p != 0) continue;
      CAPTURE(p);
      Vector difference = powers[size_t(s.m / p)];
      oracle::add_multiple(difference, 1, z);
      CHECK(oracle::degree(oracle::greatest_common_divisor(f, difference)) == 0);
    }
  });
}

TEST_CASE("bit slices: the definition, and there and back at any address") {
  oracle::Random random(35);
  int sets = 0;
  on_every_set([&](const Adapter &s) {
    if (s.to_nibbles == nullptr) return;
    sets++;
    for (size_t offset = 0; offset < 9; offset++) {
      const Vector a = oracle::random_vector(random, s.m);
      const oracle::Bytes nibbles = oracle::pack(a), planes = oracle::pack_planes(a);
      const oracle::Bytes around = random.bytes(offset + size_t(s.m_bytes) + 9);
      oracle::Bytes as_nibbles = around, as_planes = around;
      std::copy(nibbles.begin(), nibbles.end(), as_nibbles.begin() + int(offset));
      std::copy(planes.begin(), planes.end(), as_planes.begin() + int(offset));
      oracle::Bytes memory = as_nibbles;
      s.to_planes(memory.data() + offset);
      CHECK(memory == as_planes);
      s.to_nibbles(memory.data() + offset);
      CHECK(memory == as_nibbles);
    }
    for (int i = 0; i < s.m; i++) {  // single bits
      Vector a(size_t(s.m));
      a[size_t(i)] = uint8_t(1 << i % 4);
      oracle::Bytes memory = oracle::pack_planes(a);
      s.to_nibbles(memory.data());
      CHECK(memory == oracle::pack(a));
      s.to_planes(memory.data());
      CHECK(memory == oracle::pack_planes(a));
    }
  });
  CHECK(sets > 0);
}

TEST_CASE("whipping schedules: symmetric, every exponent once") {
  on_every_set([](const Adapter &s) {
    std::vector<int> times(size_t(s.pairs));
    for (int i = 0; i < s.k; i++)
      for (int j = 0; j < s.k; j++) {
        const int e = s.exponent(i, j);
        CHECK(e == s.exponent(j, i));
        REQUIRE((0 <= e && e < s.pairs));
        if (i <= j) times[size_t(e)]++;
      }
    CHECK(times == std::vector<int>(size_t(s.pairs), 1));
  });
}

TEST_CASE("whipping schedules of rounds 1 and 2 count: i upwards, within it j downwards") {
  on_every_set([](const Adapter &s) {
    if (std::string(s.name).find("-r") == std::string::npos) return;
    int e = 0;
    for (int i = 0; i < s.k; i++)
      for (int j = s.k - 1; j >= i; j--) CHECK(s.exponent(i, j) == e++);
  });
}

// What round 3's schedules were chosen for: no square submatrix of (z^e(i,j)) is singular.  Of sizes 2 and 3 here; an exchange of
// two exponents, which would still be a permutation, breaks it with near certainty.
TEST_CASE("whipping schedules of round 3: minors of size 2 and 3 are not zero") {
  const auto combinations = [](int k, int size) {
    std::vector<std::vector<int>> all;
    for (int a = 0; a < k; a++)
      for (int b = a + 1; b < k; b++) {
        if (size == 2) all.push_back({a, b});
        for (int c = b + 1; c < k && size == 3; c++) all.push_back({a, b, c});
      }
    return all;
  };
  on_every_set([&](const Adapter &s) {
    if (std::string(s.name).find("-r") != std::string::npos) return;
    const Vector f = oracle::modulus(s.m, s.f_tail);
    std::vector<Vector> powers;
    for (int e = 0; e <= 3 * s.pairs; e++) powers.push_back(oracle::remainder(oracle::power_of_z(e), f));
    int singular = 0;
    for (int size : {2, 3})
      for (const auto &rows : combinations(s.k, size))
        for (const auto &columns : combinations(s.k, size)) {
          Vector determinant(size_t(s.m));
          std::vector<int> order = {0, 1, 2};
          order.resize(size_t(size));
          do {
            int e = 0;
            for (size_t i = 0; i < order.size(); i++) e += s.exponent(rows[i], columns[size_t(order[i])]);
            oracle::add_multiple(determinant, 1, powers[size_t(e)]);
          } while (std::next_permutation(order.begin(), order.end()));
          singular += oracle::degree(determinant) < 0;
        }
    CHECK(singular == 0);
  });
}

TEST_CASE("whipping: the sum over pairs, and the columns") {
  oracle::Random random(36);
  on_every_set([&](const Adapter &s) {
    std::vector<Vector> U, M;
    for (int i = 0; i < s.k * s.k; i++) U.push_back(oracle::random_vector(random, s.m));
    for (int i = 0; i < s.k * s.o; i++) M.push_back(oracle::random_vector(random, s.m));
    std::vector<Term> terms;
    for (int i = 0; i < s.k; i++)
      for (int j = i; j < s.k; j++) {
        Vector u = U[size_t(i * s.k + j)];
        if (i != j) oracle::add_multiple(u, 1, U[size_t(j * s.k + i)]);
        terms.push_back({s.exponent(i, j), u});
      }
    for (const auto whip : s.whip) CHECK(whip(U) == expected_combination(s, terms));

    for (const auto whip_columns : s.whip_columns) {
      const std::vector<Vector> columns = whip_columns(M);
      REQUIRE(columns.size() == M.size());
      for (int i = 0; i < s.k; i++)
        for (int c = 0; c < s.o; c++) {
          terms.clear();
          for (int j = 0; j < s.k; j++) terms.push_back({s.exponent(i, j), M[size_t(j * s.o + c)]});
          CHECK(columns[size_t(i * s.o + c)] == expected_combination(s, terms));
        }
    }
  });
}
