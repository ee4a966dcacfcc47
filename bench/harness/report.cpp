// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "ours.hpp"
#include "table.hpp"
#include "timer.hpp"

namespace bench {

namespace {

// The value of the first line "key : value" of /proc/cpuinfo; empty if there is none.
std::string cpuinfo(const std::string &key) {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, key.size(), key) == 0 && line.find_first_not_of(" \t", key.size()) == line.find(':')) {
      const size_t at = line.find_first_not_of(" \t", line.find(':') + 1);
      return at == std::string::npos ? "" : line.substr(at);
    }
  return "";
}

// The values of `of` in the order of their first appearance.
template <class F> std::vector<std::string> distinct(const std::vector<Measurement> &all, F of) {
  std::vector<std::string> out;
  for (const Measurement &m : all) {
    const std::string s = of(m);
    if (!s.empty() && std::find(out.begin(), out.end(), s) == out.end()) out.push_back(s);
  }
  return out;
}

const Measurement *find(const std::vector<Measurement> &all, const std::string &impl, const std::string &set,
                        const std::string &backend, Op op) {
  for (const Measurement &m : all)
    if (m.impl == impl && m.set == set && m.backend == backend && m.op == op) return &m;
  return nullptr;
}

std::string describe(const Ratio &r) {
  return fixed(r.of_medians, 3) + " [" + fixed(r.paired.q1, 3) + " " + fixed(r.paired.q3, 3) + "]";
}

}  // namespace

Header describe_machine() {
  Header h;
  utsname u{};
  if (uname(&u) == 0) h.system = std::string(u.sysname) + " " + u.release + " " + u.machine;
  h.machine = cpuinfo("model name");
  if (h.machine.empty()) h.machine = u.machine;
  const std::string family = cpuinfo("cpu family"), model = cpuinfo("model"), stepping = cpuinfo("stepping");
  if (!family.empty()) h.machine += " (family " + family + ", model " + model + ", stepping " + stepping + ")";

  std::istringstream flags(cpuinfo("flags"));
  std::set<std::string> have;
  for (std::string f; flags >> f;) have.insert(f);
  for (const char *f : {"sse2", "ssse3", "aes", "pclmulqdq", "avx2", "bmi2", "vaes", "vpclmulqdq", "gfni", "avx512f", "avx512bw",
                        "avx512vl", "avx512vbmi"})
    if (have.count(f)) h.cpu_features.emplace_back(f);
  h.hypervisor = have.count("hypervisor") != 0;
  h.invariant_tsc = have.count("constant_tsc") && have.count("nonstop_tsc");
  if (AIOLI_BENCH_TSC && !h.invariant_tsc)
    h.warnings.push_back("the time-stamp counter is not known to run at a constant rate: ticks are not comparable between runs");
  h.cores = sysconf(_SC_NPROCESSORS_ONLN);

  const time_t now = time(nullptr);
  char date[32];
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  h.date = date;
  return h;
}

void begin_measuring(Header &h, int core) {
  const char *why = "";
  h.core = pin_to_core(core, &why);
  if (h.core < 0) {
    if (core >= 0) throw std::runtime_error("cannot run on core " + std::to_string(core) + ": " + why);
    h.warnings.push_back(std::string("not pinned to a core: ") + why);
  }
  double load[1] = {0};
  if (getloadavg(load, 1) == 1) h.load_before = load[0];
  if (h.load_before > 0.5 * double(h.cores))
    h.warnings.push_back("other work was running here before the start (load " + fixed(h.load_before, 2) + ")");
  h.tick_hz = measure_tick_hz();
  h.tick_overhead = measure_tick_overhead();
  h.involuntary_switches = involuntary_switches();
}

void finish_measuring(Header &h, const std::vector<Measurement> &all) {
  h.involuntary_switches = involuntary_switches() - h.involuntary_switches;
  double load[1] = {0};
  if (getloadavg(load, 1) == 1) h.load_after = load[0];
  size_t samples = 0, interrupted = 0;
  double spread = 0;
  for (const Measurement &m : all) {
    samples += m.ticks.runs;
    interrupted += m.interrupted;
    spread = std::max(spread, m.clock_spread);
  }
  if (interrupted * 50 > samples)
    h.warnings.push_back("other work kept interrupting: " + std::to_string(interrupted) + " of " + std::to_string(samples) +
                         " samples contain time of other processes");
  if (spread > 0.05)
    h.warnings.push_back("the core's clock changed by " + fixed(100 * spread, 0) +
                         " % while operations took turns: core cycles are that uncertain");
  if (h.quick) h.warnings.push_back("a quick run: too few calls for figures to quote");
}

