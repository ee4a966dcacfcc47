// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "operations.hpp"
#include "terminal.hpp"
#include "timer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

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

// What bench.json calls them (bench/results).
const char *bench_name(aioli_op op) {
  switch (op) {
    case AIOLI_OP_KEYPAIR: return "keygen";
    case AIOLI_OP_SIGN: return "sign";
    case AIOLI_OP_VERIFY: return "verify";
    case AIOLI_OP_SIGNER_INIT: return "expand_sk";
    case AIOLI_OP_SIGNER_SIGN: return "sign_expanded";
    case AIOLI_OP_VERIFIER_INIT: return "expand_pk";
    case AIOLI_OP_VERIFIER_VERIFY: return "verify_expanded";
  }
  return "";
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

using Samples = std::vector<std::vector<double>>;  // microseconds of single calls, of each operation

// All operations of one algorithm take turns: a call that is not counted, to have its own data in the caches again, then some
// that are.  What slows the machine down for a while slows all of them.
Samples measure(const Options &options, const aioli_alg *alg) {
  constexpr size_t turn = 3;
  std::vector<std::unique_ptr<Workbench>> benches;  // one each: the key pair operation leaves signer and verifier of an older key
  for (size_t i = 0; i < std::size(kOperations); i++) benches.push_back(std::make_unique<Workbench>(alg));
  Samples samples(std::size(kOperations));
  const double start = microseconds_now();
  const auto enough = [&] {
    const size_t runs = samples.back().size();
    if (options.runs != 0) return runs >= options.runs;
    const bool time_is_up = (microseconds_now() - start) / 1e6 >= options.seconds * static_cast<double>(std::size(kOperations));
    return runs >= kMaximumRuns || (time_is_up && runs >= kMinimumRuns);
  };
  for (size_t number = 0; !enough(); number += turn) {
    const size_t left = options.runs != 0 ? options.runs - number : kMaximumRuns - number;
    for (size_t i = 0; i < std::size(kOperations); i++) {
      benches[i]->run(kOperations[i].op, number);
      for (size_t j = 0; j < std::min(turn, left); j++) {
        const double before = microseconds_now();
        benches[i]->run(kOperations[i].op, number + j + 1);
        samples[i].push_back(microseconds_now() - before);
      }
    }
  }
  return samples;
}

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

  print_text(session, "backend " + backend + "; medians in microseconds; cycles of the core are estimated\n\n" +
                          "algorithm        operation        microseconds   quartile 1   quartile 3       cycles     runs\n");
  Document results = Document::array();
  const bool progress = is_terminal(2) && !session.quiet;
  for (size_t number = 0; number < algorithms.size(); number++) {
    const aioli_alg *alg = algorithms[number];
    if (progress) std::fprintf(stderr, "\rmeasuring %s (%zu of %zu)", aioli_alg_name(alg), number + 1, algorithms.size());
    const double before = measure_cycles_per_microsecond();
    Samples samples = measure(options, alg);
    const double rate = (before + measure_cycles_per_microsecond()) / 2;
    if (progress) std::fputs("\r\033[K", stderr);
    for (size_t i = 0; i < samples.size(); i++) {
      std::vector<double> &took = samples[i];
      std::sort(took.begin(), took.end());
      const double median = quantile_of_sorted(took, 0.5), q1 = quantile_of_sorted(took, 0.25),
                   q3 = quantile_of_sorted(took, 0.75);
      results.push_back({{"algorithm", aioli_alg_name(alg)},
                         {"operation", kOperations[i].name},
                         {"op", bench_name(kOperations[i].op)},
                         {"microseconds", median},
                         {"q1", q1},
                         {"q3", q3},
                         {"cycles", rate > 0 ? Document(median * rate) : Document()},
                         {"cycles_per_microsecond", rate > 0 ? Document(rate) : Document()},
                         {"runs", took.size()}});
      char line[200];
      std::snprintf(line, sizeof line, "%-15s  %-15s  %12.2f  %11.2f  %11.2f  %11.0f  %7zu\n", aioli_alg_name(alg),
                    kOperations[i].name, median, q1, q3, median * rate, took.size());
      print_text(session, line);
    }
  }
  if (session.json) {
    print_json({{"version", aioli_version()},
                {"backend", backend},
                {"statistic", "median"},
                {"message_bytes", kMessageBytes},
                {"results", results}});
  }
  return kExitOk;
}

}  // namespace

void add_bench(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command =
      add_command(arguments, session, "bench", "Measure every operation: medians and quartiles of its time, and core cycles",
                  [options, &session] { return run(*options, session); });
  command.example("aioli bench -a MAYO-1 -a MAYO-2 -t 0.5");
  command.texts("-a,--alg", "NAME", options->algorithms, "Only this algorithm (repeatable)");
  command.number("-t,--seconds", "S", options->seconds, 0.0, 3600.0, "Time for each operation of each algorithm");
  command.number("-n,--runs", "N", options->runs, 1, kMaximumRuns, "Number of runs of each operation, instead of a time");
  command.not_together("--runs", "--seconds");
  command.text("-b,--backend", "NAME", options->backend, "Measure this backend");
}

}  // namespace aioli::cli
