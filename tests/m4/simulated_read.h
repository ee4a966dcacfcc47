/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
uint32_t simulated_read(volatile uint32_t *reg);
