// SPDX-License-Identifier: Apache-2.0
// Leaks for traces.cpp to see.
#include <stdint.h>

namespace planted {

void load(uint32_t *out, const uint32_t *table, const uint32_t *secret);
void branch(uint32_t *out, const uint32_t *secret);
void neither(uint32_t *out, const uint32_t *secret);

void load(uint32_t *out, const uint32_t *table, const uint32_t *secret) { *out = table[*secret & 15]; }
void branch(uint32_t *out, const uint32_t *secret) {
  if (*secret & 1)
    out[0] = 1;
  else
    *static_cast<volatile uint32_t *>(out) = 2;
}
void neither(uint32_t *out, const uint32_t *secret) { *out = *secret * 5; }

}  // namespace planted
