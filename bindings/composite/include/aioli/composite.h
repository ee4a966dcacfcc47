/* aioli: composite signatures, MAYO and a classical scheme at once.  A library of its own (libaioli_composite) over libaioli and
 * OpenSSL's libcrypto; the core needs neither.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A composite key has two halves, a composite signature has two signatures, and both must verify.  Neither half of a signature is
 * worth anything by itself: what each signs names the composite (its label).  The construction is that of the internet-draft
 * draft-ietf-lamps-pq-composite-sigs-19 with MAYO in the place of ML-DSA; docs/composite.md says what differs.
 *
 *     M'         =  Prefix || Label || len(ctx) || ctx || PH(M)
 *     signature  =  MAYO's of M' || the classical one of M'
 *     keys       =  MAYO's || the classical one
 *
 * Conventions are those of aioli.h.  Besides them
 *   - OSSL_LIB_CTX may be NULL, for OpenSSL's default context; it must outlive the key.
 *   - Keys do not change; threads may share them.  The second signature and the second verification with a key expand it.
 *   - AIOLI_ERR_ABSENT: libcrypto did not do its part (its queue of errors says why, for instance that no provider is loaded).
 *   - Signatures with P-256 have no fixed length, and whoever has one can make a second one of the same message from it.
 */
#ifndef AIOLI_COMPOSITE_H
#define AIOLI_COMPOSITE_H

#include <aioli/aioli.h>
#include <aioli/keyfile.h>
#include <openssl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which there are ----------------------------------------------------------------------------------------------------- */

typedef struct aioli_composite aioli_composite;

size_t aioli_composite_count(void);
const aioli_composite *aioli_composite_at(size_t index);            /* NULL if there is none */
const aioli_composite *aioli_composite_by_name(const char *name);   /* "MAYO-1-Ed25519"; NULL if there is none */
const char *aioli_composite_name(const aioli_composite *composite); /* the functions from here on want a composite, not NULL */
const char *aioli_composite_label(const aioli_composite *composite);
const char *aioli_composite_oid(const aioli_composite *composite);
const char *aioli_composite_digest(const aioli_composite *composite);   /* PH by libcrypto's name: "SHA512" */
const aioli_alg *aioli_composite_alg(const aioli_composite *composite); /* the set of MAYO; NULL if libaioli leaves it out */
size_t aioli_composite_seed_bytes(const aioli_composite *composite);    /* MAYO's seed and 32 bytes */
size_t aioli_composite_public_key_bytes(const aioli_composite *composite);
size_t aioli_composite_secret_key_bytes(const aioli_composite *composite);
size_t aioli_composite_signature_bytes_max(const aioli_composite *composite);
size_t aioli_composite_digest_bytes(const aioli_composite *composite);

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

typedef struct aioli_composite_key aioli_composite_key;

/* From the randomness of env.  *key is NULL after an error, here and below. */
AIOLI_MUST_CHECK aioli_status aioli_composite_key_generate(aioli_composite_key **key, const aioli_composite *composite,
                                                           OSSL_LIB_CTX *libctx, const aioli_env *env);
/* The seed of MAYO, then that of the other half: the private key of Ed25519 (RFC 8032), or d of P-256 as 32 bytes, the first one
 * the most significant.  AIOLI_ERR_ARGUMENT if d is not in 1 .. n - 1. */
AIOLI_MUST_CHECK aioli_status aioli_composite_key_from_seed(aioli_composite_key **key, const aioli_composite *composite,
                                                            OSSL_LIB_CTX *libctx, const uint8_t *seed, size_t seed_bytes,
                                                            const aioli_env *env);
/* The bytes of a secret key, as files have them: with P-256 its half is the DER of an ECPrivateKey.  AIOLI_ERR_FORMAT if not. */
AIOLI_MUST_CHECK aioli_status aioli_composite_key_from_secret(aioli_composite_key **key, const aioli_composite *composite,
                                                              OSSL_LIB_CTX *libctx, const uint8_t *sk, size_t sk_bytes,
                                                              const aioli_env *env);
