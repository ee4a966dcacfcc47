// SPDX-License-Identifier: Apache-2.0
// The Cortex-M4 with little memory.
#pragma once
#include "backend/by_field.hpp"
#include "backend/cortex_m4/small_kernels.hpp"
#include "backend/cortex_m4/square_kernels.hpp"
#include "symmetric/keccak_plain.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P> using KernelsOfMany = CortexM4SmallKernels<P>;
template <class P> using KernelsOfOne = CortexM4SquareKernels<P, Aes128Table>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<1>;

}  // namespace AIOLI_ISA
}  // namespace aioli
