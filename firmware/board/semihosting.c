/* SPDX-License-Identifier: Apache-2.0
 * Arm's semihosting calls, of which the emulator knows a dozen.  The older exit call (0x18) reports success even where a fault
 * handler makes it, so only the newer one (0x20), which carries a status, is used.
 */
#include "board.h"

enum { sys_open = 0x01, sys_write = 0x05, sys_read = 0x06, sys_get_cmdline = 0x15, sys_exit_extended = 0x20 };

static int call(int operation, const void *block) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static size_t length(const char *s) {
  size_t n = 0;
  while (s[n] != 0) n++;
  return n;
}

static int open_with(const char *name, uint32_t mode) {
  const uint32_t block[3] = {(uint32_t)name, mode, (uint32_t)length(name)};
  return call(sys_open, block);
}

int board_open(const char *name) { return open_with(name, 1); /* "rb" */ }
size_t board_read(int handle, void *to, size_t n) {
  const uint32_t block[3] = {(uint32_t)handle, (uint32_t)to, (uint32_t)n};
  return n - (size_t)call(sys_read, block); /* it returns how many are missing */
}

static void write_bytes(const char *text, size_t n) {
  static int terminal = -1;
  if (terminal < 0) terminal = open_with(":tt", 4);
  const uint32_t block[3] = {(uint32_t)terminal, (uint32_t)text, (uint32_t)n};
  call(sys_write, block);
}

void board_print(const char *text) { write_bytes(text, length(text)); }

void board_print_number(uint32_t n) {
  char digits[10], *p = digits + sizeof digits;
  do {
    *--p = (char)('0' + n % 10);
    n /= 10;
  } while (n != 0);
  write_bytes(p, (size_t)(digits + sizeof digits - p));
}

void board_print_hex(const uint8_t *bytes, size_t n) {
  char text[64];
  while (n > 0) {
    size_t done = 0;
    for (; done < sizeof text / 2 && done < n; done++) {
      text[2 * done] = "0123456789abcdef"[bytes[done] >> 4];
      text[2 * done + 1] = "0123456789abcdef"[bytes[done] & 15];
    }
    write_bytes(text, 2 * done);
    bytes += done;
    n -= done;
  }
}

void board_exit(int status) {
  const uint32_t block[2] = {0x20026 /* the application has ended */, (uint32_t)status};
  for (;;) call(sys_exit_extended, block);
}

void board_command_line(char *to, size_t n) {
  const uint32_t block[2] = {(uint32_t)to, (uint32_t)n};
  if (n > 0) *to = 0;
  if (call(sys_get_cmdline, block) != 0 && n > 0) *to = 0;
}
