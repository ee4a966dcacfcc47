// SPDX-License-Identifier: Apache-2.0
// Singular systems made to happen: any number of them is survived up to 255, and 256 are an error, never a bad signature.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "backend/portable/kernels.hpp"
#include "base/workspace.hpp"
#include "scheme/mayo_expanded.hpp"
#include "scheme/uov.hpp"

using namespace aioli;

namespace {

int fail_first, attempts;

// Declares the first `fail_first` systems singular.
template <class P> struct FailingSolver : ColumnSolver<P> {
  bool solve(typename ColumnSolver<P>::X &x, const typename ColumnSolver<P>::X &r) {
    const bool solved = ColumnSolver<P>::solve(x, r);
    return ++attempts > fail_first && solved;
  }
};
template <class P> struct FailingKernels : PortableKernels<P> {
  using Solver = FailingSolver<P>;
};

using P = Mayo2;
using Scheme = MayoExpanded<P, FailingKernels<P>>;
using Work = Scheme::Work;

struct Setting {
  uint8_t seed[P::sk_seed_bytes] = {7}, R[P::R_bytes] = {8}, digest[P::digest_bytes] = {9}, pk[P::public_key_bytes],
          sig[P::signature_bytes] = {};
  std::vector<uint8_t> memory =
      std::vector<uint8_t>(workspace_bytes<Work::Sign>() + workspace_bytes<Work::Verify>() +
                           workspace_bytes<Work::SignExpanded>() + workspace_bytes<Work::ExpandSecret>());
  Setting() {
    Scratch<Work::Keypair> w(memory.data());
    Scheme::keypair(pk, seed, *w);
  }
  bool sign(int failures) {
    fail_first = failures, attempts = 0;
    Scratch<Work::Sign> w(memory.data());
    return Scheme::sign(sig, digest, seed, R, *w);
  }
  bool sign_expanded(int failures, const Work::SigningKey &key) {
    fail_first = failures, attempts = 0;
    Scratch<Work::SignExpanded> w(memory.data());
    return Scheme::sign(sig, digest, key, R, *w);
  }
  bool verify() {
    Scratch<Work::Verify> w(memory.data());
    return Scheme::verify(sig, digest, pk, *w);
  }
};

}  // namespace

TEST_CASE("signing goes on through singular systems, and gives up after 256") {
  Setting s;
  std::vector<uint8_t> key_memory(sizeof(Work::SigningKey) + 64);
  auto *key = new (Place{align_up(key_memory.data())}) Work::SigningKey;
  {
    Scratch<Work::ExpandSecret> w(s.memory.data());
    Scheme::expand_secret(*key, s.seed, *w);
  }
  std::vector<std::vector<uint8_t>> seen;
  for (int failures : {0, 1, 2, 100, 255}) {
    CAPTURE(failures);
    CHECK(s.sign(failures));
    CHECK(attempts == failures + 1);
    CHECK(s.verify());
    const std::vector<uint8_t> sig(s.sig, s.sig + sizeof s.sig);
    for (const auto &other : seen) CHECK(sig != other);  // other vinegar, other signature
    seen.push_back(sig);
    CHECK(s.sign_expanded(failures, *key));
    CHECK(sig == std::vector<uint8_t>(s.sig, s.sig + sizeof s.sig));
  }
  for (uint8_t &b : s.sig) b = 0;
  CHECK(!s.sign(256));
  CHECK(attempts == 256);
  for (uint8_t b : s.sig) CHECK(b == 0);  // nothing was written
  CHECK(!s.sign_expanded(256, *key));
  CHECK(attempts == 256);
}

TEST_CASE("UOV likewise, and the vinegar of attempt ctr is SHAKE256(M || salt || sk_seed || ctr)") {
  using U = UovParams<Gf256, 57, 22, 1, 3>;
  using Classic = UovClassic<U, FailingKernels<U>>;
  using PkcSkc = UovPkcSkc<U, FailingKernels<U>>;
  const uint8_t seed[U::sk_seed_bytes] = {7}, salt[U::salt_bytes] = {8}, msg[] = {'m', 's', 'g'};
  uint8_t epk[U::epk_bytes], esk[U::esk_bytes], digest[U::digest_bytes];
  Shake256 h;
  h.init();
  h.absorb(msg, sizeof msg);
  h.save(digest);
  std::vector<uint8_t> memory(workspace_bytes<Classic::Work::Keypair>() + workspace_bytes<Classic::Work::Sign>() +
                              workspace_bytes<PkcSkc::Work::Sign>() + workspace_bytes<Classic::Work::Verify>());
  {
    Scratch<Classic::Work::Keypair> w(memory.data());
    Classic::keypair(epk, esk, seed, *w);
  }
  const uint8_t *const O = esk + U::sk_seed_bytes;  // column by column
  const auto signed_with = [&](uint8_t *sig, bool compact, int failures) {
    fail_first = failures, attempts = 0;
    if (compact) {
      Scratch<PkcSkc::Work::Sign> w(memory.data());
      return PkcSkc::sign(sig, digest, seed, salt, *w);
    }
    Scratch<Classic::Work::Sign> w(memory.data());
    return Classic::sign(sig, digest, esk, salt, *w);
  };
  for (const bool compact : {false, true}) {
    CAPTURE(compact);
    for (int failures : {0, 1, 2, 100, 255}) {
      CAPTURE(failures);
      uint8_t sig[U::signature_bytes], vinegar[U::v];
      REQUIRE(signed_with(sig, compact, failures));
      CHECK(attempts == failures + 1);
      {
        Scratch<Classic::Work::Verify> w(memory.data());
        CHECK(Classic::verify(sig, digest, epk, *w));
      }
      shake256(vinegar, sizeof vinegar, View{msg, sizeof msg}, View{salt, sizeof salt}, View{seed, sizeof seed},
               Bytes<1>{{uint8_t(failures)}});
      bool right = true;
      for (int i = 0; i < U::v; i++) {
        GF256 sum{sig[i]};
        for (int j = 0; j < U::o; j++) sum += GF256{O[j * U::v + i]} * GF256{sig[U::v + j]};
        right = right && sum.n == vinegar[i];
      }
      CHECK(right);
      CHECK(std::equal(salt, salt + sizeof salt, sig + U::x_bytes));
    }
    uint8_t sig[U::signature_bytes] = {};
    CHECK(!signed_with(sig, compact, 256));
    CHECK(attempts == 256);
    for (uint8_t b : sig) CHECK(b == 0);  // nothing was written
  }
}
