// SPDX-License-Identifier: Apache-2.0
// SampleSolution: the constant-time solver of A x = y over F, A of m rows and k*o columns.
//
// The specification reduces rows from left to right; the solution it gives is x_j = r_j on every column that is not a pivot,
// pivots being the leftmost columns that span, and the rest is forced.  Adding multiples of columns to columns on their right
// leaves the span of every leading set of columns, and with it the set of pivot columns, as it is.  So this eliminates columns:
// equation by equation (in public order) the leftmost unused column with a non-zero entry there becomes its pivot (which one is
// secret), and clears that entry in all unused columns and in the right side.  Columns are m-vectors as they come.
#pragma once
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Columns are numbered 0 .. k*o - 1; column k*o is the right side y.  Rows of the matrix are packed words, element j for column
// j.  R x C: the shape of x, which has one element for each column.
template <class P, int R = P::k, int C = P::o> struct ColumnSolver {
  using F = FieldOf<P>;
  using Element = typename F::Element;
  static constexpr int m = P::m, columns = R * C, words = F::words(columns + 1), per_word = F::per_word;
  using X = Fmat<R, C, F>;

  Mvector<P> A[columns + 1];  // in: the columns of A, then y; used up
  uint64_t factor[m][words];  // what was added: element j of row e is the multiple of pivot e that column j got
  uint64_t pivot[m][words];   // all ones at the element of the pivot column of equation e
  uint64_t unused[words];     // all ones at elements of columns that are no pivot yet
  uint64_t singular;          // not zero: some equation found no pivot

  // x, k x o, row i being x_i; r gives the columns that are no pivots.  False, in time that does not depend on A, y or r, if the
  // rank of A is less than m: that bit is public (sign then tries again with other vinegar).
  bool solve(X &x, const X &r) {
    subtract_fixed(r);
    begin();
    for (int e = 0; e < m; e++) {
      const int from = e / per_word;  // words before this one hold finished equations
      uint64_t row[words] = {};
      for (int j = 0; j <= columns; j++) row[j / per_word] |= F::at(F::get(A[j].w, e), j);
      choose(e, row);

      Mvector<P> column;
      for (int i = from; i < Mvector<P>::words; i++) column.w[i] = 0;
      for (int j = 0; j < columns; j++) {
        const uint64_t here = mask_of_bit(F::get(pivot[e], j).n);
        for (int i = from; i < Mvector<P>::words; i++) column.w[i] ^= A[j].w[i] & here;
      }
      set_factors(e, row, column[e]);

      uint64_t multiple[F::bits][Mvector<P>::words];
      for (int i = from; i < Mvector<P>::words; i++) {
        const typename F::Multiples c = F::multiples(column.w[i]);
        for (int b = 0; b < F::bits; b++) multiple[b][i] = c.w[b];
      }
      for (int j = 0; j <= columns; j++) {
        const typename F::Scalar f = F::scalar(F::get(factor[e], j));
        for (int i = from; i < Mvector<P>::words; i++) {
          uint64_t product = 0;
#pragma GCC unroll 8
          for (int b = 0; b < F::bits; b++) product ^= multiple[b][i] & f.mask[b];
          A[j].w[i] ^= product;
        }
      }
    }
    return finish(x, r);
  }

 private:
  void begin() {
    singular = 0;
    for (int w = 0; w < words; w++) unused[w] = F::first(columns - per_word * w < 0 ? 0 : columns - per_word * w);
  }
  // The pivot of equation e: the first unused column with a non-zero entry in row e.
  void choose(int e, const uint64_t *row) {
    uint64_t found = 0;
    for (int w = 0; w < words; w++) {
      const uint64_t lowest = lowest_bit(F::nonzero(row[w] & unused[w])) & ~found;
      pivot[e][w] = F::fill(lowest);
      found |= mask_of_nonzero(lowest);
      unused[w] &= ~pivot[e][w];
    }
    singular |= ~found;
  }
  // The multiples of the pivot column that clear row e in all unused columns and in y; `entry` is the pivot's own entry there.
  void set_factors(int e, const uint64_t *row, Element entry) {
    const typename F::Scalar scale = F::scalar(inverse(entry));
    for (int w = 0; w < words; w++) {
      const uint64_t keep = w == columns / per_word ? unused[w] | F::at({(1 << F::bits) - 1}, columns) : unused[w];
      factor[e][w] = F::mul(F::multiples(row[w] & keep), scale);
    }
  }
  // x from what was remembered; false if some equation had no pivot.
  bool finish(X &x, const X &r) {
    // Backwards: the pivot of equation e carries what y needed of it, less what later pivots already brought along.
    uint64_t solution[words] = {};
    for (int e = m - 1; e >= 0; e--) {
      uint64_t product = 0;
      for (int w = 0; w < words; w++) product ^= F::mul_elementwise(factor[e][w], solution[w]);
      const Element value = F::get(factor[e], columns) + F::sum(product);
      for (int w = 0; w < words; w++) solution[w] |= pivot[e][w] & F::everywhere(value);
    }
    x.zero();
    for (int i = 0; i < R; i++)
      for (int c = 0; c < C; c++) x.set(i, c, r(i, c) + F::get(solution, i * C + c));
    wipe(solution, sizeof solution);
    // "Singular, try again with new vinegar" is all that is said about A; the specification lets the number of attempts be seen.
    return reveal(singular) == 0;
  }
  // y -= A r
  void subtract_fixed(const X &r) {
    for (int row = 0; row < R; row++)
      for (int c = 0; c < C; c++) {
        const typename F::Scalar rj = F::scalar(r(row, c));
        for (int i = 0; i < Mvector<P>::words; i++) A[columns].w[i] ^= F::mul(F::multiples(A[row * C + c].w[i]), rj);
      }
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
