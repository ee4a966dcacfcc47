/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures (provider-signature(7)).  Messages are hashed as they come, so that one of any size takes constant memory.
 *
 * What is signed is the message: the schemes hash it themselves, and a digest before that is refused, as ML-DSA and Ed25519 do.
 */
#include "key.h"
#include "message.h"

/* Since OpenSSL 3.4; older ones pass over functions that they do not know. */
#ifndef OSSL_FUNC_SIGNATURE_QUERY_KEY_TYPES
#define OSSL_FUNC_SIGNATURE_QUERY_KEY_TYPES 26
#define OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT 27
#define OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_UPDATE 28
#define OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_FINAL 29
#define OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT 30
#define OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_UPDATE 31
#define OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_FINAL 32
#define OSSL_SIGNATURE_PARAM_SIGNATURE "signature"
#endif

typedef struct Signing {
  Provider *provider;
  Key *key;
  Message message;    /* open between the beginning and the signature */
  uint8_t *signature; /* to be verified, when it comes before the message */
  size_t signature_bytes;
} Signing;

static void *new_context(void *provider, const char *properties) {
  (void)properties;
  Signing *const s = OPENSSL_zalloc(sizeof *s);
  if (s != NULL) s->provider = provider;
  return s;
}

static void free_context(void *context) {
  Signing *const s = context;
  if (s == NULL) return;
  message_close(&s->message);
  key_free(s->key);
  OPENSSL_free(s->signature);
  OPENSSL_clear_free(s, sizeof *s);
}

static void *duplicate_context(void *context) {
  const Signing *const from = context;
  Signing *const to = OPENSSL_zalloc(sizeof *to);
  if (to == NULL) return NULL;
  to->provider = from->provider;
  if (from->key != NULL) to->key = key_hold(from->key);
  if (message_copy(&to->message, &from->message) != AIOLI_OK) {
    free_context(to);
    return NULL;
  }
  to->signature_bytes = from->signature_bytes;
  if (from->signature == NULL) return to;
  to->signature = OPENSSL_memdup(from->signature, from->signature_bytes);
  if (to->signature != NULL) return to;
  free_context(to);
  return NULL;
}

static int set_signature(Signing *s, const OSSL_PARAM params[]) {
  const OSSL_PARAM *const p = params != NULL ? OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_SIGNATURE) : NULL;
  if (p == NULL) return 1;
  OPENSSL_free(s->signature);
  s->signature = NULL;
  return OSSL_PARAM_get_octet_string(p, (void **)&s->signature, 0, &s->signature_bytes);
}

static int set_context_params(void *context, const OSSL_PARAM params[]) { return set_signature(context, params); }

static const OSSL_PARAM *settable_context_params(void *context, void *provider) {
  static const OSSL_PARAM settable[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_SIGNATURE, NULL, 0), OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return settable;
}

/* The same context may sign several messages, one call each: each is opened anew. */
static int reopen(Signing *s) {
  if (s->key == NULL) return raise_error(s->provider, AIOLI_ERR_STATE, "no message is open");
  const aioli_status status = message_open(&s->message, s->provider, s->key->set);
  return status == AIOLI_OK || raise_error(s->provider, status, "%s", s->key->set->name);
}

/* A context that is used again may leave the key out. */
static int begin(Signing *s, void *object, int secret, const char *digest, const OSSL_PARAM params[]) {
  Key *const key = object != NULL ? object : s->key;
  if (key == NULL) return raise_error(s->provider, AIOLI_ERR_ARGUMENT, "there is no key");
  if (key->pk == NULL || (secret && key->sk == NULL))
    return raise_error(s->provider, AIOLI_ERR_ARGUMENT, "%s: this operation needs the %s key", key->set->name,
                       secret ? "secret" : "public");
  if (key != s->key) {
    key_hold(key);
    key_free(s->key);
    s->key = key;
  }
  if (digest != NULL && digest[0] != 0 && strcmp(digest, "UNDEF") != 0)
    return raise_error(s->provider, AIOLI_ERR_ARGUMENT, "%s hashes the message itself and takes no digest: %s", key->set->name,
                       digest);
  return reopen(s) && set_signature(s, params);
}

static int digest_sign_init(void *context, const char *digest, void *key, const OSSL_PARAM params[]) {
  return begin(context, key, 1, digest, params);
}
static int digest_verify_init(void *context, const char *digest, void *key, const OSSL_PARAM params[]) {
  return begin(context, key, 0, digest, params);
}
static int sign_init(void *context, void *key, const OSSL_PARAM params[]) { return begin(context, key, 1, NULL, params); }
static int verify_init(void *context, void *key, const OSSL_PARAM params[]) { return begin(context, key, 0, NULL, params); }

