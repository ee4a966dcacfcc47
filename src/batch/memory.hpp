// SPDX-License-Identifier: Apache-2.0
// Arrays on the heap.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

namespace aioli {

// Not cleared; null if there is no memory, or if so many cannot be.
template <class T> T *allocate(size_t count) {
  if (count > (SIZE_MAX >> 1) / sizeof(T)) return nullptr;
  return static_cast<T *>(malloc(count > 0 ? count * sizeof(T) : 1));
}

template <class T> struct Allocation {
  explicit Allocation(size_t count) : at(allocate<T>(count)) {}
  ~Allocation() { free(at); }
  Allocation(const Allocation &) = delete;
  T *const at;
};

}  // namespace aioli
