// SPDX-License-Identifier: Apache-2.0
// A cache of expanded keys changes no result, keeps to its size, and expands what comes again.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "batch_rows.hpp"

using namespace test;

namespace {

struct Cache {
  explicit Cache(size_t bytes) { REQUIRE(aioli_verifier_cache_new(&at, bytes) == AIOLI_OK); }
  ~Cache() { aioli_verifier_cache_free(at); }
  aioli_verifier_cache_counts look() const {
    aioli_verifier_cache_counts counts;
    aioli_verifier_cache_look(at, &counts);
    return counts;
  }
  aioli_batch_options options(uint32_t threads) const {
    aioli_batch_options options = with_threads(threads);
    options.verifiers = at;
    return options;
  }
  aioli_verifier_cache *at = nullptr;
};

void check(const aioli_alg *alg, const VerifyBatch &batch, const aioli_batch_options &options) {
  aioli_status result = AIOLI_ERR_SELFTEST;
  CHECK(batch.run(alg, &options, &result) == batch.expected);
  CHECK(result == first_error(batch.expected));
}

size_t entry_bytes(const aioli_alg *alg) { return aioli_verifier_bytes(alg) + aioli_public_key_bytes(alg); }

}  // namespace

TEST_CASE("the same results with caches of any size, of several sets, warm or cold, for one thread and many") {
  for (const size_t keys : {0, 1, 3, 100}) {
    CAPTURE(keys);
    const Cache cache(keys * (entry_bytes(aioli_alg_by_name("MAYO-1")) + 256));
    for (const aioli_alg *alg : every_batch_alg()) {
      CAPTURE(aioli_alg_name(alg));
      const VerifyBatch mixed(alg, 30, true, 1, [](size_t i) { return i < 12 ? 1 : 1 + i; });
      for (const uint32_t threads : {1, 1, 4, 4}) check(alg, mixed, cache.options(threads));
    }
    const aioli_verifier_cache_counts counts = cache.look();
    CHECK(counts.bytes <= keys * (entry_bytes(aioli_alg_by_name("MAYO-1")) + 256));
    // With room for fewer keys than come in turn, none may come twice in time.
    if (keys == 0 || keys == 100) CHECK(((counts.keys > 0) == (keys > 0) && (counts.hits > 0) == (keys > 0)));
    CHECK(counts.keys == counts.expansions - counts.evictions);
  }
}

TEST_CASE("a key is expanded for the second batch that needs it and found by the third, single or in a group") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  for (const size_t rows : {1, 5}) {
    CAPTURE(rows);
    const Cache cache(size_t{1} << 20);
    const VerifyBatch batch(alg, rows, false, 2, [](size_t) { return 9; });
    const uint64_t hits[] = {0, 0, 1, 2}, expansions[] = {0, 1, 1, 1};
    for (int round = 0; round < 4; round++) {
      CAPTURE(round);
      check(alg, batch, cache.options(1));
      CHECK(cache.look().hits == hits[round]);
      CHECK(cache.look().expansions == expansions[round]);
      CHECK(cache.look().keys == expansions[round]);
    }
  }
}

TEST_CASE("who was not used for longest goes first") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Cache cache(2 * (entry_bytes(alg) + 256));
  const auto use = [&](size_t key) {
    const uint64_t before = cache.look().hits;
    check(alg, VerifyBatch(alg, 1, false, unsigned(key), [=](size_t) { return key; }), cache.options(1));
    return cache.look().hits > before;
  };
  // Two keys come in; one of them is used; a third comes in.
  for (const size_t key : {1, 1, 2, 2}) CHECK(!use(key));
  CHECK(use(1));
  CHECK(!use(3));
  CHECK(!use(3));
  CHECK(cache.look().evictions == 1);
  CHECK(use(1));
  CHECK(use(3));
  CHECK(!use(2));
}

TEST_CASE("more keys in turn than there is room for are not expanded in vain") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Cache cache(2 * (entry_bytes(alg) + 256));
  const VerifyBatch batch(alg, 200, false, 3, [](size_t i) { return i + 1; });
  for (int round = 0; round < 4; round++) check(alg, batch, cache.options(1));
  CHECK(cache.look().expansions == 0);
}

TEST_CASE("keys that there is room for all come in") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Cache cache(64 * (entry_bytes(alg) + 256));
  const VerifyBatch batch(alg, 60, false, 7, [](size_t i) { return i + 1; });
  for (int round = 0; round < 3; round++) check(alg, batch, cache.options(1));
  // Five that fall into one set of four by chance would forget one another.
  CHECK(cache.look().keys >= 58);
  CHECK(cache.look().hits >= 58);
}

TEST_CASE("batches in several threads share a cache that is too small for them") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Cache cache(3 * (entry_bytes(alg) + 256));
  const VerifyBatch one(alg, 24, true, 4, [](size_t i) { return 1 + i % 4; }),
      two(alg, 24, true, 5, [](size_t i) { return i < 12 ? 2 : 1 + i % 6; });
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      const VerifyBatch &batch = t % 2 == 0 ? one : two;
      const aioli_batch_options options = cache.options(t < 2 ? 1 : 2);
      for (int round = 0; round < 20; round++) {
        aioli_status result;
        if (batch.run(alg, &options, &result) != batch.expected) wrong++;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
  const aioli_verifier_cache_counts counts = cache.look();
  CHECK(counts.hits > 0);
  CHECK(counts.keys <= 3);
}

TEST_CASE("what a cache refuses, and who refuses a cache") {
  CHECK(aioli_verifier_cache_new(nullptr, 1) == AIOLI_ERR_ARGUMENT);
  aioli_verifier_cache_free(nullptr);
  aioli_verifier_cache_look(nullptr, nullptr);
  aioli_verifier_cache_counts counts = {1, 1, 1, 1, 1, 1};
  aioli_verifier_cache_look(nullptr, &counts);
  CHECK((counts.hits == 0 && counts.keys == 0 && counts.bytes == 0));

  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Cache cache(1 << 20);
  const aioli_batch_options options = cache.options(1);
  CHECK(aioli_sign_batch(alg, nullptr, nullptr, 0, &options) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_keypair_batch(alg, nullptr, nullptr, 0, &options) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_verify_batch(alg, nullptr, nullptr, 0, &options) == AIOLI_OK);

  // A program that does not know of caches gives options that end before.
  const VerifyBatch batch(alg, 5, false, 6, [](size_t) { return 1; });
  aioli_batch_options older = options;
  older.bytes = offsetof(aioli_batch_options, verifiers);
  check(alg, batch, older);
  CHECK(cache.look().misses == 0);
  older.bytes--;
  aioli_status result;
  CHECK(batch.run(alg, &older, &result)[0] == AIOLI_ERR_ARGUMENT);
}
