// SPDX-License-Identifier: Apache-2.0
// Batches of signatures and of keys are, byte for byte, what the one-shot calls make in the order of the rows.
#include <doctest/doctest.h>

#include "batch_rows.hpp"

using namespace test;

namespace {

// A generator whose n-th call gives bytes of its own, or fails if told so.
struct Generator {
  unsigned calls = 0, fails_every = 0;
  static int draw(void *context, uint8_t *out, size_t n) {
    Generator &g = *static_cast<Generator *>(context);
    g.calls++;
    std::mt19937 random(g.calls);
    for (size_t i = 0; i < n; i++) out[i] = uint8_t(random());
    return g.fails_every != 0 && g.calls % g.fails_every == 0 ? 1 : 0;
  }
};

struct SignRow {
  Buffer msg;
  const Buffer *sk;
  size_t sig_bytes, sk_bytes;
  bool no_sig = false, no_msg = false, no_sk = false;
  Buffer sig = {};

  aioli_sign_row row() {
    sig.assign(sig_bytes, 0x5a);
    return {no_sig ? nullptr : sig.data(), sig_bytes, no_msg ? nullptr : msg.data(), msg.size(),
            no_sk ? nullptr : sk->data(),  sk_bytes};
  }
};

struct SignBatch {
  const aioli_alg *alg;
  std::vector<Buffer> keys, expected;
  std::vector<SignRow> rows;
  Statuses statuses;

  SignBatch(const aioli_alg *a, size_t count, size_t key_count, bool bad) : alg(a) {
    std::mt19937 random{unsigned(count + 100 * key_count)};
    for (size_t i = 0; i < key_count; i++) keys.push_back(Key(alg, uint8_t(i)).sk);
    for (size_t i = 0; i < count; i++) {
      SignRow r = {pattern(random() % 200 + 1, uint8_t(i)), &keys[i % key_count], aioli_signature_bytes(alg),
                   aioli_secret_key_bytes(alg)};
      if (bad) switch (random() % 24) {
          case 0: r.sig_bytes--; break;
          case 1: r.sig_bytes++; break;
          case 2: r.sk_bytes--; break;
          case 3: r.no_sig = true; break;
          case 4: r.no_msg = true; break;
          case 5: r.no_sk = true; break;
        }
      rows.push_back(r);
    }
  }

  void one_by_one(const aioli_env *env) {
    for (SignRow &r : rows) {
      const aioli_sign_row v = r.row();
      statuses.push_back(aioli_sign(alg, v.sig, v.sig_bytes, v.msg, v.msg_bytes, v.sk, v.sk_bytes, env));
      expected.push_back(r.sig);
    }
  }

  void check(const aioli_batch_options &options) {
    std::vector<aioli_sign_row> views;
    for (SignRow &r : rows) views.push_back(r.row());
    Statuses got(rows.size(), AIOLI_ERR_SELFTEST);
    CHECK(aioli_sign_batch(alg, got.data(), views.data(), views.size(), &options) == first_error(statuses));
    CHECK(got == statuses);
    for (size_t i = 0; i < rows.size(); i++) {
      CAPTURE(i);
      CHECK(rows[i].sig == expected[i]);
      if (got[i] == AIOLI_OK || rows[i].no_sig) continue;
      const size_t cleared = std::min(rows[i].sig.size(), aioli_signature_bytes(alg));
      CHECK(all_zero(Buffer(rows[i].sig.begin(), rows[i].sig.begin() + long(cleared))));
    }
  }
};

}  // namespace

