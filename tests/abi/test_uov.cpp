// SPDX-License-Identifier: Apache-2.0
// What UOV has and MAYO has not: keys of three kinds, a digest that is a state, large keys at the end of somebody's memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "support.hpp"

using test::Buffer;
using test::Key;

namespace {

// The bytes and nothing behind them, so that sanitizers see who reads on.
struct Exact {
  std::unique_ptr<uint8_t[]> p;
  size_t n;
  explicit Exact(const Buffer &b) : p(new uint8_t[b.size()]), n(b.size()) { std::memcpy(p.get(), b.data(), n); }
};

const aioli_alg *variant(const std::string &set, const char *suffix) { return aioli_alg_by_name((set + suffix).c_str()); }

Buffer hashed(const aioli_alg *alg, const Buffer &msg, size_t cut) {
  aioli_hash h;
  Buffer digest(aioli_digest_bytes(alg));
  REQUIRE(aioli_hash_init(&h, alg) == AIOLI_OK);
  REQUIRE(aioli_hash_update(&h, msg.data(), cut) == AIOLI_OK);
  REQUIRE(aioli_hash_update(&h, msg.data() + cut, msg.size() - cut) == AIOLI_OK);
  REQUIRE(aioli_hash_final(&h, digest.data(), digest.size()) == AIOLI_OK);
  return digest;
}

}  // namespace

TEST_CASE("the three ways of writing keys are of one key") {
  const Buffer msg = test::pattern(200, 3);
  test::each_backend([&](const std::string &) {
    for (const char *set : {"UOV-Is", "UOV-Ip"}) {
      CAPTURE(set);
      const Key classic(variant(set, "")), pkc(variant(set, "-pkc")), skc(variant(set, "-pkc-skc"));
      CHECK(classic.sk == pkc.sk);
      CHECK(pkc.pk == skc.pk);
      CHECK(Buffer(classic.sk.begin(), classic.sk.begin() + 32) == skc.sk);
      const size_t P3 = pkc.pk.size() - 16;
      CHECK(std::equal(classic.pk.end() - long(P3), classic.pk.end(), pkc.pk.begin() + 16));
      const Buffer sig = classic.sign(msg);
      CHECK(pkc.sign(msg) == sig);
      CHECK(skc.sign(msg) == sig);
      for (const Key *key : {&classic, &pkc, &skc}) {
        Buffer pk(key->pk.size());
        REQUIRE(aioli_public_from_secret(key->alg, pk.data(), pk.size(), key->sk.data(), key->sk.size(), nullptr) == AIOLI_OK);
        CHECK(pk == key->pk);
      }
    }
  });
}

TEST_CASE("keys at the end of somebody's memory") {
  const Buffer msg = test::pattern(77, 9);
  test::each_backend([&](const std::string &) {
    for (const aioli_alg *alg : test::all_algs()) {
      if (std::string(aioli_alg_name(alg)).substr(0, 4) != "UOV-") continue;
      const Key key(alg);
      const Exact pk(key.pk), sk(key.sk);
      Buffer sig(aioli_signature_bytes(alg));
      REQUIRE(aioli_sign_deterministic(alg, sig.data(), sig.size(), msg.data(), msg.size(), sk.p.get(), sk.n, nullptr) ==
              AIOLI_OK);
      CHECK(aioli_verify(alg, sig.data(), sig.size(), msg.data(), msg.size(), pk.p.get(), pk.n, nullptr) == AIOLI_OK);
      aioli_signer *signer = nullptr;
      aioli_verifier *verifier = nullptr;
      REQUIRE(aioli_signer_new(&signer, alg, sk.p.get(), sk.n) == AIOLI_OK);
      REQUIRE(aioli_verifier_new(&verifier, alg, pk.p.get(), pk.n) == AIOLI_OK);
      aioli_env env = {};
      env.rng = aioli_rng_zero;
      Buffer again(sig.size());
      REQUIRE(aioli_signer_sign(signer, again.data(), again.size(), msg.data(), msg.size(), &env) == AIOLI_OK);
      CHECK(again == sig);
      CHECK(aioli_verifier_verify(verifier, sig.data(), sig.size(), msg.data(), msg.size(), nullptr) == AIOLI_OK);
      aioli_signer_free(signer);
      aioli_verifier_free(verifier);
    }
  });
}

