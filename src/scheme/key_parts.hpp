// SPDX-License-Identifier: Apache-2.0
// The parts of keys that are matrices of m-vectors, written row after row.  Schemes share them.
#pragma once
#include "linalg/kernel_defaults.hpp"
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// [MAYO-r3] EncodeMatrices, [MAYO-r2] Algorithm 3, [UOV-r3] UOV.CompactKeyGen: P3.  Model: encoding.encode_upper,
// uov.Shape.encode_upper.  U, o x o sums, and P3 = Upper(U), written to its place in a public key: start and finish get that
// place.  K: kernels with their defaults.
template <class P, class K> struct PublicAccumulators : K::template UpperAccumulators<P::o> {
  void finish(uint8_t *P3) const {
    K::template UpperAccumulators<P::o>::finish(P3);
    reveal_bytes(P3, P::P3_bytes);  // P3 is the second part of the public key
    if constexpr (P::slicing == Slicing::bits)
      for (int i = 0; i < P::P3_bytes; i += P::m_bytes) nibbles_to_planes<P>(P3 + i);
  }
};

// [ours] Rows to their places in a stored P1.
template <class P, int Block> void store_rows(uint8_t *P1, const RowSegment (&segments)[Block]) {
  for (const RowSegment &s : segments) copy_long(P1 + RowLayout<P>::P1_offset(s.first), s.entries, size_t(s.count) * P::m_bytes);
}
// [ours] The same in a stored P2, rows `index` and on.
template <class P, int Block> void store_rows(uint8_t *P2, const RowSegment (&segments)[Block], int index) {
  for (int b = 0; b < Block; b++)
    copy_long(P2 + (index + b) * P::o * P::m_bytes, segments[b].entries, size_t(segments[b].count) * P::m_bytes);
}

template <class P> using RowOfL = Secret<Bytes<P::o * P::m_bytes + slack>>;

// [ours] Products to the rows of a stored L, by way of `row`: nothing is written behind them.
template <class P, class Products, class Rows>
void store_products(uint8_t *L, const Products &W, const Rows &rows, RowOfL<P> &row) {
  for (int b = 0; b < rows.count; b++) {
    W.get_row(row.b, b);
    copy_long(L + (rows.index + b) * P::o * P::m_bytes, row.b, P::o * P::m_bytes);
  }
}

}  // namespace AIOLI_ISA
}  // namespace aioli