TEST_CASE("signatures are those of one-shot calls: deterministic, and with a generator that the caller brings") {
  for (const aioli_alg *alg : every_batch_alg()) {
    CAPTURE(aioli_alg_name(alg));
    for (size_t keys : {1, 3, 15}) {
      CAPTURE(keys);
      SignBatch zero(alg, 15, keys, keys == 3), drawn = zero, failing = zero;
      Generator g;
      const aioli_env zero_env = {aioli_rng_zero, nullptr, nullptr, 0};
      zero.one_by_one(&zero_env);
      aioli_env env = {Generator::draw, &g, nullptr, 0};
      drawn.one_by_one(&env);
      const unsigned calls = g.calls;
      g = {0, 3};
      failing.one_by_one(&env);
      CHECK(std::count(failing.statuses.begin(), failing.statuses.end(), AIOLI_ERR_RNG) >= 2);
      for (uint32_t threads : thread_counts) {
        CAPTURE(threads);
        aioli_batch_options options = with_threads(threads);
        options.rng = aioli_rng_zero;
        zero.check(options);
        options.rng = Generator::draw;
        options.rng_context = &g;
        g = {};
        drawn.check(options);
        CHECK(g.calls == calls);  // once for each row that can be signed, and no more
        g = {0, 3};
        failing.check(options);
      }
    }
  }
}

TEST_CASE("every backend, little memory for expanded keys") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  SignBatch batch(alg, 24, 3, true);
  const aioli_env env = {aioli_rng_zero, nullptr, nullptr, 0};
  batch.one_by_one(&env);
  each_backend([&](const std::string &backend) {
    CAPTURE(backend);
    for (size_t room : {size_t{0}, size_t{1}, aioli_signer_bytes(alg)}) {
      aioli_batch_options options = with_threads(3);
      options.rng = aioli_rng_zero;
      options.key_cache_bytes = room;
      batch.check(options);
    }
  });
}

TEST_CASE("the system's randomness: other signatures each time, all of which verify") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const Key key(alg, 9);
  const Buffer msg = pattern(20, 1);
  for (aioli_rng_fn rng : {aioli_rng_fn(nullptr), aioli_rng_fn(aioli_rng_system)}) {
    std::vector<Buffer> sigs(10, Buffer(aioli_signature_bytes(alg)));
    std::vector<aioli_sign_row> rows;
    for (Buffer &sig : sigs) rows.push_back({sig.data(), sig.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size()});
    Statuses statuses(rows.size());
    aioli_batch_options options = with_threads(4);
    options.rng = rng;
    CHECK(aioli_sign_batch(alg, statuses.data(), rows.data(), rows.size(), &options) == AIOLI_OK);
    for (const Buffer &sig : sigs) CHECK(key.verify(sig, msg) == AIOLI_OK);
    for (size_t i = 0; i < sigs.size(); i++)
      for (size_t j = 0; j < i; j++) CHECK(sigs[i] != sigs[j]);
  }
}

TEST_CASE("digests instead of messages, for signing") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const Key key(alg, 9);
  const Buffer digest = pattern(aioli_digest_bytes(alg), 3);
  Buffer expected(aioli_signature_bytes(alg));
  Generator g;
  const aioli_env env = {Generator::draw, &g, nullptr, 0};
  REQUIRE(aioli_sign_digest(alg, expected.data(), expected.size(), digest.data(), digest.size(), key.sk.data(), key.sk.size(),
                            &env) == AIOLI_OK);
  for (size_t count : {1, 5}) {
    std::vector<Buffer> sigs(count, Buffer(expected.size(), 1));
    std::vector<aioli_sign_row> rows;
    for (Buffer &sig : sigs) rows.push_back({sig.data(), sig.size(), digest.data(), digest.size(), key.sk.data(), key.sk.size()});
    // A digest that is too short draws nothing, so the good row behind it gets the first draw.
    Buffer short_sig(expected.size(), 1);
    aioli_sign_row bad = rows[0];
    bad.sig = short_sig.data();
    bad.msg_bytes--;
    rows.insert(rows.begin(), bad);
    Statuses statuses(rows.size());
    aioli_batch_options options = with_threads(2);
    options.flags = AIOLI_BATCH_DIGESTS;
    options.rng = Generator::draw;
    options.rng_context = &g;
    g = {};
    CHECK(aioli_sign_batch(alg, statuses.data(), rows.data(), rows.size(), &options) == AIOLI_ERR_LENGTH);
    CHECK(statuses[0] == AIOLI_ERR_LENGTH);
    CHECK(all_zero(short_sig));
    CHECK(sigs[0] == expected);
    CHECK(g.calls == count);
  }
}

