// SPDX-License-Identifier: Apache-2.0
// Columns say of each row what the one-shot call says of it, in every layout; progress, cancellation, caches, signing.
#include <doctest/doctest.h>

#include <algorithm>

#include "arrays.hpp"
#include "batch_rows.hpp"

using namespace arrow_test;

namespace {

struct Log {
  const aioli_alg *alg;
  Entries msg, sig, pk;
  std::vector<int8_t> expected;

  // Rows good, spoilt and null.
  Log(const char *name, size_t rows, size_t keys, unsigned seed) : alg(aioli_alg_by_name(name)) {
    const test::VerifyBatch batch(alg, rows, false, seed, [&](size_t i) { return 1 + i % keys; });
    std::mt19937 random(seed);
    for (test::VerifyRow row : batch.rows) {
      const unsigned dice = random() % 8;
      if (dice < 2) test::spoil(row, int(dice == 0 ? random() % 3 : 3 + random() % 4), random);
      expected.push_back(int8_t(test::one_shot(alg, row.row())));
      msg.push_back(row.msg);
      sig.push_back(row.sig);
      pk.push_back(row.pk);
      if (dice == 2) {
        (random() % 2 == 0 ? msg : random() % 2 == 0 ? sig : pk).back() = std::nullopt;
        expected.back() = AIOLI_ARROW_NULL;
      }
    }
  }

  aioli_status first() const {
    for (int8_t s : expected)
      if (s != 0) return s == AIOLI_ARROW_NULL ? AIOLI_ERR_ARGUMENT : aioli_status(s);
    return AIOLI_OK;
  }
};

aioli_arrow_column import(const Array &a) {
  aioli_arrow_column column;
  REQUIRE(aioli_arrow_import(&column, &a.schema, &a.array, nullptr) == AIOLI_OK);
  return column;
}

void check(const Log &log, const Array &msg, const Array &sig, const Array &pk, const aioli_arrow_options *options) {
  const aioli_arrow_column m = import(msg), s = import(sig), p = import(pk);
  std::vector<int8_t> status(log.expected.size(), 99);
  aioli_arrow_report report;
  CHECK(aioli_arrow_verify(log.alg, status.data(), status.size(), &m, &s, &p, options, &report) == log.first());
  CHECK(status == log.expected);
  CHECK(report.rows == status.size());
  CHECK(report.done == status.size());
  CHECK(report.good == uint64_t(std::count(status.begin(), status.end(), 0)));
  CHECK(report.nulls == uint64_t(std::count(status.begin(), status.end(), AIOLI_ARROW_NULL)));
  CHECK(report.first_bad ==
        uint64_t(std::find_if(status.begin(), status.end(), [](int8_t x) { return x != 0; }) - status.begin()));
  CHECK(std::string(report.text) == "");
  std::fill(status.begin(), status.end(), int8_t(99));
  CHECK(aioli_arrow_verify(log.alg, status.data(), status.size(), &m, &s, &p, options, nullptr) == log.first());
  CHECK(status == log.expected);
}

int count_calls(void *context, uint64_t done, uint64_t rows) {
  std::vector<uint64_t> &seen = *static_cast<std::vector<uint64_t> *>(context);
  seen.push_back(done);
  return done > rows;
}
int cancel(void *context, uint64_t, uint64_t) { return ++*static_cast<int *>(context); }

}  // namespace

TEST_CASE("every layout of each column, with a cache and without, by one thread and by three") {
  for (const char *name : {"MAYO-1", "MAYO-2", "UOV-Is-pkc-skc"}) {
    CAPTURE(name);
    const Log log(name, 40, 5, 1);
    CHECK(std::count(log.expected.begin(), log.expected.end(), AIOLI_ARROW_NULL) > 0);
    CHECK(std::count(log.expected.begin(), log.expected.end(), AIOLI_ERR_SIGNATURE) > 0);
    CHECK(std::count(log.expected.begin(), log.expected.end(), AIOLI_ERR_LENGTH) > 0);
    aioli_verifier_cache *cache = nullptr;
    REQUIRE(aioli_verifier_cache_new(&cache, 8 << 20) == AIOLI_OK);
    const Array view("vz", log.msg, 3), large("Z", log.sig, 1), plain("z", log.pk);
    const auto dictionary = Array::of_dictionary("s", "vz", log.pk, 2);
    const Array msg("z", log.msg), sig("vz", log.sig);
    for (const uint32_t threads : {1, 3}) {
      aioli_arrow_options options = AIOLI_ARROW_OPTIONS_INIT;
      options.batch.threads = threads;
      check(log, view, large, plain, &options);
      options.batch.verifiers = cache;
      for (int i = 0; i < 3; i++) check(log, msg, sig, *dictionary, &options);
    }
    check(log, view, sig, plain, nullptr);
    aioli_verifier_cache_counts counts;
    aioli_verifier_cache_look(cache, &counts);
    CHECK(counts.hits > 0);
    aioli_verifier_cache_free(cache);
  }
}