namespace {

// Of ours and what `compared` says is to be compared with it, among what took turns.
template <class F> std::vector<Ratio> ratios_to(const std::vector<Measurement> &all, const char *impl, F compared) {
  std::vector<Ratio> out;
  for (const Measurement &ours : all)
    for (const Measurement &peer : all)
      if (ours.impl == "aioli" && peer.impl == impl && ours.op == peer.op && ours.group == peer.group && compared(ours, peer))
        out.push_back({&ours, &peer, ours.ticks.median / peer.ticks.median, ours.ticks.min / peer.ticks.min,
                       paired_ratio(ours.samples, peer.samples, ours.burst)});
  return out;
}

}  // namespace

std::vector<Ratio> ratios(const std::vector<Measurement> &all, bool across_rounds) {
  return ratios_to(all, "liboqs", [across_rounds](const Measurement &ours, const Measurement &peer) {
    return ours.set == peer.set || (across_rounds && ours.set + "-r2" == peer.set);
  });
}

std::vector<Ratio> against_baseline(const std::vector<Measurement> &all) {
  return ratios_to(all, baseline_impl, [](const Measurement &ours, const Measurement &before) {
    return ours.set == before.set && ours.backend == before.backend;
  });
}

void print_header(std::ostream &out, const Header &h) {
  out << "machine   " << h.machine << ", " << h.cores << " cores" << (h.hypervisor ? ", virtual" : "") << '\n' << "features ";
  for (const auto &f : h.cpu_features) out << ' ' << f;
  out << "\nsystem    " << h.system << '\n'
      << "aioli     " << h.our_version << ", commit " << h.commit << ", " << h.compiler << ", " << h.flags << '\n';
  for (const auto &[name, how] : h.peers) out << "peer      " << name << ": " << how.substr(0, how.find("; flags")) << '\n';
  out << "ticks     " << (AIOLI_BENCH_TSC ? "of the time-stamp counter, " : "nanoseconds, ") << fixed(h.tick_hz / 1e6, 1)
      << " MHz; reading it takes " << h.tick_overhead << " (not subtracted)\n";
  for (const auto &w : h.warnings) out << "warning   " << w << '\n';
}

