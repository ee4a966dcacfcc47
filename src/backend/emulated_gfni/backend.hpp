// SPDX-License-Identifier: Apache-2.0
// For tests: the kernels of gfni over plain words.
#pragma once
#include "backend/by_field.hpp"
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_products.hpp"
#include "backend/wide/vector_emulated_gfni.hpp"
#include "symmetric/aes128_ctr.hpp"
#include "symmetric/keccak_plain.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Portable;
template <class P> using KernelsOfMany = GfniKernels<P, VectorEmulatedGfni<32>, LentAes>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByProducts<FieldOf<P>, VectorEmulatedGfni<32>>, LentAes>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<4>;

}  // namespace AIOLI_ISA
}  // namespace aioli