TEST_CASE("a batch that cannot be signed: its error everywhere, no signature") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  SignBatch batch(alg, 4, 1, false);
  batch.statuses.assign(4, AIOLI_ERR_ARGUMENT);
  batch.expected.assign(4, Buffer(aioli_signature_bytes(alg)));
  batch.check(with_threads(AIOLI_BATCH_MAX_THREADS + 1));
}

TEST_CASE("key pairs: from seeds, and drawn in the order of the rows") {
  for (const aioli_alg *alg : every_batch_alg()) {
    CAPTURE(aioli_alg_name(alg));
    const size_t pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg),
                 seed_bytes = aioli_seed_bytes(alg);
    struct Made {
      Buffer pk, sk, seed;
    };
    // Row i: 0 drawn, 1 a seed, 2 a seed that is its own output, 3 a bad length of pk, 4 of the seed, 5 no place for pk,
    // 6 a length of a seed that is not there.
    const auto rows_of = [&](std::vector<Made> &made) {
      std::vector<aioli_keypair_row> rows;
      for (size_t i = 0; i < made.size(); i++) {
        Made &m = made[i];
        m = {Buffer(pk_bytes, 0x5a), Buffer(sk_bytes, 0x5a), pattern(seed_bytes, uint8_t(i))};
        if (i % 7 == 2) std::copy(m.seed.begin(), m.seed.end(), m.sk.begin());
        aioli_keypair_row r = {m.pk.data(), pk_bytes, m.sk.data(), sk_bytes, m.seed.data(), seed_bytes};
        switch (i % 7) {
          case 0: r.seed = nullptr, r.seed_bytes = 0; break;
          case 2: r.seed = r.sk; break;
          case 3: r.pk_bytes--, m.pk.pop_back(); break;
          case 4: r.seed_bytes--; break;
          case 5: r.pk = nullptr; break;
          case 6: r.seed = nullptr; break;
        }
        rows.push_back(r);
      }
      return rows;
    };
    std::vector<Made> expected(16), got(16);
    Generator g;
    const aioli_env env = {Generator::draw, &g, nullptr, 0};
    Statuses statuses;
    for (const aioli_keypair_row &r : rows_of(expected))
      statuses.push_back(r.seed == nullptr && r.seed_bytes == 0
                             ? aioli_keypair(alg, r.pk, r.pk_bytes, r.sk, r.sk_bytes, &env)
                             : aioli_keypair_from_seed(alg, r.pk, r.pk_bytes, r.sk, r.sk_bytes, r.seed, r.seed_bytes, &env));
    for (uint32_t threads : {0, 1, 2, 5}) {
      CAPTURE(threads);
      aioli_batch_options options = with_threads(threads);
      options.rng = Generator::draw;
      options.rng_context = &g;
      g = {};
      const std::vector<aioli_keypair_row> rows = rows_of(got);
      Statuses s(rows.size(), AIOLI_ERR_SELFTEST);
      CHECK(aioli_keypair_batch(alg, s.data(), rows.data(), rows.size(), &options) == first_error(statuses));
      CHECK(s == statuses);
      CHECK(g.calls == 3);
      for (size_t i = 0; i < rows.size(); i++) {
        CAPTURE(i);
        CHECK(got[i].pk == expected[i].pk);
        CHECK(got[i].sk == expected[i].sk);
      }
      // Not worked on at all: outputs zero, but for the seed that is one.
      options.flags = AIOLI_BATCH_DIGESTS;
      const std::vector<aioli_keypair_row> again = rows_of(got);
      CHECK(aioli_keypair_batch(alg, s.data(), again.data(), again.size(), &options) == AIOLI_ERR_ARGUMENT);
      CHECK(s == Statuses(rows.size(), AIOLI_ERR_ARGUMENT));
      for (size_t i = 0; i < rows.size(); i++) {
        const auto cleared = [](size_t size, size_t exact) {  // nothing is written behind the exact length
          return Buffer(std::min(size, exact));
        };
        const auto front = [](const Buffer &b, size_t n) { return Buffer(b.begin(), b.begin() + long(std::min(n, b.size()))); };
        const size_t pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg);
        if (again[i].pk != nullptr) CHECK(front(got[i].pk, pk_bytes) == cleared(got[i].pk.size(), pk_bytes));
        Buffer left = cleared(got[i].sk.size(), sk_bytes);
        if (i % 7 == 2) std::copy(got[i].seed.begin(), got[i].seed.end(), left.begin());
        CHECK(front(got[i].sk, sk_bytes) == left);
      }
    }
  }
}

