// SPDX-License-Identifier: Apache-2.0
// The column solver over byte shuffles: two columns to a byte, one byte for each equation.  Adding multiples of the pivot column to a pair
// of columns is then one shuffle for as many equations as a register has bytes, by the table of the pair's two factors.
#pragma once
#include "backend/wide/product_tables.hpp"
#include "linalg/solver.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P, class V> struct ShuffleSolver : ColumnElimination<P> {
  using Base = ColumnElimination<P>;
  using Base::m, Base::columns, Base::words, Base::factor, Base::pivot;
  using typename Base::X;
  static constexpr int pairs = (columns + 2) / 2, height = (m + V::bytes - 1) / V::bytes * V::bytes,
                       even_words = (words + 1) / 2 * 2, row_bytes = 8 * even_words;
  static_assert(pairs <= row_bytes);

  Mvector<P> A[columns + 1];                    // in: the columns of A, then y; used up
  alignas(64) uint8_t pair[row_bytes][height];  // columns 2p in low halves, 2p + 1 in high ones

  bool solve(X &x, const X &r) {
    Base::subtract_fixed(A, r);
    for (int p = 0; p < pairs; p++) interleave(pair[p], A[2 * p], 2 * p + 1 <= columns ? &A[2 * p + 1] : nullptr);
    Base::begin();
    alignas(64) uint8_t row[row_bytes] = {}, take[row_bytes] = {}, table[row_bytes][16];
    for (int e = 0; e < m; e++) {
      const int from = e / V::bytes * V::bytes;  // registers before this one hold finished equations
      for (int p = 0; p < pairs; p++) row[p] = pair[p][e];
      uint64_t packed[words];
      for (int w = 0; w < words; w++) packed[w] = load64(row + 8 * w);
      Base::choose(e, packed);

      for (int w = 0; w < words; w++) store64(take + 8 * w, pivot[e][w]);
      alignas(64) uint8_t column[height];
      for (int at = from; at < height; at += V::bytes) {
        V sum = V::zero();
        for (int p = 0; p < pairs; p++) sum = sum ^ (V::load(pair[p] + at) & V::broadcast1(take[p]));
        (sum.low_nibbles() ^ sum.high_nibbles()).store(column + at);
      }
      Base::set_factors(e, packed, {column[e]});

      uint64_t factors[even_words] = {};
      for (int w = 0; w < words; w++) factors[w] = factor[e][w];
      product_tables<V, even_words>(table, factors);
      for (int at = from; at < height; at += V::bytes) {
        const V nibbles = V::load(column + at);
        for (int p = 0; p < pairs; p++)
          (V::load(pair[p] + at) ^ V::look_up(V::broadcast16(table[p]), nibbles)).store(pair[p] + at);
      }
    }
    wipe(table, sizeof table);
    return Base::finish(x, r);
  }

 private:
  static void interleave(uint8_t *to, const Mvector<P> &a, const Mvector<P> *b) {
    uint8_t low[8 * Mvector<P>::words], high[8 * Mvector<P>::words] = {};
    for (int w = 0; w < Mvector<P>::words; w++) {
      store64(low + 8 * w, a.w[w]);
      if (b != nullptr) store64(high + 8 * w, b->w[w]);
    }
    for (int i = 0; i < P::m / 2; i++) {
      to[2 * i] = uint8_t((low[i] & 15) | high[i] << 4);
      to[2 * i + 1] = uint8_t(low[i] >> 4 | (high[i] & 0xf0));
    }
    for (int i = P::m; i < height; i++) to[i] = 0;
    wipe(low, sizeof low);
    wipe(high, sizeof high);
  }
};

}  // namespace aioli::inline AIOLI_ISA
