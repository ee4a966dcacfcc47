// SPDX-License-Identifier: Apache-2.0
// The dense linear systems of signing, n = 32 or 64 unknowns over GF(31), by elimination and by Wiedemann's algorithm, both on
// registers of 32 bytes: D. Wiedemann, Solving sparse linear equations over finite fields, 1986; for such systems A. Chen et
// al., CHES 2009.
#pragma once
#include <array>
#include "museum/algebra/matrix.hpp"
#include "museum/field/look_ups.hpp"
#include "museum/field/prime_field.hpp"
#ifdef MUSEUM_AVX2

namespace museum::lessons {

using F31 = field::Gf31;

// y = C x: pairs of products go into sums of 16 bits; with factors up to 30 eighteen pairs fit.  C: for each pair of inputs, the
// two coefficients of an output side by side.  What comes out is right modulo 31, and at most 60 for each 32 inputs.
template <size_t outputs, size_t inputs>
__attribute__((target("avx2"))) inline void pair_products(uint16_t *y, const uint8_t *C, const uint8_t *x) {
  static_assert(outputs % 16 == 0 && inputs % 2 == 0 && inputs <= 128);
  for (size_t i = 0; i < outputs; i += 16) {
    __m256i total = _mm256_setzero_si256();
    for (size_t j = 0; j < inputs / 2;) {
      __m256i sum = _mm256_setzero_si256();
      for (const size_t stop = std::min(inputs / 2, j + 16); j < stop; j++) {
        const __m256i c = _mm256_loadu_si256((const __m256i *)(C + 2 * (j * outputs + i)));
        const __m256i pair = _mm256_set1_epi16(short(x[2 * j] | x[2 * j + 1] << 8));
        sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(c, pair));
      }
      // s = 32 h + l = h + l modulo 31: twice, and what is left is small
      for (int fold = 0; fold < 2; fold++)
        sum = _mm256_add_epi16(_mm256_and_si256(sum, _mm256_set1_epi16(31)), _mm256_srli_epi16(sum, 5));
      total = _mm256_add_epi16(total, sum);
    }
    _mm256_storeu_si256((__m256i *)(y + i), total);
  }
}

// y[i] += a x[i], products looked up: two tables of sixteen, and bit 4 of x says which.
__attribute__((target("avx2"))) inline void add_scaled_31(uint8_t *y, const uint8_t *products, const uint8_t *x, size_t n) {
  const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)products));
  const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(products + 16)));
  for (size_t i = 0; i < n; i += 32) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(x + i));
    const __m256i p = _mm256_blendv_epi8(_mm256_shuffle_epi8(low, v), _mm256_shuffle_epi8(high, v), _mm256_slli_epi16(v, 3));
    const __m256i s = _mm256_add_epi8(_mm256_loadu_si256((const __m256i *)(y + i)), p);
    _mm256_storeu_si256((__m256i *)(y + i), _mm256_min_epu8(s, _mm256_sub_epi8(s, _mm256_set1_epi8(31))));
  }
}

template <size_t n> class SmallSystem {
 public:
  using Vector = std::array<uint8_t, n>;
  // A is invertible.
  SmallSystem(const algebra::Matrix<F31> &A, const Vector &b) : b_(b) {
    for (int a = 0; a < 31; a++)
      for (int x = 0; x < 32; x++) products_[a][x] = uint8_t(a * x % 31);
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) rows_[i][j] = A(i, j), pairs_[2 * (j / 2 * n + i) + j % 2] = A(i, j);
      rows_[i][n] = b[i];
    }
  }

  Vector by_gauss() const {
    auto R = rows_;
    for (size_t p = 0; p < n; p++) {
      size_t r = p;
      while (R[r][p] == 0) r++;
      std::swap(R[p], R[r]);
      const size_t from = p / 32 * 32;
      Row scaled{};
      add_scaled_31(&scaled[from], products_[F31::inv(R[p][p])], &R[p][from], width - from);
      std::copy(scaled.begin() + p, scaled.end(), R[p].begin() + p);
      for (size_t i = p + 1; i < n; i++)
        if (R[i][p] != 0) add_scaled_31(&R[i][from], products_[F31::neg(R[i][p])], &R[p][from], width - from);
    }
    Vector x{};
    for (size_t i = n; i-- > 0;) {
      unsigned sum = 0;
      for (size_t j = i + 1; j < n; j++) sum += R[i][j] * x[j];
      x[i] = F31::sub(R[i][n], uint8_t(sum % 31));
    }
    return x;
  }

  // Nothing found (all zero) if the first coordinates of the powers do not tell the whole minimal polynomial, in about one case
  // of 31.
  Vector by_wiedemann() const {
    std::array<Vector, n> krylov;  // A^i b
    std::array<uint8_t, 2 * n> sequence;
    Vector power = b_;
    for (size_t i = 0; i < 2 * n; i++) {
      if (i < n) krylov[i] = power;
      sequence[i] = power[0];
      uint16_t y[n];
      pair_products<n, n>(y, pairs_, power.data());
      for (size_t k = 0; k < n; k++) power[k] = uint8_t(y[k] % 31);
    }
    // Berlekamp and Massey: c with c_0 s_i + c_1 s_(i-1) + ... = 0.
    alignas(32) uint8_t c[2 * n + 32] = {1}, last[2 * n + 32] = {1};
    size_t length = 0, shift = 1;
    uint8_t last_discrepancy = 1;
    for (size_t i = 0; i < 2 * n; i++) {
      unsigned sum = 0;
      for (size_t k = 0; k <= length; k++) sum += c[k] * sequence[i - k];
      const uint8_t d = uint8_t(sum % 31);
      if (d == 0) {
        shift++;
        continue;
      }
      const bool longer = 2 * length <= i;
      uint8_t before[2 * n + 32], shifted[2 * n + 32] = {};
      if (longer) std::copy(c, c + 2 * n + 32, before);
      std::copy(last, last + 2 * n + 32 - shift, shifted + shift);
      add_scaled_31(c, products_[F31::neg(F31::mul(d, F31::inv(last_discrepancy)))], shifted, (2 * n + 32) / 32 * 32);
      if (!longer) {
        shift++;
        continue;
      }
      length = i + 1 - length, last_discrepancy = d, shift = 1;
      std::copy(before, before + 2 * n + 32, last);
    }
    // c_0 A^n b + ... + c_n b = 0, so that x = -1/c_n (c_(n-1) b + ... + c_0 A^(n-1) b).
    Vector x{};
    if (length != n || c[n] == 0) return x;
    const uint8_t factor = F31::neg(F31::inv(c[n]));
    for (size_t i = 0; i < n; i++) add_scaled_31(x.data(), products_[F31::mul(factor, c[n - 1 - i])], krylov[i].data(), n);
    return x;
  }

 private:
  static_assert(n % 32 == 0);
  static constexpr size_t width = n + 32;
  using Row = std::array<uint8_t, width>;
  std::array<Row, n> rows_{};
  uint8_t pairs_[n * n];
  uint8_t products_[31][32];
  Vector b_;
};

}  // namespace museum::lessons
#endif