/* AIOLI_ERR_FORMAT if the half of P-256 is no point of the curve in its uncompressed form. */
AIOLI_MUST_CHECK aioli_status aioli_composite_key_from_public(aioli_composite_key **key, const aioli_composite *composite,
                                                              OSSL_LIB_CTX *libctx, const uint8_t *pk, size_t pk_bytes);

aioli_composite_key *aioli_composite_key_hold(aioli_composite_key *key); /* one more owner; the same key */
void aioli_composite_key_free(aioli_composite_key *key);                 /* one owner less; NULL is allowed */
const aioli_composite *aioli_composite_key_type(const aioli_composite_key *key);
const uint8_t *aioli_composite_key_public(const aioli_composite_key *key);
const uint8_t *aioli_composite_key_secret(const aioli_composite_key *key); /* NULL if there is none */

/* ---- signatures ---------------------------------------------------------------------------------------------------------- */

/* ctx: 0 to 255 bytes that signer and verifier agree on.  sig has room for signature_bytes_max; *sig_bytes are written.
 * The salt of MAYO comes from env; ECDSA draws from libctx; Ed25519 is deterministic. */
AIOLI_MUST_CHECK aioli_status aioli_composite_sign(aioli_composite_key *key, uint8_t *sig, size_t capacity, size_t *sig_bytes,
                                                   const uint8_t *msg, size_t msg_bytes, const uint8_t *ctx, size_t ctx_bytes,
                                                   const aioli_env *env);
/* AIOLI_OK if both halves verify, otherwise AIOLI_ERR_SIGNATURE; AIOLI_ERR_LENGTH if no signature is as long. */
AIOLI_MUST_CHECK aioli_status aioli_composite_verify(aioli_composite_key *key, const uint8_t *sig, size_t sig_bytes,
                                                     const uint8_t *msg, size_t msg_bytes, const uint8_t *ctx, size_t ctx_bytes);
/* The same with PH(M) in the place of M. */
AIOLI_MUST_CHECK aioli_status aioli_composite_sign_digest(aioli_composite_key *key, uint8_t *sig, size_t capacity,
                                                          size_t *sig_bytes, const uint8_t *digest, size_t digest_bytes,
                                                          const uint8_t *ctx, size_t ctx_bytes, const aioli_env *env);
AIOLI_MUST_CHECK aioli_status aioli_composite_verify_digest(aioli_composite_key *key, const uint8_t *sig, size_t sig_bytes,
                                                            const uint8_t *digest, size_t digest_bytes, const uint8_t *ctx,
                                                            size_t ctx_bytes);

/* ---- key files: SubjectPublicKeyInfo and PKCS#8, DER ----------------------------------------------------------------------- */

/* The most bytes that a file takes, with the longest of identifiers. */
size_t aioli_composite_file_bytes_max(const aioli_composite *composite, aioli_key_kind kind);

/* Under `oid` instead of the one that is built in, unless that is NULL.  *out_bytes <= capacity are written. */
AIOLI_MUST_CHECK aioli_status aioli_composite_key_encode(const aioli_composite_key *key, aioli_key_kind kind, uint8_t *out,
                                                         size_t capacity, size_t *out_bytes, const char *oid);

/* *key_bytes at *key, which lies in the file: all of a file is compared with the only form that there is.  AIOLI_ERR_FORMAT. */
AIOLI_MUST_CHECK aioli_status aioli_composite_find_key(const aioli_composite *composite, aioli_key_kind kind, const uint8_t *file,
                                                       size_t file_bytes, const char *oid, const uint8_t **key,
                                                       size_t *key_bytes);

/* A file of any composite and either kind, under the identifiers that are built in.  AIOLI_ERR_OID for anything else. */
AIOLI_MUST_CHECK aioli_status aioli_composite_key_decode(aioli_composite_key **key, OSSL_LIB_CTX *libctx, const uint8_t *file,
                                                         size_t file_bytes, const aioli_env *env);

#ifdef __cplusplus
}
#endif
#endif
