// SPDX-License-Identifier: Apache-2.0
// Byte shuffles on 32-byte registers.
#pragma once
#include "backend/aes128_active.hpp"
#include "backend/by_field.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_shuffles.hpp"
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_avx2.hpp"
#include "symmetric/aes128_ni.hpp"
#include "symmetric/keccak_avx2.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Ni;
template <class P> using KernelsOfMany = ShuffleKernels<P, VectorAvx2, ActiveAes<LentAes>>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByShuffles<FieldOf<P>, VectorAvx2>, ActiveAes<LentAes>>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakAvx2;

}  // namespace AIOLI_ISA
}  // namespace aioli
