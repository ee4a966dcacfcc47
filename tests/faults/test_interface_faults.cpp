// SPDX-License-Identifier: Apache-2.0
// api.cpp over a dispatch that fails on command: no memory, no backend, no solution after the signature buffer was half written.
#include <doctest/doctest.h>

#include <aioli/aioli.h>

#include <cstdlib>
#include <vector>

#include "abi/dispatch.hpp"
#include "abi/host.hpp"
#include "symmetric/shake256.hpp"

namespace {
bool no_memory, no_backend, no_randomness, no_solution, valid = true;
int balance;  // allocations not freed

bool sign(uint8_t *sig, const uint8_t *, const uint8_t *, const uint8_t *, void *) {
  for (int i = 0; i < 100; i++) sig[i] = 0xee;
  return !no_solution;
}
bool sign_expanded(uint8_t *sig, const uint8_t *d, const void *, const uint8_t *R, void *w) {
  return sign(sig, d, nullptr, R, w);
}
void keypair(uint8_t *pk, uint8_t *, const uint8_t *, void *) { pk[0] = 1; }
bool verify(const uint8_t *, const uint8_t *, const uint8_t *, void *) { return valid; }
void expand(void *, const uint8_t *, void *) {}
bool verify_expanded(const uint8_t *, const uint8_t *, const void *, void *) { return valid; }
const aioli::Instance fake = {{3, 1, 100, 24, 24, 100, 24, 32, false},
                              {10, 10, 10, 10, 10, 10, 10},
                              10,
                              10,
                              keypair,
                              sign,
                              verify,
                              expand,
                              sign_expanded,
                              expand,
                              verify_expanded};
}  // namespace

namespace aioli {
const aioli_alg algs[set_count] = {{"fake", 0}};
const char *backend_name(int) { return "fake"; }
bool backend_usable(int) { return true; }
const Instance &instance(const aioli_alg &, int) { return fake; }
void active_keccak_f1600(uint64_t state[25]) { keccak_f1600(state); }
void clear_registers() {}
DigestMany *digest_many(int) {
  return [](uint8_t *digests, size_t, size_t digest_bytes, const uint8_t *const *, const size_t *, size_t) {
    for (size_t i = 0; i < digest_bytes; i++) digests[i] = 1;
  };
}
int active_backend() { return no_backend ? -1 : 0; }
bool use_backend(const char *) { return true; }
void *host_allocate(size_t n) {
  if (no_memory) return nullptr;
  balance++;
  return std::malloc(n);
}
void host_free(void *p) {
  balance -= p != nullptr;
  std::free(p);
}
bool host_random(uint8_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = 0x33;
  return !no_randomness;
}
}  // namespace aioli

TEST_CASE("each failure has its status, and leaves zeroed outputs and no memory behind") {
  const aioli_alg *alg = aioli_alg_by_name("fake");
  std::vector<uint8_t> pk(100), sk(24), sig(100);
  const auto zeroed = [](std::vector<uint8_t> &v) {
    for (uint8_t &x : v) {
      if (x != 0) return false;
      x = 1;  // for the next time
    }
    return true;
  };
  const auto dirty = [&] { pk.assign(100, 1), sk.assign(24, 1), sig.assign(100, 1); };
  struct Fault {
    bool &flag;
    aioli_status keypair, sign, verify;
  };
  for (const Fault &f : {Fault{no_memory, AIOLI_ERR_MEMORY, AIOLI_ERR_MEMORY, AIOLI_ERR_MEMORY},
                         Fault{no_backend, AIOLI_ERR_BACKEND, AIOLI_ERR_BACKEND, AIOLI_ERR_BACKEND},
                         Fault{no_randomness, AIOLI_ERR_RNG, AIOLI_ERR_RNG, AIOLI_OK},
                         Fault{no_solution, AIOLI_OK, AIOLI_ERR_NO_SOLUTION, AIOLI_OK}}) {
    aioli_signer *signer = nullptr;
    REQUIRE(aioli_signer_new(&signer, alg, sk.data(), 24) == AIOLI_OK);
    f.flag = true;
    dirty();
    CHECK(aioli_keypair(alg, pk.data(), 100, sk.data(), 24, nullptr) == f.keypair);
    if (f.keypair != AIOLI_OK) CHECK((zeroed(pk) && zeroed(sk)));
    dirty();
    CHECK(aioli_sign(alg, sig.data(), 100, nullptr, 0, sk.data(), 24, nullptr) == f.sign);
    CHECK(zeroed(sig));
    CHECK(aioli_signer_sign(signer, sig.data(), 100, nullptr, 0, nullptr) == f.sign);
    CHECK(zeroed(sig));
    CHECK(aioli_verify(alg, sig.data(), 100, nullptr, 0, pk.data(), 100, nullptr) == f.verify);
    const uint8_t *const msg = nullptr;
    const size_t no_bytes = 0;
    std::vector<uint8_t> digest(aioli_digest_bytes(alg), 1);
    const aioli_status hashed = &f.flag == &no_backend ? AIOLI_ERR_BACKEND : AIOLI_OK;
    CHECK(aioli_digest_batch(alg, digest.data(), digest.size(), &msg, &no_bytes, 1) == hashed);
    CHECK(zeroed(digest) == (hashed != AIOLI_OK));
    aioli_signer *none = signer;
    const aioli_status made = aioli_signer_new(&none, alg, sk.data(), 24);
    CHECK((made == AIOLI_OK) == (none != nullptr));
    aioli_signer_free(none);
    f.flag = false;
    aioli_signer_free(signer);
    CHECK(balance == 0);
  }
  valid = false;
  CHECK(aioli_verify(alg, sig.data(), 100, nullptr, 0, pk.data(), 100, nullptr) == AIOLI_ERR_SIGNATURE);
}
