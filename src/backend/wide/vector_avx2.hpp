// SPDX-License-Identifier: Apache-2.0
// Thirty-two bytes in a register, AVX2 and AES.  Include only where both are enabled.
#pragma once
#include <immintrin.h>

#include "base/bytes.hpp"
#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct VectorAvx2 {
  static constexpr int bytes = 32;
  __m256i v;

  static VectorAvx2 zero() { return {_mm256_setzero_si256()}; }
  static VectorAvx2 load(const uint8_t *p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))}; }
  // The same, but never loaded again for a second use, which gcc takes for cheaper than a register.
  static VectorAvx2 load_once(const uint8_t *p) { return load(p).kept(); }
  VectorAvx2 kept() const {
    VectorAvx2 r = *this;
#if defined(__GNUC__) && !defined(AIOLI_CT_MSAN)
    __asm__("" : "+x"(r.v));
#endif
    return r;
  }
  void store(uint8_t *p) const { _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), v); }
  // Sixteen bytes from each of two places; eight from each of four.
  static VectorAvx2 halves(const uint8_t *a, const uint8_t *b) { return {_mm256_setr_m128i(load16(a), load16(b))}; }
  static VectorAvx2 quarters(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d) {
    return {_mm256_setr_m128i(load8_8(a, b), load8_8(c, d))};
  }
  // The sixteen bytes at p in every sixteen-byte lane.
  static VectorAvx2 broadcast16(const uint8_t *p) { return {_mm256_broadcastsi128_si256(load16(p))}; }
  static VectorAvx2 broadcast1(uint8_t byte) { return {_mm256_set1_epi8(char(byte))}; }
  // Four bytes in all fours.
  static VectorAvx2 broadcast4(const uint8_t *p) { return {_mm256_set1_epi32(int(load32(p)))}; }
  static uint64_t first_word(VectorAvx2 a) { return uint64_t(_mm_cvtsi128_si64(_mm256_castsi256_si128(a.v))); }
  friend VectorAvx2 operator^(VectorAvx2 a, VectorAvx2 b) { return {_mm256_xor_si256(a.v, b.v)}; }
  friend VectorAvx2 operator&(VectorAvx2 a, VectorAvx2 b) { return {_mm256_and_si256(a.v, b.v)}; }
  VectorAvx2 low_nibbles() const { return {_mm256_and_si256(v, _mm256_set1_epi8(15))}; }
  VectorAvx2 high_nibbles() const { return {_mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15))}; }
  VectorAvx2 low_to_high() const { return {_mm256_slli_epi16(v, 4)}; }  // of bytes < 16
  // Bit i: byte i is not zero.
  static uint32_t nonzero_bytes(VectorAvx2 a) {
    return ~uint32_t(_mm256_movemask_epi8(_mm256_cmpeq_epi8(a.v, _mm256_setzero_si256())));
  }
  // Byte i is byte index_i < 16 of the table in its lane.
  static VectorAvx2 look_up(VectorAvx2 table, VectorAvx2 index) {
    return ct_propagate([](VectorAvx2 t, VectorAvx2 i) { return VectorAvx2{_mm256_shuffle_epi8(t.v, i.v)}; }, table, index);
  }

  // In each half, byte i is byte number_i of a, or zero if a has none of that number.  Both halves of `numbers` are the same.
  template <int parts> static VectorAvx2 chosen(const VectorAvx2 (&a)[parts], VectorAvx2 numbers) {
    static_assert(32 * parts <= 192);
    const __m256i from_first = _mm256_sub_epi8(numbers.v, _mm256_setr_m128i(_mm_setzero_si128(), _mm_set1_epi8(16)));
    VectorAvx2 r = zero();
#pragma GCC unroll 8
    for (int i = 0; i < parts; i++)  // a lane looks up numbers 0 .. 15: added to 0x70, others have their highest bit set
      r = r ^
          look_up(a[i], {_mm256_adds_epu8(_mm256_sub_epi8(from_first, _mm256_set1_epi8(char(32 * i))), _mm256_set1_epi8(0x70))});
    return {_mm256_xor_si256(r.v, _mm256_permute4x64_epi64(r.v, 0x4e))};
  }
  // In all bytes, byte n of a; if it has none, this may be anything.
  template <int parts> static VectorAvx2 element(const VectorAvx2 (&a)[parts], uint8_t n) { return chosen(a, broadcast1(n)); }
  // Of a byte that is everywhere, the inverse in GF(256) modulo x^8 + x^4 + x^3 + x + 1; of 0 it is 0.  That of AES' last round
  // but for an affine map.
  static VectorAvx2 inverse_of_all(VectorAvx2 a) {
    static constexpr struct Constants {
      uint8_t low[16], high[16];  // the affine map's inverse
      consteval Constants() : low{}, high{} {
        for (unsigned i = 0; i < 16; i++) low[i] = uint8_t(map(i) ^ 0x05), high[i] = uint8_t(map(i << 4));
      }
      static consteval unsigned map(unsigned s) { return ((s << 1 | s >> 7) ^ (s << 3 | s >> 5) ^ (s << 6 | s >> 2)) & 255; }
    } constants;
    const VectorAvx2 s = ct_propagate(
        [](VectorAvx2 x) {
          return VectorAvx2{_mm256_broadcastsi128_si256(_mm_aesenclast_si128(_mm256_castsi256_si128(x.v), _mm_setzero_si128()))};
        },
        a);
    return look_up(broadcast16(constants.low), s.low_nibbles()) ^ look_up(broadcast16(constants.high), s.high_nibbles());
  }

  // The first halves of a and b; the second ones.
  static VectorAvx2 first_halves(VectorAvx2 a, VectorAvx2 b) { return {_mm256_permute2x128_si256(a.v, b.v, 0x20)}; }
  static VectorAvx2 second_halves(VectorAvx2 a, VectorAvx2 b) { return {_mm256_permute2x128_si256(a.v, b.v, 0x31)}; }
  // Quarter j of r[i] becomes quarter i of r[j].
  static void transpose_quarters(VectorAvx2 (&r)[4]) {
    const __m256i a = _mm256_unpacklo_epi64(r[0].v, r[1].v), b = _mm256_unpackhi_epi64(r[0].v, r[1].v),
                  c = _mm256_unpacklo_epi64(r[2].v, r[3].v), d = _mm256_unpackhi_epi64(r[2].v, r[3].v);
    r[0].v = _mm256_permute2x128_si256(a, c, 0x20);
    r[1].v = _mm256_permute2x128_si256(b, d, 0x20);
    r[2].v = _mm256_permute2x128_si256(a, c, 0x31);
    r[3].v = _mm256_permute2x128_si256(b, d, 0x31);
  }
  // For each of the 32 bytes f the sixteen bytes 0, f, x f, (x + 1) f .. (both nibbles of f are multiplied).
  static void product_tables(uint8_t (*to)[16], const uint8_t *factors) {
    multiples(to, load(factors), [](VectorAvx2 a) { return a.times_x(); });
  }
  // The same in GF(256); and the sixteen bytes 0, x^4 f, x^5 f, (x^5 + x^4) f ..
  static void product_tables256(uint8_t (*low)[16], uint8_t (*high)[16], VectorAvx2 f) {
    const auto times_x = [](VectorAvx2 a) {
      const __m256i top = _mm256_cmpgt_epi8(_mm256_setzero_si256(), a.v);
      return VectorAvx2{_mm256_xor_si256(_mm256_add_epi8(a.v, a.v), _mm256_and_si256(top, _mm256_set1_epi8(0x1b)))};
    };
    multiples(high, multiples(low, f, times_x), times_x);
  }

 private:
  // Returns x^4 f.
  template <class TimesX> static VectorAvx2 multiples(uint8_t (*to)[16], VectorAvx2 f, TimesX times_x) {
    __m256i a[16], b[16];
    a[0] = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (int bit = 0; bit < 4; bit++) {
#pragma GCC unroll 8
      for (int i = 0; i < 1 << bit; i++) a[(1 << bit) + i] = _mm256_xor_si256(a[i], f.v);
      f = times_x(f);
    }
    // A transposition in each lane.  Four times: registers i and i + 8 are interleaved byte by byte to 2i and 2i + 1.
#pragma GCC unroll 2
    for (int twice = 0; twice < 2; twice++) {
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++)
        b[2 * i] = _mm256_unpacklo_epi8(a[i], a[i + 8]), b[2 * i + 1] = _mm256_unpackhi_epi8(a[i], a[i + 8]);
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++)
        a[2 * i] = _mm256_unpacklo_epi8(b[i], b[i + 8]), a[2 * i + 1] = _mm256_unpackhi_epi8(b[i], b[i + 8]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) {
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to[i]), _mm256_castsi256_si128(a[i]));
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to[16 + i]), _mm256_extracti128_si256(a[i], 1));
    }
    return f;
  }
  static __m128i load16(const uint8_t *p) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(p)); }
  static __m128i load8_8(const uint8_t *a, const uint8_t *b) {
    const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(a));
    return _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(low), reinterpret_cast<const double *>(b)));
  }
  VectorAvx2 times_x() const {
    const __m256i top = _mm256_and_si256(_mm256_srli_epi16(v, 3), _mm256_set1_epi8(0x11));
    const __m256i up = _mm256_slli_epi16(_mm256_and_si256(v, _mm256_set1_epi8(0x77)), 1);
    return {_mm256_xor_si256(up, _mm256_xor_si256(top, _mm256_slli_epi16(top, 1)))};  // bits 0 and 4 alone: none crosses a byte
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
