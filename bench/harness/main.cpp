// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

#include "batch.hpp"
#include "interop.hpp"
#include "liboqs.hpp"
#include "ours.hpp"
#include "report.hpp"
#include "sodium.hpp"
#include "targets.hpp"
#include "timer.hpp"

namespace {

using namespace bench;

constexpr const char *usage_text = R"(usage: aioli_bench --aioli LIBRARY [option...]
Measures this library's operations, in turns with those of its peers.

  --aioli FILE          libaioli.so
  --liboqs NAME=FILE    a build of liboqs to compare with, e.g. ref=build/peers/liboqs-ref/liboqs.so; may be repeated
  --baseline FILE       another build of libaioli.so, an older one: the same operations of it take turns with ours
  --sodium FILE         libsodium.so.23, whose Ed25519 is measured for scale
  --sets A,B,...        parameter sets (default: every set of the library and, with peers,
                        ML-DSA-44 and Ed25519)
  --ops A,B,...         operations (default: all): keygen expand_sk expand_pk sign sign_expanded verify verify_expanded
  --backends A,B,...    of ours (default: all that this processor can run)
  --rounds N            turns that each operation takes, three timed calls each (default 100)
  --seconds X           begin no further round when operations have taken turns for this long (default 30); ten rounds are
                        always made
  --batch-rows N        signatures in each batch of MAYO-1 (default 10000; 0: no batches)
  --together            every operation of all these sets takes turns with it in all the others: to compare schemes
  --quick               few turns: seconds, not minutes; figures are rough
  --interop-only        only check that ours and the peers understand each other
  --core N              the core to run on (default: the last one allowed)
  --json FILE           also write everything to FILE
  --commit TEXT         what to call the state of the source in the header
  --limit X             bound for portable / liboqs ref in the table (default 1.0)
  --enforce             exit status 3 if that bound is exceeded by a median, or a set of UOV is not as much faster than
                        liboqs avx2 as it should be
Exit status: 0 done; 1 a wrong answer or an error; 2 wrong usage; 3 see --enforce.
)";

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string aioli, baseline, sodium, json, commit = "unknown";
  std::vector<std::pair<std::string, std::string>> liboqs;
  std::vector<std::string> sets, backends;
  std::vector<Op> ops{std::begin(all_ops), std::end(all_ops)};
  size_t rounds = 0;
  double seconds = 30;
  long batch_rows = -1;
  int core = -1;
  bool quick = false, interop_only = false, enforce = false, together = false;
  double limit = 1.0;
};

std::vector<std::string> split(const std::string &s) {
  std::vector<std::string> out;
  std::istringstream in(s);
  for (std::string part; std::getline(in, part, ',');)
    if (!part.empty()) out.push_back(part);
  return out;
}

template <class T> T number(const std::string &option, const std::string &s, T least) {
  std::istringstream in(s);
  T x{};
  if (!(in >> x) || !in.eof() || x < least) throw UsageError(option + ": not a usable number: '" + s + "'");
  return x;
}

Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i++) {
    const std::string a = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) throw UsageError(a + " needs a value");
      return argv[i];
    };
    if (a == "--help" || a == "-h") {
      std::cout << usage_text;
      std::exit(0);
    } else if (a == "--aioli") {
      o.aioli = value();
    } else if (a == "--liboqs") {
      const std::string v = value();
      const size_t eq = v.find('=');
      if (eq == std::string::npos || eq == 0) throw UsageError("--liboqs takes NAME=FILE");
      o.liboqs.emplace_back(v.substr(0, eq), v.substr(eq + 1));
    } else if (a == "--baseline") {
      o.baseline = value();
    } else if (a == "--sodium") {
      o.sodium = value();
    } else if (a == "--sets") {
      o.sets = split(value());
    } else if (a == "--ops") {
      o.ops.clear();
      for (const auto &name : split(value())) o.ops.push_back(op_by_name(name));
    } else if (a == "--backends") {
      o.backends = split(value());
    } else if (a == "--rounds") {
      o.rounds = number<size_t>(a, value(), 1);
    } else if (a == "--seconds") {
      o.seconds = number<double>(a, value(), 0);
    } else if (a == "--batch-rows") {
      o.batch_rows = number<long>(a, value(), 0);
    } else if (a == "--core") {
      o.core = number<int>(a, value(), 0);
    } else if (a == "--limit") {
      o.limit = number<double>(a, value(), 1e-6);
    } else if (a == "--json") {
      o.json = value();
    } else if (a == "--commit") {
      o.commit = value();
    } else if (a == "--together") {
      o.together = true;
    } else if (a == "--quick") {
      o.quick = true;
    } else if (a == "--interop-only") {
      o.interop_only = true;
    } else if (a == "--enforce") {
      o.enforce = true;
    } else {
      throw UsageError("unknown option '" + a + "'");
    }
  }
  if (o.aioli.empty()) throw UsageError("--aioli is missing");
  if (o.rounds == 0) o.rounds = o.quick ? 5 : 100;
  if (o.batch_rows < 0) o.batch_rows = o.quick ? 100 : 10000;
  return o;
}