TEST_CASE("rows whose arguments overlap, have wrong lengths or get a seed of zeros fail alone") {
  for (const char *name : {"MAYO-1", "UOV-Ip-pkc-skc"}) {
    CAPTURE(name);
    const aioli_alg *alg = aioli_alg_by_name(name);
    const test::Key key(alg);
    const size_t n = aioli_signature_bytes(alg), sk_n = key.sk.size(), pk_n = key.pk.size();
    const test::Buffer msg = test::pattern(30, 1);
    for (uint32_t threads : {1u, 3u}) {
      test::Buffer good(n), in_key(n + sk_n, 0x11), in_msg(n + 30, 0x22), longer(n + 64, 0xa5);
      std::copy(key.sk.begin(), key.sk.end(), in_key.begin() + 8);
      const aioli_sign_row rows[] = {
          {good.data(), n, msg.data(), 30, key.sk.data(), sk_n},
          {in_key.data(), n, msg.data(), 30, in_key.data() + 8, sk_n},
          {in_msg.data(), n, in_msg.data() + n - 1, 30, key.sk.data(), sk_n},
          {longer.data(), SIZE_MAX, msg.data(), 30, key.sk.data(), sk_n},
      };
      aioli_status status[4];
      aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
      options.threads = threads;
      CHECK(aioli_sign_batch(alg, status, rows, 4, &options) == AIOLI_ERR_ARGUMENT);
      CHECK(status[0] == AIOLI_OK);
      CHECK(key.verify(good, msg) == AIOLI_OK);
      CHECK(status[1] == AIOLI_ERR_ARGUMENT);
      CHECK(status[2] == AIOLI_ERR_ARGUMENT);
      CHECK(status[3] == AIOLI_ERR_LENGTH);
      CHECK(test::all_zero(test::Buffer(in_key.begin(), in_key.begin() + long(n))));
      CHECK(test::all_zero(test::Buffer(in_msg.begin(), in_msg.begin() + long(n))));
      CHECK(test::all_zero(test::Buffer(longer.begin(), longer.begin() + long(n))));
      CHECK(longer[n] == 0xa5);

      // The whole batch refused: outputs cleared, no further than they reach.
      options.flags = 0x8000;
      CHECK(aioli_sign_batch(alg, status, rows + 3, 1, &options) == AIOLI_ERR_ARGUMENT);
      CHECK(longer[n] == 0xa5);
      options.flags = 0;

      test::Buffer pk(pk_n, 1), sk(sk_n, 1), other_pk(pk_n, 1), other_sk(sk_n, 1);
      const aioli_keypair_row keys[] = {{pk.data(), pk_n, sk.data(), sk_n, nullptr, 0},
                                        {other_pk.data(), pk_n, other_sk.data(), sk_n, key.sk.data(), aioli_seed_bytes(alg)}};
      options.rng = aioli_rng_zero;
      CHECK(aioli_keypair_batch(alg, status, keys, 2, &options) == AIOLI_ERR_RNG);
      CHECK(status[0] == AIOLI_ERR_RNG);
      CHECK((test::all_zero(pk) && test::all_zero(sk)));
      CHECK(status[1] == AIOLI_OK);
      CHECK(other_pk == key.pk);
    }
  }
}
