// SPDX-License-Identifier: Apache-2.0
// Which known answers need a second attempt: the restart path is exercised, at exactly the published records.
#include <doctest/doctest.h>

#include <vector>

#include "backend/portable/kernels.hpp"
#include "base/workspace.hpp"
#include "../../cli/drbg.hpp"
#include "scheme/mayo.hpp"
#include "support.hpp"

using namespace aioli;

namespace {

int singular;  // systems refused so far

template <class P> struct CountingSolver : ColumnSolver<P> {
  bool solve(typename ColumnSolver<P>::X &x, const typename ColumnSolver<P>::X &r) {
    const bool solved = ColumnSolver<P>::solve(x, r);
    singular += !solved;
    return solved;
  }
};
template <class P> struct CountingKernels : PortableKernels<P> {
  using Solver = CountingSolver<P>;
};

template <class P> std::vector<int> restarts() {
  using Scheme = Mayo<P, CountingKernels<P>>;
  std::vector<uint8_t> memory(workspace_bytes<typename Scheme::Work::Sign>());
  uint8_t outer_seed[48];
  for (int i = 0; i < 48; i++) outer_seed[i] = uint8_t(i);
  aioli::cli::NistDrbg outer(outer_seed);
  std::vector<int> found;
  for (int count = 0; count < 100; count++) {
    uint8_t seed[48], digest[P::digest_bytes], sk[P::sk_seed_bytes], R[P::R_bytes], sig[P::signature_bytes];
    test::Buffer msg(33 * (size_t(count) + 1));
    outer.generate(seed);
    outer.generate(msg);
    aioli::cli::NistDrbg inner(seed);
    inner.generate(sk);
    inner.generate(R);
    shake256(digest, sizeof digest, View{msg.data(), msg.size()});
    singular = 0;
    {
      Scratch<typename Scheme::Work::Sign> work(memory.data());
      REQUIRE(Scheme::sign(sig, digest, sk, R, *work));
    }
    CHECK(singular <= 1);
    if (singular > 0) found.push_back(count);
  }
  return found;
}

}  // namespace

TEST_CASE("MAYO-1 of round 3 restarts at eight of its hundred records") {
  CHECK(restarts<Mayo1>() == std::vector<int>{12, 30, 40, 47, 48, 61, 80, 89});
}
TEST_CASE("MAYO-3 of round 3 restarts at record 80") { CHECK(restarts<Mayo3>() == std::vector<int>{80}); }
TEST_CASE("MAYO-2 of round 3 never restarts") { CHECK(restarts<Mayo2>().empty()); }
