/* SPDX-License-Identifier: Apache-2.0
 * A stranger's batch: signatures under two keys, one of them spoilt, on three threads. */
#include <aioli/batch.h>
#include <stdio.h>

enum { rows = 12 };

int main(void) {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  static uint8_t pk[2][AIOLI_MAYO_1_PUBLIC_KEY_BYTES], sk[2][AIOLI_MAYO_1_SECRET_KEY_BYTES];
  static uint8_t sig[rows][AIOLI_MAYO_1_SIGNATURE_BYTES];
  static const uint8_t msg[] = "signed in a crowd";
  aioli_keypair_row make[2];
  aioli_sign_row sign[rows];
  aioli_verify_row verify[rows];
  aioli_status status[rows], all;
  aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
  int i;

  for (i = 0; i < 2; i++) {
    const aioli_keypair_row row = {pk[i], sizeof pk[i], sk[i], sizeof sk[i], NULL, 0};
    make[i] = row;
  }
  for (i = 0; i < rows; i++) {
    const aioli_sign_row s = {sig[i], sizeof sig[i], msg, sizeof msg, sk[i % 2], sizeof sk[i % 2]};
    const aioli_verify_row v = {sig[i], sizeof sig[i], msg, sizeof msg, pk[i % 2], sizeof pk[i % 2]};
    sign[i] = s;
    verify[i] = v;
  }
  if (aioli_pool_new(&options.pool, 3) != AIOLI_OK) return 1;
  all = aioli_keypair_batch(alg, status, make, 2, &options);
  if (all == AIOLI_OK) all = aioli_sign_batch(alg, status, sign, rows, &options);
  if (all == AIOLI_OK) all = aioli_verify_batch(alg, status, verify, rows, &options);
  if (all != AIOLI_OK) {
    printf("%s\n", aioli_status_text(all));
    return 2;
  }
  sig[7][9] ^= 1;
  all = aioli_verify_batch(alg, status, verify, rows, &options);
  aioli_pool_free(options.pool);
  if (all != AIOLI_ERR_SIGNATURE) return 3;
  for (i = 0; i < rows; i++)
    if ((status[i] == AIOLI_OK) != (i != 7)) return 4;
  printf("a batch of %d signs, verifies, and tells the bad row\n", rows);
  return 0;
}
