// SPDX-License-Identifier: Apache-2.0
// The name of the instruction set this translation unit is compiled for.  Every header of src/ lives in the inline namespace of
// that name, so that the linker can never merge a function compiled with wider instructions into a baseline caller.
#pragma once
#include <stddef.h>
#include <stdint.h>
#if !defined(AIOLI_ISA)
#define AIOLI_ISA baseline
#endif
namespace aioli {
inline namespace AIOLI_ISA {

// Words of 64 bits in a vector register; one where there is none to speak of.
#if defined(__AVX512F__)
inline constexpr int at_once = 8;
#elif defined(__AVX2__)
inline constexpr int at_once = 4;
#else
inline constexpr int at_once = 1;
#endif

}  // namespace AIOLI_ISA
}  // namespace aioli
