// SPDX-License-Identifier: Apache-2.0
// Whether the arguments of a call lie apart.  Addresses and lengths alone: nothing looks at what is there.
#pragma once
#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct Range {
  const void *p;
  size_t n;
};

inline bool meet(Range a, Range b) {
  if (a.p == nullptr || b.p == nullptr || a.n == 0 || b.n == 0) return false;
  const uintptr_t x = reinterpret_cast<uintptr_t>(a.p), y = reinterpret_cast<uintptr_t>(b.p);
  return x < y ? y - x < a.n : x - y < b.n;
}

// Whether an output shares no byte with any of the other arguments.
template <class... Others> bool apart(Range output, Others... others) { return !(meet(output, others) || ...); }

inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

}  // namespace AIOLI_ISA
}  // namespace aioli
