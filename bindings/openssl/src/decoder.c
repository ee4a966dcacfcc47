/* SPDX-License-Identifier: Apache-2.0
 *
 * DER to keys (provider-decoder(7)); OpenSSL's own provider turns PEM, and what is under a passphrase, into DER.
 *
 * Every form is read that aioli_key_decode reads, and those with parameters NULL.
 */
#include <openssl/core_object.h>
#include <openssl/objects.h>

#include "der.h"
#include "key.h"

typedef struct Decoder {
  Provider *provider;
  const Set *set;
  int is_private;
} Decoder;

static void *new_decoder(Provider *provider, int set, int is_private) {
  Decoder *const decoder = OPENSSL_malloc(sizeof *decoder);
  if (decoder != NULL) *decoder = (Decoder){provider, &provider->sets[set], is_private};
  return decoder;
}

static void free_decoder(void *decoder) { OPENSSL_free(decoder); }

static int selects_public(void *provider, int selection) {
  (void)provider;
  if (selection == 0) return 1;
  return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 && (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0;
}

static int selects_private(void *provider, int selection) {
  (void)provider;
  return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
}

static int read_all(const Decoder *decoder, OSSL_CORE_BIO *in, uint8_t *out, size_t count) {
  while (count > 0) {
    size_t got = 0;
    if (!decoder->provider->bio_read(in, out, count, &got) || got == 0) return 0;
    out += got;
    count -= got;
  }
  return 1;
}

/* One SEQUENCE and nothing behind it, on the heap; NULL if the input is something else, or longer than any file with a key of
 * this set. */
static uint8_t *read_file(const Decoder *decoder, OSSL_CORE_BIO *in, size_t *count) {
  uint8_t header[6];
  if (!read_all(decoder, in, header, 2)) return NULL;
  const size_t more = header[1] > 0x80 && header[1] <= 0x84 ? header[1] & 0x7f : 0;
  if (header[0] != 0x30 || !read_all(decoder, in, header + 2, more)) return NULL;
  *count = der_sequence_bytes(header, 2 + more);
  const aioli_alg *const alg = decoder->set->alg;
  const size_t longest = aioli_key_encoded_bytes_max(alg, AIOLI_KEY_SECRET, AIOLI_KEY_DER) +
                         aioli_key_encoded_bytes_max(alg, AIOLI_KEY_PUBLIC, AIOLI_KEY_DER) + 4096; /* attributes */
  if (*count < 2 + more || *count > longest) return NULL;
  uint8_t *const file = OPENSSL_malloc(*count);
  if (file == NULL) return NULL;
  memcpy(file, header, 2 + more);
  uint8_t behind;
  size_t got = 0;
  if (read_all(decoder, in, file + 2 + more, *count - 2 - more) &&
      !(decoder->provider->bio_read(in, &behind, 1, &got) && got > 0))
    return file;
  OPENSSL_clear_free(file, *count);
  return NULL;
}

static int is_of_our_set(const Decoder *decoder, const uint8_t *oid, size_t oid_bytes) {
  char text[256];
  ASN1_OBJECT *const object = d2i_ASN1_OBJECT(NULL, &oid, (long)oid_bytes);
  const int n = object != NULL ? OBJ_obj2txt(text, sizeof text, object, 1) : 0;
  ASN1_OBJECT_free(object);
  if (n <= 0 || (size_t)n >= sizeof text) return 0;
  for (const aioli_oid *entry = decoder->provider->overrides; entry->oid != NULL; entry++)
    if (strcmp(entry->oid, text) == 0) return strcmp(entry->algorithm, decoder->set->name) == 0;
  const Set *const set = decoder->set;
  if (set->composite != NULL) return strcmp(text, set->oid) == 0 || strcmp(text, aioli_composite_oid(set->composite)) == 0;
  return aioli_alg_by_oid(text) == set->alg;
}

static int fill(Key *key, aioli_key_kind kind, const uint8_t *raw, size_t raw_bytes) {
  return kind == AIOLI_KEY_SECRET ? key_fill_secret(key, raw, raw_bytes, NULL, 0) : key_fill_public(key, raw, raw_bytes);
}

/* A composite has one form, under its own identifier or the one that is built in. */
static int fill_composite(const Decoder *decoder, Key *key, const uint8_t *file, size_t count) {
  const Set *const set = decoder->set;
  const aioli_key_kind kind = decoder->is_private ? AIOLI_KEY_SECRET : AIOLI_KEY_PUBLIC;
  const uint8_t *raw;
  size_t raw_bytes;
  aioli_status status = aioli_composite_find_key(set->composite, kind, file, count, set->oid, &raw, &raw_bytes);
  if (status != AIOLI_OK) status = aioli_composite_find_key(set->composite, kind, file, count, NULL, &raw, &raw_bytes);
  return status == AIOLI_OK ? fill(key, kind, raw, raw_bytes) : raise_error(decoder->provider, status, "%s: key file", set->name);
}

static Key *key_of_file(const Decoder *decoder, const uint8_t *file, size_t count) {
  Provider *const provider = decoder->provider;
  const aioli_alg *alg = NULL;
  aioli_key_kind kind = AIOLI_KEY_PUBLIC;
  uint8_t *const raw = decoder->is_private ? OPENSSL_secure_malloc(count) : OPENSSL_malloc(count);
  Key *const key = key_new(provider, decoder->set);
  size_t raw_bytes = 0;
  int ok = 0;
  if (raw != NULL && key != NULL && decoder->set->composite != NULL) {
    ok = fill_composite(decoder, key, file, count);
  } else if (raw != NULL && key != NULL) {
    const aioli_status status =
        aioli_key_decode(file, count, &alg, &kind, raw, count, &raw_bytes, provider->overrides, &provider->env);
    if (status != AIOLI_OK)
      raise_error(provider, status, "%s: key file", decoder->set->name);
    else if (alg == decoder->set->alg && (kind == AIOLI_KEY_SECRET) == decoder->is_private)
      ok = fill(key, kind, raw, raw_bytes);
  }
  if (decoder->is_private)
    OPENSSL_secure_clear_free(raw, count);
  else
    OPENSSL_free(raw);
  if (ok) return key;
  key_free(key);
  return NULL;
}

static Key *read_key(const Decoder *decoder, OSSL_CORE_BIO *in) {
  Key *key = NULL;
  const uint8_t *oid, *null;
  size_t count = 0, oid_bytes = 0;
  uint8_t *const file = read_file(decoder, in, &count);
  if (file == NULL) return NULL;
  if (der_algorithm(file, count, decoder->is_private, &oid, &oid_bytes, &null) && is_of_our_set(decoder, oid, oid_bytes)) {
    if (null == NULL) {
      key = key_of_file(decoder, file, count);
    } else {
      uint8_t *const plain = OPENSSL_malloc(count);
      const size_t plain_bytes = plain != NULL ? der_without_null(file, count, oid, oid_bytes, null, plain) : 0;
      if (plain_bytes != 0) key = key_of_file(decoder, plain, plain_bytes);
      OPENSSL_clear_free(plain, count);
    }
  }
  OPENSSL_clear_free(file, count);
  return key;
}

/* What is not ours is no error: OpenSSL goes on to other decoders. */
static int decode(void *context, OSSL_CORE_BIO *in, int selection, OSSL_CALLBACK *callback, void *argument,
                  OSSL_PASSPHRASE_CALLBACK *passphrase, void *passphrase_argument) {
  const Decoder *const decoder = context;
  (void)selection;
  (void)passphrase;
  (void)passphrase_argument;
  Key *key = read_key(decoder, in);
  if (key == NULL) return 1;
  int type = OSSL_OBJECT_PKEY;
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &type),
                               OSSL_PARAM_construct_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, (char *)decoder->set->name, 0),
                               OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, &key, sizeof key),
                               OSSL_PARAM_construct_end()};
  const int ok = callback(params, argument);
  key_free(key); /* unless somebody took it */
  return ok;
}

