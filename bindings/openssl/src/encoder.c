/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys to DER, PEM and text (provider-encoder(7)).  The bytes are those of aioli_key_encode; libcrypto encrypts.
 */
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include "key.h"

typedef struct Encoder {
  Provider *provider;
  char cipher[64]; /* "": the key is not encrypted */
  char properties[128];
} Encoder;

static void *new_encoder(void *provider) {
  Encoder *const encoder = OPENSSL_zalloc(sizeof *encoder);
  if (encoder != NULL) encoder->provider = provider;
  return encoder;
}

static void free_encoder(void *encoder) { OPENSSL_free(encoder); }

static int copy_text(const OSSL_PARAM params[], const char *name, char *out, size_t capacity) {
  const OSSL_PARAM *const p = OSSL_PARAM_locate_const(params, name);
  const char *text = NULL;
  if (p == NULL) return 1;
  out[0] = 0;
  if (!OSSL_PARAM_get_utf8_string_ptr(p, &text)) return 0;
  if (text == NULL) return 1;
  if (strlen(text) >= capacity) return 0;
  strcpy(out, text);
  return 1;
}

static int set_params(void *context, const OSSL_PARAM params[]) {
  Encoder *const encoder = context;
  return copy_text(params, OSSL_ENCODER_PARAM_CIPHER, encoder->cipher, sizeof encoder->cipher) &&
         copy_text(params, OSSL_ENCODER_PARAM_PROPERTIES, encoder->properties, sizeof encoder->properties);
}

static const OSSL_PARAM *settable_params(void *provider) {
  static const OSSL_PARAM settable[] = {OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, NULL, 0),
                                        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_PROPERTIES, NULL, 0), OSSL_PARAM_END};
  (void)provider;
  return settable;
}

static int selects_private(void *encoder, int selection) {
  (void)encoder;
  return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
}

static int selects_public(void *encoder, int selection) {
  (void)encoder;
  return selection == 0 ||
         ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 && (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0);
}

static int selects_any(void *encoder, int selection) {
  (void)encoder;
  return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
}

/* ---- DER and PEM ------------------------------------------------------------------------------------------------------ */

/* Memory for a file: secure if it will hold a secret key. */
static uint8_t *file_memory(aioli_key_kind kind, size_t count) {
  return kind == AIOLI_KEY_SECRET ? OPENSSL_secure_malloc(count) : OPENSSL_malloc(count);
}

static void free_file(aioli_key_kind kind, uint8_t *file, size_t count) {
  if (kind == AIOLI_KEY_SECRET)
    OPENSSL_secure_clear_free(file, count);
  else
    OPENSSL_free(file);
}

/* DER as PEM; out has room for what aioli_key_encode would need, and more. */
static aioli_status armoured(aioli_key_kind kind, const uint8_t *der, size_t der_bytes, uint8_t *out, size_t capacity,
                             size_t *count) {
  const char *const name = kind == AIOLI_KEY_SECRET ? PEM_STRING_PKCS8INF : PEM_STRING_PUBLIC;
  BIO *const memory = BIO_new(kind == AIOLI_KEY_SECRET ? BIO_s_secmem() : BIO_s_mem());
  char *text = NULL;
  long n = 0;
  if (memory != NULL && PEM_write_bio(memory, name, "", der, (long)der_bytes) > 0) n = BIO_get_mem_data(memory, &text);
  const aioli_status status = n <= 0 ? AIOLI_ERR_MEMORY : (size_t)n > capacity ? AIOLI_ERR_BUFFER : AIOLI_OK;
  if (status == AIOLI_OK) memcpy(out, text, *count = (size_t)n);
  BIO_free(memory);
  return status;
}

static aioli_status encode_composite(const Key *key, aioli_key_kind kind, aioli_key_encoding encoding, uint8_t *out,
                                     size_t capacity, size_t *count) {
  const char *const oid = key->set->oid;
  if (encoding == AIOLI_KEY_DER) return aioli_composite_key_encode(key->composite, kind, out, capacity, count, oid);
  const size_t most = aioli_composite_file_bytes_max(key->set->composite, kind);
  uint8_t *const der = file_memory(kind, most);
  size_t der_bytes = 0;
  if (der == NULL) return AIOLI_ERR_MEMORY;
  aioli_status status = aioli_composite_key_encode(key->composite, kind, der, most, &der_bytes, oid);
  if (status == AIOLI_OK) status = armoured(kind, der, der_bytes, out, capacity, count);
  free_file(kind, der, most);
  return status;
}

