// SPDX-License-Identifier: Apache-2.0
// [ours] MAYO: the working memory of each operation, and the expanded keys.  Shapes are those of the specification.
#pragma once
#include "linalg/kernel_defaults.hpp"
#include "linalg/overlay.hpp"
#include "scheme/mayo_encoding.hpp"
#include "scheme/mayo_whipping.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Expanded keys, nibble-sliced whatever the encoding of the compact ones.  They depend on the set alone: a key made by one backend serves
// every other (api.cpp relies on it when it steps down to a backend that needs less memory).
template <class P> struct MayoSigningKey {
  uint8_t seed_sk[P::sk_seed_bytes];
  Fmat<P::v, P::o> O;
  uint8_t P1[P::P1_bytes + slack], L[P::P2_bytes + slack];
};
template <class P> struct MayoVerifyingKey {
  uint8_t P1[P::P1_bytes + slack], P2[P::P2_bytes + slack], P3[P::P3_bytes + slack];
};

// Kernels: those of a backend, complete.
template <class P, class Kernels> struct MayoWork {
  using K = WithDefaults<P, Kernels>;
  static constexpr int n = P::n, o = P::o, k = P::k, v = P::v, block = K::block;
  template <int N, int C> using Factor = Secret<typename K::template Factor<N, C>>;
  template <int C> using Products = Secret<typename K::template Products<C>>;
  template <int R, int C, int First = 0> using Sums = Secret<typename K::template Sums<R, C, First>>;
  using Rows = aioli::Rows<block>;
  using StreamedRows = aioli::StreamedRows<P, typename K::Aes, block>;
  using StoredRows = aioli::StoredRows<P, block>;

  using SigningKey = MayoSigningKey<P>;
  using VerifyingKey = MayoVerifyingKey<P>;

  struct Keypair {
    StreamedRows rows;
    Factor<v, o> factor_O;
    // O is in its factor when the first row comes.
    struct Pass {
      typename K::template Products<o> T;
      Second<PublicSums<P, K>> P3;
    };
    Secret<Overlay<Fmat<v, o>, Pass>> turns;
    Fmat<v, o> &O = turns.first;
    typename K::template Products<o> &T = turns.second.T;
    Second<PublicSums<P, K>> &P3 = turns.second.P3;
  };
  struct ExpandSecret {
    uint8_t seed_pk[P::pk_seed_bytes];
    StreamedRows rows;
    Factor<v, o> factor_O;
    Products<o> T;
    Sums<o, v> L_transposed;
  };
  struct ExpandPublic {
    StreamedRows rows;
  };

  struct Linear {  // M_0 .. M_(k-1), each o m-vectors
    Mvector<P> e[k][o];
    WhippingColumn<P> column;
  };
  struct System {
    Linear M;
    typename K::Solver solver;
  };
  template <int Columns> struct Pass {
    typename K::template Factor<v, Columns> factor;
    typename K::template Products<Columns> W;
  };
  // What the pass over the rows adds up to; M and y are made from these.
  struct Forms {
    typename K::template Sums<k, k + o> VW;  // V P1 V^T | V (P1 O + P2)
    typename K::template Sums<o, k, k> OW;   // O^T P1 V^T
  };
  struct ExpandedForms {
    typename K::template Sums<k, k> VPV;
    typename K::template Sums<k, o> VL;
    typename K::template Sums<o, 1> O_lambda;
  };
  // What only the pass needs takes turns with M, and the sums that it leaves with the solver.
  template <int Columns, class PassSums> struct BeforeSystem {
    Overlay<Pass<Columns>, Overlay<WhippingSum<P>, Linear>> turns;  // as large as M at least: M is made from the sums
    PassSums sums;
  };
  template <class Source, int Columns, class PassSums> struct SignBase {
    Source rows;
    LinearTerm<P, typename K::Aes, block> lambda;
    Strip lambda_row[block];  // lambda's entries for the current rows
    Target<P> target;
    Secret<Fmat<o, v>> O_transposed;
    Secret<Fmat<k, v>> V;
    Secret<Mvector<P>> y;
    Secret<Overlay<BeforeSystem<Columns, PassSums>, System>> turns;
    Pass<Columns> &pass() {
      turns.turn();
      return turns.first.turns.first;
    }
    WhippingSum<P> &whipping() {
      turns.turn();
      return turns.first.turns.second.first;
    }
    System &system() {
      turns.turn();
      return turns.second;
    }
    PassSums &sums() { return turns.first.sums; }
    Secret<Fmat<k, o>> X, r;
  };
  struct Sign : SignBase<StreamedRows, k + o, Forms> {
    Secret<Fmat<v, o>> O;
    Secret<typename K::template Factor<v, k + o>::Columns> columns;
    void set(typename K::template Factor<v, k + o> &factor) {  // to (V^T | O)
      factor.set_columns(columns, this->V, this->O_transposed);
    }
    decltype(Forms::VW) &VW = this->sums().VW;
    decltype(Forms::OW) &OW = this->sums().OW;
  };
  struct SignExpanded : SignBase<StoredRows, k, ExpandedForms> {
    Factor<v, o> factor_O;
    Secret<typename K::template Factor<v, k>::Columns> columns;
    void set(typename K::template Factor<v, k> &factor) { factor.set_columns(columns, this->V); }
    decltype(ExpandedForms::VPV) &VPV = this->sums().VPV;
    decltype(ExpandedForms::VL) &VL = this->sums().VL;
    decltype(ExpandedForms::O_lambda) &O_lambda = this->sums().O_lambda;
  };

  template <class Source> struct VerifyBase {  // nothing here is secret
    Source rows;
    OilRows<P, block> oil_rows;
    LinearTerm<P, typename K::Aes, block> lambda;
    Strip lambda_row[block];
    Target<P> target;
    Fmat<k, n> S;
    typename K::template Factor<n, k>::Columns columns;
    struct Pass {
      typename K::template Factor<n, k> factor_S;
      typename K::template Products<k> W;
    };
    Overlay<Pass, WhippingSum<P>> turns;
    typename K::template Factor<n, k> &factor_S = turns.first.factor_S;
    typename K::template Products<k> &W = turns.first.W;
    void set(typename K::template Factor<n, k> &factor) {  // to S^T; the first use of its place
      turns.turn();
      factor.set_columns(columns, S);
    }
    WhippingSum<P> &whipping() {
      turns.turn();
      return turns.second;
    }
    typename K::template Sums<k, k> SPS;
    Mvector<P> y;
  };
  struct Verify : VerifyBase<StreamedRows> {
    uint8_t P3[P::P3_bytes + slack];
  };
  struct VerifyExpanded : VerifyBase<StoredRows> {};
};

// to += entry (i, j) of sums
template <class P, class Sums> void add(Mvector<P> &to, const Sums &sums, int i, int j) {
  Secret<Mvector<P>> a;
  sums.get(a, i, j);
  to += a;
}
// [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7, lines 21-35: M_i = v_i^T L.  Model: sign.linear_system.
// M_i = entries (i, first ..) of `rows` + column i of `transposed`, which may have fewer columns than there are M_i.
template <class P, class Linear, class Rows, class Transposed>
void linear_forms(Linear &M, const Rows &rows, int first, const Transposed &transposed) {
  for (int i = 0; i < P::k; i++)
    for (int c = 0; c < P::o; c++) {
      rows.get(M.e[i][c], i, first + c);
      if (i < Transposed::columns) add<P>(M.e[i][c], transposed, c, i);
    }
}

}  // namespace AIOLI_ISA
}  // namespace aioli
