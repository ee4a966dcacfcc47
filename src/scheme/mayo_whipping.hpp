// SPDX-License-Identifier: Apache-2.0
// MAYO: whipping.  The pair i <= j is multiplied by z^e(i,j) in F[z]/f(z) (specification, "E matrices").
#pragma once
#include "linalg/mvector.hpp"
#include "scheme/mayo_params.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P> using Whipped = Wide<P, P::pairs>;

// y = sum over i <= j of z^e(i,j) u_ij, where u_ii = U_ii and u_ij = U_ij + U_ji; U is k x k.
template <class P, class Sums> void whip(Mvector<P> &y, const Sums &U) {
  constexpr auto whipping = P::whipping();
  Secret<Whipped<P>> sum;
  Secret<Mvector<P>> u;
  sum.zero();
  for (int i = 0; i < P::k; i++)
    for (int j = 0; j < P::k; j++) {
      U.get(u, i, j);
      sum.add_shifted(u, whipping.exponent[i][j]);
    }
  sum.reduce(y);
}

// The columns of A: block i of o columns is the sum over j of z^e(i,j) M_j, M_j being o m-vectors.
template <class P> void whip_columns(Mvector<P> *A, const Mvector<P> (&M)[P::k][P::o]) {
  constexpr auto whipping = P::whipping();
  for (int i = 0; i < P::k; i++)
    for (int c = 0; c < P::o; c++) {
      Secret<Whipped<P>> sum;
      sum.zero();
      for (int j = 0; j < P::k; j++) sum.add_shifted(M[j][c], whipping.exponent[i][j]);
      sum.reduce(A[i * P::o + c]);
    }
}

}  // namespace aioli::inline AIOLI_ISA
