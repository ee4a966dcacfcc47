// SPDX-License-Identifier: Apache-2.0
// What kernels do with secrets must not show in where they go and what they touch.  Kernels are compiled here so that every basic
// block and every load and store calls a function of this file, and the calls of a launch are summed up: with other seeds, other
// randomness and other messages of the same lengths the sums of all kernels that see secrets have to be the same.  Those of
// `expand` have to differ: it looks up tables by public keys.
//
// Each run is a child process of the same moment, so that all its addresses are those of the others.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>

#include "shim/dialect.hpp"

#include "device.hpp"

using test::Buffer;

namespace {

// Of the launch that runs; a place in the code and an address count alike.
struct Trace {
  uint64_t sum, events;
  bool operator==(const Trace &) const = default;
};
Trace trace;

__attribute__((no_sanitize_coverage, noinline)) void note(uintptr_t what) {
  trace.sum = (trace.sum ^ what) * 0x9e3779b97f4a7c15;
  trace.sum ^= trace.sum >> 29;
  trace.events++;
}

}  // namespace

// gcc calls __asan_..., clang __sanitizer_cov_..., both __sanitizer_cov_trace_pc.
extern "C" {
void __sanitizer_cov_trace_pc() { note(reinterpret_cast<uintptr_t>(__builtin_return_address(0))); }
#define AIOLI_ACCESS(size)                                                                     \
  void __asan_load##size##_noabort(void *p) { note(2 * reinterpret_cast<uintptr_t>(p)); }      \
  void __asan_store##size##_noabort(void *p) { note(2 * reinterpret_cast<uintptr_t>(p) + 1); } \
  void __sanitizer_cov_load##size(void *p) { note(2 * reinterpret_cast<uintptr_t>(p)); }       \
  void __sanitizer_cov_store##size(void *p) { note(2 * reinterpret_cast<uintptr_t>(p) + 1); }
AIOLI_ACCESS(1)
AIOLI_ACCESS(2)
AIOLI_ACCESS(4)
AIOLI_ACCESS(8)
AIOLI_ACCESS(16)
void __asan_loadN_noabort(void *p, size_t n) { note(2 * reinterpret_cast<uintptr_t>(p) + 4 * n); }
void __asan_storeN_noabort(void *p, size_t n) { note(2 * reinterpret_cast<uintptr_t>(p) + 4 * n + 1); }
void __asan_handle_no_return() {}
void __asan_before_dynamic_init(const char *) {}
void __asan_after_dynamic_init() {}
}

namespace planted {  // leaks.cpp, compiled like the kernels
void load(uint32_t *out, const uint32_t *table, const uint32_t *secret);
void branch(uint32_t *out, const uint32_t *secret);
void neither(uint32_t *out, const uint32_t *secret);
}  // namespace planted

