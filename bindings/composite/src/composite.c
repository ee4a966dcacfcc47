/* SPDX-License-Identifier: Apache-2.0
 *
 * The construction.  Steps are those of draft-ietf-lamps-pq-composite-sigs-19, section 3: KeyGen, Sign, Verify.
 */
#include <aioli/composite.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>

#include "classical.h"
#include "expanding.h"

/* The draft's own: who checks a composite's half by itself sees at its beginning what it is. */
static const char prefix[] = "CompositeAlgorithmSignatures2025";

struct aioli_composite {
  const char *name, *set, *label, *oid, *digest;
  size_t digest_bytes;
  const Classical *classical;
};

/* Labels and digests follow the draft's for ML-DSA-44 (categories 1) and -65 (the others); R3: a later round has labels of its
 * own.  Identifiers are random UUIDs under 2.25. */
static const aioli_composite table[] = {
    {"MAYO-1-Ed25519", "MAYO-1", "COMPSIG-MAYO1R3-Ed25519-SHA512", "2.25.248454252293913992156312009341496563590", "SHA512", 64,
     &classical_ed25519},
    {"MAYO-2-Ed25519", "MAYO-2", "COMPSIG-MAYO2R3-Ed25519-SHA512", "2.25.252196767006157165463631027156676470806", "SHA512", 64,
     &classical_ed25519},
    {"MAYO-3-Ed25519", "MAYO-3", "COMPSIG-MAYO3R3-Ed25519-SHA512", "2.25.7894113631113002533669437954655380788", "SHA512", 64,
     &classical_ed25519},
    {"MAYO-5-Ed25519", "MAYO-5", "COMPSIG-MAYO5R3-Ed25519-SHA512", "2.25.197985063077109522191395340123702723198", "SHA512", 64,
     &classical_ed25519},
    {"MAYO-1-P256", "MAYO-1", "COMPSIG-MAYO1R3-ECDSA-P256-SHA256", "2.25.315343369470695076267996578593094392778", "SHA256", 32,
     &classical_p256},
    {"MAYO-2-P256", "MAYO-2", "COMPSIG-MAYO2R3-ECDSA-P256-SHA256", "2.25.212993694456716635868119996975001877559", "SHA256", 32,
     &classical_p256},
    {"MAYO-3-P256", "MAYO-3", "COMPSIG-MAYO3R3-ECDSA-P256-SHA512", "2.25.139210167538713027640307305605076890754", "SHA512", 64,
     &classical_p256},
    {"MAYO-5-P256", "MAYO-5", "COMPSIG-MAYO5R3-ECDSA-P256-SHA512", "2.25.129951077745883826640985810366765290130", "SHA512", 64,
     &classical_p256},
};
enum { LABEL_BYTES_MAX = 40, CONTEXT_BYTES_MAX = 255, DIGEST_BYTES_MAX = 64 };

/* ---- which there are ----------------------------------------------------------------------------------------------------- */