/* Another provider's keymgmt may want the key. */
static int export_object(void *context, const void *reference, size_t reference_bytes, OSSL_CALLBACK *callback, void *argument) {
  const Decoder *const decoder = context;
  if (reference_bytes != sizeof(Key *)) return 0;
  for (const OSSL_DISPATCH *f = keymgmt_functions[decoder->set - decoder->provider->sets]; f->function_id != 0; f++)
    if (f->function_id == OSSL_FUNC_KEYMGMT_EXPORT)
      return OSSL_FUNC_keymgmt_export(f)(*(Key *const *)reference,
                                         decoder->is_private ? OSSL_KEYMGMT_SELECT_KEYPAIR : OSSL_KEYMGMT_SELECT_PUBLIC_KEY,
                                         callback, argument);
  return 0;
}

#define TABLE(id, form, is_private)                                                                                      \
  static void *new_##form##_##id(void *provider) { return new_decoder(provider, set_##id, is_private); }                 \
  static const OSSL_DISPATCH form##_##id[] = {                                                                           \
      {OSSL_FUNC_DECODER_NEWCTX, (Function)new_##form##_##id},      {OSSL_FUNC_DECODER_FREECTX, (Function)free_decoder}, \
      {OSSL_FUNC_DECODER_DOES_SELECTION, (Function)selects_##form}, {OSSL_FUNC_DECODER_DECODE, (Function)decode},        \
      {OSSL_FUNC_DECODER_EXPORT_OBJECT, (Function)export_object},   {0, NULL}};
#define X(id, name, alias, point) TABLE(id, public, 0) TABLE(id, private, 1)
AIOLI_OPENSSL_SETS(X)
#undef X

void list_decoders(Provider *provider) {
  static const OSSL_DISPATCH *const tables[set_count][2] = {
#define X(id, name, alias, point) {public_##id, private_##id},
      AIOLI_OPENSSL_SETS(X)
#undef X
  };
  OSSL_ALGORITHM *entry = provider->decoders;
  for (int i = 0; i < set_count; i++) {
    const Set *const set = &provider->sets[i];
    if (set->alg == NULL) continue;
    *entry++ = (OSSL_ALGORITHM){set->names, "provider=aioli,input=der,structure=SubjectPublicKeyInfo", tables[i][0], NULL};
    *entry++ = (OSSL_ALGORITHM){set->names, "provider=aioli,input=der,structure=PrivateKeyInfo", tables[i][1], NULL};
  }
}
