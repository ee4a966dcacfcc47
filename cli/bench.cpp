// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "operations.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

namespace aioli::cli {
namespace {

constexpr size_t kMinimumRuns = 3;
constexpr size_t kMaximumRuns = 1000000;
constexpr size_t kMessageBytes = 32;

struct Options {
  std::vector<std::string> algorithms;
  std::string backend;
  double seconds = 0.1;
  size_t runs = 0;  // 0: as many as fit into `seconds`
};

#if defined(__x86_64__) || defined(__i386__)
constexpr const char *kCycleSource = "TSC ticks (they advance at a constant rate, not with the clock of the core)";
std::optional<uint64_t> ticks() { return __rdtsc(); }
#elif defined(__aarch64__)
constexpr const char *kCycleSource = "ticks of CNTVCT_EL0 (the system counter, not the clock of the core)";
std::optional<uint64_t> ticks() {
  uint64_t value;
  asm volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
  return value;
}
#else
constexpr const char *kCycleSource = "none: this processor has no counter that a program may read";
std::optional<uint64_t> ticks() { return std::nullopt; }
#endif

struct Result {
  size_t runs = 0;
  std::optional<double> cycles;  // medians
  double microseconds = 0;
};

double median(std::vector<double> &values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Result measure(const Options &options, const std::function<void(size_t)> &operation) {
  using Clock = std::chrono::steady_clock;
  operation(0);  // fills the caches; not counted
  std::vector<double> cycles, microseconds;
  const auto start = Clock::now();
  const auto enough = [&] {
    if (options.runs != 0) return microseconds.size() >= options.runs;
    const bool time_is_up = std::chrono::duration<double>(Clock::now() - start).count() >= options.seconds;
    return microseconds.size() >= kMaximumRuns || (time_is_up && microseconds.size() >= kMinimumRuns);
  };
  while (!enough()) {
    const auto time_before = Clock::now();
    const auto ticks_before = ticks();
    operation(microseconds.size() + 1);
    const auto ticks_after = ticks();
    const auto time_after = Clock::now();
    if (ticks_before && ticks_after) cycles.push_back(static_cast<double>(*ticks_after - *ticks_before));
    microseconds.push_back(std::chrono::duration<double, std::micro>(time_after - time_before).count());
  }
  Result result;
  result.runs = microseconds.size();
  if (!cycles.empty()) result.cycles = median(cycles);
  result.microseconds = median(microseconds);
  return result;
}

// One key, and everything that the seven operations need, in memory of ours: no allocation is timed.
class Workbench {
 public:
  explicit Workbench(const aioli_alg *alg)
      : alg_(alg),
        public_key_(aioli_public_key_bytes(alg)),
        secret_key_(aioli_secret_key_bytes(alg)),
        signature_(aioli_signature_bytes(alg)),
        signer_memory_(aioli_signer_bytes(alg)),
        verifier_memory_(aioli_verifier_bytes(alg)) {
    size_t workspace_bytes = 0;
    for (const Operation &operation : kOperations) {
      workspace_bytes = std::max(workspace_bytes, aioli_workspace_bytes(alg, operation.op));
    }
    workspace_.resize(workspace_bytes);
    env_.workspace = workspace_.data();
    env_.workspace_bytes = workspace_.size();
    for (aioli_op op : {AIOLI_OP_KEYPAIR, AIOLI_OP_SIGN, AIOLI_OP_SIGNER_INIT, AIOLI_OP_VERIFIER_INIT}) run(op, 0);
  }

  void run(aioli_op op, size_t number) {
    switch (op) {
      case AIOLI_OP_KEYPAIR:
        return check(aioli_keypair(alg_, public_key_.data(), public_key_.size(), secret_key_.data(), secret_key_.size(), &env_),
                     "keypair");
      case AIOLI_OP_SIGN:
        set_message(number);
        return check(aioli_sign(alg_, signature_.data(), signature_.size(), message_, kMessageBytes, secret_key_.data(),
                                secret_key_.size(), &env_),
                     "sign");
      case AIOLI_OP_VERIFY:
        return check(aioli_verify(alg_, signature_.data(), signature_.size(), message_, kMessageBytes, public_key_.data(),
                                  public_key_.size(), &env_),
                     "verify");
      case AIOLI_OP_SIGNER_INIT:
        return check(aioli_signer_init(&signer_, signer_memory_.data(), signer_memory_.size(), alg_, secret_key_.data(),
                                       secret_key_.size(), &env_),
                     "signer_init");
      case AIOLI_OP_SIGNER_SIGN:
        set_message(number);
        return check(aioli_signer_sign(signer_, signature_.data(), signature_.size(), message_, kMessageBytes, &env_),
                     "signer_sign");
      case AIOLI_OP_VERIFIER_INIT:
        return check(aioli_verifier_init(&verifier_, verifier_memory_.data(), verifier_memory_.size(), alg_, public_key_.data(),
                                         public_key_.size(), &env_),
                     "verifier_init");
      case AIOLI_OP_VERIFIER_VERIFY:
        return check(aioli_verifier_verify(verifier_, signature_.data(), signature_.size(), message_, kMessageBytes, &env_),
                     "verifier_verify");
    }
  }

 private:
  // Another message each time, so that the share of signatures that need a second attempt is the true one.
  void set_message(size_t number) {
    for (size_t i = 0; i < sizeof number; i++) message_[i] = static_cast<uint8_t>(number >> 8 * i);
  }

  const aioli_alg *alg_;
  std::vector<uint8_t> public_key_, secret_key_, signature_, signer_memory_, verifier_memory_, workspace_;
  uint8_t message_[kMessageBytes] = {};
  aioli_signer *signer_ = nullptr;
  aioli_verifier *verifier_ = nullptr;
  aioli_env env_{};
};

ExitStatus run(const Options &options, const Session &session) {
  if (!options.backend.empty()) {
    require_backend(options.backend);
    ::setenv("AIOLI_BACKEND", options.backend.c_str(), 1);  // the library looks at it at its first use, which comes now
  }
  const std::string backend = active_backend();
  std::vector<const aioli_alg *> algorithms;
  algorithms.reserve(options.algorithms.size());
  for (const std::string &name : options.algorithms) algorithms.push_back(algorithm_by_name(name));
  if (algorithms.empty()) algorithms = all_algorithms();

  print_text(session, "backend " + backend + "; medians; cycles are " + kCycleSource +
                          "\n\nalgorithm    operation             cycles  microseconds     runs\n");
  Document results = Document::array();
  for (const aioli_alg *alg : algorithms) {
    for (const Operation &operation : kOperations) {
      // Each operation starts from a consistent state: the key pair operation leaves signer and verifier of an older key.
      Workbench bench(alg);
      const Result result = measure(options, [&](size_t number) { bench.run(operation.op, number); });
      results.push_back({{"algorithm", aioli_alg_name(alg)},
                         {"operation", operation.name},
                         {"cycles", result.cycles ? Document(*result.cycles) : Document()},
                         {"microseconds", result.microseconds},
                         {"runs", result.runs}});
      char line[160];
      std::snprintf(line, sizeof line, "%-11s  %-15s  %12.0f  %12.1f  %7zu\n", aioli_alg_name(alg), operation.name,
                    result.cycles.value_or(0), result.microseconds, result.runs);
      print_text(session, line);
    }
  }
  if (session.json) {
    print_json({{"version", aioli_version()},
                {"backend", backend},
                {"statistic", "median"},
                {"cycle_source", kCycleSource},
                {"message_bytes", kMessageBytes},
                {"results", results}});
  }
  return kExitOk;
}

}  // namespace

void add_bench(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command = add_command(arguments, session, "bench", "Measure every operation: median cycles and microseconds",
                                         [options, &session] { return run(*options, session); });
  command.texts("--alg", "NAME", options->algorithms, "Only this algorithm (repeatable)");
  command.number("--seconds", "S", options->seconds, 0.0, 3600.0, "Time for each operation of each algorithm");
  command.number("--runs", "N", options->runs, 1, kMaximumRuns, "Number of runs of each operation, instead of a time");
  command.not_together("--runs", "--seconds");
  command.text("--backend", "NAME", options->backend, "Measure this backend");
  add_json_option(command, session);
}

}  // namespace aioli::cli
