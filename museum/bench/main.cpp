// SPDX-License-Identifier: Apache-2.0
// Key generation, signing and verification of everything in the museum beside the library's sets and what OpenSSL has: the table of 2017, redone.
//
// usage: museum_bench [--quick] [--core N] [--json FILE]
//   --quick   two calls of each, to see that all works; figures not to be quoted
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/harness/report.hpp"
#include "bench/harness/runner.hpp"
#include "museum/bench/scheme.hpp"

using namespace museum::bench;
using ::bench::Op;

// Core cycles on Intel Haswell in 2017, as published with the schemes' code of that time (other encodings, no hash of a message): keygen,
// sign, verify.  Only what we have a source for.
struct Haswell2017 {
  const char *name;
  double keygen, sign, verify;
};
static constexpr Haswell2017 haswell_2017[] = {{"Rainbow(256,28,20,20)", 581e6, 121.6e3, 19.0e3}};

static int run(int argc, char **argv) {
  bool quick = false;
  int core = -1;
  std::string json;
  for (int i = 1; i < argc; i++) {
    const std::string option = argv[i];
    if (option == "--quick")
      quick = true;
    else if (option == "--core" && i + 1 < argc)
      core = std::atoi(argv[++i]);
    else if (option == "--json" && i + 1 < argc)
      json = argv[++i];
    else
      return std::fprintf(stderr, "usage: museum_bench [--quick] [--core N] [--json FILE]\n"), 2;
  }
  std::vector<Scheme> schemes = museum_schemes();
  for (auto *more : {&aioli_schemes, &openssl_schemes})
    for (Scheme &s : more()) schemes.push_back(std::move(s));

  std::vector<::bench::Keyring> keyrings;
  uint64_t state = 2017;
  for (const Scheme &s : schemes) {
    ::bench::Keyring keyring{s.name, {}};
    for (size_t i = 0; i < (quick ? 1 : 4); i++) {
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
  ::bench::begin_measuring(header, core);
  std::vector<std::unique_ptr<SchemeSubject>> subjects;
  for (size_t i = 0; i < schemes.size(); i++) subjects.push_back(std::make_unique<SchemeSubject>(schemes[i], keyrings[i]));

  std::vector<::bench::Measurement> all;
  for (const Op op : {Op::keygen, Op::sign, Op::verify}) {
    std::vector<std::pair<::bench::Subject *, Op>> cases;
    for (const auto &s : subjects) cases.push_back({s.get(), op});
    ::bench::Plan plan;
    plan.rounds = quick ? 1 : op == Op::keygen ? 20 : 60;
    plan.burst = quick ? 1 : op == Op::keygen ? 1 : 3;
    for (auto &m : ::bench::measure(::bench::op_name(op), cases, plan)) all.push_back(std::move(m));
  }
  ::bench::finish_measuring(header, all);

  auto report = ::bench::report_json(header, all);
  report["schemes"] = nlohmann::ordered_json::array();
  const bool cycles = all[0].cycles_per_tick > 0;
  const auto value = [&](const ::bench::Measurement &m) {  // thousands of cycles, or microseconds
    return cycles ? m.ticks.median * m.cycles_per_tick / 1e3 : m.ticks.median / header.tick_hz * 1e6;
  };
  std::printf("%s, %s, %s\nmedians in %s; bytes of keys as stored or, where said, expanded\n\n", header.machine.c_str(),
              header.compiler.c_str(), header.flags.c_str(), cycles ? "thousands of core cycles" : "microseconds");
  std::printf(
      "| scheme | of | status | public key | secret key | signature | keygen | sign | verify | 2017, Haswell: keygen | sign | verify |\n");
  std::printf("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (size_t i = 0; i < schemes.size(); i++) {
    const Sizes sizes = subjects[i]->sizes();
    std::printf("| %s | %s | %s | %zu | %zu | %zu |", schemes[i].name.c_str(), schemes[i].impl.c_str(), schemes[i].status.c_str(),
                sizes.public_key, sizes.secret_key, sizes.signature);
    for (size_t op = 0; op < 3; op++) std::printf(" %.1f |", value(all[op * schemes.size() + i]));
    nlohmann::ordered_json entry = {{"set", schemes[i].name},
                                    {"impl", schemes[i].impl},
                                    {"status", schemes[i].status},
                                    {"public_key_bytes", sizes.public_key},
                                    {"secret_key_bytes", sizes.secret_key},
                                    {"signature_bytes", sizes.signature}};
    const auto old =
        std::find_if(std::begin(haswell_2017), std::end(haswell_2017), [&](const auto &h) { return h.name == schemes[i].name; });
    if (old != std::end(haswell_2017)) {
      std::printf(" %.1f | %.1f | %.1f |\n", old->keygen / 1e3, old->sign / 1e3, old->verify / 1e3);
      entry["haswell_2017_cycles"] = {{"keygen", old->keygen}, {"sign", old->sign}, {"verify", old->verify}};
    } else {
      std::printf(" | | |\n");
    }
    report["schemes"].push_back(entry);
  }
  for (const std::string &warning : header.warnings) std::printf("\nwarning: %s\n", warning.c_str());
  if (!json.empty()) ::bench::write_whole(json, report.dump(1) + "\n");
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
