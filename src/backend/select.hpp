// SPDX-License-Identifier: Apache-2.0
// The kernels of the backend that this translation unit is compiled for.
#pragma once
#include "backend/portable/kernels.hpp"
#if defined(AIOLI_BACKEND_aesni) || defined(AIOLI_BACKEND_avx2)
#include "symmetric/aes128_ni.hpp"
#endif
#if defined(AIOLI_BACKEND_avx2)
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_avx2.hpp"
#endif
#if defined(AIOLI_BACKEND_emulated)
#include "backend/wide/shuffle_kernels.hpp"
#include "backend/wide/vector_emulated.hpp"
#endif

namespace aioli::inline AIOLI_ISA {
#if defined(AIOLI_BACKEND_portable)
template <class P> using Kernels = PortableKernels<P, Aes128Portable>;
#elif defined(AIOLI_BACKEND_aesni)
template <class P> using Kernels = PortableKernels<P, Aes128Ni>;
#elif defined(AIOLI_BACKEND_avx2)
template <class P> using Kernels = ShuffleKernels<P, VectorAvx2, Aes128Ni>;
#elif defined(AIOLI_BACKEND_emulated)  // for tests only: AIOLI_WITH_EMULATED
template <class P> using Kernels = ShuffleKernels<P, VectorEmulated, Aes128Portable>;
#else
#error "no backend selected"
#endif
}  // namespace aioli::inline AIOLI_ISA
