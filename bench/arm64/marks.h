/* SPDX-License-Identifier: Apache-2.0
 * What firmware/plugin/arm64.c sees as one region is the call between these and nothing else. */
#pragma once
#define REGION(r, call)                                           \
  do {                                                            \
    __asm__ __volatile__("hint %0" : : "i"(64 + (r)) : "memory"); \
    call;                                                         \
    __asm__ __volatile__("hint #96" : : : "memory");              \
  } while (0)
enum {
  region_keypair,
  region_sign,
  region_verify,
  region_signer_init,
  region_signer_sign,
  region_verifier_init,
  region_verifier_verify,
  region_digests,
  region_leak_branch,
  region_leak_address,
  region_no_leak
};
