/* SPDX-License-Identifier: Apache-2.0
 *
 * The provider through libcrypto's interface: library contexts, properties, two modules at once, streaming, copies, import and
 * export, threads, allocation failures.
 *
 * test_provider DIRECTORY OF THE MODULE [DIRECTORY OF A COPY named aioli2]
 */
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int failures, checks;
#define CHECK(condition)                                              \
  do {                                                                \
    atomic_fetch_add(&checks, 1);                                     \
    if (!(condition)) {                                               \
      atomic_fetch_add(&failures, 1);                                 \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ERR_print_errors_fp(stderr);                                    \
    }                                                                 \
  } while (0)

static const char *modules;

typedef struct Library {
  OSSL_LIB_CTX *context;
  OSSL_PROVIDER *plain, *ours;
} Library;

static Library open_library(const char *name) {
  Library l = {OSSL_LIB_CTX_new(), NULL, NULL};
  CHECK(l.context != NULL && OSSL_PROVIDER_set_default_search_path(l.context, modules));
  l.plain = OSSL_PROVIDER_load(l.context, "default");
  l.ours = OSSL_PROVIDER_load(l.context, name);
  CHECK(l.plain != NULL && l.ours != NULL);
  return l;
}

static void close_library(Library l) {
  OSSL_PROVIDER_unload(l.ours);
  OSSL_PROVIDER_unload(l.plain);
  OSSL_LIB_CTX_free(l.context);
}

static EVP_PKEY *generate(OSSL_LIB_CTX *context, const char *name) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *const gen = EVP_PKEY_CTX_new_from_name(context, name, NULL);
  if (gen == NULL || EVP_PKEY_keygen_init(gen) <= 0 || EVP_PKEY_generate(gen, &key) <= 0) key = NULL;
  EVP_PKEY_CTX_free(gen);
  return key;
}

/* A signature on the heap; NULL on failure. */
static unsigned char *sign(OSSL_LIB_CTX *context, EVP_PKEY *key, const void *message, size_t count, size_t *sig_bytes) {
  EVP_MD_CTX *const md = EVP_MD_CTX_new();
  unsigned char *sig = NULL;
  if (md != NULL && EVP_DigestSignInit_ex(md, NULL, NULL, context, NULL, key, NULL) == 1 &&
      EVP_DigestSign(md, NULL, sig_bytes, message, count) == 1 && (sig = OPENSSL_malloc(*sig_bytes)) != NULL &&
      EVP_DigestSign(md, sig, sig_bytes, message, count) != 1) {
    OPENSSL_free(sig);
    sig = NULL;
  }
  EVP_MD_CTX_free(md);
  return sig;
}

static int verify(OSSL_LIB_CTX *context, EVP_PKEY *key, const void *message, size_t count, const unsigned char *sig,
                  size_t sig_bytes) {
  EVP_MD_CTX *const md = EVP_MD_CTX_new();
  const int ok = md != NULL && EVP_DigestVerifyInit_ex(md, NULL, NULL, context, NULL, key, NULL) == 1 &&
                 EVP_DigestVerify(md, sig, sig_bytes, message, count) == 1;
  EVP_MD_CTX_free(md);
  return ok;
}