TEST_CASE("the seed may lie where the secret key goes") {
  for (const char *name : {"UOV-Ip", "UOV-Ip-pkc-skc"}) {
    const Key key(aioli_alg_by_name(name));
    Buffer pk(key.pk.size()), sk(key.sk.size());
    std::memcpy(sk.data(), key.sk.data(), 32);
    REQUIRE(aioli_seed_bytes(key.alg) == 32);
    REQUIRE(aioli_keypair_from_seed(key.alg, pk.data(), pk.size(), sk.data(), sk.size(), sk.data(), 32, nullptr) == AIOLI_OK);
    CHECK(pk == key.pk);
    CHECK(sk == key.sk);
    CHECK(aioli_keypair_from_seed(key.alg, pk.data(), pk.size(), sk.data(), sk.size(), key.sk.data(), 31, nullptr) ==
          AIOLI_ERR_LENGTH);
    CHECK(test::all_zero(pk));
    // What follows such a seed is an output like any other, but the seed stays after an error.
    uint8_t workspace[1];
    const aioli_env too_little = {nullptr, nullptr, workspace, sizeof workspace};
    sk = key.sk;
    CHECK(aioli_keypair_from_seed(key.alg, pk.data(), pk.size(), sk.data(), sk.size(), sk.data(), 32, &too_little) ==
          AIOLI_ERR_BUFFER);
    Buffer seed_alone(sk.size());
    std::memcpy(seed_alone.data(), key.sk.data(), 32);
    CHECK(sk == seed_alone);
    CHECK(test::all_zero(pk));
  }
}

TEST_CASE("a digest is the state of SHAKE256") {
  const Key key(aioli_alg_by_name("UOV-Ip-pkc"));
  for (const size_t n : {0, 1, 135, 136, 137, 272, 500}) {
    const Buffer msg = test::pattern(n, 5);
    const Buffer digest = hashed(key.alg, msg, n / 3), sig = key.sign(msg);
    REQUIRE(digest.size() == 201);
    CHECK(digest == hashed(key.alg, msg, n));
    CHECK(digest[200] == n % 136);
    const auto verified = [&](const Buffer &d) {
      return aioli_verify_digest(key.alg, sig.data(), sig.size(), d.data(), d.size(), key.pk.data(), key.pk.size(), nullptr);
    };
    CHECK(verified(digest) == AIOLI_OK);
    Buffer wrong = digest;
    wrong[n % 200] ^= 1;
    CHECK(verified(wrong) == AIOLI_ERR_SIGNATURE);
    for (const int position : {136, 137, 255}) {
      wrong = digest;
      wrong[200] = uint8_t(position);
      CHECK(verified(wrong) == AIOLI_ERR_ARGUMENT);
      Buffer out(sig.size(), 1);
      CHECK(aioli_sign_digest(key.alg, out.data(), out.size(), wrong.data(), wrong.size(), key.sk.data(), key.sk.size(),
                              nullptr) == AIOLI_ERR_ARGUMENT);
      CHECK(test::all_zero(out));
    }
    Buffer batch(201);
    const uint8_t *msgs[] = {msg.data()};
    const size_t bytes[] = {msg.size()};
    REQUIRE(aioli_digest_batch(key.alg, batch.data(), 201, msgs, bytes, 1) == AIOLI_OK);
    CHECK(batch == digest);
  }
}

TEST_CASE("whatever is changed is refused") {
  const Buffer msg = test::pattern(50, 1);
  std::map<std::string, std::vector<bool>> verdicts;
  test::each_backend([&](const std::string &) {
    for (const char *name : {"UOV-Is", "UOV-Is-pkc", "UOV-Ip", "UOV-Ip-pkc"}) {
      const Key key(aioli_alg_by_name(name));
      const Buffer sig = key.sign(msg);
      REQUIRE(key.verify(sig, msg) == AIOLI_OK);
      for (size_t i = 0; i < sig.size(); i += 7) {
        Buffer wrong = sig;
        wrong[i] = uint8_t(wrong[i] ^ 1 << i % 8);
        CHECK(key.verify(wrong, msg) == AIOLI_ERR_SIGNATURE);
      }
      CHECK(key.verify(Buffer(sig.size()), msg) == AIOLI_ERR_SIGNATURE);
      CHECK(key.verify(Buffer(sig.size(), 255), msg) == AIOLI_ERR_SIGNATURE);
      CHECK(key.verify(sig, test::pattern(51, 1)) == AIOLI_ERR_SIGNATURE);
      // All parts of the key, its first and last bytes.  Where the signature's monomial is zero, over GF(16) in one of eight, the
      // entry of P does not matter: all backends say the same.
      Key other = key;
      std::vector<bool> refused;
      for (size_t i = 0; i < 40; i++) {
        const size_t at = i * (key.pk.size() - 1) / 39;
        other.pk[at] ^= 0x11;
        refused.push_back(other.verify(sig, msg) == AIOLI_ERR_SIGNATURE);
        other.pk[at] ^= 0x11;
      }
      CHECK(std::count(refused.begin(), refused.end(), true) >= 28);
      const auto [known, first] = verdicts.emplace(name, refused);
      CHECK(known->second == refused);
      for (const long d : {-1, 1}) {
        Buffer wrong = sig;
        wrong.resize(size_t(long(sig.size()) + d));
        CHECK(key.verify(wrong, msg) == AIOLI_ERR_LENGTH);
      }
    }
  });
}
