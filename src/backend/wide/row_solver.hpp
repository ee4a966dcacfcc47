// SPDX-License-Identifier: Apache-2.0
// Square systems by elimination of rows in registers (Gauss-Jordan), in constant time.  There are no free columns in a square system that has a
// solution for every right side, and of others nothing is asked.
#pragma once
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// V: as for ScalingKernels.
template <class P, class V> struct RowSolver {
  using F = FieldOf<P>;
  using X = Fmat<P::k, P::o, F>;
  static constexpr int m = P::m, row_bytes = F::bytes(m + 1);
  static constexpr int registers = (row_bytes + V::bytes - 1) / V::bytes;
  static_assert(P::k == 1 && P::o == m);

  Mvector<P> A[m + 1];  // in: the columns of A, then y; used up

  bool solve(X &x, const X &) {
    transpose_in();
    uint64_t singular = 0;
    for (int c = 0; c < m; c++) {
      // The first row from c on with an entry in column c is added to row c, if that has none.
      uint8_t entry[m];
      for (int j = 0; j < m; j++) entry[j] = element(j, c);
      uint64_t found = mask_of_nonzero(entry[c]);
      Register pivot[registers];
      const int from = c * F::bits / 8 / V::bytes;  // what is before that is done
      for (int r = 0; r < registers; r++) pivot[r] = V::load(row_[c] + r * V::bytes);
      uint8_t of_pivot = entry[c];
      for (int j = c + 1; j < m; j++) {
        const uint64_t take = mask_of_nonzero(entry[j]) & ~found;
        found |= take;
        of_pivot = uint8_t(of_pivot ^ (entry[j] & take));
        for (int r = from; r < registers; r++) pivot[r] = V::sum(pivot[r], V::masked(V::load(row_[j] + r * V::bytes), take));
      }
      singular |= ~found;
      const typename V::Scaler scale = V::scaler_of_inverse({of_pivot});
      for (int r = from; r < registers; r++) {
        pivot[r] = V::product(pivot[r], scale);
        V::store(row_[c] + r * V::bytes, pivot[r]);
      }
      for (int j = 0; j < m; j++) {
        if (j == c) continue;
        const typename V::Scaler s = V::scaler_of({entry[j]});
        for (int r = from; r < registers; r++) {
          uint8_t *p = row_[j] + r * V::bytes;
          V::store(p, V::sum(V::load(p), V::product(pivot[r], s)));
        }
      }
      wipe(entry, sizeof entry);
    }
    x.zero();
    for (int c = 0; c < m; c++) x.set(0, c, {element(c, m)});
    // "Singular, try again with other vinegar" is all that is said about A; the number of attempts may be seen.
    return reveal(singular) == 0;
  }

 private:
  using Register = typename V::Register;
  alignas(64) uint8_t row_[F::words(m) * F::per_word][registers * V::bytes];  // row e: equation e, packed, element m being y's

  uint8_t element(int row, int column) const {
    const uint8_t byte = row_[row][column * F::bits / 8];
    return F::bits == 8 ? byte : uint8_t(byte >> (4 * (column % 2)) & 15);
  }
  void transpose_in() {
    constexpr int side = F::per_word;
    uint64_t tile[side];
    for (int i = 0; i < F::words(m); i++)
      for (int j = 0; j < F::words(m + 1); j++) {
        for (int r = 0; r < side; r++) tile[r] = side * j + r <= m ? A[side * j + r].w[i] : 0;
        transpose_tile(tile);
        for (int r = 0; r < side; r++) store64(row_[side * i + r] + 8 * j, tile[r]);
      }
    wipe(tile, sizeof tile);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
