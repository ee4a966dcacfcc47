// SPDX-License-Identifier: Apache-2.0
// Pools: kept over many batches, shared by callers, and their edges.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "batch/pool.hpp"
#include "batch_rows.hpp"

using namespace test;

TEST_CASE("one pool serves many batches, and several callers at once") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const VerifyBatch batch(alg, 30, true, 1, [](size_t i) { return 1 + i % 4; });
  for (uint32_t threads : {1, 2, 8}) {
    CAPTURE(threads);
    aioli_pool *pool = nullptr;
    REQUIRE(aioli_pool_new(&pool, threads) == AIOLI_OK);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> callers;
    for (int t = 0; t < 3; t++)
      callers.emplace_back([&] {
        aioli_batch_options options = with_threads(0);
        options.pool = pool;
        for (int round = 0; round < 10; round++) {
          aioli_status result = AIOLI_ERR_SELFTEST;
          wrong += batch.run(alg, &options, &result) != batch.expected || result != first_error(batch.expected);
        }
      });
    for (std::thread &t : callers) t.join();
    CHECK(wrong == 0);
    aioli_pool_free(pool);
  }
}

TEST_CASE("all threads of a pool take part, each under its own number") {
  constexpr size_t threads = 4;
  aioli_pool *pool = aioli::make_pool(threads, false);
  REQUIRE(pool != nullptr);
  CHECK(aioli::pool_threads(pool) == threads);
  for (int round = 0; round < 20; round++) {
    struct State {
      std::atomic<size_t> arrived = 0;
      std::atomic<int> of[threads] = {};
    } state;
    aioli::run(pool, {[](void *context, size_t thread) {
                        State &s = *static_cast<State *>(context);
                        s.of[thread]++;
                        s.arrived++;
                        while (s.arrived < threads) std::this_thread::yield();  // ends only if all come
                      },
                      &state});
    for (const auto &n : state.of) CHECK(n == 1);
  }
  aioli_pool_free(pool);
}

TEST_CASE("callers take turns: no thread works on two jobs at a time") {
  aioli_pool *pool = aioli::make_pool(3, false);
  REQUIRE(pool != nullptr);
  static std::atomic<int> inside[2], together;
  together = 0;
  const auto call = [&](int mine) {
    for (int round = 0; round < 200; round++)
      aioli::run(pool, {[](void *context, size_t) {
                          const int me = *static_cast<int *>(context);
                          inside[me]++;
                          for (int i = 0; i < 20; i++) {
                            together += inside[1 - me] > 0;
                            std::this_thread::yield();
                          }
                          inside[me]--;
                        },
                        &mine});
  };
  std::thread first(call, 0), second(call, 1);
  first.join();
  second.join();
  CHECK(together == 0);
  aioli_pool_free(pool);
}

TEST_CASE("sizes of pools") {
  aioli_pool *pool = reinterpret_cast<aioli_pool *>(1);
  CHECK(aioli_pool_new(&pool, 0) == AIOLI_ERR_ARGUMENT);
  CHECK(pool == nullptr);
  CHECK(aioli_pool_new(&pool, AIOLI_BATCH_MAX_THREADS + 1) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_pool_new(nullptr, 1) == AIOLI_ERR_ARGUMENT);
  aioli_pool_free(nullptr);
}
