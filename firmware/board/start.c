/* SPDX-License-Identifier: Apache-2.0
 * From reset to main.  On a real part this file, the linker script and semihosting.c are what its maker's kit brings instead.
 */
#include "board.h"

extern uint32_t ram_end[], data_load[], data_start[], data_end[], bss_start[], bss_end[];
extern void (*const init_array_start[])(void), (*const init_array_end[])(void);

int main(void);

__attribute__((used)) static void start(void) {
  const uint32_t *from = data_load;
  for (uint32_t *to = data_start; to < data_end; to++) *to = *from++;
  for (uint32_t *to = bss_start; to < bss_end; to++) *to = 0;
  for (void (*const *f)(void) = init_array_start; f < init_array_end; f++) (*f)();
  board_exit(main());
}

/* The floating-point unit is off after reset, and compilers keep integers in its registers: nothing before this may be compiled
 * code. */
__attribute__((naked, noreturn)) void reset(void) {
  __asm__ volatile(
      "ldr r0, =0xe000ed88\n" /* CPACR */
      "ldr r1, [r0]\n"
      "orr r1, r1, #0xf00000\n"
      "str r1, [r0]\n"
      "dsb\n"
      "isb\n"
      "b start\n");
}

/* A fault is a failed run: the number of the exception, and the fault's status register. */
static void fault(void) {
  uint32_t exception;
  __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
  board_print("fault: exception ");
  board_print_number(exception);
  board_print(", CFSR ");
  board_print_number(*(volatile uint32_t *)0xe000ed28);
  board_print("\n");
  board_exit(2);
}

__attribute__((section(".vectors"), used)) static const struct {
  uint32_t *stack;
  void (*handlers[15])(void);
} vectors = {ram_end, {reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, fault}};
