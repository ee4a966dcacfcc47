/* SPDX-License-Identifier: Apache-2.0 */
#include "der.h"

#include <string.h>

/* The contents of an element of a given tag at p; NULL if there is none before end.  Lengths as DER has them, below 2^32. */
static const uint8_t *open_element(const uint8_t *p, const uint8_t *end, uint8_t tag, size_t *length) {
  if (end - p < 2 || p[0] != tag) return NULL;
  const uint8_t first = p[1];
  p += 2;
  *length = first;
  if (first >= 0x80) {
    const size_t octets = first & 0x7f;
    if (octets == 0 || octets > 4 || (size_t)(end - p) < octets || p[0] == 0) return NULL;
    *length = 0;
    for (size_t i = 0; i < octets; i++) *length = *length << 8 | *p++;
    if (*length < 0x80) return NULL;
  }
  return p;
}

size_t der_sequence_bytes(const uint8_t *header, size_t header_bytes) {
  size_t length = 0;
  const uint8_t *const contents = open_element(header, header + header_bytes, 0x30, &length);
  return contents != NULL ? (size_t)(contents - header) + length : 0;
}

int der_algorithm(const uint8_t *file, size_t count, int is_private, const uint8_t **oid, size_t *oid_bytes,
                  const uint8_t **null) {
  const uint8_t *const end = file + count;
  size_t length = 0;
  const uint8_t *p = open_element(file, end, 0x30, &length);
  if (p == NULL || (size_t)(end - p) != length) return 0;
  if (is_private) { /* the version */
    if (end - p < 3 || p[0] != 0x02 || p[1] != 1) return 0;
    p += 3;
  }
  p = open_element(p, end, 0x30, &length);
  if (p == NULL || (size_t)(end - p) < length) return 0;
  const uint8_t *const stop = p + length;
  const uint8_t *const identifier = p;
  p = open_element(p, stop, 0x06, &length);
  if (p == NULL || (size_t)(stop - p) < length || length == 0) return 0;
  p += length;
  *oid = identifier;
  *oid_bytes = (size_t)(p - identifier);
  *null = stop - p == 2 && p[0] == 0x05 && p[1] == 0 ? p : NULL;
  return 1;
}

static uint8_t *put_header(uint8_t *out, size_t length) {
  *out++ = 0x30;
  if (length < 0x80) {
    *out++ = (uint8_t)length;
    return out;
  }
  unsigned octets = 1;
  while (octets < 4 && length >> (8 * octets) != 0) octets++;
  *out++ = (uint8_t)(0x80 | octets);
  while (octets-- > 0) *out++ = (uint8_t)(length >> (8 * octets));
  return out;
}

/* The two SEQUENCEs around the parameters shrink, and their lengths with them. */
size_t der_without_null(const uint8_t *file, size_t count, const uint8_t *oid, size_t oid_bytes, const uint8_t *null,
                        uint8_t *out) {
  size_t length = 0;
  const uint8_t *const contents = open_element(file, file + count, 0x30, &length);
  if (contents == NULL || oid_bytes > 0x7f || null != oid + oid_bytes) return 0;
  /* The header of AlgorithmIdentifier stands right before the identifier; it is two bytes long, for what it holds is short. */
  if (oid - contents < 2 || oid[-2] != 0x30 || oid[-1] != oid_bytes + 2) return 0;
  const size_t before = (size_t)(oid - 2 - contents);
  const size_t after = (size_t)(file + count - (null + 2));
  const size_t inner = before + 2 + oid_bytes + after;
  uint8_t *p = put_header(out, inner);
  memcpy(p, contents, before);
  p = put_header(p + before, oid_bytes);
  memcpy(p, oid, oid_bytes);
  memcpy(p + oid_bytes, null + 2, after);
  return (size_t)(p - out) + oid_bytes + after;
}
