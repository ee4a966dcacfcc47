// SPDX-License-Identifier: Apache-2.0
// One signer and one verifier object, eight threads.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "support.hpp"

using test::Buffer;
using test::pattern;

TEST_CASE("one signer and one verifier serve eight threads") {
  for (const char *name : {"MAYO-1", "UOV-Ip-pkc"}) {
    CAPTURE(name);
    const aioli_alg *alg = aioli_alg_by_name(name);
    const test::Key key(alg);
    std::vector<Buffer> expected;
    for (uint8_t i = 0; i < 8; i++) expected.push_back(key.sign(pattern(50, i)));
    aioli_signer *signer = nullptr;
    aioli_verifier *verifier = nullptr;
    REQUIRE(aioli_signer_new(&signer, alg, key.sk.data(), key.sk.size()) == AIOLI_OK);
    REQUIRE(aioli_verifier_new(&verifier, alg, key.pk.data(), key.pk.size()) == AIOLI_OK);
    std::atomic<int> bad = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; t++)
      threads.emplace_back([&, t] {
        const aioli_env env = {aioli_rng_zero, nullptr, nullptr, 0};
        for (uint8_t round = 0; round < 16; round++) {
          const uint8_t i = uint8_t((round + t) % 8);
          const Buffer msg = pattern(50, i);
          Buffer sig(aioli_signature_bytes(alg));
          bad +=
              aioli_signer_sign(signer, sig.data(), sig.size(), msg.data(), msg.size(), &env) != AIOLI_OK || sig != expected[i];
          bad += aioli_verifier_verify(verifier, sig.data(), sig.size(), msg.data(), msg.size(), nullptr) != AIOLI_OK;
          sig[0] ^= 1;
          bad += aioli_verifier_verify(verifier, sig.data(), sig.size(), msg.data(), msg.size(), nullptr) != AIOLI_ERR_SIGNATURE;
        }
      });
    for (auto &t : threads) t.join();
    CHECK(bad == 0);
    aioli_signer_free(signer);
    aioli_verifier_free(verifier);
  }
}
