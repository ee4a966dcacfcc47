/* SPDX-License-Identifier: Apache-2.0
 * The ARMv7-M variant of MAYO: a key pair, a signature, its verification and a refusal, counted; tools/m4lib/armv7m.py judges what this prints:
 * "OPERATION STATUS WORKSPACE STACK RESIDUE DRAWN" as the runner does, then the signature.
 *
 * The arguments on the emulator's command line: a file of the host's.  Its first byte is the number of the set, its second the length of the
 * message, which follows; the rest is the randomness.
 */
#include <aioli/mayo_armv7m.h>

#include "board.h"

static uint8_t input[2 + 255 + 8192];
static size_t input_bytes, at;

static int draw(void *context, uint8_t *out, size_t n) {
  (void)context;
  if (input_bytes - at < n) return -1;
  for (size_t i = 0; i < n; i++) out[i] = input[at + i];
  at += n;
  return 0;
}

static const aioli_armv7m_set *set;

static aioli_env environment(aioli_op op) {
  aioli_env env = {0};
  env.rng = draw;
  env.workspace_bytes = aioli_armv7m_workspace_bytes(set, op);
  env.workspace = board_take(env.workspace_bytes);
  return env;
}
static void report(const char *operation, aioli_status status, const aioli_env *env, size_t before) {
  const size_t numbers[] = {(size_t)-status, env->workspace_bytes, board_stack_used(), board_stack_residue(), at - before};
  board_print(operation);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    board_print(" ");
    board_print_number((uint32_t)numbers[i]);
  }
  board_print("\n");
  board_give_back(env->workspace);
}
#define COUNTED(region, operation, op, call) \
  do {                                       \
    const aioli_env env = environment(op);   \
    const size_t before = at;                \
    board_paint_stack();                     \
    BOARD_REGION_BEGIN(region);              \
    const aioli_status status = (call);      \
    BOARD_REGION_END();                      \
    report(operation, status, &env, before); \
  } while (0)

int main(void) {
  char name[256];
  board_command_line(name, sizeof name);
  const char *file = name;
  while (*file != 0 && *file != ' ') file++;
  const int handle = board_open(*file == ' ' ? file + 1 : file);
  if (handle < 0) board_exit(1);
  for (size_t n; (n = board_read(handle, input + input_bytes, sizeof input - input_bytes)) > 0;) input_bytes += n;
  set = aioli_armv7m_at(input[0]);
  const uint8_t *msg = input + 2;
  const size_t n = input[1];
  at = 2 + n;
  if (set == NULL || input_bytes < at) board_exit(1);

  const size_t pk_bytes = aioli_armv7m_public_key_bytes(set), sk_bytes = aioli_armv7m_secret_key_bytes(set),
               sig_bytes = aioli_armv7m_signature_bytes(set);
  uint8_t *pk = board_take(pk_bytes), *sk = board_take(sk_bytes), *sig = board_take(sig_bytes);
  COUNTED(0, "keypair", AIOLI_OP_KEYPAIR, aioli_armv7m_keypair(set, pk, pk_bytes, sk, sk_bytes, &env));
  COUNTED(1, "sign", AIOLI_OP_SIGN, aioli_armv7m_sign(set, sig, sig_bytes, msg, n, sk, sk_bytes, &env));
  COUNTED(2, "verify", AIOLI_OP_VERIFY, aioli_armv7m_verify(set, sig, sig_bytes, msg, n, pk, pk_bytes, &env));
  board_print("sig ");
  board_print_hex(sig, sig_bytes);
  board_print("\n");
  sig[sig_bytes / 2] ^= 1;
  COUNTED(3, "refuse", AIOLI_OP_VERIFY, aioli_armv7m_verify(set, sig, sig_bytes, msg, n, pk, pk_bytes, &env));
  board_print("done\n");
  return 0;
}
