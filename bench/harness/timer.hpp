// SPDX-License-Identifier: Apache-2.0
//
// Time, in ticks: the time-stamp counter on x86, nanoseconds of the monotonic clock elsewhere.
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#define AIOLI_BENCH_TSC 1
#else
#define AIOLI_BENCH_TSC 0
#endif

namespace bench {

inline const char *tick_unit() { return AIOLI_BENCH_TSC ? "tsc" : "ns"; }

inline uint64_t clock_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 1'000'000'000u + uint64_t(t.tv_nsec);
}

// The fences keep earlier work from being counted, and later work from starting before the counter is read.
inline uint64_t ticks_now() {
#if AIOLI_BENCH_TSC
  _mm_lfence();
  const uint64_t t = __rdtsc();
  _mm_lfence();
  return t;
#else
  return clock_ns();
#endif
}

// Ticks per second, measured against the monotonic clock (exactly 1e9 where ticks are nanoseconds).
double measure_tick_hz();

// Ticks between two readings with nothing between them: the least of many.
uint64_t measure_tick_overhead();

// Core cycles per tick at this moment, from a chain of dependent additions of known latency (one cycle each); 0 where no such
// chain is known.  Takes about a millisecond.
double measure_cycles_per_tick();

// Pins the calling thread to a core: `core`, or the last one that it may run on if core < 0.  Returns the core, or -1 and a
// reason in *why.
int pin_to_core(int core, const char **why);

// Times that the kernel has taken the processor away from this process so far.
long involuntary_switches();

}  // namespace bench
