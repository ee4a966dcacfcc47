/* SPDX-License-Identifier: Apache-2.0
 *
 * The library for test_construction.py, in hexadecimal:
 *   composite_pipe sign NAME SEED MESSAGE CONTEXT        prints lines: public key, secret key, label, identifier, both files,
 *                                                        signature (MAYO's half with the salt of R = 0)
 *   composite_pipe list                                  name, label, identifier, bytes of public key, secret key, signature
 *   composite_pipe verify NAME PK SIGNATURE MESSAGE CONTEXT   prints the status
 */
#include <aioli/composite.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bytes {
  uint8_t *data;
  size_t count;
} Bytes;

static Bytes from_hex(const char *text) {
  Bytes b = {malloc(strlen(text) / 2 + 1), strlen(text) / 2};
  for (size_t i = 0; i < b.count; i++) {
    unsigned byte = 0;
    if (sscanf(text + 2 * i, "%2x", &byte) != 1) exit(2);
    b.data[i] = (uint8_t)byte;
  }
  return b;
}

static void print_hex(const uint8_t *data, size_t count) {
  for (size_t i = 0; i < count; i++) printf("%02x", data[i]);
  printf("\n");
}

static void must(aioli_status status) {
  if (status == AIOLI_OK) return;
  printf("%s\n", aioli_status_text(status));
  exit(1);
}

int main(int argc, char **argv) {
  static uint8_t buffer[8192];
  size_t n = 0;
  aioli_composite_key *key = NULL;
  for (size_t i = 0; argc == 2 && i < aioli_composite_count(); i++) {
    const aioli_composite *const each = aioli_composite_at(i);
    printf("%s %s %s %zu %zu %zu\n", aioli_composite_name(each), aioli_composite_label(each), aioli_composite_oid(each),
           aioli_composite_public_key_bytes(each), aioli_composite_secret_key_bytes(each),
           aioli_composite_signature_bytes_max(each));
  }
  if (argc == 2) return 0;
  const aioli_composite *const c = argc > 2 ? aioli_composite_by_name(argv[2]) : NULL;
  if (c == NULL || argc < 6) return 2;
  if (strcmp(argv[1], "verify") == 0) {
    const Bytes pk = from_hex(argv[3]), sig = from_hex(argv[4]), msg = from_hex(argv[5]), ctx = from_hex(argv[6]);
    must(aioli_composite_key_from_public(&key, c, NULL, pk.data, pk.count));
    must(aioli_composite_verify(key, sig.data, sig.count, msg.data, msg.count, ctx.data, ctx.count));
    printf("valid\n");
    return 0;
  }
  const Bytes seed = from_hex(argv[3]), msg = from_hex(argv[4]), ctx = from_hex(argv[5]);
  const aioli_env env = {.rng = aioli_rng_zero};
  must(aioli_composite_key_from_seed(&key, c, NULL, seed.data, seed.count, NULL));
  print_hex(aioli_composite_key_public(key), aioli_composite_public_key_bytes(c));
  print_hex(aioli_composite_key_secret(key), aioli_composite_secret_key_bytes(c));
  printf("%s\n%s\n", aioli_composite_label(c), aioli_composite_oid(c));
  must(aioli_composite_key_encode(key, AIOLI_KEY_PUBLIC, buffer, sizeof buffer, &n, NULL));
  print_hex(buffer, n);
  must(aioli_composite_key_encode(key, AIOLI_KEY_SECRET, buffer, sizeof buffer, &n, NULL));
  print_hex(buffer, n);
  must(aioli_composite_sign(key, buffer, sizeof buffer, &n, msg.data, msg.count, ctx.data, ctx.count, &env));
  print_hex(buffer, n);
  return 0;
}
