// SPDX-License-Identifier: Apache-2.0
// Square systems by LU factorisation of the transposed matrix, four rows at a time, in constant time, for registers of thirty-two bytes and products by
// shuffles.
//
// The columns of A come as strings of equations, so they are the rows of B = A^T, and x^T B = y^T.  B = L U: y^T is one more row, whose factors z^T = y^T U^-1
// come out of the elimination as those of the others do, and x^T L = z^T is solved from the last rows on.  Nothing is transposed, and the order of equations
// in a row does not matter.
//
// A row's pivot is its first element that is not zero: where that is, is secret, but all that depends on it are shuffles of registers.  No row is searched for
// or moved.  Four rows are reduced among themselves in registers; every later row then needs its elements in their four pivot columns, and all four
// multiples are added in one pass.  Tables of multiples are made for 32 factors at once (docs/decisions/0020-lu-of-the-transposed-system.md).
#pragma once
#include "backend/wide/lowest_bit.hpp"
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// S: ScalingByShuffles of the field and V; V: vector_avx2.hpp, vector_emulated.hpp.
template <class P, class S, class V> struct LuSolver {
  using F = FieldOf<P>;
  using X = Fmat<P::k, P::o, F>;
  using Scaler = typename S::Scaler;
  static constexpr int m = P::m, height = 4, chunk = V::bytes / height;  // rows whose factors fill a register
  // An element is a byte; over GF(16) those of low and of high nibbles are apart.
  static constexpr int packed = (F::bytes(m) + V::bytes - 1) / V::bytes, parts = F::bits == 8 ? packed : 2 * packed;
  static constexpr int rows = m + 1, stride = parts * V::bytes;
  static_assert(P::k == 1 && P::o == m && V::bytes == 32 && stride <= 128);

  union {
    Mvector<P> A[rows];                          // in: the columns of A, then y; used up
    alignas(32) uint8_t factors_[rows][stride];  // L without its diagonal blocks, and z; column c belongs to row c
  };

  // There are no free columns in a square system that has a solution for every right side, and of others nothing is asked.
  bool solve(X &x, const X &) {
    take_rows();
    uint64_t singular = 0;
    for (int first = 0; first + height <= m; first += height) eliminate<height>(first, singular);
    if constexpr (m % height != 0) eliminate<m % height>(m - m % height, singular);
    take_solution(x);
    // "Singular, try again with other vinegar" is all that is said about A; the number of attempts may be seen.
    return reveal(singular) == 0;
  }

 private:
  static constexpr int padded = (m + height - 1) / height * height;
  static_assert(padded <= stride);
  alignas(32) uint8_t row_[rows + 1][stride];                // the last one is nobody's
  alignas(32) uint8_t nibbles_[height][parts][2][V::bytes];  // of four pivots' rows: low ones, high ones
  alignas(32) uint8_t tables_[F::bits / 4][V::bytes][16];    // multiples of 32 factors by low nibbles, by high nibbles
  alignas(32) uint8_t entries_[padded + chunk][height];      // of later rows in four pivot columns
  uint8_t inverse_[padded][height];                          // of L's diagonal blocks

  struct Row {
    V a[parts];
    V unit;  // of what the rows of its block were, what it is: in each four bytes
  };
  static void load_row(V (&a)[parts], const uint8_t *p) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; i++) a[i] = V::load(p + i * V::bytes);
  }
  static void scale(Row &row, const Scaler &s) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; i++) row.a[i] = S::product_of_elements(row.a[i], s);
    row.unit = S::product_of_elements(row.unit, s);
  }
  static void add_multiple(Row &to, const Scaler &s, const Row &row) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; i++) to.a[i] = to.a[i] ^ S::product_of_elements(row.a[i], s);
    to.unit = to.unit ^ S::product_of_elements(row.unit, s);
  }

  // Rows first .. first + count - 1, so that each has 1 in its pivot column and 0 in the others' ones; and all later ones, so that these have 0 in them.
  template <int count> void eliminate(int first, uint64_t &singular) {
    Row row[count];
    alignas(4) uint8_t pivots[height], units[height];
    for (int k = 0; k < height; k++) pivots[k] = 128;
#pragma GCC unroll 4
    for (int k = 0; k < count; k++) {
      load_row(row[k].a, row_[first + k]);
      for (int i = 0; i < height; i++) units[i] = i == k;
      row[k].unit = V::broadcast4(units);
    }
#pragma GCC unroll 4
    for (int k = 0; k < count; k++) {
      const int n = first_nonzero(row[k].a);
      pivots[k] = uint8_t(n);
      singular |= mask_of_bit(uint64_t(n) >> 7);
      const V here = V::broadcast1(uint8_t(n));
      scale(row[k], S::scaler_of_all(S::inverse_of_all(V::chosen(row[k].a, here))));
#pragma GCC unroll 4
      for (int i = 0; i < count; i++)
        if (i != k) add_multiple(row[i], S::scaler_of_all(V::chosen(row[i].a, here)), row[k]);
    }
#pragma GCC unroll 4
    for (int k = 0; k < count; k++) {
      row[k].unit.store4(inverse_[first + k]);
#pragma GCC unroll 4
      for (int i = 0; i < parts; i++) {
        row[k].a[i].low_nibbles().store(nibbles_[k][i][0]);
        row[k].a[i].high_nibbles().store(nibbles_[k][i][1]);
      }
    }
    const V at = V::broadcast4(pivots);
    wipe(pivots, sizeof pivots);
    for (int e = first + count; e < rows; e++) {
      V a[parts];
      load_row(a, row_[e]);
      const V entries = V::chosen(a, at);
      entries.store4(entries_[e]);
      entries.store4(factors_[e] + first);
    }
    if (first + count == m) return;  // y's row has nothing more to give
    for (int e = first + count; e < rows; e += chunk) {
      S::multiples_of(tables_, V::load(entries_[e]));
      const int n = rows - e < chunk ? rows - e : chunk;
      for (int i = 0; i < n; i += 2) add_pivots<count>(e + i, i * height);
    }
  }
  // To rows e and e + 1, whose tables begin at `table`.
  template <int count> void add_pivots(int e, int table) {
    V sum[2][parts];
    load_row(sum[0], row_[e]), load_row(sum[1], row_[e + 1]);
#pragma GCC unroll 4
    for (int k = 0; k < count; k++)
#pragma GCC unroll 2
      for (int half = 0; half < F::bits / 4; half++) {
        const V t0 = V::broadcast16(tables_[half][table + k]), t1 = V::broadcast16(tables_[half][table + height + k]);
#pragma GCC unroll 4
        for (int i = 0; i < parts; i++) {
          const V nibbles = V::load(nibbles_[k][i][half]);
          sum[0][i] = sum[0][i] ^ V::look_up(t0, nibbles);
          sum[1][i] = sum[1][i] ^ V::look_up(t1, nibbles);
        }
      }
#pragma GCC unroll 2
    for (int j = 0; j < 2; j++)
#pragma GCC unroll 4
      for (int i = 0; i < parts; i++) sum[j][i].store(row_[e + j] + i * V::bytes);
  }
  // The number of the first element that is not zero; 128 if there is none.
  static int first_nonzero(const V (&a)[parts]) {
    uint64_t mask[2] = {0, 0};
#pragma GCC unroll 4
    for (int i = 0; i < parts; i++) mask[i / 2] |= uint64_t(a[i].nonzero()) << (32 * (i % 2));
    const uint64_t none_in_first = ~mask_of_nonzero(mask[0]);
    return int(below_lowest(mask[0]) + (below_lowest(mask[1]) & none_in_first));
  }

  void take_rows() {
    constexpr int words = Mvector<P>::words;
    for (int e = 0; e < rows; e++) {
      alignas(32) uint64_t w[packed * V::bytes / 8] = {};
      for (int i = 0; i < words; i++) w[i] = A[e].w[i];
      for (int i = 0; i < packed; i++) {
        alignas(32) uint8_t bytes[V::bytes];
        for (int b = 0; b < V::bytes / 8; b++) store64(bytes + 8 * b, w[V::bytes / 8 * i + b]);
        const V a = V::load(bytes);
        if constexpr (F::bits == 8) {
          a.store(row_[e] + i * V::bytes);
        } else {
          a.low_nibbles().store(row_[e] + 2 * i * V::bytes);
          a.high_nibbles().store(row_[e] + (2 * i + 1) * V::bytes);
        }
      }
    }
    zero(row_[rows], stride);
    zero(entries_[0], sizeof entries_);
    for (auto &f : factors_) zero(f, stride);
  }
  // x^T L = z^T.  Of the last four that are not known the block's inverse makes x; their multiples of L's rows go off z.
  void take_solution(X &x) {
    x.zero();
    V z[parts];
    load_row(z, factors_[m]);
    for (int first = padded - height; first >= 0; first -= height) {
      const int count = m - first < height ? m - first : height;
      V value = V::zero();
      for (int k = 0; k < count; k++)
        value = value ^ S::product_of_elements(V::broadcast4(inverse_[first + k]),
                                               S::scaler_of_all(V::broadcast1(factors_[m][first + k])));
      alignas(4) uint8_t bytes[height];
      value.store4(bytes);
      for (int k = 0; k < count; k++) {
        x.set(0, first + k, {bytes[k]});
        const Scaler s = S::scaler_of_all(V::broadcast1(bytes[k]));
#pragma GCC unroll 4
        for (int i = 0; i < parts; i++) z[i] = z[i] ^ S::product_of_elements(V::load(factors_[first + k] + i * V::bytes), s);
      }
      wipe(bytes, sizeof bytes);
#pragma GCC unroll 4
      for (int i = 0; i < parts; i++) z[i].store(factors_[m] + i * V::bytes);
    }
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
