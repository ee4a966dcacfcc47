// SPDX-License-Identifier: Apache-2.0
// Square systems over GF(256) by elimination of rows (the interface of ColumnSolver, linalg/solver.hpp).  With as many columns as
// equations there are no free columns, and either the pivot of row i is in column i after all later rows have been offered to it,
// or the system is singular.  So what is left shrinks in both directions, and which rows are added is secret but not where.
#pragma once
#include "backend/cortex_m4/weights.hpp"
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// K: the kernels that this belongs to.
template <class P, class K> struct TriangularSolver {
  using F = FieldOf<P>;
  using X = Fmat<1, P::o, F>;
  static constexpr int m = P::m, columns = P::o;
  static_assert(columns == m && P::k == 1 && F::bits == 8);
  static constexpr int stride = (m + 1 + 7) / 8 * 8;  // bytes of a row and y's element, which is element m

  Mvector<P> A[columns + 1];  // in: the columns of A, then y
  alignas(4) uint8_t row[m][stride];

  // The second argument is for systems with free columns.
  bool solve(X &x, const X &) {
    to_rows();
    uint32_t singular = 0;
    for (int i = 0; i < m; i++) {
      for (int j = i + 1; j < m; j++) {
        const uint32_t wanted = ~uint32_t(mask_of_nonzero(row[i][i]));
        for (int at = i / 4 * 4; at < stride; at += 4) store32(row[i] + at, load32(row[i] + at) ^ (load32(row[j] + at) & wanted));
      }
      singular |= ~uint32_t(mask_of_nonzero(row[i][i]));
      set_scalar(i, inverse(typename F::Element{row[i][i]}).n);
      for (int j = i + 1; j < m; j++) set_scalar(j, row[j][i]);
      for (int at = i / 8 * 8; at < stride; at += 8) {
        uint32_t pair[2] = {load32(row[i] + at), load32(row[i] + at + 4)};
        store32(row[i] + at, 0), store32(row[i] + at + 4, 0);
        for (const auto &flags : scalars_.flags) add_multiples<F>(row[i] + at, 0, flags + i, pair, 1);
        pair[0] = load32(row[i] + at), pair[1] = load32(row[i] + at + 4);
        if (i + 1 < m)
          for (const auto &flags : scalars_.flags) add_multiples<F>(row[i + 1] + at, stride, flags + i + 1, pair, m - 1 - i);
      }
    }
    // Backwards: row i of what is known so far, y's own element being one.
    uint8_t known[stride] = {};
    known[m] = 1;
    for (int i = m - 1; i >= 0; i--) {
      uint64_t product = 0;
      for (int at = i / 8 * 8; at < stride; at += 8) product ^= F::mul_elementwise(load64(row[i] + at), load64(known + at));
      known[i] = F::sum(product).n;
    }
    x.zero();
    for (int j = 0; j < columns; j++) x.set(0, j, {known[j]});
    // "Singular, try again with new vinegar" is all that is said about A; the specification lets the number of attempts be seen.
    return reveal(singular) == 0;
  }

 private:
  typename K::template Flags<m> scalars_;

  void set_scalar(int j, uint32_t a) {
    for (int half = 0; half < 2; half++) scalars_.flags[half][j] = flags_of(a, half);
  }
  void to_rows() {
    for (int j = 0; j < stride; j += 4)
      for (int w = 0; 4 * w < m; w++) {
        uint32_t tile[4];
        for (int i = 0; i < 4; i++) tile[i] = j + i <= columns ? uint32_t(A[j + i].w[w / 2] >> (32 * (w % 2))) : 0;
        Packed<F>::transpose(tile);
        for (int i = 0; i < 4 && 4 * w + i < m; i++) store32(row[4 * w + i] + j, tile[i]);
      }
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