TEST_CASE("one key for all rows, and columns in chunks that end at different places") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const test::Key key(alg, 1);
  Entries msg, sig;
  for (int i = 0; i < 10; i++) {
    msg.push_back(test::pattern(30, uint8_t(i)));
    sig.push_back(key.sign(*msg.back()));
  }
  (*sig[6])[0] ^= 1;
  const Array whole("z", msg), front("w:464", Entries(sig.begin(), sig.begin() + 4)),
      back("w:464", Entries(sig.begin() + 4, sig.end()), 2);
  REQUIRE(aioli_signature_bytes(alg) == 464);
  aioli_arrow_column m = import(whole), part, k;
  std::vector<int8_t> status(10, 99);
  aioli_arrow_report report;
  const aioli_arrow_column chunks[] = {import(front), import(back)};
  uint64_t first = 0;
  for (const aioli_arrow_column &s : chunks) {
    aioli_arrow_repeat(&k, key.pk.data(), key.pk.size(), s.rows);
    REQUIRE(aioli_arrow_slice(&part, &m, first, s.rows) == AIOLI_OK);
    CHECK(aioli_arrow_verify(alg, status.data() + first, s.rows, &part, &s, &k, nullptr, &report) ==
          (first == 0 ? AIOLI_OK : AIOLI_ERR_SIGNATURE));
    first += s.rows;
  }
  CHECK(report.first_bad == 2);
  CHECK(status == std::vector<int8_t>{0, 0, 0, 0, 0, 0, -1, 0, 0, 0});
}

TEST_CASE("progress is told and a call can be cancelled") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const test::Key key(alg, 1);
  const test::Buffer msg = test::pattern(10, 1), sig = key.sign(msg);
  const uint64_t rows = 10000;
  aioli_arrow_column m, s, k;
  aioli_arrow_repeat(&m, msg.data(), msg.size(), rows);
  aioli_arrow_repeat(&s, sig.data(), sig.size(), rows);
  aioli_arrow_repeat(&k, key.pk.data(), key.pk.size(), rows);
  std::vector<uint64_t> seen;
  aioli_arrow_options options = AIOLI_ARROW_OPTIONS_INIT;
  options.progress = count_calls;
  options.progress_context = &seen;
  std::vector<int8_t> status(rows, 99);
  aioli_arrow_report report;
  CHECK(aioli_arrow_verify(alg, status.data(), rows, &m, &s, &k, &options, &report) == AIOLI_OK);
  CHECK(seen.size() >= 2);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(seen.back() == rows);
  CHECK(std::count(status.begin(), status.end(), 0) == int(rows));

  int calls = 0;
  options.progress = cancel;
  options.progress_context = &calls;
  std::fill(status.begin(), status.end(), int8_t(99));
  CHECK(aioli_arrow_verify(alg, status.data(), rows, &m, &s, &k, &options, &report) == AIOLI_ERR_STATE);
  CHECK(calls == 1);
  CHECK(std::string(report.text) == "cancelled");
  CHECK(report.done == 8192);
  CHECK(std::count(status.begin(), status.end(), 0) == int(report.done));
  CHECK(std::count(status.begin(), status.end(), AIOLI_ARROW_NOT_DONE) == int(rows - report.done));
}

