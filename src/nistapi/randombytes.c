/* SPDX-License-Identifier: Apache-2.0 */
/* Taken from the archive only by programs that have no randombytes of their own. */
#include <aioli/aioli.h>
#include <aioli/nistapi.h>

int randombytes(unsigned char *x, unsigned long long xlen) { return aioli_rng_system(NULL, x, (size_t)xlen); }
