/* aioli: oil-and-vinegar signatures.  The public C interface.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Conventions
 *   - Every buffer comes with its length, and outputs come first.  Keys, seeds and signatures have one exact length per
 *     algorithm; any other length is AIOLI_ERR_LENGTH.
 *   - Every function that can fail returns an aioli_status, and the caller must look at it.  After any error all outputs are
 *     zero, up to the given length or the exact one, whichever is less.  (A seed that lies in its own output stays, see
 *     aioli_keypair_from_seed.)
 *   - An output or a workspace that overlaps any other argument is AIOLI_ERR_ARGUMENT, except where a function allows it.  The
 *     output is zeroed then, too, and with it the part of an input that lay there.  Inputs may overlap each other.
 *   - The last parameter, `const aioli_env *env`, may be NULL: then randomness comes from the operating system and working
 *     memory from malloc.  An aioli_env supplies either or both.  A call that is given a workspace allocates nothing.
 *   - The only global state is the choice of a backend, which is made at the first use.  Any number of threads may call anything
 *     at once, as long as no two calls share an output, a workspace or an aioli_hash.  Signer and verifier objects do not change
 *     once they are made, so threads may share them.
 *   - Functions that return a size or a number return 0 for a NULL algorithm, and those that return a name return "".
 *
 * Three rules for those who use signatures
 *   - One seed is for one parameter set.  The oil space and the vinegar values come from the same hash of the same inputs in
 *     every set.  With deterministic signing, signatures that one seed makes under two sets of MAYO give the key away: 1 pair is
 *     enough for MAYO-3 and MAYO-3-r2 or for MAYO-5 and MAYO-5-r2, 8 pairs for MAYO-1 and MAYO-1-r2, 21 for MAYO-1 and MAYO-2.
 *     Hedged signing, the default, is safe from this, since no two signatures have the same salt.
 *   - A signature does not name its key.  For MAYO-1 and MAYO-5 anyone can make a public key under which a given signature
 *     verifies another message.  Where it matters who signed (contracts, logs, key exchange), put the public key or a hash of it,
 *     and the name of the set, into the message.  The signature files of the command line do that.
 *   - AIOLI_MAX_PUBLIC_KEY_BYTES is 3.2 MB and AIOLI_MAX_SECRET_KEY_BYTES 2.8 MB, those of UOV-V.  Neither is for a stack: use
 *     the constants of one set, AIOLI_MAYO_1_PUBLIC_KEY_BYTES for instance, or the heap.
 */
#ifndef AIOLI_H
#define AIOLI_H

#include <stddef.h>
#include <stdint.h>

#include <aioli/sizes.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AIOLI_VERSION_MAJOR 0
#define AIOLI_VERSION_MINOR 1
#define AIOLI_VERSION_PATCH 0
#define AIOLI_VERSION_STRING "0.1.0"

#if defined(AIOLI_STATIC) || !defined(__GNUC__)
#define AIOLI_API
#else
#define AIOLI_API __attribute__((visibility("default")))
#endif
#if defined(__GNUC__)
#define AIOLI_MUST_CHECK __attribute__((warn_unused_result))
#else
#define AIOLI_MUST_CHECK
#endif

/* C++ may not hold a value in an enumeration without a fixed type that none of its names has; C may, and callers err. */
#ifdef __cplusplus
#define AIOLI_FIXED_ENUM : int
#else
#define AIOLI_FIXED_ENUM
#endif

