/* SPDX-License-Identifier: Apache-2.0
 * What the boot loader starts: says so, and ends.
 */
#include "board.h"

int main(void) {
  board_print("application runs\n");
  return 0;
}
