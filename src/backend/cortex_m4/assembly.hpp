// SPDX-License-Identifier: Apache-2.0
// Functions whose body is assembly, where AIOLI_ARMV7M says so.  Each stands beside a C++ equivalent, which other machines use and which is its
// meaning.
#pragma once
#include "symmetric/armv7m.hpp"

// The compiler sees no use of the arguments; it must not conclude anything from that.
#if defined(__clang__)
#define AIOLI_M4_NAKED __attribute__((naked, noinline))
#else
#define AIOLI_M4_NAKED __attribute__((naked, noipa))
#endif
