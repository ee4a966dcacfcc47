// SPDX-License-Identifier: Apache-2.0
#include <aioli/aioli.h>

#include "abi/dispatch.hpp"
#include "abi/host.hpp"
#include "base/bytes.hpp"
#include "symmetric/shake256.hpp"

using namespace aioli;

namespace {

// One row per set, in the order of registry.def.
struct Answer {
  const char *identifier;
  uint8_t digest[16];
};
const Answer answers[] = {
#define AIOLI_SELFTEST(identifier, ...) {#identifier, {__VA_ARGS__}},
#include "abi/selftest_vectors.def"
#undef AIOLI_SELFTEST
};

// "MAYO-1-r2" is "MAYO_1_R2" there.
bool names(const char *identifier, const char *name) {
  for (; *identifier != 0 && *name != 0; identifier++, name++) {
    const char c = *name == '-' ? '_' : *name >= 'a' && *name <= 'z' ? char(*name - 'a' + 'A') : *name;
    if (*identifier != c) return false;
  }
  return *identifier == *name;
}

aioli_status test_with(const aioli_alg *alg, const uint8_t (&expected)[16], uint8_t *pk, size_t pk_bytes, uint8_t *sk,
                       size_t sk_bytes) {
  const uint8_t message[] = {'a', 'i', 'o', 'l', 'i', ' ', 's', 'e', 'l', 'f', '-', 't', 'e', 's', 't'};
  const size_t sig_bytes = aioli_signature_bytes(alg), seed_bytes = aioli_seed_bytes(alg);
  uint8_t sig[AIOLI_MAX_SIGNATURE_BYTES], digest[16], seed[64];
  for (size_t i = 0; i < seed_bytes; i++) seed[i] = uint8_t(i);

  aioli_status status = aioli_keypair_from_seed(alg, pk, pk_bytes, sk, sk_bytes, seed, seed_bytes, nullptr);
  if (status == AIOLI_OK) status = aioli_sign_deterministic(alg, sig, sig_bytes, message, sizeof message, sk, sk_bytes, nullptr);
  if (status != AIOLI_OK) return status == AIOLI_ERR_NO_SOLUTION ? AIOLI_ERR_SELFTEST : status;
  shake256(digest, sizeof digest, View{pk, pk_bytes}, View{sig, sig_bytes});
  for (int i = 0; i < 16; i++)
    if (digest[i] != expected[i]) return AIOLI_ERR_SELFTEST;

  status = aioli_verify(alg, sig, sig_bytes, message, sizeof message, pk, pk_bytes, nullptr);
  if (status != AIOLI_OK) return status == AIOLI_ERR_SIGNATURE ? AIOLI_ERR_SELFTEST : status;
  sig[0] ^= 1;
  status = aioli_verify(alg, sig, sig_bytes, message, sizeof message, pk, pk_bytes, nullptr);
  return status == AIOLI_ERR_SIGNATURE ? AIOLI_OK : status == AIOLI_OK ? AIOLI_ERR_SELFTEST : status;
}

aioli_status test_one(const aioli_alg *alg) {
  const Answer *answer = nullptr;
  for (const Answer &a : answers)
    if (names(a.identifier, aioli_alg_name(alg))) answer = &a;
  if (answer == nullptr) return AIOLI_ERR_SELFTEST;

  const size_t pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg);
  uint8_t *keys = static_cast<uint8_t *>(host_allocate(pk_bytes + sk_bytes));
  if (keys == nullptr) return AIOLI_ERR_MEMORY;
  const aioli_status status = test_with(alg, answer->digest, keys, pk_bytes, keys + pk_bytes, sk_bytes);
  host_free(keys);
  return status;
}

}  // namespace

aioli_status aioli_selftest(const aioli_alg *alg) {
  if (alg != nullptr) return test_one(alg);
  for (size_t i = 0; i < aioli_alg_count(); i++) {
    const aioli_status status = test_one(aioli_alg_at(i));
    if (status != AIOLI_OK) return status;
  }
  return AIOLI_OK;
}
