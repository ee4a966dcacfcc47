// SPDX-License-Identifier: Apache-2.0
// Sixty-four bytes in a register, AVX-512 (F, BW, DQ, VL, VBMI) and GFNI.  Include only where all are enabled.
#pragma once
#include <immintrin.h>

#include "backend/wide/affine_avx512.hpp"
#include "base/bytes.hpp"
#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct VectorAvx512 {
  using Register = VectorAvx512;
  static constexpr int bytes = 64, accumulators = 24;  // registers for sums, of thirty-two
  __m512i v;

  static VectorAvx512 zero() { return {_mm512_setzero_si512()}; }
  static VectorAvx512 load(const uint8_t *p) { return {_mm512_loadu_si512(p)}; }
  // The same value, but never loaded again for a second use, which gcc takes for cheaper than a register.
  VectorAvx512 kept() const {
    VectorAvx512 r = *this;
#if defined(__GNUC__) && !defined(AIOLI_CT_MSAN)
    __asm__("" : "+v"(r.v));
#endif
    return r;
  }
  void store(uint8_t *p) const { _mm512_storeu_si512(p, v); }
  // Half a register from each of two places.
  static VectorAvx512 halves(const uint8_t *a, const uint8_t *b) {
    return {_mm512_inserti64x4(_mm512_castsi256_si512(load32(a)), load32(b), 1)};
  }
  // A word from each of eight places, `at` bytes behind them.  Sixteen bytes are read for each eight: so six of the seven moves
  // may take either port, the affine maps' or the other.
  static VectorAvx512 words(const uint8_t *const *p, int at) {
    __m512i a = _mm512_castsi128_si512(load16(p[0] + at)), b = _mm512_castsi128_si512(load16(p[1] + at));
    a = _mm512_mask_broadcast_i64x2(a, 0x0c, load16(p[2] + at)), b = _mm512_mask_broadcast_i64x2(b, 0x0c, load16(p[3] + at));
    a = _mm512_mask_broadcast_i64x2(a, 0x30, load16(p[4] + at)), b = _mm512_mask_broadcast_i64x2(b, 0x30, load16(p[5] + at));
    a = _mm512_mask_broadcast_i64x2(a, 0xc0, load16(p[6] + at)), b = _mm512_mask_broadcast_i64x2(b, 0xc0, load16(p[7] + at));
    return {_mm512_unpacklo_epi64(a, b)};
  }
  friend VectorAvx512 operator^(VectorAvx512 a, VectorAvx512 b) { return {_mm512_xor_si512(a.v, b.v)}; }
  friend VectorAvx512 operator&(VectorAvx512 a, VectorAvx512 b) { return {_mm512_and_si512(a.v, b.v)}; }
  static VectorAvx512 sum(VectorAvx512 a, VectorAvx512 b, VectorAvx512 c) {
    return ct_propagate(
        [](Register x, Register y, Register z) { return Register{_mm512_ternarylogic_epi64(x.v, y.v, z.v, 0x96)}; }, a, b, c);
  }
  static VectorAvx512 first_halves(VectorAvx512 a, VectorAvx512 b) { return {_mm512_shuffle_i64x2(a.v, b.v, 0x44)}; }
  static VectorAvx512 second_halves(VectorAvx512 a, VectorAvx512 b) { return {_mm512_shuffle_i64x2(a.v, b.v, 0xee)}; }

  // (low nibbles of a | low nibbles of b), (high nibbles of a | high nibbles of b).  The shifts are moves of bytes at any bit
  // of a word: they, unlike shifts, do not take the port of the affine maps.
  static void interleave(VectorAvx512 a, VectorAvx512 b, VectorAvx512 &low, VectorAvx512 &high) {
    const Register up = {_mm512_set1_epi64(0x342c241c140c043c)}, down = {_mm512_set1_epi64(0x3c342c241c140c04)};
    // The result takes the place of what was moved: nothing to copy.
    low = ct_propagate(
        [](Register moved, Register x) { return Register{_mm512_ternarylogic_epi64(moved.v, x.v, _mm512_set1_epi8(15), 0xd8)}; },
        multishift(up, b), a);
    high = ct_propagate(
        [](Register moved, Register x) { return Register{_mm512_ternarylogic_epi64(moved.v, x.v, _mm512_set1_epi8(15), 0xe4)}; },
        multishift(down, a), b);
  }
  // (low nibbles of a's first half | low nibbles of its second half), and the same of the high nibbles: the halves of the result.
  static VectorAvx512 interleave_halves(VectorAvx512 a) {
    constexpr long long up = 0x342c241c140c043c, down = 0x3c342c241c140c04, low = 0x0f0f0f0f0f0f0f0f;
    const Register places = {_mm512_setr_epi64(up, up, up, up, down, down, down, down)};
    return ct_propagate(
        [](Register moved, Register x) {
          return Register{
              _mm512_ternarylogic_epi64(moved.v, x.v, _mm512_setr_epi64(low, low, low, low, ~low, ~low, ~low, ~low), 0xd8)};
        },
        multishift(places, {_mm512_shuffle_i64x2(a.v, a.v, 0x4e)}), a);
  }
  // Each byte times the 8 x 8 bits in its word of `maps`.
  static VectorAvx512 affine(VectorAvx512 a, VectorAvx512 maps) { return {affine_avx512(a.v, maps.v)}; }
  // One byte in all bytes; four bytes in all fours.
  static VectorAvx512 broadcast1(uint8_t byte) { return {_mm512_set1_epi8(char(byte))}; }
  static VectorAvx512 broadcast4(const uint8_t *p) { return {_mm512_set1_epi32(int(aioli::AIOLI_ISA::load32(p)))}; }
  // One word in all words; half a register, twice.
  static VectorAvx512 broadcast8(const uint8_t *p) { return {_mm512_broadcastq_epi64(load8(p))}; }
  static VectorAvx512 twice(const uint8_t *p) { return {_mm512_broadcast_i64x4(load32(p))}; }
  // The first words.
  template <int words> static void store_words(uint8_t *p, VectorAvx512 a) {
    const __m256i first = _mm512_castsi512_si256(a.v), last = words > 4 ? _mm512_extracti64x4_epi64(a.v, 1) : first;
    constexpr int done = words / 4 * 4, left = words % 4;
    if constexpr (words == 8) return a.store(p);
    if constexpr (words >= 4) _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), first);
    if constexpr (left >= 2) _mm_storeu_si128(reinterpret_cast<__m128i *>(p + 8 * done), _mm256_castsi256_si128(last));
    if constexpr (left == 1) _mm_storel_epi64(reinterpret_cast<__m128i *>(p + 8 * done), _mm256_castsi256_si128(last));
    if constexpr (left == 3) _mm_storel_epi64(reinterpret_cast<__m128i *>(p + 8 * done + 16), _mm256_extracti128_si256(last, 1));
  }
  // The sum of the words in the first half, and of those in the second.
  static void sums_of_words(uint64_t &first, uint64_t &second, VectorAvx512 a) {
    const __m512i pairs = _mm512_xor_si512(a.v, _mm512_shuffle_epi32(a.v, _MM_PERM_BADC));
    const __m512i fours = _mm512_xor_si512(pairs, _mm512_shuffle_i64x2(pairs, pairs, 0xb1));
    first = uint64_t(_mm_cvtsi128_si64(_mm512_castsi512_si128(fours)));
    second = uint64_t(_mm_cvtsi128_si64(_mm512_extracti64x2_epi64(fours, 2)));
  }
  // In each lane of sixteen bytes: the first eight bytes of a and b in turns, and the others.
  static void interleave_bytes(VectorAvx512 a, VectorAvx512 b, VectorAvx512 &first, VectorAvx512 &second) {
    first.v = _mm512_unpacklo_epi8(a.v, b.v), second.v = _mm512_unpackhi_epi8(a.v, b.v);
  }
  // Lanes that are less than `count`, so far apart.
  static void store_lanes(uint8_t *p, int stride, VectorAvx512 a, int count) {
    const auto store = [&](int i, __m128i lane) { _mm_storeu_si128(reinterpret_cast<__m128i *>(p + i * stride), lane); };
    store(0, _mm512_castsi512_si128(a.v));
    if (count > 1) store(1, _mm512_extracti64x2_epi64(a.v, 1));
    if (count > 2) store(2, _mm512_extracti64x2_epi64(a.v, 2));
    if (count > 3) store(3, _mm512_extracti64x2_epi64(a.v, 3));
  }

  static VectorAvx512 multiply(VectorAvx512 a, VectorAvx512 b) {  // in GF(256)
    return ct_propagate([](Register x, Register y) { return Register{_mm512_gf2p8mul_epi8(x.v, y.v)}; }, a, b);
  }
  static VectorAvx512 inverses(VectorAvx512 a) {  // of all bytes, in GF(256); of 0 it is 0
    return ct_propagate([](Register x, Register map) { return Register{_mm512_gf2p8affineinv_epi64_epi8(x.v, map.v, 0)}; }, a,
                        Register{in_register(_mm512_set1_epi64(0x0102040810204080))});
  }
  // Byte i is byte number_i of a, or zero if a has none of that number.
  template <int parts> static VectorAvx512 chosen(const VectorAvx512 (&a)[parts], VectorAvx512 numbers) {
    static_assert(parts <= 3);
    const auto choose = [](auto... operands) {
      return ct_propagate([](Register n, auto... x) { return chosen_of(n.v, x.v...); }, operands...);
    };
    if constexpr (parts == 1)
      return choose(numbers, a[0]);
    else if constexpr (parts == 2)
      return choose(numbers, a[0], a[1]);
    else
      return choose(numbers, a[0], a[1], a[2]);
  }
  // In all bytes, byte n of a; if it has none, this may be anything.
  template <int parts> static VectorAvx512 element(const VectorAvx512 (&a)[parts], uint8_t n) {
    const Register here = broadcast1(n);
    if constexpr (parts == 1) {
      return ct_propagate([](Register h, Register x) { return Register{_mm512_permutexvar_epi8(h.v, x.v)}; }, here, a[0]);
    } else {
      const Register r = ct_propagate(
          [](Register h, Register x, Register y) { return Register{_mm512_permutex2var_epi8(x.v, h.v, y.v)}; }, here, a[0], a[1]);
      if constexpr (parts == 2) return r;
      return ct_propagate([](Register x, __mmask64 third, Register h,
                             Register z) { return Register{_mm512_mask_permutexvar_epi8(x.v, third, h.v, z.v)}; },
                          r, __mmask64(all_ones_if(n >> 7)), here, a[parts - 1]);
    }
  }
  static uint64_t first_word(VectorAvx512 a) { return uint64_t(_mm_cvtsi128_si64(_mm512_castsi512_si128(a.v))); }
  // Bit i: byte i is not zero.
  static uint64_t nonzero_bytes(VectorAvx512 a) {
    return ct_propagate([](Register r) { return uint64_t(_mm512_test_epi8_mask(r.v, r.v)); }, a);
  }

 private:
  static Register chosen_of(__m512i n, __m512i a) {
    return {_mm512_maskz_permutexvar_epi8(_mm512_testn_epi8_mask(n, _mm512_set1_epi8(-64)), n, a)};
  }
  static Register chosen_of(__m512i n, __m512i a, __m512i b) {
    return {_mm512_maskz_permutex2var_epi8(_mm512_testn_epi8_mask(n, _mm512_set1_epi8(-128)), a, n, b)};
  }
  static Register chosen_of(__m512i n, __m512i a, __m512i b, __m512i c) {
    const __mmask64 of_third = _mm512_cmpeq_epi8_mask(_mm512_and_si512(n, _mm512_set1_epi8(-64)), _mm512_set1_epi8(-128));
    return {_mm512_mask_permutexvar_epi8(chosen_of(n, a, b).v, of_third, n, c)};
  }
  static __m128i load8(const uint8_t *p) { return _mm_loadl_epi64(reinterpret_cast<const __m128i *>(p)); }
  static __m128i load8(const uint8_t *a, const uint8_t *b) {
    return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(load8(a)), reinterpret_cast<const __m64 *>(b)));
  }
  static __m128i load16(const uint8_t *p) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(p)); }
  static __m256i load32(const uint8_t *p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p)); }
  static Register multishift(Register places, Register a) {
    return ct_propagate([](Register p, Register x) { return Register{_mm512_multishift_epi64_epi8(p.v, x.v)}; }, places, a);
  }
  // Words by their numbers in the last bits of each word.
  static Register permute(Register words, Register a) {
    return ct_propagate([](Register w, Register x) { return Register{_mm512_permutexvar_epi64(w.v, x.v)}; }, words, a);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
