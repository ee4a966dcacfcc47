// SPDX-License-Identifier: Apache-2.0
#include "timer.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bench {

double measure_tick_hz() {
#if AIOLI_BENCH_TSC
  // Of several windows the one whose end points were read with the least delay is the truest.
  double best_hz = 0;
  uint64_t best_delay = UINT64_MAX;
  for (int trial = 0; trial < 5; trial++) {
    const uint64_t a0 = ticks_now(), n0 = clock_ns(), a1 = ticks_now();
    while (clock_ns() - n0 < 20'000'000u) {}
    const uint64_t b0 = ticks_now(), n1 = clock_ns(), b1 = ticks_now();
    const uint64_t delay = (a1 - a0) + (b1 - b0);
    if (delay < best_delay) {
      best_delay = delay;
      best_hz = double((b0 + b1) - (a0 + a1)) / 2 * 1e9 / double(n1 - n0);
    }
  }
  return best_hz;
#else
  return 1e9;
#endif
}

uint64_t measure_tick_overhead() {
  uint64_t best = UINT64_MAX;
  for (int i = 0; i < 10000; i++) {
    const uint64_t a = ticks_now(), b = ticks_now();
    best = std::min(best, b - a);
  }
  return best;
}

namespace {

// 100 additions of a register to itself, each waiting for the one before.  No known core folds these away.
inline uint64_t hundred_additions(uint64_t x) {
#if defined(__x86_64__)
  asm volatile(".rept 100\n\tadd %0, %0\n\t.endr" : "+r"(x) : : "cc");
#elif defined(__aarch64__)
  asm volatile(".rept 100\n\tadd %0, %0, %0\n\t.endr" : "+r"(x));
#endif
  return x;
}

#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool have_chain = true;
#else
constexpr bool have_chain = false;
#endif

}  // namespace

double measure_cycles_per_tick() {
  if (!have_chain) return 0;
  constexpr int blocks = 1000;
  uint64_t best = UINT64_MAX, x = 1;
  for (int trial = 0; trial < 20; trial++) {
    const uint64_t t0 = ticks_now();
    for (int i = 0; i < blocks; i++) x = hundred_additions(x);
    best = std::min(best, ticks_now() - t0);
  }
  return best == 0 ? 0 : 100.0 * blocks / double(best);
}

int pin_to_core(int core, const char **why) {
#if defined(__linux__)
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    *why = std::strerror(errno);
    return -1;
  }
  // The last core: interrupts tend to be served by the first.
  for (int c = 0; core < 0 && c < CPU_SETSIZE; c++)
    if (CPU_ISSET(CPU_SETSIZE - 1 - c, &allowed)) core = CPU_SETSIZE - 1 - c;
  if (core < 0 || core >= CPU_SETSIZE || !CPU_ISSET(core, &allowed)) {
    *why = "this process may not run on that core";
    return -1;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) {
    *why = std::strerror(errno);
    return -1;
  }
  return core;
#else
  (void)core;
  *why = "pinning is implemented for Linux only";
  return -1;
#endif
}

long involuntary_switches() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return u.ru_nivcsw;
}

}  // namespace bench
