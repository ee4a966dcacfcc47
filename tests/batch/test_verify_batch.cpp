// SPDX-License-Identifier: Apache-2.0
// A batch of verifications says of each row what aioli_verify says of it.
#include <doctest/doctest.h>

#include "batch_rows.hpp"

using namespace test;

namespace {

void check(const aioli_alg *alg, const VerifyBatch &batch, const aioli_batch_options *options) {
  aioli_status result = AIOLI_ERR_SELFTEST;
  const Statuses statuses = batch.run(alg, options, &result);
  CHECK(statuses == batch.expected);
  CHECK(result == first_error(batch.expected));
}

}  // namespace

TEST_CASE("one key, many keys and both, rows good and bad, one thread to eight") {
  for (const aioli_alg *alg : every_batch_alg()) {
    CAPTURE(aioli_alg_name(alg));
    const size_t count = 30;
    const struct {
      const char *name;
      VerifyBatch batch;
    } shapes[] = {
        {"one key", {alg, count, true, 1, [](size_t) { return 1; }}},
        {"many keys", {alg, count, true, 2, [](size_t i) { return i + 1; }}},
        {"mixed", {alg, count, true, 3, [](size_t i) { return i < 16   ? 1
                                                              : i < 24 ? 2 + i % 4
                                                                       : i; }}},
        {"all good", {alg, count, false, 4, [](size_t i) { return 1 + i % 5; }}},
    };
    for (const auto &shape : shapes) {
      CAPTURE(shape.name);
      const auto count_of = [&](aioli_status s) {
        return std::count(shape.batch.expected.begin(), shape.batch.expected.end(), s);
      };
      CHECK(count_of(AIOLI_OK) > 0);
      CHECK((count_of(AIOLI_OK) == int(count)) == (std::string(shape.name) == "all good"));
      check(alg, shape.batch, nullptr);
      for (uint32_t threads : thread_counts) {
        CAPTURE(threads);
        const aioli_batch_options options = with_threads(threads);
        check(alg, shape.batch, &options);
      }
    }
  }
}

TEST_CASE("every way to spoil a row, at each end of a group and in its middle") {
  // Of a set whose public key is no multiple of eight bytes: a key that is too long by a zero has the fingerprint of the right
  // one.
  const aioli_alg *alg = aioli_alg_by_name("MAYO-3");
  const VerifyBatch good(alg, 9, false, 5, [](size_t) { return 7; });
  std::mt19937 random(6);
  for (int way = 0; way < ways_to_spoil; way++)
    for (size_t place : {0, 4, 8}) {
      CAPTURE(way);
      CAPTURE(place);
      VerifyBatch batch = good;
      spoil(batch.rows[place], way, random);
      batch.expected[place] = one_shot(alg, batch.rows[place].row());
      CHECK(batch.expected[place] != AIOLI_OK);
      check(alg, batch, nullptr);
      const aioli_batch_options options = with_threads(3);
      check(alg, batch, &options);
    }
}

TEST_CASE("every backend") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const VerifyBatch batch(alg, 24, true, 7, [](size_t i) { return 1 + i % 3; });
  each_backend([&](const std::string &backend) {
    CAPTURE(backend);
    const aioli_batch_options options = with_threads(2);
    check(alg, batch, &options);
  });
}

TEST_CASE("more rows than are tagged by one thread, more groups than threads") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const VerifyBatch few(alg, 60, true, 8, [](size_t i) { return 1 + i % 12; });
  VerifyBatch batch = few;
  for (int i = 0; i < 19; i++) {
    batch.rows.insert(batch.rows.end(), few.rows.begin(), few.rows.end());
    batch.expected.insert(batch.expected.end(), few.expected.begin(), few.expected.end());
  }
  for (uint32_t threads : {1, 4, 8}) {
    const aioli_batch_options options = with_threads(threads);
    check(alg, batch, &options);
  }
}

TEST_CASE("rows may share all their inputs") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const VerifyBatch one(alg, 1, false, 9, [](size_t) { return 3; });
  std::vector<aioli_verify_row> rows(100, one.rows[0].row());
  Statuses statuses(rows.size(), AIOLI_ERR_SELFTEST), expected(rows.size(), AIOLI_OK);
  const aioli_batch_options options = with_threads(4);
  CHECK(aioli_verify_batch(alg, statuses.data(), rows.data(), rows.size(), &options) == AIOLI_OK);
  CHECK(statuses == expected);
  // The same place, but another length.
  rows[50].pk_bytes--;
  expected[50] = AIOLI_ERR_LENGTH;
  CHECK(aioli_verify_batch(alg, statuses.data(), rows.data(), rows.size(), &options) == AIOLI_ERR_LENGTH);
  CHECK(statuses == expected);
}

