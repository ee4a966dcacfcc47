// SPDX-License-Identifier: Apache-2.0
#include "batch.hpp"

#include <aioli/batch.h>

#include <cstdio>
#include <cstring>
#include <iomanip>
#include <ostream>
#include <stdexcept>

#include "stats.hpp"
#include "timer.hpp"

namespace bench {
namespace {

using Bytes = std::vector<uint8_t>;

void expect(aioli_status status, const char *what) {
  if (status != AIOLI_OK) throw std::runtime_error(std::string(what) + ": " + aioli_status_text(status));
}

// Rows with their keys and messages; row i under key i mod `keys`.
class Rows {
 public:
  Rows(const aioli_alg *alg, size_t count, size_t keys)
      : pk_(aioli_public_key_bytes(alg)), sk_(aioli_secret_key_bytes(alg)), sig_(aioli_signature_bytes(alg)), pks_(keys * pk_),
        sks_(keys * sk_), sigs_(count * sig_), msgs_(count * msg), status(count) {
    std::vector<aioli_keypair_row> pairs(keys);
    for (size_t i = 0; i < keys; i++) pairs[i] = {&pks_[i * pk_], pk_, &sks_[i * sk_], sk_, nullptr, 0};
    expect(aioli_keypair_batch(alg, status.data(), pairs.data(), keys, nullptr), "keys");
    for (size_t i = 0; i < count; i++) {
      uint8_t *m = &msgs_[i * msg], *s = &sigs_[i * sig_];
      std::memcpy(m, &i, sizeof i);
      sign.push_back({s, sig_, m, msg, &sks_[i % keys * sk_], sk_});
      verify.push_back({s, sig_, m, msg, &pks_[i % keys * pk_], pk_});
    }
  }
  Rows(const Rows &) = delete;

 private:
  static constexpr size_t msg = 32;
  size_t pk_, sk_, sig_;
  Bytes pks_, sks_, sigs_, msgs_;

 public:
  std::vector<aioli_status> status;
  std::vector<aioli_sign_row> sign;
  std::vector<aioli_verify_row> verify;
};

}  // namespace

std::vector<Throughput> measure_batches(const std::string &set, size_t rows, size_t cores, size_t runs) {
  const aioli_alg *alg = aioli_alg_by_name(set.c_str());
  if (alg == nullptr) throw std::invalid_argument("no such set: " + set);
  Rows one(alg, rows, 1), many(alg, rows, rows);
  struct Case {
    Throughput result;
    aioli_pool *pool;
    Rows &rows;
    std::vector<double> ticks = {};
  };
  std::vector<Case> cases;
  for (size_t threads = 1; threads <= cores; threads *= 2) {
    aioli_pool *pool = nullptr;
    expect(aioli_pool_new(&pool, uint32_t(threads)), "threads");
    for (const char *op : {"sign_batch", "verify_batch"})  // verification needs the signatures
      for (Rows *r : {&one, &many})
        cases.push_back(
            {{"aioli", set, aioli_backend_active(), std::string(op) + (r == &one ? "_one_key" : "_many_keys"), threads, rows, {}},
             pool,
             *r});
  }
  for (size_t run = 0; run <= runs; run++)  // the first one is for the caches
    for (Case &c : cases) {
      aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
      options.pool = c.pool;
      const bool sign = c.result.op[0] == 's';
      const uint64_t before = ticks_now();
      const aioli_status status = sign ? aioli_sign_batch(alg, c.rows.status.data(), c.rows.sign.data(), rows, &options)
                                       : aioli_verify_batch(alg, c.rows.status.data(), c.rows.verify.data(), rows, &options);
      const uint64_t after = ticks_now();
      expect(status, c.result.op.c_str());
      if (run > 0) c.ticks.push_back(double(after - before) / double(rows));
    }
  std::vector<Throughput> all;
  aioli_pool *last = nullptr;
  for (Case &c : cases) {
    c.result.ticks_per_row = summarize(c.ticks);
    all.push_back(c.result);
    if (c.pool != last) aioli_pool_free(last), last = c.pool;
  }
  aioli_pool_free(last);
  return all;
}

void print_batches(std::ostream &out, const std::vector<Throughput> &all, const std::vector<Measurement> &single, double tick_hz) {
  if (all.empty()) return;
  const auto one_call = [&](const Throughput &t) {  // the one-shot operation that a row is at best
    const Op op = t.op == "sign_batch_one_key"     ? Op::sign_expanded
                  : t.op == "sign_batch_many_keys" ? Op::sign
                  : t.op == "verify_batch_one_key" ? Op::verify_expanded
                                                   : Op::verify;
    for (const Measurement &m : single)
      if (m.impl == t.impl && m.set == t.set && m.backend == t.backend && m.op == op) return m.ticks.median;
    return 0.0;
  };
  out << "\nbatches: ticks of the wall for one row, and how many of them a second; beside it one call at a time on one core\n";
  for (const Throughput &t : all) {
    const double ticks = t.ticks_per_row.median, single_ticks = one_call(t);
    out << "  " << std::left << std::setw(10) << t.set << std::setw(10) << t.backend << std::setw(24) << t.op << std::right
        << std::setw(8) << t.rows << " rows  " << t.threads << (t.threads == 1 ? " thread  " : " threads ") << std::fixed
        << std::setprecision(0) << std::setw(9) << ticks << std::setw(10) << (ticks > 0 ? tick_hz / ticks : 0) << "/s";
    if (single_ticks > 0) out << std::setw(10) << single_ticks << std::setprecision(2) << "   " << single_ticks / ticks << " times";
    out << '\n';
  }
}

}  // namespace bench
