// SPDX-License-Identifier: Apache-2.0
// Two objects that are never needed at the same time, in one place.
#pragma once
#include "base/isa.hpp"

namespace aioli::inline AIOLI_ISA {

// Each use begins by writing: the first one's contents are gone when the second is written, and the other way round.
template <class A, class B> struct Overlay {
  union {
    A first;
    B second;
  };
  Overlay() {}

  // Between the two uses: compilers take different types as a proof that loads from the one may follow stores to the other.
  void turn() {
#if defined(__GNUC__)
    __asm__ __volatile__("" : : "r"(this) : "memory");
#endif
  }
};

}  // namespace aioli::inline AIOLI_ISA
