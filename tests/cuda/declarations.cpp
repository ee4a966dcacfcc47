// SPDX-License-Identifier: Apache-2.0
// Our declarations of CUDA's driver against those of its own header: as many parameters, each of the same size.  Compiled by
// `make gpu-build`, where that header is; there is nothing to run.
#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/host/driver.hpp"

using namespace aioli::cuda;

template <class Ours, class Theirs> constexpr bool alike = false;
template <class R, class... A, class S, class... B>
constexpr bool alike<R (*)(A...), S (*)(B...)> = [] {
  if constexpr (sizeof...(A) == sizeof...(B))
    return sizeof(R) == sizeof(S) && (... && (sizeof(A) == sizeof(B)));
  else
    return false;
}();

#define AIOLI_DRIVER(field, symbol, parameters) \
  static_assert(alike<decltype(Driver::field), decltype(&symbol)>, #symbol " is declared otherwise in cuda.h");
#include "cuda/host/driver.def"
#undef AIOLI_DRIVER

static_assert(!alike<int (*)(int), int (*)(int, int)> && !alike<int (*)(int), int (*)(double)>);  // that it can fail
static_assert(sizeof(DevicePointer) == sizeof(CUdeviceptr));
static_assert(int(multiprocessors) == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT &&
              int(clock_kilohertz) == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
static_assert(int(compute_major) == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(int(compute_minor) == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(int(second_level_cache_bytes) == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
static_assert(function_shared_bytes == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(stream_non_blocking == CU_STREAM_NON_BLOCKING && out_of_memory == CUDA_ERROR_OUT_OF_MEMORY);
