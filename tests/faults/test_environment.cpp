// SPDX-License-Identifier: Apache-2.0
// The environment fails: randomness at each request, workspace one byte short for each operation.
#include <doctest/doctest.h>

#include "support.hpp"

using test::all_zero;
using test::Buffer;
using test::Key;
using test::pattern;

namespace {
// Writes something and then fails: nothing of it may reach an output.
int failing_rng(void *, uint8_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = 0x5a;
  return 1;
}
// The same bytes each time; not zeros, of which no key is made.
int constant_rng(void *, uint8_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = 0x5a;
  return 0;
}
}  // namespace

TEST_CASE("a failing generator: its own error, zeroed outputs") {
  const aioli_env env = {failing_rng, nullptr, nullptr, 0};
  for (const aioli_alg *alg : test::all_algs()) {
    CAPTURE(aioli_alg_name(alg));
    const Key key(alg);
    Buffer pk(key.pk.size(), 1), sk(key.sk.size(), 1), sig(aioli_signature_bytes(alg), 1);
    CHECK(aioli_keypair(alg, pk.data(), pk.size(), sk.data(), sk.size(), &env) == AIOLI_ERR_RNG);
    CHECK(all_zero(pk));
    CHECK(all_zero(sk));
    CHECK(aioli_sign(alg, sig.data(), sig.size(), sk.data(), 1, key.sk.data(), key.sk.size(), &env) == AIOLI_ERR_RNG);
    CHECK(all_zero(sig));
    aioli_signer *signer = nullptr;
    REQUIRE(aioli_signer_new(&signer, alg, key.sk.data(), key.sk.size()) == AIOLI_OK);
    sig.assign(sig.size(), 1);
    CHECK(aioli_signer_sign(signer, sig.data(), sig.size(), sk.data(), 1, &env) == AIOLI_ERR_RNG);
    CHECK(all_zero(sig));
    aioli_signer_free(signer);
  }
}

TEST_CASE("a workspace one byte short: its own error, zeroed outputs, nothing written") {
  for (const aioli_alg *alg : test::mayo_algs()) {
    CAPTURE(aioli_alg_name(alg));
    const Key key(alg);
    const Buffer msg = pattern(9, 9), good = key.sign(msg);
    Buffer pk(key.pk.size()), sk(key.sk.size()), sig(good.size()), space;
    aioli_env env = {};
    // "Short" is measured: the first size that is accepted is the least that is stated.
    const auto shortest_refused = [&](aioli_op op, auto call) {
      const size_t stated = aioli_workspace_bytes(alg, op);
      space.assign(stated, 0x77);
      env = {aioli_rng_zero, nullptr, space.data(), stated};
      CHECK(call() == AIOLI_OK);
      size_t low = 0, high = stated;
      while (low < high) {
        const size_t middle = (low + high) / 2;
        space.assign(stated, 0x77);
        env.workspace_bytes = middle;
        const aioli_status status = call();
        if (status == AIOLI_OK) {
          high = middle;
        } else {
          CHECK(status == AIOLI_ERR_BUFFER);
          CHECK(space == Buffer(stated, 0x77));
          low = middle + 1;
        }
      }
      // what is accepted must be enough: a call with exactly that much in exactly that much memory (sanitizers watch)
      space = Buffer(low);
      env = {aioli_rng_zero, nullptr, space.data(), low};
      CHECK(call() == AIOLI_OK);
      CHECK(low == aioli_workspace_least_bytes(alg, op));
    };
    shortest_refused(AIOLI_OP_KEYPAIR, [&] {
      pk.assign(pk.size(), 1), sk.assign(sk.size(), 1);
      env.rng = constant_rng;
      const aioli_status s = aioli_keypair(alg, pk.data(), pk.size(), sk.data(), sk.size(), &env);
      CHECK((s == AIOLI_OK) != all_zero(pk));
      CHECK((s == AIOLI_OK) != all_zero(sk));
      return s;
    });
    shortest_refused(AIOLI_OP_SIGN, [&] {
      sig.assign(sig.size(), 1);
      const aioli_status s = aioli_sign(alg, sig.data(), sig.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), &env);
      CHECK((s == AIOLI_OK ? sig == good : all_zero(sig)));
      return s;
    });
    shortest_refused(AIOLI_OP_VERIFY, [&] {
      return aioli_verify(alg, good.data(), good.size(), msg.data(), msg.size(), key.pk.data(), key.pk.size(), &env);
    });
    Buffer signer_memory(aioli_signer_bytes(alg)), verifier_memory(aioli_verifier_bytes(alg));
    aioli_signer *signer = nullptr;
    aioli_verifier *verifier = nullptr;
    shortest_refused(AIOLI_OP_SIGNER_INIT, [&] {
      return aioli_signer_init(&signer, signer_memory.data(), signer_memory.size(), alg, key.sk.data(), key.sk.size(), &env);
    });
    shortest_refused(AIOLI_OP_SIGNER_SIGN, [&] {
      sig.assign(sig.size(), 1);
      const aioli_status s = aioli_signer_sign(signer, sig.data(), sig.size(), msg.data(), msg.size(), &env);
      CHECK((s == AIOLI_OK ? sig == good : all_zero(sig)));
      return s;
    });
    shortest_refused(AIOLI_OP_VERIFIER_INIT, [&] {
      return aioli_verifier_init(&verifier, verifier_memory.data(), verifier_memory.size(), alg, key.pk.data(), key.pk.size(),
                                 &env);
    });
    shortest_refused(AIOLI_OP_VERIFIER_VERIFY,
                     [&] { return aioli_verifier_verify(verifier, good.data(), good.size(), msg.data(), msg.size(), &env); });
  }
}
