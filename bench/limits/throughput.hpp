// SPDX-License-Identifier: Apache-2.0
// How many instructions of a kind this processor starts in a cycle.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Rate {
  std::string instruction;  // what is counted, in words
  int bytes;                // of a register
  double per_cycle;
};

// Those that this processor has, each the median of fifty measurements; none where no kind is known (machines other than x86-64).
// Cycles are those of measure_cycles_per_tick, which scalar code estimates beside each measurement.
std::vector<Rate> measure_rates();

// 0 if there is none such.
double rate_of(const std::vector<Rate> &rates, const std::string &instruction, int bytes);

}  // namespace bench
