// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "runner.hpp"

namespace bench {

struct Header {
  std::string date, commit, machine, system, compiler, flags, our_version;
  std::vector<std::string> cpu_features, warnings;
  std::vector<std::pair<std::string, std::string>> peers;  // name, how it was built
  bool hypervisor = false, invariant_tsc = false, quick = false;
  long cores = 0;
  int core = -1;  // that the measurements ran on; -1: not pinned
  double tick_hz = 0;
  double load_before = 0, load_after = 0;
  uint64_t tick_overhead = 0;
  long involuntary_switches = 0;
};

// What can be learnt of this machine and build; the measuring parts are left to the caller.
Header describe_machine();

// Just before measuring: pins the thread to a core (the last one if core < 0; throws if one is asked for and cannot be had), and
// enters load and ticks.  Just after: load, and warnings about what disturbed.
void begin_measuring(Header &h, int core);
void finish_measuring(Header &h, const std::vector<Measurement> &all);

// Quotient of our time and a peer's, of one operation.
struct Ratio {
  const Measurement *ours, *peer;
  double of_medians, of_minima;
  Summary paired;  // over turns taken side by side
};

// Every pair (ours, liboqs) of the same operation that was measured in turns; round-2 sets and, where `across_rounds`, our
// round-3 sets against liboqs' round 2.
std::vector<Ratio> ratios(const std::vector<Measurement> &all, bool across_rounds);

// Every pair (ours, the same of an older build) that was measured in turns.
std::vector<Ratio> against_baseline(const std::vector<Measurement> &all);

// Many calls, or many rows of one call, at once: what a batch interface does, perhaps on several threads.
struct Throughput {
  std::string impl, set, backend, op;  // op: verify_batch_one_key, verify_batch_many_keys
  size_t threads = 1, rows = 0;        // rows: signatures handed over together
  Summary ticks_per_row;               // of the wall, so more threads make it smaller
};

void print_header(std::ostream &out, const Header &h);
void print_tables(std::ostream &out, const std::vector<Measurement> &all, double limit);

// Written beside the target first and then renamed, so that the file is whole or not there.  Throws.
void write_whole(const std::string &path, const std::string &text);

// A JSON text with a line for each member of each member: one for each measurement.
std::string one_line_each(const nlohmann::ordered_json &document);

// bench.json, as bench/results/README.md describes it.
nlohmann::ordered_json report_json(const Header &h, const std::vector<Measurement> &all,
                                   const std::vector<Throughput> &throughput = {});
void write_json(const std::string &path, const Header &h, const std::vector<Measurement> &all,
                const std::vector<Throughput> &throughput = {});

}  // namespace bench
