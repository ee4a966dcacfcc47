/* SPDX-License-Identifier: Apache-2.0
 *
 * A key of the provider.  It does not change once it is filled; what is expanded from it on repeated use is hidden in it.
 */
#ifndef AIOLI_OPENSSL_KEY_H
#define AIOLI_OPENSSL_KEY_H

#include "../../composite/src/expanding.h"
#include "message.h"
#include "provider.h"

typedef struct Key {
  Provider *provider;
  const Set *set;
  atomic_int references;
  const uint8_t *pk;        /* NULL: there is none yet.  A key with sk has pk. */
  const uint8_t *sk;        /* NULL: there is none */
  uint8_t *own_pk, *own_sk; /* where these two lie, unless in composite */
  Expanding expanding;
  aioli_composite_key *composite;
} Key;

Key *key_new(Provider *provider, const Set *set);
void key_free(Key *key);
Key *key_hold(Key *key);

/* Each fills an empty key and raises an error, status included, when it cannot: then the key stays empty.
 *
 * key_fill_secret computes the public key, and what else sk holds besides its seed, and compares: AIOLI_ERR_MISMATCH.  pk may be
 * NULL. */
int key_fill_public(Key *key, const uint8_t *pk, size_t pk_bytes);
int key_fill_secret(Key *key, const uint8_t *sk, size_t sk_bytes, const uint8_t *pk, size_t pk_bytes);
int key_fill_from_seed(Key *key, const uint8_t *seed, size_t seed_bytes);
int key_fill_random(Key *key);

/* Sign and verify a message that was hashed.  sig has room for set->sig_bytes. */
aioli_status key_sign(Key *key, Message *message, uint8_t *sig, size_t *sig_bytes);
aioli_status key_verify(Key *key, Message *message, const uint8_t *sig, size_t sig_bytes);

#endif
