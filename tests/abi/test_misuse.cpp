// SPDX-License-Identifier: Apache-2.0
// What a program can do wrong with its memory and its randomness: each is an error, none a crash or a signature under another
// key.
#include <doctest/doctest.h>

#include <cstring>
#include <functional>

#include "support.hpp"

using test::all_zero;
using test::Buffer;
using test::Key;
using test::pattern;

namespace {

const char *const some_sets[] = {"MAYO-1", "UOV-Ip", "UOV-Ip-pkc-skc"};

template <class F> void for_some_sets(F f) {
  for (const char *name : some_sets) {
    CAPTURE(name);
    f(Key(aioli_alg_by_name(name)));
  }
}

// A buffer with room for two arguments, the second `shift` bytes behind the first; so that they meet in one byte, in all, or not.
struct Pair {
  Buffer memory;
  uint8_t *first, *second;
  Pair(size_t first_bytes, size_t second_bytes, long shift) : memory(2 * first_bytes + 2 * second_bytes + 64, 0x5a) {
    first = memory.data() + second_bytes;
    second = first + shift;
  }
};
// Shifts at which n bytes and m bytes meet.
std::vector<long> meeting(size_t n, size_t m) { return {0, 1, long(n) - 1, 1 - long(m)}; }
std::vector<long> touching(size_t n, size_t m) { return {long(n), -long(m)}; }

}  // namespace

TEST_CASE("signing: the signature may touch the key, the message and the digest, and not meet them") {
  for_some_sets([](const Key &key) {
    const size_t n = aioli_signature_bytes(key.alg), sk_n = key.sk.size(), d_n = aioli_digest_bytes(key.alg);
    const Buffer msg = pattern(50, 3), digest = test::digest_of(key.alg, msg);
    const auto try_all = [&](aioli_status wanted, const std::vector<long> &shifts, const Buffer &other,
                             const std::function<aioli_status(uint8_t *sig, const uint8_t *other)> &call) {
      for (long shift : shifts) {
        CAPTURE(shift);
        Pair p(n, other.size(), shift);
        std::memcpy(p.second, other.data(), other.size());
        CHECK(call(p.first, p.second) == wanted);
        const Buffer sig(p.first, p.first + n);
        if (wanted == AIOLI_OK)
          CHECK(key.verify(sig, msg) == AIOLI_OK);
        else
          CHECK(all_zero(sig));
      }
    };
    const auto with = [&](const Buffer &other, const std::function<aioli_status(uint8_t *, const uint8_t *)> &call) {
      try_all(AIOLI_ERR_ARGUMENT, meeting(n, other.size()), other, call);
      try_all(AIOLI_OK, touching(n, other.size()), other, call);
    };
    with(key.sk,
         [&](uint8_t *sig, const uint8_t *sk) { return aioli_sign(key.alg, sig, n, msg.data(), msg.size(), sk, sk_n, nullptr); });
    with(key.sk, [&](uint8_t *sig, const uint8_t *sk) {
      return aioli_sign_digest(key.alg, sig, n, digest.data(), d_n, sk, sk_n, nullptr);
    });
    with(msg, [&](uint8_t *sig, const uint8_t *m) {
      return aioli_sign(key.alg, sig, n, m, msg.size(), key.sk.data(), sk_n, nullptr);
    });
    with(msg, [&](uint8_t *sig, const uint8_t *m) {
      return aioli_sign_deterministic(key.alg, sig, n, m, msg.size(), key.sk.data(), sk_n, nullptr);
    });
    with(digest, [&](uint8_t *sig, const uint8_t *d) {
      return aioli_sign_digest(key.alg, sig, n, d, d_n, key.sk.data(), sk_n, nullptr);
    });
    with(pattern(aioli_randomness_bytes(key.alg), 9), [&](uint8_t *sig, const uint8_t *R) {
      return aioli_sign_with_randomness(key.alg, sig, n, msg.data(), msg.size(), key.sk.data(), sk_n, R,
                                        aioli_randomness_bytes(key.alg), nullptr);
    });
    Buffer memory(aioli_signer_bytes(key.alg));
    aioli_signer *signer = nullptr;
    REQUIRE(aioli_signer_init(&signer, memory.data(), memory.size(), key.alg, key.sk.data(), sk_n, nullptr) == AIOLI_OK);
    with(msg, [&](uint8_t *sig, const uint8_t *m) { return aioli_signer_sign(signer, sig, n, m, msg.size(), nullptr); });
    with(digest, [&](uint8_t *sig, const uint8_t *d) { return aioli_signer_sign_digest(signer, sig, n, d, d_n, nullptr); });
    uint8_t *const inside = reinterpret_cast<uint8_t *>(signer) + 80;
    CHECK(aioli_signer_sign(signer, inside, n, msg.data(), msg.size(), nullptr) == AIOLI_ERR_ARGUMENT);
  });
}

