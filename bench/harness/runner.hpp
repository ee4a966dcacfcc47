// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "stats.hpp"
#include "subject.hpp"
#include "timer.hpp"

namespace bench {

struct Measurement {
  std::string impl, set, backend;
  Op op{};
  std::string group;            // measured in turns with the others of this name
  std::vector<double> samples;  // ticks of one call each, in the order taken
  size_t burst = 0;             // samples taken in a row
  size_t interrupted = 0;       // of the samples: those during which another process ran, after several tries
  double cycles_per_tick = 0;   // of the core: median of calibrations before, between and after these samples; 0 if unknown
  double clock_spread = 0;      // how far these calibrations lay apart, as a part of their median
  Summary ticks;
};

struct Plan {
  size_t rounds = 100;
  size_t burst = 3;  // timed calls per turn, after one that is not timed
  std::function<double()> clock = measure_cycles_per_tick;
  // When this time has passed no further round begins, unless there were fewer than least_rounds: calls of many milliseconds need
  // no hundred rounds.  Seconds.
  double seconds = 1e9;
  size_t least_rounds = 10;
};

// Measures every (subject, operation) given, all in turns: in each round each takes one turn, in an order that changes from round
// to round.  Throws if any call fails or gives a wrong answer.
std::vector<Measurement> measure(const std::string &group, const std::vector<std::pair<Subject *, Op>> &cases, const Plan &plan);

}  // namespace bench
