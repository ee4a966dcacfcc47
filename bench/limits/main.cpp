// SPDX-License-Identifier: Apache-2.0
// Every operation of MAYO's round 3 beside the least time that its instructions can take on the machine at hand.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "ours.hpp"
#include "report.hpp"
#include "runner.hpp"
#include "throughput.hpp"
#include "timer.hpp"

namespace {

using namespace bench;

constexpr const char *usage_text = R"(usage: limits --aioli LIBRARY [--json FILE] [--rounds N] [--commit TEXT]
Measures how many vector instructions of each kind this processor starts in a cycle; from that the least time of the AES blocks
and of the multiply-accumulates of each operation; and how often that the operation takes.
)";

// [MAYO-r3] Parameters.
struct Set {
  const char *name;
  double n, m, o, k;
};
constexpr Set sets[] = {
    {"MAYO-1", 88, 80, 8, 10}, {"MAYO-2", 86, 64, 13, 5}, {"MAYO-3", 118, 108, 10, 11}, {"MAYO-5", 154, 142, 12, 12}};

// Which instructions a backend works with.
struct Backend {
  const char *name;
  int aes_bytes;  // of the register of an AES round
  const char *product;
  int product_bytes;
  int products;  // multiply-accumulates of such an instruction
  const char *by_turns;
};
constexpr Backend backends[] = {
    {"avx2", 16, "byte shuffle", 32, 64, "byte shuffle and AES round of 16 bytes by turns"},
    {"vaes", 32, "byte shuffle", 32, 64, "byte shuffle and AES round by turns"},
    {"gfni", 32, "affine map", 32, 128, "affine map and AES round by turns"},
    {"avx512", 64, "affine map", 64, 256, "affine map and AES round by turns"},
};

// Of GF(16): the products of the rows of P with O, V or S, and the rank-one updates.  Nothing else is counted: no whipping, no
// linear term, no elimination, no hashing.
double multiply_accumulates(const Set &s, Op op) {
  const double v = s.n - s.o, P1 = v * (v + 1) / 2, P2 = v * s.o, P3 = s.o * (s.o + 1) / 2;
  const double verify = (P1 + P2 + P3) * s.k + s.n * s.k * s.k;
  const double sign = P1 * s.k + v * s.k * s.k + P2 * s.k;
  switch (op) {
    case Op::keygen: return s.m * (P1 * s.o + v * s.o * s.o);
    case Op::expand_sk: return s.m * 2 * P1 * s.o;
    case Op::sign: return s.m * (sign + P1 * s.o + P2 * s.k);
    case Op::sign_expanded: return s.m * sign;
    case Op::verify:
    case Op::verify_expanded: return s.m * verify;
    case Op::expand_pk: return 0;
  }
  return 0;
}

// Eight rounds a block, because two are shared by 256 blocks (docs/decisions).
constexpr double rounds_per_block = 8;
double aes_rounds(const Set &s, Op op) {
  if (op == Op::sign_expanded || op == Op::verify_expanded) return 0;
  const double v = s.n - s.o;
  return rounds_per_block * s.m / 2 * (v * (v + 1) / 2 + v * s.o) / 16;
}

std::string rounded(double x, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, x);
  return text;
}

}  // namespace

int main(int argc, char **argv) try {
  std::string library, json, commit = "unknown";
  size_t rounds = 40;
  for (int i = 1; i < argc; i++) {
    const std::string a = argv[i];
    if (a == "--help" || a == "-h") {
      std::cout << usage_text;
      return 0;
    }
    if (i + 1 == argc) throw std::runtime_error(a + " needs a value, or is not known");
    if (a == "--aioli")
      library = argv[++i];
    else if (a == "--json")
      json = argv[++i];
    else if (a == "--commit")
      commit = argv[++i];
    else if (a == "--rounds")
      rounds = std::stoul(argv[++i]);
    else
      throw std::runtime_error("unknown option '" + a + "'");
  }
  if (library.empty()) throw std::runtime_error("--aioli is missing");
  const char *why = nullptr;
  if (pin_to_core(-1, &why) < 0) std::cerr << "limits: not on one core: " << why << '\n';

  const auto rates = measure_rates();
  if (rates.empty()) throw std::runtime_error("no instructions are known for this kind of processor");
  const Header header = describe_machine();
  nlohmann::ordered_json record = {{"what", "bench/limits"},
                                   {"commit", commit},
                                   {"date", header.date},
                                   {"machine", header.machine},
                                   {"compiler", AIOLI_BENCH_COMPILER},
                                   {"flags", AIOLI_BENCH_FLAGS},
                                   {"rates", nlohmann::ordered_json::array()},
                                   {"operations", nlohmann::ordered_json::array()}};
  std::cout << "In a cycle this processor starts\n\n";
  for (const Rate &r : rates) {
    std::cout << "  " << rounded(r.per_cycle, 2) << "  " << r.instruction << ", " << r.bytes << " bytes\n";
    record["rates"].push_back(
        {{"instruction", r.instruction}, {"bytes", r.bytes}, {"per_cycle", std::stod(rounded(r.per_cycle, 2))}});
  }

  std::cout << "\nThousands of cycles: AES + products, at least, took (times)\n";
  const auto usable = Aioli::usable_backends(library);
  for (const Backend &b : backends) {
    if (std::find(usable.begin(), usable.end(), b.name) == usable.end()) continue;
    const Aioli aioli(library, b.name);
    std::cout << "\n" << b.name << "\n";
    for (const Set &s : sets) {
      const Keyring ring = aioli.make_keyring(s.name, 4);
      const auto subject = aioli.subject(ring);
      std::vector<std::pair<Subject *, Op>> cases;
      for (Op op : all_ops) cases.emplace_back(subject.get(), op);
      Plan plan;
      plan.rounds = rounds;
      std::cout << "  " << s.name << "\n";
      for (const Measurement &measured : measure(s.name, cases, plan)) {
        const double aes = aes_rounds(s, measured.op) * 16 / b.aes_bytes,
                     products = multiply_accumulates(s, measured.op) / b.products;
        const double aes_cycles = aes / rate_of(rates, "AES round", b.aes_bytes),
                     product_cycles = products / rate_of(rates, b.product, b.product_bytes);
        double least = std::max(aes_cycles, product_cycles);
        if (aes > 0 && products > 0) least = std::max(least, (aes + products) / rate_of(rates, b.by_turns, b.product_bytes));
        const double took = measured.ticks.min * measured.cycles_per_tick;
        std::cout << "    " << op_name(measured.op) << ": " << rounded(aes_cycles / 1000, 1) << " + "
                  << rounded(product_cycles / 1000, 1) << ", " << rounded(least / 1000, 1) << ", " << rounded(took / 1000, 1)
                  << " (" << rounded(took / least, 1) << ")\n";
        record["operations"].push_back({{"backend", b.name},
                                        {"set", s.name},
                                        {"operation", op_name(measured.op)},
                                        {"aes_cycles", std::round(aes_cycles)},
                                        {"product_cycles", std::round(product_cycles)},
                                        {"least_cycles", std::round(least)},
                                        {"cycles", std::round(took)}});
      }
    }
  }
  if (!json.empty()) {
    std::ofstream out(json);
    out << record.dump(1) << '\n';
    if (!out.flush()) throw std::runtime_error("cannot write " + json);
  }
  return 0;
} catch (const std::exception &error) {
  std::cerr << "limits: " << error.what() << '\n';
  return 1;
}
