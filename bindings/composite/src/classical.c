/* SPDX-License-Identifier: Apache-2.0 */
#include "classical.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <string.h>

enum { ED25519_PUBLIC = 32, ED25519_SIGNATURE = 64, P256_POINT = 65, P256_SIGNATURE_MIN = 8, P256_SIGNATURE_MAX = 72 };

/* ECPrivateKey (RFC 5915) of P-256: version 1, the 32 bytes of d, [0] the curve. */
static const uint8_t p256_before[] = {0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20};
static const uint8_t p256_after[] = {0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};

const Classical classical_ed25519 = {"ED25519", ED25519_PUBLIC, CLASSICAL_SEED_BYTES, ED25519_SIGNATURE, ED25519_SIGNATURE, 0};
const Classical classical_p256 = {
    "EC", P256_POINT, sizeof p256_before + CLASSICAL_SEED_BYTES + sizeof p256_after, P256_SIGNATURE_MIN, P256_SIGNATURE_MAX, 1};

static aioli_status ed25519_from_seed(OSSL_LIB_CTX *libctx, const uint8_t *seed, EVP_PKEY **pair, uint8_t *pk) {
  size_t count = ED25519_PUBLIC;
  *pair = EVP_PKEY_new_raw_private_key_ex(libctx, classical_ed25519.name, NULL, seed, CLASSICAL_SEED_BYTES);
  if (*pair != NULL && EVP_PKEY_get_raw_public_key(*pair, pk, &count) == 1 && count == ED25519_PUBLIC) return AIOLI_OK;
  EVP_PKEY_free(*pair);
  *pair = NULL;
  return AIOLI_ERR_ABSENT;
}

/* A key of P-256 from its point and, unless it is NULL, d. */
static EVP_PKEY *p256_key(OSSL_LIB_CTX *libctx, const uint8_t *point, const BIGNUM *d) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM *params = NULL;
  OSSL_PARAM_BLD *const build = OSSL_PARAM_BLD_new();
  EVP_PKEY_CTX *const context = EVP_PKEY_CTX_new_from_name(libctx, classical_p256.name, NULL);
  if (build != NULL && context != NULL &&
      OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, SN_X9_62_prime256v1, 0) == 1 &&
      OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, P256_POINT) == 1 &&
      (d == NULL || OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, d) == 1) &&
      (params = OSSL_PARAM_BLD_to_param(build)) != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
      EVP_PKEY_fromdata(context, &key, d != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params) != 1)
    key = NULL;
  OSSL_PARAM_free(params); /* wipes what lies in secure memory, which is where d is, below */
  OSSL_PARAM_BLD_free(build);
  EVP_PKEY_CTX_free(context);
  return key;
}

static aioli_status p256_from_seed(OSSL_LIB_CTX *libctx, const uint8_t *seed, EVP_PKEY **pair, uint8_t *pk) {
  aioli_status status = AIOLI_ERR_ABSENT;
  EC_GROUP *const group = EC_GROUP_new_by_curve_name_ex(libctx, NULL, NID_X9_62_prime256v1);
  EC_POINT *const point = group != NULL ? EC_POINT_new(group) : NULL;
  BIGNUM *const d = BN_secure_new();
  BN_CTX *const work = BN_CTX_secure_new_ex(libctx);
  if (point != NULL && d != NULL && work != NULL && BN_bin2bn(seed, CLASSICAL_SEED_BYTES, d) != NULL) {
    BN_set_flags(d, BN_FLG_CONSTTIME);
    /* Whether a seed is in range shows for one in 2^32 alone, which is then not used. */
    if (BN_is_zero(d) || BN_cmp(d, EC_GROUP_get0_order(group)) >= 0)
      status = AIOLI_ERR_ARGUMENT;
    else if (EC_POINT_mul(group, point, d, NULL, NULL, work) == 1 &&
             EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, pk, P256_POINT, work) == P256_POINT &&
             (*pair = p256_key(libctx, pk, d)) != NULL)
      status = AIOLI_OK;
  }
  BN_CTX_free(work);
  BN_clear_free(d);
  EC_POINT_free(point);
  EC_GROUP_free(group);
  return status;
}

