/* aioli: batches on CUDA devices.  A library of its own (libaioli_cuda): it opens the driver when the program runs, the core
 * never does.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The calls are those of batch.h, with a context that holds devices and their memory in front.  Rows, statuses and options mean
 * the same, and so do the results: public keys and signatures are the bytes that aioli_keypair_batch and aioli_sign_batch give
 * for the same seeds and randomness.  Whatever runs on a device is said in docs/gpu.md, with when it pays.
 *
 * Conventions, besides those of batch.h
 *   - Nothing of CUDA is linked, and no GPU is no error to load or to link this library: aioli_cuda_new says AIOLI_ERR_NO_DEVICE,
 *     or makes a context that uses the processor if it may (AIOLI_CUDA_FALLBACK).
 *   - A device that fails is a status, AIOLI_ERR_DEVICE, never a crash; with AIOLI_CUDA_FALLBACK the rows that it had not
 *     finished are done by libaioli_batch.  A device that failed is not used again by its context.
 *   - What a device held of secrets is cleared before its memory is given back, and so is the memory of the host that it passed
 *     through.  A device that failed is asked to clear its memory, too; one that no longer answers does not.
 *   - A context is used by one thread at a time.  Different contexts are independent, also on one device.
 */
#ifndef AIOLI_CUDA_H
#define AIOLI_CUDA_H

#include <aioli/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices ------------------------------------------------------------------------------------------------------------- */

/* How many CUDA devices there are; 0 without a driver. */
AIOLI_API size_t aioli_cuda_device_count(void);
/* Why aioli_cuda_device_count is 0: a sentence, or an error as CUDA names it.  NULL if it is not. */
AIOLI_API const char *aioli_cuda_why_no_device(void);

typedef struct aioli_cuda_device {
  char name[128];
  size_t memory_bytes;
  uint32_t compute_capability; /* 10 * major + minor: 90 for an H100 */
  uint32_t multiprocessors;
  uint32_t clock_kilohertz; /* highest; 0 if the driver does not say */
  uint32_t driver_version;  /* 1000 * major + 10 * minor: 13000 for CUDA 13.0 */
} aioli_cuda_device;

/* AIOLI_ERR_NO_DEVICE if there is none of that index, AIOLI_ERR_DEVICE if the driver fails. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_cuda_device_at(aioli_cuda_device *device, size_t index);

/* ---- contexts ------------------------------------------------------------------------------------------------------------ */

typedef struct aioli_cuda aioli_cuda;

#define AIOLI_CUDA_MAX_DEVICES 16

/* What a device cannot do is done by libaioli_batch: all, if there is no device.  Without this flag rows are AIOLI_ERR_ALGORITHM
 * where the set has no kernels (UOV, and round 1 with bit-sliced keys), and AIOLI_ERR_MEMORY where a device has no room. */
#define AIOLI_CUDA_FALLBACK 1u
/* Each signature is verified before it is given out; one that is wrong (a fault of the device) is AIOLI_ERR_DEVICE, or made anew
 * by the processor with AIOLI_CUDA_FALLBACK. */
#define AIOLI_CUDA_CHECK_SIGNATURES 2u

/* As of aioli_batch_options: zero, but for `bytes`, is the default of each field; later versions append fields, and what is not
 * known is refused. */
typedef struct aioli_cuda_options {
  size_t bytes;            /* sizeof(aioli_cuda_options) */
  uint32_t flags;          /* AIOLI_CUDA_... */
  uint32_t device_count;   /* of `devices`; 0: every device */
  const uint32_t *devices; /* their indices, each once */
  size_t memory_bytes;     /* most memory taken of each device; 0: half of what is free at the first call */
  size_t least_rows;       /* batches with fewer rows go to the processor; only with AIOLI_CUDA_FALLBACK */
} aioli_cuda_options;

#define AIOLI_CUDA_OPTIONS_INIT {sizeof(aioli_cuda_options), 0, 0, NULL, 0, 0}

/* AIOLI_ERR_NO_DEVICE if there is no device, or not each of those asked for, and AIOLI_CUDA_FALLBACK is not set; AIOLI_ERR_DEVICE
 * if one cannot be used.  Memory of a device is taken by the first call that needs it, and kept. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_cuda_new(aioli_cuda **cuda, const aioli_cuda_options *options);
/* Clears and gives back all memory of the devices.  NULL is allowed. */
AIOLI_API void aioli_cuda_free(aioli_cuda *cuda);

/* How many devices the context uses: 0 if all work is done by the processor; fewer than at first if some failed. */
AIOLI_API size_t aioli_cuda_devices(const aioli_cuda *cuda);
/* What happened to the last device that failed, as CUDA names it, with the call; NULL if none has.  Valid until the next call
 * with this context. */