typedef enum aioli_status AIOLI_FIXED_ENUM {
  AIOLI_OK = 0,
  AIOLI_ERR_SIGNATURE = -1,   /* well-formed, but not a signature of this message under this key */
  AIOLI_ERR_ARGUMENT = -2,    /* a null pointer where one is not allowed, an unknown value, an output that overlaps something */
  AIOLI_ERR_LENGTH = -3,      /* a key, seed, signature or digest does not have its exact length */
  AIOLI_ERR_BUFFER = -4,      /* an output buffer, object memory or workspace is too small */
  AIOLI_ERR_RNG = -5,         /* the source of randomness failed, or gave a seed of zeros */
  AIOLI_ERR_NO_SOLUTION = -6, /* signing used up its 256 attempts (does not happen to an honest caller) */
  AIOLI_ERR_MEMORY = -7,      /* malloc failed, or no workspace was given and this build has no malloc */
  AIOLI_ERR_ALGORITHM = -8,   /* unknown algorithm name, or object and call name different algorithms */
  AIOLI_ERR_BACKEND = -9,     /* AIOLI_BACKEND names a backend that is unknown or that this processor cannot run */
  AIOLI_ERR_STATE = -10,      /* a hash object that is not open, or a signer that was wiped */
  AIOLI_ERR_SELFTEST = -11,   /* a known answer came out wrong: do not use this library */
  AIOLI_ERR_FORMAT = -12,     /* a key file is malformed */
  AIOLI_ERR_OID = -13,        /* a key file is well-formed but of an unknown algorithm */
  AIOLI_ERR_MISMATCH = -14,   /* the parts of a key file do not belong together: it was changed or damaged */
  AIOLI_ERR_ABSENT = -15,     /* this build of the library leaves the operation out (AIOLI_OPERATIONS) */
  AIOLI_ERR_NO_DEVICE = -16,  /* there is no such device, or no driver for it (cuda.h) */
  AIOLI_ERR_DEVICE = -17,     /* a device, or its driver, failed (cuda.h) */
  AIOLI_ERR_ENCRYPTED = -18   /* a key file is under a passphrase: decrypt it first (keyfile.h) */
} aioli_status;

/* A sentence for each status; never NULL. */
AIOLI_API const char *aioli_status_text(aioli_status status);

/* The version of the library that is linked, as "major.minor.patch". */
AIOLI_API const char *aioli_version(void);

/* ---- algorithms ------------------------------------------------------------------------------------------------------- */

/* One parameter set: "MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5" (round 3), "MAYO-1-r2" .. (round 2), "MAYO-1-r1" .. (round 1 with
 * nibble-sliced keys), "MAYO-1-r1b" .. (round 1 as specified, bit-sliced keys); "UOV-Is", "UOV-Ip", "UOV-III", "UOV-V" (round 3),
 * each also with "-pkc" (compact public key) and "-pkc-skc" (compact secret key, too), and "UOV-Ip-r2", "UOV-Ip-pkc-r2" .. (round
 * 2; there Is is the same).  A key belongs to one set.  The library cannot know which set raw bytes were made for; key files say
 * it. */
typedef struct aioli_alg aioli_alg;

AIOLI_API const aioli_alg *aioli_alg_by_name(const char *name); /* NULL if there is none; case matters */
AIOLI_API size_t aioli_alg_count(void);
AIOLI_API const aioli_alg *aioli_alg_at(size_t index); /* NULL if index >= aioli_alg_count() */

AIOLI_API const char *aioli_alg_name(const aioli_alg *alg);
AIOLI_API int aioli_alg_round(const aioli_alg *alg);    /* round of NIST's call: 3, 2 or 1 */
AIOLI_API int aioli_alg_category(const aioli_alg *alg); /* NIST security category aimed at: 1, 3 or 5 */
AIOLI_API size_t aioli_public_key_bytes(const aioli_alg *alg);
AIOLI_API size_t aioli_secret_key_bytes(const aioli_alg *alg);
AIOLI_API size_t
aioli_seed_bytes(const aioli_alg *alg); /* what keys are made from, and how a secret key begins; of MAYO all of it */
AIOLI_API size_t aioli_signature_bytes(const aioli_alg *alg);
AIOLI_API size_t aioli_randomness_bytes(const aioli_alg *alg); /* R, drawn once per signature; of UOV the salt itself */
AIOLI_API size_t aioli_digest_bytes(const aioli_alg *alg);     /* of the message, for the digest-in calls */

/* ---- environment: randomness and memory -------------------------------------------------------------------------------- */

/* Fills out[0..n) and returns 0; anything else is a failure. */
typedef int (*aioli_rng_fn)(void *context, uint8_t *out, size_t n);

typedef struct aioli_env {
  aioli_rng_fn rng; /* NULL: the operating system */
  void *rng_context;
  void *workspace;        /* NULL: malloc for the duration of the call.  Any alignment */
  size_t workspace_bytes; /* aioli_workspace_bytes(alg, op) for full speed; at least aioli_workspace_least_bytes(alg, op) */
} aioli_env;

