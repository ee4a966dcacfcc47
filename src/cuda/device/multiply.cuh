// SPDX-License-Identifier: Apache-2.0
// Products of a matrix of m-vectors and a small matrix X over GF(16), in constant time: each element of X is four masks in shared memory, each
// product four sums of masked words that are put together once, at the end.
//
// A unit is one word of the m-vectors of one row of the matrix.  A thread has two units, 32 apart, and all columns of X for both; a warp has 64 units
// in a row and walks along their rows together, so that all its lanes read the same mask at the same time.
#pragma once
#include "cuda/device/words.cuh"

namespace aioli::inline AIOLI_ISA {
namespace cuda {

// masks[c * Columns + i] for element(i, c), c < length.  All threads of the block, and a barrier before they are read.
template <int Columns, class Element> AIOLI_DEVICE void fill_masks(uint4 *masks, uint32_t length, Element element) {
  for (uint32_t at = threadIdx.x; at < length * Columns; at += blockDim.x)
    masks[at] = masks_of(element(at % Columns, at / Columns));
}

template <int Columns> class Products {
 public:
  AIOLI_DEVICE void clear() {
#pragma unroll
    for (int t = 0; t < 2; t++)
#pragma unroll
      for (int i = 0; i < Columns; i++)
#pragma unroll
        for (int b = 0; b < 4; b++) sum_[t][i][b] = 0;
  }
  // Column i of unit t begins with w.
  AIOLI_DEVICE void begin(int t, int i, uint32_t w) { sum_[t][i][0] = w; }
  // One element of both units' rows times one row of X.
  AIOLI_DEVICE void add(uint32_t w0, uint32_t w1, const uint4 *masks) {
#pragma unroll
    for (int i = 0; i < Columns; i++) {
      const uint4 m = masks[i];
      sum_[0][i][0] ^= w0 & m.x, sum_[0][i][1] ^= w0 & m.y, sum_[0][i][2] ^= w0 & m.z, sum_[0][i][3] ^= w0 & m.w;
      sum_[1][i][0] ^= w1 & m.x, sum_[1][i][1] ^= w1 & m.y, sum_[1][i][2] ^= w1 & m.z, sum_[1][i][3] ^= w1 & m.w;
    }
  }
  // Rows of X from `begin` on, to `end`; the two units' words for row c are at p0 and p1, Step words further each time.  Before row `full`, those
  // of a unit count from row first0, first1 on only.
  template <int Step>
  AIOLI_DEVICE void walk(const uint32_t *p0, const uint32_t *p1, int begin, int full, int end, int first0, int first1,
                         const uint4 *masks) {
    int c = begin;
#pragma unroll 1
    for (; c < full && c < end; c++, p0 += Step, p1 += Step)
      add(c >= first0 ? *p0 : 0, c >= first1 ? *p1 : 0, masks + c * Columns);
#pragma unroll 4
    for (; c < end; c++, p0 += Step, p1 += Step) add(*p0, *p1, masks + c * Columns);
  }
  AIOLI_DEVICE uint32_t get(int t, int i) const {
    uint32_t w = sum_[t][i][3];
#pragma unroll
    for (int b = 2; b >= 0; b--) w = word_times_x(w) ^ sum_[t][i][b];
    return w;
  }

 private:
  uint32_t sum_[2][Columns][4];
};

// The units of a thread in stretch s of `units` ones, m-vectors being Words long.
template <int Words> struct Units {
  int unit[2], row[2], word[2];
  bool live[2];
  int first_row, last_row;  // of the warp

  AIOLI_DEVICE Units(int stretch, int units) {
#pragma unroll
    for (int t = 0; t < 2; t++) {
      unit[t] = 64 * stretch + 32 * t + int(lane_of_warp());
      row[t] = unit[t] / Words;
      word[t] = unit[t] % Words;
      live[t] = unit[t] < units;
    }
    first_row = 64 * stretch / Words;
    last_row = (64 * stretch + 63) / Words;
  }
};

template <class P> struct Times {
  using L = Layout<P>;
  static constexpr int n = P::n, o = P::o, k = P::k, v = P::v, words = L::mvector_words;

  static AIOLI_DEVICE int triangle(int row, int size) { return row * size - row * (row - 1) / 2; }  // m-vectors before row `row`

  // work(stretch) for the two stretches of this warp: the first of those that are left and the last.
  template <class Work> static AIOLI_DEVICE void for_stretches(int units, Work work) {
    const int stretches = (units + 63) / 64, warp = int(blockIdx.y * (blockDim.x / 32) + warp_of_block());
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
      const int stretch = half == 0 ? warp : stretches - 1 - warp;
      if (half == 0 ? 2 * stretch < stretches : stretch > warp) work(stretch);
    }
  }
  template <int Columns>
  static AIOLI_DEVICE void store(uint32_t *out, uint32_t column_words, const Products<Columns> &sums, const Units<words> &u) {
#pragma unroll
    for (int t = 0; t < 2; t++)
      if (u.live[t])
#pragma unroll
        for (int i = 0; i < Columns; i++) out[i * column_words + u.unit[t]] = sums.get(t, i);
  }

