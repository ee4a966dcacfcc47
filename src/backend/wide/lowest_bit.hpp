// SPDX-License-Identifier: Apache-2.0
// Where the lowest bit of a secret is, in constant time.
#pragma once
#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// How many bits are below the lowest one that is set: 64 if none is.
inline uint64_t below_lowest(uint64_t x) {
  // opaque: clang would see that trailing zeros are counted, and look whether there is one before it does where that is no
  // instruction.
  return ct_propagate([](uint64_t below) { return uint64_t(__builtin_popcountll(below)); },
                      opaque(minus(lowest_bit(x), uint64_t(1))));
}

}  // namespace AIOLI_ISA
}  // namespace aioli
