// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include "museum/attacks/demo.hpp"
#include "museum/attacks/forge.hpp"
#include "museum/attacks/kipnis_shamir.hpp"

using namespace museum;
using namespace museum::attacks;

namespace {

// `keys` keys with v = o + d: how many pencils each took.  False if one was not broken, or its forgery refused, or if all
// together took three times as many as q^d to a key, or a third.
template <class F>
bool measure(size_t o, size_t d, size_t keys, size_t most, unsigned long seed, Report &report, std::string &points) {
  Random rng(seed);
  double pencils = 0, seconds = 0;
  for (size_t i = 0; i < keys; i++) {
    const UovTarget<F> target(o + d, o, "key " + std::to_string(seed) + " " + std::to_string(i));
    const Clock clock;
    const auto found = kipnis_shamir(target.P, o, most, rng);
    seconds += clock.seconds(), pencils += double(found.pencils);
    if (!found.oil || !forge_uov(target, *found.oil, "never signed", rng)) {
      report.say("not broken", "q = " + std::to_string(F::q) + ", v - o = " + std::to_string(d) + " within the limit of pencils");
      return false;
    }
  }
  char line[200];
  std::snprintf(line, sizeof line, "%7.1f pencils, %8.4f s of CPU to a key, on average of %zu; all forged",
                pencils / double(keys), seconds / double(keys), keys);
  report.say("q = " + std::to_string(F::q) + ", v - o = " + std::to_string(d), line);
  std::snprintf(line, sizeof line, "%s{\"q\": %d, \"o\": %zu, \"d\": %zu, \"keys\": %zu, \"pencils\": %.2f, \"seconds\": %.6f}",
                points.empty() ? "" : ", ", F::q, o, d, keys, pencils / double(keys), seconds / double(keys));
  points += line;
  const double expected = std::pow(F::q, d), ratio = pencils / double(keys) / expected;
  if (ratio < 3 && ratio > 1.0 / 3) return true;
  std::snprintf(line, sizeof line, "%.0f pencils expected", expected);
  report.say("not as q^(v - o)", line);
  return false;
}

}  // namespace

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "Kipnis and Shamir's attack on unbalanced oil and vinegar: its cost for v - o = 0, 1, 2, ...\n"
                  "Page: research/museum/docs/unbalanced.md");
  const long o = options.number("o", 8, "oil variables and equations");
  const long furthest_7 = options.number("furthest-7", 3, "largest v - o over GF(7); less than 0: none");
  const long furthest_16 = options.number("furthest-16", 2, "largest v - o over GF(16)");
  const long keys = options.number("keys", 20, "keys to a point");
  const long most = options.number("pencils", 10000000, "limit to a key");
  Demo demo(options, Demo::attack_only);
  std::string points;
  bool ok = true;
  for (long d = 0; d <= furthest_7; d++)
    ok = measure<field::Gf7>(size_t(o), size_t(d), size_t(keys), size_t(most), demo.seed, demo.report, points) && ok;
  for (long d = 0; d <= furthest_16; d++)
    ok = measure<field::Gf16>(size_t(o), size_t(d), size_t(keys), size_t(most), demo.seed, demo.report, points) && ok;
  demo.report.keep("points", "[" + points + "]");
  return demo.found(ok);
}
