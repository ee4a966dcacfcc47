/* SPDX-License-Identifier: Apache-2.0
 *
 * A message that is hashed as it comes, by the scheme's own hash or, of a composite, by its PH.
 */
#ifndef AIOLI_OPENSSL_MESSAGE_H
#define AIOLI_OPENSSL_MESSAGE_H

#include "provider.h"

typedef struct Message {
  const Set *set; /* NULL: none is open */
  aioli_hash hash;
  EVP_MD_CTX *md; /* of a composite */
} Message;

/* A message that is not open costs nothing; message_close wipes. */
aioli_status message_open(Message *m, const Provider *provider, const Set *set);
aioli_status message_update(Message *m, const uint8_t *data, size_t count);
aioli_status message_copy(Message *to, const Message *from); /* to is not open */
void message_close(Message *m);

/* PH of a composite's message; 0 on failure. */
size_t message_digest(Message *m, uint8_t digest[EVP_MAX_MD_SIZE]);

#endif