size_t aioli_composite_count(void) { return sizeof table / sizeof table[0]; }
const aioli_composite *aioli_composite_at(size_t index) { return index < aioli_composite_count() ? &table[index] : NULL; }
const aioli_composite *aioli_composite_by_name(const char *name) {
  for (size_t i = 0; name != NULL && i < aioli_composite_count(); i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}
const char *aioli_composite_name(const aioli_composite *c) { return c->name; }
const char *aioli_composite_label(const aioli_composite *c) { return c->label; }
const char *aioli_composite_oid(const aioli_composite *c) { return c->oid; }
const char *aioli_composite_digest(const aioli_composite *c) { return c->digest; }
const aioli_alg *aioli_composite_alg(const aioli_composite *c) { return aioli_alg_by_name(c->set); }
size_t aioli_composite_seed_bytes(const aioli_composite *c) {
  return aioli_seed_bytes(aioli_composite_alg(c)) + CLASSICAL_SEED_BYTES;
}
size_t aioli_composite_public_key_bytes(const aioli_composite *c) {
  return aioli_public_key_bytes(aioli_composite_alg(c)) + c->classical->public_bytes;
}
size_t aioli_composite_secret_key_bytes(const aioli_composite *c) {
  return aioli_secret_key_bytes(aioli_composite_alg(c)) + c->classical->secret_bytes;
}
size_t aioli_composite_signature_bytes_max(const aioli_composite *c) {
  return aioli_signature_bytes(aioli_composite_alg(c)) + c->classical->signature_bytes_max;
}
size_t aioli_composite_digest_bytes(const aioli_composite *c) { return c->digest_bytes; }

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

struct aioli_composite_key {
  const aioli_composite *composite;
  OSSL_LIB_CTX *libctx;
  atomic_int owners;
  uint8_t *pk; /* MAYO's half first */
  uint8_t *sk; /* NULL: there is none */
  Expanding mayo;
  EVP_PKEY *classical;
};

static void free_halves(aioli_composite_key *key) {
  const aioli_composite *const c = key->composite;
  expanding_free(&key->mayo);
  EVP_PKEY_free(key->classical);
  OPENSSL_free(key->pk);
  if (key->sk != NULL) OPENSSL_secure_clear_free(key->sk, aioli_composite_secret_key_bytes(c));
  OPENSSL_free(key);
}

static aioli_composite_key *new_key(const aioli_composite *c, OSSL_LIB_CTX *libctx, int secret) {
  aioli_composite_key *const key = OPENSSL_zalloc(sizeof *key);
  if (key == NULL) return NULL;
  key->composite = c;
  key->libctx = libctx;
  atomic_init(&key->owners, 1);
  expanding_init(&key->mayo, aioli_composite_alg(c));
  key->pk = OPENSSL_malloc(aioli_composite_public_key_bytes(c));
  if (secret) key->sk = OPENSSL_secure_zalloc(aioli_composite_secret_key_bytes(c));
  if (key->pk != NULL && (!secret || key->sk != NULL)) return key;
  free_halves(key);
  return NULL;
}

/* What every way to a key begins with. */
static aioli_status check_type(aioli_composite_key **key, const aioli_composite *c, const uint8_t *bytes) {
  if (key == NULL) return AIOLI_ERR_ARGUMENT;
  *key = NULL;
  if (c == NULL || bytes == NULL) return AIOLI_ERR_ARGUMENT;
  return aioli_composite_alg(c) != NULL ? AIOLI_OK : AIOLI_ERR_ALGORITHM;
}

static aioli_status finish(aioli_composite_key **key, aioli_composite_key *made, aioli_status status) {
  if (status == AIOLI_OK)
    *key = made;
  else if (made != NULL)
    free_halves(made);
  return status;
}

/* Each half from a seed of its own. */
static aioli_status from_seeds(aioli_composite_key **key, const aioli_composite *c, OSSL_LIB_CTX *libctx,
                               const uint8_t *mayo_seed, const uint8_t *classical_seed, const aioli_env *env) {
  const aioli_alg *const alg = aioli_composite_alg(c);
  const size_t pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg);
  aioli_composite_key *const made = new_key(c, libctx, 1);
  if (made == NULL) return AIOLI_ERR_MEMORY;
  aioli_status status =
      aioli_keypair_from_seed(alg, made->pk, pk_bytes, made->sk, sk_bytes, mayo_seed, aioli_seed_bytes(alg), env);
  if (status == AIOLI_OK)
    status =
        classical_from_seed(c->classical, libctx, classical_seed, &made->classical, made->pk + pk_bytes, made->sk + sk_bytes);
  return finish(key, made, status);
}

aioli_status aioli_composite_key_from_seed(aioli_composite_key **key, const aioli_composite *c, OSSL_LIB_CTX *libctx,
                                           const uint8_t *seed, size_t seed_bytes, const aioli_env *env) {
  const aioli_status status = check_type(key, c, seed);
  if (status != AIOLI_OK) return status;
  if (seed_bytes != aioli_composite_seed_bytes(c)) return AIOLI_ERR_LENGTH;
  return from_seeds(key, c, libctx, seed, seed + aioli_seed_bytes(aioli_composite_alg(c)), env);
}

static int is_zero(const uint8_t *bytes, size_t count) {
  unsigned any = 0;
  for (size_t i = 0; i < count; i++) any |= bytes[i];
  return any == 0;
}

aioli_status aioli_composite_key_generate(aioli_composite_key **key, const aioli_composite *c, OSSL_LIB_CTX *libctx,
                                          const aioli_env *env) {
  aioli_status status = check_type(key, c, (const uint8_t *)"");
  if (status != AIOLI_OK) return status;
  const size_t mayo = aioli_seed_bytes(aioli_composite_alg(c)), count = mayo + CLASSICAL_SEED_BYTES;
  uint8_t *const seed = OPENSSL_secure_malloc(count);
  if (seed == NULL) return AIOLI_ERR_MEMORY;
  const aioli_rng_fn draw = env != NULL && env->rng != NULL ? env->rng : aioli_rng_system;
  /* d of P-256 is out of range once in 2^32 times; four times in a row is a source of randomness that is none. */
  for (int i = 0; i < 4; i++) {
    if (draw(env != NULL ? env->rng_context : NULL, seed, count) != 0 || is_zero(seed, mayo) ||
        is_zero(seed + mayo, CLASSICAL_SEED_BYTES)) {
      status = AIOLI_ERR_RNG;
      break;
    }
    status = from_seeds(key, c, libctx, seed, seed + mayo, env);
    if (status != AIOLI_ERR_ARGUMENT) break;
    status = AIOLI_ERR_RNG;
  }
  OPENSSL_secure_clear_free(seed, count);
  return status;
}

