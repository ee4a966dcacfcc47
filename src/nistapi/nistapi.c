/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of NIST's call over aioli.h, for the set named by AIOLI_NISTAPI_ALG. */
#include <aioli/nistapi.h>

#include <aioli/aioli.h>
#include <aioli/research.h>
#include <string.h>

static const aioli_alg *alg(void) { return aioli_alg_by_name(AIOLI_NISTAPI_ALG); }

static int draw(void *context, uint8_t *out, size_t n) {
  (void)context;
  return randombytes(out, n);
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk) {
  const aioli_env env = {draw, NULL, NULL, 0};
  return aioli_keypair(alg(), pk, aioli_public_key_bytes(alg()), sk, aioli_secret_key_bytes(alg()), &env);
}

/* What is signed is message || signature or signature || message. */
static int message_first(void) { return aioli_nist_message_first(alg()); }

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk) {
  const aioli_env env = {draw, NULL, NULL, 0};
  const size_t n = aioli_signature_bytes(alg());
  unsigned char *message, *sig;
  aioli_status status;
  *smlen = 0;
  if (mlen > SIZE_MAX - n) return AIOLI_ERR_LENGTH;
  message = message_first() ? sm : sm + n;
  sig = message_first() ? sm + (size_t)mlen : sm;
  if (mlen > 0) memmove(message, m, (size_t)mlen); /* sm and m may be one buffer */
  status = aioli_sign(alg(), sig, n, message, (size_t)mlen, sk, aioli_secret_key_bytes(alg()), &env);
  if (status != AIOLI_OK) memset(sm, 0, n + (size_t)mlen);
  *smlen = status == AIOLI_OK ? n + mlen : 0;
  return status;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk) {
  const size_t n = aioli_signature_bytes(alg());
  const unsigned char *message, *sig;
  size_t length;
  aioli_status status;
  *mlen = 0;
  if (smlen < n || smlen > SIZE_MAX) return AIOLI_ERR_LENGTH;
  length = (size_t)smlen - n;
  message = message_first() ? sm : sm + n;
  sig = message_first() ? sm + length : sm;
  status = aioli_verify(alg(), sig, n, message, length, pk, aioli_public_key_bytes(alg()), NULL);
  if (status != AIOLI_OK) {
    memset(m, 0, length);
    return status;
  }
  *mlen = length;
  if (length > 0) memmove(m, message, length);
  return 0;
}
