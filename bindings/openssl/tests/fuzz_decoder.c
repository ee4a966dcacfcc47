/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer: any bytes as a key file, through OpenSSL into the provider and back; and der.c by itself on bytes that lie at the
 * end of their memory.
 */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

#include "../src/der.h"

OSSL_provider_init_fn OSSL_provider_init;

#define MUST(condition)        \
  do {                         \
    if (!(condition)) abort(); \
  } while (0)

/* What is left without the NULL is a file of the same algorithm that has no NULL.  1: it begins like a key file. */
static int check_der(const uint8_t *file, size_t count, int is_private) {
  const uint8_t *oid, *null, *oid2, *null2;
  size_t oid_bytes, oid2_bytes;
  if (!der_algorithm(file, count, is_private, &oid, &oid_bytes, &null)) return 0;
  MUST(oid >= file && oid_bytes <= count && oid + oid_bytes <= file + count);
  if (null == NULL) return 1;
  uint8_t *const plain = malloc(count);
  const size_t plain_bytes = der_without_null(file, count, oid, oid_bytes, null, plain);
  if (plain_bytes != 0) {
    MUST(plain_bytes < count && der_algorithm(plain, plain_bytes, is_private, &oid2, &oid2_bytes, &null2));
    MUST(null2 == NULL && oid2_bytes == oid_bytes && memcmp(oid, oid2, oid_bytes) == 0);
    MUST(der_sequence_bytes(plain, plain_bytes) == plain_bytes);
  }
  free(plain);
  return 1;
}

/* What was read is written, read again, and is the same key. */
static void check_key(OSSL_LIB_CTX *context, EVP_PKEY *key) {
  if (key == NULL) return;
  uint8_t *der = NULL;
  const int n = i2d_PUBKEY(key, &der);
  MUST(n > 0);
  const unsigned char *p = der;
  EVP_PKEY *const again = d2i_PUBKEY_ex(NULL, &p, n, context, NULL);
  MUST(again != NULL && EVP_PKEY_eq(key, again) == 1);
  EVP_PKEY_free(again);
  OPENSSL_free(der);
  EVP_PKEY_free(key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
  static OSSL_LIB_CTX *context;
  if (context == NULL) { /* of others the default, whose are the classical halves of composites */
    context = OSSL_LIB_CTX_new();
    MUST(context != NULL && OSSL_PROVIDER_add_builtin(context, "aioli", OSSL_provider_init) == 1);
    MUST(OSSL_PROVIDER_load(context, "aioli") != NULL && OSSL_PROVIDER_load(context, "default") != NULL);
  }
  /* OpenSSL takes a hundredth of a second for a file: what our decoders would give up at once does not go there. */
  const unsigned char *p = data;
  if (check_der(data, count, 0)) check_key(context, d2i_PUBKEY_ex(NULL, &p, (long)count, context, NULL));
  p = data;
  if (check_der(data, count, 1)) check_key(context, d2i_AutoPrivateKey_ex(NULL, &p, (long)count, context, NULL));
  ERR_clear_error();
  return 0;
}