std::vector<std::string> choose_sets(const Options &o) {
  if (!o.sets.empty() && o.sets != std::vector<std::string>{"all"}) return o.sets;
  auto sets = Aioli::sets(o.aioli);
  if (!o.interop_only && !o.liboqs.empty()) sets.emplace_back(Liboqs::for_scale);
  if (!o.interop_only && !o.sodium.empty()) sets.emplace_back(Sodium::set);
  return sets;
}

bool for_scale(const std::string &set) { return set == Liboqs::for_scale || set == Sodium::set; }

// Sets that share this take turns with each other: "MAYO-1" and "MAYO-1-r2", and what is there for scale.
std::string family(const std::string &set) { return for_scale(set) ? "for scale" : set.substr(0, set.find("-r")); }

constexpr size_t enough_large_keys = 2;

// A key that the first-level cache cannot hold is measured as expanded keys are: the same one again, so that the call that is not
// counted brings it near.  To hold implementations against each other a few such keys are enough.
Keyring make_keyring(const Aioli &aioli, const std::string &set, size_t exercises, bool interop_only) {
  const bool large = aioli.public_key_bytes_(aioli.alg(set)) >= 32768;
  if (interop_only) return aioli.make_keyring(set, large ? enough_large_keys : exercises);
  return aioli.make_keyring(set, exercises, large ? 1 : exercises);
}

const char *kind(Op op) {
  switch (op) {
    case Op::keygen: return "keygen";
    case Op::expand_sk:
    case Op::sign:
    case Op::sign_expanded: return "sign";
    default: return "verify";
  }
}

// The same backends of another build.  Throws if it has none of them, or knows none of the sets.
std::vector<std::unique_ptr<Aioli>> load_baseline(const std::string &path, const std::vector<std::string> &backends) {
  const auto usable = Aioli::usable_backends(path);
  std::vector<std::unique_ptr<Aioli>> out;
  for (const auto &b : backends)
    if (std::find(usable.begin(), usable.end(), b) != usable.end())
      out.push_back(std::make_unique<Aioli>(path, b, baseline_impl));
    else
      std::cerr << "aioli_bench: the baseline has no backend " << b << '\n';
  if (out.empty()) throw std::runtime_error("--baseline: " + path + " has none of these backends");
  return out;
}