static int update(void *context, const unsigned char *data, size_t count) {
  Signing *const s = context;
  const aioli_status status = message_update(&s->message, data, count);
  return status == AIOLI_OK || raise_error(s->provider, status, "%s", s->key != NULL ? s->key->set->name : "no key");
}

static int sign_final(void *context, unsigned char *sig, size_t *sig_bytes, size_t capacity) {
  Signing *const s = context;
  if (s->key == NULL || s->message.set == NULL) return raise_error(s->provider, AIOLI_ERR_STATE, "no message is open");
  const size_t wanted = s->key->set->sig_bytes;
  *sig_bytes = wanted;
  if (sig == NULL) return 1; /* how long will it be? */
  if (capacity < wanted)
    return raise_error(s->provider, AIOLI_ERR_BUFFER, "%s: a signature has %zu bytes", s->key->set->name, wanted);
  const aioli_status status = key_sign(s->key, &s->message, sig, sig_bytes);
  message_close(&s->message);
  return status == AIOLI_OK || raise_error(s->provider, status, "%s", s->key->set->name);
}

static int verify_final(void *context, const unsigned char *sig, size_t sig_bytes) {
  Signing *const s = context;
  if (s->key == NULL || s->message.set == NULL) return raise_error(s->provider, AIOLI_ERR_STATE, "no message is open");
  const aioli_status status = key_verify(s->key, &s->message, sig, sig_bytes);
  message_close(&s->message);
  return status == AIOLI_OK || raise_error(s->provider, status, "%s", s->key->set->name);
}

static int sign(void *context, unsigned char *sig, size_t *sig_bytes, size_t capacity, const unsigned char *message,
                size_t count) {
  return reopen(context) && (sig == NULL || update(context, message, count)) && sign_final(context, sig, sig_bytes, capacity);
}

static int verify(void *context, const unsigned char *sig, size_t sig_bytes, const unsigned char *message, size_t count) {
  return reopen(context) && update(context, message, count) && verify_final(context, sig, sig_bytes);
}

static int verify_message_final(void *context) {
  const Signing *const s = context;
  if (s->signature == NULL) return raise_error(s->provider, AIOLI_ERR_STATE, "there is no signature to verify");
  return verify_final(context, s->signature, s->signature_bytes);
}

static int get_context_params(void *context, OSSL_PARAM params[]) {
  const Signing *const s = context;
  OSSL_PARAM *const p = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
  if (p == NULL) return 1;
  return s->key != NULL && OSSL_PARAM_set_octet_string(p, s->key->set->algorithm_id, s->key->set->algorithm_id_bytes);
}

static const OSSL_PARAM *gettable_context_params(void *context, void *provider) {
  static const OSSL_PARAM gettable[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0), OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return gettable;
}

const OSSL_DISPATCH signature_functions[] = {{OSSL_FUNC_SIGNATURE_NEWCTX, (Function)new_context},
                                             {OSSL_FUNC_SIGNATURE_FREECTX, (Function)free_context},
                                             {OSSL_FUNC_SIGNATURE_DUPCTX, (Function)duplicate_context},
                                             {OSSL_FUNC_SIGNATURE_SIGN_INIT, (Function)sign_init},
                                             {OSSL_FUNC_SIGNATURE_SIGN, (Function)sign},
                                             {OSSL_FUNC_SIGNATURE_VERIFY_INIT, (Function)verify_init},
                                             {OSSL_FUNC_SIGNATURE_VERIFY, (Function)verify},
                                             {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, (Function)digest_sign_init},
                                             {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, (Function)update},
                                             {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, (Function)sign_final},
                                             {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, (Function)digest_verify_init},
                                             {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, (Function)update},
                                             {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, (Function)verify_final},
                                             {OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT, (Function)sign_init},
                                             {OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_UPDATE, (Function)update},
                                             {OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_FINAL, (Function)sign_final},
                                             {OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT, (Function)verify_init},
                                             {OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_UPDATE, (Function)update},
                                             {OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_FINAL, (Function)verify_message_final},
                                             {OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, (Function)get_context_params},
                                             {OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, (Function)gettable_context_params},
                                             {OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, (Function)set_context_params},
                                             {OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, (Function)settable_context_params},
                                             {0, NULL}};
