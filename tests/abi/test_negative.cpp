// SPDX-License-Identifier: Apache-2.0
// Forgeries of every kind are refused, by every set and backend.
#include <doctest/doctest.h>

#include "support.hpp"

using test::Buffer;
using test::Key;
using test::pattern;

TEST_CASE("a change anywhere is refused") {
  for (const aioli_alg *alg : test::all_algs()) {
    const std::string name = aioli_alg_name(alg);
    CAPTURE(name);
    const Key key(alg), other(alg, 77);
    const Buffer msg = pattern(100, 1), sig = key.sign(msg);
    const size_t n = sig.size(), salt = aioli_randomness_bytes(alg);
    test::each_backend([&](const std::string &backend) {
      CAPTURE(backend);
      REQUIRE(key.verify(sig, msg) == AIOLI_OK);
      CHECK(other.verify(sig, msg) == AIOLI_ERR_SIGNATURE);
      CHECK(key.verify(Buffer(n), msg) == AIOLI_ERR_SIGNATURE);
      CHECK(key.verify(Buffer(n, 0xff), msg) == AIOLI_ERR_SIGNATURE);
      // First and last byte of s, of the salt, and some between; of round 1's MAYO-3 also the last half byte of s, which is no
      // element.
      for (size_t at : {size_t(0), size_t(1), n / 3, n / 2, n - salt - 1, n - salt, n - 1}) {
        CAPTURE(at);
        for (uint8_t flip : {0x01, 0x80}) {
          Buffer bad = sig;
          bad[at] ^= flip;
          CHECK(key.verify(bad, msg) == AIOLI_ERR_SIGNATURE);
        }
      }
      for (size_t at : {size_t(0), size_t(15), size_t(16), key.pk.size() / 2, key.pk.size() - 1}) {
        CAPTURE(at);
        Key bad = key;
        bad.pk[at] ^= 0x01;
        CHECK(bad.verify(sig, msg) == AIOLI_ERR_SIGNATURE);
      }
      for (size_t at : {size_t(0), msg.size() - 1}) {
        Buffer bad = msg;
        bad[at] ^= 0x20;
        CHECK(key.verify(sig, bad) == AIOLI_ERR_SIGNATURE);
      }
      CHECK(key.verify(sig, Buffer(msg.begin(), msg.end() - 1)) == AIOLI_ERR_SIGNATURE);
      CHECK(key.verify(sig, {}) == AIOLI_ERR_SIGNATURE);
    });
  }
}

TEST_CASE("rounds do not mix: MAYO-3 and MAYO-5 have the same keys in rounds 2 and 3, not the same signatures") {
  for (const auto &[three, two] : {std::pair{"MAYO-3", "MAYO-3-r2"}, std::pair{"MAYO-5", "MAYO-5-r2"}}) {
    if (aioli_alg_by_name(two) == nullptr) continue;  // a build of round 3 alone (AIOLI_ONLY_ROUND_3)
    const Key now(aioli_alg_by_name(three)), before(aioli_alg_by_name(two));
    CHECK(now.pk == before.pk);
    const Buffer msg = pattern(3, 3);
    CHECK(now.verify(now.sign(msg), msg) == AIOLI_OK);
    CHECK(now.verify(before.sign(msg), msg) == AIOLI_ERR_SIGNATURE);
    CHECK(before.verify(now.sign(msg), msg) == AIOLI_ERR_SIGNATURE);
  }
}

TEST_CASE("swapped vectors s_i are refused") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");  // n = 88: each s_i is 44 bytes
  const Key key(alg);
  const Buffer msg = pattern(7, 7);
  Buffer sig = key.sign(msg);
  std::swap_ranges(sig.begin(), sig.begin() + 44, sig.begin() + 44);
  CHECK(key.verify(sig, msg) == AIOLI_ERR_SIGNATURE);
}
