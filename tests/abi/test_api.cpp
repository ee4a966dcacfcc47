// SPDX-License-Identifier: Apache-2.0
// Every way to make the same key and the same signature, under every backend; and what the calls do with wrong arguments.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "support.hpp"

using test::all_zero;
using test::Buffer;
using test::digest_of;
using test::Key;
using test::pattern;

namespace {

const aioli_env deterministic = {aioli_rng_zero, nullptr, nullptr, 0};

const char *const some_sets[] = {"MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5"};

int fixed_rng(void *context, uint8_t *out, size_t n) {
  const Buffer &from = *static_cast<Buffer *>(context);
  if (from.size() != n) return 1;
  std::memcpy(out, from.data(), n);
  return 0;
}

}  // namespace

TEST_CASE("all ways of signing give one signature, all ways of verifying accept it") {
  for (const char *name : some_sets) {
    const aioli_alg *alg = aioli_alg_by_name(name);
    REQUIRE(alg != nullptr);
    CAPTURE(name);
    const Buffer msg = pattern(1000, 3);
    Buffer first;
    test::each_backend([&](const std::string &backend) {
      CAPTURE(backend);
      const Key key(alg);
      const size_t n = aioli_signature_bytes(alg);
      const Buffer expected = key.sign(msg), digest = digest_of(alg, msg);
      if (first.empty()) first = expected;
      CHECK(expected == first);
      CHECK(key.verify(expected, msg) == AIOLI_OK);

      Buffer sig(n);
      CHECK(aioli_sign(alg, sig.data(), n, msg.data(), msg.size(), key.sk.data(), key.sk.size(), &deterministic) == AIOLI_OK);
      CHECK(sig == expected);
      const Buffer zero_R(aioli_randomness_bytes(alg));
      CHECK(aioli_sign_with_randomness(alg, sig.data(), n, msg.data(), msg.size(), key.sk.data(), key.sk.size(), zero_R.data(),
                                       zero_R.size(), nullptr) == AIOLI_OK);
      CHECK(sig == expected);
      CHECK(aioli_sign_digest(alg, sig.data(), n, digest.data(), digest.size(), key.sk.data(), key.sk.size(), &deterministic) ==
            AIOLI_OK);
      CHECK(sig == expected);
      CHECK(aioli_verify_digest(alg, sig.data(), n, digest.data(), digest.size(), key.pk.data(), key.pk.size(), nullptr) ==
            AIOLI_OK);

      aioli_hash h;
      const auto absorb = [&] {
        REQUIRE(aioli_hash_init(&h, alg) == AIOLI_OK);
        for (size_t at = 0, piece = 0; at < msg.size(); at += piece, piece = 2 * piece + 1) {
          piece = std::min(piece, msg.size() - at);
          REQUIRE(aioli_hash_update(&h, msg.data() + at, piece) == AIOLI_OK);
        }
      };
      absorb();
      CHECK(aioli_sign_final(&h, sig.data(), n, key.sk.data(), key.sk.size(), &deterministic) == AIOLI_OK);
      CHECK(sig == expected);
      CHECK(aioli_sign_final(&h, sig.data(), n, key.sk.data(), key.sk.size(), &deterministic) == AIOLI_ERR_STATE);
      CHECK(all_zero(sig));
      absorb();
      CHECK(aioli_verify_final(&h, expected.data(), n, key.pk.data(), key.pk.size(), nullptr) == AIOLI_OK);
      CHECK(aioli_verify_final(&h, expected.data(), n, key.pk.data(), key.pk.size(), nullptr) == AIOLI_ERR_STATE);

      // Expanded keys, in memory of exactly the stated size at an odd address.
      Buffer signer_memory(aioli_signer_bytes(alg) + 1), verifier_memory(aioli_verifier_bytes(alg) + 1);
      aioli_signer *signer = nullptr;
      aioli_verifier *verifier = nullptr;
      REQUIRE(aioli_signer_init(&signer, signer_memory.data() + 1, signer_memory.size() - 1, alg, key.sk.data(), key.sk.size(),
                                nullptr) == AIOLI_OK);
      REQUIRE(aioli_verifier_init(&verifier, verifier_memory.data() + 1, verifier_memory.size() - 1, alg, key.pk.data(),
                                  key.pk.size(), nullptr) == AIOLI_OK);
      CHECK(aioli_signer_alg(signer) == alg);
      CHECK(aioli_verifier_alg(verifier) == alg);
      CHECK(aioli_signer_sign(signer, sig.data(), n, msg.data(), msg.size(), &deterministic) == AIOLI_OK);
      CHECK(sig == expected);
      CHECK(aioli_signer_sign_digest(signer, sig.data(), n, digest.data(), digest.size(), &deterministic) == AIOLI_OK);
      CHECK(sig == expected);
      absorb();
      CHECK(aioli_signer_sign_final(signer, &h, sig.data(), n, &deterministic) == AIOLI_OK);
      CHECK(sig == expected);
      CHECK(aioli_verifier_verify(verifier, sig.data(), n, msg.data(), msg.size(), nullptr) == AIOLI_OK);
      CHECK(aioli_verifier_verify_digest(verifier, sig.data(), n, digest.data(), digest.size(), nullptr) == AIOLI_OK);
      absorb();
      CHECK(aioli_verifier_verify_final(verifier, &h, sig.data(), n, nullptr) == AIOLI_OK);
      sig[n / 2] ^= 0x10;
      CHECK(aioli_verifier_verify(verifier, sig.data(), n, msg.data(), msg.size(), nullptr) == AIOLI_ERR_SIGNATURE);
      aioli_signer_wipe(signer);
      for (size_t i = 0; i < aioli_signer_bytes(alg); i++) REQUIRE(signer_memory[i + 1] == 0);

      // A workspace of exactly the stated size, at every alignment.
      for (size_t shift : {0, 1, 7, 63}) {
        Buffer space(aioli_workspace_bytes(alg, AIOLI_OP_SIGN) + shift + 1, 0xa5);
        const aioli_env env = {aioli_rng_zero, nullptr, space.data() + shift, space.size() - shift - 1};
        CHECK(aioli_sign(alg, sig.data(), n, msg.data(), msg.size(), key.sk.data(), key.sk.size(), &env) == AIOLI_OK);
        CHECK(sig == expected);
        CHECK(space.back() == 0xa5);
      }
    });
  }
}

