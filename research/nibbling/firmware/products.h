/* SPDX-License-Identifier: Apache-2.0
 * The products of "Nibbling MAYO" on its three sets, each computed in two ways; nibbling.c runs, checks and counts them.
 */
#ifndef NIBBLING_PRODUCTS_H
#define NIBBLING_PRODUCTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char *way, *product;
  uint32_t macs; /* multiply-accumulates: one for each equation of each product of an m-vector with a scalar; 0: preparation */
  void (*run)(void);
  int (*agrees)(void); /* every element of the result is the portable kernels'; null: nothing of it is a result */
  void (*spoil)(void); /* changes one bit of the result */
} nibbling_step;

enum { nibbling_sets = 3, nibbling_steps = 11 };
typedef struct {
  const char *name;
  void (*fill)(void); /* matrices, the same for both ways, and what the portable kernels make of them */
  nibbling_step steps[nibbling_steps];
} nibbling_set;

extern const nibbling_set nibbling[nibbling_sets];

#ifdef __cplusplus
}
#endif
#endif
