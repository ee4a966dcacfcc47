// SPDX-License-Identifier: Apache-2.0
// The Cortex-M4 with tables.
#pragma once
#include "backend/cortex_m4/kernels.hpp"
#include "symmetric/keccak_plain.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P> using Kernels = CortexM4Kernels<P>;
using KeccakWords = KeccakPlain<1>;

}  // namespace AIOLI_ISA
}  // namespace aioli
