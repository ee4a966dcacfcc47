// SPDX-License-Identifier: Apache-2.0
// Affine maps with AVX-512 and GFNI.  Include only where both are enabled.
#pragma once
#include <immintrin.h>

#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Up to clang 19 the address of a broadcast map is encoded wrongly: never one in memory.
template <class Vector> [[gnu::always_inline]] inline Vector in_register(Vector map) {
#if defined(__clang__) && __clang_major__ < 20 && !defined(AIOLI_CT_MSAN)
  __asm__("" : "+v"(map));
#endif
  return map;
}
// Each byte of a times the 8 x 8 bits in its word of `maps`.
[[gnu::always_inline]] inline __m512i affine_avx512(__m512i a, __m512i maps) {
  struct Bytes {
    __m512i v;
  };
  return ct_propagate([](Bytes b, Bytes m) { return Bytes{_mm512_gf2p8affine_epi64_epi8(b.v, m.v, 0)}; }, Bytes{a},
                      Bytes{in_register(maps)})
      .v;
}

}  // namespace AIOLI_ISA
}  // namespace aioli
