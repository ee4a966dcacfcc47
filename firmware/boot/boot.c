/* SPDX-License-Identifier: Apache-2.0
 * A boot loader: reads a signed image in blocks, writes it where applications live, and starts it if the signature is good.
 *
 * The payload begins with the stack and the entry of the application.  Without these nothing can be started, so they are taken
 * away before the first block is written and come last, when the signature has been found good: a reset at any time finds a whole
 * application or none.
 *
 *   image      "AIOLIFW1" | payload bytes, 4, little-endian | key bytes, 4 | signature | public key, if any | payload
 *   signed     the first sixteen bytes and the payload
 *
 * With BOOT_KEY the public key lies in the boot loader's flash and images carry none.  With BOOT_KEY_HASH only SHAKE256 of the
 * key does, and the key comes with each image: 32 to 64 bytes instead of 1.5 to 5.5 KB.  Either way the library holds
 * verification and nothing else.
 *
 * A real part differs in three functions: where blocks come from, how flash is written, how a program is started.  Who may start
 * an older image than the one there is, this example does not ask.
 */
#include <aioli/aioli.h>

#include "board.h"

/* The application's place in what stands for the flash of the emulated board. */
#define APPLICATION ((uint8_t *)0x00200000)
enum { application_room = 0x00100000, block_bytes = 256, header_bytes = 16, vectors_bytes = 8 };

enum { unreadable = 10, no_image = 11, wrong_key = 12, wrong_signature = 13, not_done = 14 };

static const uint8_t trusted[] = {
#include "boot_key.inc"
};

static const uint8_t no_vectors[vectors_bytes] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

static int same(const uint8_t *a, const uint8_t *b, size_t n) { /* of public bytes */
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return 0;
  return 1;
}

static int begun; /* the application has been taken away */

_Noreturn static void reject(int status, const char *why) {
  board_print("rejected: ");
  board_print(why);
  if (begun) board_print(same(APPLICATION, no_vectors, vectors_bytes) ? "; nothing to start" : "; something to start");
  board_print("\n");
  board_exit(status);
}

static int source;

static void receive(uint8_t *to, size_t n) {
  if (board_read(source, to, n) != n) reject(unreadable, "the image is cut off");
}

static void write_flash(uint8_t *to, const uint8_t *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((volatile uint8_t *)to)[i] = from[i];
}

_Noreturn static void start(const uint8_t *application) {
  const uint32_t *vectors = (const uint32_t *)application;
  *(volatile uint32_t *)0xe000ed08 = (uint32_t)(uintptr_t)vectors; /* VTOR */
  __asm__ volatile("dsb\nisb\nmsr msp, %0\nbx %1" : : "r"(vectors[0]), "r"(vectors[1]) : "memory");
  __builtin_unreachable();
}

static uint32_t load32(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }

static void must(aioli_status status) {
  if (status != AIOLI_OK) reject(not_done, "the library could not do it");
}

/* The public key to verify with. */
static const uint8_t *find_key(const aioli_alg *alg, size_t key_bytes) {
#if defined(BOOT_KEY)
  if (sizeof trusted != aioli_public_key_bytes(alg) || key_bytes != 0) reject(no_image, "not an image for the key in flash");
  return trusted;
#else
  static uint8_t digest[AIOLI_MAX_DIGEST_BYTES];
  if (sizeof trusted != aioli_digest_bytes(alg) || key_bytes != aioli_public_key_bytes(alg))
    reject(no_image, "no key in the image");
  uint8_t *key = board_take(key_bytes);
  receive(key, key_bytes);
  aioli_hash h;
  must(aioli_hash_init(&h, alg));
  must(aioli_hash_update(&h, key, key_bytes));
  must(aioli_hash_final(&h, digest, sizeof trusted));
  if (!same(digest, trusted, sizeof trusted)) reject(wrong_key, "not the key that is trusted");
  return key;
#endif
}

int main(void) {
  const aioli_alg *alg = aioli_alg_at(0); /* this build has one */
  char arguments[256], *name = arguments;
  board_command_line(arguments, sizeof arguments);
  while (*name != 0 && *name != ' ') name++;
  source = board_open(*name == ' ' ? name + 1 : name);
  if (source < 0) reject(unreadable, "no image");

  uint8_t header[header_bytes], block[block_bytes];
  receive(header, sizeof header);
  const size_t payload_bytes = load32(header + 8), key_bytes = load32(header + 12);
  if (!same(header, (const uint8_t *)"AIOLIFW1", 8) || payload_bytes > application_room || payload_bytes < vectors_bytes)
    reject(no_image, "not an image");
  const size_t signature_bytes = aioli_signature_bytes(alg);
  uint8_t *signature = board_take(signature_bytes);
  receive(signature, signature_bytes);
  const uint8_t *key = find_key(alg, key_bytes);

  aioli_hash h;
  must(aioli_hash_init(&h, alg));
  must(aioli_hash_update(&h, header, sizeof header));
  write_flash(APPLICATION, no_vectors, vectors_bytes);
  begun = 1;
  uint8_t vectors[vectors_bytes];
  receive(vectors, sizeof vectors);
  must(aioli_hash_update(&h, vectors, sizeof vectors));
  for (size_t done = vectors_bytes; done < payload_bytes;) {
    const size_t n = payload_bytes - done < block_bytes ? payload_bytes - done : (size_t)block_bytes;
    receive(block, n);
    write_flash(APPLICATION + done, block, n);
    must(aioli_hash_update(&h, APPLICATION + done, n)); /* what has been written, not what was to be */
    done += n;
  }

  /* The boot loader has all of the RAM: what the application will use serves as workspace now. */
  aioli_env env = {0};
  env.workspace_bytes = aioli_workspace_bytes(alg, AIOLI_OP_VERIFY);
  env.workspace = board_take(env.workspace_bytes);
  board_paint_stack();
  const aioli_status status = aioli_verify_final(&h, signature, signature_bytes, key, aioli_public_key_bytes(alg), &env);
  board_print("stack ");
  board_print_number((uint32_t)board_stack_used());
  board_print(" workspace ");
  board_print_number((uint32_t)env.workspace_bytes);
  board_print("\n");
  if (status == AIOLI_ERR_SIGNATURE) reject(wrong_signature, "the signature is not valid");
  must(status);
  write_flash(APPLICATION, vectors, sizeof vectors);
  if (!same(APPLICATION, vectors, sizeof vectors)) reject(not_done, "the flash does not hold what was written");
  start(APPLICATION);
}
