/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the provider share: its state, its sets, errors.
 */
#ifndef AIOLI_OPENSSL_PROVIDER_H
#define AIOLI_OPENSSL_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <aioli/aioli.h>
#include <aioli/composite.h>
#include <aioli/keyfile.h>

#include "sets.h"

/* One row of sets.h, as this process has configured it. */
typedef struct Set {
  const aioli_alg *alg; /* of a composite, that of MAYO's half.  NULL: the library that we were built with leaves it out */
  const aioli_composite *composite;                 /* NULL: alg alone */
  size_t pk_bytes, sk_bytes, seed_bytes, sig_bytes; /* sig_bytes: the most */
  const char *name;
  char *oid;           /* the identifier that is written */
  char *names;         /* "MAYO-1:2.25...": all names and identifiers, as OpenSSL separates them */
  unsigned code_point; /* of TLS 1.3, 0: none */
  unsigned security_bits;
  unsigned char *algorithm_id; /* DER of AlgorithmIdentifier */
  size_t algorithm_id_bytes;
} Set;

typedef struct Provider {
  const OSSL_CORE_HANDLE *handle;
  OSSL_LIB_CTX *libctx; /* a child of the application's */
  char core_version[32];
  char build_info[160];
  Set sets[set_count];
  aioli_oid overrides[set_count + 1];
  OSSL_ALGORITHM keymgmt[set_count + 1];
  OSSL_ALGORITHM signature[set_count + 1];
  OSSL_ALGORITHM encoders[set_count * 7 + 1];
  OSSL_ALGORITHM decoders[set_count * 2 + 1];
  OSSL_ITEM reasons[-AIOLI_ERR_ENCRYPTED + 1]; /* texts of statuses */
  aioli_env env;                               /* randomness from libctx */

  OSSL_FUNC_core_new_error_fn *new_error;
  OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
  OSSL_FUNC_core_vset_error_fn *vset_error;
  OSSL_FUNC_BIO_read_ex_fn *bio_read;
  OSSL_FUNC_BIO_write_ex_fn *bio_write;
} Provider;

/* Puts the text of a status, and more if there is more, on OpenSSL's queue of errors.  Always 0, for `return raise_error()`. */
#define raise_error(provider, status, ...) raise_error_at(provider, OPENSSL_FILE, OPENSSL_LINE, status, __VA_ARGS__)
int raise_error_at(const Provider *provider, const char *file, int line, aioli_status status, const char *format, ...);

/* 1: all bytes were written. */
int write_all(const Provider *provider, OSSL_CORE_BIO *out, const void *bytes, size_t count);

typedef void (*Function)(void);
extern const OSSL_DISPATCH *const keymgmt_functions[set_count];
extern const OSSL_DISPATCH signature_functions[];

/* Fill the provider's tables of encoders and decoders. */
void list_encoders(Provider *provider);
void list_decoders(Provider *provider);

#endif
