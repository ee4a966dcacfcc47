// SPDX-License-Identifier: Apache-2.0
// The other encoding of an m-vector, of round 1 as specified: four planes of m/8 bytes, plane b holding bit b of every element.
#pragma once
#include "linalg/mvector.hpp"

namespace aioli::inline AIOLI_ISA {

enum class Slicing { nibbles, bits };  // how the m-vectors of a set's keys are encoded

// In place, public data.
template <class P> void planes_to_nibbles(uint8_t *mvector) {
  static_assert(P::m % 16 == 0);
  uint8_t planes[P::m / 2];
  copy(planes, mvector, sizeof planes);
  for (int byte = 0; byte < P::m / 8; byte++) {
    uint32_t x = 0;  // eight elements
    for (int b = 0; b < 4; b++)
      for (int i = 0; i < 8; i++) x |= uint32_t(planes[b * (P::m / 8) + byte] >> i & 1) << (4 * i + b);
    for (int i = 0; i < 4; i++) mvector[4 * byte + i] = uint8_t(x >> (8 * i));
  }
}
template <class P> void nibbles_to_planes(uint8_t *mvector) {
  uint8_t nibbles[P::m / 2];
  copy(nibbles, mvector, sizeof nibbles);
  for (int byte = 0; byte < P::m / 8; byte++) {
    const uint32_t x = load32(nibbles + 4 * byte);
    for (int b = 0; b < 4; b++) {
      unsigned plane = 0;
      for (int i = 0; i < 8; i++) plane |= (x >> (4 * i + b) & 1) << i;
      mvector[b * (P::m / 8) + byte] = uint8_t(plane);
    }
  }
}

}  // namespace aioli::inline AIOLI_ISA
