// SPDX-License-Identifier: Apache-2.0
// What the kernels use of CUDA C++ beyond C++: the keywords, dynamic shared memory and addresses in it, barriers, shuffles,
// votes, atomic xor, byte_perm and funnelshift.  tests/cuda/shim/dialect.hpp gives all of it to an ordinary compiler.
#pragma once
#include "cuda/device/kernels.hpp"

#define AIOLI_DEVICE __device__ __forceinline__

// The only shared memory of a kernel is the dynamic one, of which the launch says how large it is.
#if defined(AIOLI_CUDA_SHIM)
#define AIOLI_SHARED_MEMORY(type, name) type *const name = static_cast<type *>(::aioli::shim::shared_memory())
#else
#define AIOLI_SHARED_MEMORY(type, name)          \
  extern __shared__ uint4 aioli_shared_memory[]; \
  type *const name = reinterpret_cast<type *>(aioli_shared_memory)
#endif

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// Shared memory by addresses of 32 bits, which are the sum of one that all threads have, one of the thread's own, and a constant:
// a load adds them up.
#if defined(AIOLI_CUDA_SHIM)
AIOLI_DEVICE uint32_t shared_address(const void *p) { return ::aioli::shim::shared_address(p); }
template <uint32_t Offset> AIOLI_DEVICE uint32_t load_shared(uint32_t address) {
  return *::aioli::shim::shared_word(address + Offset);
}
template <uint32_t Offset> AIOLI_DEVICE uint4 load_shared_4(uint32_t address) {
  return make_uint4(load_shared<Offset>(address), load_shared<Offset + 4>(address), load_shared<Offset + 8>(address),
                    load_shared<Offset + 12>(address));
}
#else
// Volatile, so that it stays behind the barrier before it, and with it what is loaded by way of it: load_shared says nothing of
// memory to the compiler, because it is for what no longer changes.
AIOLI_DEVICE uint32_t shared_address(const void *p) {
  uint32_t address = uint32_t(__cvta_generic_to_shared(p));
  asm volatile("" : "+r"(address)::"memory");
  return address;
}
template <uint32_t Offset> AIOLI_DEVICE uint32_t load_shared(uint32_t address) {
  uint32_t word;
  asm("ld.shared.u32 %0, [%1+%2];" : "=r"(word) : "r"(address), "n"(Offset));
  return word;
}
template <uint32_t Offset> AIOLI_DEVICE uint4 load_shared_4(uint32_t address) {
  uint4 words;
  asm("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4+%5];"
      : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
      : "r"(address), "n"(Offset));
  return words;
}
#endif

// x, of which the compiler is to know nothing: a product with 0 or 1 stays one, beside the logic, where it would be made a
// selection.
AIOLI_DEVICE uint32_t opaque(uint32_t x) {
  asm("" : "+r"(x));
  return x;
}
// A pointer into the device's memory that is computed once: compilers would rather put together each address from all that it
// depends on.
template <class T> AIOLI_DEVICE T *settled(T *p) {
#if defined(AIOLI_CUDA_SHIM)
  return p;
#else
  size_t address = __cvta_generic_to_global(p);
  asm("" : "+l"(address));
  return static_cast<T *>(__cvta_global_to_generic(address));
#endif
}

// The same value, which compilers do not know for the same: so they compute anew what depends on it, and keep none of that in
// registers.
AIOLI_DEVICE uint32_t anew(uint32_t x) {
#if !defined(AIOLI_CUDA_SHIM)
  asm volatile("" : "+r"(x));
#endif
  return x;
}

inline constexpr uint32_t all_lanes = 0xffffffff;

AIOLI_DEVICE uint32_t thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }
AIOLI_DEVICE uint32_t lane_of_warp() { return threadIdx.x % 32; }
// Which the compiler is to know for the same in all lanes.
AIOLI_DEVICE uint32_t warp_of_block() { return __shfl_sync(all_lanes, threadIdx.x / 32, 0); }

// Secrets do not stay behind for the next kernel on this multiprocessor.  All threads of the block.
template <class Unit = uint32_t> AIOLI_DEVICE void clear_shared_memory(uint32_t bytes) {
  AIOLI_SHARED_MEMORY(Unit, units);
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < bytes / sizeof(Unit); i += blockDim.x) units[i] = Unit{};
}

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
