/* SPDX-License-Identifier: Apache-2.0
 * The functions that the files *_META.yml name. */
#ifndef AIOLI_LIBOQS_H
#define AIOLI_LIBOQS_H
#include <stddef.h>
#include <stdint.h>

#define AIOLI_LIBOQS(identifier)                                                                                              \
  int aioli_liboqs_##identifier##_keypair(uint8_t *pk, uint8_t *sk);                                                          \
  int aioli_liboqs_##identifier##_sign(uint8_t *sig, size_t *sig_bytes, const uint8_t *msg, size_t msg_bytes,                 \
                                       const uint8_t *sk);                                                                    \
  int aioli_liboqs_##identifier##_verify(const uint8_t *sig, size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,          \
                                         const uint8_t *pk);
AIOLI_LIBOQS(mayo_1)
AIOLI_LIBOQS(mayo_2)
AIOLI_LIBOQS(mayo_3)
AIOLI_LIBOQS(mayo_5)
#undef AIOLI_LIBOQS
#endif
