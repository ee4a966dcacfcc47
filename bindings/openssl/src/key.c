/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

Key *key_new(Provider *provider, const Set *set) {
  Key *const key = OPENSSL_zalloc(sizeof *key);
  if (key == NULL) return NULL;
  key->provider = provider;
  key->set = set;
  atomic_init(&key->references, 1);
  expanding_init(&key->expanding, set->alg);
  return key;
}

static void empty(Key *key) {
  aioli_composite_key_free(key->composite);
  OPENSSL_free(key->own_pk);
  if (key->own_sk != NULL) OPENSSL_secure_clear_free(key->own_sk, key->set->sk_bytes);
  key->composite = NULL;
  key->own_pk = key->own_sk = NULL;
  key->pk = key->sk = NULL;
}

void key_free(Key *key) {
  if (key == NULL || atomic_fetch_sub(&key->references, 1) != 1) return;
  expanding_free(&key->expanding);
  empty(key);
  OPENSSL_free(key);
}

Key *key_hold(Key *key) {
  atomic_fetch_add(&key->references, 1);
  return key;
}

static int fail(Key *key, aioli_status status, const char *what) {
  empty(key);
  return raise_error(key->provider, status, "%s: %s", key->set->name, what);
}

static int is_filled(Key *key) {
  if (key->pk == NULL) return 0;
  raise_error(key->provider, AIOLI_ERR_STATE, "%s: the key is filled already", key->set->name);
  return 1;
}

/* After the halves are there, or not. */
static int filled(Key *key, aioli_status status, const char *what) {
  if (status != AIOLI_OK) return fail(key, status, what);
  key->pk = key->composite != NULL ? aioli_composite_key_public(key->composite) : key->own_pk;
  key->sk = key->composite != NULL ? aioli_composite_key_secret(key->composite) : key->own_sk;
  return 1;
}

static aioli_status make_room(Key *key, int secret) {
  key->own_pk = OPENSSL_malloc(key->set->pk_bytes);
  if (secret) key->own_sk = OPENSSL_secure_malloc(key->set->sk_bytes);
  return key->own_pk == NULL || (secret && key->own_sk == NULL) ? AIOLI_ERR_MEMORY : AIOLI_OK;
}

int key_fill_public(Key *key, const uint8_t *pk, size_t pk_bytes) {
  const Set *const set = key->set;
  if (is_filled(key)) return 0;
  if (pk_bytes != set->pk_bytes)
    return raise_error(key->provider, AIOLI_ERR_LENGTH, "%s: a public key of %zu bytes", set->name, pk_bytes);
  if (set->composite != NULL)
    return filled(key, aioli_composite_key_from_public(&key->composite, set->composite, key->provider->libctx, pk, pk_bytes),
                  "public key");
  const aioli_status status = make_room(key, 0);
  if (status == AIOLI_OK) memcpy(key->own_pk, pk, pk_bytes);
  return filled(key, status, "public key");
}

int key_fill_from_seed(Key *key, const uint8_t *seed, size_t seed_bytes) {
  const Set *const set = key->set;
  const aioli_env *const env = &key->provider->env;
  if (is_filled(key)) return 0;
  if (set->composite != NULL)
    return filled(key,
                  aioli_composite_key_from_seed(&key->composite, set->composite, key->provider->libctx, seed, seed_bytes, env),
                  "key from a seed");
  aioli_status status = make_room(key, 1);
  if (status == AIOLI_OK)
    status = aioli_keypair_from_seed(set->alg, key->own_pk, set->pk_bytes, key->own_sk, set->sk_bytes, seed, seed_bytes, env);
  return filled(key, status, "key from a seed");
}

int key_fill_random(Key *key) {
  const Set *const set = key->set;
  const aioli_env *const env = &key->provider->env;
  if (is_filled(key)) return 0;
  if (set->composite != NULL)
    return filled(key, aioli_composite_key_generate(&key->composite, set->composite, key->provider->libctx, env),
                  "key generation");
  aioli_status status = make_room(key, 1);
  if (status == AIOLI_OK) status = aioli_keypair(set->alg, key->own_pk, set->pk_bytes, key->own_sk, set->sk_bytes, env);
  return filled(key, status, "key generation");
}

int key_fill_secret(Key *key, const uint8_t *sk, size_t sk_bytes, const uint8_t *pk, size_t pk_bytes) {
  const Set *const set = key->set;
  if (sk_bytes != set->sk_bytes || (pk != NULL && pk_bytes != set->pk_bytes))
    return raise_error(key->provider, AIOLI_ERR_LENGTH, "%s: a secret key of %zu bytes", set->name, sk_bytes);
  if (set->composite == NULL) {
    if (!key_fill_from_seed(key, sk, set->seed_bytes)) return 0;
  } else {
    if (is_filled(key)) return 0;
    const aioli_status status = aioli_composite_key_from_secret(&key->composite, set->composite, key->provider->libctx, sk,
                                                                sk_bytes, &key->provider->env);
    if (!filled(key, status, "secret key")) return 0;
  }
  const int differs = CRYPTO_memcmp(key->sk, sk, sk_bytes) | (pk != NULL ? CRYPTO_memcmp(key->pk, pk, pk_bytes) : 0);
  return differs == 0 ? 1 : fail(key, AIOLI_ERR_MISMATCH, "secret key");
}

aioli_status key_sign(Key *key, Message *message, uint8_t *sig, size_t *sig_bytes) {
  const Set *const set = key->set;
  const aioli_env *const env = &key->provider->env;
  uint8_t digest[EVP_MAX_MD_SIZE];
  if (set->composite != NULL)
    return aioli_composite_sign_digest(key->composite, sig, set->sig_bytes, sig_bytes, digest, message_digest(message, digest),
                                       NULL, 0, env);
  *sig_bytes = set->sig_bytes;
  return expanding_sign(&key->expanding, key->sk, &message->hash, sig, env);
}

aioli_status key_verify(Key *key, Message *message, const uint8_t *sig, size_t sig_bytes) {
  uint8_t digest[EVP_MAX_MD_SIZE];
  if (key->set->composite != NULL)
    return aioli_composite_verify_digest(key->composite, sig, sig_bytes, digest, message_digest(message, digest), NULL, 0);
  return expanding_verify(&key->expanding, key->pk, &message->hash, sig, sig_bytes);
}
