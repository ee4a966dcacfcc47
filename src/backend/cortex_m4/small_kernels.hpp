// SPDX-License-Identifier: Apache-2.0
// Cortex-M4: the small policy.
#pragma once
#include "backend/cortex_m4/arithmetic.hpp"
#include "symmetric/aes128_table.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P> struct CortexM4SmallKernels : CortexM4Arithmetic<P, MemoryPolicy::small, Aes128Table> {};

}  // namespace AIOLI_ISA
}  // namespace aioli
