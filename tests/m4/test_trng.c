/* SPDX-License-Identifier: Apache-2.0
 * The example generator of firmware/random on registers that a test plays.
 */
#include "../../firmware/random/trng.h"

#include <stdio.h>
#include <string.h>

static struct trng_registers registers;
static enum { fair, stuck, biased, mute, broken } kind;
static unsigned long reads;     /* of the data register */
static unsigned long sound_for; /* so many of them are fair */
static uint64_t state;

static uint32_t fair_word(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 32);
}

uint32_t simulated_read(volatile uint32_t *reg) {
  const int sound = reads < sound_for;
  if (reg == &registers.status) {
    if ((registers.control & trng_enable) == 0) return 0;
    if (!sound && kind == mute) return 0;
    if (!sound && kind == broken) return trng_ready | 1u << 6;
    return trng_ready;
  }
  reads++;
  if (sound || kind == fair || kind == broken) return fair_word(); /* then its own word alone tells */
  if (kind == stuck) return 0x5a5a5a5a;
  return fair_word() & 0x07070707; /* three bits of entropy a byte */
}

static int failures;
static void check(int good, const char *what) {
  if (good) return;
  printf("FAILED: %s\n", what);
  failures++;
}

static int zero(const uint8_t *p, size_t n) {
  while (n > 0 && p[n - 1] == 0) n--;
  return n == 0;
}

static int start(struct trng *t, const aioli_alg *alg, int what, unsigned long fair_reads) {
  kind = what;
  reads = 0;
  sound_for = fair_reads;
  memset(&registers, 0, sizeof registers);
  return trng_start(t, &registers, alg);
}

int main(void) {
  static const char *const names[] = {"fair", "stuck", "biased", "mute", "broken"};
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  struct trng t;
  uint8_t out[100], again[100];
  for (size_t n = 0; n <= sizeof out; n++) {
    state = 1;
    memset(out, 0xee, sizeof out);
    check(start(&t, alg, fair, 0) == 0 && trng_fill(&t, out, n) == 0, "a fair generator");
    check(n == sizeof out || out[n] == 0xee, "bytes behind the output");
    check(n < 8 || !zero(out, n), "output");
    /* 2 n + 16 bytes of it for each digest of 32 bytes, after the first look. */
    check(reads == 256 + (n + 31) / 32 * 20, "words that are read");
  }
  state = 2;
  check(start(&t, alg, fair, 0) == 0 && trng_fill(&t, again, sizeof again) == 0, "a fair generator");
  check(memcmp(out, again, sizeof out) != 0, "other words");
  for (int what = stuck; what <= broken; what++) {
    check(start(&t, alg, what, 0) == -1, names[what]);
    memset(out, 0xee, sizeof out);
    check(trng_fill(&t, out, sizeof out) == -1 && zero(out, sizeof out), "a generator that did not start");
    /* It breaks in the middle of the second digest, or, for bias that shows in a window only, later. */
    check(start(&t, alg, what, 280) == 0, "sound at first");
    int status = 0;
    for (int i = 0; i < 20 && status == 0; i++) {
      memset(out, 0xee, sizeof out);
      status = trng_fill(&t, out, sizeof out);
    }
    check(status == -1 && zero(out, sizeof out), names[what]);
    kind = fair;
    check(trng_fill(&t, out, sizeof out) == -1, "a failure stays");
    check(start(&t, alg, fair, 0) == 0 && trng_fill(&t, out, sizeof out) == 0, "until the next start");
  }
  /* A false alarm is rare: 2^-20 for each test and byte. */
  state = 3;
  check(start(&t, alg, fair, 0) == 0, "start");
  for (int i = 0; i < 2000; i++) check(trng_fill(&t, out, 32) == 0, "a false alarm");
  check(trng_start(&t, &registers, NULL) == -1 && trng_fill(&t, out, 4) == -1, "no algorithm");

  /* Behind the library's calls. */
  uint8_t pk[AIOLI_MAYO_1_PUBLIC_KEY_BYTES], sk[AIOLI_MAYO_1_SECRET_KEY_BYTES], sig[AIOLI_MAYO_1_SIGNATURE_BYTES];
  const aioli_env env = {trng_fill, &t, NULL, 0};
  check(start(&t, alg, fair, 0) == 0, "start");
  check(aioli_keypair(alg, pk, sizeof pk, sk, sizeof sk, &env) == AIOLI_OK, "a key pair");
  check(aioli_sign(alg, sig, sizeof sig, out, 3, sk, sizeof sk, &env) == AIOLI_OK, "a signature");
  check(aioli_verify(alg, sig, sizeof sig, out, 3, pk, sizeof pk, NULL) == AIOLI_OK, "verification");
  kind = stuck;
  check(aioli_sign(alg, sig, sizeof sig, out, 3, sk, sizeof sk, &env) == AIOLI_ERR_RNG && zero(sig, sizeof sig), "no signature");
  printf("trng: %d failures\n", failures);
  return failures != 0;
}
