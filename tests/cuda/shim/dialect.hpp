// SPDX-License-Identifier: Apache-2.0
// The dialect of CUDA C++ that the kernels of src/cuda/device are written in, for an ordinary compiler.  Included before a
// kernel's source (-include, or a file that includes both); shim.hpp runs what comes out.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define AIOLI_CUDA_SHIM 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

struct alignas(8) uint2 {
  uint32_t x, y;
};
struct alignas(16) uint4 {
  uint32_t x, y, z, w;
};
inline uint2 make_uint2(uint32_t x, uint32_t y) { return {x, y}; }
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }

namespace aioli::shim {

struct Index {
  uint32_t x, y, z;
};
struct Place {  // in a source file
  const char *file;
  int line;
};
// Of the thread that runs.
struct Coordinates {
  Index thread, block, block_size, grid_size;
};
const Coordinates &coordinates();
void *shared_memory();
// Addresses of 32 bits: shared memory begins where the launch says.
uint32_t shared_address(const void *p);
const uint32_t *shared_word(uint32_t address);
void wait_for_block(Place place);
void wait_for_warp(Place place);
// All live threads of the warp meet at one place and see each other's values.  `lanes` says who is to be there.
const uint32_t *exchange(uint32_t lanes, uint32_t value, Place place);
uint32_t lane();
uint32_t present();  // the lanes of this warp that have not returned
// Atomic operations order what threads do; for checkers.
uint32_t atomic(uint32_t *word, uint32_t (*operation)(uint32_t old, uint32_t operand), uint32_t operand);

template <class Combine> uint32_t combined(uint32_t lanes, uint32_t value, Place place, Combine combine) {
  const uint32_t *values = exchange(lanes, value, place);
  uint32_t result = 0;
  bool first = true;
  for (int i = 0; i < 32; i++)
    if (lanes >> i & 1) result = first ? values[i] : combine(result, values[i]), first = false;
  return result;
}
inline uint32_t ballot(uint32_t lanes, bool predicate, Place place) {
  const uint32_t *values = exchange(lanes, predicate, place);
  uint32_t result = 0;
  for (int i = 0; i < 32; i++)
    if (lanes >> i & 1) result |= values[i] << i;
  return result;
}
inline uint32_t value_of(uint32_t lanes, uint32_t value, uint32_t source, Place place) {
  return exchange(lanes, value, place)[source & 31];
}

}  // namespace aioli::shim

#define threadIdx (::aioli::shim::coordinates().thread)
#define blockIdx (::aioli::shim::coordinates().block)
#define blockDim (::aioli::shim::coordinates().block_size)
#define gridDim (::aioli::shim::coordinates().grid_size)

#define AIOLI_SHIM_HERE \
  ::aioli::shim::Place { __FILE__, __LINE__ }
#define __syncthreads() ::aioli::shim::wait_for_block(AIOLI_SHIM_HERE)
#define __syncwarp() ::aioli::shim::wait_for_warp(AIOLI_SHIM_HERE)
#define __shfl_sync(lanes, value, source) ::aioli::shim::value_of(lanes, value, source, AIOLI_SHIM_HERE)
#define __shfl_xor_sync(lanes, value, mask) \
  ::aioli::shim::value_of(lanes, value, ::aioli::shim::lane() ^ uint32_t(mask), AIOLI_SHIM_HERE)
#define __ballot_sync(lanes, predicate) ::aioli::shim::ballot(lanes, predicate, AIOLI_SHIM_HERE)
#define __any_sync(lanes, predicate) int(::aioli::shim::ballot(lanes, predicate, AIOLI_SHIM_HERE) != 0)
#define __reduce_xor_sync(lanes, value) \
  ::aioli::shim::combined(lanes, value, AIOLI_SHIM_HERE, [](uint32_t a, uint32_t b) { return a ^ b; })

inline uint32_t atomicXor(uint32_t *word, uint32_t value) {
  return aioli::shim::atomic(word, [](uint32_t a, uint32_t b) { return a ^ b; }, value);
}
inline uint32_t atomicAdd(uint32_t *word, uint32_t value) {
  return aioli::shim::atomic(word, [](uint32_t a, uint32_t b) { return a + b; }, value);
}

// No loop, and always inline: selectors are constants, of which nothing is left but shifts and masks, at any level of
// optimization.
__forceinline__ uint32_t byte_permuted(uint64_t bytes, uint32_t choice) {
  const uint32_t byte = uint32_t(bytes >> (8 * (choice & 7))) & 255;
  return choice & 8 ? 255 * (byte >> 7) : byte;
}
__forceinline__ uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = a | uint64_t(b) << 32;
  return byte_permuted(bytes, selector & 15) | byte_permuted(bytes, selector >> 4 & 15) << 8 |
         byte_permuted(bytes, selector >> 8 & 15) << 16 | byte_permuted(bytes, selector >> 12 & 15) << 24;
}
inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t n) {
  return uint32_t((uint64_t(high) << 32 | low) << (n & 31) >> 32);
}
inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t n) {
  return uint32_t((uint64_t(high) << 32 | low) >> (n & 31));
}
inline uint32_t __popc(uint32_t x) { return uint32_t(__builtin_popcount(x)); }
template <class T> inline T __ldg(const T *p) { return *p; }
