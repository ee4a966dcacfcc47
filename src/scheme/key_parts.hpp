// SPDX-License-Identifier: Apache-2.0
// The parts of keys that are matrices of m-vectors, written row after row.  Schemes share them.
#pragma once
#include "linalg/kernels.hpp"
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// [MAYO-r3] Upper and EncodeMatrices of P3, [UOV-r3] Upper.  Model: keygen.fold_upper, encoding.encode_upper, uov._fold.
// Upper(P3): entry (a, b) + (b, a) for a < b, (a, a) on the diagonal; row after row.
template <class P, class Sums> void encode_upper(uint8_t *out, const Sums &P3) {
  for (int a = 0; a < P::o; a++)
    for (int b = a; b < P::o; b++, out += P::m_bytes) {
      Secret<Mvector<P>> x;
      get_upper<P>(x, P3, a, b);
      reveal(x);  // P3 is the second part of the public key
      x.store(out);
      if constexpr (P::slicing == Slicing::bits) nibbles_to_planes<P>(out);
    }
}

// [ours] P3 = Upper(U) where a public key has it; U is o x o sums.  Both calls get the same `out`, the place of P3.
template <class P, class K> struct PublicSums : K::template Sums<P::o, P::o> {
  void start(uint8_t *) { this->zero(); }
  void finish(uint8_t *out) const { encode_upper<P>(out, *this); }
};
// [ours] Backends that save the memory of U gather Upper(U) in place.
template <class P, class K>
  requires requires { typename K::template UpperSums<P::o>; }
struct PublicSums<P, K> : K::template UpperSums<P::o> {
  void finish(uint8_t *P3) const {
    reveal_bytes(P3, P::P3_bytes);  // P3 is the second part of the public key
    if constexpr (P::slicing == Slicing::bits)
      for (int i = 0; i < P::P3_bytes; i += P::m_bytes) nibbles_to_planes<P>(P3 + i);
  }
};

// [ours] Rows to their place in a stored P1, or P2.
template <class P, int Block> void store_rows(uint8_t *P1, const Strip (&strips)[Block]) {
  for (const Strip &s : strips) copy(P1 + RowLayout<P>::P1_offset(s.first), s.entries, size_t(s.count) * P::m_bytes);
}
// [ours]
template <class P, int Block> void store_rows(uint8_t *P2, const Strip (&strips)[Block], int index) {
  for (int b = 0; b < Block; b++)
    copy(P2 + (index + b) * P::o * P::m_bytes, strips[b].entries, size_t(strips[b].count) * P::m_bytes);
}

// [ours] L, or UOV's S, row after row, from its transpose.
template <class P, class Sums> void store_transposed(uint8_t *L, const Sums &L_transposed) {
  Secret<Mvector<P>> a;
  for (int r = 0; r < P::v; r++)
    for (int c = 0; c < P::o; c++, L += P::m_bytes) L_transposed.get(a, c, r), a.store(L);
}

// [ours] A v x o matrix of m-vectors in a secret key, gathered as its transpose.  Both calls get the same `out`, its place in the key.
template <class P, class K> struct TransposedInKey : K::template Sums<P::o, P::v> {
  void start(uint8_t *) { this->zero(); }
  void finish(uint8_t *out) const { store_transposed<P>(out, *this); }
};
// [ours] Backends that save the memory of these sums gather them in place.
template <class P, class K>
  requires requires { typename K::template TransposedSums<P::o, P::v>; }
struct TransposedInKey<P, K> : K::template TransposedSums<P::o, P::v> {
  void finish(uint8_t *) { K::template TransposedSums<P::o, P::v>::finish(); }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
