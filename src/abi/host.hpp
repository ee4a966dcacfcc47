// SPDX-License-Identifier: Apache-2.0
// All that the library asks of an operating system.  With AIOLI_FREESTANDING there is none: no memory, no randomness, no
// environment.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace aioli {
void *host_allocate(size_t n);  // null if there is no memory
void host_free(void *p);
bool host_random(uint8_t *out, size_t n);
const char *host_getenv(const char *name);
}  // namespace aioli
