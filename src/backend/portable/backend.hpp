// SPDX-License-Identifier: Apache-2.0
// 64-bit words, on any machine.
#pragma once
#include "backend/aes128_active.hpp"
#include "backend/portable/kernels.hpp"
#include "symmetric/aes128_ctr.hpp"
#include "symmetric/keccak_plain.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Portable;
template <class P> using Kernels = PortableKernels<P, ActiveAes<LentAes>>;
using KeccakWords = KeccakPlain<1>;

}  // namespace AIOLI_ISA
}  // namespace aioli