/* The operating system's randomness (getrandom, getentropy or BCryptGenRandom). */
AIOLI_API int aioli_rng_system(void *context, uint8_t *out, size_t n);
/* All zero.  As env->rng of a signing call it selects deterministic signatures (R = 0).  aioli_keypair refuses it: AIOLI_ERR_RNG,
 * as for any source that gives a seed of zeros. */
AIOLI_API int aioli_rng_zero(void *context, uint8_t *out, size_t n);

typedef enum aioli_op AIOLI_FIXED_ENUM {
  AIOLI_OP_KEYPAIR = 0, /* keypair, keypair_from_seed, public_from_secret */
  AIOLI_OP_SIGN = 1,    /* signing with a secret key */
  AIOLI_OP_VERIFY = 2,  /* verifying with a public key */
  AIOLI_OP_SIGNER_INIT = 3,
  AIOLI_OP_SIGNER_SIGN = 4, /* signing with a signer object */
  AIOLI_OP_VERIFIER_INIT = 5,
  AIOLI_OP_VERIFIER_VERIFY = 6 /* verifying with a verifier object */
} aioli_op;

/* Working memory of one call, in bytes, at any alignment.  Stack use on top of it is small: see docs/memory.md.
 *   aioli_workspace_bytes        enough for whichever backend runs: full speed on every machine
 *   aioli_workspace_least_bytes  the least with which the call works: what the backend "portable" needs, on every machine
 * A call with a workspace runs on the fastest backend that fits into it, with the same results; with less than the least it is
 * AIOLI_ERR_BUFFER.  A call without one (malloc) runs at full speed.
 * Both are 0 for what the build leaves out.
 * Constants AIOLI_<SET>_WORKSPACE_<OP>_BYTES and AIOLI_<SET>_WORKSPACE_<OP>_LEAST_BYTES are in <aioli/sizes.h>. */
AIOLI_API size_t aioli_workspace_bytes(const aioli_alg *alg, aioli_op op);
AIOLI_API size_t aioli_workspace_least_bytes(const aioli_alg *alg, aioli_op op);

/* ---- keys -------------------------------------------------------------------------------------------------------------- */

/* CompactKeyGen of MAYO, KeyGen of UOV, from a seed that is drawn.  pk is computed where it lies: other threads should not read
 * it before the call returns. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_keypair(const aioli_alg *alg, uint8_t *pk, size_t pk_bytes, uint8_t *sk,
                                                      size_t sk_bytes, const aioli_env *env);
/* The same from a given seed of aioli_seed_bytes.  The seed becomes the beginning of sk, or all of it, and may be there already
 * (seed == sk).  Give no two sets the same seed (see above). */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_keypair_from_seed(const aioli_alg *alg, uint8_t *pk, size_t pk_bytes, uint8_t *sk,
                                                                size_t sk_bytes, const uint8_t *seed, size_t seed_bytes,
                                                                const aioli_env *env);
/* The public key that belongs to a secret key, computed from the seed at its beginning.  The rest of an expanded secret key of
 * UOV is not looked at: keys that come from elsewhere are checked by aioli_key_decode, or by making them again with
 * aioli_keypair_from_seed. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_public_from_secret(const aioli_alg *alg, uint8_t *pk, size_t pk_bytes,
                                                                 const uint8_t *sk, size_t sk_bytes, const aioli_env *env);

/* ---- one-shot signing and verification ---------------------------------------------------------------------------------- */

/* Sign, hedged: R is drawn from env->rng.  sig_bytes is exactly aioli_signature_bytes(alg).  An empty msg may be NULL. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_sign(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes, const uint8_t *msg,
                                                   size_t msg_bytes, const uint8_t *sk, size_t sk_bytes, const aioli_env *env);
/* R = 0: the same message and key always give the same signature.  Weaker against fault attacks than the hedged form, and fatal
 * if the same seed signs under another set (see above). */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_sign_deterministic(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes,
                                                                 const uint8_t *msg, size_t msg_bytes, const uint8_t *sk,
                                                                 size_t sk_bytes, const aioli_env *env);
