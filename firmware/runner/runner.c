/* SPDX-License-Identifier: Apache-2.0
 * Runs a script of the host's, line by line; tools/m4 writes scripts and judges what they print.
 *
 *   at N                       the variables of algorithms from here on lie N bytes behind an aligned address
 *   alg NAME                   from here on; the memory of what came before is given back
 *   set VARIABLE BYTES HEX     seed, R, pk, sk, sig, msg.  What a call makes is set as well.  Where the seed is the secret key,
 *                              it is sk
 *   flash VARIABLE             pk or sk from here on: the one that was linked into the image, which takes no RAM
 *   run OPERATION              prints "run OPERATION STATUS WORKSPACE STACK RESIDUE LEFT": aioli_status negated, bytes of
 *                              workspace, peak stack below the call, bytes there that the call has not wiped, a hash of what it
 *                              has left in memory.  What the counting plugin sees as one region is that call and nothing else
 *   show VARIABLE              prints "VARIABLE HEX"
 *
 * The arguments on the emulator's command line: the script's name.
 */
#include <aioli/aioli.h>

#include "board.h"

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static int script;

static int next_byte(void) { /* negative at the end */
  static uint8_t buffer[256];
  static size_t at, n;
  if (at == n) {
    n = board_read(script, buffer, sizeof buffer);
    at = 0;
    if (n == 0) return -1;
  }
  return buffer[at++];
}

static int delimiter; /* what ended the last word: ' ', '\n', or negative at the end */

static size_t next_word(char *to, size_t n) {
  size_t i = 0;
  int c;
  while ((c = next_byte()) > ' ')
    if (i + 1 < n) to[i++] = (char)c;
  to[i] = 0;
  delimiter = c;
  return i;
}

static int same(const char *a, const char *b) {
  while (*a != 0 && *a == *b) a++, b++;
  return *a == *b;
}

static void stop(const char *why, const char *what) {
  board_print(why);
  board_print(what);
  board_print("\n");
  board_exit(1);
}

/* ---- what a script works on ------------------------------------------------------------------------------------------------ */

static const aioli_alg *alg;
static aioli_signer *signer;
static aioli_verifier *verifier;

enum { seed, R, pk, sk, sig, msg, variable_count };
static struct Variable {
  const char *name;
  uint8_t *bytes;
  size_t n;
} variables[variable_count] = {{"seed", NULL, 0}, {"R", NULL, 0},   {"pk", NULL, 0},
                               {"sk", NULL, 0},   {"sig", NULL, 0}, {"msg", NULL, 0}};
#define BYTES(v) variables[v].bytes, variables[v].n

static size_t misalignment;

static void take_variable(int v, size_t n) {
  variables[v].bytes = (uint8_t *)board_take(n + misalignment) + misalignment;
  variables[v].n = n;
  for (size_t i = 0; i < n; i++) variables[v].bytes[i] = 0;
}

/* Keys linked into the image, if there are any (firmware/runner/keys.S). */
extern const uint8_t flash_pk[] __attribute__((weak)), flash_pk_end[] __attribute__((weak));
extern const uint8_t flash_sk[] __attribute__((weak)), flash_sk_end[] __attribute__((weak));

/* Keys are taken when they are wanted: those of UOV are too large for most parts' RAM. */
static void need_key(int v) {
  if (variables[v].bytes == NULL) take_variable(v, variables[v].n);
}
static void use_flash(const char *name) {
  const int v = same(name, "pk") ? pk : sk;
  const uint8_t *const from = v == pk ? flash_pk : flash_sk, *const to = v == pk ? flash_pk_end : flash_sk_end;
  if (from == NULL || (size_t)(to - from) != variables[v].n) stop("not in the image: ", name);
  variables[v].bytes = (uint8_t *)(uintptr_t)from; /* read only */
}

static void use_alg(const char *name) {
  static void *bottom;
  if (bottom != NULL) board_give_back(bottom);
  bottom = board_take(0);
  alg = aioli_alg_by_name(name);
  if (alg == NULL) stop("no such algorithm in this image: ", name);
  board_set_frames(aioli_digest_bytes(alg) > 64 ? 512 + aioli_digest_bytes(alg) : 512); /* the outermost ones hold a digest */
  take_variable(seed, aioli_seed_bytes(alg));
  take_variable(R, aioli_randomness_bytes(alg));
  variables[pk].bytes = variables[sk].bytes = NULL;
  variables[pk].n = aioli_public_key_bytes(alg);
  variables[sk].n = aioli_secret_key_bytes(alg);
  if (variables[sk].n == variables[seed].n) variables[sk].bytes = variables[seed].bytes;
  take_variable(sig, aioli_signature_bytes(alg));
  take_variable(msg, 0);
  signer = NULL;
  verifier = NULL;
}