TEST_CASE("signatures are those of one-shot calls, and zero where there is none") {
  for (const char *name : {"MAYO-2", "UOV-Is-pkc-skc"}) {
    const aioli_alg *alg = aioli_alg_by_name(name);
    const size_t each = aioli_signature_bytes(alg);
    const test::Key one(alg, 1), two(alg, 2);
    Entries msg, sk;
    for (int i = 0; i < 12; i++) {
      msg.push_back(test::pattern(20, uint8_t(i)));
      sk.push_back(i % 3 == 0 ? two.sk : one.sk);
    }
    msg[4] = std::nullopt;
    sk[5] = std::nullopt;
    sk[7]->push_back(0);
    std::vector<int8_t> expected(12, 0);
    expected[4] = expected[5] = AIOLI_ARROW_NULL;
    expected[7] = AIOLI_ERR_LENGTH;
    const Array messages("vz", msg, 1);
    const auto keys = Array::of_dictionary("C", "z", sk);
    const aioli_arrow_column m = import(messages), k = import(*keys);
    aioli_arrow_options options = AIOLI_ARROW_OPTIONS_INIT;
    options.batch.rng = aioli_rng_zero;
    test::Buffer sigs(12 * each, 0x5a);
    std::vector<int8_t> status(12, 99);
    aioli_arrow_report report;
    CHECK(aioli_arrow_sign(alg, sigs.data(), sigs.size(), status.data(), 12, &m, &k, &options, &report) == AIOLI_ERR_ARGUMENT);
    CHECK(status == expected);
    CHECK((report.good == 9 && report.nulls == 2 && report.first_bad == 4));
    for (size_t i = 0; i < 12; i++) {
      test::Buffer sig(each);
      if (expected[i] == 0)
        REQUIRE(aioli_sign_deterministic(alg, sig.data(), each, msg[i]->data(), msg[i]->size(), sk[i]->data(), sk[i]->size(),
                                         nullptr) == AIOLI_OK);
      CHECK(sig == test::Buffer(sigs.begin() + ptrdiff_t(i * each), sigs.begin() + ptrdiff_t((i + 1) * each)));
    }
    CHECK(aioli_arrow_sign(alg, sigs.data(), sigs.size() - 1, status.data(), 12, &m, &k, &options, &report) == AIOLI_ERR_LENGTH);
    CHECK(std::string(report.text).find("room for signatures") != std::string::npos);
    CHECK(std::count(sigs.begin(), sigs.end() - 1, 0) == int(sigs.size() - 1));
    CHECK(aioli_arrow_sign(alg, nullptr, 0, status.data(), 12, &m, &k, &options, &report) == AIOLI_ERR_ARGUMENT);
    CHECK(aioli_arrow_sign(alg, nullptr, 0, nullptr, 0, &m, &k, &options, &report) == AIOLI_ERR_LENGTH);
  }
}

TEST_CASE("calls that cannot be worked on") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Array three("z", {bytes("a"), bytes("b"), bytes("c")}), two("z", {bytes("a"), bytes("b")}), none("z", {});
  const aioli_arrow_column c3 = import(three), c2 = import(two), c0 = import(none);
  std::vector<int8_t> status(3, 99);
  aioli_arrow_report report;
  const auto refused = [&](const char *text) {
    CHECK(report.done == 0);
    CHECK(std::string(report.text).find(text) != std::string::npos);
    for (int8_t &s : status) {
      CHECK(s == AIOLI_ARROW_NOT_DONE);
      s = 99;
    }
  };
  CHECK(aioli_arrow_verify(alg, status.data(), 3, &c3, &c2, &c3, nullptr, &report) == AIOLI_ERR_LENGTH);
  refused("columns of 3, 2 and 3 rows, statuses of 3");
  CHECK(aioli_arrow_verify(nullptr, status.data(), 3, &c3, &c3, &c3, nullptr, &report) == AIOLI_ERR_ARGUMENT);
  refused("no algorithm");
  CHECK(aioli_arrow_verify(alg, status.data(), 3, &c3, nullptr, &c3, nullptr, &report) == AIOLI_ERR_ARGUMENT);
  refused("a column is missing");
  aioli_arrow_options options = AIOLI_ARROW_OPTIONS_INIT;
  options.bytes = 8;
  CHECK(aioli_arrow_verify(alg, status.data(), 3, &c3, &c3, &c3, &options, &report) == AIOLI_ERR_ARGUMENT);
  refused("options that are not known");
  options = AIOLI_ARROW_OPTIONS_INIT;
  options.batch.flags = 64;
  CHECK(aioli_arrow_verify(alg, status.data(), 3, &c3, &c3, &c3, &options, &report) == AIOLI_ERR_ARGUMENT);
  refused("options of the batch");
  CHECK(aioli_arrow_verify(alg, nullptr, 3, &c3, &c3, &c3, nullptr, &report) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_arrow_verify(alg, nullptr, 0, &c0, &c0, &c0, nullptr, &report) == AIOLI_OK);
  CHECK(report.first_bad == 0);
}
