// SPDX-License-Identifier: Apache-2.0
// Peak stack of every operation, by painting the stack of a thread, plus its workspace, with the full workspace of each backend
// and with the least: the limits that docs/memory.md publishes.
#include <doctest/doctest.h>

#include <pthread.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "abi/dispatch.hpp"
#include "base/workspace.hpp"
#include "operations.hpp"

using test::Buffer;
using test::Operations;

namespace {

constexpr size_t stack_bytes = 1 << 20;
constexpr uint8_t paint = 0xd5;
constexpr aioli_op compact_operations[] = {AIOLI_OP_KEYPAIR, AIOLI_OP_SIGN, AIOLI_OP_VERIFY};

// Bytes of stack that f touches, beyond those of a thread that does nothing.
size_t peak_stack(const std::function<void()> &f) {
  void *stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(stack != MAP_FAILED);
  std::memset(stack, paint, stack_bytes);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstack(&attributes, stack, stack_bytes) == 0);
  pthread_t thread;
  REQUIRE(pthread_create(
              &thread, &attributes, [](void *p) -> void * { return (*static_cast<const std::function<void()> *>(p))(), nullptr; },
              const_cast<std::function<void()> *>(&f)) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  const uint8_t *p = static_cast<const uint8_t *>(stack);
  size_t untouched = 0;
  while (untouched < stack_bytes && p[untouched] == paint) untouched++;
  munmap(stack, stack_bytes);
  return stack_bytes - untouched;
}

// What a backend needs, so that the call runs on it.  (Where that is less than the least, the least.)
size_t full(const aioli_alg *alg, int backend, aioli_op op) {
  return std::max(aioli::instance(*alg, backend).workspace[op] + aioli::workspace_alignment - 1,
                  aioli_workspace_least_bytes(alg, op));
}
size_t least(const aioli_alg *alg, int, aioli_op op) { return aioli_workspace_least_bytes(alg, op); }

struct Policy {
  const char *name;
  size_t (*workspace)(const aioli_alg *, int backend, aioli_op);
};
constexpr Policy policies[] = {{"full", full}, {"least", least}};

// The promise for workspace and stack with compact keys.  avx512 takes eight rows at once: its own limit, unless it is given the
// least.
size_t limit(const std::string &set, const std::string &backend, const std::string &policy, aioli_op op) {
  if (set.starts_with("UOV-")) {  // category 1, keys of every kind; a key pair is mostly P3 and S while they add up
    const bool full = policy == "full";
    return size_t(op == AIOLI_OP_KEYPAIR ? (full ? 600 : 400) : op == AIOLI_OP_SIGN ? (full ? 100 : 64) : full ? 64 : 48) * 1024;
  }
  const bool small = set.starts_with("MAYO-1") || set.starts_with("MAYO-2");
  if (backend == "avx512" && policy == "full") return (small ? 88 : 212) * 1024;
  return (small ? 64 : 200) * 1024;
}

}  // namespace

TEST_CASE("stack and workspace stay within what is published") {
  std::printf("%-17s %-9s %-6s %29s %29s %29s   (bytes: workspace + stack = sum)\n", "set", "backend", "policy", "keypair",
              "sign", "verify");
  size_t most_stack = 0;
  const size_t nothing = peak_stack([] {});
  for (const aioli_alg *alg : test::all_algs()) {
    const std::string name = aioli_alg_name(alg);
    CAPTURE(name);
    Operations operations(alg);
    Buffer expected[7];
    for (int b = 0; b < aioli::backend_count; b++) {
      const std::string backend = aioli::backend_name(b);
      CAPTURE(backend);
      const bool runs = aioli_backend_use(backend.c_str()) == AIOLI_OK;
      CHECK(runs == aioli::backend_usable(b));
      for (const Policy &policy : policies) {
        CAPTURE(std::string(policy.name));
        std::printf("%-17s %-9s %-6s", name.c_str(), backend.c_str(), policy.name);
        for (const aioli_op op : test::all_operations) {
          CAPTURE(std::string(test::operation_names[op]));
          const size_t workspace = policy.workspace(alg, b, op);
          // A backend that this processor cannot run: at most the stack that every other is held to.
          size_t stack = AIOLI_MAX_STACK_BYTES;
          if (runs) {
            Buffer space(workspace);
            const aioli_env env = {aioli_rng_zero, nullptr, space.data(), workspace};
            aioli_status status = AIOLI_ERR_STATE;
            stack = peak_stack([&] { status = operations.run(op, env); }) - nothing;
            CHECK(status == AIOLI_OK);
            CHECK(stack <= AIOLI_MAX_STACK_BYTES);
            most_stack = std::max(most_stack, stack);
            if (b == 0 && policy.workspace == full) expected[op] = operations.out;
            CHECK((operations.out == expected[op]));
          }
          if (std::find(std::begin(compact_operations), std::end(compact_operations), op) == std::end(compact_operations))
            continue;
          std::printf("   %7zu + %6zu = %7zu", workspace, stack, workspace + stack);
          CHECK(workspace + stack <= limit(name, backend, policy.name, op));
        }
        std::puts(runs ? "" : "   (not run: this processor cannot)");
      }
      if (!runs) continue;
      const Buffer msg = test::pattern(1000, 1);  // hashing many messages takes no workspace
      const std::vector<const uint8_t *> msgs(20, msg.data());
      const std::vector<size_t> msg_bytes(20, msg.size());
      Buffer digests(20 * AIOLI_MAX_DIGEST_BYTES);
      aioli_status status = AIOLI_ERR_STATE;
      const size_t stack = peak_stack([&] {
        status = aioli_digest_batch(alg, digests.data(), AIOLI_MAX_DIGEST_BYTES, msgs.data(), msg_bytes.data(), msgs.size());
      });
      CHECK(status == AIOLI_OK);
      CHECK(stack - nothing <= AIOLI_MAX_STACK_BYTES);
      most_stack = std::max(most_stack, stack - nothing);
    }
    (void)!aioli_backend_use(nullptr);
  }
  std::printf("most stack of any operation: %zu of %d bytes\n", most_stack, AIOLI_MAX_STACK_BYTES);
}
