/* SPDX-License-Identifier: Apache-2.0
 * A hardware generator as the library's source of randomness: an example, for three registers as the STM32F4 has them (reference
 * manual
 * RM0090, "Random number generator").  It has not run on a chip.  Before use somebody has to measure what the generator gives.
 */
#ifndef TRNG_H
#define TRNG_H

#include <aioli/aioli.h>

struct trng_registers {
  volatile uint32_t control, status, data;
};
enum { trng_enable = 1u << 2 }; /* control */
/* status: a word is there; clock and seed errors */
enum { trng_ready = 1u << 0, trng_faults = 1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 };

struct trng {
  struct trng_registers *registers;
  const aioli_alg *alg; /* whose hash conditions the words */
  int failed;           /* stays until the next trng_start */
  /* Health tests, NIST SP 800-90B, 4.4: the last byte and how often in a row; the first byte of a window and how often in it. */
  unsigned last, repeated, first, counted, in_window;
};

/* Switches the generator on and looks at 1024 bytes of it; its clock has to run.  0, or -1: do not use it.  `alg` is any set
 * of MAYO that the library holds: its digest is a hash, that of UOV is not, and is refused. */
int trng_start(struct trng *t, struct trng_registers *registers, const aioli_alg *alg);

/* An aioli_rng_fn; context is a struct trng.  Returns -1, with `out` zero, if a word does not come in time, the generator reports
 * an error, its bytes fail a health test, or it was not started. */
int trng_fill(void *context, uint8_t *out, size_t n);

#endif