TEST_CASE("hedged signatures differ and verify; the generator's bytes are what is used") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Key key(alg);
  const Buffer msg = pattern(10, 1);
  Buffer a(aioli_signature_bytes(alg)), b(a.size());
  CHECK(aioli_sign(alg, a.data(), a.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), nullptr) == AIOLI_OK);
  CHECK(aioli_sign(alg, b.data(), b.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), nullptr) == AIOLI_OK);
  CHECK(a != b);
  CHECK(key.verify(a, msg) == AIOLI_OK);
  CHECK(key.verify(b, msg) == AIOLI_OK);
  Buffer R = pattern(aioli_randomness_bytes(alg), 9);
  const aioli_env env = {fixed_rng, &R, nullptr, 0};
  CHECK(aioli_sign(alg, a.data(), a.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), &env) == AIOLI_OK);
  CHECK(aioli_sign_with_randomness(alg, b.data(), b.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), R.data(),
                                   R.size(), nullptr) == AIOLI_OK);
  CHECK(a == b);
}

TEST_CASE("fresh key pairs differ, and belong to their secret keys") {
  for (const aioli_alg *alg : test::all_algs()) {
    CAPTURE(aioli_alg_name(alg));
    Buffer pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg)), pk2(pk.size()), sk2(sk.size());
    CHECK(aioli_keypair(alg, pk.data(), pk.size(), sk.data(), sk.size(), nullptr) == AIOLI_OK);
    CHECK(aioli_keypair(alg, pk2.data(), pk2.size(), sk2.data(), sk2.size(), nullptr) == AIOLI_OK);
    CHECK(sk != sk2);
    CHECK(pk != pk2);
    CHECK(aioli_public_from_secret(alg, pk2.data(), pk2.size(), sk.data(), sk.size(), nullptr) == AIOLI_OK);
    CHECK(pk == pk2);
    // in place: the seed is the secret key
    CHECK(aioli_keypair_from_seed(alg, pk2.data(), pk2.size(), sk2.data(), sk2.size(), sk2.data(), aioli_seed_bytes(alg),
                                  nullptr) == AIOLI_OK);
    CHECK(pk != pk2);
  }
}