/* In pieces of odd lengths, with a copy taken on the way. */
static void test_streaming(OSSL_LIB_CTX *context, const char *name) {
  static const unsigned char zeros[1000];
  unsigned char sig[2][1200];
  size_t count[2] = {sizeof sig[0], sizeof sig[1]};
  EVP_PKEY *const key = generate(context, name);
  EVP_MD_CTX *const md = EVP_MD_CTX_new(), *const copy = EVP_MD_CTX_new();
  CHECK(key != NULL && EVP_DigestSignInit_ex(md, NULL, NULL, context, NULL, key, NULL) == 1);
  size_t total = 0;
  for (size_t n = 1; n < sizeof zeros; n += 137, total += n - 137) CHECK(EVP_DigestSignUpdate(md, zeros, n) == 1);
  CHECK(EVP_MD_CTX_copy_ex(copy, md) == 1);
  CHECK(EVP_DigestSignUpdate(copy, "x", 1) == 1);
  CHECK(EVP_DigestSignFinal(md, sig[0], &count[0]) == 1);
  CHECK(EVP_DigestSignFinal(copy, sig[1], &count[1]) == 1);
  unsigned char *const whole = OPENSSL_zalloc(total + 1);
  CHECK(verify(context, key, whole, total, sig[0], count[0]));
  whole[total] = 'x';
  CHECK(verify(context, key, whole, total + 1, sig[1], count[1]));
  CHECK(!verify(context, key, whole, total, sig[1], count[1]));
  /* One context, several messages; and a buffer that is too small. */
  EVP_MD_CTX_free(md);
  EVP_PKEY_CTX *const raw = EVP_PKEY_CTX_new_from_pkey(context, key, NULL);
  CHECK(EVP_PKEY_sign_init(raw) == 1);
  for (int i = 0; i < 3; i++) {
    count[0] = sizeof sig[0];
    CHECK(EVP_PKEY_sign(raw, sig[0], &count[0], whole, (size_t)i) == 1);
    CHECK(verify(context, key, whole, (size_t)i, sig[0], count[0]));
  }
  count[0] = (size_t)EVP_PKEY_get_size(key) - 1;
  CHECK(EVP_PKEY_sign(raw, sig[0], &count[0], whole, 3) != 1);
  ERR_clear_error();
  EVP_PKEY_CTX_free(raw);
  EVP_MD_CTX_free(copy);
  OPENSSL_free(whole);
  EVP_PKEY_free(key);
}

static EVP_PKEY *from_data(OSSL_LIB_CTX *context, const char *name, int selection, OSSL_PARAM *params) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *const c = EVP_PKEY_CTX_new_from_name(context, name, NULL);
  if (c == NULL || EVP_PKEY_fromdata_init(c) != 1 || EVP_PKEY_fromdata(c, &key, selection, params) != 1) key = NULL;
  EVP_PKEY_CTX_free(c);
  return key;
}

/* A seed and a private key that belong together, and two that do not; a seed of a wrong length leaves the one before it. */
static void test_seeds(OSSL_LIB_CTX *context, const char *name) {
  unsigned char seed[2][24], priv[64], pub[2][2000];
  size_t n = 0, pub_bytes[2];
  for (int i = 0; i < 2; i++) {
    memset(seed[i], 17 + i, sizeof seed[i]);
    EVP_PKEY *key = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("seed", seed[i], sizeof seed[i]), OSSL_PARAM_construct_end()};
    OSSL_PARAM bad[] = {OSSL_PARAM_construct_octet_string("seed", seed[1 - i], sizeof seed[i] - 1), OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *const gen = EVP_PKEY_CTX_new_from_name(context, name, NULL);
    CHECK(EVP_PKEY_keygen_init(gen) == 1 && EVP_PKEY_CTX_set_params(gen, params) == 1);
    CHECK(EVP_PKEY_CTX_set_params(gen, bad) != 1);
    ERR_clear_error();
    CHECK(EVP_PKEY_generate(gen, &key) == 1);
    CHECK(EVP_PKEY_get_octet_string_param(key, "seed", priv, sizeof priv, &n) == 1 && n == sizeof seed[i]);
    CHECK(memcmp(priv, seed[i], n) == 0);
    CHECK(EVP_PKEY_get_octet_string_param(key, "priv", priv, sizeof priv, &n) == 1);
    CHECK(EVP_PKEY_get_octet_string_param(key, "pub", pub[i], sizeof pub[i], &pub_bytes[i]) == 1);
    EVP_PKEY_free(key);
    EVP_PKEY_CTX_free(gen);
  }
  for (int s = 0; s < 2; s++) /* priv is of the second seed */
    for (int p = 0; p < 2; p++) {
      OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("priv", priv, n),
                             OSSL_PARAM_construct_octet_string("seed", seed[s], sizeof seed[s]),
                             OSSL_PARAM_construct_octet_string("pub", pub[p], pub_bytes[p]), OSSL_PARAM_construct_end()};
      EVP_PKEY *const key = from_data(context, name, EVP_PKEY_KEYPAIR, params);
      CHECK((key != NULL) == (s == 1 && p == 1));
      EVP_PKEY_free(key);
      ERR_clear_error();
    }
}