aioli_status aioli_composite_key_from_secret(aioli_composite_key **key, const aioli_composite *c, OSSL_LIB_CTX *libctx,
                                             const uint8_t *sk, size_t sk_bytes, const aioli_env *env) {
  const aioli_status status = check_type(key, c, sk);
  if (status != AIOLI_OK) return status;
  if (sk_bytes != aioli_composite_secret_key_bytes(c)) return AIOLI_ERR_LENGTH;
  const uint8_t *const seed = classical_seed_of_secret(c->classical, sk + aioli_secret_key_bytes(aioli_composite_alg(c)));
  if (seed == NULL) return AIOLI_ERR_FORMAT;
  const aioli_status made = from_seeds(key, c, libctx, sk, seed, env);
  return made == AIOLI_ERR_ARGUMENT ? AIOLI_ERR_FORMAT : made;
}

aioli_status aioli_composite_key_from_public(aioli_composite_key **key, const aioli_composite *c, OSSL_LIB_CTX *libctx,
                                             const uint8_t *pk, size_t pk_bytes) {
  aioli_status status = check_type(key, c, pk);
  if (status != AIOLI_OK) return status;
  if (pk_bytes != aioli_composite_public_key_bytes(c)) return AIOLI_ERR_LENGTH;
  aioli_composite_key *const made = new_key(c, libctx, 0);
  if (made == NULL) return AIOLI_ERR_MEMORY;
  memcpy(made->pk, pk, pk_bytes);
  status = classical_from_public(c->classical, libctx, pk + aioli_public_key_bytes(aioli_composite_alg(c)), &made->classical);
  return finish(key, made, status);
}

aioli_composite_key *aioli_composite_key_hold(aioli_composite_key *key) {
  atomic_fetch_add(&key->owners, 1);
  return key;
}

void aioli_composite_key_free(aioli_composite_key *key) {
  if (key != NULL && atomic_fetch_sub(&key->owners, 1) == 1) free_halves(key);
}

const aioli_composite *aioli_composite_key_type(const aioli_composite_key *key) { return key->composite; }
const uint8_t *aioli_composite_key_public(const aioli_composite_key *key) { return key->pk; }
const uint8_t *aioli_composite_key_secret(const aioli_composite_key *key) { return key->sk; }

/* ---- signatures ---------------------------------------------------------------------------------------------------------- */

/* M' = Prefix || Label || len(ctx) || ctx || PH(M), what both halves sign. */
typedef struct Message {
  uint8_t bytes[sizeof prefix - 1 + LABEL_BYTES_MAX + 1 + CONTEXT_BYTES_MAX + DIGEST_BYTES_MAX];
  size_t count;
} Message;

static void append(Message *m, const void *bytes, size_t count) {
  if (count != 0) memcpy(m->bytes + m->count, bytes, count);
  m->count += count;
}

static aioli_status make_message(Message *m, const aioli_composite *c, const uint8_t *ctx, size_t ctx_bytes,
                                 const uint8_t *digest, size_t digest_bytes) {
  if ((ctx == NULL && ctx_bytes != 0) || digest == NULL) return AIOLI_ERR_ARGUMENT;
  if (ctx_bytes > CONTEXT_BYTES_MAX || digest_bytes != c->digest_bytes) return AIOLI_ERR_LENGTH;
  const uint8_t length = (uint8_t)ctx_bytes;
  m->count = 0;
  append(m, prefix, sizeof prefix - 1);
  append(m, c->label, strlen(c->label));
  append(m, &length, 1);
  append(m, ctx, ctx_bytes);
  append(m, digest, digest_bytes);
  return AIOLI_OK;
}

static aioli_status mayo_hash(aioli_hash *hash, const aioli_alg *alg, const Message *m) {
  const aioli_status status = aioli_hash_init(hash, alg);
  return status == AIOLI_OK ? aioli_hash_update(hash, m->bytes, m->count) : status;
}

