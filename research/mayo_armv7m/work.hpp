// SPDX-License-Identifier: Apache-2.0
// [MAYO-armv7m] KeyGen and Sign and Verify.  Model: armv7m.keypair, armv7m.sign, armv7m.verify.
// The ARMv7-M variant of MAYO: the working memory of each operation.
#pragma once
#include "linalg/kernel_defaults.hpp"
#include "linalg/overlay.hpp"
#include "linalg/solver.hpp"
#include "mayo_armv7m/buckets.hpp"
#include "mayo_armv7m/encoding.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace armv7m {

// A square system: m of the k o columns.
template <class P> using SquareSolver = ColumnSolver<P, 1, P::m>;

template <class P> void set_row(auto &to, int r, const Mvector<P> &a) {
  for (int i = 0; i < Mvector<P>::words; i++) to.w[r][i] = a.w[i];
}

// Kernels: those of a backend.  Once: the kernels for factors that meet one matrix E_ij and no more, so that large tables would not pay.
// Solver: the interface of ColumnSolver<P, 1, m>.
template <class P, class Kernels, class Once, class Solver> struct Work {
  using K = WithDefaults<P, Kernels>;
  static constexpr int n = P::n, m = P::m, o = P::o, k = P::k, v = P::v, block = K::block;
  template <int N, int C> using Factor = typename K::template Factor<N, C>;
  template <int C> using Products = typename K::template Products<C>;
  template <int R, int C> using Sums = typename K::template Sums<R, C>;
  using Rows = aioli::Rows<block>;

  struct Keypair {
    ShakeStream seeds, stream;
    Secret<Fmat<o, v>> O;
    Secret<Fmat<v, o>> O_transposed;
    TriangularRows<P, block, 0, n, v> rows;
    Secret<Factor<v, o>> factor_O;
    Secret<Products<o>> T;
    Secret<typename K::template UpperSums<o>> D;
    Secret<Sums<o, v>> Bil_transposed;
  };

  // What only the pass over the rows needs, and what is needed only after it, take turns in one place; in the same way what whips, and
  // what solves.
  struct Pass {
    Factor<v, k> V;
    Products<k> W;
  };
  // X_i = (v_i Bil | 0), X_j = (v_j Bil | u_ij)
  struct Whip {
    Fmat<o + 1, m> X_transposed;
    Fmat<m, o + 1> X;
    typename Once::template Factor<m, o + 1> X_i, X_j;
  };
  // Y_i = (block i of the columns | its part of the constants)
  struct System {
    typename Once::template Products<o + 1> Y[k];
    Overlay<Whip, Solver> turns;
    Whip &whip() {
      turns.turn();
      return turns.first;
    }
    Solver &solver() {
      turns.turn();
      return turns.second;
    }
  };
  struct Sign {
    SecretKeyRows<P, block> rows;
    WhippingMatrices<P> matrices;
    Target<P> target;
    ColumnChoice<P> choice;
    uint8_t used[m];
    Secret<Fmat<o, v>> O;
    Secret<Fmat<k, v>> V;
    Secret<Fmat<v, k>> V_transposed;
    Secret<Sums<k, k>> U;
    Secret<Sums<k, o>> VBil;
    Secret<Mvector<P>> y;
    Secret<Overlay<Pass, System>> turns;
    Pass &pass() {
      turns.turn();
      return turns.first;
    }
    System &system() {
      turns.turn();
      return turns.second;
    }
    Secret<Fmat<1, m>> x, x_free;
    Secret<Fmat<k, o>> X;
  };

  struct Verify {  // nothing here is secret
    TriangularRows<P, block, 0, n, v> rows;
    OilRows<P, block> oil_rows;
    uint8_t D[P::D_bytes + slack];
    WhippingMatrices<P> matrices;
    Target<P> target;
    Fmat<k, n> S;
    Fmat<n, k> S_transposed;
    Factor<n, k> factor_S;
    Products<k> W;
    Sums<k, k> U;
    Buckets<P> whipped;
    Mvector<P> y, t;
  };
};

}  // namespace armv7m
}  // namespace AIOLI_ISA
}  // namespace aioli
