/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of the provider, as OpenSSL handles them (provider-keymgmt(7)).
 */
#include "key.h"

#define PARAM_SEED "seed" /* as ML-DSA of OpenSSL 3.5 calls it */

/* Names that headers older than the library that runs do not have. */
#ifndef OSSL_PKEY_PARAM_SECURITY_CATEGORY
#define OSSL_PKEY_PARAM_SECURITY_CATEGORY "security-category"
#endif

typedef struct Generation {
  Provider *provider;
  const Set *set;
  uint8_t seed[80];
  size_t seed_bytes; /* 0: none was given */
} Generation;

static int has(const void *object, int selection) {
  const Key *const key = object;
  if (key == NULL) return 0;
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && key->pk == NULL) return 0;
  return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || key->sk != NULL;
}

/* A secret key belongs to one public key, so that comparing the public ones compares both. */
static int match(const void *first, const void *second, int selection) {
  const Key *const a = first, *const b = second;
  if (a->set != b->set) return 0;
  if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return 1;
  return a->pk != NULL && b->pk != NULL && memcmp(a->pk, b->pk, a->set->pk_bytes) == 0;
}

static int validate(const void *object, int selection, int check_type) {
  const Key *const key = object;
  (void)check_type;
  if (!has(key, selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return 0;
  if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != OSSL_KEYMGMT_SELECT_KEYPAIR) return 1;
  Key *const again = key_new(key->provider, key->set);
  if (again == NULL) return 0;
  const int valid = key_fill_secret(again, key->sk, key->set->sk_bytes, key->pk, key->set->pk_bytes);
  key_free(again);
  return valid;
}

static int octets(const OSSL_PARAM params[], const char *name, const uint8_t **bytes, size_t *count) {
  const OSSL_PARAM *const p = OSSL_PARAM_locate_const(params, name);
  *bytes = NULL;
  *count = 0;
  const void *data = NULL;
  if (p == NULL) return 1;
  if (!OSSL_PARAM_get_octet_string_ptr(p, &data, count)) return 0;
  *bytes = data;
  return 1;
}

static int import(void *object, int selection, const OSSL_PARAM params[]) {
  Key *const key = object;
  const uint8_t *pk, *sk, *seed;
  size_t pk_bytes, sk_bytes, seed_bytes;
  if (!octets(params, OSSL_PKEY_PARAM_PUB_KEY, &pk, &pk_bytes) || !octets(params, OSSL_PKEY_PARAM_PRIV_KEY, &sk, &sk_bytes) ||
      !octets(params, PARAM_SEED, &seed, &seed_bytes))
    return raise_error(key->provider, AIOLI_ERR_ARGUMENT, "%s: keys are octet strings", key->set->name);
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && seed != NULL) {
    Key *const made = key_new(key->provider, key->set); /* what the others are compared with */
    int ok = made != NULL && key_fill_from_seed(made, seed, seed_bytes);
    if (ok && sk != NULL && (sk_bytes != key->set->sk_bytes || CRYPTO_memcmp(sk, made->sk, sk_bytes) != 0))
      ok = raise_error(key->provider, AIOLI_ERR_MISMATCH, "%s: the private key is not that of the seed", key->set->name);
    ok = ok && key_fill_secret(key, made->sk, key->set->sk_bytes, pk, pk_bytes);
    key_free(made);
    return ok;
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && sk != NULL) return key_fill_secret(key, sk, sk_bytes, pk, pk_bytes);
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && pk != NULL) return key_fill_public(key, pk, pk_bytes);
  return raise_error(key->provider, AIOLI_ERR_ARGUMENT, "%s: there is no key to import", key->set->name);
}

static int export(void *object, int selection, OSSL_CALLBACK *callback, void *argument) {
  const Key *const key = object;
  if (key == NULL || !has(key, selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return 0;
  OSSL_PARAM params[3], *p = params;
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0)
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)key->pk, key->set->pk_bytes);
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0)
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, (void *)key->sk, key->set->sk_bytes);
  *p = OSSL_PARAM_construct_end();
  return callback(params, argument);
}

