/* SPDX-License-Identifier: Apache-2.0
 * The ARMv7-M variant of MAYO: a key pair, a signature, its verification and a refusal, counted; tools/m4lib/armv7m.py judges
 * what this prints: "OPERATION STATUS WORKSPACE STACK RESIDUE LEFT DRAWN" as the runner does, then the signature.
 *
 * The arguments on the emulator's command line: a file of the host's.  Its first byte is the number of the set, its second the
 * length of the message, which follows; the rest is the randomness.
 *
 * With 128 added to the number of the set the key is replaced before signing.  That is for traces of a library in which all that
 * is revealed is zero (AIOLI_CT=trace), so that nothing would be left of the key: E and A are then the same for all keys, O and
 * Bil come from the randomness.
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

static void fill(uint8_t *to, size_t n, uint32_t x) {
  for (size_t i = 0; i < n; i++) {
    x = 1664525 * x + 1013904223; /* not linear over F2: systems shall have solutions */
    to[i] = (uint8_t)(x >> 24);
  }
}
/* m, o, v of the sets: O has o rows of v half bytes, Bil v o entries of m, each rounded up to bytes. */
static size_t secret_bytes(int number) {
  static const struct {
    size_t m, o, v;
  } sets[] = {{67, 5, 61}, {64, 7, 59}, {64, 7, 59}};
  return sets[number].o * ((sets[number].v + 1) / 2) + sets[number].v * sets[number].o * ((sets[number].m + 1) / 2);
}
static void replace_key(int number, uint8_t *sk, size_t n) {
  uint32_t x = 0;
  draw(NULL, (uint8_t *)&x, sizeof x);
  const size_t secret = secret_bytes(number);
  fill(sk, n - secret, 1);
  fill(sk + n - secret, secret, x | 1);
}

static aioli_env environment(aioli_op op) {
  aioli_env env = {0};
  env.rng = draw;
  env.workspace_bytes = aioli_armv7m_workspace_bytes(set, op);
  env.workspace = board_take(env.workspace_bytes);
  board_paint(env.workspace, env.workspace_bytes);
  return env;
}
static void report(const char *operation, aioli_status status, const aioli_env *env, size_t before) {
  const size_t numbers[] = {(size_t)-status,
                            env->workspace_bytes,
                            board_stack_used(),
                            board_residue(),
                            board_left(env->workspace, env->workspace_bytes),
                            at - before};
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
    board_keep();                            \
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
  const int number = input[0] & 127, replaced = input[0] >> 7;
  set = aioli_armv7m_at((size_t)number);
  const uint8_t *msg = input + 2;
  const size_t n = input[1];
  at = 2 + n;
  if (set == NULL || input_bytes < at) board_exit(1);

  const size_t pk_bytes = aioli_armv7m_public_key_bytes(set), sk_bytes = aioli_armv7m_secret_key_bytes(set),
               sig_bytes = aioli_armv7m_signature_bytes(set);
  uint8_t *pk = board_take(pk_bytes), *sk = board_take(sk_bytes), *sig = board_take(sig_bytes);
  COUNTED(0, "keypair", AIOLI_OP_KEYPAIR, aioli_armv7m_keypair(set, pk, pk_bytes, sk, sk_bytes, &env));
  if (replaced) replace_key(number, sk, sk_bytes);
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
