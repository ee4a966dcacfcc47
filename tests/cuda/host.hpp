// SPDX-License-Identifier: Apache-2.0
// What the tests of the host's side share: the fake driver's controls, contexts, batches beside those of the processor.
#pragma once
#include <aioli/cuda.h>
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <memory>

#include "batch_rows.hpp"
#include "fake/fake.hpp"

namespace test {

// The controls of the driver that the library opens.
template <class F> F *control(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  F *f = library != nullptr ? reinterpret_cast<F *>(dlsym(library, name)) : nullptr;
  if (f == nullptr) abort();
  return f;
}
#define AIOLI_CONTROL(name) test::control<decltype(::name)>(#name)

inline FakeUse use() { return AIOLI_CONTROL(fake_use)(); }
inline bool nothing_left() {
  const FakeUse u = use();
  return u.device_allocations + u.pinned_allocations + u.streams + u.modules + u.contexts == 0;
}

// A machine as it is to be; the next test finds it as it was.
struct Machine {
  explicit Machine(int devices = 1, size_t memory_bytes = size_t{1} << 28) : before(*AIOLI_CONTROL(fake_machine)()) {
    *AIOLI_CONTROL(fake_machine)() = {devices, memory_bytes, before.multiprocessors, before.schedule};
    AIOLI_CONTROL(fake_forget)();
  }
  ~Machine() {
    AIOLI_CONTROL(fake_fail)(0, 0, false);
    AIOLI_CONTROL(fake_forget)();
    *AIOLI_CONTROL(fake_machine)() = before;
  }
  FakeMachine before;
};

struct Cuda {
  explicit Cuda(uint32_t flags = 0, size_t memory_bytes = 0) {
    aioli_cuda_options options = AIOLI_CUDA_OPTIONS_INIT;
    options.flags = flags;
    options.memory_bytes = memory_bytes;
    status = aioli_cuda_new(&c, &options);
  }
  ~Cuda() { aioli_cuda_free(c); }
  Cuda(const Cuda &) = delete;
  aioli_cuda *c = nullptr;
  aioli_status status;
};

// The sets of this build that devices can do; those of round 3, MAYO-5 less often, where everything would take long.
inline std::vector<const aioli_alg *> device_algs() {
  std::vector<const aioli_alg *> algs;
  for (const aioli_alg *alg : batch_algs())
    if (std::string(aioli_alg_name(alg)).find("-r1b") == std::string::npos) algs.push_back(alg);
  return algs;
}

inline Statuses verify(aioli_cuda *c, const aioli_alg *alg, const VerifyBatch &batch, const aioli_batch_options *options,
                       aioli_status *result) {
  std::vector<aioli_verify_row> views;
  for (const VerifyRow &row : batch.rows) views.push_back(row.row());
  Statuses statuses(views.size(), AIOLI_ERR_SELFTEST);
  *result = aioli_cuda_verify_batch(c, alg, statuses.data(), views.data(), views.size(), options);
  return statuses;
}

// Rows to sign with some keys, deterministically or with a generator that counts, and what the one-shot call makes of them.
struct SignBatch {
  std::vector<Buffer> msgs, sks;
  std::vector<size_t> key;
  std::vector<Buffer> expected;

  SignBatch(const aioli_alg *alg, size_t count, size_t keys, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Key> made;
    for (size_t i = 0; i < keys; i++) made.emplace_back(alg, uint8_t(seed + i));
    for (const Key &k : made) sks.push_back(k.sk);
    for (size_t i = 0; i < count; i++) {
      key.push_back(random() % keys);
      msgs.push_back(pattern(random() % 200 + 1, uint8_t(random())));
      expected.push_back(made[key.back()].sign(msgs.back()));
    }
  }
  struct Result {
    aioli_status status;
    Statuses statuses;
    std::vector<Buffer> sigs;
  };
  Result run(aioli_cuda *c, const aioli_alg *alg, aioli_rng_fn rng = aioli_rng_zero, void *context = nullptr) const {
    Result r = {AIOLI_OK, Statuses(msgs.size(), AIOLI_ERR_SELFTEST), {}};
    for (size_t i = 0; i < msgs.size(); i++) r.sigs.push_back(pattern(aioli_signature_bytes(alg), 9));
    std::vector<aioli_sign_row> rows;
    for (size_t i = 0; i < msgs.size(); i++)
      rows.push_back(
          {r.sigs[i].data(), r.sigs[i].size(), msgs[i].data(), msgs[i].size(), sks[key[i]].data(), sks[key[i]].size()});
    aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
    options.rng = rng;
    options.rng_context = context;
    r.status = aioli_cuda_sign_batch(c, alg, r.statuses.data(), rows.data(), rows.size(), &options);
    return r;
  }
};

// A generator whose outputs are all different.
struct Counting {
  uint8_t next = 1;
  static int give(void *context, uint8_t *out, size_t n) {
    Counting &c = *static_cast<Counting *>(context);
    for (size_t i = 0; i < n; i++) out[i] = uint8_t(c.next + 3 * i);
    c.next++;
    return 0;
  }
};

}  // namespace test
