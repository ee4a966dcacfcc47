// SPDX-License-Identifier: Apache-2.0
// The kernels of the backend that this translation unit is compiled for.
#pragma once
#include "backend/portable/kernels.hpp"
#if defined(AIOLI_BACKEND_aesni)
#include "symmetric/aes128_ni.hpp"
#endif

namespace aioli::inline AIOLI_ISA {
#if defined(AIOLI_BACKEND_portable)
template <class P> using Kernels = PortableKernels<P, Aes128Portable>;
#elif defined(AIOLI_BACKEND_aesni)
template <class P> using Kernels = PortableKernels<P, Aes128Ni>;
#else
#error "no backend selected"
#endif
}  // namespace aioli::inline AIOLI_ISA
