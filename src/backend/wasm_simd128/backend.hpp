// SPDX-License-Identifier: Apache-2.0
// Byte shuffles on pairs of WebAssembly's registers; AES bit-sliced over both words of them.
#pragma once
#include "backend/by_field.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_shuffles.hpp"
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_wasm.hpp"
#include "symmetric/aes128_long.hpp"
#include "symmetric/keccak_plain.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128SlicedLong<WordPair>;
// Of MAYO a seventh of the code that LuSolver takes, which matters more here than the time.
template <class P> struct KernelsOfMany : ShuffleKernels<P, VectorWasm, LentAes> {
  using Solver = typename PortableKernels<P, LentAes>::Solver;
};
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByShuffles<FieldOf<P>, VectorWasm>, LentAes>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<1>;

}  // namespace AIOLI_ISA
}  // namespace aioli
