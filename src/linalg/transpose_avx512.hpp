// SPDX-License-Identifier: Apache-2.0
// Sixteen words of sixteen elements of GF(16), transposed by two selections of bytes.  Include only where AVX-512 with VBMI is enabled.
#pragma once
#include <immintrin.h>

#include "base/secret.hpp"

namespace aioli::inline AIOLI_ISA {

class NibbleTile {
 public:
  // Words p[0], p[stride], ..; those past `count` are zero.
  void load(const uint64_t *p, int stride, int count) {
    for (int half = 0; half < 2; half++) {
      const int here = count - 8 * half, some = here < 0 ? 0 : here < 8 ? here : 8;
      if (stride == 1) {
        words_[half].v = _mm512_maskz_loadu_epi64(first(some), p + 8 * half);
      } else {
        uint64_t w[8];
        for (int i = 0; i < 8; i++) w[i] = i < some ? p[(8 * half + i) * stride] : 0;
        words_[half].v = _mm512_setr_epi64(int64_t(w[0]), int64_t(w[1]), int64_t(w[2]), int64_t(w[3]), int64_t(w[4]),
                                           int64_t(w[5]), int64_t(w[6]), int64_t(w[7]));
      }
    }
  }
  // Element j of word i becomes element i of word j.
  void transpose() {
    // Bytes of even words, of odd words; eight from each column of bytes.
    Register even = select(0x7060504030201000), odd = select(0x7868584838281808);
    const __m512i low = _mm512_set1_epi8(15);
    // All even columns, all odd ones; then in turns.
    const Register a = {_mm512_or_si512(_mm512_and_si512(low, even.v), _mm512_slli_epi64(_mm512_and_si512(low, odd.v), 4))};
    const Register b = {_mm512_or_si512(_mm512_and_si512(low, _mm512_srli_epi64(even.v, 4)), _mm512_andnot_si512(low, odd.v))};
    words_[0].v = _mm512_permutex2var_epi64(a.v, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b.v);
    words_[1].v = _mm512_permutex2var_epi64(a.v, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b.v);
  }
  void store(uint64_t *p, int stride, int count) const {
    for (int half = 0; half < 2; half++) {
      const int here = count - 8 * half, some = here < 0 ? 0 : here < 8 ? here : 8;
      if (stride == 1) {
        _mm512_mask_storeu_epi64(p + 8 * half, first(some), words_[half].v);
      } else {
        alignas(64) uint64_t w[8];
        _mm512_store_si512(w, words_[half].v);
        for (int i = 0; i < some; i++) p[(8 * half + i) * stride] = w[i];
        wipe(w, sizeof w);
      }
    }
  }

 private:
  struct Register {
    __m512i v;
  };
  static __mmask8 first(int count) { return __mmask8((1 << count) - 1); }
  // Byte t of word c is byte c of word 2t, and of 2t + 1: places are numbers of bytes, one byte of `column_0` for each.
  Register select(uint64_t column_0) const {
    const __m512i columns = _mm512_setr_epi64(0, ones, 2 * ones, 3 * ones, 4 * ones, 5 * ones, 6 * ones, 7 * ones);
    const Register places = {_mm512_or_si512(_mm512_set1_epi64(int64_t(column_0)), columns)};
    return followed([](Register p, Register x, Register y) { return Register{_mm512_permutex2var_epi8(x.v, p.v, y.v)}; }, places,
                    words_[0], words_[1]);
  }
  static constexpr int64_t ones = 0x0101010101010101;
  Register words_[2];
};

}  // namespace aioli::inline AIOLI_ISA