TEST_CASE("wrong lengths and null pointers: their own errors, zeroed outputs") {
  for (const aioli_alg *alg : test::all_algs()) {
    CAPTURE(aioli_alg_name(alg));
    const Key key(alg);
    const Buffer msg = pattern(5, 5), good = key.sign(msg);
    const size_t pk_n = key.pk.size(), sk_n = key.sk.size(), n = good.size();
    const uint8_t *m = msg.data();
    Buffer pk(pk_n + 1), sk(sk_n + 1), sig(n + 1);
    const auto dirty = [&] { pk.assign(pk_n + 1, 1), sk.assign(sk_n + 1, 1), sig.assign(n + 1, 1); };
    // As far as the given length and the exact one agree; the byte behind is not touched.
    const auto zeroed = [&](const Buffer &b, size_t k) {
      k = std::min(k, b.size() - 1);
      return all_zero(Buffer(b.begin(), b.begin() + long(k))) && b.back() == 1;
    };
    for (int d : {-1, 1}) {
      dirty();
      CHECK(aioli_keypair(alg, pk.data(), pk_n + d, sk.data(), sk_n, nullptr) == AIOLI_ERR_LENGTH);
      CHECK((zeroed(pk, pk_n + d) && zeroed(sk, sk_n)));
      dirty();
      CHECK(aioli_keypair(alg, pk.data(), pk_n, sk.data(), sk_n + d, nullptr) == AIOLI_ERR_LENGTH);
      CHECK((zeroed(pk, pk_n) && zeroed(sk, sk_n + d)));
      dirty();
      CHECK(aioli_keypair_from_seed(alg, pk.data(), pk_n, sk.data(), sk_n, key.sk.data(), sk_n + d, nullptr) == AIOLI_ERR_LENGTH);
      CHECK((zeroed(pk, pk_n) && zeroed(sk, sk_n)));
      CHECK(aioli_public_from_secret(alg, pk.data(), pk_n, key.sk.data(), sk_n + d, nullptr) == AIOLI_ERR_LENGTH);
      dirty();
      CHECK(aioli_sign(alg, sig.data(), n + d, m, 5, key.sk.data(), sk_n, nullptr) == AIOLI_ERR_LENGTH);
      CHECK(zeroed(sig, n + d));
      dirty();
      CHECK(aioli_sign(alg, sig.data(), n, m, 5, key.sk.data(), sk_n + d, nullptr) == AIOLI_ERR_LENGTH);
      CHECK(zeroed(sig, n));
      dirty();
      CHECK(aioli_sign_with_randomness(alg, sig.data(), n, m, 5, key.sk.data(), sk_n, pk.data(), aioli_randomness_bytes(alg) + d,
                                       nullptr) == AIOLI_ERR_LENGTH);
      CHECK(zeroed(sig, n));
      dirty();
      CHECK(aioli_sign_digest(alg, sig.data(), n, pk.data(), aioli_digest_bytes(alg) + d, key.sk.data(), sk_n, nullptr) ==
            AIOLI_ERR_LENGTH);
      CHECK(zeroed(sig, n));
      CHECK(aioli_verify(alg, good.data(), n + d, m, 5, key.pk.data(), pk_n, nullptr) == AIOLI_ERR_LENGTH);
      CHECK(aioli_verify(alg, good.data(), n, m, 5, key.pk.data(), pk_n + d, nullptr) == AIOLI_ERR_LENGTH);
      CHECK(aioli_verify_digest(alg, good.data(), n, m, aioli_digest_bytes(alg) + d, key.pk.data(), pk_n, nullptr) ==
            AIOLI_ERR_LENGTH);
    }
    CHECK(aioli_verify(alg, good.data(), 0, m, 5, key.pk.data(), pk_n, nullptr) == AIOLI_ERR_LENGTH);
    CHECK(aioli_verify(alg, nullptr, 0, m, 5, key.pk.data(), pk_n, nullptr) == AIOLI_ERR_LENGTH);
    CHECK(aioli_verify(alg, nullptr, n, m, 5, key.pk.data(), pk_n, nullptr) == AIOLI_ERR_ARGUMENT);
    CHECK(aioli_verify(nullptr, good.data(), n, m, 5, key.pk.data(), pk_n, nullptr) == AIOLI_ERR_ARGUMENT);
    CHECK(aioli_verify(alg, good.data(), n, nullptr, 5, key.pk.data(), pk_n, nullptr) == AIOLI_ERR_ARGUMENT);
    CHECK(aioli_verify(alg, good.data(), n, m, 5, nullptr, pk_n, nullptr) == AIOLI_ERR_ARGUMENT);
    dirty();
    CHECK(aioli_sign(nullptr, sig.data(), n, m, 5, key.sk.data(), sk_n, nullptr) == AIOLI_ERR_ARGUMENT);
    CHECK(zeroed(sig, n));
    dirty();
    CHECK(aioli_sign(alg, sig.data(), n, m, 5, nullptr, sk_n, nullptr) == AIOLI_ERR_ARGUMENT);
    CHECK(zeroed(sig, n));
    CHECK(aioli_sign(alg, nullptr, n, m, 5, key.sk.data(), sk_n, nullptr) == AIOLI_ERR_ARGUMENT);
    dirty();
    CHECK(aioli_keypair(alg, nullptr, pk_n, sk.data(), sk_n, nullptr) == AIOLI_ERR_ARGUMENT);
    CHECK(zeroed(sk, sk_n));
    // an empty message may be a null pointer
    Buffer empty_sig(n);
    CHECK(aioli_sign(alg, empty_sig.data(), n, nullptr, 0, key.sk.data(), sk_n, nullptr) == AIOLI_OK);
    CHECK(aioli_verify(alg, empty_sig.data(), n, nullptr, 0, key.pk.data(), pk_n, nullptr) == AIOLI_OK);
  }
}

