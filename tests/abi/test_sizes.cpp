// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstring>

#include "support.hpp"

// The constants of sizes.h against the getters.
#define CHECK_WORKSPACE(SET, OP)                                                                          \
  do {                                                                                                    \
    CHECK(aioli_workspace_bytes(alg, AIOLI_OP_##OP) <= AIOLI_##SET##_WORKSPACE_##OP##_BYTES);             \
    CHECK(aioli_workspace_least_bytes(alg, AIOLI_OP_##OP) <= AIOLI_##SET##_WORKSPACE_##OP##_LEAST_BYTES); \
  } while (0)
#define CHECK_SET(SET, NAME)                                              \
  do {                                                                    \
    const aioli_alg *alg = aioli_alg_by_name(NAME);                       \
    REQUIRE(alg != nullptr);                                              \
    CHECK(aioli_public_key_bytes(alg) == AIOLI_##SET##_PUBLIC_KEY_BYTES); \
    CHECK(aioli_secret_key_bytes(alg) == AIOLI_##SET##_SECRET_KEY_BYTES); \
    CHECK(aioli_seed_bytes(alg) == AIOLI_##SET##_SEED_BYTES);             \
    CHECK(aioli_signature_bytes(alg) == AIOLI_##SET##_SIGNATURE_BYTES);   \
    CHECK_WORKSPACE(SET, KEYPAIR);                                        \
    CHECK_WORKSPACE(SET, SIGN);                                           \
    CHECK_WORKSPACE(SET, VERIFY);                                         \
    CHECK_WORKSPACE(SET, SIGNER_INIT);                                    \
    CHECK_WORKSPACE(SET, SIGNER_SIGN);                                    \
    CHECK_WORKSPACE(SET, VERIFIER_INIT);                                  \
    CHECK_WORKSPACE(SET, VERIFIER_VERIFY);                                \
    CHECK(aioli_signer_bytes(alg) <= AIOLI_##SET##_SIGNER_BYTES);         \
    CHECK(aioli_verifier_bytes(alg) <= AIOLI_##SET##_VERIFIER_BYTES);     \
  } while (0)

TEST_CASE("sizes.h agrees with the getters") {
#define AIOLI_SET(identifier, name, ...) CHECK_SET(identifier, name);
#include "abi/registry.def"
#undef AIOLI_SET
}

TEST_CASE("names lead to their sets and back") {
  for (const aioli_alg *alg : test::every_alg()) CHECK(aioli_alg_by_name(aioli_alg_name(alg)) == alg);
  CHECK(aioli_alg_at(aioli_alg_count()) == nullptr);
  for (const char *wrong : {"", "MAYO", "mayo-1", "MAYO-1 ", "MAYO-1-r", "MAYO-1-r2x", "MAYO-4"})
    CHECK(aioli_alg_by_name(wrong) == nullptr);
  CHECK(aioli_alg_by_name(nullptr) == nullptr);
  const aioli_alg *mayo5 = aioli_alg_by_name("MAYO-5");
  CHECK(aioli_alg_round(mayo5) == 3);
  CHECK(aioli_alg_category(mayo5) == 5);
  CHECK(aioli_digest_bytes(mayo5) == 64);
  CHECK(aioli_randomness_bytes(mayo5) == 40);
}

TEST_CASE("every getter takes a null algorithm") {
  CHECK(aioli_public_key_bytes(nullptr) == 0);
  CHECK(aioli_secret_key_bytes(nullptr) == 0);
  CHECK(aioli_seed_bytes(nullptr) == 0);
  CHECK(aioli_signature_bytes(nullptr) == 0);
  CHECK(aioli_randomness_bytes(nullptr) == 0);
  CHECK(aioli_digest_bytes(nullptr) == 0);
  CHECK(aioli_signer_bytes(nullptr) == 0);
  CHECK(aioli_verifier_bytes(nullptr) == 0);
  CHECK(aioli_workspace_bytes(nullptr, AIOLI_OP_SIGN) == 0);
  CHECK(aioli_workspace_bytes(aioli_alg_at(0), aioli_op(7)) == 0);
  CHECK(aioli_workspace_bytes(aioli_alg_at(0), aioli_op(-1)) == 0);
  CHECK(aioli_workspace_least_bytes(nullptr, AIOLI_OP_SIGN) == 0);
  CHECK(aioli_workspace_least_bytes(aioli_alg_at(0), aioli_op(7)) == 0);
  CHECK(aioli_workspace_least_bytes(aioli_alg_at(0), aioli_op(-1)) == 0);
  CHECK(std::strcmp(aioli_alg_name(nullptr), "") == 0);
}

TEST_CASE("every status has a text of its own") {
  for (int a = 0; a >= -18; a--)
    for (int b = 0; b > a; b--) CHECK(std::strcmp(aioli_status_text(aioli_status(a)), aioli_status_text(aioli_status(b))) != 0);
  CHECK(std::strcmp(aioli_status_text(aioli_status(-99)), "unknown status") == 0);
  CHECK(std::strcmp(aioli_version(), AIOLI_VERSION_STRING) == 0);
}
