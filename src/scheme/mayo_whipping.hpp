// SPDX-License-Identifier: Apache-2.0
// MAYO: whipping.  The pair i <= j is multiplied by z^e(i,j) in F[z]/f(z).  The specification writes E for the matrix of
// multiplication by z.
#pragma once
#include "linalg/kernels.hpp"
#include "linalg/mvector.hpp"
#include "scheme/mayo_params.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P> using Whipped = Wide<P, P::pairs>;

// Memory for the sum of z^e u_e over all exponents.
template <class P> using WhippingSum = PowerSum<P, P::pairs>;

// [MAYO-r3] MAYO.Verify, [MAYO-r2] Algorithm 8, lines 20-26, [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7, lines 21-35: y.
// Model: whipping.whip_pairs.
// y = sum over i <= j of z^e(i,j) u_ij, where u_ii = U_ii and u_ij = U_ij + U_ji; U is k x k.
template <class P, class Accumulators, class Sum> void whip(Mvector<P> &y, const Accumulators &U, Sum &sum) {
  constexpr auto whipping = P::whipping();
  sum.start();
  for (int i = 0; i < P::k; i++)
    for (int j = i; j < P::k; j++) sum.add(whipping.exponent[i][j], [&](Mvector<P> &u) { U.get_upper(u, i, j); });
  sum.finish(y);
}

template <class P, int Lanes = at_once> using WhippingColumn = Shiftable<P, P::k, P::pairs, Lanes>;

// [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7, lines 21-35: A.  Model: whipping.whip_row.
// Block i of A, o columns, is the sum over all j of z^e(i,j) M_j: of each pair i <= j the specification adds M_j to block i and,
// if i < j, M_i to block j.  M_j is o m-vectors.  `column` is scratch memory: it holds some columns of all M_j at once.
template <class P, int Lanes>
void whip_columns(Mvector<P> *A, const Mvector<P> (&M)[P::k][P::o], Shiftable<P, P::k, P::pairs, Lanes> &column) {
  static constexpr struct Schedule {
    typename WhippingColumn<P, Lanes>::Shifts row[P::k];
    consteval Schedule() {
      constexpr auto whipping = P::whipping();
      for (int i = 0; i < P::k; i++) row[i] = typename WhippingColumn<P, Lanes>::Shifts(whipping.exponent[i]);
    }
  } schedule;
  Secret<Wide<P, P::pairs, Lanes>> sum;
  for (int c = 0; c < P::o; c += Lanes) {
    const int count = P::o - c < Lanes ? P::o - c : Lanes;
    for (int j = 0; j < P::k; j++) column.set(j, M[j] + c, count);
    for (int i = 0; i < P::k; i++) {
      sum.set(column, schedule.row[i]);
      sum.reduce(A + i * P::o + c, count);
    }
  }
}

}  // namespace AIOLI_ISA
}  // namespace aioli
