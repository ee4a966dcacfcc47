// SPDX-License-Identifier: Apache-2.0
// For tests: the kernels of avx2 over plain bytes.
#pragma once
#include "backend/by_field.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_shuffles.hpp"
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_emulated.hpp"
#include "symmetric/aes128_ctr.hpp"
#include "symmetric/keccak_plain.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Portable;
template <class P> using KernelsOfMany = ShuffleKernels<P, VectorEmulated, LentAes>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByShuffles<FieldOf<P>, VectorEmulated>, LentAes>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<4>;

}  // namespace AIOLI_ISA
}  // namespace aioli
