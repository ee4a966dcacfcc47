// SPDX-License-Identifier: Apache-2.0
// Batches with rows good and bad, and what the one-shot calls say about them.
#pragma once
#include <aioli/batch.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

#include "support.hpp"

namespace test {

// All sets of MAYO; two where a sanitizer makes them slow (AIOLI_BATCH_QUICK).
inline std::vector<const aioli_alg *> batch_algs() {
  if (std::getenv("AIOLI_BATCH_QUICK") == nullptr) return mayo_algs();
  return {aioli_alg_by_name("MAYO-1"), aioli_alg_by_name("MAYO-2")};
}
// The same, and UOV with keys of each kind.
inline std::vector<const aioli_alg *> every_batch_alg() {
  std::vector<const aioli_alg *> algs = batch_algs();
  for (const char *name : {"UOV-Is-pkc-skc", "UOV-Ip-pkc", "UOV-Ip"}) {
    algs.push_back(aioli_alg_by_name(name));
    if (std::getenv("AIOLI_BATCH_QUICK") != nullptr) break;
  }
  return algs;
}
constexpr uint32_t thread_counts[] = {0, 1, 2, 3, 5, 8};

using Statuses = std::vector<aioli_status>;

inline aioli_batch_options with_threads(uint32_t threads) {
  aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
  options.threads = threads;
  return options;
}

inline aioli_status first_error(const Statuses &statuses) {
  for (aioli_status s : statuses)
    if (s != AIOLI_OK) return s;
  return AIOLI_OK;
}

// A row with bytes of its own, each buffer as long as it says, so that sanitizers see one step too far.
struct VerifyRow {
  Buffer sig, msg, pk;
  bool no_sig = false, no_msg = false, no_pk = false;  // null pointers, with the lengths kept

  aioli_verify_row row() const {
    return {no_sig ? nullptr : sig.data(), sig.size(), no_msg ? nullptr : msg.data(), msg.size(),
            no_pk ? nullptr : pk.data(),   pk.size()};
  }
};

inline aioli_status one_shot(const aioli_alg *alg, const aioli_verify_row &r) {
  return aioli_verify(alg, r.sig, r.sig_bytes, r.msg, r.msg_bytes, r.pk, r.pk_bytes, nullptr);
}

constexpr int ways_to_spoil = 10;
inline void spoil(VerifyRow &r, int way, std::mt19937 &random) {
  const auto flip = [&](Buffer &b) { b[random() % b.size()] ^= uint8_t(1u << random() % 8); };
  switch (way) {
    case 0: flip(r.sig); break;
    case 1: flip(r.msg); break;
    case 2: flip(r.pk); break;
    case 3: r.sig.pop_back(); break;
    case 4: r.sig.push_back(0); break;
    case 5: r.pk.pop_back(); break;
    case 6: r.pk.push_back(0); break;
    case 7: r.no_sig = true; break;
    case 8: r.no_msg = true; break;
    default: r.no_pk = true; break;
  }
}

struct VerifyBatch {
  std::vector<VerifyRow> rows;
  Statuses expected;

  // Row i is signed by key `key_of(i)` of the keys 1, 2, ..; a third of the rows is spoilt if asked for.
  template <class F> VerifyBatch(const aioli_alg *alg, size_t count, bool bad, unsigned seed, F key_of) {
    std::mt19937 random(seed);
    std::vector<std::unique_ptr<Key>> keys(256);
    for (size_t i = 0; i < count; i++) {
      const uint8_t number = uint8_t(key_of(i));
      if (!keys[number]) keys[number] = std::make_unique<Key>(alg, number);
      const Buffer msg = pattern(random() % 300 + 1, uint8_t(i));
      rows.push_back({keys[number]->sign(msg), msg, keys[number]->pk});
    }
    if (bad)
      for (VerifyRow &row : rows)
        if (random() % 3 == 0) spoil(row, int(random() % ways_to_spoil), random);
    std::shuffle(rows.begin(), rows.end(), random);
    for (const VerifyRow &row : rows) expected.push_back(one_shot(alg, row.row()));
  }

  // The call's own result is checked against the statuses that it gives.
  Statuses run(const aioli_alg *alg, const aioli_batch_options *options, aioli_status *result) const {
    std::vector<aioli_verify_row> views;
    for (const VerifyRow &row : rows) views.push_back(row.row());
    Statuses statuses(rows.size(), AIOLI_ERR_SELFTEST);
    *result = aioli_verify_batch(alg, statuses.data(), views.data(), views.size(), options);
    return statuses;
  }
};

}  // namespace test
