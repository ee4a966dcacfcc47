// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
extern "C" int getentropy(void *, size_t);
