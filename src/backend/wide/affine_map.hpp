// SPDX-License-Identifier: Apache-2.0
// GFNI's affine maps: 8 x 8 bits, of which byte 7 - i says of which input bits output bit i is the sum.
#pragma once
#include "field/gf16.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using AffineMap = uint8_t[8];

// Adds the input bit to the output bit.
consteval void set(AffineMap &map, int output, int input) { map[7 - output] = uint8_t(map[7 - output] | 1 << input); }

// Adds multiplication of an element by a: of the nibble at bit `from`, to the one at bit `to`.
consteval void set_product(AffineMap &map, int to, int from, GF16 a) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if ((GF16{uint8_t(1 << j)} * a).n >> i & 1) set(map, to + i, from + j);
}

}  // namespace AIOLI_ISA
}  // namespace aioli