static struct Variable *variable(const char *name) {
  for (int i = 0; i < variable_count; i++)
    if (alg != NULL && same(variables[i].name, name)) return &variables[i];
  stop("no such variable: ", name);
  return NULL;
}

static uint8_t digit(int c) {
  if (c >= '0' && c <= '9') return (uint8_t)(c - '0');
  if (c >= 'a' && c <= 'f') return (uint8_t)(c - 'a' + 10);
  stop("not a digit in hex", "");
  return 0;
}

static size_t number(const char *digits) {
  size_t n = 0;
  for (const char *p = digits; *p != 0; p++) n = 10 * n + digit(*p);
  return n;
}

static void set_variable(void) {
  char word[16];
  next_word(word, sizeof word);
  struct Variable *v = variable(word);
  next_word(word, sizeof word);
  const size_t n = number(word);
  if (v == &variables[msg])
    take_variable(msg, n);
  else if (n != v->n)
    stop("wrong length of ", v->name);
  if (v->bytes == NULL) need_key((int)(v - variables));
  for (size_t i = 0; i < n; i++) {
    const int high = next_byte();
    v->bytes[i] = (uint8_t)(digit(high) << 4 | digit(next_byte()));
  }
  delimiter = next_byte();
}

/* ---- operations ------------------------------------------------------------------------------------------------------------ */

static int fixed_R(void *context, uint8_t *out, size_t n) {
  (void)context;
  if (n != variables[R].n) return -1;
  for (size_t i = 0; i < n; i++) out[i] = variables[R].bytes[i];
  return 0;
}

/* Planted leaks, which the check of traces must find: a branch, an address and a division steered by the secret key, and bytes of
 * it that stay in the workspace or on the stack; and what it must let pass. */
static volatile uint32_t sink, table[16];
__attribute__((noinline)) static aioli_status leak_branch(void) {
  for (size_t i = 0; i < variables[seed].n; i++)
    if (variables[seed].bytes[i] & 1) sink = sink + 1;
  return AIOLI_OK;
}
__attribute__((noinline)) static aioli_status leak_address(void) {
  for (size_t i = 0; i < variables[seed].n; i++) sink = table[variables[seed].bytes[i] & 15];
  return AIOLI_OK;
}
__attribute__((noinline)) static aioli_status leak_division(void) {
  for (size_t i = 0; i < variables[seed].n; i++) sink = 1000u / (variables[seed].bytes[i] | 1u);
  return AIOLI_OK;
}
enum { leak_memory_bytes = 64 };
__attribute__((noinline)) static aioli_status leak_memory(uint8_t *workspace) {
  for (size_t i = 0; i < variables[seed].n && i < leak_memory_bytes; i++) workspace[i] = variables[seed].bytes[i];
  return AIOLI_OK;
}
__attribute__((noinline)) static aioli_status leak_stack(void) {
  volatile uint8_t copy[96];
  for (size_t i = 0; i < sizeof copy; i++) copy[i] = variables[seed].bytes[i & 15];
  return AIOLI_OK;
}
__attribute__((noinline)) static aioli_status no_leak(void) {
  for (size_t i = 0; i < variables[seed].n; i++) sink = sink + (0u - (variables[seed].bytes[i] & 1u));
  return AIOLI_OK;
}

static aioli_status two_digests(void) {
  static uint8_t digests[2][AIOLI_MAX_DIGEST_BYTES];
  const uint8_t *const msgs[2] = {variables[msg].bytes, variables[msg].bytes};
  const size_t msg_bytes[2] = {variables[msg].n, variables[msg].n};
  return aioli_digest_batch(alg, digests[0], sizeof digests[0], msgs, msg_bytes, 2);
}

#define COUNTED(region, call)   \
  do {                          \
    board_paint_stack();        \
    BOARD_REGION_BEGIN(region); \
    status = (call);            \
    BOARD_REGION_END();         \
    board_keep();               \
  } while (0)

static const struct {
  const char *name;
  int op;
} operations[] = {{"keypair", AIOLI_OP_KEYPAIR},
                  {"sign", AIOLI_OP_SIGN},
                  {"verify", AIOLI_OP_VERIFY},
                  {"signer_init", AIOLI_OP_SIGNER_INIT},
                  {"signer_sign", AIOLI_OP_SIGNER_SIGN},
                  {"verifier_init", AIOLI_OP_VERIFIER_INIT},
                  {"verifier_verify", AIOLI_OP_VERIFIER_VERIFY},
                  {"leak_branch", 7},
                  {"leak_address", 8},
                  {"no_leak", 9},
                  {"digests", 10},
                  {"leak_division", 11},
                  {"leak_memory", 12},
                  {"leak_stack", 13}};

