/* SPDX-License-Identifier: Apache-2.0
 * A C program of a stranger: every set makes a key, signs, verifies, and refuses a changed message; a key goes through PEM. */
#include <aioli/aioli.h>
#include <aioli/keyfile.h>
#include <stdio.h>
#include <string.h>

static int failed(const char *set, const char *what, aioli_status status) {
  printf("%s: %s: %s\n", set, what, aioli_status_text(status));
  return 1;
}

static int use(const aioli_alg *alg) {
  static uint8_t pk[AIOLI_MAX_PUBLIC_KEY_BYTES], sk[AIOLI_MAX_SECRET_KEY_BYTES], sig[AIOLI_MAX_SIGNATURE_BYTES];
  static uint8_t pem[2 * AIOLI_MAX_PUBLIC_KEY_BYTES], back[AIOLI_MAX_PUBLIC_KEY_BYTES];
  const size_t pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg);
  const size_t sig_bytes = aioli_signature_bytes(alg);
  const char *set = aioli_alg_name(alg);
  const aioli_alg *alg_back;
  aioli_key_kind kind_back;
  size_t pem_bytes, back_bytes;
  uint8_t msg[] = "signed by a stranger";
  aioli_status status;

  status = aioli_keypair(alg, pk, pk_bytes, sk, sk_bytes, NULL);
  if (status != AIOLI_OK) return failed(set, "aioli_keypair", status);
  status = aioli_sign(alg, sig, sig_bytes, msg, sizeof msg, sk, sk_bytes, NULL);
  if (status != AIOLI_OK) return failed(set, "aioli_sign", status);
  status = aioli_verify(alg, sig, sig_bytes, msg, sizeof msg, pk, pk_bytes, NULL);
  if (status != AIOLI_OK) return failed(set, "aioli_verify", status);
  msg[3] ^= 1;
  status = aioli_verify(alg, sig, sig_bytes, msg, sizeof msg, pk, pk_bytes, NULL);
  if (status != AIOLI_ERR_SIGNATURE) return failed(set, "aioli_verify of a changed message", status);

  status = aioli_key_encode(alg, AIOLI_KEY_PUBLIC, AIOLI_KEY_PEM, pem, sizeof pem, &pem_bytes, pk, pk_bytes, NULL);
  if (status != AIOLI_OK) return failed(set, "aioli_key_encode", status);
  status = aioli_key_decode(pem, pem_bytes, &alg_back, &kind_back, back, sizeof back, &back_bytes, NULL, NULL);
  if (status != AIOLI_OK) return failed(set, "aioli_key_decode", status);
  if (alg_back != alg || kind_back != AIOLI_KEY_PUBLIC || back_bytes != pk_bytes || memcmp(back, pk, pk_bytes) != 0)
    return failed(set, "a key that went through PEM is another", AIOLI_ERR_MISMATCH);
  return 0;
}

int main(void) {
  size_t i, failures = 0;
  const size_t n = aioli_alg_count();
  if (strcmp(aioli_version(), AIOLI_VERSION_STRING) != 0) {
    printf("the library is %s, its header %s\n", aioli_version(), AIOLI_VERSION_STRING);
    return 1;
  }
  if (aioli_alg_by_name("MAYO-1") == NULL) {
    printf("there is no MAYO-1 among %zu sets\n", n);
    return 1;
  }
  for (i = 0; i < n; i++) failures += (size_t)use(aioli_alg_at(i));
  printf("aioli %s: %zu of %zu sets sign and verify\n", aioli_version(), n - failures, n);
  return failures != 0;
}
