/* SPDX-License-Identifier: Apache-2.0 */
#include "expanding.h"

#include <stddef.h>

void expanding_init(Expanding *e, const aioli_alg *alg) {
  e->alg = alg;
  atomic_init(&e->signed_once, 0);
  atomic_init(&e->verified_once, 0);
  atomic_init(&e->signer, NULL);
  atomic_init(&e->verifier, NULL);
}

void expanding_free(Expanding *e) {
  aioli_signer_free(atomic_load(&e->signer));
  aioli_verifier_free(atomic_load(&e->verifier));
}

/* Two threads may both expand: one of the results is kept, which does not matter, since both are the same.  Without memory for it
 * the key is used as it is. */
static const aioli_signer *expanded_signer(Expanding *e, const uint8_t *sk) {
  aioli_signer *signer = atomic_load(&e->signer);
  if (signer != NULL || atomic_exchange(&e->signed_once, 1) == 0) return signer;
  if (aioli_signer_new(&signer, e->alg, sk, aioli_secret_key_bytes(e->alg)) != AIOLI_OK) return NULL;
  aioli_signer *kept = NULL;
  if (atomic_compare_exchange_strong(&e->signer, &kept, signer)) return signer;
  aioli_signer_free(signer);
  return kept;
}

static const aioli_verifier *expanded_verifier(Expanding *e, const uint8_t *pk) {
  aioli_verifier *verifier = atomic_load(&e->verifier);
  if (verifier != NULL || atomic_exchange(&e->verified_once, 1) == 0) return verifier;
  if (aioli_verifier_new(&verifier, e->alg, pk, aioli_public_key_bytes(e->alg)) != AIOLI_OK) return NULL;
  aioli_verifier *kept = NULL;
  if (atomic_compare_exchange_strong(&e->verifier, &kept, verifier)) return verifier;
  aioli_verifier_free(verifier);
  return kept;
}

aioli_status expanding_sign(Expanding *e, const uint8_t *sk, aioli_hash *hash, uint8_t *sig, const aioli_env *env) {
  const size_t sig_bytes = aioli_signature_bytes(e->alg);
  const aioli_signer *const signer = expanded_signer(e, sk);
  if (signer != NULL) return aioli_signer_sign_final(signer, hash, sig, sig_bytes, env);
  return aioli_sign_final(hash, sig, sig_bytes, sk, aioli_secret_key_bytes(e->alg), env);
}

aioli_status expanding_verify(Expanding *e, const uint8_t *pk, aioli_hash *hash, const uint8_t *sig, size_t sig_bytes) {
  const aioli_verifier *const verifier = expanded_verifier(e, pk);
  if (verifier != NULL) return aioli_verifier_verify_final(verifier, hash, sig, sig_bytes, NULL);
  return aioli_verify_final(hash, sig, sig_bytes, pk, aioli_public_key_bytes(e->alg), NULL);
}
