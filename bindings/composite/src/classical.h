/* SPDX-License-Identifier: Apache-2.0
 *
 * The classical halves, by libcrypto: Ed25519 (RFC 8032) and ECDSA with P-256 and SHA-256.
 */
#ifndef AIOLI_COMPOSITE_CLASSICAL_H
#define AIOLI_COMPOSITE_CLASSICAL_H

#include <aioli/aioli.h>
#include <openssl/evp.h>

enum { CLASSICAL_SEED_BYTES = 32 }; /* of either */

typedef struct Classical {
  const char *name;
  size_t public_bytes; /* Ed25519: as RFC 8032 has it.  P-256: 04, x, y */
  size_t secret_bytes; /* the seed; with P-256 in an ECPrivateKey that names the curve and has no public key */
  size_t signature_bytes_min, signature_bytes_max; /* P-256: DER of Ecdsa-Sig-Value */
  int is_p256;
} Classical;

extern const Classical classical_ed25519, classical_p256;

/* The key pair of a seed, and its public and secret key as bytes.  AIOLI_ERR_ARGUMENT for a seed that is none. */
aioli_status classical_from_seed(const Classical *c, OSSL_LIB_CTX *libctx, const uint8_t *seed, EVP_PKEY **pair, uint8_t *pk,
                                 uint8_t *sk);
/* The seed inside the bytes of a secret key; NULL if they are none. */
const uint8_t *classical_seed_of_secret(const Classical *c, const uint8_t *sk);
/* AIOLI_ERR_FORMAT for what is no public key. */
aioli_status classical_from_public(const Classical *c, OSSL_LIB_CTX *libctx, const uint8_t *pk, EVP_PKEY **key);

/* sig has room for signature_bytes_max. */
aioli_status classical_sign(const Classical *c, OSSL_LIB_CTX *libctx, EVP_PKEY *pair, uint8_t *sig, size_t *sig_bytes,
                            const uint8_t *msg, size_t msg_bytes);
aioli_status classical_verify(const Classical *c, OSSL_LIB_CTX *libctx, EVP_PKEY *key, const uint8_t *sig, size_t sig_bytes,
                              const uint8_t *msg, size_t msg_bytes);

#endif
