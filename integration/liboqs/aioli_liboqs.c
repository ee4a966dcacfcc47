/* SPDX-License-Identifier: Apache-2.0
 * What liboqs calls of a signature scheme, for MAYO of round 3: key pair, signature, verification, with randomness from liboqs.
 * All return 0 on success, as liboqs asks. */
#include "aioli_liboqs.h"

#if __has_include("aioli.h") /* of the two files, which stand beside this one */
#include "aioli.h"
#else
#include <aioli/aioli.h>
#endif

void OQS_randombytes(uint8_t *out, size_t n);

static int draw(void *context, uint8_t *out, size_t n) {
  (void)context;
  OQS_randombytes(out, n);
  return 0;
}

static int keypair(const char *name, uint8_t *pk, uint8_t *sk) {
  const aioli_alg *alg = aioli_alg_by_name(name);
  const aioli_env env = {draw, NULL, NULL, 0};
  return aioli_keypair(alg, pk, aioli_public_key_bytes(alg), sk, aioli_secret_key_bytes(alg), &env) == AIOLI_OK ? 0 : -1;
}

static int sign(const char *name, uint8_t *sig, size_t *sig_bytes, const uint8_t *msg, size_t msg_bytes, const uint8_t *sk) {
  const aioli_alg *alg = aioli_alg_by_name(name);
  const aioli_env env = {draw, NULL, NULL, 0};
  const size_t n = aioli_signature_bytes(alg);
  *sig_bytes = 0;
  if (aioli_sign(alg, sig, n, msg, msg_bytes, sk, aioli_secret_key_bytes(alg), &env) != AIOLI_OK) return -1;
  *sig_bytes = n;
  return 0;
}

static int verify(const char *name, const uint8_t *sig, size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,
                  const uint8_t *pk) {
  const aioli_alg *alg = aioli_alg_by_name(name);
  return aioli_verify(alg, sig, sig_bytes, msg, msg_bytes, pk, aioli_public_key_bytes(alg), NULL) == AIOLI_OK ? 0 : -1;
}

#define AIOLI_LIBOQS(identifier, name)                                                                                         \
  int aioli_liboqs_##identifier##_keypair(uint8_t *pk, uint8_t *sk) { return keypair(name, pk, sk); }                          \
  int aioli_liboqs_##identifier##_sign(uint8_t *sig, size_t *sig_bytes, const uint8_t *msg, size_t msg_bytes,                  \
                                       const uint8_t *sk) {                                                                    \
    return sign(name, sig, sig_bytes, msg, msg_bytes, sk);                                                                     \
  }                                                                                                                            \
  int aioli_liboqs_##identifier##_verify(const uint8_t *sig, size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,           \
                                         const uint8_t *pk) {                                                                  \
    return verify(name, sig, sig_bytes, msg, msg_bytes, pk);                                                                   \
  }
AIOLI_LIBOQS(mayo_1, "MAYO-1")
AIOLI_LIBOQS(mayo_2, "MAYO-2")
AIOLI_LIBOQS(mayo_3, "MAYO-3")
AIOLI_LIBOQS(mayo_5, "MAYO-5")