aioli_status classical_from_seed(const Classical *c, OSSL_LIB_CTX *libctx, const uint8_t *seed, EVP_PKEY **pair, uint8_t *pk,
                                 uint8_t *sk) {
  const size_t before = c->is_p256 ? sizeof p256_before : 0;
  *pair = NULL;
  const aioli_status status = c->is_p256 ? p256_from_seed(libctx, seed, pair, pk) : ed25519_from_seed(libctx, seed, pair, pk);
  if (status != AIOLI_OK) return status;
  memcpy(sk, p256_before, before);
  memcpy(sk + before, seed, CLASSICAL_SEED_BYTES);
  if (c->is_p256) memcpy(sk + before + CLASSICAL_SEED_BYTES, p256_after, sizeof p256_after);
  return AIOLI_OK;
}

const uint8_t *classical_seed_of_secret(const Classical *c, const uint8_t *sk) {
  if (!c->is_p256) return sk;
  const uint8_t *const seed = sk + sizeof p256_before;
  return memcmp(sk, p256_before, sizeof p256_before) == 0 &&
                 memcmp(seed + CLASSICAL_SEED_BYTES, p256_after, sizeof p256_after) == 0
             ? seed
             : NULL;
}

aioli_status classical_from_public(const Classical *c, OSSL_LIB_CTX *libctx, const uint8_t *pk, EVP_PKEY **key) {
  if (c->is_p256 && pk[0] != POINT_CONVERSION_UNCOMPRESSED) return AIOLI_ERR_FORMAT;
  ERR_set_mark();
  *key = c->is_p256 ? p256_key(libctx, pk, NULL) : EVP_PKEY_new_raw_public_key_ex(libctx, c->name, NULL, pk, c->public_bytes);
  if (*key == NULL && c->is_p256) { /* is it the point, or libcrypto? */
    EC_GROUP *const group = EC_GROUP_new_by_curve_name_ex(libctx, NULL, NID_X9_62_prime256v1);
    EC_POINT *const point = group != NULL ? EC_POINT_new(group) : NULL;
    const int bad = point != NULL && EC_POINT_oct2point(group, point, pk, P256_POINT, NULL) != 1;
    EC_POINT_free(point);
    EC_GROUP_free(group);
    if (bad) {
      ERR_pop_to_mark();
      return AIOLI_ERR_FORMAT;
    }
  }
  ERR_clear_last_mark();
  return *key != NULL ? AIOLI_OK : AIOLI_ERR_ABSENT;
}

aioli_status classical_sign(const Classical *c, OSSL_LIB_CTX *libctx, EVP_PKEY *pair, uint8_t *sig, size_t *sig_bytes,
                            const uint8_t *msg, size_t msg_bytes) {
  EVP_MD_CTX *const md = EVP_MD_CTX_new();
  *sig_bytes = c->signature_bytes_max;
  const int ok = md != NULL && EVP_DigestSignInit_ex(md, NULL, c->is_p256 ? "SHA256" : NULL, libctx, NULL, pair, NULL) == 1 &&
                 EVP_DigestSign(md, sig, sig_bytes, msg, msg_bytes) == 1;
  EVP_MD_CTX_free(md);
  return ok ? AIOLI_OK : AIOLI_ERR_ABSENT;
}

aioli_status classical_verify(const Classical *c, OSSL_LIB_CTX *libctx, EVP_PKEY *key, const uint8_t *sig, size_t sig_bytes,
                              const uint8_t *msg, size_t msg_bytes) {
  EVP_MD_CTX *const md = EVP_MD_CTX_new();
  aioli_status status = AIOLI_ERR_ABSENT;
  ERR_set_mark();
  if (md != NULL && EVP_DigestVerifyInit_ex(md, NULL, c->is_p256 ? "SHA256" : NULL, libctx, NULL, key, NULL) == 1) {
    status = EVP_DigestVerify(md, sig, sig_bytes, msg, msg_bytes) == 1 ? AIOLI_OK : AIOLI_ERR_SIGNATURE;
    ERR_pop_to_mark();
  } else {
    ERR_clear_last_mark();
  }
  EVP_MD_CTX_free(md);
  return status;
}