static const OSSL_PARAM *key_types(int selection) {
  static const OSSL_PARAM types[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
                                     OSSL_PARAM_octet_string(PARAM_SEED, NULL, 0),
                                     OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0), OSSL_PARAM_END};
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0) return types;
  return (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 ? types + 2 : types + 3;
}

static void *duplicate(const void *object, int selection) {
  Key *const key = (Key *)object;
  if (!has(key, selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return NULL;
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 || key->sk == NULL) return key_hold(key); /* keys do not change */
  Key *const public_half = key_new(key->provider, key->set);
  if (public_half != NULL && (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 &&
      !key_fill_public(public_half, key->pk, key->set->pk_bytes)) {
    key_free(public_half);
    return NULL;
  }
  return public_half;
}

static void *load(const void *reference, size_t reference_bytes) {
  Key *key = NULL;
  if (reference_bytes != sizeof key) return NULL;
  key = *(Key *const *)reference;
  *(Key **)reference = NULL; /* what a decoder made is ours now */
  return key;
}

static int set_octets(OSSL_PARAM params[], const char *name, const uint8_t *bytes, size_t count) {
  OSSL_PARAM *const p = OSSL_PARAM_locate(params, name);
  return p == NULL || bytes == NULL || OSSL_PARAM_set_octet_string(p, bytes, count);
}

static int set_number(OSSL_PARAM params[], const char *name, size_t value) {
  OSSL_PARAM *const p = OSSL_PARAM_locate(params, name);
  return p == NULL || OSSL_PARAM_set_size_t(p, value);
}

static int get_params(void *object, OSSL_PARAM params[]) {
  const Key *const key = object;
  const Set *const set = key->set;
  const uint8_t *const seed = set->composite == NULL || set->sk_bytes == set->seed_bytes ? key->sk : NULL;
  OSSL_PARAM *const digest = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MANDATORY_DIGEST);
  return set_number(params, OSSL_PKEY_PARAM_BITS, 8 * set->pk_bytes) &&
         set_number(params, OSSL_PKEY_PARAM_SECURITY_BITS, set->security_bits) &&
         set_number(params, OSSL_PKEY_PARAM_MAX_SIZE, set->sig_bytes) &&
         set_number(params, OSSL_PKEY_PARAM_SECURITY_CATEGORY, (size_t)aioli_alg_category(set->alg)) &&
         (digest == NULL || OSSL_PARAM_set_utf8_string(digest, "")) && /* no digest goes before the scheme's own */
         set_octets(params, OSSL_PKEY_PARAM_PUB_KEY, key->pk, set->pk_bytes) &&
         set_octets(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, key->pk, set->pk_bytes) &&
         set_octets(params, OSSL_PKEY_PARAM_PRIV_KEY, key->sk, set->sk_bytes) &&
         set_octets(params, PARAM_SEED, seed, set->seed_bytes);
}

static const OSSL_PARAM *gettable_params(void *provider) {
  static const OSSL_PARAM gettable[] = {OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
                                        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
                                        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
                                        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_CATEGORY, NULL),
                                        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, NULL, 0),
                                        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
                                        OSSL_PARAM_octet_string(PARAM_SEED, NULL, 0),
                                        OSSL_PARAM_END};
  (void)provider;
  return gettable;
}

/* ---- generation ------------------------------------------------------------------------------------------------------- */

static int gen_set_params(void *context, const OSSL_PARAM params[]) {
  Generation *const gen = context;
  const OSSL_PARAM *const p = params != NULL ? OSSL_PARAM_locate_const(params, PARAM_SEED) : NULL;
  if (p == NULL) return 1;
  const void *seed = NULL;
  size_t count = 0;
  if (!OSSL_PARAM_get_octet_string_ptr(p, &seed, &count) || count != gen->set->seed_bytes || count > sizeof gen->seed)
    return raise_error(gen->provider, AIOLI_ERR_LENGTH, "%s: a seed has %zu bytes", gen->set->name, gen->set->seed_bytes);
  memcpy(gen->seed, seed, count); /* one that was set before stays until here */
  gen->seed_bytes = count;
  return 1;
}

