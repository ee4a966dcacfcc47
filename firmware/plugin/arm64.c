/* SPDX-License-Identifier: MIT
 *
 * A plugin of QEMU's translator, user mode, that counts what a program for 64-bit ARM executes, or traces its addresses.  QEMU is
 * under the GPL, version 2, which this file's licence is compatible with; the rest of the project is under Apache-2.0 and is not
 * linked with it.
 *
 *   -plugin plugin.so,out=FILE[,trace=1]
 *
 * Between `hint #(64 + r)` (begin region r < 32) and `hint #96` (end), which processors take for nothing, it counts every
 * instruction.  For each region, in order, FILE gets a line
 *
 *   region R INSTRUCTIONS TRACE TBL AES     TRACE: a hash of the addresses of all blocks and, with trace=1, of all loads
 *                                           and stores, in the order of execution; TBL, AES: table look-ups; AESE and AESMC
 *
 * Blocks of instructions are counted as one, for in user mode nothing leaves them in the middle; those with a mark one by one.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of QEMU's plugin interface (version 1) what is used here; distributions ship no header. */
typedef uint64_t qemu_plugin_id_t;
typedef struct {
  const char *target_name;
  struct {
    int min, cur;
  } version;
} qemu_info_t; /* more follows */
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { no_registers = 0, reads_and_writes = 3 };
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern bool qemu_plugin_mem_is_store(uint32_t info);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int flags, void *);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int flags, void *);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, void (*)(unsigned, uint32_t, uint64_t, void *), int flags,
                                             int rw, void *);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
int qemu_plugin_version = 1;
int qemu_plugin_install(qemu_plugin_id_t, const qemu_info_t *, int, char **);

enum { first_mark = 64, end_mark = 96 };
struct Block { /* or one instruction of a block with a mark */
  uint64_t address;
  unsigned instructions, tbl, aes;
  int mark; /* negative: none */
};

static FILE *out;
static bool traced, counting;
static int region;
static uint64_t instructions, tbl, aes, trace;

static void mix(uint64_t x) {
  trace = (trace ^ x) * 0x9e3779b97f4a7c15u;
  trace ^= trace >> 29;
}

static void executed(unsigned cpu, void *which) {
  (void)cpu;
  const struct Block *b = which;
  if (b->mark >= first_mark && b->mark < end_mark) {
    counting = true;
    region = b->mark - first_mark;
    instructions = tbl = aes = trace = 0;
  } else if (counting && b->mark == end_mark) {
    counting = false;
    fprintf(out, "region %d %" PRIu64 " %016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", region, instructions, trace, tbl, aes);
  } else if (counting) {
    instructions += b->instructions;
    tbl += b->tbl;
    aes += b->aes;
    mix(b->address);
  }
}

static void accessed(unsigned cpu, uint32_t info, uint64_t address, void *which) {
  (void)cpu, (void)which;
  if (counting) mix(address << 1 | qemu_plugin_mem_is_store(info) | UINT64_C(1) << 63);
}

static uint32_t word_of(const struct qemu_plugin_insn *insn) {
  uint32_t word;
  memcpy(&word, qemu_plugin_insn_data(insn), sizeof word);
  return word;
}
static int mark_of(uint32_t word) { /* HINT #n */
  const int n = (word & 0xfffff01f) == 0xd503201f ? (int)(word >> 5 & 127) : -1;
  return n >= first_mark && n <= end_mark ? n : -1;
}
static void add(struct Block *b, uint32_t word) {
  b->instructions++;
  b->tbl += (word & 0xffe08c00) == 0x4e000000; /* TBL, TBX of sixteen bytes */
  b->aes += (word & 0xffff8c00) == 0x4e280800; /* AESE, AESD, AESMC, AESIMC */
}
static struct Block *block_at(uint64_t address) { /* for as long as the program runs */
  struct Block *b = calloc(1, sizeof *b);
  if (b == NULL) abort();
  b->address = address;
  b->mark = -1;
  return b;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  (void)id;
  const size_t n = qemu_plugin_tb_n_insns(tb);
  bool marked = false;
  for (size_t k = 0; k < n; k++) marked = marked || mark_of(word_of(qemu_plugin_tb_get_insn(tb, k))) >= 0;
  struct Block *whole = block_at(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0)));
  for (size_t k = 0; k < n; k++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, k);
    const uint32_t word = word_of(insn);
    struct Block *b = marked ? block_at(qemu_plugin_insn_vaddr(insn)) : whole;
    add(b, word);
    if (marked) {
      b->mark = mark_of(word);
      qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, no_registers, b);
    }
    if (traced) qemu_plugin_register_vcpu_mem_cb(insn, accessed, no_registers, reads_and_writes, NULL);
  }
  if (!marked) qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, no_registers, whole);
}

static void finished(qemu_plugin_id_t id, void *data) {
  (void)id, (void)data;
  fclose(out);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  const char *file = NULL;
  for (int a = 0; a < argc; a++) {
    if (strncmp(argv[a], "out=", 4) == 0) file = argv[a] + 4;
    if (strcmp(argv[a], "trace=1") == 0 || strcmp(argv[a], "trace=on") == 0) traced = true;
  }
  if (info->version.min > qemu_plugin_version || info->version.cur < qemu_plugin_version ||
      strcmp(info->target_name, "aarch64") != 0 || file == NULL || (out = fopen(file, "w")) == NULL) {
    fprintf(stderr, "plugin: wants QEMU's plugin interface 1, target aarch64, and out=FILE\n");
    return -1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, finished, NULL);
  return 0;
}
