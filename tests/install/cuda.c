/* SPDX-License-Identifier: Apache-2.0
 * A stranger's batch for a device, on a machine that may have none. */
#include <aioli/cuda.h>
#include <stdio.h>

enum { rows = 12 };

int main(void) {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  static uint8_t pk[AIOLI_MAYO_1_PUBLIC_KEY_BYTES], sk[AIOLI_MAYO_1_SECRET_KEY_BYTES];
  static uint8_t sig[rows][AIOLI_MAYO_1_SIGNATURE_BYTES];
  static const uint8_t msg[] = "signed by whoever is there";
  const aioli_keypair_row make = {pk, sizeof pk, sk, sizeof sk, NULL, 0};
  aioli_sign_row sign[rows];
  aioli_verify_row verify[rows];
  aioli_status status[rows], all;
  aioli_cuda_options options = AIOLI_CUDA_OPTIONS_INIT;
  aioli_cuda *cuda = NULL;
  int i;

  if ((aioli_cuda_device_count() == 0) != (aioli_cuda_why_no_device() != NULL)) return 1;
  all = aioli_cuda_new(&cuda, &options);
  if (aioli_cuda_device_count() == 0 && all != AIOLI_ERR_NO_DEVICE) return 2;
  aioli_cuda_free(cuda);
  options.flags = AIOLI_CUDA_FALLBACK;
  if (aioli_cuda_new(&cuda, &options) != AIOLI_OK) return 3;
  for (i = 0; i < rows; i++) {
    const aioli_sign_row s = {sig[i], sizeof sig[i], msg, sizeof msg, sk, sizeof sk};
    const aioli_verify_row v = {sig[i], sizeof sig[i], msg, sizeof msg, pk, sizeof pk};
    sign[i] = s;
    verify[i] = v;
  }
  all = aioli_cuda_keypair_batch(cuda, alg, status, &make, 1, NULL);
  if (all == AIOLI_OK) all = aioli_cuda_sign_batch(cuda, alg, status, sign, rows, NULL);
  if (all == AIOLI_OK) all = aioli_cuda_verify_batch(cuda, alg, status, verify, rows, NULL);
  if (all != AIOLI_OK) {
    printf("%s\n", aioli_status_text(all));
    return 4;
  }
  sig[7][9] ^= 1;
  all = aioli_cuda_verify_batch(cuda, alg, status, verify, rows, NULL);
  printf("a batch of %d on %d devices tells the bad row\n", (int)rows, (int)aioli_cuda_devices(cuda));
  aioli_cuda_free(cuda);
  return all != AIOLI_ERR_SIGNATURE || status[7] != AIOLI_ERR_SIGNATURE || status[6] != AIOLI_OK;
}
