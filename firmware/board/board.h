/* SPDX-License-Identifier: Apache-2.0
 * The board: memory between .bss and the stack, the stack's depth, text to the emulator's terminal, files of the host.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Memory for the whole run, from the end of .bss upwards, aligned to 64 bytes.  Ends the program (status 3) if the stack would be
 * left with less than 6 KiB. */
void *board_take(size_t n);
void board_give_back(void *p); /* p and all that was taken after it */

/* Paints what lies between that memory and the caller's frame, and tells how deep it has been overwritten since.  If nothing is
 * left of the paint, the stack has run into data: the program ends (status 4). */
void board_paint_stack(void);
size_t board_stack_used(void);
/* How many bytes at the top of the stack hold the frames of the caller's own calls: 512, if nobody says otherwise. */
void board_set_frames(size_t n);
/* Right behind the call that is looked at: keeps s0 .. s15, which calls need not preserve, the flag Q, which stays until it is
 * cleared, and a hash of these uppermost bytes of the stack but for 48, which this call itself may take. */
void board_keep(void);
/* How many bytes of what was overwritten are not zero now, but for the uppermost ones;
 * and of the registers kept. */
size_t board_residue(void);
/* A hash of the uppermost bytes of the stack, as they were kept, and of n bytes of memory. */
uint32_t board_left(const void *p, size_t n);

/* Overwrites memory with what does not come from a call. */
void board_paint(void *p, size_t n);

void board_print(const char *text);
void board_print_number(uint32_t n);
void board_print_hex(const uint8_t *bytes, size_t n);
_Noreturn void board_exit(int status);

/* Arguments of the emulator's command line, separated by blanks; the first is the program's name. */
void board_command_line(char *to, size_t n);
/* Host files, read only; a negative handle if there is none. */
int board_open(const char *name);
size_t board_read(int handle, void *to, size_t n);

/* What the counting plugin (firmware/plugin) looks for: unallocated hints, which the processor takes for nothing.  All between
 * BEGIN and END is counted.  One byte a number: 0x40 .. 0x5f begin region 0 .. 31, 0x60 ends it. */
#define BOARD_REGION_BEGIN(region) __asm__ volatile(".inst.w 0xf3af8040 + %c0" : : "i"(region) : "memory")
#define BOARD_REGION_END() __asm__ volatile(".inst.w 0xf3af8060" : : : "memory")

#endif
