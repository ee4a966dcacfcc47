/* SPDX-License-Identifier: Apache-2.0
 * Runs the loops that are counted by hand (loops.S).
 */
void loop_countdown(void);
void loop_mixed(void);
void loop_calls(void);

int main(void) {
  loop_countdown();
  loop_mixed();
  loop_calls();
  return 0;
}
