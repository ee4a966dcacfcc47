// SPDX-License-Identifier: Apache-2.0
// Arrays side by side in one piece of memory.  The same code measures how much they take and says where each is.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

class Carver {
 public:
  // `base` may be null, to measure.  The device's allocations are aligned to 256 bytes, and so is each array.
  explicit Carver(uint64_t base) : base_(base) {}
  template <class T> void take(T *&array, uint64_t count) {
    array = reinterpret_cast<T *>(uintptr_t(base_ + used_));
    used_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
  }
  size_t used() const { return size_t(used_); }

 private:
  static constexpr uint64_t alignment = 256;
  uint64_t base_, used_ = 0;
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
