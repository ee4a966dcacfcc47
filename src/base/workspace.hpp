// SPDX-License-Identifier: Apache-2.0
// A typed view of the caller's working memory: constructed there, destroyed (secrets wiped) on the way out.
#pragma once
#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct Place {
  void *p;
};

inline constexpr size_t workspace_alignment = 64;

}  // namespace AIOLI_ISA
}  // namespace aioli

inline void *operator new(size_t, aioli::Place place) noexcept { return place.p; }
inline void operator delete(void *, aioli::Place) noexcept {}

namespace aioli {
inline namespace AIOLI_ISA {

// The bytes needed for a T at any alignment.
template <class T> constexpr size_t workspace_bytes() {
  static_assert(alignof(T) <= workspace_alignment);
  return sizeof(T) + workspace_alignment - 1;
}

inline void *align_up(void *memory) {
  const uintptr_t a = reinterpret_cast<uintptr_t>(memory);
  return static_cast<uint8_t *>(memory) + ((0 - a) & (workspace_alignment - 1));
}

template <class T> class Scratch {
 public:
  explicit Scratch(void *memory) : at_(new(Place{align_up(memory)}) T) {}
  ~Scratch() { at_->~T(); }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  T &operator*() { return *at_; }

 private:
  T *at_;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
