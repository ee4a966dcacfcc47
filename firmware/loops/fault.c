/* SPDX-License-Identifier: Apache-2.0
 * Faults: the processor loads pairs of words from aligned addresses only.  tools/m4 must see that the run failed.
 */
int main(void) {
  unsigned low, high;
  __asm__ volatile("ldrd %0, %1, [%2]" : "=r"(low), "=r"(high) : "r"(0x20000002));
  return (int)(low ^ low); /* success, if it were to come here */
}
