// SPDX-License-Identifier: Apache-2.0
#include "batch.hpp"

#include <aioli/batch.h>
#include <aioli/research.h>

#include <algorithm>
#include <cstdlib>
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
      : pk_(aioli_public_key_bytes(alg)),
        sk_(aioli_secret_key_bytes(alg)),
        sig_(aioli_signature_bytes(alg)),
        pks_(keys * pk_),
        sks_(keys * sk_),
        sigs_(count * sig_),
        msgs_(count * msg),
        status(count) {
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

// The same work by one call after the other: what a batch is to be compared with, in turns and by the same clock.
class Calls {
 public:
  Calls(const aioli_alg *alg, Rows &rows, bool one_key) : alg_(alg), rows_(rows) {
    size_t most = 0;
    for (const aioli_op op : {AIOLI_OP_SIGN, AIOLI_OP_VERIFY, AIOLI_OP_SIGNER_SIGN, AIOLI_OP_VERIFIER_VERIFY})
      most = std::max(most, aioli_workspace_bytes(alg, op));
    work_.resize(most);
    env_ = {nullptr, nullptr, work_.data(), work_.size()};
    if (!one_key) return;
    expect(aioli_signer_new(&signer_, alg, rows.sign[0].sk, rows.sign[0].sk_bytes), "signer");
    expect(aioli_verifier_new(&verifier_, alg, rows.verify[0].pk, rows.verify[0].pk_bytes), "verifier");
  }
  ~Calls() { aioli_signer_free(signer_), aioli_verifier_free(verifier_); }
  Calls(const Calls &) = delete;

  void sign() {
    for (const aioli_sign_row &r : rows_.sign)
      expect(signer_ ? aioli_signer_sign(signer_, r.sig, r.sig_bytes, r.msg, r.msg_bytes, &env_)
                     : aioli_sign(alg_, r.sig, r.sig_bytes, r.msg, r.msg_bytes, r.sk, r.sk_bytes, &env_),
             "sign");
  }
  void verify() {
    for (const aioli_verify_row &r : rows_.verify)
      expect(verifier_ ? aioli_verifier_verify(verifier_, r.sig, r.sig_bytes, r.msg, r.msg_bytes, &env_)
                       : aioli_verify(alg_, r.sig, r.sig_bytes, r.msg, r.msg_bytes, r.pk, r.pk_bytes, &env_),
             "verify");
  }

 private:
  const aioli_alg *alg_;
  Rows &rows_;
  aioli_signer *signer_ = nullptr;
  aioli_verifier *verifier_ = nullptr;
  Bytes work_;
  aioli_env env_{};
};

}  // namespace

std::vector<Throughput> measure_batches(const std::string &set, size_t rows, size_t cores, size_t runs) {
  const aioli_alg *alg = aioli_alg_by_name(set.c_str());
  if (alg == nullptr) throw std::invalid_argument("no such set: " + set);
  // The other measurements leave the variable as they needed it last (ours.cpp); batches are for the fastest backend.
  unsetenv("AIOLI_BACKEND");
  expect(aioli_backend_use(nullptr), "backend");
  Rows one(alg, rows, 1), many(alg, rows, rows);
  Calls one_calls(alg, one, true), many_calls(alg, many, false);
  struct Case {
    Throughput result;
    aioli_pool *pool;  // null: calls
    Rows &rows;
    Calls &calls;
    std::vector<double> ticks = {};
  };
  std::vector<Case> cases;
  const auto add = [&](const char *op, size_t threads, aioli_pool *pool) {
    for (const bool one_key : {true, false})
      cases.push_back(
          {{"aioli", set, aioli_backend_active(), std::string(op) + (one_key ? "_one_key" : "_many_keys"), threads, rows, {}},
           pool,
           one_key ? one : many,
           one_key ? one_calls : many_calls});
  };
  add("sign_calls", 1, nullptr), add("verify_calls", 1, nullptr);  // verification needs the signatures
  for (size_t threads = 1; threads <= cores; threads *= 2) {
    aioli_pool *pool = nullptr;
    expect(aioli_pool_new(&pool, uint32_t(threads)), "threads");
    add("sign_batch", threads, pool), add("verify_batch", threads, pool);
  }
  for (size_t run = 0; run <= runs; run++)  // the first one is for the caches
    for (Case &c : cases) {
      aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
      options.pool = c.pool;
      const bool sign = c.result.op[0] == 's';
      const uint64_t before = ticks_now();
      aioli_status status = AIOLI_OK;
      if (c.pool == nullptr)
        sign ? c.calls.sign() : c.calls.verify();
      else
        status = sign ? aioli_sign_batch(alg, c.rows.status.data(), c.rows.sign.data(), rows, &options)
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
    if (c.pool != last) aioli_pool_free(last), last = c.pool;  // those of one pool stand together
  }
  aioli_pool_free(last);
  return all;
}

void print_batches(std::ostream &out, const std::vector<Throughput> &all, double tick_hz) {
  if (all.empty()) return;
  out << "\nmany signatures: ticks of the wall for one row, rows a second, and how many times as many as by single "
         "calls (with expanded keys "
         "where there is one key)\n";
  for (const Throughput &t : all) {
    std::string calls = t.op;
    if (const size_t at = calls.find("_batch"); at != std::string::npos) calls.replace(at, 6, "_calls");
    double single = 0;
    for (const Throughput &other : all)
      if (other.op == calls && other.set == t.set && other.backend == t.backend) single = other.ticks_per_row.median;
    const double ticks = t.ticks_per_row.median;
    out << "  " << std::left << std::setw(10) << t.set << std::setw(10) << t.backend << std::setw(24) << t.op << std::right
        << std::setw(8) << t.rows << " rows  " << t.threads << (t.threads == 1 ? " thread  " : " threads ") << std::fixed
        << std::setprecision(0) << std::setw(9) << ticks << std::setw(10) << tick_hz / ticks << "/s" << std::setprecision(2)
        << std::setw(8) << single / ticks << '\n';
  }
}

}  // namespace bench
