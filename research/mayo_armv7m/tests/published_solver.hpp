// SPDX-License-Identifier: Apache-2.0
// Which systems the solver published with ePrint 2023/540 takes for solvable.  From pivot 8 on its search for a row to repair a
// zero pivot stays at the next row, so it refuses systems that have a solution.  With this in place of our solver the published
// signatures come out byte for byte; it is for that alone, and branches on secrets.
#pragma once
#include <algorithm>
#include <utility>

#include "mayo_armv7m/scheme.hpp"

namespace test {

using namespace aioli;

template <class P> struct PublishedSolver {
  static constexpr int m = P::m, honest_pivots = 8;
  using X = Fmat<1, m>;
  Mvector<P> A[m + 1];

  bool solve(X &x, const X &) {
    Fmat<m, m + 1> rows;
    rows.zero();
    for (int r = 0; r < m; r++)
      for (int c = 0; c <= m; c++) rows.set(r, c, A[c][r]);
    for (int c = 0; c < m; c++) {
      const int end = c < honest_pivots ? m : std::min(m, c + 2);
      int pivot = c;
      while (pivot < end && rows(pivot, c) == GF16{0}) pivot++;
      if (pivot == end) return false;
      std::swap(rows.w[c], rows.w[pivot]);
      const GF16 scale = inverse(rows(c, c));
      for (int j = 0; j <= m; j++) rows.set(c, j, scale * rows(c, j));
      for (int r = 0; r < m; r++) {
        const GF16 factor = rows(r, c);
        if (r != c && !(factor == GF16{0}))
          for (int j = 0; j <= m; j++) rows.set(r, j, rows(r, j) + factor * rows(c, j));
      }
    }
    for (int c = 0; c < m; c++) x.set(0, c, rows(c, m));
    return true;
  }
};

}  // namespace test
