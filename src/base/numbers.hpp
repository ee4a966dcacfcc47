// SPDX-License-Identifier: Apache-2.0
// Division of numbers that are not negative.  Compiled for size, as the sets of round 1 are, gcc divides signed numbers even by
// powers of two with the processor's instruction, whose time depends on what it divides; of unsigned ones a shift is left.  The
// test ct/no_division refuses the instruction everywhere, though the numbers here are places in public layouts.
#pragma once
#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

constexpr int quotient(int a, int b) { return int(unsigned(a) / unsigned(b)); }
constexpr int remainder(int a, int b) { return int(unsigned(a) % unsigned(b)); }

}  // namespace AIOLI_ISA
}  // namespace aioli
