// SPDX-License-Identifier: Apache-2.0
//
// Many signatures at once: libaioli_batch, which is linked, not loaded, and runs on the backend of choice.
#pragma once

#include "report.hpp"

namespace bench {

// Signs and verifies `rows` signatures of a set in one call, under one key and under as many keys as rows, with 1 .. `cores`
// threads (powers of two), and by one call for each, all in turns, `runs` times each.  Throws if any row fails.
std::vector<Throughput> measure_batches(const std::string &set, size_t rows, size_t cores, size_t runs);

void print_batches(std::ostream &out, const std::vector<Throughput> &all, double tick_hz);

}  // namespace bench