aioli_status aioli_composite_sign_digest(aioli_composite_key *key, uint8_t *sig, size_t capacity, size_t *sig_bytes,
                                         const uint8_t *digest, size_t digest_bytes, const uint8_t *ctx, size_t ctx_bytes,
                                         const aioli_env *env) {
  Message m;
  aioli_hash hash;
  size_t classical_bytes = 0;
  if (sig_bytes == NULL) return AIOLI_ERR_ARGUMENT;
  *sig_bytes = 0;
  if (key == NULL || key->sk == NULL || sig == NULL) return AIOLI_ERR_ARGUMENT;
  const aioli_composite *const c = key->composite;
  const size_t most = aioli_composite_signature_bytes_max(c), mayo_bytes = aioli_signature_bytes(key->mayo.alg);
  aioli_status status = make_message(&m, c, ctx, ctx_bytes, digest, digest_bytes); /* before sig, which may overlap, is zeroed */
  memset(sig, 0, capacity < most ? capacity : most);
  if (status != AIOLI_OK) return status;
  if (capacity < most) return AIOLI_ERR_BUFFER;
  status = mayo_hash(&hash, key->mayo.alg, &m);
  if (status == AIOLI_OK) status = expanding_sign(&key->mayo, key->sk, &hash, sig, env);
  if (status == AIOLI_OK)
    status = classical_sign(c->classical, key->libctx, key->classical, sig + mayo_bytes, &classical_bytes, m.bytes, m.count);
  if (status == AIOLI_OK)
    *sig_bytes = mayo_bytes + classical_bytes;
  else
    memset(sig, 0, most);
  return status;
}

aioli_status aioli_composite_verify_digest(aioli_composite_key *key, const uint8_t *sig, size_t sig_bytes, const uint8_t *digest,
                                           size_t digest_bytes, const uint8_t *ctx, size_t ctx_bytes) {
  Message m;
  aioli_hash hash;
  if (key == NULL || sig == NULL) return AIOLI_ERR_ARGUMENT;
  const aioli_composite *const c = key->composite;
  const size_t mayo_bytes = aioli_signature_bytes(key->mayo.alg);
  aioli_status status = make_message(&m, c, ctx, ctx_bytes, digest, digest_bytes);
  if (status != AIOLI_OK) return status;
  if (sig_bytes < mayo_bytes + c->classical->signature_bytes_min || sig_bytes > mayo_bytes + c->classical->signature_bytes_max)
    return AIOLI_ERR_LENGTH;
  status = mayo_hash(&hash, key->mayo.alg, &m);
  if (status == AIOLI_OK) status = expanding_verify(&key->mayo, key->pk, &hash, sig, mayo_bytes);
  const aioli_status other =
      classical_verify(c->classical, key->libctx, key->classical, sig + mayo_bytes, sig_bytes - mayo_bytes, m.bytes, m.count);
  return status != AIOLI_OK ? status : other;
}

/* PH(M). */
static aioli_status hash_message(const aioli_composite_key *key, const uint8_t *msg, size_t msg_bytes, uint8_t *digest) {
  if (key == NULL || (msg == NULL && msg_bytes != 0)) return AIOLI_ERR_ARGUMENT;
  return EVP_Q_digest(key->libctx, key->composite->digest, NULL, msg, msg_bytes, digest, NULL) == 1 ? AIOLI_OK : AIOLI_ERR_ABSENT;
}

aioli_status aioli_composite_sign(aioli_composite_key *key, uint8_t *sig, size_t capacity, size_t *sig_bytes, const uint8_t *msg,
                                  size_t msg_bytes, const uint8_t *ctx, size_t ctx_bytes, const aioli_env *env) {
  uint8_t digest[DIGEST_BYTES_MAX];
  const aioli_status status = hash_message(key, msg, msg_bytes, digest);
  if (status == AIOLI_OK)
    return aioli_composite_sign_digest(key, sig, capacity, sig_bytes, digest, key->composite->digest_bytes, ctx, ctx_bytes, env);
  if (sig_bytes != NULL) *sig_bytes = 0;
  if (sig != NULL && key != NULL) {
    const size_t most = aioli_composite_signature_bytes_max(key->composite);
    memset(sig, 0, capacity < most ? capacity : most);
  }
  return status;
}

aioli_status aioli_composite_verify(aioli_composite_key *key, const uint8_t *sig, size_t sig_bytes, const uint8_t *msg,
                                    size_t msg_bytes, const uint8_t *ctx, size_t ctx_bytes) {
  uint8_t digest[DIGEST_BYTES_MAX];
  const aioli_status status = hash_message(key, msg, msg_bytes, digest);
  if (status != AIOLI_OK) return status;
  return aioli_composite_verify_digest(key, sig, sig_bytes, digest, key->composite->digest_bytes, ctx, ctx_bytes);
}
