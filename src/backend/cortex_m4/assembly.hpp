// SPDX-License-Identifier: Apache-2.0
// Functions whose body is assembly, where AIOLI_ARMV7M_GCC says so.  Each stands beside a C++ equivalent, which other machines
// use and which is its meaning.
#pragma once
#include "symmetric/armv7m.hpp"

// The compiler sees no use of the arguments; it must not conclude anything from that.  The bodies are asm statements with
// constants for operands, and conditions on template arguments between them: gcc takes these in naked functions, clang does not
// (see armv7m.hpp).
#define AIOLI_M4_NAKED __attribute__((naked, noipa))
