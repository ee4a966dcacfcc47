/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

aioli_status message_open(Message *m, const Provider *provider, const Set *set) {
  message_close(m);
  aioli_status status = AIOLI_OK;
  if (set->composite == NULL) {
    status = aioli_hash_init(&m->hash, set->alg);
  } else {
    EVP_MD *const md = EVP_MD_fetch(provider->libctx, aioli_composite_digest(set->composite), NULL);
    m->md = md != NULL ? EVP_MD_CTX_new() : NULL;
    if (m->md == NULL || EVP_DigestInit_ex2(m->md, md, NULL) != 1) status = md != NULL ? AIOLI_ERR_MEMORY : AIOLI_ERR_ABSENT;
    EVP_MD_free(md);
  }
  m->set = set;
  if (status != AIOLI_OK) message_close(m);
  return status;
}

aioli_status message_update(Message *m, const uint8_t *data, size_t count) {
  if (m->set == NULL) return AIOLI_ERR_STATE;
  if (m->set->composite == NULL) return aioli_hash_update(&m->hash, data, count);
  return EVP_DigestUpdate(m->md, data, count) == 1 ? AIOLI_OK : AIOLI_ERR_ABSENT;
}

aioli_status message_copy(Message *to, const Message *from) {
  *to = *from;
  if (from->md == NULL) return AIOLI_OK;
  to->md = EVP_MD_CTX_new();
  if (to->md != NULL && EVP_MD_CTX_copy_ex(to->md, from->md) == 1) return AIOLI_OK;
  message_close(to);
  return AIOLI_ERR_MEMORY;
}

void message_close(Message *m) {
  EVP_MD_CTX_free(m->md); /* wipes */
  OPENSSL_cleanse(m, sizeof *m);
}

size_t message_digest(Message *m, uint8_t digest[EVP_MAX_MD_SIZE]) {
  unsigned count = 0;
  return EVP_DigestFinal_ex(m->md, digest, &count) == 1 ? count : 0;
}
