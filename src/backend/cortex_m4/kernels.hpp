// SPDX-License-Identifier: Apache-2.0
// Cortex-M4: the fast policy.
#pragma once
#include "backend/portable/kernels.hpp"
#include "symmetric/aes128_table.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P> struct CortexM4Kernels : PortableKernels<P, Aes128Table> {};

}  // namespace aioli::inline AIOLI_ISA