/* R given by the caller, aioli_randomness_bytes(alg) long. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_sign_with_randomness(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes,
                                                                   const uint8_t *msg, size_t msg_bytes, const uint8_t *sk,
                                                                   size_t sk_bytes, const uint8_t *R, size_t R_bytes,
                                                                   const aioli_env *env);
/* Verify.  AIOLI_OK or AIOLI_ERR_SIGNATURE; other errors mean that nothing was verified.  A signature of another length
 * than aioli_signature_bytes(alg) is AIOLI_ERR_LENGTH.  Runs in time that depends on its (public) inputs. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verify(const aioli_alg *alg, const uint8_t *sig, size_t sig_bytes,
                                                     const uint8_t *msg, size_t msg_bytes, const uint8_t *pk, size_t pk_bytes,
                                                     const aioli_env *env);

/* ---- messages in pieces, and digests ------------------------------------------------------------------------------------ */

/* A message that comes in pieces is hashed as it comes, so that one of any size takes constant memory.  All fields are private.
 *
 * aioli_hash_init comes first.  An object without it is undefined: at best calls return AIOLI_ERR_STATE.  An open object may be
 * copied by assignment, to go on from the same beginning in two ways.  It owns nothing that would have to be freed: to abandon
 * one, just leave it.  If the message is secret, the object tells of it: a call that ends it zeroes it, and so does
 * aioli_hash_init with a NULL algorithm (whose status is AIOLI_ERR_ARGUMENT).  Wipe copies, too. */
typedef struct aioli_hash {
  uint64_t opaque[32];
} aioli_hash;

AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_hash_init(aioli_hash *h, const aioli_alg *alg);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_hash_update(aioli_hash *h, const uint8_t *data, size_t data_bytes);
/* The digest of what was absorbed.  For MAYO it is SHAKE256(message, aioli_digest_bytes).  UOV hashes message || salt, so its
 * digest is the state of SHAKE256 after the message: 200 bytes, and one more that says how many bytes of the current block are
 * filled.  Beware: a short message can be read from such a state.  Like all calls named _final, this one ends the hash, with or
 * without success. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_hash_final(aioli_hash *h, uint8_t *digest, size_t digest_bytes);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_sign_final(aioli_hash *h, uint8_t *sig, size_t sig_bytes, const uint8_t *sk,
                                                         size_t sk_bytes, const aioli_env *env);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verify_final(aioli_hash *h, const uint8_t *sig, size_t sig_bytes, const uint8_t *pk,
                                                           size_t pk_bytes, const aioli_env *env);

/* For a digest that was computed elsewhere.  It has to be what aioli_hash_final gives, or no other program will verify the
 * signature.  A state that claims 136 or more bytes in its current block is AIOLI_ERR_ARGUMENT. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_sign_digest(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes,
                                                          const uint8_t *digest, size_t digest_bytes, const uint8_t *sk,
                                                          size_t sk_bytes, const aioli_env *env);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verify_digest(const aioli_alg *alg, const uint8_t *sig, size_t sig_bytes,
                                                            const uint8_t *digest, size_t digest_bytes, const uint8_t *pk,
                                                            size_t pk_bytes, const aioli_env *env);

/* The digests of many messages, several at a time where the processor has vectors: digests + i * digest_stride is that of
 * msgs[i], which is msg_bytes[i] long and may be NULL if that is 0.  Only aioli_digest_bytes(alg) bytes of each stride are
 * written; a shorter stride is AIOLI_ERR_BUFFER.  Messages may overlap each other and lie between the digests, but not on one.
 * Time depends on the lengths only.  It needs no workspace, and no more stack than other calls. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_digest_batch(const aioli_alg *alg, uint8_t *digests, size_t digest_stride,
                                                           const uint8_t *const *msgs, const size_t *msg_bytes, size_t count);

/* ---- repeated use: expanded keys ---------------------------------------------------------------------------------------- */

/* ExpandSK and ExpandPK.  The object lives in memory of the caller (any alignment, aioli_signer_bytes(alg) or
 * aioli_verifier_bytes(alg) long), or on the heap with the _new form.  It does not change once it is made, so any number of
 * threads may use it; it cannot be copied or moved.  Wipe or free a signer after use.  aioli_signer_alg and aioli_verifier_alg
 * return NULL for NULL. */