TEST_CASE("hash objects: order, wrong algorithm, wrong length") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1"), *other = aioli_alg_by_name("MAYO-2");
  const Key key(alg);
  Buffer digest(aioli_digest_bytes(alg), 1), sig(aioli_signature_bytes(alg), 1);
  aioli_hash h = {};
  CHECK(aioli_hash_update(&h, digest.data(), 1) == AIOLI_ERR_STATE);
  CHECK(aioli_hash_final(&h, digest.data(), digest.size()) == AIOLI_ERR_STATE);
  CHECK(all_zero(digest));
  CHECK(aioli_hash_init(nullptr, alg) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_hash_init(&h, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_hash_update(&h, digest.data(), 1) == AIOLI_ERR_STATE);
  REQUIRE(aioli_hash_init(&h, alg) == AIOLI_OK);
  CHECK(aioli_hash_update(&h, nullptr, 1) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_hash_update(&h, nullptr, 0) == AIOLI_OK);
  CHECK(aioli_hash_final(&h, digest.data(), digest.size() - 1) == AIOLI_ERR_LENGTH);
  CHECK(aioli_hash_final(&h, digest.data(), digest.size()) == AIOLI_ERR_STATE);  // that ended it
  REQUIRE(aioli_hash_init(&h, alg) == AIOLI_OK);
  CHECK(aioli_hash_final(&h, digest.data(), digest.size()) == AIOLI_OK);
  CHECK(aioli_hash_final(&h, digest.data(), digest.size()) == AIOLI_ERR_STATE);
  aioli_signer *signer = nullptr;
  REQUIRE(aioli_signer_new(&signer, alg, key.sk.data(), key.sk.size()) == AIOLI_OK);
  REQUIRE(aioli_hash_init(&h, other) == AIOLI_OK);
  CHECK(aioli_signer_sign_final(signer, &h, sig.data(), sig.size(), nullptr) == AIOLI_ERR_ALGORITHM);
  CHECK(all_zero(sig));
  // a wiped signer signs nothing, and can be freed (sanitizers see to it)
  aioli_signer_wipe(signer);
  sig.assign(sig.size(), 1);
  CHECK(aioli_signer_sign(signer, sig.data(), sig.size(), digest.data(), 1, nullptr) == AIOLI_ERR_STATE);
  CHECK(all_zero(sig));
  CHECK(aioli_signer_sign_digest(signer, sig.data(), sig.size(), digest.data(), digest.size(), nullptr) == AIOLI_ERR_STATE);
  aioli_signer_wipe(signer);
  aioli_signer_free(signer);
  aioli_signer_free(nullptr);
  aioli_verifier_free(nullptr);
  aioli_signer_wipe(nullptr);
}