TEST_CASE("key pairs: outputs and the seed lie apart, but for a seed at the beginning of its secret key") {
  for_some_sets([](const Key &key) {
    const size_t pk_n = key.pk.size(), sk_n = key.sk.size(), seed_n = aioli_seed_bytes(key.alg);
    const Buffer seed(key.sk.begin(), key.sk.begin() + long(seed_n));
    for (long shift : meeting(pk_n, sk_n)) {
      CAPTURE(shift);
      Pair p(pk_n, sk_n, shift);
      CHECK(aioli_keypair(key.alg, p.first, pk_n, p.second, sk_n, nullptr) == AIOLI_ERR_ARGUMENT);
      std::memcpy(p.second, key.sk.data(), sk_n);
      CHECK(aioli_public_from_secret(key.alg, p.first, pk_n, p.second, sk_n, nullptr) == AIOLI_ERR_ARGUMENT);
      CHECK(all_zero(Buffer(p.first, p.first + pk_n)));
      std::memcpy(p.second, key.sk.data(), sk_n);
      CHECK(aioli_keypair_from_seed(key.alg, p.first, pk_n, p.second, sk_n, seed.data(), seed_n, nullptr) == AIOLI_ERR_ARGUMENT);
    }
    Buffer pk(pk_n);
    Pair p(sk_n, seed_n, 1);
    std::memcpy(p.second, seed.data(), seed_n);
    CHECK(aioli_keypair_from_seed(key.alg, pk.data(), pk_n, p.first, sk_n, p.second, seed_n, nullptr) == AIOLI_ERR_ARGUMENT);
    Pair same(sk_n, seed_n, 0);
    std::memcpy(same.second, seed.data(), seed_n);
    CHECK(aioli_keypair_from_seed(key.alg, pk.data(), pk_n, same.first, sk_n, same.second, seed_n, nullptr) == AIOLI_OK);
    CHECK(pk == key.pk);
  });
}

TEST_CASE("a workspace is nobody else's") {
  const Key key(aioli_alg_by_name("MAYO-1"));
  const size_t n = aioli_signature_bytes(key.alg), sk_n = key.sk.size(), pk_n = key.pk.size();
  const Buffer msg = pattern(20, 2), good = key.sign(msg);
  size_t most = 0;
  for (int op = 0; op < 7; op++) most = std::max(most, aioli_workspace_bytes(key.alg, aioli_op(op)));
  Buffer space(most + 4096), pk(pk_n), sk(key.sk), sig(n);
  const aioli_env env = {nullptr, nullptr, space.data(), most};
  uint8_t *const in = space.data() + 17;
  const auto put = [&](const Buffer &b) {
    std::memcpy(in, b.data(), b.size());
    return static_cast<const uint8_t *>(in);
  };
  CHECK(aioli_sign(key.alg, in, n, msg.data(), msg.size(), sk.data(), sk_n, &env) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_sign(key.alg, sig.data(), n, msg.data(), msg.size(), put(sk), sk_n, &env) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_sign(key.alg, sig.data(), n, put(msg), msg.size(), sk.data(), sk_n, &env) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_verify(key.alg, put(good), n, msg.data(), msg.size(), key.pk.data(), pk_n, &env) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_verify(key.alg, good.data(), n, put(msg), msg.size(), key.pk.data(), pk_n, &env) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_verify(key.alg, good.data(), n, msg.data(), msg.size(), put(key.pk), pk_n, &env) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_keypair(key.alg, in, pk_n, sk.data(), sk_n, &env) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_keypair(key.alg, pk.data(), pk_n, in, sk_n, &env) == AIOLI_ERR_ARGUMENT);
  sk = key.sk;
  CHECK(aioli_public_from_secret(key.alg, pk.data(), pk_n, put(sk), sk_n, &env) == AIOLI_ERR_ARGUMENT);
  aioli_signer *signer = nullptr;
  aioli_verifier *verifier = nullptr;
  Buffer memory(aioli_signer_bytes(key.alg));
  CHECK(aioli_signer_init(&signer, memory.data(), memory.size(), key.alg, put(sk), sk_n, &env) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_signer_init(&signer, memory.data(), memory.size(), key.alg, memory.data() + 40, sk_n, nullptr) ==
        AIOLI_ERR_ARGUMENT);
  Buffer verifier_memory(aioli_verifier_bytes(key.alg));
  CHECK(aioli_verifier_init(&verifier, verifier_memory.data(), verifier_memory.size(), key.alg, put(key.pk), pk_n, &env) ==
        AIOLI_ERR_ARGUMENT);
  // What lies behind the part that is used may be anything, whatever the caller says of its size.
  const aioli_env generous = {nullptr, nullptr, space.data(), SIZE_MAX};
  std::memcpy(space.data() + most, sk.data(), sk_n);
  CHECK(aioli_sign(key.alg, sig.data(), n, msg.data(), msg.size(), space.data() + most, sk_n, &generous) == AIOLI_OK);
  CHECK(key.verify(sig, msg) == AIOLI_OK);
}

