// SPDX-License-Identifier: Apache-2.0
// y += a x for a map x -> a x that is linear over GF(2): the images of the low and of the high half of a byte are looked up, by a
// shuffle of bytes where the processor has AVX2.
#pragma once
#include <cstddef>
#include <cstdint>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define MUSEUM_AVX2 1
#endif

namespace museum::field {

struct Images {
  alignas(16) uint8_t low[16] = {}, high[16] = {};
};

#ifdef MUSEUM_AVX2
inline const bool have_avx2 = __builtin_cpu_supports("avx2");

// The first n - n % 16 elements; returns their number.
__attribute__((target("avx2"))) inline size_t add_images_avx2(uint8_t *y, const Images &a, const uint8_t *x, size_t n) {
  const __m128i low = _mm_load_si128((const __m128i *)a.low), high = _mm_load_si128((const __m128i *)a.high),
                nibble = _mm_set1_epi8(15);
  const __m256i low2 = _mm256_broadcastsi128_si256(low), high2 = _mm256_broadcastsi128_si256(high),
                nibble2 = _mm256_set1_epi8(15);
  size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(x + i)), w = _mm256_loadu_si256((const __m256i *)(y + i));
    const __m256i l = _mm256_shuffle_epi8(low2, _mm256_and_si256(v, nibble2));
    const __m256i h = _mm256_shuffle_epi8(high2, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble2));
    _mm256_storeu_si256((__m256i *)(y + i), _mm256_xor_si256(w, _mm256_xor_si256(l, h)));
  }
  if (i + 16 <= n) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(x + i)), w = _mm_loadu_si128((const __m128i *)(y + i));
    const __m128i l = _mm_shuffle_epi8(low, _mm_and_si128(v, nibble)),
                  h = _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16(v, 4), nibble));
    _mm_storeu_si128((__m128i *)(y + i), _mm_xor_si128(w, _mm_xor_si128(l, h)));
    i += 16;
  }
  return i;
}
#endif

inline void add_images(uint8_t *y, const Images &a, const uint8_t *x, size_t n) {
  size_t i = 0;
#ifdef MUSEUM_AVX2
  if (have_avx2) i = add_images_avx2(y, a, x, n);
#endif
  for (; i < n; i++) y[i] ^= a.low[x[i] & 15] ^ a.high[x[i] >> 4];
}

}  // namespace museum::field