/* The encoded key on the heap, and its length. */
static uint8_t *encoded(const Encoder *encoder, const Key *key, aioli_key_kind kind, aioli_key_encoding encoding, size_t *count,
                        size_t *capacity) {
  const Set *const set = key->set;
  const uint8_t *const raw = kind == AIOLI_KEY_SECRET ? key->sk : key->pk;
  const size_t raw_bytes = kind == AIOLI_KEY_SECRET ? set->sk_bytes : set->pk_bytes;
  *capacity = set->composite != NULL ? 2 * aioli_composite_file_bytes_max(set->composite, kind)
                                     : aioli_key_encoded_bytes_max(set->alg, kind, encoding);
  uint8_t *const out = raw != NULL ? file_memory(kind, *capacity) : NULL;
  if (raw == NULL) raise_error(encoder->provider, AIOLI_ERR_ARGUMENT, "%s: the key has no such half", set->name);
  if (out == NULL) return NULL;
  const aioli_status status = set->composite != NULL ? encode_composite(key, kind, encoding, out, *capacity, count)
                                                     : aioli_key_encode(set->alg, kind, encoding, out, *capacity, count, raw,
                                                                        raw_bytes, encoder->provider->overrides);
  if (status == AIOLI_OK) return out;
  raise_error(encoder->provider, status, "%s", set->name);
  free_file(kind, out, *capacity);
  return NULL;
}

static int write_plain(const Encoder *encoder, OSSL_CORE_BIO *out, const Key *key, aioli_key_kind kind,
                       aioli_key_encoding encoding) {
  size_t count = 0, capacity = 0;
  uint8_t *const file = encoded(encoder, key, kind, encoding, &count, &capacity);
  if (file == NULL) return 0;
  const int ok = write_all(encoder->provider, out, file, count);
  free_file(kind, file, capacity);
  return ok;
}

static int encrypt(const Encoder *encoder, PKCS8_PRIV_KEY_INFO *plain, X509_SIG **encrypted, OSSL_PASSPHRASE_CALLBACK *ask,
                   void *argument) {
  char passphrase[1024];
  size_t count = 0;
  const OSSL_PARAM none[] = {OSSL_PARAM_construct_end()};
  EVP_CIPHER *const cipher = EVP_CIPHER_fetch(encoder->provider->libctx, encoder->cipher, encoder->properties);
  if (cipher == NULL) return raise_error(encoder->provider, AIOLI_ERR_ARGUMENT, "cipher %s", encoder->cipher);
  if (ask != NULL && ask(passphrase, sizeof passphrase, &count, none, argument))
    *encrypted =
        PKCS8_encrypt_ex(-1, cipher, passphrase, (int)count, NULL, 0, 0, plain, encoder->provider->libctx, encoder->properties);
  else
    raise_error(encoder->provider, AIOLI_ERR_ARGUMENT, "there is no passphrase to encrypt under");
  OPENSSL_cleanse(passphrase, sizeof passphrase);
  EVP_CIPHER_free(cipher);
  return *encrypted != NULL;
}

static int write_encrypted(const Encoder *encoder, OSSL_CORE_BIO *out, const Key *key, int pem, OSSL_PASSPHRASE_CALLBACK *ask,
                           void *argument) {
  size_t count = 0, capacity = 0;
  uint8_t *const der = encoded(encoder, key, AIOLI_KEY_SECRET, AIOLI_KEY_DER, &count, &capacity);
  if (der == NULL) return 0;
  const uint8_t *p = der;
  PKCS8_PRIV_KEY_INFO *const plain = d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, (long)count);
  OPENSSL_secure_clear_free(der, capacity);
  X509_SIG *encrypted = NULL;
  BIO *const memory = BIO_new(BIO_s_mem());
  char *bytes = NULL;
  int ok = plain != NULL && memory != NULL && encrypt(encoder, plain, &encrypted, ask, argument) &&
           (pem ? PEM_write_bio_PKCS8(memory, encrypted) : i2d_PKCS8_bio(memory, encrypted)) > 0;
  if (ok) {
    const long n = BIO_get_mem_data(memory, &bytes);
    ok = n > 0 && write_all(encoder->provider, out, bytes, (size_t)n);
  }
  BIO_free(memory);
  X509_SIG_free(encrypted);
  PKCS8_PRIV_KEY_INFO_free(plain);
  return ok;
}

static int encode_private(const Encoder *encoder, OSSL_CORE_BIO *out, const Key *key, int pem, int must_encrypt,
                          OSSL_PASSPHRASE_CALLBACK *ask, void *argument) {
  if (encoder->cipher[0] != 0) return write_encrypted(encoder, out, key, pem, ask, argument);
  if (must_encrypt) return raise_error(encoder->provider, AIOLI_ERR_ARGUMENT, "EncryptedPrivateKeyInfo needs a cipher");
  return write_plain(encoder, out, key, AIOLI_KEY_SECRET, pem ? AIOLI_KEY_PEM : AIOLI_KEY_DER);
}

#define PARAMETERS                                                                                                               \
  void *context, OSSL_CORE_BIO *out, const void *key, const OSSL_PARAM abstract[], int selection, OSSL_PASSPHRASE_CALLBACK *ask, \
      void *argument