typedef struct aioli_signer aioli_signer;
typedef struct aioli_verifier aioli_verifier;

AIOLI_API size_t aioli_signer_bytes(const aioli_alg *alg);
AIOLI_API size_t aioli_verifier_bytes(const aioli_alg *alg);

AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_signer_init(aioli_signer **signer, void *memory, size_t memory_bytes,
                                                          const aioli_alg *alg, const uint8_t *sk, size_t sk_bytes,
                                                          const aioli_env *env);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_signer_new(aioli_signer **signer, const aioli_alg *alg, const uint8_t *sk,
                                                         size_t sk_bytes);
AIOLI_API void aioli_signer_wipe(aioli_signer *signer); /* leaves the memory, zeroed, to the caller; NULL is allowed */
AIOLI_API void aioli_signer_free(aioli_signer *signer); /* of _new only; wipes; NULL is allowed */
AIOLI_API const aioli_alg *aioli_signer_alg(const aioli_signer *signer);

AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_signer_sign(const aioli_signer *signer, uint8_t *sig, size_t sig_bytes,
                                                          const uint8_t *msg, size_t msg_bytes, const aioli_env *env);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_signer_sign_digest(const aioli_signer *signer, uint8_t *sig, size_t sig_bytes,
                                                                 const uint8_t *digest, size_t digest_bytes,
                                                                 const aioli_env *env);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_signer_sign_final(const aioli_signer *signer, aioli_hash *h, uint8_t *sig,
                                                                size_t sig_bytes, const aioli_env *env);

AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verifier_init(aioli_verifier **verifier, void *memory, size_t memory_bytes,
                                                            const aioli_alg *alg, const uint8_t *pk, size_t pk_bytes,
                                                            const aioli_env *env);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verifier_new(aioli_verifier **verifier, const aioli_alg *alg, const uint8_t *pk,
                                                           size_t pk_bytes);
AIOLI_API void aioli_verifier_free(aioli_verifier *verifier); /* of _new only; NULL is allowed */
AIOLI_API const aioli_alg *aioli_verifier_alg(const aioli_verifier *verifier);

AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verifier_verify(const aioli_verifier *verifier, const uint8_t *sig,
                                                              size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,
                                                              const aioli_env *env);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verifier_verify_digest(const aioli_verifier *verifier, const uint8_t *sig,
                                                                     size_t sig_bytes, const uint8_t *digest, size_t digest_bytes,
                                                                     const aioli_env *env);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verifier_verify_final(const aioli_verifier *verifier, aioli_hash *h,
                                                                    const uint8_t *sig, size_t sig_bytes, const aioli_env *env);

/* ---- backends and self-test --------------------------------------------------------------------------------------------- */

/* The backends built into this library, slowest first: "portable" (any processor), "aesni" (portable arithmetic, AES
 * instructions), "avx2" (byte shuffles and AES instructions), "vaes" (the same, two AES blocks at once), "gfni" (affine maps on
 * 32 bytes), "avx512" (on 64 bytes).  The fastest one that this processor can run is used.  The environment variable
 * AIOLI_BACKEND names another: the fastest that may run, for a call with a small workspace takes one before it (see
 * aioli_workspace_least_bytes), and so does a call for a set that the backend has no kernels for. */
AIOLI_API size_t aioli_backend_count(void);
AIOLI_API const char *aioli_backend_name(size_t index); /* NULL if index >= aioli_backend_count() */
AIOLI_API int aioli_backend_usable(size_t index);       /* 1 if this processor can run it */
AIOLI_API const char *aioli_backend_active(void); /* of calls with enough memory; NULL if AIOLI_BACKEND names none that can run */

/* Known answers of one set (alg NULL: of every set): key, signature, verification, rejection.  AIOLI_OK if all are right,
 * AIOLI_ERR_SELFTEST if one is wrong.  If it could not be done: AIOLI_ERR_MEMORY, AIOLI_ERR_BACKEND, or AIOLI_ERR_ABSENT where
 * the build leaves an operation out.  It allocates, so without an operating system it is AIOLI_ERR_MEMORY.  It takes 12 KB of
 * stack. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_selftest(const aioli_alg *alg);

#ifdef __cplusplus
}
#endif
#endif
