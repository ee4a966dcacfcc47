// SPDX-License-Identifier: Apache-2.0
// A loop that clang unrolls, for tests/ct/no_freeze.sh: its number of turns is frozen.
volatile unsigned trace;
void turns(const unsigned *p) {
  const unsigned n = *p & 15;
  for (unsigned i = 0; i < n; i++) trace = i;
}
