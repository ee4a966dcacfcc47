/* SPDX-License-Identifier: Apache-2.0
 *
 * Both halves are demanded, and no key, file or signature is taken for another.
 */
#include <aioli/composite.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, checks;
static const char *current = "";
#define CHECK(condition)                                                           \
  do {                                                                             \
    checks++;                                                                      \
    if (!(condition)) {                                                            \
      failures++;                                                                  \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, current, #condition); \
    }                                                                              \
  } while (0)

enum { ROOM = 8192 };
static const uint8_t message[] = "olives", context[] = "mill";
enum { MESSAGE = sizeof message, CONTEXT = sizeof context };

typedef struct Signature {
  uint8_t bytes[ROOM];
  size_t count;
} Signature;

static aioli_composite_key *generate(const aioli_composite *c) {
  aioli_composite_key *key = NULL;
  CHECK(aioli_composite_key_generate(&key, c, NULL, NULL) == AIOLI_OK && key != NULL);
  if (key == NULL) exit(1);
  return key;
}

static Signature sign(aioli_composite_key *key) {
  Signature s;
  CHECK(aioli_composite_sign(key, s.bytes, ROOM, &s.count, message, MESSAGE, context, CONTEXT, NULL) == AIOLI_OK);
  return s;
}

static aioli_status verdict(aioli_composite_key *key, const uint8_t *sig, size_t count) {
  /* on the heap to the byte, so that a sanitizer sees who reads behind it */
  uint8_t *const exact = malloc(count + (count == 0));
  memcpy(exact, sig, count);
  const aioli_status status = aioli_composite_verify(key, exact, count, message, MESSAGE, context, CONTEXT);
  free(exact);
  return status;
}

static int refused(aioli_composite_key *key, const uint8_t *sig, size_t count) {
  const aioli_status status = verdict(key, sig, count);
  return status == AIOLI_ERR_SIGNATURE || status == AIOLI_ERR_LENGTH;
}

/* The halves of two signatures, joined. */
static Signature joined(const uint8_t *mayo, size_t mayo_bytes, const uint8_t *other, size_t other_bytes) {
  Signature s;
  memcpy(s.bytes, mayo, mayo_bytes);
  memcpy(s.bytes + mayo_bytes, other, other_bytes);
  s.count = mayo_bytes + other_bytes;
  return s;
}

static void test_halves(const aioli_composite *c) {
  const size_t mayo = aioli_signature_bytes(aioli_composite_alg(c));
  aioli_composite_key *const key = generate(c), *const eve = generate(c);
  for (int i = 0; i < 3; i++) { /* as it is, and expanded */
    const Signature ours = sign(key), eves = sign(eve);
    Signature s;
    CHECK(verdict(key, ours.bytes, ours.count) == AIOLI_OK);
    CHECK(ours.count <= aioli_composite_signature_bytes_max(c));
    CHECK(verdict(eve, ours.bytes, ours.count) == AIOLI_ERR_SIGNATURE);

    /* Each half forged: that of another key beside the true one. */
    s = joined(eves.bytes, mayo, ours.bytes + mayo, ours.count - mayo);
    CHECK(verdict(key, s.bytes, s.count) == AIOLI_ERR_SIGNATURE);
    s = joined(ours.bytes, mayo, eves.bytes + mayo, eves.count - mayo);
    CHECK(verdict(key, s.bytes, s.count) == AIOLI_ERR_SIGNATURE);
    /* Each half changed. */
    for (size_t at = 0; at < ours.count; at += 61) {
      s = ours;
      s.bytes[at] ^= 1;
      CHECK(refused(key, s.bytes, s.count));
    }
    s = ours;
    s.bytes[s.count - 1] ^= 1;
    CHECK(refused(key, s.bytes, s.count));
    /* Swapped, and each removed, also by zeros. */
    s = joined(ours.bytes + mayo, ours.count - mayo, ours.bytes, mayo);
    CHECK(refused(key, s.bytes, s.count));
    CHECK(refused(key, ours.bytes, mayo));
    CHECK(refused(key, ours.bytes + mayo, ours.count - mayo));
    CHECK(refused(key, ours.bytes, 0));
    s = ours;
    memset(s.bytes, 0, mayo);
    CHECK(verdict(key, s.bytes, s.count) == AIOLI_ERR_SIGNATURE);
    s = ours;
    memset(s.bytes + mayo, 0, s.count - mayo);
    CHECK(verdict(key, s.bytes, s.count) == AIOLI_ERR_SIGNATURE);
    /* Longer and shorter. */
    s = ours;
    s.bytes[s.count] = 0;
    CHECK(refused(key, s.bytes, s.count + 1));
    CHECK(refused(key, s.bytes, s.count - 1));
    /* Two signatures of the same key of different messages do not mix. */
    CHECK(aioli_composite_sign(key, s.bytes, ROOM, &s.count, message, MESSAGE - 1, context, CONTEXT, NULL) == AIOLI_OK);
    CHECK(verdict(key, s.bytes, s.count) == AIOLI_ERR_SIGNATURE);
    Signature mixed = joined(s.bytes, mayo, ours.bytes + mayo, ours.count - mayo);
    CHECK(verdict(key, mixed.bytes, mixed.count) == AIOLI_ERR_SIGNATURE);
    mixed = joined(ours.bytes, mayo, s.bytes + mayo, s.count - mayo);
    CHECK(verdict(key, mixed.bytes, mixed.count) == AIOLI_ERR_SIGNATURE);
    /* Another context, also one of the same length. */
    CHECK(aioli_composite_verify(key, ours.bytes, ours.count, message, MESSAGE, message, CONTEXT) == AIOLI_ERR_SIGNATURE);
    CHECK(aioli_composite_verify(key, ours.bytes, ours.count, message, MESSAGE, context, CONTEXT - 1) == AIOLI_ERR_SIGNATURE);
    CHECK(aioli_composite_verify(key, ours.bytes, ours.count, message, MESSAGE, NULL, 0) == AIOLI_ERR_SIGNATURE);
  }
  /* A half by itself is no signature of the set of MAYO, neither of the message nor of its digest. */
  const Signature ours = sign(key);
  const aioli_alg *const alg = aioli_composite_alg(c);
  CHECK(aioli_verify(alg, ours.bytes, mayo, message, MESSAGE, aioli_composite_key_public(key), aioli_public_key_bytes(alg),
                     NULL) == AIOLI_ERR_SIGNATURE);
  aioli_composite_key_free(key);
  aioli_composite_key_free(eve);
}

