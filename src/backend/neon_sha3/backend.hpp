// SPDX-License-Identifier: Apache-2.0
// Byte shuffles on pairs of NEON's registers, whose products compilers add up by EOR3; Keccak with FEAT_SHA3, AES instructions.
#pragma once
#include "backend/by_field.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_shuffles.hpp"
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_neon.hpp"
#include "symmetric/aes128_arm.hpp"
#include "symmetric/keccak_arm.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Arm<AesByInstructions>;
template <class P> using KernelsOfMany = ShuffleKernels<P, VectorNeon, LentAes>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByShuffles<FieldOf<P>, VectorNeon>, LentAes>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakArm;

}  // namespace AIOLI_ISA
}  // namespace aioli
