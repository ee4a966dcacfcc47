// SPDX-License-Identifier: Apache-2.0
// The experiment of "Nibbling MAYO" with this library: bit-sliced keys and arithmetic against nibble-sliced ones.
#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bit_sliced_subject.hpp"
#include "interop.hpp"
#include "ours.hpp"
#include "report.hpp"
#include "timer.hpp"

namespace nibbling {
#define NIBBLING_WAY(name) extern const Way name;
#include "ways.def"
#undef NIBBLING_WAY

namespace {

using namespace bench;

constexpr const char *usage_text = R"(usage: aioli_nibbling --aioli LIBRARY [option...]
Compares the sets of round 1 with bit-sliced and with nibble-sliced keys; prints tables in Markdown.

  --aioli FILE     libaioli.so
  --rounds N       turns that each operation takes, three timed calls each (default 100)
  --quick          few turns; figures are rough
  --check          only check that all ways of computing give the same
  --core N         the core to run on (default: the last one allowed)
  --json FILE      also write everything to FILE
  --commit TEXT    what to call the state of the source in the header
Exit status: 0 done; 1 a wrong answer or an error; 2 wrong usage.
)";

constexpr const char *numbers[4] = {"1", "2", "3", "5"};
const Op ops[] = {Op::keygen, Op::sign, Op::verify};
const char *op_title(Op op) { return op == Op::keygen ? "keygen" : op == Op::sign ? "expand + sign" : "expand + verify"; }

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string aioli, json, commit = "unknown";
  size_t rounds = 0;
  int core = -1;
  bool quick = false, check = false;
};

Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i++) {
    const std::string a = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) throw UsageError(a + " needs a value");
      return argv[i];
    };
    const auto number = [&](int least) {
      const std::string s = value();
      std::istringstream in(s);
      int x = 0;
      if (!(in >> x) || !in.eof() || x < least) throw UsageError(a + ": not a usable number: '" + s + "'");
      return x;
    };
    if (a == "--help" || a == "-h") {
      std::cout << usage_text;
      std::exit(0);
    }
    if (a == "--aioli")
      o.aioli = value();
    else if (a == "--json")
      o.json = value();
    else if (a == "--commit")
      o.commit = value();
    else if (a == "--rounds")
      o.rounds = size_t(number(1));
    else if (a == "--core")
      o.core = number(0);
    else if (a == "--quick")
      o.quick = true;
    else if (a == "--check")
      o.check = true;
    else
      throw UsageError("unknown option '" + a + "'");
  }
  if (o.aioli.empty()) throw UsageError("--aioli is missing");
  if (o.rounds == 0) o.rounds = o.quick ? 5 : 100;
  return o;
}

// Memory for the products of one set in one way of computing.
class Work {
 public:
  Work(const Set &set, uint64_t seed) : set_(set), memory_(set.work_bytes + 64) {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    at_ = memory_.data() + ((0 - address) & 63);
    set_.fill(at_, seed);
  }
  void *at() { return at_; }

 private:
  const Set &set_;
  Bytes memory_;
  uint8_t *at_;
};

struct ProductResult {
  std::string number, product, kernels, backend;
  double macs = 0, cycles_per_tick = 0, clock_spread = 0;
  Summary ticks;
  double per_cycle() const { return cycles_per_tick > 0 ? macs / (ticks.median * cycles_per_tick) : 0; }
};

const char *kernels_name(const Way &way) { return way.bit_sliced ? "bit-sliced" : "nibble-sliced"; }

// All ways of computing the products of one set take turns.
void measure_products(std::vector<ProductResult> &out, const std::vector<const Way *> &ways, int set, const Plan &plan) {
  std::vector<std::unique_ptr<Work>> works;
  for (const Way *w : ways) works.push_back(std::make_unique<Work>(w->sets[set], 1));
  for (size_t p = 0; p < std::size(ways[0]->sets[set].products); p++) {
    std::vector<std::vector<double>> samples(ways.size());
    std::vector<double> clock;
    for (size_t round = 0; round < plan.rounds; round++) {
      if (round % 16 == 0) clock.push_back(plan.clock());
      for (size_t i = 0; i < ways.size(); i++) {
        const size_t w = (i + round) % ways.size();
        for (size_t b = 0; b <= plan.burst; b++) {
          const uint64_t before = ticks_now();
          ways[w]->sets[set].products[p].run(works[w]->at());
          const uint64_t after = ticks_now();
          if (b > 0) samples[w].push_back(double(after - before));
        }
      }
    }
    clock.push_back(plan.clock());
    const Summary cycles = summarize(clock);
    for (size_t w = 0; w < ways.size(); w++) {
      const Product &product = ways[w]->sets[set].products[p];
      out.push_back({numbers[set], product.name, kernels_name(*ways[w]), ways[w]->backend, product.macs, cycles.median,
                     cycles.median > 0 ? (cycles.max - cycles.min) / cycles.median : 0, summarize(samples[w])});
    }
  }
}

