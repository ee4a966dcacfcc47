// SPDX-License-Identifier: Apache-2.0
#include "runner.hpp"

#include <chrono>
#include <numeric>

namespace bench {

namespace {

// Another order each round, the same in each run of the harness: who follows whom must not depend on chance or on the caller's
// order.
void shuffle(std::vector<size_t> &order, uint64_t &state) {
  for (size_t i = order.size(); i > 1; i--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i - 1], order[(state >> 33) % i]);
  }
}

}  // namespace

std::vector<Measurement> measure(const std::string &group, const std::vector<std::pair<Subject *, Op>> &cases, const Plan &plan) {
  std::vector<Measurement> out(cases.size());
  for (size_t c = 0; c < cases.size(); c++) {
    const auto &[s, op] = cases[c];
    out[c].impl = s->impl();
    out[c].set = s->set();
    out[c].backend = s->backend();
    out[c].op = op;
    out[c].group = group;
    out[c].burst = plan.burst;
    out[c].samples.reserve(plan.rounds * plan.burst);
  }
  std::vector<size_t> order(cases.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::vector<double> cycles;
  uint64_t state = 1;
  size_t number = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto time_is_up = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > plan.seconds;
  };
  for (size_t round = 0; round < plan.rounds && (round < plan.least_rounds || !time_is_up()); round++) {
    if (round % 16 == 0) cycles.push_back(plan.clock());
    shuffle(order, state);
    for (size_t c : order) {
      const auto &[s, op] = cases[c];
      // The first call of a turn finds others' data in the caches and is not counted.
      for (size_t b = 0; b <= plan.burst; b++) {
        const size_t i = (number + b) % s->exercises();
        uint64_t t0 = 0, t1 = 0;
        bool interrupted = true;
        // A call during which the kernel ran somebody else says nothing: repeat it.  A long call on a busy machine may never get
        // through; then it counts as it is, and is reported.
        for (int tries = 0; interrupted && tries < (b > 0 ? 5 : 1); tries++) {
          s->prepare(op, i);
          const long before = involuntary_switches();
          t0 = ticks_now();
          s->call(op, i);
          t1 = ticks_now();
          interrupted = involuntary_switches() != before;
          s->check(op, i);
        }
        if (b > 0) {
          out[c].samples.push_back(double(t1 - t0));
          out[c].interrupted += interrupted;
        }
      }
    }
    number += plan.burst;  // every case gets the same inputs in the same round
  }
  cycles.push_back(plan.clock());
  const Summary clock = summarize(cycles);
  for (Measurement &m : out) {
    m.cycles_per_tick = clock.median;
    m.clock_spread = clock.median > 0 ? (clock.max - clock.min) / clock.median : 0;
    m.ticks = summarize(m.samples);
  }
  return out;
}

}  // namespace bench
