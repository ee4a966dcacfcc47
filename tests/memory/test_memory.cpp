// SPDX-License-Identifier: Apache-2.0
// Peak stack of every operation, by painting the stack of a thread, plus its workspace: the limits that docs/memory.md publishes.
#include <doctest/doctest.h>

#include <pthread.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "support.hpp"

using test::Buffer;

namespace {

constexpr size_t stack_bytes = 1 << 20;
constexpr uint8_t paint = 0xd5;

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

}  // namespace

TEST_CASE("stack and workspace stay within what is published") {
  std::printf("%-11s %-9s %29s %29s %29s   (bytes: workspace + stack = sum)\n", "set", "backend", "keypair", "sign", "verify");
  size_t most_stack = 0;
  for (const aioli_alg *alg : test::all_algs()) {
    const std::string name = aioli_alg_name(alg);
    CAPTURE(name);
    const test::Key key(alg);
    const Buffer msg = test::pattern(100, 1), good = key.sign(msg);
    test::each_backend([&](const std::string &backend) {
      CAPTURE(backend);
      Buffer pk(key.pk.size()), sk(key.sk.size()), sig(good.size()),
          space(aioli_workspace_bytes(alg, AIOLI_OP_SIGNER_INIT) + (1 << 18));
      Buffer signer_memory(aioli_signer_bytes(alg)), verifier_memory(aioli_verifier_bytes(alg));
      aioli_signer *signer = nullptr;
      aioli_verifier *verifier = nullptr;
      aioli_status status = AIOLI_OK;
      aioli_env env = {aioli_rng_zero, nullptr, space.data(), 0};
      const size_t nothing = peak_stack([] {});
      const auto measure = [&](aioli_op op, const std::function<aioli_status()> &call) {
        env.workspace_bytes = aioli_workspace_bytes(alg, op);
        status = AIOLI_ERR_STATE;
        const size_t stack = peak_stack([&] { status = call(); }) - nothing;
        CHECK(status == AIOLI_OK);
        if (stack > most_stack) most_stack = stack;
        CHECK(stack <= AIOLI_MAX_STACK_BYTES);
        return stack;
      };
      const size_t kp =
          measure(AIOLI_OP_KEYPAIR, [&] { return aioli_keypair(alg, pk.data(), pk.size(), sk.data(), sk.size(), &env); });
      const size_t sn = measure(AIOLI_OP_SIGN, [&] {
        return aioli_sign(alg, sig.data(), sig.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), &env);
      });
      CHECK(sig == good);
      const size_t vf = measure(AIOLI_OP_VERIFY, [&] {
        return aioli_verify(alg, sig.data(), sig.size(), msg.data(), msg.size(), key.pk.data(), key.pk.size(), &env);
      });
      measure(AIOLI_OP_SIGNER_INIT, [&] {
        return aioli_signer_init(&signer, signer_memory.data(), signer_memory.size(), alg, key.sk.data(), key.sk.size(), &env);
      });
      measure(AIOLI_OP_SIGNER_SIGN,
              [&] { return aioli_signer_sign(signer, sig.data(), sig.size(), msg.data(), msg.size(), &env); });
      measure(AIOLI_OP_VERIFIER_INIT, [&] {
        return aioli_verifier_init(&verifier, verifier_memory.data(), verifier_memory.size(), alg, key.pk.data(), key.pk.size(),
                                   &env);
      });
      measure(AIOLI_OP_VERIFIER_VERIFY,
              [&] { return aioli_verifier_verify(verifier, sig.data(), sig.size(), msg.data(), msg.size(), &env); });

      const std::vector<const uint8_t *> msgs(20, msg.data());
      const std::vector<size_t> msg_bytes(20, msg.size());
      Buffer digests(20 * AIOLI_MAX_DIGEST_BYTES);
      measure(AIOLI_OP_VERIFY, [&] {  // takes no workspace
        return aioli_digest_batch(alg, digests.data(), AIOLI_MAX_DIGEST_BYTES, msgs.data(), msg_bytes.data(), msgs.size());
      });

      const size_t limit = name.starts_with("MAYO-1") || name.starts_with("MAYO-2") ? 64 * 1024 : 200 * 1024;
      std::printf("%-11s %-9s", name.c_str(), backend.c_str());
      for (const auto &[op, stack] :
           {std::pair{AIOLI_OP_KEYPAIR, kp}, std::pair{AIOLI_OP_SIGN, sn}, std::pair{AIOLI_OP_VERIFY, vf}}) {
        const size_t space_bytes = aioli_workspace_bytes(alg, op);
        std::printf("   %7zu + %6zu = %7zu", space_bytes, stack, space_bytes + stack);
        CHECK(space_bytes + stack <= limit);
      }
      std::puts("");
    });
  }
  std::printf("most stack of any operation: %zu of %d bytes\n", most_stack, AIOLI_MAX_STACK_BYTES);
}
