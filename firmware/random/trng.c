/* SPDX-License-Identifier: Apache-2.0
 * The words of the generator are not used as they come: it is taken to give 4 bits of entropy a byte, health tests look for less,
 * and a hash
 * makes full entropy of them, 8 n + 64 bits in for n bytes out (NIST SP 800-90C).
 */
#include "trng.h"

#ifndef TRNG_READ /* a test reads from elsewhere */
#define TRNG_READ(reg) (reg)
#endif

enum {
  polls = 100000,    /* a word takes some 40 periods of the generator's clock */
  most_repeated = 6, /* 1 + 20 / 4: an honest source gets here once in 2^20 */
  window = 512,      /* bytes, and how many of them may equal the first: the same for a binomial distribution with p = 1/16 */
  most_in_window = 62,
  first_look = 1024, /* bytes */
  largest_digest = 64,
  largest_input = 2 * largest_digest + 16
};

static void wipe(void *p, size_t n) {
  for (volatile uint8_t *at = p; n > 0; n--) *at++ = 0;
}

static int healthy(struct trng *t, unsigned byte) {
  t->repeated = byte == t->last ? t->repeated + 1 : 1;
  t->last = byte;
  if (t->in_window == 0) {
    t->first = byte;
    t->counted = 0;
  }
  t->counted += byte == t->first;
  t->in_window = (t->in_window + 1) % window;
  return t->repeated < most_repeated && t->counted < most_in_window;
}

static int word(struct trng *t, uint32_t *to) {
  for (long i = 0; i < polls; i++) {
    const uint32_t status = TRNG_READ(t->registers->status);
    if ((status & trng_faults) != 0) return -1;
    if ((status & trng_ready) == 0) continue;
    *to = TRNG_READ(t->registers->data);
    int good = 1;
    for (int shift = 0; shift < 32; shift += 8) good &= healthy(t, *to >> shift & 0xff);
    return good ? 0 : -1;
  }
  return -1;
}

int trng_start(struct trng *t, struct trng_registers *registers, const aioli_alg *alg) {
  *t = (struct trng){.registers = registers, .alg = alg, .failed = 1, .last = 0x100};
  if (aioli_digest_bytes(alg) == 0 || aioli_digest_bytes(alg) > largest_digest) return -1;
  registers->control |= trng_enable;
  uint32_t unused;
  for (int i = 0; i < first_look; i += 4)
    if (word(t, &unused) != 0) return -1;
  wipe(&unused, sizeof unused);
  t->failed = 0;
  return 0;
}

/* One digest of twice as many bytes as it has, and 16 more. */
static int block(struct trng *t, uint8_t *digest, size_t n) {
  uint8_t raw[largest_input];
  const size_t wanted = 2 * n + 16;
  int status = 0;
  for (size_t i = 0; i < wanted && status == 0; i += 4) {
    uint32_t w = 0;
    status = word(t, &w);
    for (int j = 0; j < 4; j++) raw[i + (size_t)j] = (uint8_t)(w >> 8 * j);
    wipe(&w, sizeof w);
  }
  aioli_hash h;
  if (status == 0 && (aioli_hash_init(&h, t->alg) != AIOLI_OK || aioli_hash_update(&h, raw, wanted) != AIOLI_OK ||
                      aioli_hash_final(&h, digest, n) != AIOLI_OK))
    status = -1;
  wipe(raw, sizeof raw);
  return status;
}

int trng_fill(void *context, uint8_t *out, size_t n) {
  struct trng *t = context;
  uint8_t digest[largest_digest];
  const size_t each = t->failed ? 0 : aioli_digest_bytes(t->alg);
  size_t done = 0;
  while (!t->failed && done < n) {
    t->failed = block(t, digest, each) != 0;
    for (size_t i = 0; i < each && done < n && !t->failed; i++) out[done++] = digest[i];
  }
  wipe(digest, sizeof digest);
  if (!t->failed) return 0;
  wipe(out, n);
  return -1;
}