AIOLI_API const char *aioli_cuda_error(const aioli_cuda *cuda);

/* ---- batches ------------------------------------------------------------------------------------------------------------- */

/* Of aioli_batch_options, `threads`, `pool` and `key_cache_bytes` are for the work of the processor: what is left to it. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_cuda_verify_batch(aioli_cuda *cuda, const aioli_alg *alg, aioli_status *status,
                                                                const aioli_verify_row *rows, size_t count,
                                                                const aioli_batch_options *options);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_cuda_sign_batch(aioli_cuda *cuda, const aioli_alg *alg, aioli_status *status,
                                                              const aioli_sign_row *rows, size_t count,
                                                              const aioli_batch_options *options);
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_cuda_keypair_batch(aioli_cuda *cuda, const aioli_alg *alg, aioli_status *status,
                                                                 const aioli_keypair_row *rows, size_t count,
                                                                 const aioli_batch_options *options);

/* ---- rows that are on a device ------------------------------------------------------------------------------------------ */

/* The same for rows that are in the memory of one device: pointers of CUDA, not of the host, from whatever allocated them in the
 * device's primary context (the run-time library does).  What wrote the arrays must be finished: the library's streams wait for
 * no other.  The calls return when all is done.  Only digests for messages, so that all rows are of one length; row i of an array
 * is at array + i * stride.
 *
 * Of each struct, `bytes` is its own size, `count` the number of rows, `device` the index of the device among all of the machine,
 * and `reserved` zero.  A row of `sig` has aioli_signature_bytes(alg), of `digest` aioli_digest_bytes(alg), of `pk`
 * aioli_public_key_bytes(alg), and of `sk`, a seed, aioli_secret_key_bytes(alg) bytes.
 *
 * AIOLI_OK if every row is done.  AIOLI_ERR_LENGTH for a stride that is too short, AIOLI_ERR_NO_DEVICE if the context does not
 * use that device, AIOLI_ERR_DEVICE if it failed, AIOLI_ERR_MEMORY, AIOLI_ERR_ALGORITHM for a set without kernels.  There is no
 * fallback: the processor cannot read the arrays.
 *
 * Of secrets the library clears what is its own, as after every call; the caller's arrays are the caller's to clear. */

/* A row costs four bytes to copy. */
typedef struct aioli_cuda_verify_arrays {
  size_t bytes;
  size_t count;
  uint8_t *verdict; /* count bytes, written: 1 for a valid signature, 0 for any other; after an error they may be anything */
  const uint8_t *sig;
  const uint8_t *digest;
  const uint8_t *pk;
  uint32_t sig_stride;
  uint32_t digest_stride;
  uint32_t pk_stride; /* 0: one key for all rows */
  uint32_t device;
} aioli_cuda_verify_arrays;

AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_cuda_verify_on_device(aioli_cuda *cuda, const aioli_alg *alg,
                                                                    const aioli_cuda_verify_arrays *arrays);

/* The signatures are those of aioli_sign_with_randomness.  Besides the statuses above AIOLI_ERR_RNG, and AIOLI_ERR_NO_SOLUTION if
 * a row has none; after an error all signatures are zero, unless the device failed.  AIOLI_CUDA_CHECK_SIGNATURES does nothing
 * here: aioli_cuda_verify_on_device does. */
typedef struct aioli_cuda_sign_arrays {
  size_t bytes;
  size_t count;
  uint8_t *sig; /* written */
  const uint8_t *digest;
  const uint8_t *randomness; /* aioli_randomness_bytes(alg) each, of a good generator; NULL: the system's, from the host */
  const uint8_t *sk;
  uint32_t sig_stride;
  uint32_t digest_stride;
  uint32_t randomness_stride;
  uint32_t sk_stride; /* 0: one key for all rows */
  uint32_t device;
  uint32_t reserved;
} aioli_cuda_sign_arrays;

AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_cuda_sign_on_device(aioli_cuda *cuda, const aioli_alg *alg,
                                                                  const aioli_cuda_sign_arrays *arrays);

/* Public keys of secret keys, which are seeds: who wants new keys puts random bytes there. */
typedef struct aioli_cuda_keypair_arrays {
  size_t bytes;
  size_t count;
  uint8_t *pk; /* written; after an error they may be anything */
  const uint8_t *sk;
  uint32_t pk_stride;
  uint32_t sk_stride;
  uint32_t device;
  uint32_t reserved;
} aioli_cuda_keypair_arrays;

AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_cuda_keypair_on_device(aioli_cuda *cuda, const aioli_alg *alg,
                                                                     const aioli_cuda_keypair_arrays *arrays);

#ifdef __cplusplus
}
#endif
#endif
