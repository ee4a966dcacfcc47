/* SPDX-License-Identifier: MIT
 *
 * A plugin of QEMU's translator that counts what an emulated Cortex-M4 executes.  QEMU is under the GPL, version 2, which this
 * file's licence is compatible with; the rest of the project is under Apache-2.0 and is not linked with it.
 *
 *   -plugin count.so,out=FILE[,trace=1]
 *
 * Between the hints 0xf3af8040 + r (begin region r < 32) and 0xf3af8060 (end), which the processor takes for nothing, it counts
 * every instruction, those whose condition fails included, and adds up cycles by the Technical Reference Manual of the Cortex-M4
 * with memory of no wait states (docs/cortex-m4.md).  For each region, in order, FILE gets
 *
 *   region R INSTRUCTIONS CYCLES DIVISIONS TRACE     TRACE: a hash of the addresses of all instructions and, with trace=1, of all
 *   loads and
 *                                                    stores, in the order of execution
 *   ADDRESS INSTRUCTIONS CYCLES                      for each address that was executed, in hex
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
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *);
extern bool qemu_plugin_mem_is_store(uint32_t info);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int flags, void *);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, void (*)(unsigned, uint32_t, uint64_t, void *), int flags,
                                             int rw, void *);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
int qemu_plugin_version = 1;
int qemu_plugin_install(qemu_plugin_id_t, const qemu_info_t *, int, char **);

enum { code_bytes = 4 << 20, begin_hint = 0x40, end_hint = 0x60 };
enum Kind { plain, load, branch, indirect, division, begin, end };

static struct Instruction {
  uint64_t count, cycles;
  uint32_t address;
  uint8_t kind, size, cost, region;
  uint32_t loaded, base; /* bits of the register that a load writes, and of those that its address is made of */
} code[code_bytes / 2];

static FILE *out;
static bool traced, counting;
static int region;
static uint64_t instructions, cycles, divisions, trace;
static const struct Instruction *previous;

static void mix(uint64_t x) {
  trace = (trace ^ x) * 0x9e3779b97f4a7c15u;
  trace ^= trace >> 29;
}

/* ---- costs ----------------------------------------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* Bits of the core registers named in a piece of disassembly; ranges count both ends only. */
static uint32_t registers(const char *from, const char *to) {
  static const char *const special[] = {"sb", "sl", "fp", "ip", "sp", "lr", "pc"}; /* r9 .. r15 */
  uint32_t bits = 0;
  for (const char *p = from; p < to; p++) {
    if (p > from && p[-1] != ' ' && p[-1] != '[' && p[-1] != '{' && p[-1] != '-') continue;
    if (*p == 'r' && p[1] >= '0' && p[1] <= '9') bits |= 1u << atoi(p + 1);
    for (int i = 0; i < 7; i++)
      if (starts(p, special[i])) bits |= 1u << (9 + i);
  }
  return bits;
}

/* How many words the braces of a list of registers hold. */
static int words_in_list(const char *text) {
  int n = 0;
  for (const char *p = strchr(text, '{'); p != NULL && *p != 0 && *p != '}'; p++) {
    if (p[-1] != ' ' && p[-1] != '{' && *p != '{') continue;
    if (*p == '{') p++;
    const int width = *p == 'd' ? 2 : 1;
    const char *dash = p;
    while (*dash != ',' && *dash != '}' && *dash != '-') dash++;
    n += width * (*dash == '-' ? atoi(dash + 3 - (dash[1] == ' ')) - atoi(p + 1) + 1 : 1);
  }
  return n;
}

/* From the disassembly: what one execution costs, but for what depends on the instruction before or behind it. */
static void classify(struct Instruction *i, const char *text) {
  const char *operands = text + strcspn(text, " \t"), *bracket = strchr(text, '['), *stop = text + strlen(text);
  i->cost = 1;
  i->kind = plain;
  if (starts(text, "vldr") || starts(text, "vstr")) {
    i->cost = 2;
  } else if (starts(text, "vldm") || starts(text, "vstm") || starts(text, "vpush") || starts(text, "vpop")) {
    i->cost = (uint8_t)(1 + words_in_list(text));
  } else if (starts(text, "ldm") || starts(text, "stm") || starts(text, "push") || starts(text, "pop")) {
    i->cost = (uint8_t)(1 + words_in_list(text));
    if (strstr(text, "pc") != NULL) i->kind = indirect;
  } else if (starts(text, "ldrd") || starts(text, "strd")) {
    i->cost = 3;
  } else if (starts(text, "ldr")) {
    const char *comma = strchr(operands, ',');
    i->cost = 2;
    i->kind = load;
    i->loaded = registers(operands + 1, comma);
    i->base = bracket != NULL ? registers(bracket, stop) : 0;
    if (i->loaded & 1u << 15) i->kind = indirect;
  } else if (starts(text, "str")) {
    const char *comma = bracket != NULL ? strchr(bracket, ',') : NULL, *close = bracket != NULL ? strchr(bracket, ']') : NULL;
    if (comma != NULL && comma < close && comma[2] != '#') i->cost = 2; /* an index register */
  } else if (starts(text, "sdiv") || starts(text, "udiv")) {
    i->cost = 7;
    i->kind = division;
  } else if (starts(text, "bx") || starts(text, "blx") || starts(text, "tbb") || starts(text, "tbh")) {
    i->kind = indirect;
  } else if (starts(text, "cb") || (*text == 'b' && !starts(text, "bic") && !starts(text, "bf") && !starts(text, "bkpt"))) {
    i->kind = branch;
  }
}

