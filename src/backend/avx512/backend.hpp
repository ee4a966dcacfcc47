// SPDX-License-Identifier: Apache-2.0
// Affine maps on 64-byte registers.
#pragma once
#include "backend/by_field.hpp"
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_products.hpp"
#include "backend/wide/vector_avx512.hpp"
#include "symmetric/aes128_vaes.hpp"
#include "symmetric/keccak_avx512.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using OwnAes = Aes128Vaes<Blocks4>;
using LentAes = Aes128Vaes<Blocks2>;
template <class P> using KernelsOfMany = GfniKernels<P, VectorAvx512, OwnAes>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByProducts<FieldOf<P>, VectorAvx512>, OwnAes>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakAvx512;

}  // namespace AIOLI_ISA
}  // namespace aioli