/* A signature of one composite is none of another, nor is a key. */
static void test_labels(void) {
  static const char *const names[][2] = {
      {"MAYO-1-Ed25519", "MAYO-1-P256"}, {"MAYO-3-P256", "MAYO-5-P256"}, {"MAYO-3-Ed25519", "MAYO-3-P256"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const aioli_composite *const a = aioli_composite_by_name(names[i][0]), *const b = aioli_composite_by_name(names[i][1]);
    aioli_composite_key *const ka = generate(a), *const kb = generate(b);
    const Signature s = sign(ka);
    current = names[i][0];
    CHECK(refused(kb, s.bytes, s.count));
    aioli_composite_key *none = ka;
    CHECK(aioli_composite_key_from_public(&none, b, NULL, aioli_composite_key_public(ka), aioli_composite_public_key_bytes(a)) !=
              AIOLI_OK &&
          none == NULL);
    aioli_composite_key_free(ka);
    aioli_composite_key_free(kb);
  }
  for (size_t i = 0; i < aioli_composite_count(); i++)
    for (size_t j = 0; j < i; j++) {
      CHECK(strcmp(aioli_composite_label(aioli_composite_at(i)), aioli_composite_label(aioli_composite_at(j))) != 0);
      CHECK(strcmp(aioli_composite_oid(aioli_composite_at(i)), aioli_composite_oid(aioli_composite_at(j))) != 0);
    }
  CHECK(aioli_composite_at(aioli_composite_count()) == NULL && aioli_composite_by_name("MAYO-1") == NULL);
  CHECK(aioli_composite_by_name(NULL) == NULL);
}

static void test_keys(const aioli_composite *c) {
  const aioli_alg *const alg = aioli_composite_alg(c);
  const size_t pk_bytes = aioli_composite_public_key_bytes(c), sk_bytes = aioli_composite_secret_key_bytes(c);
  const size_t mayo_pk = aioli_public_key_bytes(alg), mayo_sk = aioli_secret_key_bytes(alg);
  const int is_p256 = strstr(aioli_composite_name(c), "P256") != NULL;
  aioli_composite_key *const key = generate(c), *again = NULL;
  uint8_t bytes[ROOM];

  CHECK(aioli_composite_key_from_secret(&again, c, NULL, aioli_composite_key_secret(key), sk_bytes, NULL) == AIOLI_OK);
  CHECK(memcmp(aioli_composite_key_public(again), aioli_composite_key_public(key), pk_bytes) == 0);
  aioli_composite_key_free(again);
  CHECK(aioli_composite_key_from_public(&again, c, NULL, aioli_composite_key_public(key), pk_bytes) == AIOLI_OK);
  CHECK(aioli_composite_key_secret(again) == NULL);
  Signature s = sign(key);
  CHECK(verdict(again, s.bytes, s.count) == AIOLI_OK);
  memset(s.bytes, 1, ROOM);
  CHECK(aioli_composite_sign(again, s.bytes, ROOM, &s.count, message, MESSAGE, NULL, 0, NULL) == AIOLI_ERR_ARGUMENT);
  CHECK(s.count == 0);
  aioli_composite_key_free(again);

  /* Halves of two public keys make a key under which neither signs. */
  aioli_composite_key *const eve = generate(c);
  memcpy(bytes, aioli_composite_key_public(key), mayo_pk);
  memcpy(bytes + mayo_pk, aioli_composite_key_public(eve) + mayo_pk, pk_bytes - mayo_pk);
  CHECK(aioli_composite_key_from_public(&again, c, NULL, bytes, pk_bytes) == AIOLI_OK);
  s = sign(key);
  CHECK(verdict(again, s.bytes, s.count) == AIOLI_ERR_SIGNATURE);
  s = sign(eve);
  CHECK(verdict(again, s.bytes, s.count) == AIOLI_ERR_SIGNATURE);
  aioli_composite_key_free(again);

  /* Lengths, seeds of zeros, and P-256's own rules. */
  CHECK(aioli_composite_key_from_public(&again, c, NULL, bytes, pk_bytes - 1) == AIOLI_ERR_LENGTH && again == NULL);
  CHECK(aioli_composite_key_from_secret(&again, c, NULL, bytes, sk_bytes + 1, NULL) == AIOLI_ERR_LENGTH && again == NULL);
  CHECK(aioli_composite_key_from_seed(&again, c, NULL, bytes, aioli_composite_seed_bytes(c) - 1, NULL) == AIOLI_ERR_LENGTH);
  const aioli_env zeros = {.rng = aioli_rng_zero};
  CHECK(aioli_composite_key_generate(&again, c, NULL, &zeros) == AIOLI_ERR_RNG && again == NULL);
  if (is_p256) {
    uint8_t pk[ROOM], sk[ROOM];
    memcpy(pk, aioli_composite_key_public(key), pk_bytes);
    memcpy(sk, aioli_composite_key_secret(key), sk_bytes);
    pk[pk_bytes - 1] ^= 1; /* off the curve */
    CHECK(aioli_composite_key_from_public(&again, c, NULL, pk, pk_bytes) == AIOLI_ERR_FORMAT && again == NULL);
    pk[pk_bytes - 1] ^= 1;
    pk[mayo_pk] = 6; /* the hybrid form of the same point */
    pk[mayo_pk] |= pk[pk_bytes - 1] & 1;
    CHECK(aioli_composite_key_from_public(&again, c, NULL, pk, pk_bytes) == AIOLI_ERR_FORMAT && again == NULL);
    sk[mayo_sk] ^= 1; /* a byte of ECPrivateKey around d */
    CHECK(aioli_composite_key_from_secret(&again, c, NULL, sk, sk_bytes, NULL) == AIOLI_ERR_FORMAT && again == NULL);
    sk[mayo_sk] ^= 1;
    sk[sk_bytes - 1] ^= 1;
    CHECK(aioli_composite_key_from_secret(&again, c, NULL, sk, sk_bytes, NULL) == AIOLI_ERR_FORMAT && again == NULL);
    sk[sk_bytes - 1] ^= 1;
    memset(sk + mayo_sk + 7, 0xff, 32); /* d beyond n */
    CHECK(aioli_composite_key_from_secret(&again, c, NULL, sk, sk_bytes, NULL) == AIOLI_ERR_FORMAT && again == NULL);
    memset(sk + mayo_sk + 7, 0, 32);
    CHECK(aioli_composite_key_from_secret(&again, c, NULL, sk, sk_bytes, NULL) == AIOLI_ERR_FORMAT && again == NULL);
  }
  aioli_composite_key_free(eve);
  aioli_composite_key_free(key);
}

static void test_files(const aioli_composite *c) {
  aioli_composite_key *const key = generate(c), *again = NULL;
  uint8_t file[ROOM];
  const uint8_t *found;
  size_t n = 0, m = 0;
  for (aioli_key_kind kind = AIOLI_KEY_PUBLIC; kind <= AIOLI_KEY_SECRET; kind++) {
    CHECK(aioli_composite_key_encode(key, kind, file, ROOM, &n, NULL) == AIOLI_OK);
    CHECK(n <= aioli_composite_file_bytes_max(c, kind));
    CHECK(aioli_composite_key_decode(&again, NULL, file, n, NULL) == AIOLI_OK && aioli_composite_key_type(again) == c);
    CHECK((aioli_composite_key_secret(again) != NULL) == (kind == AIOLI_KEY_SECRET));
    CHECK(memcmp(aioli_composite_key_public(again), aioli_composite_key_public(key), aioli_composite_public_key_bytes(c)) == 0);
    aioli_composite_key_free(again);
    file[n] = 0;
    CHECK(aioli_composite_key_decode(&again, NULL, file, n + 1, NULL) == AIOLI_ERR_OID && again == NULL);
    CHECK(aioli_composite_key_decode(&again, NULL, file, n - 1, NULL) == AIOLI_ERR_OID && again == NULL);
    CHECK(aioli_composite_find_key(c, kind, file, n, NULL, &found, &m) == AIOLI_OK && found + m == file + n);
    for (uint8_t *p = file; p < found; p++) { /* every byte before the key decides */
      *p ^= 1;
      CHECK(aioli_composite_key_decode(&again, NULL, file, n, NULL) == AIOLI_ERR_OID && again == NULL);
      *p ^= 1;
    }
    CHECK(aioli_composite_key_encode(key, kind, file, n - 1, &m, NULL) == AIOLI_ERR_BUFFER && m == 0);
    CHECK(aioli_composite_key_encode(key, kind, file, ROOM, &n, "1.3.6.1.4.1.99999.7") == AIOLI_OK);
    CHECK(aioli_composite_find_key(c, kind, file, n, "1.3.6.1.4.1.99999.7", &found, &m) == AIOLI_OK);
    CHECK(aioli_composite_key_decode(&again, NULL, file, n, NULL) == AIOLI_ERR_OID && again == NULL);
    CHECK(aioli_composite_key_encode(key, kind, file, ROOM, &n, "olive") == AIOLI_ERR_ARGUMENT && n == 0);
  }
  aioli_composite_key_free(key);
}

static void test_arguments(const aioli_composite *c) {
  aioli_composite_key *const key = generate(c), *none = key;
  Signature s = sign(key);
  const size_t most = aioli_composite_signature_bytes_max(c);
  static const uint8_t long_context[256];
  uint8_t digest[64] = {0};
  memset(s.bytes, 1, ROOM);
  CHECK(aioli_composite_sign(key, s.bytes, most - 1, &s.count, message, MESSAGE, NULL, 0, NULL) == AIOLI_ERR_BUFFER);
  int zero = s.count == 0;
  for (size_t i = 0; i < most - 1; i++) zero &= s.bytes[i] == 0;
  CHECK(zero && s.bytes[most - 1] == 1);
  CHECK(aioli_composite_sign(key, s.bytes, ROOM, &s.count, message, MESSAGE, long_context, 256, NULL) == AIOLI_ERR_LENGTH);
  CHECK(aioli_composite_sign(key, s.bytes, ROOM, &s.count, message, MESSAGE, long_context, 255, NULL) == AIOLI_OK);
  CHECK(aioli_composite_verify(key, s.bytes, s.count, message, MESSAGE, long_context, 255) == AIOLI_OK);
  CHECK(aioli_composite_verify(key, s.bytes, s.count, message, MESSAGE, long_context, 256) == AIOLI_ERR_LENGTH);
  CHECK(aioli_composite_sign(key, s.bytes, ROOM, &s.count, message, MESSAGE, NULL, 1, NULL) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_composite_sign(key, s.bytes, ROOM, &s.count, NULL, 1, NULL, 0, NULL) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_composite_sign(key, s.bytes, ROOM, &s.count, NULL, 0, NULL, 0, NULL) == AIOLI_OK);
  CHECK(aioli_composite_sign(NULL, s.bytes, ROOM, &s.count, message, MESSAGE, NULL, 0, NULL) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_composite_sign_digest(key, s.bytes, ROOM, &s.count, digest, aioli_composite_digest_bytes(c) - 1, NULL, 0, NULL) ==
        AIOLI_ERR_LENGTH);
  CHECK(aioli_composite_key_generate(&none, NULL, NULL, NULL) == AIOLI_ERR_ARGUMENT && none == NULL);
  aioli_composite_key_free(key);
  aioli_composite_key_free(NULL);
}

int main(void) {
  for (size_t i = 0; i < aioli_composite_count(); i++) {
    const aioli_composite *const c = aioli_composite_at(i);
    current = aioli_composite_name(c);
    test_halves(c);
    test_keys(c);
    test_files(c);
    test_arguments(c);
  }
  test_labels();
  CHECK(ERR_peek_error() == 0); /* what is refused leaves nothing on OpenSSL's queue */
  printf("test_composite: %d of %d checks pass\n", checks - failures, checks);
  return failures != 0 || checks == 0;
}