TEST_CASE("digests instead of messages") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  VerifyBatch batch(alg, 20, false, 10, [](size_t i) { return 1 + i % 2; });
  for (VerifyRow &row : batch.rows) row.msg = test::digest_of(alg, row.msg);
  batch.rows[3].msg[0] ^= 1;
  batch.expected[3] = AIOLI_ERR_SIGNATURE;
  batch.rows[5].msg.pop_back();
  batch.expected[5] = AIOLI_ERR_LENGTH;
  batch.rows[7].no_msg = true;
  batch.expected[7] = AIOLI_ERR_ARGUMENT;
  aioli_batch_options options = with_threads(2);
  options.flags = AIOLI_BATCH_DIGESTS;
  check(alg, batch, &options);
  options.flags = 0;
  aioli_status result = AIOLI_OK;
  CHECK(batch.run(alg, &options, &result)[0] == AIOLI_ERR_SIGNATURE);  // of the digest as a message
}

TEST_CASE("little memory for expanded keys, or none") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-3");
  const VerifyBatch batch(alg, 40, true, 11, [](size_t i) { return 1 + i % 6; });
  const size_t one = aioli_verifier_bytes(alg);
  for (size_t room : {size_t{1}, one - 1, one, 2 * one, 100 * one})
    for (uint32_t threads : {1, 4}) {
      CAPTURE(room);
      CAPTURE(threads);
      aioli_batch_options options = with_threads(threads);
      options.key_cache_bytes = room;
      check(alg, batch, &options);
    }
}

TEST_CASE("a batch that cannot be: its error is the result and every row's status") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const VerifyBatch batch(alg, 3, false, 12, [](size_t) { return 1; });
  std::vector<aioli_verify_row> rows;
  for (const VerifyRow &row : batch.rows) rows.push_back(row.row());
  const auto refused = [&](const aioli_alg *a, const aioli_verify_row *r, const aioli_batch_options *options) {
    Statuses statuses(3, AIOLI_OK);
    CHECK(aioli_verify_batch(a, statuses.data(), r, 3, options) == AIOLI_ERR_ARGUMENT);
    CHECK(statuses == Statuses(3, AIOLI_ERR_ARGUMENT));
  };
  refused(nullptr, rows.data(), nullptr);
  refused(alg, nullptr, nullptr);
  CHECK(aioli_verify_batch(alg, nullptr, rows.data(), 3, nullptr) == AIOLI_ERR_ARGUMENT);
  aioli_batch_options options = with_threads(1);
  options.bytes--;
  refused(alg, rows.data(), &options);
  options = with_threads(0);
  options.bytes = 0;
  refused(alg, rows.data(), &options);
  options = with_threads(AIOLI_BATCH_MAX_THREADS + 1);
  refused(alg, rows.data(), &options);
  options = with_threads(0);
  options.flags = 2;
  refused(alg, rows.data(), &options);
  aioli_pool *pool = nullptr;
  REQUIRE(aioli_pool_new(&pool, 2) == AIOLI_OK);
  options = with_threads(2);
  options.pool = pool;
  refused(alg, rows.data(), &options);
  aioli_pool_free(pool);

  // Options of a later version: what they do not ask for is no reason to refuse.
  struct Later {
    aioli_batch_options now = with_threads(2);
    uint8_t field[16] = {};
  } later;
  later.now.bytes = sizeof later;
  Statuses statuses(3, AIOLI_ERR_SELFTEST);
  CHECK(aioli_verify_batch(alg, statuses.data(), rows.data(), 3, &later.now) == AIOLI_OK);
  CHECK(statuses == Statuses(3, AIOLI_OK));
  later.field[15] = 1;
  refused(alg, rows.data(), &later.now);
}

TEST_CASE("no rows") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const aioli_batch_options options = with_threads(4);
  CHECK(aioli_verify_batch(alg, nullptr, nullptr, 0, &options) == AIOLI_OK);
  CHECK(aioli_sign_batch(alg, nullptr, nullptr, 0, nullptr) == AIOLI_OK);
  CHECK(aioli_keypair_batch(alg, nullptr, nullptr, 0, nullptr) == AIOLI_OK);
  CHECK(aioli_verify_batch(nullptr, nullptr, nullptr, 0, nullptr) == AIOLI_ERR_ARGUMENT);
}