TEST_CASE("objects: too little memory, wrong keys") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const Key key(alg);
  Buffer memory(aioli_signer_bytes(alg));
  aioli_signer *signer = reinterpret_cast<aioli_signer *>(&memory);
  CHECK(aioli_signer_init(&signer, memory.data(), memory.size() - 1, alg, key.sk.data(), key.sk.size(), nullptr) ==
        AIOLI_ERR_BUFFER);
  CHECK(signer == nullptr);
  CHECK(aioli_signer_init(&signer, memory.data(), memory.size(), alg, key.sk.data(), key.sk.size() - 1, nullptr) ==
        AIOLI_ERR_LENGTH);
  CHECK(aioli_signer_init(&signer, nullptr, memory.size(), alg, key.sk.data(), key.sk.size(), nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_signer_init(nullptr, memory.data(), memory.size(), alg, key.sk.data(), key.sk.size(), nullptr) ==
        AIOLI_ERR_ARGUMENT);
  CHECK(aioli_signer_new(&signer, alg, key.sk.data(), key.sk.size() + 1) == AIOLI_ERR_LENGTH);
  CHECK(signer == nullptr);
  aioli_verifier *verifier = nullptr;
  CHECK(aioli_verifier_new(&verifier, alg, key.pk.data(), key.pk.size() + 1) == AIOLI_ERR_LENGTH);
  CHECK(aioli_verifier_new(&verifier, nullptr, key.pk.data(), key.pk.size()) == AIOLI_ERR_ARGUMENT);
  CHECK(verifier == nullptr);
}

TEST_CASE("backends: names, forcing, self-test under each") {
  CHECK(aioli_backend_count() >= 1);
  CHECK(std::strcmp(aioli_backend_name(0), "portable") == 0);
  CHECK(aioli_backend_usable(0) == 1);
  CHECK(aioli_backend_name(aioli_backend_count()) == nullptr);
  CHECK(aioli_backend_usable(aioli_backend_count()) == 0);
  CHECK(aioli_backend_use("no such backend") == AIOLI_ERR_BACKEND);
  test::each_backend([](const std::string &name) {
    CHECK(name == aioli_backend_active());
    CHECK(aioli_selftest(nullptr) == AIOLI_OK);
  });
}
