// SPDX-License-Identifier: Apache-2.0
// What no_division.sh must find.
unsigned divide(unsigned a, unsigned b) { return a / b; }
