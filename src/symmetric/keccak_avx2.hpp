// SPDX-License-Identifier: Apache-2.0
// One word of each of four Keccak states in a register.  Include only where AVX2 is enabled.
#pragma once
#include <immintrin.h>

#include "base/bytes.hpp"
#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct KeccakAvx2 {
  static constexpr int lanes = 4;
  static constexpr bool inverts = false;  // keccak_round.hpp
  __m256i v;

  static KeccakAvx2 zero() { return {_mm256_setzero_si256()}; }
  static KeccakAvx2 broadcast(uint64_t w) { return {_mm256_set1_epi64x(int64_t(w))}; }
  static KeccakAvx2 load(const uint64_t (&w)[4]) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(w))}; }
  static KeccakAvx2 gather(const uint8_t *const (&p)[4], int offset) {
    const auto word = [&](int i) { return int64_t(load64(p[i] + offset)); };
    return {_mm256_set_epi64x(word(3), word(2), word(1), word(0))};
  }
  friend KeccakAvx2 operator^(KeccakAvx2 a, KeccakAvx2 b) { return {_mm256_xor_si256(a.v, b.v)}; }
  friend KeccakAvx2 operator&(KeccakAvx2 a, KeccakAvx2 b) { return {_mm256_and_si256(a.v, b.v)}; }
  template <int n> KeccakAvx2 rotate() const {
    if constexpr (n == 0) return *this;
    if constexpr (n == 8 || n == 56) {  // one shuffle of bytes for three instructions
      constexpr int64_t first = n == 8 ? 0x0605040302010007 : 0x0007060504030201, second = first + 0x0808080808080808;
      return ct_propagate(
          [](KeccakAvx2 a) { return KeccakAvx2{_mm256_shuffle_epi8(a.v, _mm256_set_epi64x(second, first, second, first))}; },
          *this);
    }
    return {_mm256_or_si256(_mm256_slli_epi64(v, n), _mm256_srli_epi64(v, 64 - n))};
  }
  static KeccakAvx2 sum(KeccakAvx2 a, KeccakAvx2 b, KeccakAvx2 c) { return a ^ b ^ c; }
  static KeccakAvx2 chi(KeccakAvx2 a, KeccakAvx2 b, KeccakAvx2 c) {
    return a ^ KeccakAvx2 { _mm256_andnot_si256(b.v, c.v) };
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