// Throws if any way gives other products than the first nibble-sliced one, which is the portable backend.
size_t check_products(std::vector<const Way *> ways) {
  std::iter_swap(ways.begin(), std::find_if(ways.begin(), ways.end(), [](const Way *w) { return !w->bit_sliced; }));
  size_t done = 0;
  for (int set = 0; set < 4; set++)
    for (uint64_t seed = 1; seed <= 5; seed++) {
      uint64_t expected = 0;
      for (size_t w = 0; w < ways.size(); w++, done++) {
        Work work(ways[w]->sets[set], seed);
        const uint64_t sum = ways[w]->sets[set].checksum(work.at());
        if (w == 0) expected = sum;
        if (sum != expected)
          throw std::runtime_error(std::string("MAYO-") + numbers[set] + ": the products of " + kernels_name(*ways[w]) + " " +
                                   ways[w]->backend + " are wrong");
      }
    }
  return done;
}

std::string fixed(double x, int digits) {
  std::ostringstream o;
  o << std::fixed << std::setprecision(digits) << x;
  return o.str();
}

const Measurement *find(const std::vector<Measurement> &all, const std::string &impl, const std::string &set,
                        const std::string &backend, Op op) {
  for (const Measurement &m : all)
    if (m.impl == impl && m.set == set && m.backend == backend && m.op == op) return &m;
  return nullptr;
}

std::string kilocycles(const Measurement *m) {
  return m && m->cycles_per_tick > 0 ? fixed(m->ticks.median * m->cycles_per_tick / 1000, 0) : "-";
}

// The bit-sliced code that is fair to compare with a backend: the same instructions, or the widest that there are.
std::string baseline(const std::string &backend, const std::vector<const Way *> &ways) {
  std::string last;
  for (const Way *w : ways)
    if (w->bit_sliced) {
      last = w->backend;
      if (backend == w->backend) return last;
    }
  return last;
}

void print_whole(const std::vector<Measurement> &all, const std::vector<std::string> &backends,
                 const std::vector<const Way *> &ways) {
  std::cout
      << "\nThousands of core cycles (estimated) of one call; `ratio` is bit-sliced divided by nibble-sliced.\n\n"
      << "| backend | set | operation | bit-sliced keys and arithmetic | bit-sliced keys, turned to nibbles | nibble-sliced "
         "keys | ratio |\n|---|---|---|--:|--:|--:|--:|\n";
  double best_sign = 0;
  for (const auto &b : backends) {
    const std::string base = baseline(b, ways);
    for (const std::string n : numbers)
      for (Op op : ops) {
        const Measurement *planes = find(all, "bit-sliced", "MAYO-" + n + "-r1b", base, op);
        const Measurement *turned = find(all, "aioli", "MAYO-" + n + "-r1b", b, op);
        const Measurement *nibbles = find(all, "aioli", "MAYO-" + n + "-r1", b, op);
        if (!planes || !turned || !nibbles) continue;
        const double ratio = planes->ticks.median / nibbles->ticks.median;
        if (op == Op::sign) best_sign = std::max(best_sign, ratio);
        std::cout << "| " << b << (base == b ? "" : " (bit-sliced: " + base + ")") << " | MAYO-" << n << " | " << op_title(op)
                  << " | " << kilocycles(planes) << " | " << kilocycles(turned) << " | " << kilocycles(nibbles) << " | "
                  << fixed(ratio, 2) << " |\n";
      }
  }
  std::cout << "\nSigning: up to " << fixed(best_sign, 1) << " times fewer cycles. (The paper: up to 3.2 times.)\n";
}

void print_products(const std::vector<ProductResult> &products, const std::vector<const Way *> &ways) {
  std::cout << "\nMultiply-accumulates for each core cycle (estimated) in the products of matrices.\n\n| set | product |";
  for (const Way *w : ways) std::cout << ' ' << kernels_name(*w) << ' ' << w->backend << " |";
  std::cout << "\n|---|---|";
  for (size_t i = 0; i < ways.size(); i++) std::cout << "--:|";
  double best = 0;
  for (const ProductResult &first : products) {
    if (first.kernels != kernels_name(*ways[0]) || first.backend != ways[0]->backend) continue;
    std::cout << "\n| MAYO-" << first.number << " | " << first.product << " |";
    for (const Way *w : ways)
      for (const ProductResult &r : products)
        if (r.number == first.number && r.product == first.product && r.kernels == kernels_name(*w) && r.backend == w->backend) {
          std::cout << ' ' << (r.per_cycle() > 0 ? fixed(r.per_cycle(), 1) : "-") << " |";
          if (!w->bit_sliced) best = std::max(best, r.per_cycle());
        }
  }
  std::cout << "\n\nNibble-sliced: at most " << fixed(best, 1) << ". (The paper, AVX2: 56.5 on Skylake, 78.8 on Ice Lake.)\n";
}

