/* SPDX-License-Identifier: Apache-2.0
 *
 * What CBMC proves of der.c (prove_der.sh): for every file of up to FILE_BYTES bytes, whatever is in it.  Each file lies in
 * memory of exactly its length, so that a read behind it is found, and the results are what der.h says.
 */
#include <stdlib.h>
#include <string.h>

#include "../src/der.h"

#ifndef FILE_BYTES
#define FILE_BYTES 24
#endif

size_t nondet_size(void);
int nondet_int(void);

static uint8_t *any_bytes(size_t count) { /* what malloc gives has no defined contents: any */
  uint8_t *const bytes = malloc(count);
  __CPROVER_assume(bytes != NULL);
  return bytes;
}

void prove_sequence_bytes(void) {
  const size_t count = nondet_size();
  __CPROVER_assume(count <= 10);
  uint8_t *const header = any_bytes(count);
  const size_t length = der_sequence_bytes(header, count);
  __CPROVER_assert(length == 0 || (header[0] == 0x30 && length >= 2), "a SEQUENCE");
  __CPROVER_assert(length <= 6 + (size_t)0xffffffff, "a length of four bytes at most");
  /* DER: a length has one encoding. */
  if (length != 0 && header[1] < 0x80) __CPROVER_assert(length == 2 + (size_t)header[1], "short form");
  if (length != 0 && header[1] >= 0x80) __CPROVER_assert(length >= 3 + 0x80 && header[2] != 0, "long form where it is needed");
}

void prove_algorithm(void) {
  const size_t count = nondet_size();
  __CPROVER_assume(count <= FILE_BYTES);
  const uint8_t *const file = any_bytes(count), *oid = NULL, *null = NULL;
  size_t oid_bytes = 0;
  if (!der_algorithm(file, count, nondet_int(), &oid, &oid_bytes, &null)) return;
  __CPROVER_assert(oid > file && oid_bytes >= 3 && oid_bytes <= (size_t)(file + count - oid), "inside the file");
  __CPROVER_assert(oid[0] == 0x06, "an identifier");
  __CPROVER_assert(der_sequence_bytes(file, count) == count, "the whole file is one SEQUENCE");
  if (null == NULL) return;
  __CPROVER_assert(null == oid + oid_bytes && file + count - null >= 2 && null[0] == 5 && null[1] == 0, "NULL behind it");
}

void prove_without_null(void) {
  const size_t count = nondet_size();
  const int is_private = nondet_int();
  __CPROVER_assume(count <= FILE_BYTES);
  const uint8_t *const file = any_bytes(count), *oid = NULL, *null = NULL;
  size_t oid_bytes = 0;
  if (!der_algorithm(file, count, is_private, &oid, &oid_bytes, &null) || null == NULL) return;
  uint8_t *const out = any_bytes(count);
  const size_t plain = der_without_null(file, count, oid, oid_bytes, null, out);
  __CPROVER_assert(plain == 0 || plain < count, "shorter");
  if (plain == 0) return;
  /* What is written is one SEQUENCE that ends where the file does; that it is the same without NULL, the fuzzer checks. */
  __CPROVER_assert(der_sequence_bytes(out, plain) == plain, "one SEQUENCE");
}
