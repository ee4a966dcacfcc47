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
size_t board_stack_residue(size_t uppermost) {
  size_t n = 0;
  for (const uint8_t *p = painted_to - board_stack_used(); p < painted_to - uppermost; p++) n += *p != 0;
  return n;
}
