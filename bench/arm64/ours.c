/* SPDX-License-Identifier: Apache-2.0
 *
 * ours SET KEYS [OPERATION...]: runs the operations of a set under several keys, each between marks for
 * firmware/plugin/arm64.c; all of them
 * where none is named.  With trace builds (AIOLI_CT=trace) signatures are worth nothing and are not verified.  Everything lies at
 * the same address for every key.
 */
#include <aioli/aioli.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marks.h"

static const aioli_alg *alg;
static uint8_t *pk, *sk, *sig, *seed, R[64], msg[59], digests[2][AIOLI_MAX_DIGEST_BYTES];
static void *workspace, *signer_memory, *verifier_memory;
static aioli_signer *signer;
static aioli_verifier *verifier;
static char **wanted;

static void *take(size_t n) {
  void *p = aligned_alloc(64, (n + 127) / 64 * 64);
  if (p == NULL) abort();
  memset(p, 0, n);
  return p;
}
static int fixed_R(void *context, uint8_t *out, size_t n) {
  (void)context;
  memcpy(out, R, n);
  return 0;
}
static bool is_wanted(const char *operation) {
  if (*wanted == NULL) return true;
  for (char **w = wanted; *w != NULL; w++)
    if (strcmp(*w, operation) == 0) return true;
  return false;
}
static aioli_status status; /* of the last call */
static void expect_ok(const char *operation) {
  if (status == AIOLI_OK) return;
  fprintf(stderr, "ours: %s: %s\n", operation, aioli_status_text(status));
  exit(1);
}

/* A branch and an address steered by the secret key, which the check of traces must find; and what it must let pass. */
static volatile uint32_t sink, table[256];
__attribute__((noinline)) static void leak_branch(void) {
  for (size_t i = 0; i < aioli_seed_bytes(alg); i++)
    if (seed[i] & 1) sink = sink + 1;
}
__attribute__((noinline)) static void leak_address(void) {
  for (size_t i = 0; i < aioli_seed_bytes(alg); i++) sink = table[seed[i]];
}
__attribute__((noinline)) static void no_leak(void) {
  for (size_t i = 0; i < aioli_seed_bytes(alg); i++) sink = sink + (0u - (seed[i] & 1u));
}

/* All zeros, all ones, then pseudo-random. */
static void set_seed(int key) {
  uint64_t x = (uint64_t)key * 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < aioli_seed_bytes(alg); i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    seed[i] = key < 2 ? (uint8_t)-key : (uint8_t)(x >> 56);
  }
}

#define RUN(operation, call)                 \
  do {                                       \
    if (is_wanted(#operation)) {             \
      memset(workspace, 0, workspace_bytes); \
      REGION(region_##operation, call);      \
      expect_ok(#operation);                 \
    }                                        \
  } while (0)

int main(int argc, char **argv) {
  if (argc < 3 || (alg = aioli_alg_by_name(argv[1])) == NULL) return fprintf(stderr, "usage: ours SET KEYS [OPERATION...]\n"), 2;
  const int keys = atoi(argv[2]);
  wanted = argv + 3;
  size_t workspace_bytes = 0;
  for (int op = 0; op <= AIOLI_OP_VERIFIER_VERIFY; op++)
    if (aioli_workspace_bytes(alg, (aioli_op)op) > workspace_bytes) workspace_bytes = aioli_workspace_bytes(alg, (aioli_op)op);
  const size_t pk_n = aioli_public_key_bytes(alg), sk_n = aioli_secret_key_bytes(alg), sig_n = aioli_signature_bytes(alg);
  pk = take(pk_n), sk = take(sk_n), sig = take(sig_n), seed = take(aioli_seed_bytes(alg)), workspace = take(workspace_bytes);
  signer_memory = take(aioli_signer_bytes(alg)), verifier_memory = take(aioli_verifier_bytes(alg));
  const aioli_env env = {.rng = fixed_R, .workspace = workspace, .workspace_bytes = workspace_bytes};
  const uint8_t *const msgs[2] = {msg, msg};
  const size_t msg_n[2] = {sizeof msg, sizeof msg};
  printf("backend %s\n", aioli_backend_active());
  for (int key = 0; key < keys; key++) {
    set_seed(key);
    RUN(keypair, status = aioli_keypair_from_seed(alg, pk, pk_n, sk, sk_n, seed, aioli_seed_bytes(alg), &env));
    RUN(sign,
        status = aioli_sign_with_randomness(alg, sig, sig_n, msg, sizeof msg, sk, sk_n, R, aioli_randomness_bytes(alg), &env));
    RUN(verify, status = aioli_verify(alg, sig, sig_n, msg, sizeof msg, pk, pk_n, &env));
    RUN(signer_init, status = aioli_signer_init(&signer, signer_memory, aioli_signer_bytes(alg), alg, sk, sk_n, &env));
    RUN(signer_sign, status = aioli_signer_sign(signer, sig, sig_n, msg, sizeof msg, &env));
    RUN(verifier_init, status = aioli_verifier_init(&verifier, verifier_memory, aioli_verifier_bytes(alg), alg, pk, pk_n, &env));
    RUN(verifier_verify, status = aioli_verifier_verify(verifier, sig, sig_n, msg, sizeof msg, &env));
    RUN(digests, status = aioli_digest_batch(alg, digests[0], sizeof digests[0], msgs, msg_n, 2));
    RUN(leak_branch, leak_branch());
    RUN(leak_address, leak_address());
    RUN(no_leak, no_leak());
    for (size_t i = 0; i < sizeof msg; i++)
      msg[i] = (uint8_t)(msg[i] + (wanted[0] == NULL)); /* the same for all keys of a trace */
  }
  return 0;
}
