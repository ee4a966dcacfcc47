// SPDX-License-Identifier: Apache-2.0
// The C interface of the variant: what it signs verifies, what was changed does not, and what is asked wrongly is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "stream.hpp"

using test::all_zero, test::Buffer, test::Environment, test::pattern, test::Stream;

namespace {

struct Key {
  const aioli_armv7m_set *set;
  Buffer pk, sk;
  explicit Key(const aioli_armv7m_set *s, uint8_t start = 1)
      : set(s), pk(aioli_armv7m_public_key_bytes(s)), sk(aioli_armv7m_secret_key_bytes(s)) {
    Stream stream(pattern(48, start));
    REQUIRE(aioli_armv7m_keypair(set, pk.data(), pk.size(), sk.data(), sk.size(),
                                 Environment(set, AIOLI_OP_KEYPAIR, Stream::rng, &stream)) == AIOLI_OK);
  }
  Buffer sign(const Buffer &msg, uint8_t start = 9) const {
    Stream stream(pattern(48, start));
    Buffer sig(aioli_armv7m_signature_bytes(set));
    REQUIRE(aioli_armv7m_sign(set, sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(),
                              Environment(set, AIOLI_OP_SIGN, Stream::rng, &stream)) == AIOLI_OK);
    return sig;
  }
  aioli_status verify(const Buffer &sig, const Buffer &msg) const {
    return aioli_armv7m_verify(set, sig.data(), sig.size(), msg.data(), msg.size(), pk.data(), pk.size(),
                               Environment(set, AIOLI_OP_VERIFY, nullptr));
  }
};

template <class F> void each_set(const F &f) {
  REQUIRE(aioli_armv7m_count() == 3);
  for (size_t i = 0; i < aioli_armv7m_count(); i++) {
    const std::string name = aioli_armv7m_name(aioli_armv7m_at(i));
    CAPTURE(name);
    f(aioli_armv7m_at(i));
  }
}

Buffer resized(const Buffer &b, int change) {  // by a byte
  Buffer r = b;
  r.push_back(1);
  return change > 0 ? r : Buffer(b.begin(), b.end() - 1);
}

}  // namespace

TEST_CASE("the sets, and where the numbering ends") {
  CHECK(test::variant("MAYO-armv7m-orig-1") == aioli_armv7m_at(0));
  CHECK(test::variant("MAYO-armv7m-new-1") == aioli_armv7m_at(1));
  CHECK(test::variant("MAYO-armv7m-new-1-k14") == aioli_armv7m_at(2));
  CHECK(aioli_armv7m_at(3) == nullptr);
  CHECK(aioli_alg_by_name("MAYO-armv7m-new-1") == nullptr);  // the core does not know them
  each_set([](const aioli_armv7m_set *set) {
    CHECK(aioli_armv7m_workspace_bytes(set, AIOLI_OP_SIGNER_SIGN) == 0);
    for (aioli_op op : {AIOLI_OP_KEYPAIR, AIOLI_OP_SIGN, AIOLI_OP_VERIFY}) {
      CHECK(aioli_armv7m_workspace_bytes(set, op) > 0);
      CHECK(aioli_armv7m_workspace_bytes(set, op) <=
            96 * 1024);  // research/mayo_armv7m/README.md: tables of the Cortex-M4 take most
    }
  });
}

TEST_CASE("messages of all lengths sign and verify; signatures are as random as their source") {
  each_set([](const aioli_armv7m_set *set) {
    const Key key(set);
    for (size_t n : {0, 1, 103, 104, 105, 136, 1000}) {
      CAPTURE(n);
      const Buffer msg = pattern(n, uint8_t(n)), sig = key.sign(msg);
      CHECK(key.verify(sig, msg) == AIOLI_OK);
      CHECK(key.sign(msg) == sig);
      const Buffer another = key.sign(msg, 10);
      CHECK(another != sig);
      CHECK(key.verify(another, msg) == AIOLI_OK);
    }
    CHECK(aioli_armv7m_verify(set, key.sign({}).data(), aioli_armv7m_signature_bytes(set), nullptr, 0, key.pk.data(),
                              key.pk.size(), Environment(set, AIOLI_OP_VERIFY)) == AIOLI_OK);
    Buffer sig(aioli_armv7m_signature_bytes(set));
    const Buffer msg = pattern(5, 5);
    for (int i = 0; i < 200; i++) {  // some systems are singular
      REQUIRE(aioli_armv7m_sign(set, sig.data(), sig.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(),
                                Environment(set, AIOLI_OP_SIGN)) == AIOLI_OK);
      REQUIRE(key.verify(sig, msg) == AIOLI_OK);
    }
  });
}

