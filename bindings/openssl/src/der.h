/* SPDX-License-Identifier: Apache-2.0
 *
 * The little of DER that the provider reads itself: whose key is it, and parameters NULL taken out.
 */
#ifndef AIOLI_OPENSSL_DER_H
#define AIOLI_OPENSSL_DER_H

#include <stddef.h>
#include <stdint.h>

/* How long the element is that begins with these bytes, header included; 0 if they are no header of a SEQUENCE in DER.
 * header_bytes <= 10 of them are there. */
size_t der_sequence_bytes(const uint8_t *header, size_t header_bytes);

/* Finds the AlgorithmIdentifier of a SubjectPublicKeyInfo, or of a PrivateKeyInfo, in a file of `count` bytes: *oid to *oid_bytes
 * is the element OBJECT IDENTIFIER, header included.  If NULL parameters follow, *null is where they begin, otherwise NULL.
 * Returns 0 if the file does not begin like one. */
int der_algorithm(const uint8_t *file, size_t count, int is_private, const uint8_t **oid, size_t *oid_bytes,
                  const uint8_t **null);

/* Writes the file without its NULL parameters to out, which has room for `count` bytes; the new length.  0 if the lengths do not
 * fit together. */
size_t der_without_null(const uint8_t *file, size_t count, const uint8_t *oid, size_t oid_bytes, const uint8_t *null,
                        uint8_t *out);

#endif
