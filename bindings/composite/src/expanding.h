/* SPDX-License-Identifier: Apache-2.0
 *
 * A key of the library that is expanded when it is used a second time.  The raw keys stay the caller's.
 */
#ifndef AIOLI_COMPOSITE_EXPANDING_H
#define AIOLI_COMPOSITE_EXPANDING_H

#include <aioli/aioli.h>
#include <stdatomic.h>

typedef struct Expanding {
  const aioli_alg *alg;
  atomic_int signed_once;
  atomic_int verified_once;
  _Atomic(aioli_signer *) signer;
  _Atomic(aioli_verifier *) verifier;
} Expanding;

void expanding_init(Expanding *e, const aioli_alg *alg);
void expanding_free(Expanding *e);

/* Sign and verify what was hashed; both end the hash.  sig has the exact length; sk and pk are always the same. */
aioli_status expanding_sign(Expanding *e, const uint8_t *sk, aioli_hash *hash, uint8_t *sig, const aioli_env *env);
aioli_status expanding_verify(Expanding *e, const uint8_t *pk, aioli_hash *hash, const uint8_t *sig, size_t sig_bytes);

#endif
