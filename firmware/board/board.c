/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

extern uint8_t bss_end[], ram_end[];

enum { paint = 0xa5, least_stack = 6144 };

static uint8_t *taken_end;

static uint8_t *stack_pointer(void) {
  uint8_t *sp;
  __asm__ volatile("mov %0, sp" : "=r"(sp));
  return sp;
}

static uint8_t *free_start(void) { return taken_end != NULL ? taken_end : bss_end; }

void *board_take(size_t n) {
  uint8_t *at = (uint8_t *)(((uintptr_t)free_start() + 63) & ~(uintptr_t)63);
  const size_t room = (size_t)(ram_end - at);
  if (n + least_stack > room) {
    board_print("out of RAM: ");
    board_print_number((uint32_t)(n + least_stack - room));
    board_print(" bytes too few\n");
    board_exit(3);
  }
  taken_end = at + n;
  return at;
}
void board_give_back(void *p) { taken_end = p; }

void board_paint(void *p, size_t n) {
  for (volatile uint8_t *to = p; n > 0; n--) *to++ = paint;
}

static uint8_t *painted_to;

/* Words, for many of them are painted: outside of what is counted, but the emulator has to run them. */
__attribute__((noinline)) void board_paint_stack(void) {
  uint8_t *from = (uint8_t *)(((uintptr_t)free_start() + 3) & ~(uintptr_t)3);
  painted_to = (uint8_t *)__builtin_frame_address(0);
  uint8_t *const end = stack_pointer() - 32;
  for (uint8_t *p = from; p < end; p += 4) *(volatile uint32_t *)p = paint * 0x01010101u;
}
size_t board_stack_used(void) {
  const uint8_t *p = (const uint8_t *)(((uintptr_t)free_start() + 3) & ~(uintptr_t)3);
  if (*p != paint) {
    board_print("stack overflow\n");
    board_exit(4);
  }
  while (p < painted_to && *p == paint) p++;
  return (size_t)(painted_to - p);
}

static size_t uppermost = 512;
void board_set_frames(size_t n) { uppermost = n; }

static _Alignas(4) uint8_t kept[64];
static uint32_t kept_q, kept_hash;

static uint32_t hash(uint32_t h, const uint8_t *p, size_t n) { /* FNV-1a */
  for (; n > 0; n--) h = (h ^ *p++) * 16777619u;
  return h;
}

__attribute__((noinline)) void board_keep(void) {
  __asm__ volatile("vstmia %1, {s0-s15}\n\tmrs %0, apsr" : "=r"(kept_q) : "r"(kept) : "memory");
  kept_q = kept_q >> 27 & 1;
  kept_hash = hash(2166136261u, painted_to - uppermost, uppermost - 48);
}

size_t board_residue(void) {
  size_t n = 0;
  for (const uint8_t *p = painted_to - board_stack_used(); p < painted_to - uppermost; p++) n += *p != 0;
  for (size_t i = 0; i < sizeof kept; i++) n += kept[i] != 0;
  return n + kept_q;
}
uint32_t board_left(const void *p, size_t n) { return hash(kept_hash, p, n); }
