// SPDX-License-Identifier: Apache-2.0
//
// How many times faster than liboqs' AVX2 code the sets of UOV should be, and are.
#pragma once

#include <ostream>
#include <vector>

#include "report.hpp"

namespace bench {

struct TimesFaster {
  const Measurement *ours, *peer;  // ours: of the backend with the least median
  double times;                    // liboqs' median divided by ours
  Summary paired;                  // over turns taken side by side
  double at_least;                 // the target
  bool met() const { return times >= at_least; }
};

// One for each operation of a set that has a target and was measured in turns with liboqs avx2, in the order of the table.
std::vector<TimesFaster> times_faster(const std::vector<Measurement> &all);

// Nothing if there is none.
void print_targets(std::ostream &out, const std::vector<TimesFaster> &reached);

}  // namespace bench
