// SPDX-License-Identifier: Apache-2.0
// Functions whose body is assembly: for processors with Thumb-2 (the Cortex-M4, and any ARMv7 that stands in for it in tests).  Each stands
// beside a C++ equivalent, which other machines use and which is its meaning.
#pragma once
#include "base/isa.hpp"

#if defined(__thumb2__) && defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define AIOLI_M4_ASSEMBLY 1
#else
#define AIOLI_M4_ASSEMBLY 0
#endif
// The compiler sees no use of the arguments; it must not conclude anything from that.
#if defined(__clang__)
#define AIOLI_M4_NAKED __attribute__((naked, noinline))
#else
#define AIOLI_M4_NAKED __attribute__((naked, noipa))
#endif
