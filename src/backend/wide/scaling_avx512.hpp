// SPDX-License-Identifier: Apache-2.0
// The field's arithmetic in registers of sixty-four bytes: GF2P8MULB over GF(256), whose field this is, and affine maps over GF(16).  Include only
// where AVX-512 and GFNI are enabled.
#pragma once
#include <immintrin.h>

#include "backend/wide/affine_avx512.hpp"
#include "backend/wide/scaling_maps.hpp"
#include "field/field_of.hpp"

namespace aioli::inline AIOLI_ISA {

struct ScalingRegister512 {
  __m512i v;
};
struct ScalingAvx512 {
  using Register = ScalingRegister512;
  using Scaler = Register;
  static constexpr int bytes = 64, accumulators = 24;

  static Register zero() { return {_mm512_setzero_si512()}; }
  static Register load(const uint8_t *p) { return {_mm512_loadu_si512(p)}; }
  static void store(uint8_t *p, Register a) { _mm512_storeu_si512(p, a.v); }
  static Register sum(Register a, Register b) { return {_mm512_xor_si512(a.v, b.v)}; }
  static Register masked(Register a, uint64_t mask) { return {_mm512_and_si512(a.v, _mm512_set1_epi64(int64_t(mask)))}; }
};

template <class F> struct ScalingAvx512Over;
template <> struct ScalingAvx512Over<Gf256> : ScalingAvx512 {
  using Stored = uint32_t;  // four times the element: a broadcast of four bytes is but a load
  static Stored prepare(GF256 a) { return uint32_t(spread(a.n, 0x01010101)); }
  static Scaler scaler(Stored s) { return {_mm512_set1_epi32(int32_t(s))}; }
  static Scaler scaler_of(GF256 a) { return {_mm512_set1_epi8(char(a.n))}; }
  static Register product(Register a, Scaler s) {
    return followed([](Register x, Register y) { return Register{_mm512_gf2p8mul_epi8(x.v, y.v)}; }, a, s);
  }
  static GF256 inverse(GF256 a) {
    const __m128i x = _mm_cvtsi32_si128(a.n), identity = in_register(_mm_set1_epi64x(0x0102040810204080));
    const __m128i y = followed([](__m128i b, __m128i map) { return _mm_gf2p8affineinv_epi64_epi8(b, map, 0); }, x, identity);
    return {uint8_t(_mm_cvtsi128_si32(y))};
  }
};
template <> struct ScalingAvx512Over<Gf16> : ScalingAvx512 {
  using Stored = uint64_t;  // 8 x 8 bits: both nibbles of a byte times the element
  static Stored prepare(GF16 a) { return scaling_map(a); }
  static Scaler scaler(Stored s) { return {_mm512_set1_epi64(int64_t(s))}; }
  static Scaler scaler_of(GF16 a) { return scaler(prepare(a)); }
  static Register product(Register a, Scaler s) { return {affine_avx512(a.v, s.v)}; }
  static GF16 inverse(GF16 a) { return aioli::AIOLI_ISA::inverse(a); }
};

}  // namespace aioli::inline AIOLI_ISA
