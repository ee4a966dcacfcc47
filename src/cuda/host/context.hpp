// SPDX-License-Identifier: Apache-2.0
// What the caller holds: a driver and the devices that still work.
#pragma once
#include <aioli/cuda.h>

#include "cuda/host/device.hpp"

struct aioli_cuda {
  aioli::cuda::Driver driver;
  aioli::cuda::Device devices[AIOLI_CUDA_MAX_DEVICES];
  size_t count;
  uint32_t flags;
  size_t least_rows;
  char error[160];  // of the last device that failed; empty if none has

  bool may_fall_back() const { return (flags & AIOLI_CUDA_FALLBACK) != 0; }
};

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {
// Gives up the devices that have failed.
void drop_failed(aioli_cuda &c);
}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
