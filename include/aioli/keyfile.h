/* aioli: key files.  SubjectPublicKeyInfo and PKCS#8 (OneAsymmetricKey), as DER or PEM.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written: the raw public key in the BIT STRING; in the private key a seed as [0], as ML-DSA has it, and an expanded key of UOV
 * as OCTET STRING.  Read: every form in the wild.  A public key raw or wrapped in an OCTET STRING; a private key as [0] seed, as
 * OCTET STRING (sk), as OCTET STRING (sk || pk), or bare, with or without pk.  See docs/key-files.md.
 *
 * The library neither encrypts nor decrypts.  Key files under a passphrase are recognised (AIOLI_ERR_ENCRYPTED) and left to
 * others.
 */
#ifndef AIOLI_KEYFILE_H
#define AIOLI_KEYFILE_H

#include <aioli/aioli.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum aioli_key_encoding AIOLI_FIXED_ENUM { AIOLI_KEY_DER = 0, AIOLI_KEY_PEM = 1 } aioli_key_encoding;
typedef enum aioli_key_kind AIOLI_FIXED_ENUM { AIOLI_KEY_PUBLIC = 0, AIOLI_KEY_SECRET = 1 } aioli_key_kind;

/* Object identifiers in dotted decimal form.  A caller's entries go before the built-in table, which has the identifiers that are
 * in use for round 2, and identifiers of our own for sets that have none.  End the array with {NULL, NULL}.
 *
 * An entry that gives one set the identifier of another (aioli_alg_by_oid) makes keys of that other set be read as keys of this
 * one.  Do that only if no such key can come along: a seed must not be used under two sets (see aioli.h). */
typedef struct aioli_oid {
  const char *algorithm;
  const char *oid;
} aioli_oid;

/* The identifier that is written for this algorithm; `overrides` may be NULL.  Never NULL: "" without an algorithm. */
AIOLI_API const char *aioli_key_oid(const aioli_alg *alg, const aioli_oid *overrides);

/* The algorithm that an identifier stands for without any overrides; NULL if it is not one of ours. */
AIOLI_API const aioli_alg *aioli_alg_by_oid(const char *oid);

/* The most bytes that a key takes when encoded, with the longest of identifiers; 0 for wrong arguments. */
AIOLI_API size_t aioli_key_encoded_bytes_max(const aioli_alg *alg, aioli_key_kind kind, aioli_key_encoding encoding);

/* Writes *out_bytes <= out_capacity bytes.  PEM is text with a final newline and no terminating zero. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_key_encode(const aioli_alg *alg, aioli_key_kind kind, aioli_key_encoding encoding,
                                                         uint8_t *out, size_t out_capacity, size_t *out_bytes, const uint8_t *key,
                                                         size_t key_bytes, const aioli_oid *overrides);

/* Reads PEM or DER, whichever it is.  On success `key` holds the raw key, *key_bytes its length, *alg its algorithm, *kind its
 * kind.
 *
 * Room for the key: no key is longer than its file, so in_bytes always suffices.  AIOLI_MAX_PUBLIC_KEY_BYTES does, too, but that
 * is 3.2 MB, for UOV-V: too much for a stack.  Those who read MAYO alone need 5600 bytes.  Too little is AIOLI_ERR_BUFFER.
 *
 * Strict DER: trailing bytes, non-minimal lengths and unknown fields are AIOLI_ERR_FORMAT, an unknown identifier is
 * AIOLI_ERR_OID, a key of the wrong size AIOLI_ERR_LENGTH.  A file that was encrypted under a passphrase
 * (EncryptedPrivateKeyInfo) is AIOLI_ERR_ENCRYPTED: decrypt it, by the command line (`aioli passphrase --remove`) or by a
 * cryptographic library, and read the result.
 *
 * What a secret-key file has besides the seed is computed from the seed and compared: the rest of an expanded key of UOV, and a
 * public key.  AIOLI_ERR_MISMATCH if anything differs: the file was changed or damaged.  This takes one key generation (env as
 * elsewhere, operation AIOLI_OP_KEYPAIR) and, of UOV, memory of malloc for a public key.  A file that has the seed alone cannot
 * be checked: a changed seed is another key.  Compare the public key with the one that you expect. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_key_decode(const uint8_t *in, size_t in_bytes, const aioli_alg **alg,
                                                         aioli_key_kind *kind, uint8_t *key, size_t key_capacity,
                                                         size_t *key_bytes, const aioli_oid *overrides, const aioli_env *env);

#ifdef __cplusplus
}
#endif
#endif