TEST_CASE("singular systems are thrown away, about one in fifteen, and no more") {
  each_set([](const aioli_armv7m_set *set) {
    const Key key(set);
    Stream stream(pattern(48, 3));
    const Buffer msg = pattern(5, 5);
    Buffer sig(aioli_armv7m_signature_bytes(set));
    size_t once = 0;
    const int signatures = 300;
    for (int i = 0; i < signatures; i++) {
      const size_t before = stream.drawn;
      REQUIRE(aioli_armv7m_sign(set, sig.data(), sig.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(),
                                Environment(set, AIOLI_OP_SIGN, Stream::rng, &stream)) == AIOLI_OK);
      if (once == 0 || stream.drawn - before < once) once = stream.drawn - before;
    }
    // A square matrix is regular with probability 0.934: 321 attempts expected, standard deviation 4.8.
    CHECK(stream.drawn % once == 0);
    CHECK(stream.drawn / once > 301);
    CHECK(stream.drawn / once < 345);
  });
}

TEST_CASE("a change anywhere is refused") {
  each_set([](const aioli_armv7m_set *set) {
    const Key key(set), other(set, 77);
    const Buffer msg = pattern(100, 1), sig = key.sign(msg);
    REQUIRE(key.verify(sig, msg) == AIOLI_OK);
    CHECK(other.verify(sig, msg) == AIOLI_ERR_SIGNATURE);
    CHECK(key.verify(Buffer(sig.size()), msg) == AIOLI_ERR_SIGNATURE);
    CHECK(key.verify(Buffer(sig.size(), 0xff), msg) == AIOLI_ERR_SIGNATURE);
    for (size_t at = 0; at < sig.size(); at++) {  // the salt and every byte of every s_i
      CAPTURE(at);
      Buffer bad = sig;
      bad[at] ^= uint8_t(1 << at % 8);
      CHECK(key.verify(bad, msg) == AIOLI_ERR_SIGNATURE);
    }
    // E; A, Bm (row 0 ends with it) and D (the end).  Half bytes that are no coefficient do not count, and the last byte of
    // orig-1 has one.
    const size_t P = key.pk.size() - 66 * 67 / 2 * (set == aioli_armv7m_at(0) ? 34 : 32);
    for (size_t at : {size_t(0), P / 2, P - 1, P, P + 1, P + 66 * 32 - 40, key.pk.size() / 2, key.pk.size() - 1}) {
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
    Buffer swapped = sig;
    std::swap_ranges(swapped.begin() + 32, swapped.begin() + 65, swapped.begin() + 65);
    CHECK(key.verify(swapped, msg) == AIOLI_ERR_SIGNATURE);
    Buffer salt_last = sig;  // the order of the core's signatures
    std::rotate(salt_last.begin(), salt_last.begin() + 32, salt_last.end());
    CHECK(key.verify(salt_last, msg) == AIOLI_ERR_SIGNATURE);
  });
}

TEST_CASE("wrong lengths and arguments") {
  each_set([](const aioli_armv7m_set *set) {
    const Key key(set);
    const Buffer msg = pattern(10, 1), sig = key.sign(msg);
    const Environment sign_env(set, AIOLI_OP_SIGN), verify_env(set, AIOLI_OP_VERIFY), keypair_env(set, AIOLI_OP_KEYPAIR);
    for (int change : {-1, 1}) {
      Buffer s = resized(sig, change), p = resized(key.pk, change), k = resized(key.sk, change);
      CHECK(key.verify(s, msg) == AIOLI_ERR_LENGTH);
      CHECK(aioli_armv7m_verify(set, sig.data(), sig.size(), msg.data(), msg.size(), p.data(), p.size(), verify_env) ==
            AIOLI_ERR_LENGTH);
      Buffer out = sig, pk = key.pk, sk = key.sk;
      CHECK(aioli_armv7m_sign(set, out.data(), out.size(), msg.data(), msg.size(), k.data(), k.size(), sign_env) ==
            AIOLI_ERR_LENGTH);
      CHECK(all_zero(out));
      CHECK(aioli_armv7m_sign(set, s.data(), s.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), sign_env) ==
            AIOLI_ERR_LENGTH);
      CHECK(all_zero(s));
      CHECK(aioli_armv7m_keypair(set, p.data(), p.size(), sk.data(), sk.size(), keypair_env) == AIOLI_ERR_LENGTH);
      CHECK(aioli_armv7m_keypair(set, pk.data(), pk.size(), k.data(), k.size(), keypair_env) == AIOLI_ERR_LENGTH);
      CHECK((all_zero(p) && all_zero(sk) && all_zero(pk) && all_zero(k)));
    }
    Buffer out = sig, pk = key.pk, sk = key.sk;
    const auto sign = [&](const aioli_armv7m_set *s, uint8_t *o, const uint8_t *m, const uint8_t *k, const aioli_env *env) {
      return aioli_armv7m_sign(s, o, out.size(), m, msg.size(), k, sk.size(), env);
    };
    CHECK(sign(nullptr, out.data(), msg.data(), sk.data(), sign_env) == AIOLI_ERR_ARGUMENT);
    CHECK(sign(set, nullptr, msg.data(), sk.data(), sign_env) == AIOLI_ERR_ARGUMENT);
    CHECK(sign(set, out.data(), nullptr, sk.data(), sign_env) == AIOLI_ERR_ARGUMENT);
    CHECK(sign(set, out.data(), msg.data(), nullptr, sign_env) == AIOLI_ERR_ARGUMENT);
    CHECK(sign(set, out.data(), msg.data(), sk.data(), nullptr) == AIOLI_ERR_ARGUMENT);
    CHECK(all_zero(out));
    const auto verify = [&](const aioli_armv7m_set *s, const uint8_t *g, const uint8_t *m, const uint8_t *p,
                            const aioli_env *env) {
      return aioli_armv7m_verify(s, g, sig.size(), m, msg.size(), p, pk.size(), env);
    };
    CHECK(verify(nullptr, sig.data(), msg.data(), pk.data(), verify_env) == AIOLI_ERR_ARGUMENT);
    CHECK(verify(set, nullptr, msg.data(), pk.data(), verify_env) == AIOLI_ERR_ARGUMENT);
    CHECK(verify(set, sig.data(), nullptr, pk.data(), verify_env) == AIOLI_ERR_ARGUMENT);
    CHECK(verify(set, sig.data(), msg.data(), nullptr, verify_env) == AIOLI_ERR_ARGUMENT);
    CHECK(verify(set, sig.data(), msg.data(), pk.data(), nullptr) == AIOLI_ERR_ARGUMENT);

    // No generator, no workspace, too little of it, a generator that fails at each of its calls.
    aioli_env bad = sign_env.env;
    bad.rng = nullptr;
    CHECK(sign(set, out.data(), msg.data(), sk.data(), &bad) == AIOLI_ERR_ARGUMENT);
    bad = sign_env.env;
    bad.workspace = nullptr;
    CHECK(sign(set, out.data(), msg.data(), sk.data(), &bad) == AIOLI_ERR_ARGUMENT);
    bad = sign_env.env;
    bad.workspace_bytes--;
    CHECK(sign(set, out.data(), msg.data(), sk.data(), &bad) == AIOLI_ERR_BUFFER);
    bad = verify_env.env;
    bad.workspace_bytes--;
    CHECK(verify(set, sig.data(), msg.data(), pk.data(), &bad) == AIOLI_ERR_BUFFER);
    int calls_left = 0;
    const aioli_rng_fn failing = [](void *context, uint8_t *to, size_t n) {
      std::memset(to, 0x5a, n);
      return --*static_cast<int *>(context) < 0 ? -1 : 0;
    };
    for (int calls = 0; calls < 3; calls++) {
      calls_left = calls;
      out = sig;
      CHECK(sign(set, out.data(), msg.data(), sk.data(), Environment(set, AIOLI_OP_SIGN, failing, &calls_left)) == AIOLI_ERR_RNG);
      CHECK(all_zero(out));
    }
    calls_left = 0;
    CHECK(aioli_armv7m_keypair(set, pk.data(), pk.size(), sk.data(), sk.size(),
                               Environment(set, AIOLI_OP_KEYPAIR, failing, &calls_left)) == AIOLI_ERR_RNG);
    CHECK((all_zero(pk) && all_zero(sk)));
  });
}

