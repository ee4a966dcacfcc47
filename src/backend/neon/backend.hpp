// SPDX-License-Identifier: Apache-2.0
// Byte shuffles on pairs of NEON's registers, AES as well.
#pragma once
#include "backend/aes128_active.hpp"
#include "backend/by_field.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_shuffles.hpp"
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_neon.hpp"
#include "symmetric/aes128_arm.hpp"
#include "symmetric/keccak_plain.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Arm<AesByShuffles>;
template <class P> using KernelsOfMany = ShuffleKernels<P, VectorNeon, ActiveAes<LentAes>>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByShuffles<FieldOf<P>, VectorNeon>, ActiveAes<LentAes>>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<1>;

}  // namespace AIOLI_ISA
}  // namespace aioli
