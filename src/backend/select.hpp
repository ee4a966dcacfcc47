// SPDX-License-Identifier: Apache-2.0
// The kernels of the backend that this translation unit is compiled for.
#pragma once
#if defined(AIOLI_BACKEND_portable)
#include "backend/portable/kernels.hpp"
#elif defined(AIOLI_BACKEND_aesni)
#include "backend/portable/kernels.hpp"
#include "symmetric/aes128_ni.hpp"
#elif defined(AIOLI_BACKEND_avx2)
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_avx2.hpp"
#include "symmetric/aes128_ni.hpp"
#elif defined(AIOLI_BACKEND_vaes)
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_avx2.hpp"
#include "symmetric/aes128_vaes.hpp"
#elif defined(AIOLI_BACKEND_gfni)
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/vector_gfni256.hpp"
#include "symmetric/aes128_vaes.hpp"
#elif defined(AIOLI_BACKEND_avx512)
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/vector_avx512.hpp"
#include "symmetric/aes128_vaes.hpp"
#elif defined(AIOLI_BACKEND_emulated)
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_emulated.hpp"
#elif defined(AIOLI_BACKEND_emulated_gfni) || defined(AIOLI_BACKEND_emulated_avx512)
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/vector_emulated_gfni.hpp"
#endif

namespace aioli::inline AIOLI_ISA {
#if defined(AIOLI_BACKEND_portable)
template <class P> using Kernels = PortableKernels<P, Aes128Portable>;
#elif defined(AIOLI_BACKEND_aesni)
template <class P> using Kernels = PortableKernels<P, Aes128Ni>;
#elif defined(AIOLI_BACKEND_avx2)
template <class P> using Kernels = ShuffleKernels<P, VectorAvx2, Aes128Ni>;
#elif defined(AIOLI_BACKEND_vaes)
template <class P> using Kernels = ShuffleKernels<P, VectorAvx2, Aes128Vaes<Blocks2>>;
#elif defined(AIOLI_BACKEND_gfni)
template <class P> using Kernels = GfniKernels<P, VectorGfni256, Aes128Vaes<Blocks2>>;
#elif defined(AIOLI_BACKEND_avx512)
template <class P> using Kernels = GfniKernels<P, VectorAvx512, Aes128Vaes<Blocks4>>;
// For tests only: AIOLI_WITH_EMULATED.
#elif defined(AIOLI_BACKEND_emulated)
template <class P> using Kernels = ShuffleKernels<P, VectorEmulated, Aes128Portable>;
#elif defined(AIOLI_BACKEND_emulated_gfni)
template <class P> using Kernels = GfniKernels<P, VectorEmulatedGfni<32>, Aes128Portable>;
#elif defined(AIOLI_BACKEND_emulated_avx512)
template <class P> using Kernels = GfniKernels<P, VectorEmulatedGfni<64>, Aes128Portable>;
#else
#error "no backend selected"
#endif
}  // namespace aioli::inline AIOLI_ISA
