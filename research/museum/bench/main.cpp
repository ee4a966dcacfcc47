// SPDX-License-Identifier: Apache-2.0
// Key generation, signing and verification of everything in the museum beside the library's sets and what OpenSSL has, in one
// run: the record of which research/museum/bench/lecture_table.py makes the lecture's table of 2017 anew.
#include <sched.h>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "harness/report.hpp"
#include "harness/runner.hpp"
#include "museum/bench/scheme.hpp"
#include "museum/programs/options.hpp"

using namespace museum::bench;
using ::bench::Op;
using museum::programs::Options;

// How often and how long: a case takes `rounds` turns with the others, of `burst` calls each.
static ::bench::Plan plan_of(Op op, bool quick) {
  ::bench::Plan plan;
  plan.rounds = quick ? 1 : op == Op::keygen ? 9 : 21;
  plan.burst = quick ? 1 : op == Op::keygen ? 1 : 3;
  return plan;
}

static int run(int argc, char **argv) {
  Options options(argc, argv,
                  "Key generation, signing and verification: the museum's schemes, the library's sets, Ed25519, ECDSA and RSA.\n"
                  "Page: research/museum/docs/lecture-table.md");
  const bool quick = options.flag("quick", "two calls of each, to see that all works; figures not to be quoted");
  const int core = int(options.number("core", -1, "processor core to run on; -1: the last one"));
  const std::string commit = options.text("commit", "unknown", "of the tree, for the record");
  const std::string json = options.text("json", "", "file for the record");
  options.done();

  std::vector<Scheme> schemes = museum_schemes();
  for (auto *more : {&aioli_schemes, &openssl_schemes})
    for (Scheme &s : more()) schemes.push_back(std::move(s));

  std::vector<::bench::Keyring> keyrings;
  uint64_t state = 2017;
  for (const Scheme &s : schemes) {
    ::bench::Keyring keyring{s.name, {}};
    for (size_t i = 0; i < (quick ? 1 : 32); i++) {
      ::bench::Exercise e;
      e.key = std::make_shared<const ::bench::KeyPair>(::bench::KeyPair{::bench::test_bytes(state, 32), {}, {}});
      e.message = ::bench::test_bytes(state, 59);
      keyring.exercises.push_back(e);
    }
    keyrings.push_back(keyring);
  }
  ::bench::Header header = ::bench::describe_machine();
  header.quick = quick;
  header.our_version = AIOLI_MUSEUM_VERSION;
  header.compiler = AIOLI_BENCH_COMPILER;
  header.flags = AIOLI_BENCH_FLAGS;
  header.commit = commit;
  header.peers = {{"OpenSSL", openssl_version()}};
  ::bench::begin_measuring(header, core);
  std::vector<std::unique_ptr<SchemeSubject>> subjects;
  for (size_t i = 0; i < schemes.size(); i++) subjects.push_back(std::make_unique<SchemeSubject>(schemes[i], keyrings[i]));

  std::vector<::bench::Measurement> all;
  for (const Op op : {Op::keygen, Op::sign, Op::verify}) {
    std::vector<std::pair<::bench::Subject *, Op>> cases;
    for (const auto &s : subjects) cases.push_back({s.get(), op});
    for (auto &m : ::bench::measure(::bench::op_name(op), cases, plan_of(op, quick))) all.push_back(std::move(m));
  }
  ::bench::finish_measuring(header, all);

  auto report = ::bench::report_json(header, all);
  report["header"]["real_time_priority"] = sched_getscheduler(0) == SCHED_FIFO || sched_getscheduler(0) == SCHED_RR;
  report["schemes"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < schemes.size(); i++) {
    const Sizes sizes = subjects[i]->sizes();
    report["schemes"].push_back({{"set", schemes[i].name},
                                 {"impl", schemes[i].impl},
                                 {"status", schemes[i].status},
                                 {"public_key_bytes", sizes.public_key},
                                 {"secret_key_bytes", sizes.secret_key},
                                 {"signature_bytes", sizes.signature}});
  }
  std::printf("%zu schemes, %zu measurements\n", schemes.size(), all.size());
  for (const std::string &warning : header.warnings) std::printf("warning: %s\n", warning.c_str());
  if (!json.empty()) ::bench::write_whole(json, ::bench::one_line_each(report));
  return 0;
}

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "museum_bench: %s\n", e.what());
    return 1;
  }
}
