// SPDX-License-Identifier: Apache-2.0
// One word of each of eight Keccak states in a register.  Include only where AVX-512F is enabled.
#pragma once
#include <immintrin.h>

#include "base/bytes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct KeccakAvx512 {
  static constexpr int lanes = 8;
  static constexpr bool inverts = false;  // keccak_round.hpp
  __m512i v;

  static KeccakAvx512 zero() { return {_mm512_setzero_si512()}; }
  static KeccakAvx512 broadcast(uint64_t w) { return {_mm512_set1_epi64(int64_t(w))}; }
  static KeccakAvx512 load(const uint64_t (&w)[8]) { return {_mm512_loadu_si512(w)}; }
  static KeccakAvx512 gather(const uint8_t *const (&p)[8], int offset) {
    const auto word = [&](int i) { return int64_t(load64(p[i] + offset)); };
    return {_mm512_set_epi64(word(7), word(6), word(5), word(4), word(3), word(2), word(1), word(0))};
  }
  friend KeccakAvx512 operator^(KeccakAvx512 a, KeccakAvx512 b) { return {_mm512_xor_si512(a.v, b.v)}; }
  friend KeccakAvx512 operator&(KeccakAvx512 a, KeccakAvx512 b) { return {_mm512_and_si512(a.v, b.v)}; }
  template <int n> KeccakAvx512 rotate() const { return {_mm512_rol_epi64(v, n)}; }
  static KeccakAvx512 sum(KeccakAvx512 a, KeccakAvx512 b, KeccakAvx512 c) {
    return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0x96)};
  }
  static KeccakAvx512 chi(KeccakAvx512 a, KeccakAvx512 b, KeccakAvx512 c) {
    return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0xd2)};
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