int run(const Options &o) {
  const auto backends = Aioli::usable_backends(o.aioli);
  std::vector<const Way *> ways;
#define NIBBLING_WAY(name) \
  if (std::find(backends.begin(), backends.end(), name.backend) != backends.end()) ways.push_back(&name);
#include "ways.def"
#undef NIBBLING_WAY

  // AES instructions change no product of matrices.
  std::vector<const Way *> with_products;
  for (const Way *w : ways)
    if (w->backend != std::string("aesni")) with_products.push_back(w);

  std::vector<std::unique_ptr<Aioli>> ours;
  for (const auto &b : backends) ours.push_back(std::make_unique<Aioli>(o.aioli, b));
  std::vector<Keyring> rings;  // of each number: nibble-sliced, bit-sliced
  rings.reserve(8);
  for (const std::string n : numbers)
    for (const char *suffix : {"-r1", "-r1b"})
      rings.push_back(ours.front()->make_keyring("MAYO-" + n + suffix, o.quick || o.check ? 4 : 16));

  size_t checks = check_products(ways);
  std::vector<std::vector<std::unique_ptr<Subject>>> subjects(4);
  for (int set = 0; set < 4; set++) {
    for (const Way *w : ways)
      if (w->bit_sliced) {
        subjects[set].push_back(std::make_unique<BitSlicedSubject>(w->backend, w->sets[set], rings[2 * set + 1]));
        const auto library = ours.front()->subject(rings[2 * set + 1]);
        checks += check_interop(*library, *subjects[set].back());
      }
    for (const auto &a : ours)
      for (int slicing = 0; slicing < 2; slicing++) subjects[set].push_back(a->subject(rings[2 * set + slicing]));
  }
  std::cout << "checked: " << checks << " comparisons, all agree\n";
  if (o.check) return 0;

  Header h = describe_machine();
  h.commit = o.commit;
  h.quick = o.quick;
  h.our_version = ours.front()->version();
  h.compiler = AIOLI_BENCH_COMPILER;
  h.flags = AIOLI_BENCH_FLAGS;
  begin_measuring(h, o.core);
  Plan plan;
  plan.rounds = o.rounds;
  std::vector<Measurement> all;
  std::vector<ProductResult> products;
  for (int set = 0; set < 4; set++) {
    std::cerr << "measuring MAYO-" << numbers[set] << '\n';
    for (Op op : ops) {
      std::vector<std::pair<Subject *, Op>> cases;
      for (const auto &s : subjects[set]) cases.emplace_back(s.get(), op);
      for (auto &m : measure(std::string("MAYO-") + numbers[set] + " " + op_name(op), cases, plan)) all.push_back(std::move(m));
    }
    measure_products(products, with_products, set, plan);
  }
  finish_measuring(h, all);

  print_header(std::cout, h);
  print_whole(all, backends, ways);
  print_products(products, with_products);
  if (!o.json.empty()) {
    auto json = report_json(h, all);
    for (const ProductResult &r : products)
      json["products"].push_back({{"set", "MAYO-" + r.number + (r.kernels == "bit-sliced" ? "-r1b" : "-r1")},
                                  {"product", r.product},
                                  {"kernels", r.kernels},
                                  {"backend", r.backend},
                                  {"macs", r.macs},
                                  {"median", r.ticks.median},
                                  {"q1", r.ticks.q1},
                                  {"q3", r.ticks.q3},
                                  {"min", r.ticks.min},
                                  {"runs", r.ticks.runs},
                                  {"cycles_per_tick", r.cycles_per_tick},
                                  {"clock_spread", r.clock_spread},
                                  {"macs_per_cycle", r.per_cycle()}});
    write_whole(o.json, one_line_each(json));
    std::cout << "\nwritten to " << o.json << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace nibbling

int main(int argc, char **argv) {
  try {
    return nibbling::run(nibbling::parse(argc, argv));
  } catch (const nibbling::UsageError &e) {
    std::cerr << "aioli_nibbling: " << e.what() << "\n" << nibbling::usage_text;
    return 2;
  } catch (const std::exception &e) {
    std::cerr << "aioli_nibbling: " << e.what() << "\n";
    return 1;
  }
}
