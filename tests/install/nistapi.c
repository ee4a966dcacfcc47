/* SPDX-License-Identifier: Apache-2.0
 * A program written for NIST's interface, which knows neither the set nor aioli; buffers are large enough for any set. */
#include <aioli/nistapi.h>
#include <stdio.h>
#include <string.h>

#ifdef OWN_RANDOMBYTES
static int calls;
int randombytes(unsigned char *x, unsigned long long xlen) { /* predictable, and counted */
  static unsigned long long state = 88172645463325252ULL;
  calls++;
  for (; xlen > 0; xlen--) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    *x++ = (unsigned char)state;
  }
  return 0;
}
#endif

int main(void) {
  static unsigned char pk[8192], sk[64], sm[4096], opened[4096];
  const unsigned char m[] = "a message in the clear";
  unsigned long long smlen = 0, mlen = 0;
  if (crypto_sign_keypair(pk, sk) != 0) return puts("crypto_sign_keypair fails"), 1;
  if (crypto_sign(sm, &smlen, m, sizeof m, sk) != 0) return puts("crypto_sign fails"), 1;
  if (smlen <= sizeof m || memcmp(sm + smlen - sizeof m, m, sizeof m) != 0) return puts("the message is not at the end"), 1;
  if (crypto_sign_open(opened, &mlen, sm, smlen, pk) != 0) return puts("crypto_sign_open fails"), 1;
  if (mlen != sizeof m || memcmp(opened, m, sizeof m) != 0) return puts("another message comes out"), 1;
  sm[smlen - 2] ^= 1;
  if (crypto_sign_open(opened, &mlen, sm, smlen, pk) == 0) return puts("a changed message is accepted"), 1;
  if (mlen != 0) return puts("a changed message is handed out"), 1;
#ifdef OWN_RANDOMBYTES
  if (calls == 0) return puts("the program's own randombytes is not used"), 1;
#endif
  return 0;
}