TEST_CASE("a length that is a mistake writes no further than the exact one") {
  for_some_sets([](const Key &key) {
    const aioli_alg *const alg = key.alg;
    const size_t n = aioli_signature_bytes(alg), sk_n = key.sk.size(), pk_n = key.pk.size(), far = SIZE_MAX;
    const Buffer msg = pattern(20, 2), digest = test::digest_of(alg, msg);
    Buffer sig(n + 64), pk(pk_n + 64), sk(sk_n + 64), hashed(digest.size() + 64);
    const auto dirty = [&] {
      for (Buffer *b : {&sig, &pk, &sk, &hashed}) std::fill(b->begin(), b->end(), uint8_t(0xa5));
    };
    const auto cleared = [](const Buffer &b) {
      const long exact = long(b.size()) - 64;
      return all_zero(Buffer(b.begin(), b.begin() + exact)) && Buffer(b.begin() + exact, b.end()) == Buffer(64, 0xa5);
    };
    const uint8_t *const m = msg.data(), *const key_sk = key.sk.data();
    const Buffer R(aioli_randomness_bytes(alg));
    aioli_hash h;
    Buffer memory(aioli_signer_bytes(alg));
    aioli_signer *signer = nullptr;
    REQUIRE(aioli_signer_init(&signer, memory.data(), memory.size(), alg, key_sk, sk_n, nullptr) == AIOLI_OK);
    const std::function<aioli_status()> signing[] = {
        [&] { return aioli_sign(alg, sig.data(), far, m, 20, key_sk, sk_n, nullptr); },
        [&] { return aioli_sign(alg, sig.data(), far, m, 20, key_sk, sk_n - 1, nullptr); },
        [&] { return aioli_sign_deterministic(alg, sig.data(), far, m, 20, key_sk, sk_n, nullptr); },
        [&] { return aioli_sign_with_randomness(alg, sig.data(), far, m, 20, key_sk, sk_n, R.data(), R.size() - 1, nullptr); },
        [&] { return aioli_sign_digest(alg, sig.data(), far, digest.data(), digest.size(), key_sk, sk_n, nullptr); },
        [&] { return aioli_sign_digest(alg, sig.data(), far, digest.data(), digest.size() - 1, key_sk, sk_n, nullptr); },
        [&] {
          REQUIRE(aioli_hash_init(&h, alg) == AIOLI_OK);
          return aioli_sign_final(&h, sig.data(), far, key_sk, sk_n, nullptr);
        },
        [&] { return aioli_signer_sign(signer, sig.data(), far, m, 20, nullptr); },
        [&] { return aioli_signer_sign_digest(signer, sig.data(), far, digest.data(), digest.size(), nullptr); },
        [&] {
          REQUIRE(aioli_hash_init(&h, alg) == AIOLI_OK);
          return aioli_signer_sign_final(signer, &h, sig.data(), far, nullptr);
        }};
    for (const auto &call : signing) {
      dirty();
      CHECK(call() == AIOLI_ERR_LENGTH);
      CHECK(cleared(sig));
    }
    dirty();
    CHECK(aioli_keypair(alg, pk.data(), far, sk.data(), far, nullptr) == AIOLI_ERR_LENGTH);
    CHECK((cleared(pk) && cleared(sk)));
    dirty();
    CHECK(aioli_keypair_from_seed(alg, pk.data(), far, sk.data(), far, key_sk, far, nullptr) == AIOLI_ERR_LENGTH);
    CHECK((cleared(pk) && cleared(sk)));
    dirty();
    CHECK(aioli_public_from_secret(alg, pk.data(), far, key_sk, sk_n, nullptr) == AIOLI_ERR_LENGTH);
    CHECK(cleared(pk));
    dirty();
    REQUIRE(aioli_hash_init(&h, alg) == AIOLI_OK);
    CHECK(aioli_hash_final(&h, hashed.data(), far) == AIOLI_ERR_LENGTH);
    CHECK(cleared(hashed));
    CHECK(aioli_verify(alg, sig.data(), far, m, 20, key.pk.data(), pk_n, nullptr) == AIOLI_ERR_LENGTH);
    CHECK(aioli_verify(alg, sig.data(), n, m, 20, key.pk.data(), far, nullptr) == AIOLI_ERR_LENGTH);
  });
}

