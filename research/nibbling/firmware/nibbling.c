/* SPDX-License-Identifier: Apache-2.0
 * Bit-sliced arithmetic against nibble-sliced keys: all steps are run and compared with the portable kernels, then run again,
 * counted and compared again.  tools/m4lib/nibbling.py reads "SET WAY PRODUCT MACS" for each counted region, and "done".
 */
#include "board.h"
#include "products.h"

static void say(const nibbling_set *set, const nibbling_step *step) {
  board_print(set->name);
  board_print(" ");
  board_print(step->way);
  board_print(" ");
  board_print(step->product);
}

static void check(const nibbling_set *set, const nibbling_step *step) {
  if (step->agrees == 0 || step->agrees()) return;
  say(set, step);
  board_print(": not what the portable kernels make of it\n");
  board_exit(1);
}

/* The comparison itself: one bit that is changed has to be seen. */
static void check_check(const nibbling_set *set, const nibbling_step *step) {
  if (step->agrees == 0) return;
  step->spoil();
  if (!step->agrees()) return;
  say(set, step);
  board_print(": nobody notices a changed bit\n");
  board_exit(1);
}

int main(void) {
  for (int s = 0; s < nibbling_sets; s++) {
    const nibbling_set *set = &nibbling[s];
    set->fill();
    for (int i = 0; i < nibbling_steps; i++) {
      set->steps[i].run();
      check(set, &set->steps[i]);
      check_check(set, &set->steps[i]);
    }
    for (int i = 0; i < nibbling_steps; i++) {
      const nibbling_step *step = &set->steps[i];
      void (*run)(void) = step->run;
      BOARD_REGION_BEGIN(0);
      run();
      BOARD_REGION_END();
      check(set, step);
      say(set, step);
      board_print(" ");
      board_print_number(step->macs);
      board_print("\n");
    }
  }
  board_print("done\n");
  return 0;
}
