// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
extern "C" {
void *malloc(size_t);
void free(void *);
char *getenv(const char *);
}
