// SPDX-License-Identifier: Apache-2.0
// [MAYO-armv7m] KeyGen and Sign and Verify.  Model: armv7m.keypair, armv7m.sign, armv7m.verify.
// The ARMv7-M variant of MAYO: the working memory of each operation.
#pragma once
#include "linalg/kernel_defaults.hpp"
#include "linalg/phases.hpp"
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

// Kernels: those of a backend.  Once: the kernels for factors that meet one matrix E_ij and no more, so that large tables would
// not pay.  Solver: the interface of ColumnSolver<P, 1, m>.
template <class P, class Kernels, class Once, class Solver> struct Work {
  using K = WithDefaults<P, Kernels>;
  static constexpr int n = P::n, m = P::m, o = P::o, k = P::k, v = P::v, block = K::block;
  template <int N, int C> using Factor = typename K::template Factor<N, C>;
  template <int C> using Products = typename K::template Products<C>;
  template <int R, int C> using Accumulators = typename K::template Accumulators<R, C>;
  using Rows = aioli::Rows<block>;

  struct Keypair {
    ShakeStream seeds, stream;
    Secret<Fmat<o, v>> O;
    Secret<Fmat<v, o>> O_transposed;
    TriangularRows<P, block, 0, n, v> rows;
    Secret<Factor<v, o>> factor_O;
    Secret<Products<o>> T;
    Secret<typename K::template UpperAccumulators<o>> D;
    Secret<Accumulators<o, v>> Bil_transposed;
  };

  // Signing, again for each attempt.  What stands below one another is there at the same time:
  //
  //     enter_pass    enter_whipping            enter_system
  //     V, W          Y                         Y
  //                   X, X_transposed, ..       solver
  class SignMemory : Phases {
   public:
    struct Pass {
      Factor<v, k> V;
      Products<k> W;
    };
    // Y_i = (block i of the columns | its part of the constants)
    using Blocks = typename Once::template Products<o + 1>[k];
    // X_i = (v_i Bil | 0), X_j = (v_j Bil | u_ij)
    struct Whip {
      Fmat<o + 1, m> X_transposed;
      Fmat<m, o + 1> X;
      typename Once::template Factor<m, o + 1> X_i, X_j;
    };
    struct Whipping {
      Blocks &Y;
      Whip &whip;
    };
    struct System {
      Blocks &Y;
      Solver &solver;
    };

    Pass &enter_pass() {
      enter(pass, begun, system);
      return turns.pass;
    }
    Whipping enter_whipping() {
      enter(whipping, pass);
      return {turns.behind.Y, turns.behind.turns.whip};
    }
    System enter_system() {
      enter(system, whipping);
      return {turns.behind.Y, turns.behind.turns.solver};
    }

   private:
    enum Phase { begun, pass, whipping, system };
    union BesideY {
      Whip whip;
      Solver solver;
      BesideY() {}
    };
    struct BehindPass {
      Blocks Y;
      BesideY turns;
    };
    union Turns {
      Pass pass;
      BehindPass behind;
      Turns() {}
    } turns;
  };
  struct Sign : Secret<SignMemory> {
    SecretKeyRows<P, block> rows;
    WhippingMatrices<P> matrices;
    Target<P> target;
    ColumnChoice<P> choice;
    uint8_t used[m];
    Secret<Fmat<o, v>> O;
    Secret<Fmat<k, v>> V;
    Secret<Fmat<v, k>> V_transposed;
    Secret<Accumulators<k, k>> U;
    Secret<Accumulators<k, o>> VBil;
    Secret<Mvector<P>> y;
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
    Accumulators<k, k> U;
    Buckets<P> whipped;
    Mvector<P> y, t;
  };
};

}  // namespace armv7m
}  // namespace AIOLI_ISA
}  // namespace aioli
