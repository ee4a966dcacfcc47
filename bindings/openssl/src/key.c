/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

Key *key_new(Provider *provider, const Set *set) {
  Key *const key = OPENSSL_zalloc(sizeof *key);
  if (key == NULL) return NULL;
  key->provider = provider;
  key->set = set;
  atomic_init(&key->references, 1);
  atomic_init(&key->signed_once, 0);
  atomic_init(&key->verified_once, 0);
  atomic_init(&key->signer, NULL);
  atomic_init(&key->verifier, NULL);
  return key;
}

static void empty(Key *key) {
  OPENSSL_free(key->pk);
  if (key->sk != NULL) OPENSSL_secure_clear_free(key->sk, aioli_secret_key_bytes(key->set->alg));
  key->pk = NULL;
  key->sk = NULL;
}

void key_free(Key *key) {
  if (key == NULL || atomic_fetch_sub(&key->references, 1) != 1) return;
  aioli_signer_free(atomic_load(&key->signer));
  aioli_verifier_free(atomic_load(&key->verifier));
  empty(key);
  OPENSSL_free(key);
}

Key *key_hold(Key *key) {
  atomic_fetch_add(&key->references, 1);
  return key;
}

static int is_empty(const Key *key) { return key->pk == NULL && key->sk == NULL; }

static aioli_status fail(Key *key, aioli_status status, const char *what) {
  empty(key);
  raise_error(key->provider, status, "%s: %s", key->set->name, what);
  return status;
}

static aioli_status make_room(Key *key, int secret) {
  if (!is_empty(key)) return AIOLI_ERR_STATE;
  key->pk = OPENSSL_malloc(aioli_public_key_bytes(key->set->alg));
  if (secret) key->sk = OPENSSL_secure_malloc(aioli_secret_key_bytes(key->set->alg));
  return key->pk == NULL || (secret && key->sk == NULL) ? AIOLI_ERR_MEMORY : AIOLI_OK;
}

int key_fill_public(Key *key, const uint8_t *pk, size_t pk_bytes) {
  if (pk_bytes != aioli_public_key_bytes(key->set->alg))
    return raise_error(key->provider, AIOLI_ERR_LENGTH, "%s: a public key of %zu bytes", key->set->name, pk_bytes);
  const aioli_status status = make_room(key, 0);
  if (status == AIOLI_ERR_STATE) return raise_error(key->provider, status, "%s: the key is filled already", key->set->name);
  if (status != AIOLI_OK) return fail(key, status, "public key") == AIOLI_OK;
  memcpy(key->pk, pk, pk_bytes);
  return 1;
}

int key_fill_from_seed(Key *key, const uint8_t *seed, size_t seed_bytes) {
  const aioli_alg *const alg = key->set->alg;
  aioli_status status = make_room(key, 1);
  if (status == AIOLI_ERR_STATE) return raise_error(key->provider, status, "%s: the key is filled already", key->set->name);
  if (status == AIOLI_OK)
    status = aioli_keypair_from_seed(alg, key->pk, aioli_public_key_bytes(alg), key->sk, aioli_secret_key_bytes(alg), seed,
                                     seed_bytes, &key->provider->env);
  return status == AIOLI_OK ? 1 : fail(key, status, "key from a seed") == AIOLI_OK;
}

int key_fill_random(Key *key) {
  const aioli_alg *const alg = key->set->alg;
  aioli_status status = make_room(key, 1);
  if (status == AIOLI_ERR_STATE) return raise_error(key->provider, status, "%s: the key is filled already", key->set->name);
  if (status == AIOLI_OK)
    status = aioli_keypair(alg, key->pk, aioli_public_key_bytes(alg), key->sk, aioli_secret_key_bytes(alg), &key->provider->env);
  return status == AIOLI_OK ? 1 : fail(key, status, "key generation") == AIOLI_OK;
}

int key_fill_secret(Key *key, const uint8_t *sk, size_t sk_bytes, const uint8_t *pk, size_t pk_bytes) {
  const aioli_alg *const alg = key->set->alg;
  if (sk_bytes != aioli_secret_key_bytes(alg) || (pk != NULL && pk_bytes != aioli_public_key_bytes(alg)))
    return raise_error(key->provider, AIOLI_ERR_LENGTH, "%s: a secret key of %zu bytes", key->set->name, sk_bytes);
  if (!key_fill_from_seed(key, sk, aioli_seed_bytes(alg))) return 0;
  const int differs = CRYPTO_memcmp(key->sk, sk, sk_bytes) | (pk != NULL ? CRYPTO_memcmp(key->pk, pk, pk_bytes) : 0);
  return differs == 0 ? 1 : fail(key, AIOLI_ERR_MISMATCH, "secret key") == AIOLI_OK;
}

/* The second use of a key expands it.  Two threads may both do so: one of the results is kept, which does not matter, since both
 * are the same.  Without memory for it the key is used as it is. */
static const aioli_signer *expanded_signer(Key *key) {
  aioli_signer *signer = atomic_load(&key->signer);
  if (signer != NULL || atomic_exchange(&key->signed_once, 1) == 0) return signer;
  if (aioli_signer_new(&signer, key->set->alg, key->sk, aioli_secret_key_bytes(key->set->alg)) != AIOLI_OK) return NULL;
  aioli_signer *kept = NULL;
  if (atomic_compare_exchange_strong(&key->signer, &kept, signer)) return signer;
  aioli_signer_free(signer);
  return kept;
}

static const aioli_verifier *expanded_verifier(Key *key) {
  aioli_verifier *verifier = atomic_load(&key->verifier);
  if (verifier != NULL || atomic_exchange(&key->verified_once, 1) == 0) return verifier;
  if (aioli_verifier_new(&verifier, key->set->alg, key->pk, aioli_public_key_bytes(key->set->alg)) != AIOLI_OK) return NULL;
  aioli_verifier *kept = NULL;
  if (atomic_compare_exchange_strong(&key->verifier, &kept, verifier)) return verifier;
  aioli_verifier_free(verifier);
  return kept;
}

aioli_status key_sign(Key *key, aioli_hash *hash, uint8_t *sig) {
  const aioli_alg *const alg = key->set->alg;
  const aioli_env *const env = &key->provider->env;
  const size_t sig_bytes = aioli_signature_bytes(alg);
  const aioli_signer *const signer = expanded_signer(key);
  if (signer != NULL) return aioli_signer_sign_final(signer, hash, sig, sig_bytes, env);
  return aioli_sign_final(hash, sig, sig_bytes, key->sk, aioli_secret_key_bytes(alg), env);
}

aioli_status key_verify(Key *key, aioli_hash *hash, const uint8_t *sig, size_t sig_bytes) {
  const aioli_alg *const alg = key->set->alg;
  const aioli_verifier *const verifier = expanded_verifier(key);
  if (verifier != NULL) return aioli_verifier_verify_final(verifier, hash, sig, sig_bytes, NULL);
  return aioli_verify_final(hash, sig, sig_bytes, key->pk, aioli_public_key_bytes(alg), NULL);
}
