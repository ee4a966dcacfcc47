// SPDX-License-Identifier: Apache-2.0
// [ours] MAYO: which phases each operation goes through, and what shares memory.  In the pictures, what stands below one another
// is there at the same time, and what stands beside one another in a line shares a place.  K: kernels with their defaults.
#pragma once
#include "linalg/kernel_defaults.hpp"
#include "linalg/phases.hpp"
#include "scheme/key_parts.hpp"
#include "scheme/mayo_whipping.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// A factor that is set when a pass begins, and products with it; W has the place of what sets the factor.
template <class P, class K, int N, int C, int Parts, class Given> struct MayoPass {
  typename K::template Factor<N, C> factor;
  union Turns {
    struct {
      Given given;
      typename K::template Factor<N, C>::template Columns<Parts> way;
    } columns;
    typename K::template Products<C> W;
    Turns() {}
  } turns;
};

// Key generation:
//
//     enter_secret    enter_pass
//     O               T, P3
template <class P, class K> class MayoKeypairMemory : Phases {
 public:
  using O = Fmat<P::v, P::o>;
  struct Pass {
    typename K::template Products<P::o> T;
    PublicAccumulators<P, K> P3;
  };

  O &enter_secret() {
    enter(secret, begun);
    return turns.O_;
  }
  Pass &enter_pass() {  // O is in its factor
    enter(pass, secret);
    return turns.pass;
  }

 private:
  enum Phase { begun, secret, pass };
  union Turns {
    O O_;
    Pass pass;
    Turns() {}
  } turns;
};

// Signing, all of it again for each attempt but the first phase, which there is with compact keys:
//
//     enter_secret    enter_pass    enter_whipping    enter_forms    enter_system
//     O               factor, W     WhippingSum       M              M, column
//                     sums          sums              sums           solver
//
// The sums begin where the longest of O .. M ends.  The solver begins behind `column`, on top of all others but M.
template <class P, class K, int Columns, class PassAccumulators> class MayoSignMemory : Phases {
 public:
  using O = Fmat<P::v, P::o>;
  using Forms = Mvector<P>[P::k][P::o];  // M_0 .. M_(k-1), each o m-vectors
  struct Pass {
    typename K::template Factor<P::v, Columns> &factor;
    typename K::template Products<Columns> &W;
    PassAccumulators &sums;
  };
  struct System {
    Forms M;
    WhippingColumn<P> column;
    typename K::Solver solver;
  };

  O &enter_secret() {
    enter(secret, begun);
    return turns.before.turns.O_;
  }
  // The factor's columns: the rows of some matrices, one after the other.
  template <class... Parts> Pass enter_pass(const Parts &...parts) {
    enter(pass, begun, secret, system);
    auto &[factor, of_pass] = turns.before.turns.pass;
    factor.set_columns(of_pass.columns.way, parts...);
    give_way();
    return {factor, of_pass.W, turns.before.sums};
  }
  WhippingSum<P> &enter_whipping() {
    enter(whipping, pass);
    return turns.before.turns.whipping;
  }
  Forms &enter_forms() {
    enter(forms, whipping);
    return turns.before.turns.M;
  }
  System &enter_system() {
    enter(system, forms);
    return turns.system;
  }

 private:
  enum Phase { begun, secret, pass, whipping, forms, system };
  union BesideAccumulators {
    O O_;
    MayoPass<P, K, P::v, Columns, Columns == P::k ? 1 : 2, Nothing> pass;
    WhippingSum<P> whipping;
    Forms M;
    BesideAccumulators() {}
  };
  struct BeforeSystem {
    BesideAccumulators turns;
    PassAccumulators sums;
  };
  union Turns {
    BeforeSystem before;
    System system;
    Turns() {}
  } turns;
  static_assert(offsetof(BeforeSystem, turns) == 0 && offsetof(System, M) == 0, "M stays where it is");
  static_assert(offsetof(BeforeSystem, sums) >= sizeof(Forms), "M is made from the sums");
  static_assert(offsetof(System, column) >= sizeof(Forms) &&
                    offsetof(System, solver) >= offsetof(System, column) + sizeof(WhippingColumn<P>),
                "the solver's A is made from M by way of `column`");
};

// Verification, of which nothing is secret:
//
//     enter_signature    enter_pass    enter_whipping
//     S                  factor, W     WhippingSum
template <class P, class K> class MayoVerifyMemory : Phases {
 public:
  using S = Fmat<P::k, P::n>;
  struct Pass {
    typename K::template Factor<P::n, P::k> &factor_S;
    typename K::template Products<P::k> &W;
  };

  S &enter_signature() {
    enter(signature, begun);
    return turns.pass.turns.columns.given;
  }
  Pass enter_pass() {
    enter(pass, signature);
    auto &[factor, of_pass] = turns.pass;
    factor.set_columns(of_pass.columns.way, of_pass.columns.given);
    give_way();
    return {factor, of_pass.W};
  }
  WhippingSum<P> &enter_whipping() {
    enter(whipping, pass);
    return turns.whipping;
  }

 private:
  enum Phase { begun, signature, pass, whipping };
  union Turns {
    MayoPass<P, K, P::n, P::k, 1, S> pass;
    WhippingSum<P> whipping;
    Turns() {}
  } turns;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
