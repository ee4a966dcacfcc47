/* SPDX-License-Identifier: Apache-2.0
 * The functions for liboqs make the keys and signatures of the library, from the randomness that liboqs gives them. */
#include "../../integration/liboqs/aioli_liboqs.h"

#include <aioli/aioli.h>
#include <stdio.h>
#include <string.h>

static uint8_t next;
void OQS_randombytes(uint8_t *out, size_t n);
void OQS_randombytes(uint8_t *out, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) out[i] = next++;
}

static uint8_t pk[6000], sk[64], pk2[6000], sk2[64], sig[1000], sig2[1000], random_bytes[256];
static const uint8_t msg[] = "a message";

static int right(const char *name, int (*keypair)(uint8_t *, uint8_t *),
                 int (*sign)(uint8_t *, size_t *, const uint8_t *, size_t, const uint8_t *),
                 int (*verify)(const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *)) {
  const aioli_alg *alg = aioli_alg_by_name(name);
  const size_t pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg), n = aioli_signature_bytes(alg);
  size_t sig_bytes = 0;
  next = 1;
  if (keypair(pk, sk) != 0) return 0;
  if (aioli_keypair_from_seed(alg, pk2, pk_bytes, sk2, sk_bytes, sk, aioli_seed_bytes(alg), NULL) != AIOLI_OK) return 0;
  if (memcmp(pk, pk2, pk_bytes) != 0 || sk[0] != 1) return 0;
  next = 7;
  if (sign(sig, &sig_bytes, msg, sizeof msg, sk) != 0 || sig_bytes != n) return 0;
  next = 7;
  OQS_randombytes(random_bytes, aioli_randomness_bytes(alg));
  if (aioli_sign_with_randomness(alg, sig2, n, msg, sizeof msg, sk, sk_bytes, random_bytes, aioli_randomness_bytes(alg), NULL) !=
      AIOLI_OK)
    return 0;
  if (memcmp(sig, sig2, n) != 0 || verify(sig, n, msg, sizeof msg, pk) != 0) return 0;
  sig[3] ^= 1;
  return verify(sig, n, msg, sizeof msg, pk) != 0 && verify(sig2, n - 1, msg, sizeof msg, pk) != 0;
}

int main(void) {
  int failures = 0;
#define CHECK(name, id) \
  if (!right(name, aioli_liboqs_##id##_keypair, aioli_liboqs_##id##_sign, aioli_liboqs_##id##_verify)) \
  failures++, puts("FAILED: " name)
  CHECK("MAYO-1", mayo_1);
  CHECK("MAYO-2", mayo_2);
  CHECK("MAYO-3", mayo_3);
  CHECK("MAYO-5", mayo_5);
  printf("%d failures\n", failures);
  return failures != 0;
}
