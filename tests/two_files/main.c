/* SPDX-License-Identifier: Apache-2.0
 * A program beside the two files: the known answers of answers.h (check.py makes it from tests/vectors) on every backend, key
 * files if they were asked for, a self-test.  Exit status 1 if anything is not as it should be. */
#include "aioli.h"

#include "answers.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;
static void expect(int good, const char *what, const char *set) {
  if (good) return;
  printf("FAILED: %s, %s on %s\n", set, what, aioli_backend_active());
  failures++;
}

static uint8_t pk[AIOLI_MAX_PUBLIC_KEY_BYTES], sk[AIOLI_MAX_SECRET_KEY_BYTES], sig[AIOLI_MAX_SIGNATURE_BYTES];

static int answer_is_right(const struct answer *a) {
  const aioli_alg *alg = aioli_alg_by_name(a->set);
  const size_t pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg);
  const size_t sig_bytes = aioli_signature_bytes(alg);
  const uint8_t zero[AIOLI_MAX_RANDOMNESS_BYTES] = {0};
  const uint8_t *R = a->salt_bytes > 0 ? a->salt : zero;
  if (alg == NULL || a->seed_bytes != aioli_seed_bytes(alg) || a->signature_bytes != sig_bytes) return 0;
  if (aioli_keypair_from_seed(alg, pk, pk_bytes, sk, sk_bytes, a->seed, a->seed_bytes, NULL) != AIOLI_OK) return 0;
  if (a->pk_bytes > 0 && (a->pk_bytes != pk_bytes || memcmp(pk, a->pk, pk_bytes) != 0)) return 0;
  if (aioli_sign_with_randomness(alg, sig, sig_bytes, a->message, a->message_bytes, sk, sk_bytes, R, aioli_randomness_bytes(alg),
                                 NULL) != AIOLI_OK)
    return 0;
#if defined(WRONG_ON_PURPOSE)
  sig[sig_bytes - 1] ^= 1;
#endif
  if (memcmp(sig, a->signature, sig_bytes) != 0) return 0;
  if (aioli_verify(alg, sig, sig_bytes, a->message, a->message_bytes, pk, pk_bytes, NULL) != AIOLI_OK) return 0;
  sig[0] ^= 1;
  return aioli_verify(alg, sig, sig_bytes, a->message, a->message_bytes, pk, pk_bytes, NULL) == AIOLI_ERR_SIGNATURE;
}

#if defined(AIOLI_KEYFILE_H)
static void key_file(const aioli_alg *alg) {
  static uint8_t pem[2 * AIOLI_MAX_PUBLIC_KEY_BYTES + 512], back[2 * AIOLI_MAX_PUBLIC_KEY_BYTES + 512];
  const aioli_alg *alg_back;
  aioli_key_kind kind;
  size_t pem_bytes = 0, back_bytes = 0;
  const size_t n = aioli_public_key_bytes(alg);
  expect(aioli_key_encode(alg, AIOLI_KEY_PUBLIC, AIOLI_KEY_PEM, pem, sizeof pem, &pem_bytes, pk, n, NULL) == AIOLI_OK &&
             aioli_key_decode(pem, pem_bytes, &alg_back, &kind, back, sizeof back, &back_bytes, NULL, NULL) == AIOLI_OK &&
             alg_back == alg && kind == AIOLI_KEY_PUBLIC && back_bytes == n && memcmp(back, pk, n) == 0,
         "a key file and back", aioli_alg_name(alg));
}
#endif

int main(void) {
  size_t i, run = 0;
  const char *const *backend;
  for (backend = backends; *backend != NULL; backend++) {
    if (aioli_backend_use(*backend) != AIOLI_OK) {
      printf("not on this processor: %s\n", *backend);
      continue;
    }
    run++;
    for (i = 0; i < sizeof answers / sizeof answers[0]; i++) expect(answer_is_right(&answers[i]), "known answer", answers[i].set);
    expect(aioli_selftest(NULL) == AIOLI_OK, "self-test", "all sets");
    printf("done: %s\n", *backend);
  }
  expect(aioli_alg_count() == set_count, "number of sets", "all");
  expect(strcmp(aioli_version(), AIOLI_VERSION_STRING) == 0, "version", "all");
#if defined(AIOLI_KEYFILE_H)
  key_file(aioli_alg_by_name(answers[sizeof answers / sizeof answers[0] - 1].set));
#endif
  printf("%u answers on %u backends, %d failures\n", (unsigned)(sizeof answers / sizeof answers[0]), (unsigned)run, failures);
  return failures != 0 || run == 0;
}
