// SPDX-License-Identifier: Apache-2.0
// Two objects that are never needed at the same time, in one place.
#pragma once
#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Compilers take different types as a proof that loads from the one object may follow stores to the other.
inline void take_turns([[maybe_unused]] void *p) {
#if defined(__GNUC__)
  __asm__ __volatile__("" : : "r"(p) : "memory");
#endif
}

// Each use begins by writing: the first one's contents are gone when the second is written, and the other way round.
template <class A, class B> struct Overlay {
  union {
    A first;
    B second;
  };
  Overlay() {}

  // Between the two uses.
  void turn() { take_turns(this); }
};

// The second of two, if its use begins with start().
template <class T> struct Second : T {
  template <class Argument> void start(Argument argument) {
    take_turns(this);
    T::start(argument);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