TEST_CASE("without an algorithm an output is cleared, and no further than the longest of any") {
  Buffer sig(AIOLI_MAX_SIGNATURE_BYTES + 64, 0xa5);
  const Buffer sk(40), msg(3);
  CHECK(aioli_sign(nullptr, sig.data(), SIZE_MAX, msg.data(), 3, sk.data(), sk.size(), nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(all_zero(Buffer(sig.begin(), sig.end() - 64)));
  CHECK(sig.back() == 0xa5);
}

TEST_CASE("no key is made of zeros") {
  for (const aioli_alg *alg : test::all_algs()) {
    CAPTURE(aioli_alg_name(alg));
    Buffer pk(aioli_public_key_bytes(alg), 0xa5), sk(aioli_secret_key_bytes(alg), 0xa5);
    const auto writes_nothing = [](void *, uint8_t *, size_t) { return 0; };
    for (aioli_rng_fn rng : {aioli_rng_fn(aioli_rng_zero), aioli_rng_fn(writes_nothing)}) {
      const aioli_env env = {rng, nullptr, nullptr, 0};
      CHECK(aioli_keypair(alg, pk.data(), pk.size(), sk.data(), sk.size(), &env) == AIOLI_ERR_RNG);
      CHECK((all_zero(pk) && all_zero(sk)));
    }
    // One bit is enough, anywhere.
    const auto last_bit = [](void *, uint8_t *out, size_t n) {
      std::memset(out, 0, n);
      out[n - 1] = 0x80;
      return 0;
    };
    const aioli_env env = {last_bit, nullptr, nullptr, 0};
    CHECK(aioli_keypair(alg, pk.data(), pk.size(), sk.data(), sk.size(), &env) == AIOLI_OK);
  }
}

TEST_CASE("digests of many messages: between two of them a message may lie, on one it may not") {
  const aioli_alg *const alg = aioli_alg_by_name("MAYO-1");
  const size_t n = aioli_digest_bytes(alg), stride = n + 100, count = 3;
  Buffer memory = pattern(count * stride + 300, 4);
  const Buffer before = memory;
  uint8_t *const digests = memory.data() + 150;
  const auto hash = [&](const uint8_t *at, size_t bytes, size_t given_stride) {
    memory = before;
    const Buffer elsewhere = pattern(9, 9);
    const uint8_t *msgs[] = {elsewhere.data(), at, elsewhere.data()};
    const size_t lengths[] = {9, bytes, 9};
    return aioli_digest_batch(alg, digests, given_stride, msgs, lengths, count);
  };
  CHECK(hash(digests + n, 100, stride) == AIOLI_OK);
  CHECK(Buffer(digests + stride, digests + stride + n) ==
        test::digest_of(alg, Buffer(before.begin() + 150 + long(n), before.begin() + 150 + long(stride))));
  CHECK(hash(digests + n, 101, stride) == AIOLI_ERR_ARGUMENT);
  CHECK(all_zero(Buffer(digests, digests + n)));
  CHECK(hash(digests + n - 1, 1, stride) == AIOLI_ERR_ARGUMENT);
  CHECK(hash(digests - 1, 1, stride) == AIOLI_OK);
  CHECK(hash(digests - 1, 2, stride) == AIOLI_ERR_ARGUMENT);
  CHECK(hash(digests + 2 * stride + n, 120, stride) == AIOLI_OK);
  CHECK(hash(memory.data(), memory.size(), stride) == AIOLI_ERR_ARGUMENT);
  CHECK(hash(digests, 0, stride) == AIOLI_OK);
  CHECK(hash(digests, 0, SIZE_MAX / 2) == AIOLI_ERR_ARGUMENT);
}