int run(const Options &o) {
  const size_t exercises = o.quick ? 4 : o.interop_only ? 8 : 16;

  std::vector<std::string> backends = o.backends.empty() ? Aioli::usable_backends(o.aioli) : o.backends;
  std::vector<std::unique_ptr<Aioli>> ours;
  for (const auto &b : backends) ours.push_back(std::make_unique<Aioli>(o.aioli, b));
  const auto before = o.baseline.empty() ? std::vector<std::unique_ptr<Aioli>>() : load_baseline(o.baseline, backends);
  std::vector<std::unique_ptr<Liboqs>> peers;
  for (const auto &[name, path] : o.liboqs) peers.push_back(std::make_unique<Liboqs>(name, path));

  std::unique_ptr<Sodium> sodium;
  if (!o.sodium.empty()) sodium = std::make_unique<Sodium>(o.sodium);

  // Keyrings first, and never moved again: subjects hold references to them.
  std::map<std::string, Keyring> rings;
  const auto sets = choose_sets(o);
  for (const auto &s : sets)
    // Signing with ML-DSA starts over more often than not: many more messages, so that their median is that of all.
    if (s == Liboqs::for_scale && !peers.empty())
      rings.emplace(s, peers.front()->make_keyring(16 * exercises));
    else if (s == Sodium::set && sodium)
      rings.emplace(s, sodium->make_keyring(exercises));
    else
      rings.emplace(s, make_keyring(*ours.front(), s, exercises, o.interop_only));
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const auto &s : sets) {
    for (const auto &a : ours)
      if (!for_scale(s)) subjects.push_back(a->subject(rings.at(s)));
    for (const auto &a : before)
      if (!for_scale(s) && a->alg_by_name_(s.c_str()) != nullptr) subjects.push_back(a->subject(rings.at(s)));
    if (sodium)
      if (auto subject = sodium->subject(rings.at(s))) subjects.push_back(std::move(subject));
    for (const auto &p : peers)
      if (auto subject = p->subject(rings.at(s))) subjects.push_back(std::move(subject));
  }

  // First of all: do they compute the same thing?  All are held against the same keys and signatures, so it is enough that each
  // of ours meets one peer (the last, which is the fastest) and each peer one of ours.
  size_t pairs = 0, comparisons = 0;
  for (const auto &s : sets) {
    const bool one_key = rings.at(s).exercises.front().key == rings.at(s).exercises.back().key;
    std::vector<Subject *> own, others;
    for (const auto &subject : subjects)
      if (subject->set() == s && subject->impl() != baseline_impl)
        (subject->impl() == "aioli" ? own : others).push_back(subject.get());
    for (Subject *a : own)
      for (Subject *b : others)
        if (a == own.back() || b == others.back()) {
          comparisons += check_interop(*a, *b, one_key ? enough_large_keys : SIZE_MAX);
          pairs++;
        }
  }
  if (pairs)
    std::cout << "interop   " << pairs << " pairings of ours with liboqs, " << comparisons << " comparisons: all agree\n";
  if (o.interop_only) {
    if (pairs) return 0;
    throw std::runtime_error("nothing to compare: no peer was given, or none has these sets");
  }
  if (!pairs) std::cout << "interop   no peer to compare with: only our own operations are measured\n";

  if (o.enforce && peers.empty()) throw std::runtime_error("--enforce: there is no build of liboqs to compare with");

  Header h = describe_machine();
  h.commit = o.commit;
  h.quick = o.quick;
  h.our_version = ours.front()->version();
  h.compiler = AIOLI_BENCH_COMPILER;
  h.flags = AIOLI_BENCH_FLAGS;
  for (const auto &p : peers) h.peers.emplace_back("liboqs " + p->variant(), p->description());
  if (!before.empty()) h.peers.emplace_back(baseline_impl, o.baseline + ", version " + before.front()->version());
  if (sodium) h.peers.emplace_back("libsodium", sodium->description());
  cpu_set_t cores;  // before this thread goes to one of them
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) CPU_SET(0, &cores);
  begin_measuring(h, o.core);

  Plan plan;
  plan.rounds = o.rounds;
  plan.seconds = o.seconds;
  std::vector<Measurement> all;
  const auto group = [&o](const std::string &set) { return o.together ? "all" : family(set); };
  std::vector<std::string> families;
  for (const auto &s : sets)
    if (std::find(families.begin(), families.end(), group(s)) == families.end()) families.push_back(group(s));
  for (const auto &f : families)
    for (const std::string k : {"keygen", "sign", "verify"}) {
      std::vector<std::pair<Subject *, Op>> cases;
      for (const auto &s : subjects)
        for (Op op : o.ops)
          if (group(s->set()) == f && kind(op) == k && s->has(op)) cases.emplace_back(s.get(), op);
      if (cases.empty()) continue;
      std::cerr << "measuring " << f << " " << k << " (" << cases.size() << " in turns)\n";
      for (auto &m : measure(f + " " + k, cases, plan)) all.push_back(std::move(m));
    }
  finish_measuring(h, all);
  std::vector<Throughput> batches;
  if (o.batch_rows > 0) {
    std::cerr << "measuring batches\n";
    sched_setaffinity(0, sizeof cores, &cores);
    batches = measure_batches("MAYO-1", size_t(o.batch_rows), size_t(CPU_COUNT(&cores)), 5);
  }

  print_header(std::cout, h);
  print_tables(std::cout, all, o.limit);
  const auto reached = times_faster(all);
  print_targets(std::cout, reached);
  print_batches(std::cout, batches, h.tick_hz);
  if (!o.json.empty()) {
    write_json(o.json, h, all, batches);
    std::cout << "\nwritten to " << o.json << '\n';
  }

  if (o.enforce) {
    size_t checked = 0, over = 0;
    for (const Ratio &r : ratios(all, false))
      if (r.ours->backend == "portable" && r.peer->backend == "ref") {
        checked++;
        over += r.of_medians > o.limit;
      }
    if (checked + reached.size() == 0) throw std::runtime_error("--enforce: nothing was measured against liboqs ref or avx2");
    const auto missed = size_t(std::count_if(reached.begin(), reached.end(), [](const TimesFaster &t) { return !t.met(); }));
    std::cout << over << " of " << checked << " ratios of portable to liboqs ref are above " << o.limit << "; " << missed
              << " of " << reached.size() << " targets against liboqs avx2 are missed\n";
    if (over + missed) return 3;
  }
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return run(parse(argc, argv));
  } catch (const UsageError &e) {
    std::cerr << "aioli_bench: " << e.what() << "\n" << usage_text;
    return 2;
  } catch (const std::invalid_argument &e) {
    std::cerr << "aioli_bench: " << e.what() << "\n";
    return 2;
  } catch (const std::exception &e) {
    std::cerr << "aioli_bench: " << e.what() << "\n";
    return 1;
  }
}