#define UNUSED (void)selection, (void)ask, (void)argument

static int private_der(PARAMETERS) {
  UNUSED;
  return abstract == NULL && encode_private(context, out, key, 0, 0, ask, argument);
}
static int private_pem(PARAMETERS) {
  UNUSED;
  return abstract == NULL && encode_private(context, out, key, 1, 0, ask, argument);
}
static int encrypted_der(PARAMETERS) {
  UNUSED;
  return abstract == NULL && encode_private(context, out, key, 0, 1, ask, argument);
}
static int encrypted_pem(PARAMETERS) {
  UNUSED;
  return abstract == NULL && encode_private(context, out, key, 1, 1, ask, argument);
}
static int public_der(PARAMETERS) {
  UNUSED;
  return abstract == NULL && write_plain(context, out, key, AIOLI_KEY_PUBLIC, AIOLI_KEY_DER);
}
static int public_pem(PARAMETERS) {
  UNUSED;
  return abstract == NULL && write_plain(context, out, key, AIOLI_KEY_PUBLIC, AIOLI_KEY_PEM);
}

/* ---- text ------------------------------------------------------------------------------------------------------------- */

/* Fifteen bytes on a line, as other keys are printed. */
static int write_hex(const Provider *provider, OSSL_CORE_BIO *out, const char *title, const uint8_t *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  int ok = write_all(provider, out, title, strlen(title));
  for (size_t i = 0; ok && i < count; i += 15) {
    char line[4 + 3 * 15 + 1] = "    ";
    char *p = line + 4;
    for (size_t j = i; j < count && j < i + 15; j++) {
      *p++ = digits[bytes[j] >> 4];
      *p++ = digits[bytes[j] & 15];
      if (j + 1 < count) *p++ = ':';
    }
    *p++ = '\n';
    ok = write_all(provider, out, line, (size_t)(p - line));
    OPENSSL_cleanse(line, sizeof line);
  }
  return ok;
}

static int text(PARAMETERS) {
  const Encoder *const encoder = context;
  const Provider *const provider = encoder->provider;
  const Key *const k = key;
  UNUSED;
  if (abstract != NULL) return 0;
  const int is_seed = k->set->composite == NULL;
  const int secret = k->sk != NULL && (selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0);
  const char *const title = secret ? " Private-Key:\n" : " Public-Key:\n";
  if (!write_all(provider, out, k->set->name, strlen(k->set->name)) || !write_all(provider, out, title, strlen(title))) return 0;
  if (secret &&
      !write_hex(provider, out, is_seed ? "seed:\n" : "priv:\n", k->sk, is_seed ? k->set->seed_bytes : k->set->sk_bytes))
    return 0;
  return k->pk == NULL || write_hex(provider, out, "pub:\n", k->pk, k->set->pk_bytes);
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

#define TABLE(encode, selects)                                                                                 \
  {                                                                                                            \
    {OSSL_FUNC_ENCODER_NEWCTX, (Function)new_encoder}, {OSSL_FUNC_ENCODER_FREECTX, (Function)free_encoder},    \
        {OSSL_FUNC_ENCODER_SET_CTX_PARAMS, (Function)set_params},                                              \
        {OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, (Function)settable_params},                                    \
        {OSSL_FUNC_ENCODER_DOES_SELECTION, (Function)selects}, {OSSL_FUNC_ENCODER_ENCODE, (Function)encode}, { \
      0, NULL                                                                                                  \
    }                                                                                                          \
  }

void list_encoders(Provider *provider) {
  static const struct {
    const char *properties;
    OSSL_DISPATCH functions[7];
  } forms[7] = {
      {"provider=aioli,output=der,structure=PrivateKeyInfo", TABLE(private_der, selects_private)},
      {"provider=aioli,output=pem,structure=PrivateKeyInfo", TABLE(private_pem, selects_private)},
      {"provider=aioli,output=der,structure=EncryptedPrivateKeyInfo", TABLE(encrypted_der, selects_private)},
      {"provider=aioli,output=pem,structure=EncryptedPrivateKeyInfo", TABLE(encrypted_pem, selects_private)},
      {"provider=aioli,output=der,structure=SubjectPublicKeyInfo", TABLE(public_der, selects_public)},
      {"provider=aioli,output=pem,structure=SubjectPublicKeyInfo", TABLE(public_pem, selects_public)},
      {"provider=aioli,output=text", TABLE(text, selects_any)},
  };
  OSSL_ALGORITHM *entry = provider->encoders;
  for (int i = 0; i < set_count; i++)
    for (int form = 0; form < 7 && provider->sets[i].alg != NULL; form++)
      *entry++ = (OSSL_ALGORITHM){provider->sets[i].names, forms[form].properties, forms[form].functions, NULL};
}