TEST_CASE("a source of randomness that never changes ends in an error, not in a loop") {
  each_set([](const aioli_armv7m_set *set) {
    const Key key(set);
    Buffer sig(aioli_armv7m_signature_bytes(set), 1);  // zero vinegar makes a zero matrix
    CHECK(aioli_armv7m_sign(set, sig.data(), sig.size(), nullptr, 0, key.sk.data(), key.sk.size(),
                            Environment(set, AIOLI_OP_SIGN, aioli_rng_zero)) == AIOLI_ERR_NO_SOLUTION);
    CHECK(all_zero(sig));
  });
}

TEST_CASE("half bytes that are no element do not count") {
  each_set([](const aioli_armv7m_set *set) {
    const Key key(set);
    const Buffer msg = pattern(20, 2), sig = key.sign(msg);
    const size_t o = set == aioli_armv7m_at(0) ? 5 : 7, v = 66 - o, m_bytes = set == aioli_armv7m_at(0) ? 34 : 32;
    Key odd = key;  // rows of O: v is odd
    for (size_t c = 0; c < o; c++) {
      const size_t last = odd.sk.size() - v * o * m_bytes - c * ((v + 1) / 2) - 1;
      CHECK((odd.sk[last] >> 4) == 0);
      odd.sk[last] |= 0xf0;
    }
    CHECK(odd.sign(msg) == sig);
    if (m_bytes == 32) return;
    for (size_t at = 32 + m_bytes - 1; at < odd.pk.size(); at += m_bytes) {
      CHECK((odd.pk[at] >> 4) == 0);
      odd.pk[at] |= 0xf0;
    }
    for (size_t at = 32 + m_bytes - 1; at < 32 + m_bytes * v * (v + 1) / 2; at += m_bytes) odd.sk[at] |= 0xf0;
    for (size_t at = odd.sk.size() - v * o * m_bytes + m_bytes - 1; at < odd.sk.size(); at += m_bytes) odd.sk[at] |= 0xf0;
    CHECK(odd.sign(msg) == sig);
    CHECK(odd.verify(sig, msg) == AIOLI_OK);
  });
}

