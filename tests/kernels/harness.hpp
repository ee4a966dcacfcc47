// SPDX-License-Identifier: Apache-2.0
// What every test of kernels has: data, products by the definition, memory with guard bytes, verdicts, and whether this processor
// can run the backend.  A test says which kernels it calls, on which shapes, and what is expected.
//
// Programs that are compiled with a backend's instructions include this, so it uses nothing of the C++ library: the linker would
// share its functions with code that runs before anybody has asked what the processor can do.  Everything is of the file that
// includes it, for the same reason.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.hpp"

namespace kernels {
namespace {

// The backends of the library by their rows; the tests' own run anywhere.
[[maybe_unused]] bool usable(const char *backend) {
  using namespace aioli;
#define AIOLI_BACKEND(identifier, kernels, families, rounds, expression, flags) \
  if (strcmp(backend, #identifier) == 0) return expression;
#include "backend/backends.def"
#undef AIOLI_BACKEND
  return true;
}
[[maybe_unused]] constexpr int cannot_run = 77;  // exit status: ctest then says that the test was skipped

// Verdicts.  The first failures are named, all are counted.
struct Verdicts {
  unsigned long checks = 0, failures = 0;
};
[[maybe_unused]] Verdicts verdicts;
[[maybe_unused]] void expect(bool good, const char *subject, const char *what) {
  verdicts.checks++;
  if (!good && verdicts.failures++ < 20) printf("FAILED: %s: %s\n", subject, what);
}

// A program's main: `checks` if the processor can run the backend; the exit status.
template <class Checks> int run(const char *backend, Checks checks) {
  if (!usable(backend)) return printf("this processor cannot run the backend %s\n", backend), cannot_run;
  checks();
  printf("%s: %lu checks, %lu failures\n", backend, verdicts.checks, verdicts.failures);
  return verdicts.failures != 0 || verdicts.checks == 0;
}

// SplitMix64: nothing linear, which would hide mistakes of linear maps.
[[maybe_unused]] uint64_t random_word() {
  static uint64_t state = 1;
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
[[maybe_unused]] uint8_t random_byte() { return uint8_t(random_word() >> 56); }
// Elements of a field of so many bits, through arrays of any dimension.
template <int bits> void randomize(uint8_t &x) { x = random_byte() & ((1 << bits) - 1); }
template <int bits, class T, size_t n> void randomize(T (&a)[n]) {
  for (T &x : a) randomize<bits>(x);
}

// Products by the definition: polynomials modulo x^4 + x + 1 or x^8 + x^4 + x^3 + x + 1.
template <int bits> constexpr unsigned times(unsigned a, unsigned b) {
  unsigned p = 0;
  for (int i = 0; i < bits; i++)
    if (b >> i & 1) p ^= a << i;
  for (int d = 2 * bits - 2; d >= bits; d--)
    if (p >> d & 1) p ^= (bits == 4 ? 0x13u : 0x11bu) << (d - bits);
  return p;
}
template <int bits> struct Products2 {
  uint8_t of[1 << bits][1 << bits];
  Products2() {
    for (unsigned a = 0; a < 1 << bits; a++)
      for (unsigned b = 0; b < 1 << bits; b++) of[a][b] = uint8_t(times<bits>(a, b));
  }
};

// Objects of kernels hold garbage before they are used.
constexpr uint8_t garbage = 0xa5;
template <class T> void soil(T &t) { memset(static_cast<void *>(&t), garbage, sizeof t); }

// So many bytes at an odd address, with a byte before and one behind that nobody may write.
template <size_t size> class GuardedBytes {
 public:
  uint8_t *soiled() { return memset(memory_, garbage, sizeof memory_), memory_ + 1; }
  const uint8_t *bytes() const { return memory_ + 1; }
  bool guards_hold(size_t used = size) const { return memory_[0] == garbage && memory_[1 + used] == garbage; }

 private:
  uint8_t memory_[1 + size + 1];
};

}  // namespace
}  // namespace kernels
