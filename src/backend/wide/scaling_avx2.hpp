// SPDX-License-Identifier: Apache-2.0
// The field's arithmetic in registers of thirty-two bytes by shuffles: products of a scalar with all low nibbles, and with all high nibbles, come
// out of two registers.  Include only where AVX2 is enabled, on little-endian machines.
#pragma once
#include <immintrin.h>

#include "backend/wide/scaling_maps.hpp"

namespace aioli::inline AIOLI_ISA {

template <class F> struct ScalingAvx2Over {
  struct Register {
    __m256i v;
  };
  struct Scaler {
    __m256i low, high;
  };
  using Stored = ScalingTables;
  static constexpr int bytes = 32, accumulators = 9;

  static Register zero() { return {_mm256_setzero_si256()}; }
  static Register load(const uint8_t *p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))}; }
  static void store(uint8_t *p, Register a) { _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), a.v); }
  static Register sum(Register a, Register b) { return {_mm256_xor_si256(a.v, b.v)}; }
  static Register masked(Register a, uint64_t mask) { return {_mm256_and_si256(a.v, _mm256_set1_epi64x(int64_t(mask)))}; }

  static Stored prepare(typename F::Element a) { return scaling_tables<F>(a); }
  static Scaler scaler(const Stored &s) {
    const __m128i *t = reinterpret_cast<const __m128i *>(s.w);
    return {_mm256_broadcastsi128_si256(_mm_load_si128(t)), _mm256_broadcastsi128_si256(_mm_load_si128(t + 1))};
  }
  static Scaler scaler_of(typename F::Element a) { return scaler(prepare(a)); }
  static Register product(Register a, const Scaler &s) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const Register low = {_mm256_and_si256(a.v, nibble)}, high = {_mm256_and_si256(_mm256_srli_epi16(a.v, 4), nibble)};
    return sum(shuffle({s.low}, low), shuffle({s.high}, high));
  }
  static typename F::Element inverse(typename F::Element a) { return aioli::AIOLI_ISA::inverse(a); }

 private:
  static Register shuffle(Register table, Register index) {
    return followed([](Register t, Register i) { return Register{_mm256_shuffle_epi8(t.v, i.v)}; }, table, index);
  }
};

}  // namespace aioli::inline AIOLI_ISA