  // Row r of (P1 P2; 0 P3) times S^T.
  static AIOLI_DEVICE void verify(const VerifyTimesArgs &args) {
    AIOLI_SHARED_MEMORY(uint4, masks);
    const uint32_t row = blockIdx.x;
    const uint8_t *s = args.signatures + uint64_t(row) * args.signature_stride;
    fill_masks<k>(masks, n, [&](uint32_t i, uint32_t c) { return nibble(s, i * n + c); });
    __syncthreads();

    const uint32_t *P1 = args.expanded + uint64_t(args.keys ? args.keys[row] : 0) * L::public_words;
    const uint32_t *P2 = P1 + L::P1_entries * words, *P3 = P2 + L::P2_entries * words;
    const uint32_t *lambda = args.lambda ? args.lambda + uint64_t(row) * L::lambda_words : nullptr;
    uint32_t *out = args.products + uint64_t(row) * L::verify_product_words;
    for_stretches(n * words, [&](int stretch) {
      const Units<words> u(stretch, n * words);
      Products<k> sums;
      sums.clear();
      const uint32_t *p[2];
      int first[2];
      if (P::linear_term && lambda)
#pragma unroll
        for (int t = 0; t < 2; t++)
          if (u.live[t]) sums.begin(t, 0, lambda[u.unit[t]]);
      if (u.first_row < v) {
        const int begin = u.first_row;
#pragma unroll
        for (int t = 0; t < 2; t++) {
          const bool some = u.row[t] < v;
          first[t] = some ? u.row[t] : v;
          p[t] = P1 + (some ? (triangle(u.row[t], v) + begin - u.row[t]) * words + u.word[t] : 0);
        }
        sums.template walk<words>(p[0], p[1], begin, u.last_row, v, first[0], first[1], masks);
      }
      const int begin = u.first_row < v ? v : u.first_row;
#pragma unroll
      for (int t = 0; t < 2; t++) {
        const int a = u.row[t] - v;
        first[t] = u.live[t] ? u.row[t] : n;
        p[t] = a < 0       ? P2 + (u.row[t] * o + begin - v) * words + u.word[t]
               : u.live[t] ? P3 + (triangle(a, o) + begin - u.row[t]) * words + u.word[t]
                           : P2;
      }
      sums.template walk<words>(p[0], p[1], begin, u.last_row < v ? 0 : u.last_row, n, first[0], first[1], masks);
      store<k>(out, L::verify_column_words, sums, u);
    });
  }

  // P1 O + P2, or (P1 + P1^T) O + P2 if Symmetric; column after column.
  template <bool Symmetric>
  static AIOLI_DEVICE void times_oil(uint32_t *out, uint32_t column_words, const uint32_t *P1, const uint32_t *O) {
    AIOLI_SHARED_MEMORY(uint4, masks);
    fill_masks<o>(masks, v, [&](uint32_t i, uint32_t c) { return nibble(O, c * o + i); });
    __syncthreads();

    const uint32_t *P2 = P1 + L::P1_entries * words;
    for_stretches(v * words, [&](int stretch) {
      const Units<words> u(stretch, v * words);
      Products<o> sums;
      sums.clear();
      const uint32_t *p[2];
      int first[2];
#pragma unroll
      for (int t = 0; t < 2; t++) {
        if (u.live[t])
#pragma unroll
          for (int i = 0; i < o; i++) sums.begin(t, i, P2[(u.row[t] * o + i) * words + u.word[t]]);
        first[t] = u.live[t] ? u.row[t] : v;
      }
      int c = u.first_row;
      if constexpr (Symmetric) c = above_diagonal(sums, P1, u, masks);
#pragma unroll
      for (int t = 0; t < 2; t++)
        p[t] = P1 + (u.live[t] ? (triangle(u.row[t], v) + c - u.row[t]) * words + u.word[t] : 0);
      sums.template walk<words>(p[0], p[1], c, u.last_row, v, first[0], first[1], masks);
      store<o>(out, column_words, sums, u);
    });
    clear_shared_memory(16 * o * v);
  }
  // Adds rows 0 .. c - 1 of O times what the units have in their columns of P1, above the diagonal, and from there on in their rows; c, which is
  // returned, is past all their diagonals, and these cancel.
  static AIOLI_DEVICE int above_diagonal(Products<o> &sums, const uint32_t *P1, const Units<words> &u, const uint4 *masks) {
    const uint32_t *p[2];
    int at[2];
#pragma unroll
    for (int t = 0; t < 2; t++) {
      at[t] = u.live[t] ? u.row[t] : v;
      p[t] = P1 + (u.live[t] ? u.row[t] * words + u.word[t] : 0);  // (0, row)
    }
    const int end = u.last_row < v ? u.last_row + 1 : v;
    int c = 0;
    // From one row to the next the column comes one m-vector sooner.
#pragma unroll 4
    for (; c < u.first_row; c++) {
      sums.add(u.live[0] ? *p[0] : 0, u.live[1] ? *p[1] : 0, masks + c * o);
      p[0] += (v - c - 1) * words, p[1] += (v - c - 1) * words;
    }
#pragma unroll 1
    for (; c < end; c++) {
      sums.add(c != at[0] && u.live[0] ? *p[0] : 0, c != at[1] && u.live[1] ? *p[1] : 0, masks + c * o);
#pragma unroll
      for (int t = 0; t < 2; t++) p[t] += (c < at[t] ? v - c - 1 : 1) * words;
    }
    return c;
  }