/* ---- execution ------------------------------------------------------------------------------------------------------------- */

static void write_region(void) {
  fprintf(out, "region %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", region, instructions, cycles, divisions, trace);
  for (struct Instruction *i = code; i < code + code_bytes / 2; i++) {
    if (i->count != 0) fprintf(out, "%" PRIx32 " %" PRIu64 " %" PRIu64 "\n", i->address, i->count, i->cycles);
    i->count = i->cycles = 0;
  }
}

/* A branch is known to have been taken when the next instruction is not the one behind it: then it is charged for refilling. */
static void charge_branch(const struct Instruction *target) {
  if ((previous->kind != branch && previous->kind != indirect) || target->address == previous->address + previous->size) return;
  const int more = (previous->kind == branch ? 1 : 2) + (target->size == 4 && target->address % 4 != 0);
  code[previous->address / 2].cycles += (uint64_t)more;
  cycles += (uint64_t)more;
}

static void executed(unsigned cpu, void *which) {
  (void)cpu;
  struct Instruction *i = which;
  if (i->kind == begin) {
    counting = true;
    region = i->region;
    instructions = cycles = divisions = trace = 0;
    previous = NULL;
    return;
  }
  if (!counting) return;
  if (previous != NULL) charge_branch(i);
  if (i->kind == end) {
    counting = false;
    write_region();
    return;
  }
  const bool pipelined = i->kind == load && previous != NULL && previous->kind == load && (previous->loaded & i->base) == 0;
  const unsigned cost = pipelined ? 1u : i->cost;
  i->count++;
  i->cycles += cost;
  instructions++;
  cycles += cost;
  divisions += i->kind == division;
  mix(i->address);
  previous = i;
}

static void accessed(unsigned cpu, uint32_t info, uint64_t address, void *which) {
  (void)cpu, (void)which;
  if (counting) mix(address << 1 | qemu_plugin_mem_is_store(info) | UINT64_C(1) << 62);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  const size_t n = qemu_plugin_tb_n_insns(block);
  for (size_t k = 0; k < n; k++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, k);
    const uint64_t address = qemu_plugin_insn_vaddr(insn);
    if (address >= code_bytes) {
      fprintf(stderr, "count: code outside of the board's flash, at %" PRIx64 "\n", address);
      exit(1);
    }
    struct Instruction *i = &code[address / 2];
    const uint8_t *bytes = qemu_plugin_insn_data(insn);
    i->address = (uint32_t)address;
    i->size = (uint8_t)qemu_plugin_insn_size(insn);
    char *text = qemu_plugin_insn_disas(insn);
    classify(i, text);
    free(text);
    if (i->size == 4 && bytes[0] == 0xaf && bytes[1] == 0xf3 && bytes[3] == 0x80) { /* a hint */
      if (bytes[2] >= begin_hint && bytes[2] < end_hint) i->kind = begin;
      if (bytes[2] == end_hint) i->kind = end;
      i->region = (uint8_t)(bytes[2] - begin_hint);
    }
    qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, no_registers, i);
    if (traced) qemu_plugin_register_vcpu_mem_cb(insn, accessed, no_registers, reads_and_writes, NULL);
  }
}

static void finished(qemu_plugin_id_t id, void *data) {
  (void)id, (void)data;
  fclose(out);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  const char *file = NULL;
  for (int a = 0; a < argc; a++) {
    if (starts(argv[a], "out=")) file = argv[a] + 4;
    if (strcmp(argv[a], "trace=1") == 0 || strcmp(argv[a], "trace=on") == 0) traced = true;
  }
  if (info->version.min > qemu_plugin_version || info->version.cur < qemu_plugin_version ||
      strcmp(info->target_name, "arm") != 0 || file == NULL || (out = fopen(file, "w")) == NULL) {
    fprintf(stderr, "count: wants QEMU's plugin interface 1, target arm, and out=FILE\n");
    return -1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, finished, NULL);
  return 0;
}
