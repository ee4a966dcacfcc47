// SPDX-License-Identifier: Apache-2.0
// api.cpp over backends that only say that they ran: which of them a call takes, for every active one and every size of
// workspace.  So it is known on any machine, whatever its processor can run.
#include <doctest/doctest.h>

#include <aioli/aioli.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "abi/dispatch.hpp"
#include "abi/host.hpp"
#include "base/workspace.hpp"
#include "symmetric/shake256.hpp"

namespace {

constexpr int none = -1;
int active, ran;
size_t allocated;  // by the last call

// What the backends need for each operation, each in an order of its own: not every later one needs more.
constexpr size_t needs[][7] = {{1000, 1100, 1200, 1300, 1400, 1500, 1600}, {900, 1000, 1100, 1200, 1300, 1400, 1500},
                               {1500, 1500, 1100, 2000, 1400, 1500, 1601}, {1500, 1600, 1300, 1000, 1400, 3000, 1602},
                               {1200, 1700, 1250, 3000, 1400, 2000, 1603}, {2000, 1400, 1260, 2000, 1400, 2500, 1604},
                               {1600, 1300, 1270, 2500, 1400, 1900, 1605}};
// Of the rows of x86 machines of 64 bits have six, others four, and 64-bit ARM three more.
static_assert(sizeof needs / sizeof needs[0] >= aioli::backend_count && aioli::backend_count >= 4);
constexpr size_t pad = aioli::workspace_alignment - 1;

template <int Backend> struct Fake {
  static void keypair(uint8_t *, uint8_t *, const uint8_t *, void *) { ran = Backend; }
  static bool sign(uint8_t *, const uint8_t *, const uint8_t *, const uint8_t *, void *) { return ran = Backend, true; }
  static bool verify(const uint8_t *, const uint8_t *, const uint8_t *, void *) { return ran = Backend, true; }
  static void expand(void *, const uint8_t *, void *) { ran = Backend; }
  static bool sign_expanded(uint8_t *, const uint8_t *, const void *, const uint8_t *, void *) { return ran = Backend, true; }
  static bool verify_expanded(const uint8_t *, const uint8_t *, const void *, void *) { return ran = Backend, true; }
  static constexpr const size_t (&n)[7] = needs[Backend];
  static constexpr aioli::Instance instance = {{3, 1, 100, 24, 24, 100, 24, 32, false},
                                               {n[0], n[1], n[2], n[3], n[4], n[5], n[6]},
                                               10,
                                               10,
                                               keypair,
                                               sign,
                                               verify,
                                               expand,
                                               sign_expanded,
                                               expand,
                                               verify_expanded};
};
const aioli::Instance *const fakes[] = {&Fake<0>::instance, &Fake<1>::instance, &Fake<2>::instance, &Fake<3>::instance,
                                        &Fake<4>::instance, &Fake<5>::instance, &Fake<6>::instance};

}  // namespace

namespace aioli {
const aioli_alg algs[set_count] = {{"fake", 0}};
const char *backend_name(int) { return "fake"; }
bool backend_usable(int) { return true; }
const Instance &instance(const aioli_alg &, int backend) { return *fakes[backend]; }
int active_backend() { return active; }
DigestMany *digest_many(int) { return nullptr; }  // no call here wants digests of many messages
void active_keccak_f1600(uint64_t state[25]) { keccak_f1600(state); }
void clear_registers() {}
bool use_backend(const char *) { return true; }
void *host_allocate(size_t n) { return allocated = n, std::malloc(n); }
void host_free(void *p) { std::free(p); }
bool host_random(uint8_t *out, size_t n) { return std::memset(out, 1, n), true; }
}  // namespace aioli

namespace {

int ones(void *, uint8_t *out, size_t n) { return std::memset(out, 1, n), 0; }

class Calls {
 public:
  Calls() {
    REQUIRE(aioli_signer_new(&signer_, alg, sk_, sizeof sk_) == AIOLI_OK);
    REQUIRE(aioli_verifier_new(&verifier_, alg, pk_, sizeof pk_) == AIOLI_OK);
  }
  ~Calls() { aioli_signer_free(signer_), aioli_verifier_free(verifier_); }
  Calls(const Calls &) = delete;

  aioli_status run(int op, const aioli_env *env) {
    std::vector<uint8_t> memory(aioli_signer_bytes(alg));
    aioli_signer *signer;
    aioli_verifier *verifier;
    ran = none;
    switch (op) {
      case AIOLI_OP_KEYPAIR: return aioli_keypair(alg, pk_, 100, sk_, 24, env);
      case AIOLI_OP_SIGN: return aioli_sign(alg, sig_, 100, nullptr, 0, sk_, 24, env);
      case AIOLI_OP_VERIFY: return aioli_verify(alg, sig_, 100, nullptr, 0, pk_, 100, env);
      case AIOLI_OP_SIGNER_INIT: return aioli_signer_init(&signer, memory.data(), memory.size(), alg, sk_, 24, env);
      case AIOLI_OP_SIGNER_SIGN: return aioli_signer_sign(signer_, sig_, 100, nullptr, 0, env);
      case AIOLI_OP_VERIFIER_INIT: return aioli_verifier_init(&verifier, memory.data(), memory.size(), alg, pk_, 100, env);
      default: return aioli_verifier_verify(verifier_, sig_, 100, nullptr, 0, env);
    }
  }

  const aioli_alg *alg = aioli_alg_by_name("fake");

 private:
  uint8_t pk_[100] = {}, sk_[24] = {}, sig_[100] = {};
  aioli_signer *signer_ = nullptr;
  aioli_verifier *verifier_ = nullptr;
};

}  // namespace

TEST_CASE("a call takes the fastest backend that fits, from the active one down") {
  active = 3;
  Calls calls;  // its objects serve calls of every backend
  std::vector<uint8_t> space(4000);
  for (int op = 0; op < 7; op++) {
    CAPTURE(op);
    const size_t least = needs[0][op] + pad;
    CHECK(aioli_workspace_least_bytes(calls.alg, aioli_op(op)) == least);
    for (active = 0; active < aioli::backend_count; active++) {
      CAPTURE(active);
      for (size_t size = 800; size <= space.size(); size++) {
        int expected = none;
        if (size >= least)
          for (int b = 0; b <= active; b++)
            if (needs[b][op] + pad <= size) expected = b;
        const aioli_env env = {ones, nullptr, space.data(), size};
        const aioli_status status = calls.run(op, &env);
        CAPTURE(size);
        REQUIRE(status == (expected == none ? AIOLI_ERR_BUFFER : AIOLI_OK));
        REQUIRE(ran == expected);
      }
    }
  }
}

TEST_CASE("a call without a workspace takes the active backend, and what that needs") {
  active = 0;
  Calls calls;
  for (int op = 0; op < 7; op++)
    for (active = 0; active < aioli::backend_count; active++) {
      CAPTURE(op);
      CAPTURE(active);
      CHECK(calls.run(op, nullptr) == AIOLI_OK);
      CHECK(ran == active);
      CHECK(allocated == needs[active][op] + pad);
    }
}