void print_tables(std::ostream &out, const std::vector<Measurement> &all, double limit) {
  const auto peers = distinct(all, [](const Measurement &m) { return m.impl == "liboqs" ? m.backend : ""; });
  const auto backends = distinct(all, [](const Measurement &m) { return m.impl == "aioli" ? m.backend : ""; });
  const auto sets = distinct(all, [](const Measurement &m) { return m.impl == "aioli" ? m.set : ""; });
  const auto compared = ratios(all, true);

  const auto ratio = [&](const Measurement &ours, const std::string &peer) -> const Ratio * {
    for (const Ratio &r : compared)
      if (r.ours == &ours && r.peer->backend == peer) return &r;
    return nullptr;
  };

  // Like against like: plain C++ against plain C, with the bound that the project sets itself.
  Table plain({"set", "operation", "aioli portable", "liboqs ref", "ratio [quartiles]", "at most " + fixed(limit, 2)}, 2);
  for (const Measurement &m : all) {
    const Ratio *r = m.backend == "portable" ? ratio(m, "ref") : nullptr;
    if (r && r->peer->set == m.set)
      plain.add({m.set, op_name(m.op), thousands(m.ticks.median), thousands(r->peer->ticks.median), describe(*r),
                 r->of_medians <= limit ? "yes" : "NO"});
  }
  if (!plain.empty()) {
    out << "\nround 2, no special instructions: median ticks of one call; a ratio below 1 means that aioli is faster\n";
    plain.print(out);
  }

  for (const auto &backend : backends) {
    if (backend == "portable") continue;
    std::vector<std::string> head{"set", "operation", "aioli " + backend};
    for (const auto &p : peers)
      if (p != "ref") {
        head.push_back("liboqs " + p);
        head.push_back("ratio [quartiles]");
      }
    Table t(head, 2);
    for (const auto &set : sets)
      for (Op op : all_ops) {
        const Measurement *m = find(all, "aioli", set, backend, op);
        std::vector<std::string> row{set, op_name(op), m ? thousands(m->ticks.median) : "-"};
        bool any = false;
        for (const auto &p : peers) {
          if (p == "ref") continue;
          const Ratio *r = m ? ratio(*m, p) : nullptr;
          row.push_back(r ? thousands(r->peer->ticks.median) : "-");
          row.push_back(r ? describe(*r) : "-");
          any = any || r;
        }
        if (any) t.add(row);
      }
    if (t.empty()) continue;
    out << "\nbackend " << backend << " against liboqs with special instructions (liboqs is always round 2)\n";
    t.print(out);
  }

  std::vector<std::string> head{"set", "backend"};
  for (Op op : all_ops) head.emplace_back(op_name(op));

  const auto before = against_baseline(all);
  Table faster(head, 2);
  for (const auto &set : sets)
    for (const auto &backend : backends) {
      std::vector<std::string> row{set, backend};
      for (Op op : all_ops) {
        const auto r = std::find_if(before.begin(), before.end(), [&](const Ratio &x) {
          return x.ours->set == set && x.ours->backend == backend && x.ours->op == op;
        });
        row.push_back(r == before.end() ? "-"
                                        : fixed(1 / r->of_medians, 3) + " [" + fixed(1 / r->paired.q3, 3) + " " +
                                              fixed(1 / r->paired.q1, 3) + "]");
      }
      faster.add(row);
    }
  if (!before.empty()) {
    out << "\nthe older build's median ticks divided by ours [quartiles]; above 1 means that it has become faster\n";
    faster.print(out);
  }

  Table ticks(head, 2), core_cycles(head, 2);
  for (const auto &set : sets)
    for (const auto &backend : backends) {
      std::vector<std::string> row{set, backend}, cycles{set, backend};
      for (Op op : all_ops) {
        const Measurement *m = find(all, "aioli", set, backend, op);
        row.push_back(m ? thousands(m->ticks.median) : "-");
        cycles.push_back(m && m->cycles_per_tick > 0 ? thousands(m->ticks.median * m->cycles_per_tick) : "-");
      }
      ticks.add(row);
      core_cycles.add(cycles);
    }
  Table scale({"scheme", "implementation", "keygen", "sign", "verify"}, 2);
  std::set<std::pair<std::string, std::string>> seen;
  for (const Measurement &m : all)
    if (std::find(sets.begin(), sets.end(), m.set) == sets.end() && seen.emplace(m.set, m.impl + " " + m.backend).second) {
      std::vector<std::string> row{m.set, m.impl + " " + m.backend};
      for (Op op : {Op::keygen, Op::sign, Op::verify}) {
        const Measurement *x = find(all, m.impl, m.set, m.backend, op);
        row.push_back(x ? thousands(x->ticks.median) : "-");
      }
      scale.add(row);
    }
  if (!scale.empty()) {
    out << "\nfor scale, median ticks\n";
    scale.print(out);
  }

  if (sets.empty()) return;
  out << "\naioli, median ticks\n";
  ticks.print(out);
  out << "\naioli, estimated core cycles\n";
  core_cycles.print(out);
}

