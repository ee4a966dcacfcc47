/* SPDX-License-Identifier: Apache-2.0
 *
 * Key files of composites.  Everything in them but the key is the same for all keys of a composite, so that a reader is a
 * comparison.
 *
 *     SubjectPublicKeyInfo  SEQUENCE { SEQUENCE { oid }, BIT STRING { public key } }
 *     OneAsymmetricKey      SEQUENCE { INTEGER 0, SEQUENCE { oid }, OCTET STRING { secret key } }
 */
#include <aioli/composite.h>
#include <openssl/asn1.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <string.h>

enum { HEADER_BYTES_MAX = 128, OID_BYTES_MAX = 64 };

typedef struct Header {
  uint8_t bytes[HEADER_BYTES_MAX];
  size_t count;
} Header;

static size_t key_bytes_of(const aioli_composite *c, aioli_key_kind kind) {
  return kind == AIOLI_KEY_SECRET ? aioli_composite_secret_key_bytes(c) : aioli_composite_public_key_bytes(c);
}

/* Tag and length of an element of fewer than 2^24 bytes; how many bytes they are. */
static size_t put_header(uint8_t *out, uint8_t tag, size_t length) {
  size_t n = 0;
  out[n++] = tag;
  if (length >= 0x80) out[n++] = (uint8_t)(0x80 + (length > 0xffff ? 3 : length > 0xff ? 2 : 1));
  if (length > 0xffff) out[n++] = (uint8_t)(length >> 16);
  if (length > 0xff) out[n++] = (uint8_t)(length >> 8);
  out[n++] = (uint8_t)length;
  return n;
}

/* What stands before the key; an empty header for an identifier that is none. */
static Header header_of(const aioli_composite *c, aioli_key_kind kind, const char *oid) {
  static const uint8_t version[] = {0x02, 0x01, 0x00};
  Header header = {{0}, 0};
  uint8_t inner[HEADER_BYTES_MAX], identifier[OID_BYTES_MAX + 8], *p = identifier;
  ERR_set_mark();
  ASN1_OBJECT *const object = OBJ_txt2obj(oid != NULL ? oid : aioli_composite_oid(c), 1);
  ERR_pop_to_mark();
  const int n = object != NULL ? i2d_ASN1_OBJECT(object, NULL) : -1;
  if (n > 0 && n <= OID_BYTES_MAX) i2d_ASN1_OBJECT(object, &p);
  ASN1_OBJECT_free(object);
  if (n <= 0 || n > OID_BYTES_MAX) return header;

  const int secret = kind == AIOLI_KEY_SECRET;
  const size_t key = key_bytes_of(c, kind), before = secret ? sizeof version : 0;
  size_t count = before;
  memcpy(inner, version, before);
  count += put_header(inner + count, 0x30, (size_t)n);
  memcpy(inner + count, identifier, (size_t)n);
  count += (size_t)n;
  count += put_header(inner + count, secret ? 0x04 : 0x03, key + !secret);
  if (!secret) inner[count++] = 0; /* no unused bits */
  header.count = put_header(header.bytes, 0x30, count + key);
  memcpy(header.bytes + header.count, inner, count);
  header.count += count;
  return header;
}

size_t aioli_composite_file_bytes_max(const aioli_composite *c, aioli_key_kind kind) {
  return HEADER_BYTES_MAX + key_bytes_of(c, kind);
}

aioli_status aioli_composite_key_encode(const aioli_composite_key *key, aioli_key_kind kind, uint8_t *out, size_t capacity,
                                        size_t *out_bytes, const char *oid) {
  if (out_bytes == NULL) return AIOLI_ERR_ARGUMENT;
  *out_bytes = 0;
  if (key == NULL || out == NULL) return AIOLI_ERR_ARGUMENT;
  const aioli_composite *const c = aioli_composite_key_type(key);
  const uint8_t *const raw = kind == AIOLI_KEY_SECRET ? aioli_composite_key_secret(key) : aioli_composite_key_public(key);
  const size_t raw_bytes = key_bytes_of(c, kind);
  const Header header = header_of(c, kind, oid);
  if (raw == NULL || header.count == 0) return AIOLI_ERR_ARGUMENT;
  if (capacity < header.count + raw_bytes) return AIOLI_ERR_BUFFER;
  memcpy(out, header.bytes, header.count);
  memcpy(out + header.count, raw, raw_bytes);
  *out_bytes = header.count + raw_bytes;
  return AIOLI_OK;
}

aioli_status aioli_composite_find_key(const aioli_composite *c, aioli_key_kind kind, const uint8_t *file, size_t file_bytes,
                                      const char *oid, const uint8_t **key, size_t *key_bytes) {
  if (c == NULL || file == NULL || key == NULL || key_bytes == NULL) return AIOLI_ERR_ARGUMENT;
  *key = NULL;
  *key_bytes = 0;
  if (aioli_composite_alg(c) == NULL) return AIOLI_ERR_ALGORITHM;
  const Header header = header_of(c, kind, oid);
  const size_t count = key_bytes_of(c, kind);
  if (header.count == 0) return AIOLI_ERR_ARGUMENT;
  if (file_bytes != header.count + count || memcmp(file, header.bytes, header.count) != 0) return AIOLI_ERR_FORMAT;
  *key = file + header.count;
  *key_bytes = count;
  return AIOLI_OK;
}

aioli_status aioli_composite_key_decode(aioli_composite_key **key, OSSL_LIB_CTX *libctx, const uint8_t *file, size_t file_bytes,
                                        const aioli_env *env) {
  if (key == NULL) return AIOLI_ERR_ARGUMENT;
  *key = NULL;
  if (file == NULL) return AIOLI_ERR_ARGUMENT;
  for (size_t i = 0; i < aioli_composite_count(); i++) {
    const aioli_composite *const c = aioli_composite_at(i);
    const uint8_t *raw;
    size_t raw_bytes;
    if (aioli_composite_find_key(c, AIOLI_KEY_SECRET, file, file_bytes, NULL, &raw, &raw_bytes) == AIOLI_OK)
      return aioli_composite_key_from_secret(key, c, libctx, raw, raw_bytes, env);
    if (aioli_composite_find_key(c, AIOLI_KEY_PUBLIC, file, file_bytes, NULL, &raw, &raw_bytes) == AIOLI_OK)
      return aioli_composite_key_from_public(key, c, libctx, raw, raw_bytes);
  }
  return AIOLI_ERR_OID;
}
