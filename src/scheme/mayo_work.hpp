// SPDX-License-Identifier: Apache-2.0
// [ours] MAYO: the working memory of each operation, and the expanded keys.  Shapes are those of the specification.
#pragma once
#include "scheme/mayo_encoding.hpp"
#include "scheme/mayo_phases.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Expanded keys, nibble-sliced whatever the encoding of the compact ones.  They depend on the set alone: a key made by one
// backend serves every other (api.cpp relies on it when it steps down to a backend that needs less memory).
template <class P> struct MayoSigningKey {
  uint8_t seed_sk[P::sk_seed_bytes];
  Fmat<P::v, P::o> O;
  alignas(64) uint8_t P1[P::P1_bytes + slack], L[P::P2_bytes + slack];
};
template <class P> struct MayoVerifyingKey {
  alignas(64) uint8_t P1[P::P1_bytes + slack], P2[P::P2_bytes + slack], P3[P::P3_bytes + slack];
};

// Kernels: those of a backend, complete.
template <class P, class Kernels> struct MayoWork {
  using K = WithDefaults<P, Kernels>;
  static constexpr int n = P::n, o = P::o, k = P::k, v = P::v, block = K::block;
  template <int N, int C> using Factor = Secret<typename K::template Factor<N, C>>;
  template <int C> using Products = Secret<typename K::template Products<C>>;
  template <int R, int C, int First = 0> using Accumulators = Secret<typename K::template Accumulators<R, C, First>>;
  using Rows = aioli::Rows<block>;
  using StreamedRows = aioli::StreamedRows<P, typename K::Aes, block>;
  using StoredRows = aioli::StoredRows<P, block>;
  using StreamToMemory = aioli::StreamToMemory<P, typename K::Aes>;

  using SigningKey = MayoSigningKey<P>;
  using VerifyingKey = MayoVerifyingKey<P>;

  struct Keypair : Secret<MayoKeypairMemory<P, K>> {
    StreamedRows rows;
    Factor<v, o> factor_O;
  };
  struct ExpandSecret {
    uint8_t seed_pk[P::pk_seed_bytes];
    StreamToMemory P1_P2;
    StoredRows rows;
    Factor<v, o> factor_O;
    Products<o> T;
    typename K::template TransposedSums<o> transposed;
    RowOfL<P> L_row;
  };
  struct ExpandPublic {
    StreamToMemory P1_P2;
  };

  // What the pass over the rows adds up to; M and y are made from these.
  struct Forms {
    typename K::template Accumulators<k, k + o> VW;  // V P1 V^T | V (P1 O + P2)
    typename K::template Accumulators<o, k, k> OW;   // O^T P1 V^T
  };
  struct ExpandedForms {
    typename K::template Accumulators<k, k> VPV;
    typename K::template Accumulators<k, o> VL;
    typename K::template Accumulators<o, 1> O_lambda;
  };
  template <class Source, int Columns, class PassAccumulators>
  struct SignBase : Secret<MayoSignMemory<P, K, Columns, PassAccumulators>> {
    Source rows;
    LinearTerm<P, typename K::Aes, block> lambda;
    RowSegment lambda_row[block];  // lambda's entries for the current rows
    Target<P> target;
    Secret<Fmat<o, v>> O_transposed;
    Secret<Fmat<k, v>> V;
    Secret<Mvector<P>> y;
    Secret<Fmat<k, o>> X, r;
  };
  struct Sign : SignBase<StreamedRows, k + o, Forms> {};
  struct SignExpanded : SignBase<StoredRows, k, ExpandedForms> {
    Factor<v, o> factor_O;
  };

  template <class Source> struct VerifyBase : MayoVerifyMemory<P, K> {  // nothing here is secret
    Source rows;
    OilRows<P, block> oil_rows;
    LinearTerm<P, typename K::Aes, block> lambda;
    RowSegment lambda_row[block];
    Target<P> target;
    typename K::template Accumulators<k, k> SPS;
    Mvector<P> y;
  };
  struct Verify : VerifyBase<StreamedRows> {
    uint8_t P3[P::P3_bytes + slack];
  };
  struct VerifyExpanded : VerifyBase<StoredRows> {};
};

// to += entry (i, j) of sums
template <class P, class Accumulators> void add(Mvector<P> &to, const Accumulators &sums, int i, int j) {
  Secret<Mvector<P>> a;
  sums.get(a, i, j);
  to += a;
}
// [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7, lines 21-35: M_i = v_i^T L.  Model: sign.linear_system.
// M_i = entries (i, first ..) of the sums `rows` + column i of the sums `transposed`, which may have fewer columns than there are
// M_i.  With L in memory `transposed` is O^T lambda, one column, for M_0.
template <class P, class Rows, class Transposed>
void linear_forms(Mvector<P> (&M)[P::k][P::o], const Rows &rows, int first, const Transposed &transposed) {
  for (int i = 0; i < P::k; i++)
    for (int c = 0; c < P::o; c++) {
      rows.get(M[i][c], i, first + c);
      if (i < Transposed::columns) add<P>(M[i][c], transposed, c, i);
    }
}

}  // namespace AIOLI_ISA
}  // namespace aioli
