// SPDX-License-Identifier: Apache-2.0
// SHAKE256 against the vectors that make_shake256_vectors.py writes, whole and in pieces.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "base/cpu.hpp"
#include "oracle/random.hpp"
#include "symmetric/keccak_plain.hpp"
#include "symmetric/keccak_round.hpp"
#include "symmetric/shake256.hpp"

#define AIOLI_BACKEND(identifier, ...)   \
  namespace aioli::identifier {          \
  void keccak_f1600(uint64_t state[25]); \
  }
#include "backend/backends.def"
#undef AIOLI_BACKEND

using namespace aioli;

namespace {

struct Example {
  oracle::Bytes message, output;
};

std::vector<Example> read_examples() {
  std::vector<Example> examples;
  std::ifstream in(AIOLI_SHAKE256_VECTORS);
  size_t n, outputs;
  std::string hex;
  while (in >> n >> outputs >> hex) {
    Example e{oracle::Bytes(n), oracle::Bytes(outputs)};
    for (size_t i = 0; i < n; i++) e.message[i] = uint8_t(7 * i + 13 * n + i / 256 + 1);
    for (size_t i = 0; i < outputs; i++) e.output[i] = uint8_t(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
    examples.push_back(std::move(e));
  }
  return examples;
}
const std::vector<Example> &examples() {
  static const std::vector<Example> e = read_examples();
  return e;
}

// In pieces of any size up to the largest, as init, absorb, finish and squeeze take them.
template <class Shake> oracle::Bytes in_pieces(Shake &h, const Example &e, int largest, oracle::Random &random) {
  for (size_t at = 0; at < e.message.size();) {
    const size_t n = std::min(size_t(random.between(0, largest)), e.message.size() - at);
    const oracle::Bytes piece(e.message.begin() + int(at), e.message.begin() + int(at + n));
    h.absorb(piece.data(), n);
    at += n;
  }
  h.finish();
  oracle::Bytes out;
  while (out.size() < e.output.size()) {
    oracle::Bytes piece(std::min(size_t(random.between(0, largest)), e.output.size() - out.size()));
    h.squeeze(piece.data(), piece.size());
    out.insert(out.end(), piece.begin(), piece.end());
  }
  return out;
}

// Keccak-f[1600] of a backend, against that of the baseline, which has the vectors.
template <void permutation(uint64_t state[25])> void check_permutation(const char *name, bool usable) {
  if (!usable) return;
  CAPTURE(name);
  std::printf("permutation of %s\n", name);  // whoever ran this for one backend can see that it was there
  oracle::Random random(43);
  const auto same = [](const uint64_t(&start)[25]) {
    struct Guarded {
      uint64_t before, state[25], after;
    } a = {1, {}, 2}, b = a;
    for (int i = 0; i < 25; i++) a.state[i] = b.state[i] = start[i];
    for (int times = 0; times < 3; times++) {
      permutation(a.state);
      keccak_f1600(b.state);
      for (int i = 0; i < 25; i++) {
        CAPTURE(i);
        CHECK(a.state[i] == b.state[i]);
      }
      CHECK(a.before == 1);
      CHECK(a.after == 2);
    }
  };
  uint64_t state[25] = {};
  same(state);
  for (int bit = 0; bit < 1600; bit++) {  // each alone
    state[bit / 64] = uint64_t(1) << bit % 64;
    same(state);
    state[bit / 64] = 0;
  }
  for (int trial = 0; trial < 200; trial++) {
    for (uint64_t &lane : state)
      for (int i = 0; i < 8; i++) lane = lane << 8 | uint64_t(random.between(0, 255));
    same(state);
  }
  for (const Example &e : examples()) {
    CAPTURE(e.message.size());
    Shake256On<permutation> h;
    h.init();
    CHECK(in_pieces(h, e, 300, random) == e.output);
  }
}

}  // namespace

TEST_CASE("the permutation of every backend") {
#define AIOLI_BACKEND(identifier, kernels, families, rounds, usable, flags) \
  check_permutation<aioli::kernels::keccak_f1600>(#identifier, usable);
#include "backend/backends.def"
#undef AIOLI_BACKEND
}

TEST_CASE("the vectors are there") {
  INFO("read from " AIOLI_SHAKE256_VECTORS);
  REQUIRE(examples().size() == 308);
  for (size_t n = 0; n <= 300; n++) CHECK(examples()[n].message.size() == n);
}

TEST_CASE("every message length from 0 to 300, and long ones") {
  for (const Example &e : examples()) {
    CAPTURE(e.message.size());
    oracle::Bytes out(e.output.size());
    shake256(out.data(), out.size(), View{e.message.data(), e.message.size()});
    CHECK(out == e.output);
  }
}

TEST_CASE("absorbed and squeezed in pieces of any size") {
  oracle::Random random(40);
  for (const Example &e : examples())
    for (int largest : {1, 7, 8, 64, 135, 136, 137, 300}) {
      CAPTURE(e.message.size());
      CAPTURE(largest);
      Shake256 h;
      for (int fresh = 0; fresh < 2; fresh++) {  // init forgets what was before
        h.init();
        if (fresh == 0) h.absorb(e.output.data(), e.output.size());
      }
      CHECK(in_pieces(h, e, largest, random) == e.output);
    }
}

TEST_CASE("several parts are one message; nothing is written behind the output") {
  for (const Example &e : examples()) {
    if (e.message.size() < 3) continue;
    const uint8_t *m = e.message.data();
    const size_t n = e.message.size(), first = n / 3;
    oracle::Bytes out(e.output.size() + 8, 0xee);
    const Bytes<1> one = {{m[first]}};
    shake256(out.data(), e.output.size(), View{m, first}, one, View{nullptr, 0}, View{m + first + 1, n - first - 1});
    oracle::Bytes expected = e.output;
    expected.resize(expected.size() + 8, 0xee);
    CHECK(out == expected);
  }
}

// Where there is assembly for it, this is what it means; the vectors above see few states.
TEST_CASE("the permutation is its 24 rounds") {
  oracle::Random random(41);
  for (int trial = 0; trial < 300; trial++) {
    uint64_t state[25];
    KeccakPlain<1> a[25], b[25], columns[5];
    for (int i = 0; i < 25; i++) {
      state[i] = random.next();
      if (trial < 65) state[i] = trial < 64 && i == trial % 25 ? uint64_t(1) << trial : 0;
      a[i] = KeccakPlain<1>::broadcast(state[i]);
      state[i] = keccak_form(state[i]);
    }
    for (int round = 0; round < keccak_rounds; round++) {
      keccak_columns(columns, a);
      keccak_round(b, a, columns, keccak_constants.rc[round]);
      for (int i = 0; i < 25; i++) a[i] = b[i];
    }
    keccak_f1600(state);
    for (int i = 0; i < 25; i++) CHECK(keccak_lane(state[i]) == a[i].v[0]);
  }
}

TEST_CASE("interleaving") {
  for (int i = 0; i < 64; i++) {
    CAPTURE(i);
    const uint64_t lane = uint64_t(1) << i, words = uint64_t(1) << (i / 2 + 32 * (i % 2));
    CHECK(keccak_interleaved(lane) == words);
    CHECK(keccak_deinterleaved(words) == lane);
    CHECK(keccak_interleaved(~lane) == ~words);
    CHECK(keccak_lane(keccak_form(lane)) == lane);
  }
}