static void test_data(OSSL_LIB_CTX *context, const char *name) {
  EVP_PKEY *const key = generate(context, name);
  OSSL_PARAM *params = NULL;
  CHECK(EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &params) == 1);
  EVP_PKEY *const again = from_data(context, name, EVP_PKEY_KEYPAIR, params);
  CHECK(again != NULL && EVP_PKEY_eq(key, again) == 1);
  EVP_PKEY *const public_half = from_data(context, name, EVP_PKEY_PUBLIC_KEY, params);
  CHECK(public_half != NULL && EVP_PKEY_eq(key, public_half) == 1);
  EVP_PKEY *const copy = EVP_PKEY_dup(key);
  CHECK(copy != NULL && EVP_PKEY_eq(key, copy) == 1);
  EVP_PKEY_CTX *const check = EVP_PKEY_CTX_new_from_pkey(context, copy, NULL);
  CHECK(EVP_PKEY_pairwise_check(check) == 1 && EVP_PKEY_check(check) == 1);
  EVP_PKEY_CTX_free(check);

  size_t n = 0;
  unsigned char *const sig = sign(context, copy, "olive", 5, &n);
  const int exact = strstr(name, "P256") == NULL; /* ECDSA's signatures have no fixed length */
  CHECK(sig != NULL && (exact ? n == (size_t)EVP_PKEY_get_size(key) : n <= (size_t)EVP_PKEY_get_size(key)) &&
        verify(context, public_half, "olive", 5, sig, n));
  CHECK(!verify(context, public_half, "olivf", 5, sig, n));
  size_t m = 0;
  CHECK(sign(context, public_half, "olive", 5, &m) == NULL); /* it has no secret key */
  ERR_clear_error();
  OPENSSL_free(sig);

  /* A public half that belongs to another key, and a length that is none. */
  OSSL_PARAM *const pub = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_PUB_KEY);
  ((unsigned char *)pub->data)[pub->data_size - 1] ^= 1;
  CHECK(from_data(context, name, EVP_PKEY_KEYPAIR, params) == NULL);
  ERR_clear_error();
  pub->data_size--;
  CHECK(from_data(context, name, EVP_PKEY_PUBLIC_KEY, params) == NULL);
  ERR_clear_error();
  pub->data_size++;
  OSSL_PARAM_free(params);
  EVP_PKEY_free(key);
  EVP_PKEY_free(again);
  EVP_PKEY_free(public_half);
  EVP_PKEY_free(copy);
}

/* Algorithms are there by property, and not where properties say otherwise. */
static void test_properties(OSSL_LIB_CTX *context) {
  EVP_KEYMGMT *const ours = EVP_KEYMGMT_fetch(context, "MAYO-1", "provider=aioli");
  CHECK(ours != NULL && EVP_KEYMGMT_is_a(ours, "MAYO-1"));
  EVP_KEYMGMT_free(ours);
  EVP_KEYMGMT *const by_oid = EVP_KEYMGMT_fetch(context, "1.3.9999.8.1.3", NULL);
  CHECK(by_oid != NULL && EVP_KEYMGMT_is_a(by_oid, "MAYO-1-r2") && EVP_KEYMGMT_is_a(by_oid, "mayo1"));
  EVP_KEYMGMT_free(by_oid);
  CHECK(EVP_KEYMGMT_fetch(context, "MAYO-1", "provider=other") == NULL);
  CHECK(EVP_KEYMGMT_fetch(context, "MAYO-4", NULL) == NULL);
  CHECK(EVP_SIGNATURE_fetch(context, "MAYO-1", "provider!=aioli") == NULL);
  ERR_clear_error();
}

/* Keys made in one context verify in another. */
static void test_two_contexts(OSSL_LIB_CTX *a) {
  const Library other = open_library("aioli");
  EVP_PKEY *const key = generate(a, "MAYO-2");
  unsigned char *der = NULL;
  const int n = i2d_PUBKEY(key, &der);
  const unsigned char *p = der;
  EVP_PKEY *const there = d2i_PUBKEY_ex(NULL, &p, n, other.context, NULL);
  size_t sig_bytes = 0;
  unsigned char *const sig = sign(a, key, "m", 1, &sig_bytes);
  CHECK(n > 0 && there != NULL && sig != NULL && verify(other.context, there, "m", 1, sig, sig_bytes));
  OPENSSL_free(sig);
  OPENSSL_free(der);
  EVP_PKEY_free(there);
  EVP_PKEY_free(key);
  close_library(other);
}