TEST_CASE("any alignment of the workspace, and nothing outside it") {
  each_set([](const aioli_armv7m_set *set) {
    const Key key(set);
    const Buffer msg = pattern(20, 2), expected = key.sign(msg);
    for (size_t offset : {1, 3, 8, 33, 63}) {
      CAPTURE(offset);
      for (aioli_op op : {AIOLI_OP_KEYPAIR, AIOLI_OP_SIGN, AIOLI_OP_VERIFY}) {
        const size_t n = aioli_armv7m_workspace_bytes(set, op);
        Buffer memory(n + 128, 0x77), pk(key.pk.size()), sk(key.sk.size()), sig(expected.size());
        Stream stream(pattern(48, op == AIOLI_OP_KEYPAIR ? 1 : 9));
        const aioli_env env = {Stream::rng, &stream, memory.data() + offset, n};
        if (op == AIOLI_OP_KEYPAIR) {
          CHECK(aioli_armv7m_keypair(set, pk.data(), pk.size(), sk.data(), sk.size(), &env) == AIOLI_OK);
          CHECK((pk == key.pk && sk == key.sk));
        } else if (op == AIOLI_OP_SIGN) {
          CHECK(aioli_armv7m_sign(set, sig.data(), sig.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), &env) ==
                AIOLI_OK);
          CHECK(sig == expected);
        } else {
          CHECK(aioli_armv7m_verify(set, expected.data(), expected.size(), msg.data(), msg.size(), key.pk.data(), key.pk.size(),
                                    &env) == AIOLI_OK);
        }
        for (size_t i = 0; i < memory.size(); i++)
          if (i < offset || i >= offset + n) REQUIRE(memory[i] == 0x77);
      }
    }
  });
}
