/* aioli: many signatures at once, on many cores.  A library of its own (libaioli_batch): it makes threads, the core never does.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A batch is an array of rows; each row is one call of aioli_verify, aioli_sign or aioli_keypair, with pointers and lengths of
 * its own.  Rows that share a key form a group, whose key is expanded once for all of them.  The order of the rows does not
 * matter.
 *
 * Conventions, besides those of aioli.h
 *   - Every row gets a status, status[i] for rows[i]: the one that the one-shot call would have given.  One bad row, of whatever
 *     kind, changes nothing for the others.  The outputs of a row whose status is not AIOLI_OK are zero.
 *   - A call returns AIOLI_OK only if every status is AIOLI_OK, and else the status of the first row that is not.  The result
 *     alone tells whether all is well.  If the batch cannot be worked on at all (a null array, options
 *     that make no sense, no memory), every row has that status and it is also the result.
 *   - Inputs may be shared by any number of rows, and overlap.  Outputs (signatures, keys, statuses) may overlap nothing.  Within
 *     a row that is AIOLI_ERR_ARGUMENT of this row.  An output of one row that overlaps an output or input of another, or a
 *     status, is AIOLI_ERR_ARGUMENT of the whole batch: nothing is computed or drawn, and outputs are zeroed, with them what lay
 *     there.
 *     If an output or the statuses overlap `rows` itself, the call returns AIOLI_ERR_ARGUMENT and writes nothing at all.
 *   - No rows are no error: AIOLI_OK.
 */
#ifndef AIOLI_BATCH_H
#define AIOLI_BATCH_H

#include <aioli/aioli.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- threads ------------------------------------------------------------------------------------------------------------- */

/* Threads that wait for batches.  To make a thread takes tens of microseconds, so a pool pays for those who work on many small
 * batches.  `threads` counts the thread that calls: a pool of 4 makes three.  From 1 to AIOLI_BATCH_MAX_THREADS.
 * Any number of callers may share one pool; they take turns.  The threads receive no signals.  A pool does not survive fork. */
#define AIOLI_BATCH_MAX_THREADS 1024
typedef struct aioli_pool aioli_pool;

/* AIOLI_ERR_MEMORY if the system gives no memory or not that many threads. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_pool_new(aioli_pool **pool, uint32_t threads);
AIOLI_API void aioli_pool_free(aioli_pool *pool); /* when no call uses it; NULL is allowed */

/* ---- expanded public keys that outlive a batch ----------------------------------------------------------------------------- */

/* For callers of many batches with keys that come again.  A key that a second batch needs is expanded into the cache; what was
 * not used for longest makes room.  It is of any number of sets, and any number of batches may use it at once.
 * `bytes`: most memory for expanded keys, with the keys themselves; a cache that is smaller than one key keeps none. */
typedef struct aioli_verifier_cache aioli_verifier_cache;

/* AIOLI_ERR_MEMORY, or AIOLI_ERR_RNG: keys are found by fingerprints under a random key. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verifier_cache_new(aioli_verifier_cache **cache, size_t bytes);
AIOLI_API void aioli_verifier_cache_free(aioli_verifier_cache *cache); /* when no call uses it; NULL is allowed */

typedef struct aioli_verifier_cache_counts {
  uint64_t hits, misses;          /* groups and single rows that found their key, and that did not */
  uint64_t expansions, evictions; /* keys that came, and that went */
  size_t keys, bytes;             /* what is there */
} aioli_verifier_cache_counts;

/* Zeros for NULL. */
AIOLI_API void aioli_verifier_cache_look(aioli_verifier_cache *cache, aioli_verifier_cache_counts *counts);

/* ---- options ------------------------------------------------------------------------------------------------------------- */

/* Zero, but for `bytes`, is the default of each field.  Later versions append fields; this library refuses (AIOLI_ERR_ARGUMENT)
 * what it does not know, that is, flags and later fields that are not zero. */
typedef struct aioli_batch_options {
  size_t bytes;           /* sizeof(aioli_batch_options) */
  uint32_t threads;       /* how many work, the caller among them; 0 and 1: the caller alone.  0 with a pool */
  uint32_t flags;         /* AIOLI_BATCH_... */
  aioli_pool *pool;       /* NULL: threads are made for this call.  If the system gives fewer than asked for, those do the work */
  size_t key_cache_bytes; /* most memory for expanded keys; 0: one key for each thread.  Less than one key: none is expanded */
  aioli_rng_fn rng;  /* NULL: the operating system.  Else called by the caller's thread only, once for each row that needs it, */
  void *rng_context; /* in the order of the rows, before any work is done */
  aioli_verifier_cache *verifiers; /* of aioli_verify_batch alone; NULL: no key outlives the call */
} aioli_batch_options;

#define AIOLI_BATCH_OPTIONS_INIT {sizeof(aioli_batch_options), 0, 0, NULL, 0, NULL, NULL, NULL}

/* `msg` of each row is the digest of the message, aioli_digest_bytes(alg) long, as for aioli_sign_digest. */
#define AIOLI_BATCH_DIGESTS 1u

/* ---- batches ------------------------------------------------------------------------------------------------------------- */

typedef struct aioli_verify_row {
  const uint8_t *sig;
  size_t sig_bytes;
  const uint8_t *msg;
  size_t msg_bytes;
  const uint8_t *pk;
  size_t pk_bytes;
} aioli_verify_row;

typedef struct aioli_sign_row {
  uint8_t *sig; /* written */
  size_t sig_bytes;
  const uint8_t *msg;
  size_t msg_bytes;
  const uint8_t *sk;
  size_t sk_bytes;
} aioli_sign_row;

typedef struct aioli_keypair_row {
  uint8_t *pk; /* written */
  size_t pk_bytes;
  uint8_t *sk; /* written */
  size_t sk_bytes;
  const uint8_t *seed; /* NULL: drawn from `rng`.  May be sk */
  size_t seed_bytes;
} aioli_keypair_row;

/* Keys of equal bytes form a group, wherever they lie. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_verify_batch(const aioli_alg *alg, aioli_status *status,
                                                           const aioli_verify_row *rows, size_t count,
                                                           const aioli_batch_options *options);
/* Rows with the same pointer `sk` form a group; secret keys are never compared.  Signatures are hedged, or deterministic with
 * rng = aioli_rng_zero (read in aioli.h what that costs); with a generator of the caller they are those of one-shot calls in the
 * order of the rows. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_sign_batch(const aioli_alg *alg, aioli_status *status, const aioli_sign_row *rows,
                                                         size_t count, const aioli_batch_options *options);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_keypair_batch(const aioli_alg *alg, aioli_status *status,
                                                            const aioli_keypair_row *rows, size_t count,
                                                            const aioli_batch_options *options);

#ifdef __cplusplus
}
#endif
#endif