static int find_operation(const char *name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (same(operations[i].name, name)) return operations[i].op;
  stop("no such operation: ", name);
  return -1;
}

static void run(const char *name) {
  const int op = find_operation(name);
  if (alg == NULL) stop("run before alg: ", name);
  if (op == AIOLI_OP_KEYPAIR || op == AIOLI_OP_VERIFY || op == AIOLI_OP_VERIFIER_INIT) need_key(pk);
  if (op == AIOLI_OP_KEYPAIR || op == AIOLI_OP_SIGN || op == AIOLI_OP_SIGNER_INIT) need_key(sk);
  void *object = NULL;
  if (op == AIOLI_OP_SIGNER_INIT) object = board_take(aioli_signer_bytes(alg));
  if (op == AIOLI_OP_VERIFIER_INIT) object = board_take(aioli_verifier_bytes(alg));
  aioli_env env = {0};
  env.workspace_bytes = op <= AIOLI_OP_VERIFIER_VERIFY ? aioli_workspace_bytes(alg, (aioli_op)op)
                        : op == 12                     ? leak_memory_bytes
                                                       : 0;
  env.workspace = board_take(env.workspace_bytes);
  board_paint(env.workspace, env.workspace_bytes);
  env.rng = fixed_R;
  aioli_status status = AIOLI_OK;
  switch (op) {
    case AIOLI_OP_KEYPAIR: COUNTED(0, aioli_keypair_from_seed(alg, BYTES(pk), BYTES(sk), BYTES(seed), &env)); break;
    case AIOLI_OP_SIGN: COUNTED(1, aioli_sign_with_randomness(alg, BYTES(sig), BYTES(msg), BYTES(sk), BYTES(R), &env)); break;
    case AIOLI_OP_VERIFY: COUNTED(2, aioli_verify(alg, BYTES(sig), BYTES(msg), BYTES(pk), &env)); break;
    case AIOLI_OP_SIGNER_INIT:
      COUNTED(3, aioli_signer_init(&signer, object, aioli_signer_bytes(alg), alg, BYTES(sk), &env));
      break;
    case AIOLI_OP_SIGNER_SIGN: COUNTED(4, aioli_signer_sign(signer, BYTES(sig), BYTES(msg), &env)); break;
    case AIOLI_OP_VERIFIER_INIT:
      COUNTED(5, aioli_verifier_init(&verifier, object, aioli_verifier_bytes(alg), alg, BYTES(pk), &env));
      break;
    case AIOLI_OP_VERIFIER_VERIFY: COUNTED(6, aioli_verifier_verify(verifier, BYTES(sig), BYTES(msg), &env)); break;
    case 7: COUNTED(7, leak_branch()); break;
    case 8: COUNTED(8, leak_address()); break;
    case 9: COUNTED(9, no_leak()); break;
    case 10: COUNTED(10, two_digests()); break;
    case 11: COUNTED(11, leak_division()); break;
    case 12: COUNTED(12, leak_memory(env.workspace)); break;
    case 13: COUNTED(13, leak_stack()); break;
  }
  const size_t stack = board_stack_used(), residue = board_residue();
  board_print("run ");
  board_print(name);
  board_print(" ");
  board_print_number((uint32_t)-status);
  board_print(" ");
  board_print_number((uint32_t)env.workspace_bytes);
  board_print(" ");
  board_print_number((uint32_t)stack);
  board_print(" ");
  board_print_number((uint32_t)residue);
  board_print(" ");
  board_print_number(board_left(env.workspace, env.workspace_bytes));
  board_print("\n");
  board_give_back(env.workspace);
}

static void show(const struct Variable *v) {
  board_print(v->name);
  board_print(" ");
  board_print_hex(v->bytes, v->n);
  board_print("\n");
}

int main(void) {
  char name[256], word[32];
  board_command_line(name, sizeof name);
  const char *file = name;
  while (*file != 0 && *file != ' ') file++;
  script = board_open(*file == ' ' ? file + 1 : file);
  if (script < 0) stop("cannot read the script: ", file);
  board_print("backend ");
  board_print(aioli_backend_active());
  board_print("\n");
  for (;;) {
    const size_t n = next_word(word, sizeof word);
    if (n == 0 && delimiter < 0) break;
    if (n == 0) continue;
    if (same(word, "set")) {
      set_variable();
      continue;
    }
    char argument[32];
    next_word(argument, sizeof argument);
    if (same(word, "at"))
      misalignment = number(argument);
    else if (same(word, "alg"))
      use_alg(argument);
    else if (same(word, "flash"))
      use_flash(argument);
    else if (same(word, "run"))
      run(argument);
    else if (same(word, "show"))
      show(variable(argument));
    else
      stop("no such command: ", word);
  }
  board_print("done\n");
  return 0;
}
