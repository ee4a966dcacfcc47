// SPDX-License-Identifier: Apache-2.0
// The kernels, and the words of Keccak states, of the backend that this translation unit is compiled for.
#pragma once
#if defined(AIOLI_BACKEND_portable)
#include "backend/portable/kernels.hpp"
#include "symmetric/keccak_plain.hpp"
#elif defined(AIOLI_BACKEND_cortex_m4_small)
#include "backend/cortex_m4/small_kernels.hpp"
#include "backend/cortex_m4/square_kernels.hpp"
#include "symmetric/keccak_plain.hpp"
#elif defined(AIOLI_BACKEND_cortex_m4)
#include "backend/cortex_m4/kernels.hpp"
#include "symmetric/keccak_plain.hpp"
#elif defined(AIOLI_BACKEND_aesni)
#include "backend/portable/kernels.hpp"
#include "symmetric/aes128_ni.hpp"
#include "symmetric/keccak_plain.hpp"
#elif defined(AIOLI_BACKEND_avx2)
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_shuffles.hpp"
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_avx2.hpp"
#include "symmetric/aes128_ni.hpp"
#include "symmetric/keccak_avx2.hpp"
#elif defined(AIOLI_BACKEND_vaes)
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_shuffles.hpp"
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_avx2.hpp"
#include "symmetric/aes128_vaes.hpp"
#include "symmetric/keccak_avx2.hpp"
#elif defined(AIOLI_BACKEND_gfni)
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_products.hpp"
#include "backend/wide/vector_gfni256.hpp"
#include "symmetric/aes128_vaes.hpp"
#include "symmetric/keccak_avx2.hpp"
#elif defined(AIOLI_BACKEND_avx512)
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_products.hpp"
#include "backend/wide/vector_avx512.hpp"
#include "symmetric/aes128_vaes.hpp"
#include "symmetric/keccak_avx512.hpp"
#elif defined(AIOLI_BACKEND_emulated)
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_shuffles.hpp"
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_emulated.hpp"
#include "symmetric/keccak_plain.hpp"
#elif defined(AIOLI_BACKEND_emulated_gfni) || defined(AIOLI_BACKEND_emulated_avx512)
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/scaling_kernels.hpp"
#include "backend/wide/scaling_products.hpp"
#include "backend/wide/vector_emulated_gfni.hpp"
#include "symmetric/keccak_plain.hpp"
#endif

namespace aioli {
inline namespace AIOLI_ISA {
// Sets that name a field (FieldOf) are of schemes of one vector; a backend may have other kernels for those.
template <class P, template <class> class Many, template <class> class One> struct KernelsBySet {
  using type = Many<P>;
};
template <class P, template <class> class Many, template <class> class One>
  requires requires { typename P::Field; }
struct KernelsBySet<P, Many, One> {
  using type = One<P>;
};

#if defined(AIOLI_BACKEND_portable)
template <class P> using Kernels = PortableKernels<P, Aes128Portable>;
using KeccakWords = KeccakPlain<1>;
#elif defined(AIOLI_BACKEND_cortex_m4_small)
template <class P> using KernelsOfMany = CortexM4SmallKernels<P>;
template <class P> using KernelsOfOne = CortexM4SquareKernels<P, Aes128Table>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<1>;
#elif defined(AIOLI_BACKEND_cortex_m4)
template <class P> using Kernels = CortexM4Kernels<P>;
using KeccakWords = KeccakPlain<1>;
#elif defined(AIOLI_BACKEND_aesni)
template <class P> using Kernels = PortableKernels<P, Aes128Ni>;
using KeccakWords = KeccakPlain<1>;
#elif defined(AIOLI_BACKEND_avx2)
template <class P> using KernelsOfMany = ShuffleKernels<P, VectorAvx2, Aes128Ni>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByShuffles<FieldOf<P>, VectorAvx2>, Aes128Ni>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakAvx2;
#elif defined(AIOLI_BACKEND_vaes)
template <class P> using KernelsOfMany = ShuffleKernels<P, VectorAvx2, Aes128Vaes<Blocks2>>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByShuffles<FieldOf<P>, VectorAvx2>, Aes128Vaes<Blocks2>>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakAvx2;
#elif defined(AIOLI_BACKEND_gfni)
template <class P> using KernelsOfMany = GfniKernels<P, VectorGfni256, Aes128Vaes<Blocks2>>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByProducts<FieldOf<P>, VectorGfni256>, Aes128Vaes<Blocks2>>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakAvx2;
#elif defined(AIOLI_BACKEND_avx512)
template <class P> using KernelsOfMany = GfniKernels<P, VectorAvx512, Aes128Vaes<Blocks4>>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByProducts<FieldOf<P>, VectorAvx512>, Aes128Vaes<Blocks4>>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakAvx512;
// For tests only: AIOLI_WITH_EMULATED.
#elif defined(AIOLI_BACKEND_emulated)
template <class P> using KernelsOfMany = ShuffleKernels<P, VectorEmulated, Aes128Portable>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByShuffles<FieldOf<P>, VectorEmulated>, Aes128Portable>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<4>;
#elif defined(AIOLI_BACKEND_emulated_gfni)
template <class P> using KernelsOfMany = GfniKernels<P, VectorEmulatedGfni<32>, Aes128Portable>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByProducts<FieldOf<P>, VectorEmulatedGfni<32>>, Aes128Portable>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<4>;
#elif defined(AIOLI_BACKEND_emulated_avx512)
template <class P> using KernelsOfMany = GfniKernels<P, VectorEmulatedGfni<64>, Aes128Portable>;
template <class P> using KernelsOfOne = ScalingKernels<P, ScalingByProducts<FieldOf<P>, VectorEmulatedGfni<64>>, Aes128Portable>;
template <class P> using Kernels = typename KernelsBySet<P, KernelsOfMany, KernelsOfOne>::type;
using KeccakWords = KeccakPlain<8>;
#else
#error "no backend selected"
#endif
}  // namespace AIOLI_ISA
}  // namespace aioli
