/* SPDX-License-Identifier: Apache-2.0
 * theirs SET KEYS: the same as ours.c for liboqs: keypair, sign and verify of a set by liboqs' name. */
#include <oqs/oqs.h>
#include <stdio.h>
#include <stdlib.h>

#include "marks.h"

int main(int argc, char **argv) {
  OQS_init();
  OQS_SIG *s = argc == 3 ? OQS_SIG_new(argv[1]) : NULL;
  if (s == NULL) return fprintf(stderr, "usage: theirs SET KEYS\n"), 2;
  uint8_t *pk = malloc(s->length_public_key), *sk = malloc(s->length_secret_key), *sig = malloc(s->length_signature),
          msg[59] = {0};
  if (pk == NULL || sk == NULL || sig == NULL) abort();
  for (int key = 0; key < atoi(argv[2]); key++) {
    size_t n = 0;
    OQS_STATUS made, signed_, verified;
    REGION(region_keypair, made = OQS_SIG_keypair(s, pk, sk));
    REGION(region_sign, signed_ = OQS_SIG_sign(s, sig, &n, msg, sizeof msg, sk));
    REGION(region_verify, verified = OQS_SIG_verify(s, msg, sizeof msg, sig, n, pk));
    if (made != OQS_SUCCESS || signed_ != OQS_SUCCESS || verified != OQS_SUCCESS) return fprintf(stderr, "theirs: failed\n"), 1;
    msg[0]++;
  }
  return 0;
}
