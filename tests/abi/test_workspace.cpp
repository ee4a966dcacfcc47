// SPDX-License-Identifier: Apache-2.0
// Workspaces of every size: refused below the least, and from there on the same results, whichever backend fits.
// (test_backend_choice.cpp: which one runs.)
#include <doctest/doctest.h>

#include <cstring>
#include <set>

#include "abi/dispatch.hpp"
#include "base/workspace.hpp"
#include "operations.hpp"

using test::Buffer;
using test::Operations;

namespace {

size_t needed(const aioli_alg *alg, int backend, aioli_op op) {
  return aioli::instance(*alg, backend).workspace[op] + aioli::workspace_alignment - 1;
}

// The limits of every backend, from both sides, and what lies between.
std::set<size_t> interesting_sizes(const aioli_alg *alg, aioli_op op) {
  const size_t least = aioli_workspace_least_bytes(alg, op), full = aioli_workspace_bytes(alg, op);
  std::set<size_t> sizes = {least, (least + full) / 2, full, full + 100};
  for (int b = 0; b < aioli::backend_count; b++)
    for (const size_t n : {needed(alg, b, op) - 1, needed(alg, b, op)})
      if (n >= least) sizes.insert(n);
  return sizes;
}

}  // namespace

TEST_CASE("the least workspace is the portable backend's, the full one the most of any") {
  CHECK(std::strcmp(aioli::backend_name(0), "portable") == 0);
  for (const aioli_alg *alg : test::all_algs())
    for (const aioli_op op : test::all_operations) {
      CAPTURE(aioli_alg_name(alg));
      CAPTURE(std::string(test::operation_names[op]));
      size_t most = 0;
      for (int b = 0; b < aioli::backend_count; b++) most = std::max(most, needed(alg, b, op));
      CHECK(aioli_workspace_least_bytes(alg, op) == needed(alg, 0, op));
      CHECK(aioli_workspace_bytes(alg, op) == most);
    }
}

TEST_CASE("a workspace below the least is refused, each from there on gives the same result") {
  for (const aioli_alg *alg : test::all_algs()) {
    CAPTURE(aioli_alg_name(alg));
    Operations operations(alg);
    for (const aioli_op op : test::all_operations) {
      CAPTURE(std::string(test::operation_names[op]));
      const aioli_env allocated = {aioli_rng_zero, nullptr, nullptr, 0};
      REQUIRE(operations.run(op, allocated) == AIOLI_OK);
      const Buffer expected = operations.out;
      const size_t least = aioli_workspace_least_bytes(alg, op);
      test::each_backend([&](const std::string &backend) {
        CAPTURE(backend);
        for (const size_t size : interesting_sizes(alg, op)) {
          CAPTURE(size);
          Buffer space(size);  // of this size exactly: sanitizers watch its end
          const aioli_env env = {aioli_rng_zero, nullptr, space.data(), size};
          CHECK(operations.run(op, env) == AIOLI_OK);
          CHECK((operations.out == expected));
        }
        for (const size_t size : {least - 1, size_t(0)}) {
          CAPTURE(size);
          Buffer space(least, 0x77);
          const aioli_env env = {aioli_rng_zero, nullptr, space.data(), size};
          CHECK(operations.run(op, env) == AIOLI_ERR_BUFFER);
          CHECK(test::all_zero(operations.out));
          CHECK((space == Buffer(least, 0x77)));
        }
      });
    }
  }
}

TEST_CASE("expanded keys are the same in every backend, and serve every other") {
  for (const aioli_alg *alg : test::all_algs()) {
    CAPTURE(aioli_alg_name(alg));
    for (int b = 0; b < aioli::backend_count; b++) {
      CHECK(aioli::instance(*alg, b).signing_key == aioli::instance(*alg, 0).signing_key);
      CHECK(aioli::instance(*alg, b).verifying_key == aioli::instance(*alg, 0).verifying_key);
    }
    const aioli_env deterministic = {aioli_rng_zero, nullptr, nullptr, 0};
    Buffer signature;
    test::each_backend([&](const std::string &maker) {
      CAPTURE(maker);
      Operations operations(alg);
      if (signature.empty()) signature = operations.signature;
      test::each_backend([&](const std::string &user) {
        CAPTURE(user);
        CHECK(operations.run(AIOLI_OP_SIGNER_SIGN, deterministic) == AIOLI_OK);
        CHECK((operations.out == signature));
        CHECK(operations.run(AIOLI_OP_VERIFIER_VERIFY, deterministic) == AIOLI_OK);
      });
    });
  }
}

TEST_CASE("each backend can run wherever a later one can") {
  for (size_t b = 1; b < aioli_backend_count(); b++)
    if (aioli_backend_usable(b)) CHECK(aioli_backend_usable(b - 1));
}