nlohmann::ordered_json report_json(const Header &h, const std::vector<Measurement> &all,
                                   const std::vector<Throughput> &throughput) {
  using nlohmann::ordered_json;
  const auto rounded = [](double x) { return std::llround(x); };
  const auto digits = [](double x) { return std::round(x * 1e4) / 1e4; };

  ordered_json header = {{"format", 1},
                         {"date", h.date},
                         {"commit", h.commit},
                         {"machine", h.machine},
                         {"cpu_features", h.cpu_features},
                         {"cores", h.cores},
                         {"hypervisor", h.hypervisor},
                         {"system", h.system},
                         {"compiler", h.compiler},
                         {"flags", h.flags},
                         {"library_version", h.our_version},
                         {"peers", ordered_json::object()},
                         {"tick_unit", tick_unit()},
                         {"tick_hz", rounded(h.tick_hz)},
                         {"tick_overhead", h.tick_overhead},
                         {"invariant_tsc", h.invariant_tsc},
                         {"pinned_core", h.core < 0 ? ordered_json(nullptr) : ordered_json(h.core)},
                         {"load_before", digits(h.load_before)},
                         {"load_after", digits(h.load_after)},
                         {"involuntary_switches", h.involuntary_switches},
                         {"quick", h.quick},
                         {"warnings", h.warnings}};
  for (const auto &[name, how] : h.peers) header["peers"][name] = how;

  ordered_json results = ordered_json::array();
  for (const Measurement &m : all)
    results.push_back(
        {{"impl", m.impl},
         {"set", m.set},
         {"backend", m.backend},
         {"op", op_name(m.op)},
         {"median", rounded(m.ticks.median)},
         {"q1", rounded(m.ticks.q1)},
         {"q3", rounded(m.ticks.q3)},
         {"min", rounded(m.ticks.min)},
         {"runs", m.ticks.runs},
         {"interrupted", m.interrupted},
         {"cycles_per_tick", m.cycles_per_tick > 0 ? ordered_json(digits(m.cycles_per_tick)) : ordered_json(nullptr)},
         {"clock_spread", m.cycles_per_tick > 0 ? ordered_json(digits(m.clock_spread)) : ordered_json(nullptr)},
         {"median_cycles",
          m.cycles_per_tick > 0 ? ordered_json(rounded(m.ticks.median * m.cycles_per_tick)) : ordered_json(nullptr)},
         {"median_us", std::round(m.ticks.median / h.tick_hz * 1e9) / 1e3}});

  ordered_json quotients = ordered_json::array();
  std::vector<Ratio> compared = ratios(all, true);
  for (const Ratio &r : against_baseline(all)) compared.push_back(r);
  for (const Ratio &r : compared)
    quotients.push_back({{"op", op_name(r.ours->op)},
                         {"set", r.ours->set},
                         {"backend", r.ours->backend},
                         {"peer", r.peer->impl},
                         {"peer_set", r.peer->set},
                         {"peer_backend", r.peer->backend},
                         {"ratio", digits(r.of_medians)},
                         {"ratio_of_minima", digits(r.of_minima)},
                         {"paired_q1", digits(r.paired.q1)},
                         {"paired_median", digits(r.paired.median)},
                         {"paired_q3", digits(r.paired.q3)}});

  ordered_json batches = ordered_json::array();
  for (const Throughput &t : throughput)
    batches.push_back({{"impl", t.impl},
                       {"set", t.set},
                       {"backend", t.backend},
                       {"op", t.op},
                       {"threads", t.threads},
                       {"rows", t.rows},
                       {"median", rounded(t.ticks_per_row.median)},
                       {"q1", rounded(t.ticks_per_row.q1)},
                       {"q3", rounded(t.ticks_per_row.q3)},
                       {"min", rounded(t.ticks_per_row.min)},
                       {"runs", t.ticks_per_row.runs}});

  return {{"header", header}, {"results", results}, {"ratios", quotients}, {"throughput", batches}};
}

void write_json(const std::string &path, const Header &h, const std::vector<Measurement> &all,
                const std::vector<Throughput> &throughput) {
  write_whole(path, one_line_each(report_json(h, all, throughput)));
}

std::string one_line_each(const nlohmann::ordered_json &document) {
  const auto key = [](const std::string &name) { return nlohmann::json(name).dump() + ":"; };
  std::string text = "{";
  for (const auto &[name, member] : document.items()) {
    text += (text.size() > 1 ? ",\n" : "\n") + key(name);
    if (!member.is_structured() || member.empty()) {
      text += member.dump();
      continue;
    }
    text += member.is_array() ? '[' : '{';
    const char *before = "\n";
    for (const auto &[inner, value] : member.items()) {
      text += before + (member.is_array() ? "" : key(inner)) + value.dump();
      before = ",\n";
    }
    text += member.is_array() ? "\n]" : "\n}";
  }
  return text + "\n}\n";
}

void write_whole(const std::string &path, const std::string &text) {
  const std::string part = path + ".part";
  std::ofstream out(part);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + part);
  if (std::rename(part.c_str(), path.c_str()) != 0) throw std::runtime_error("cannot rename " + part + " to " + path);
}

}  // namespace bench