static const OSSL_PARAM *gen_settable_params(void *context, void *provider) {
  static const OSSL_PARAM settable[] = {OSSL_PARAM_octet_string(PARAM_SEED, NULL, 0), OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return settable;
}

static void *gen_init(Provider *provider, const Set *set, const OSSL_PARAM params[]) {
  Generation *const gen = OPENSSL_zalloc(sizeof *gen);
  if (gen == NULL) return NULL;
  gen->provider = provider;
  gen->set = set;
  if (gen_set_params(gen, params)) return gen;
  OPENSSL_clear_free(gen, sizeof *gen);
  return NULL;
}

static void *generate(void *context, OSSL_CALLBACK *callback, void *argument) {
  const Generation *const gen = context;
  (void)callback;
  (void)argument;
  Key *const key = key_new(gen->provider, gen->set);
  if (key == NULL) return NULL;
  if (gen->seed_bytes != 0 ? key_fill_from_seed(key, gen->seed, gen->seed_bytes) : key_fill_random(key)) return key;
  key_free(key);
  return NULL;
}

static void gen_cleanup(void *context) { OPENSSL_clear_free(context, sizeof(Generation)); }

static void free_key(void *object) { key_free(object); }

/* ---- one table of functions for each set: only `new` and `gen_init` know which it is ---------------------------------- */

#define X(id, name, alias, point)                                                                                        \
  static void *new_##id(void *provider) { return key_new(provider, &((Provider *)provider)->sets[set_##id]); }           \
  static void *gen_init_##id(void *provider, int selection, const OSSL_PARAM params[]) {                                 \
    (void)selection;                                                                                                     \
    return gen_init(provider, &((Provider *)provider)->sets[set_##id], params);                                          \
  }                                                                                                                      \
  static const OSSL_DISPATCH functions_##id[] = {{OSSL_FUNC_KEYMGMT_NEW, (Function)new_##id},                            \
                                                 {OSSL_FUNC_KEYMGMT_FREE, (Function)free_key},                           \
                                                 {OSSL_FUNC_KEYMGMT_HAS, (Function)has},                                 \
                                                 {OSSL_FUNC_KEYMGMT_MATCH, (Function)match},                             \
                                                 {OSSL_FUNC_KEYMGMT_VALIDATE, (Function)validate},                       \
                                                 {OSSL_FUNC_KEYMGMT_IMPORT, (Function)import},                           \
                                                 {OSSL_FUNC_KEYMGMT_IMPORT_TYPES, (Function)key_types},                  \
                                                 {OSSL_FUNC_KEYMGMT_EXPORT, (Function) export},                          \
                                                 {OSSL_FUNC_KEYMGMT_EXPORT_TYPES, (Function)key_types},                  \
                                                 {OSSL_FUNC_KEYMGMT_DUP, (Function)duplicate},                           \
                                                 {OSSL_FUNC_KEYMGMT_LOAD, (Function)load},                               \
                                                 {OSSL_FUNC_KEYMGMT_GET_PARAMS, (Function)get_params},                   \
                                                 {OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, (Function)gettable_params},         \
                                                 {OSSL_FUNC_KEYMGMT_GEN_INIT, (Function)gen_init_##id},                  \
                                                 {OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, (Function)gen_set_params},           \
                                                 {OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, (Function)gen_settable_params}, \
                                                 {OSSL_FUNC_KEYMGMT_GEN, (Function)generate},                            \
                                                 {OSSL_FUNC_KEYMGMT_GEN_CLEANUP, (Function)gen_cleanup},                 \
                                                 {0, NULL}};
AIOLI_OPENSSL_SETS(X)
#undef X

#define X(id, name, alias, point) functions_##id,
const OSSL_DISPATCH *const keymgmt_functions[set_count] = {AIOLI_OPENSSL_SETS(X)};
#undef X
