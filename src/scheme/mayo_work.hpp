// SPDX-License-Identifier: Apache-2.0
// MAYO: the working memory of each operation, and the expanded keys.  Shapes are those of the specification.
#pragma once
#include "linalg/kernel_defaults.hpp"
#include "linalg/phases.hpp"
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

  // Key generation:
  //
  //     enter_secret    enter_pass
  //     O               T, P3
  struct KeypairMemory : Phases {
    struct Pass {
      typename K::template Products<o> T;
      PublicSums<P, K> P3;
    };

    Fmat<v, o> &enter_secret() {
      this->enter(secret, begun);
      return turns.O;
    }
    Pass &enter_pass() {  // O is in its factor
      this->enter(pass, secret);
      return turns.pass;
    }

   private:
    enum Phase { begun, secret, pass };
    union Turns {
      Fmat<v, o> O;
      Pass pass;
      Turns() {}
    } turns;
  };
  struct Keypair : Secret<KeypairMemory> {
    StreamedRows rows;
    Factor<v, o> factor_O;
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

  // A factor that is set when a pass begins, and products with it: what sets the factor is gone when the first row comes.
  template <int N, int C, int Parts, class Before> struct PassOf {
    typename K::template Factor<N, C> factor;
    union Turns {
      struct {
        Before before;
        typename K::template Factor<N, C>::template Columns<Parts> way;
      } set;
      typename K::template Products<C> W;
      Turns() {}
    } turns;
  };
  struct Nothing {};

  // Signing:
  //
  //     enter_secret    enter_pass    enter_whipping    enter_forms    enter_system
  //     O               factor, W     WhippingSum       M              M, column
  //                     sums          sums              sums           solver
  //
  // The sums begin behind all others of their phases; the solver begins behind `column`, and overlaps them all but M.
  using Linear = Mvector<P>[k][o];  // M_0 .. M_(k-1), each o m-vectors
  template <int Columns, class PassSums> struct SignMemory : Phases {
    struct Pass {
      typename K::template Factor<v, Columns> &factor;
      typename K::template Products<Columns> &W;
      PassSums &sums;
    };
    struct System {
      Linear M;
      WhippingColumn<P> column;
      typename K::Solver solver;
    };

    Fmat<v, o> &enter_secret() {
      this->enter(secret, begun);
      return turns.before.turns.O;
    }
    // The factor's columns: the rows of some matrices, one after the other.
    template <class... Parts> Pass enter_pass(const Parts &...parts) {
      this->enter(pass, begun, secret, system);
      auto &[factor, of_factor] = turns.before.turns.pass;
      factor.set_columns(of_factor.set.way, parts...);
      this->give_way();
      return {factor, of_factor.W, turns.before.sums};
    }
    WhippingSum<P> &enter_whipping() {
      this->enter(whipping, pass);
      return turns.before.turns.whipping;
    }
    Linear &enter_forms() {
      this->enter(forms, whipping);
      return turns.before.turns.M;
    }
    System &enter_system() {
      this->enter(system, forms);
      return turns.system;
    }

   private:
    enum Phase { begun, secret, pass, whipping, forms, system };
    union BeforeSums {
      Fmat<v, o> O;
      PassOf<v, Columns, Columns == k ? 1 : 2, Nothing> pass;
      WhippingSum<P> whipping;
      Linear M;
      BeforeSums() {}
    };
    struct BeforeSystem {
      BeforeSums turns;
      PassSums sums;
    };
    union Turns {
      BeforeSystem before;
      System system;
      Turns() {}
    } turns;
    static_assert(offsetof(BeforeSystem, sums) >= sizeof(Linear), "M is made from the sums");
    static_assert(offsetof(BeforeSystem, turns) == 0 && offsetof(System, M) == 0, "M stays where it is");
    static_assert(offsetof(System, solver) >= sizeof(Linear) + sizeof(WhippingColumn<P>), "A is made from M, by way of the column");
  };
  // What the pass over the rows adds up to; M and y are made from these.
  struct Forms {
    typename K::template Sums<k, k + o> UM;  // U | V (P1 O + P2)
    typename K::template Sums<o, k, k> N;
  };
  struct ExpandedForms {
    typename K::template Sums<k, k> U;
    typename K::template Sums<k, o> VL;
    typename K::template Sums<o, 1> N;
  };
  template <class Source, int Columns, class PassSums> struct SignBase : Secret<SignMemory<Columns, PassSums>> {
    Source rows;
    LinearTerm<P, typename K::Aes, block> lambda;
    Strip l[block];  // lambda's entries for the current rows
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

  // Verification, of which nothing is secret:
  //
  //     enter_signature    enter_pass    enter_whipping
  //     S                  factor, W     WhippingSum
  struct VerifyMemory : Phases {
    struct Pass {
      typename K::template Factor<n, k> &factor_S;
      typename K::template Products<k> &W;
    };

    Fmat<k, n> &enter_signature() {
      this->enter(signature, begun);
      return turns.pass.turns.set.before;
    }
    Pass enter_pass() {
      this->enter(pass, signature);
      auto &[factor, of_factor] = turns.pass;
      factor.set_columns(of_factor.set.way, of_factor.set.before);  // S^T
      this->give_way();
      return {factor, of_factor.W};
    }
    WhippingSum<P> &enter_whipping() {
      this->enter(whipping, pass);
      return turns.whipping;
    }

   private:
    enum Phase { begun, signature, pass, whipping };
    union Turns {
      PassOf<n, k, 1, Fmat<k, n>> pass;
      WhippingSum<P> whipping;
      Turns() {}
    } turns;
  };
  template <class Source> struct VerifyBase : VerifyMemory {
    Source rows;
    OilRows<P, block> oil_rows;
    LinearTerm<P, typename K::Aes, block> lambda;
    Strip l[block];
    Target<P> target;
    typename K::template Sums<k, k> U;
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
// M_i = entries (i, first ..) of `rows` + column i of `transposed`, which may have fewer columns than there are M_i.
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
