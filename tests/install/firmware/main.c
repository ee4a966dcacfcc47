/* SPDX-License-Identifier: Apache-2.0
 * Signs by the example of docs/cortex-m4.md, with a generator that is stuck and without one.
 */
#include <aioli/aioli.h>

#include "board.h"
#include "trng.h"

aioli_status sign(uint8_t sig[AIOLI_MAYO_2_SIGNATURE_BYTES], const uint8_t *msg, size_t n,
                  const uint8_t sk[AIOLI_MAYO_2_SECRET_KEY_BYTES]);
int board_random(void *context, uint8_t *out, size_t n);

static struct trng_registers stuck = {0, trng_ready, 0x12345678};
static struct trng trng;
static int deterministic;
static uint8_t pk[AIOLI_MAYO_2_PUBLIC_KEY_BYTES], sk[AIOLI_MAYO_2_SECRET_KEY_BYTES], sig[AIOLI_MAYO_2_SIGNATURE_BYTES];
static uint8_t workspace[20 * 1024];

int board_random(void *context, uint8_t *out, size_t n) {
  (void)context;
  return deterministic ? aioli_rng_zero(NULL, out, n) : trng_fill(&trng, out, n);
}

int main(void) {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const aioli_env env = {NULL, NULL, workspace, sizeof workspace};
  const uint8_t msg[] = "21 degrees", other[] = "12 degrees";
  uint8_t seed[AIOLI_MAYO_2_SECRET_KEY_BYTES] = "made elsewhere";
  if (aioli_keypair_from_seed(alg, pk, sizeof pk, sk, sizeof sk, seed, sizeof seed, &env) != AIOLI_OK) return 10;
  if (trng_start(&trng, &stuck, alg) == 0) return 11;
  if (sign(sig, msg, sizeof msg, sk) != AIOLI_ERR_RNG) return 12;
  deterministic = 1;
  if (sign(sig, msg, sizeof msg, sk) != AIOLI_OK) return 13;
  if (aioli_verify(alg, sig, sizeof sig, msg, sizeof msg, pk, sizeof pk, &env) != AIOLI_OK) return 14;
  if (aioli_verify(alg, sig, sizeof sig, other, sizeof other, pk, sizeof pk, &env) != AIOLI_ERR_SIGNATURE) return 15;
  board_print("thermostat: signed and verified\n");
  return 0;
}