/* Our decoders by themselves: what is behind the file makes it none.  (OpenSSL's own decoders, which come first, hand on the
 * first element of a file and drop the rest.) */
static int constructed;
static int count_object(OSSL_DECODER_INSTANCE *instance, const OSSL_PARAM *params, void *data) {
  (void)instance, (void)params, (void)data;
  return ++constructed;
}

static int reads(OSSL_LIB_CTX *context, const char *name, const char *properties, const unsigned char *file, size_t count) {
  OSSL_DECODER_CTX *const c = OSSL_DECODER_CTX_new();
  OSSL_DECODER *const decoder = OSSL_DECODER_fetch(context, name, properties);
  CHECK(c != NULL && decoder != NULL && OSSL_DECODER_CTX_add_decoder(c, decoder) == 1);
  CHECK(OSSL_DECODER_CTX_set_input_type(c, "DER") == 1 && OSSL_DECODER_CTX_set_construct(c, count_object) == 1);
  constructed = 0;
  OSSL_DECODER_from_data(c, &file, &count);
  ERR_clear_error();
  OSSL_DECODER_free(decoder);
  OSSL_DECODER_CTX_free(c);
  return constructed;
}

static void test_trailing(OSSL_LIB_CTX *context, const char *name) {
  EVP_PKEY *const key = generate(context, name);
  unsigned char *der[2] = {NULL, NULL};
  PKCS8_PRIV_KEY_INFO *const info = EVP_PKEY2PKCS8(key);
  const int n[2] = {i2d_PUBKEY(key, &der[0]), i2d_PKCS8_PRIV_KEY_INFO(info, &der[1])};
  static const char *const forms[2] = {"provider=aioli,structure=SubjectPublicKeyInfo",
                                       "provider=aioli,structure=PrivateKeyInfo"};
  for (int i = 0; i < 2; i++) {
    unsigned char *const longer = OPENSSL_zalloc((size_t)n[i] + 1);
    memcpy(longer, der[i], (size_t)n[i]);
    CHECK(reads(context, name, forms[i], longer, (size_t)n[i]) == 1);
    CHECK(reads(context, name, forms[i], longer, (size_t)n[i] + 1) == 0);
    CHECK(reads(context, name, forms[i], longer, (size_t)n[i] - 1) == 0);
    OPENSSL_free(longer);
    OPENSSL_free(der[i]);
  }
  PKCS8_PRIV_KEY_INFO_free(info);
  EVP_PKEY_free(key);
}

/* Another module beside ours offers the same algorithms. */
static void test_two_modules(const char *second) {
  Library l = open_library("aioli");
  OSSL_PROVIDER_set_default_search_path(l.context, second);
  OSSL_PROVIDER *const other = OSSL_PROVIDER_load(l.context, "aioli2");
  CHECK(other != NULL);
  EVP_PKEY *const key = generate(l.context, "MAYO-1");
  size_t n = 0;
  unsigned char *const sig = sign(l.context, key, "m", 1, &n);
  CHECK(sig != NULL && verify(l.context, key, "m", 1, sig, n));
  OSSL_PROVIDER_unload(l.ours); /* the other one goes on */
  l.ours = other;
  CHECK(verify(l.context, key, "m", 1, sig, n));
  EVP_PKEY *const key2 = generate(l.context, "MAYO-1");
  CHECK(key2 != NULL);
  OPENSSL_free(sig);
  EVP_PKEY_free(key);
  EVP_PKEY_free(key2);
  close_library(l);
}

/* Threads share a key from its first use on: the expansion happens under their feet. */
typedef struct Shared {
  OSSL_LIB_CTX *context;
  EVP_PKEY *key;
} Shared;

static void *use(void *argument) {
  const Shared *const s = argument;
  for (int i = 0; i < 50; i++) {
    size_t n = 0;
    unsigned char *const sig = sign(s->context, s->key, &i, sizeof i, &n);
    CHECK(sig != NULL && verify(s->context, s->key, &i, sizeof i, sig, n));
    OPENSSL_free(sig);
  }
  return NULL;
}