  // T = P1 O + P2.
  static AIOLI_DEVICE void keygen(const KeygenTimesArgs &args) {
    const uint32_t row = blockIdx.x;
    times_oil<false>(args.products + uint64_t(row) * L::keygen_product_words, L::keygen_column_words,
                     args.expanded + uint64_t(row) * L::secret_words, args.oil + uint64_t(row) * L::oil_words);
  }

  // L = (P1 + P1^T) O + P2, behind P2.
  static AIOLI_DEVICE void linear_forms(const LinearFormsArgs &args) {
    const uint32_t row = blockIdx.x;
    uint32_t *P1 = args.expanded + uint64_t(row) * L::secret_words;
    times_oil<true>(P1 + L::P_entries * words, v * words, P1, args.oil + uint64_t(row) * L::oil_words);
  }

  // M = V L, whose o columns come first because they are long, then row r of P1 times V^T.
  static AIOLI_DEVICE void sign(const SignTimesArgs &args) {
    AIOLI_SHARED_MEMORY(uint4, masks);
    const uint32_t slot = blockIdx.x, row = args.rows ? args.rows[slot] : slot;
    const uint32_t *V = args.vinegar + uint64_t(slot) * L::vinegar_words;
    fill_masks<k>(masks, v, [&](uint32_t i, uint32_t c) { return nibble(V, 2 * P::v_bytes * i + c); });
    __syncthreads();

    const uint32_t *P1 = args.expanded + uint64_t(args.keys ? args.keys[row] : 0) * L::secret_words;
    const uint32_t *L_transposed = P1 + L::P_entries * words;
    const uint32_t *lambda = args.lambda ? args.lambda + uint64_t(row) * L::lambda_words : nullptr;
    const uint32_t *oil_terms = args.oil_terms ? args.oil_terms + uint64_t(row) * L::oil_term_words : nullptr;
    uint32_t *out = args.products + uint64_t(slot) * L::sign_product_words;
    constexpr int units = (o + v) * words;
    for_stretches(units, [&](int stretch) {
      const Units<words> u(stretch, units);
      Products<k> sums;
      sums.clear();
      const uint32_t *p[2];
      int first[2];
      const int begin = u.first_row < o ? 0 : u.first_row - o;
#pragma unroll
      for (int t = 0; t < 2; t++) {
        const int r = u.row[t] - o;
        if (P::linear_term && u.live[t]) sums.begin(t, 0, r < 0 ? oil_terms[u.unit[t]] : lambda[u.unit[t] - o * words]);
        first[t] = !u.live[t] ? v : r < 0 ? 0 : r;
        p[t] = !u.live[t] ? P1
               : r < 0    ? L_transposed + (u.row[t] * v + begin) * words + u.word[t]
                          : P1 + (triangle(r, v) + begin - r) * words + u.word[t];
      }
      sums.template walk<words>(p[0], p[1], begin, u.last_row - o, v, first[0], first[1], masks);
      store<k>(out, L::sign_column_words, sums, u);
    });
    clear_shared_memory(16 * k * v);
  }

  // lambda_(v+c) + sum over r of O[r][c] lambda_r.  A warp for each row; lanes share the rows of O as far as there are lanes.
  static AIOLI_DEVICE void oil_terms(const SignOilTermsArgs &args) {
    AIOLI_SHARED_MEMORY(uint4, masks);
    const uint32_t row = blockIdx.x;
    const uint32_t *O = args.oil + uint64_t(args.keys ? args.keys[row] : 0) * L::oil_words;
    fill_masks<o>(masks, v, [&](uint32_t i, uint32_t c) { return nibble(O, c * o + i); });
    __syncthreads();

    constexpr int slices = 32 / words;
    const int lane = int(lane_of_warp()), slice = lane / words, word = lane % words;
    const uint32_t *lambda = args.lambda + uint64_t(row) * L::lambda_words;
    Products<o> sums;
    sums.clear();
    if (slice < slices)
      for (int r = slice; r < v; r += slices) sums.add(lambda[r * words + word], 0, masks + r * o);
    uint32_t *out = args.oil_terms + uint64_t(row) * L::oil_term_words;
#pragma unroll
    for (int i = 0; i < o; i++) {
      uint32_t w = sums.get(0, i), sum = w;
#pragma unroll
      for (int s = 1; s < slices; s++) sum ^= __shfl_sync(all_lanes, w, (lane + s * words) % 32);
      if (slice == 0) out[i * words + word] = sum ^ lambda[(v + i) * words + word];
    }
    clear_shared_memory(16 * o * v);
  }
};

}  // namespace cuda
}  // namespace aioli::inline AIOLI_ISA
