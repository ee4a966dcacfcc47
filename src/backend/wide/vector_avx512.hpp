// SPDX-License-Identifier: Apache-2.0
// Sixty-four bytes in a register, AVX-512 (F, BW, DQ, VL, VBMI) and GFNI.  Include only where all are enabled.
#pragma once
#include <immintrin.h>

#include "backend/wide/affine_avx512.hpp"
#include "base/bytes.hpp"
#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V> struct BlockSolver;

struct VectorAvx512 {
  using Register = VectorAvx512;
  template <class P> using Solver = BlockSolver<P, VectorAvx512>;
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
    return followed([](Register x, Register y, Register z) { return Register{_mm512_ternarylogic_epi64(x.v, y.v, z.v, 0x96)}; },
                    a, b, c);
  }
  static VectorAvx512 first_halves(VectorAvx512 a, VectorAvx512 b) { return {_mm512_shuffle_i64x2(a.v, b.v, 0x44)}; }
  static VectorAvx512 second_halves(VectorAvx512 a, VectorAvx512 b) { return {_mm512_shuffle_i64x2(a.v, b.v, 0xee)}; }

  // (low nibbles of a | low nibbles of b), (high nibbles of a | high nibbles of b).  The shifts are moves of bytes at any bit
  // of a word: they, unlike shifts, do not take the port of the affine maps.
  static void interleave(VectorAvx512 a, VectorAvx512 b, VectorAvx512 &low, VectorAvx512 &high) {
    const Register up = {_mm512_set1_epi64(0x342c241c140c043c)}, down = {_mm512_set1_epi64(0x3c342c241c140c04)};
    // The result takes the place of what was moved: nothing to copy.
    low = followed(
        [](Register moved, Register x) { return Register{_mm512_ternarylogic_epi64(moved.v, x.v, _mm512_set1_epi8(15), 0xd8)}; },
        multishift(up, b), a);
    high = followed(
        [](Register moved, Register x) { return Register{_mm512_ternarylogic_epi64(moved.v, x.v, _mm512_set1_epi8(15), 0xe4)}; },
        multishift(down, a), b);
  }
  // (low nibbles of a's first half | low nibbles of its second half), and the same of the high nibbles: the halves of the result.
  static VectorAvx512 interleave_halves(VectorAvx512 a) {
    constexpr long long up = 0x342c241c140c043c, down = 0x3c342c241c140c04, low = 0x0f0f0f0f0f0f0f0f;
    const Register places = {_mm512_setr_epi64(up, up, up, up, down, down, down, down)};
    return followed(
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

  // The rest is for BlockSolver.  Nibbles are numbered from 0 to 127; numbers past that, or negative ones, are none.
  static VectorAvx512 without(VectorAvx512 a, VectorAvx512 b) { return {_mm512_andnot_si512(b.v, a.v)}; }
  static VectorAvx512 nibble_mask(int i) {
    const __mmask8 here = _mm512_cmpeq_epi64_mask(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(i >> 4));
    return {_mm512_maskz_sllv_epi64(here, _mm512_set1_epi64(15), _mm512_set1_epi64(4 * (i & 15)))};
  }
  // The first nibble that is not zero; 128 if there is none.
  static int first_nibble(VectorAvx512 a) {
    return followed(
        [](Register r) {
          // opaque: gcc 12 would take "and not" to mask registers, five cycles there and five back.
          const uint64_t low = _mm512_test_epi8_mask(r.v, _mm512_set1_epi8(15)),
                         any = low | _mm512_test_epi8_mask(r.v, _mm512_set1_epi8(-16)), first = any & (0 - any);
          return 2 * int(_mm_popcnt_u64(opaque(~any) & (any - 1))) + int(_mm_popcnt_u64(first & opaque(~low)));
        },
        a);
  }
  // Where a nibble stands in one or two registers; the nibble, in the last four bits of each word.
  struct Place {
    __m512i word, shift;
  };
  static Place place(int i) { return {_mm512_set1_epi64(i >> 4), _mm512_set1_epi64(4 * (i & 15))}; }
  static VectorAvx512 element(VectorAvx512 a, Place p) { return {_mm512_srlv_epi64(permute({p.word}, a).v, p.shift)}; }
  static VectorAvx512 element(VectorAvx512 a, VectorAvx512 b, Place p) {
    return {_mm512_srlv_epi64(permute({p.word}, a, b).v, p.shift)};
  }
  // Word i of each of eight places.
  static VectorAvx512 gather(const uint64_t *const (&p)[8], int i) {
    __m512i r = _mm512_castsi128_si512(load8(reinterpret_cast<const uint8_t *>(p[0] + i)));
#pragma GCC unroll 8
    for (int j = 1; j < 8; j++)
      r = _mm512_mask_broadcastq_epi64(r, __mmask8(1 << j), load8(reinterpret_cast<const uint8_t *>(p[j] + i)));
    return {r};
  }
  // Eight words of many registers in memory, by their numbers.
  template <int registers> struct Picks {
    __m512i numbers;
    __mmask8 here[registers];

    explicit Picks(Register n) : numbers(n.v) {
#pragma GCC unroll 16
      for (int i = 0; i < registers; i++) here[i] = _mm512_cmpeq_epi64_mask(_mm512_srli_epi64(n.v, 3), _mm512_set1_epi64(i));
    }
    Register from(const uint8_t (&p)[registers][bytes]) const {
      Register r = permute({numbers}, load(p[0]));
#pragma GCC unroll 16
      for (int i = 1; i < registers; i++)
        r = followed([](Register sum, __mmask8 mask, Register n,
                        Register a) { return Register{_mm512_mask_permutexvar_epi64(sum.v, mask, n.v, a.v)}; },
                     r, here[i], Register{numbers}, load(p[i]));
      return r;
    }
  };
  // Each word plus the other one in its lane.
  static VectorAvx512 add_neighbours(VectorAvx512 a) { return {_mm512_xor_si512(a.v, _mm512_shuffle_epi32(a.v, _MM_PERM_BADC))}; }
  // The table's entry for the last four bits of each word.
  static VectorAvx512 maps(const uint8_t (&table)[16][8], VectorAvx512 index) {
    return permute(index, load(table[0]), load(table[8]));
  }
  static VectorAvx512 multiply(VectorAvx512 a, VectorAvx512 b) {  // in GF(256)
    return followed([](Register x, Register y) { return Register{_mm512_gf2p8mul_epi8(x.v, y.v)}; }, a, b);
  }
  static VectorAvx512 inverses(VectorAvx512 a) {  // of all bytes, in GF(256); of 0 it is 0
    return followed([](Register x, Register map) { return Register{_mm512_gf2p8affineinv_epi64_epi8(x.v, map.v, 0)}; }, a,
                    Register{in_register(_mm512_set1_epi64(0x0102040810204080))});
  }
  static void sums_of_bytes(VectorAvx512 (&a)[8]) {  // of each register, in all its bytes
    __m512i s[8];
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2)
      s[i] = _mm512_xor_si512(_mm512_unpacklo_epi64(a[i].v, a[i + 1].v), _mm512_unpackhi_epi64(a[i].v, a[i + 1].v));
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) s[i] = sum_of_lanes(s[i], s[i + 2]);
    s[0] = sum_of_lanes(s[0], s[4]);  // word i is the sum of the words of register i
    s[0] = _mm512_xor_si512(s[0], _mm512_rol_epi64(s[0], 32));
    s[0] = _mm512_xor_si512(s[0], _mm512_rol_epi64(s[0], 16));
    s[0] = _mm512_xor_si512(s[0], _mm512_rol_epi64(s[0], 8));
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) a[i] = permute({_mm512_set1_epi64(i)}, {s[0]});
  }
  // For PivotSolver.  Bit i: byte i is not zero.
  static uint64_t nonzero_bytes(VectorAvx512 a) {
    return followed([](Register r) { return uint64_t(_mm512_test_epi8_mask(r.v, r.v)); }, a);
  }
  // Bytes of one register, or of two, by their numbers.
  static VectorAvx512 permute_bytes(VectorAvx512 numbers, VectorAvx512 a) {
    return followed([](Register n, Register x) { return Register{_mm512_permutexvar_epi8(n.v, x.v)}; }, numbers, a);
  }
  static VectorAvx512 permute_bytes(VectorAvx512 numbers, VectorAvx512 a, VectorAvx512 b) {
    return followed([](Register n, Register x, Register y) { return Register{_mm512_permutex2var_epi8(x.v, n.v, y.v)}; }, numbers,
                    a, b);
  }
  // `value` in the byte first + i whose number is in byte i of `numbers`; zero elsewhere.
  static VectorAvx512 at_byte(VectorAvx512 numbers, int first, VectorAvx512 value) {
    alignas(64) static constexpr struct Numbers {
      uint8_t n[bytes]{};
      consteval Numbers() {
        for (int i = 0; i < bytes; i++) n[i] = uint8_t(i);
      }
    } all;
    return followed([](Register n, Register here,
                       Register x) { return Register{_mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(n.v, here.v), x.v)}; },
                    numbers, Register{_mm512_add_epi8(load(all.n).v, _mm512_set1_epi8(char(first)))}, value);
  }
  // `value` in the bytes where `at` has anything in its low, or in its high nibble; elsewhere a.
  static VectorAvx512 put_low(VectorAvx512 a, VectorAvx512 at, VectorAvx512 value) {
    return {_mm512_mask_mov_epi8(a.v, _mm512_test_epi8_mask(at.v, _mm512_set1_epi8(15)), value.v)};
  }
  static VectorAvx512 put_high(VectorAvx512 a, VectorAvx512 at, VectorAvx512 value) {
    return {_mm512_mask_mov_epi8(a.v, _mm512_test_epi8_mask(at.v, _mm512_set1_epi8(-16)), value.v)};
  }

 private:
  static __m128i load8(const uint8_t *p) { return _mm_loadl_epi64(reinterpret_cast<const __m128i *>(p)); }
  static __m128i load8(const uint8_t *a, const uint8_t *b) {
    return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(load8(a)), reinterpret_cast<const __m64 *>(b)));
  }
  static __m128i load16(const uint8_t *p) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(p)); }
  static __m256i load32(const uint8_t *p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p)); }
  static Register multishift(Register places, Register a) {
    return followed([](Register p, Register x) { return Register{_mm512_multishift_epi64_epi8(p.v, x.v)}; }, places, a);
  }
  // Words by their numbers in the last bits of each word.
  static Register permute(Register words, Register a) {
    return followed([](Register w, Register x) { return Register{_mm512_permutexvar_epi64(w.v, x.v)}; }, words, a);
  }
  static Register permute(Register words, Register a, Register b) {
    return followed([](Register w, Register x, Register y) { return Register{_mm512_permutex2var_epi64(x.v, w.v, y.v)}; }, words,
                    a, b);
  }
  static __m512i sum_of_lanes(__m512i a, __m512i b) {  // each two lanes of a, then of b
    return _mm512_xor_si512(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xdd));
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