static void test_threads(OSSL_LIB_CTX *context, const char *name) {
  Shared shared = {context, generate(context, name)};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, use, &shared) == 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  EVP_PKEY_free(shared.key);
}

/* ---- allocation failures: the n-th allocation of libcrypto and of the provider fails ---------------------------------- */

static long until_failure = -1; /* < 0: none; one thread only */
static atomic_long live;

static int fails(void) { return until_failure >= 0 && until_failure-- == 0; }
static void *our_malloc(size_t n, const char *file, int line) {
  (void)file, (void)line;
  void *const p = fails() ? NULL : malloc(n);
  if (p != NULL) live++;
  return p;
}
static void *our_realloc(void *old, size_t n, const char *file, int line) {
  (void)file, (void)line;
  if (fails()) return NULL;
  void *const p = realloc(old, n);
  if (old == NULL && p != NULL) live++;
  return p;
}
static void our_free(void *p, const char *file, int line) {
  (void)file, (void)line;
  if (p != NULL) live--;
  free(p);
}

/* 1 if all went well: a key, a signature, its verification, two files and back. */
static int whole_life(OSSL_LIB_CTX *context, const char *name) {
  int ok = 0;
  unsigned char *der = NULL, *sig = NULL;
  size_t n = 0;
  EVP_PKEY *there = NULL, *const key = generate(context, name);
  if (key != NULL && (sig = sign(context, key, "m", 1, &n)) != NULL && verify(context, key, "m", 1, sig, n)) {
    const int length = i2d_PUBKEY(key, &der);
    const unsigned char *p = der;
    if (length > 0) there = d2i_PUBKEY_ex(NULL, &p, length, context, NULL);
    ok = there != NULL && EVP_PKEY_eq(key, there) == 1;
  }
  OPENSSL_free(sig);
  OPENSSL_free(der);
  EVP_PKEY_free(key);
  EVP_PKEY_free(there);
  return ok;
}

/* Each allocation of a life fails once, and nothing crashes, lies or leaks. */
static void test_allocation_failures(OSSL_LIB_CTX *context, const char *name) {
  CHECK(whole_life(context, name) && whole_life(context, name)); /* caches are filled */
  ERR_clear_error();
  const long before = live;
  long n = 0;
  int done = 0;
  for (; !done && n < 5000; n++) {
    until_failure = n;
    const int ok = whole_life(context, name);
    done = until_failure >= 0; /* it was not reached */
    until_failure = -1;
    if (done) CHECK(ok);
    ERR_clear_error();
  }
  CHECK(done && n > 50);
  CHECK(live <= before + 16); /* OpenSSL's own caches may grow a little; a leak would show n times */
  fprintf(stderr, "test_provider: %s: %ld allocations failed in turn; %ld live before, %ld after\n", name, n - 1, before, live);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  CRYPTO_set_mem_functions(our_malloc, our_realloc, our_free);
  modules = argv[1];
  const Library l = open_library("aioli");
  const char *const names[] = {"MAYO-1",     "MAYO-2",         "MAYO-3",         "MAYO-5",
                               "UOV-Is-pkc", "UOV-Ip-pkc-skc", "MAYO-1-Ed25519", "MAYO-5-P256"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    test_streaming(l.context, names[i]);
    test_data(l.context, names[i]);
  }
  test_seeds(l.context, "MAYO-1");
  test_trailing(l.context, "MAYO-1");
  test_trailing(l.context, "MAYO-1-P256");
  CHECK(OSSL_PROVIDER_self_test(l.ours) == 1);
  test_properties(l.context);
  test_two_contexts(l.context);
  if (argc > 2) test_two_modules(argv[2]);
  test_allocation_failures(l.context, "MAYO-1");
  test_allocation_failures(l.context, "MAYO-1-P256");
  test_threads(l.context, "MAYO-1");
  test_threads(l.context, "UOV-Is-pkc-skc");
  test_threads(l.context, "MAYO-1-Ed25519");
  close_library(l);
  printf("test_provider: %d of %d checks pass\n", checks - failures, checks);
  return failures != 0 || checks == 0;
}
