// SPDX-License-Identifier: Apache-2.0
// Memory that holds one thing after another, phase by phase of a computation.
#pragma once
#include "base/isa.hpp"

// Layouts are asserted, of classes with private members too: offsetof of these is only conditionally supported, and every
// compiler does.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif

namespace aioli {
inline namespace AIOLI_ISA {

// Who derives from it has unions of what is never needed at the same time, and verbs that enter phases: a phase writes its
// objects before it reads them, and references from an earlier phase stay good for what it does not overlap.
//
// With AIOLI_DEBUG_PHASES, as in all tests, a phase that is entered out of order is a trap.
class Phases {
 protected:
  // The next phase, and those that it may follow; none has been entered at 0.
  template <class Phase, class... Before> void enter([[maybe_unused]] Phase next, [[maybe_unused]] Before... before) {
#if defined(AIOLI_DEBUG_PHASES)
    if (!(... || (phase_ == int(before)))) __builtin_trap();
    phase_ = int(next);
#endif
    give_way();
  }
  // One object of a union ends, another begins.  Compilers take different types as a proof that loads from the one may follow
  // stores to the other.
  void give_way() {
#if defined(__GNUC__)
    __asm__ __volatile__("" : : "r"(this) : "memory");
#endif
  }

#if defined(AIOLI_DEBUG_PHASES)
 private:
  int phase_ = 0;
#endif
};

struct Nothing {};

}  // namespace AIOLI_ISA
}  // namespace aioli
