// SPDX-License-Identifier: Apache-2.0
// What `bench` measures with: the monotonic clock, cycles of the core, medians and quartiles.  (make bench has finer tools.)
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace aioli::cli {

inline double microseconds_now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Cycles in a microsecond at this moment, from additions that wait for one another, one cycle each; 0 where we know no such
// chain.
inline double measure_cycles_per_microsecond() {
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr int additions = 100, blocks = 1000;
  double best = 1e9;
  uint64_t x = 1;
  for (int trial = 0; trial < 20; trial++) {
    const double start = microseconds_now();
    for (int i = 0; i < blocks; i++) {
#if defined(__x86_64__)
      asm volatile(".rept %c1\n\tadd %0, %0\n\t.endr" : "+r"(x) : "i"(additions) : "cc");
#else
      asm volatile(".rept %c1\n\tadd %0, %0, %0\n\t.endr" : "+r"(x) : "i"(additions));
#endif
    }
    best = std::min(best, microseconds_now() - start);
  }
  return additions * blocks / best;
#else
  return 0;
#endif
}

// The q-th quantile of an ascending sequence that is not empty, linear between its neighbours.
inline double quantile_of_sorted(const std::vector<double> &x, double q) {
  const double at = q * static_cast<double>(x.size() - 1);
  const size_t i = static_cast<size_t>(at), next = std::min(i + 1, x.size() - 1);
  return x[i] + (at - static_cast<double>(i)) * (x[next] - x[i]);
}

}  // namespace aioli::cli
