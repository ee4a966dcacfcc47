// SPDX-License-Identifier: Apache-2.0
// WebAssembly without SIMD: the kernels of portable, and AES that spares two rounds of ten.
#pragma once
#include "backend/portable/kernels.hpp"
#include "symmetric/aes128_long.hpp"
#include "symmetric/keccak_plain.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128SlicedLong<uint64_t>;
template <class P> using Kernels = PortableKernels<P, LentAes>;
using KeccakWords = KeccakPlain<1>;

}  // namespace AIOLI_ISA
}  // namespace aioli