namespace {

constexpr int secrets = 4;

// All launches of a child, by name; those of one kernel one after another.
using Traces = std::vector<std::pair<std::string, Trace>>;

// What f(0) .. f(count - 1) note down.  All children are there before this process goes on, because it would find its memory
// elsewhere afterwards.
template <class F> std::vector<Traces> runs_of(int count, F f) {
  int ends[secrets][2];
  pid_t child[secrets];
  for (int i = 0; i < count; i++) {
    if (pipe(ends[i]) != 0) abort();
    child[i] = fork();
    if (child[i] != 0) continue;
    const Traces traces = f(i);
    FILE *out = fdopen(ends[i][1], "w");
    for (const auto &[name, t] : traces)
      std::fprintf(out, "%s %llu %llu\n", name.c_str(), (unsigned long long)t.sum, (unsigned long long)t.events);
    std::fclose(out);
    _exit(0);
  }
  std::vector<Traces> runs;
  runs.resize(size_t(count));
  for (int i = 0; i < count; i++) {
    close(ends[i][1]);
    FILE *in = fdopen(ends[i][0], "r");
    char name[64];
    unsigned long long sum, events;
    while (std::fscanf(in, "%63s %llu %llu", name, &sum, &events) == 3) runs[size_t(i)].push_back({name, {sum, events}});
    std::fclose(in);
    int status = 0;
    if (waitpid(child[i], &status, 0) != child[i] || status != 0) runs[size_t(i)].clear();
  }
  return runs;
}

Traces operations(const test::DeviceSet &set, uint8_t secret) {
  Traces traces;
  traces.reserve(64);
  test::Device device(set);
  device.around = [&](const char *name, bool before) {
    if (before) trace = {0, 0};
    if (!before) traces.push_back({name, trace});
  };
  const Buffer seeds = test::pattern(2 * set.layout.seed_sk_bytes, secret);
  (void)device.keygen(seeds);
  const auto keys = device.expand_secret(seeds);
  const std::vector<Buffer> messages = {test::pattern(50, uint8_t(secret + 1)), test::pattern(3, uint8_t(secret + 2))};
  std::vector<uint32_t> restarts;
  (void)device.sign(keys, {0, 1}, messages, test::pattern(2 * set.layout.R_bytes, uint8_t(secret + 3)), &restarts);
  for (uint32_t n : restarts)
    if (n != 0) std::printf("%s: secret %d wants a restart, which is public: choose another\n", set.name, secret), _exit(1);
  return traces;
}

Traces one_thread(const char *name, const std::function<void()> &kernel) {
  trace = {0, 0};
  const std::string error = aioli::shim::run({}, kernel);
  if (!error.empty()) std::printf("%s: %s\n", name, error.c_str()), _exit(1);
  return {{name, trace}};
}

// Whether all runs left the same traces, kernel by kernel.
std::map<std::string, bool> compare(const std::vector<Traces> &runs) {
  std::map<std::string, bool> same;
  for (const Traces &run : runs) {
    if (run.size() != runs[0].size() || run.empty()) return {};
    for (size_t i = 0; i < run.size(); i++) {
      if (run[i].second.events == 0 || run[i].first != runs[0][i].first) return {};
      bool &s = same.try_emplace(run[i].first, true).first->second;
      s = s && run[i].second == runs[0][i].second;
    }
  }
  return same;
}

int complaints = 0;
void expect(bool good, const char *what, const char *why) {
  std::printf("%s: %s%s\n", what, why, good ? "" : ": NOT SO");
  complaints += !good;
}

}  // namespace

int main() {
  // That a leak would be seen.
  const auto planted_same = [](const char *name, void (*kernel)(uint32_t *, const uint32_t *)) {
    const auto same = compare(runs_of(2, [&](int i) {
      uint32_t out, secret = uint32_t(i);
      return one_thread(name, [&] { kernel(&out, &secret); });
    }));
    return same.empty() ? -1 : int(same.begin()->second);
  };
  static uint32_t table[16];
  expect(planted_same("load", [](uint32_t *out, const uint32_t *secret) { planted::load(out, table, secret); }) == 0,
         "a planted load", "is seen");
  expect(planted_same("branch", planted::branch) == 0, "a planted branch", "is seen");
  expect(planted_same("neither", planted::neither) == 1, "neither of them", "leaves equal traces");

  for (const auto &set : test::device_sets()) {
    const auto same = compare(runs_of(secrets, [&](int i) { return operations(set, uint8_t(37 * i + 5)); }));
    expect(same.size() >= 13, set.name, "all kernels of signing and of making keys ran, and left traces");
    for (const auto &[kernel, equal] : same) {
      const std::string what = std::string(set.name) + " " + kernel;
      if (kernel == "expand" || kernel == "schedule_keys")
        expect(!equal, what.c_str(), "public look-ups differ");
      else
        expect(equal, what.c_str(), "the same for all secrets");
    }
  }
  std::printf("%d complaint(s)\n", complaints);
  return complaints != 0;
}
