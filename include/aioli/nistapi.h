/* aioli: the interface of NIST's call, for one parameter set chosen when linking (libaioli_nistapi_mayo_1.a and so on).
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For MAYO sm is signature || message, for UOV message || signature, as their submissions have it.  Randomness comes from a
 * function `randombytes`: the program's own if it has one (NIST's generator), otherwise one that asks the operating system.  All
 * functions return 0 on success and an aioli_status otherwise.
 */
#ifndef AIOLI_NISTAPI_H
#define AIOLI_NISTAPI_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk);
int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk);
int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk);

/* Returns 0 on success. */
int randombytes(unsigned char *x, unsigned long long xlen);

#ifdef __cplusplus
}
#endif
#endif
