// SPDX-License-Identifier: Apache-2.0
// [ours] UOV: the working memory of each operation, and where the parts of keys lie.  Shapes are those of the specification.
#pragma once
#include "linalg/kernel_defaults.hpp"
#include "linalg/phases.hpp"
#include "scheme/uov_encoding.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// The parts of an expanded public key, epk, and of an expanded secret key, esk, in memory.
template <class P, class Byte> struct UovPublicParts {
  Byte *P1, *P2, *P3;
  explicit UovPublicParts(Byte *epk) : P1(epk), P2(P1 + P::P1_bytes), P3(P2 + P::P2_bytes) {}
};
template <class P, class Byte> struct UovSecretParts {
  Byte *sk_seed, *O, *P1, *S;
  explicit UovSecretParts(Byte *esk) : sk_seed(esk), O(esk + P::sk_seed_bytes), P1(O + P::O_bytes), S(P1 + P::P1_bytes) {}
};

// Kernels: those of a backend, complete.
template <class P, class Kernels> struct UovWork {
  using K = WithDefaults<P, Kernels>;
  static constexpr int n = P::n, o = P::o, v = P::v, block = K::block;
  using F = typename P::Field;
  template <int R, int C> using Matrix = Fmat<R, C, F>;
  template <int N, int C> using Factor = Secret<typename K::template Factor<N, C>>;
  template <int N, int C> using Scalars = Secret<typename K::template Scalars<N, C>>;
  template <int C> using Products = Secret<typename K::template Products<C>>;
  template <int R, int C, int First = 0> using Accumulators = Secret<typename K::template Accumulators<R, C, First>>;
  template <int N> using Values = Secret<typename K::template Values<N>>;
  using Rows = aioli::Rows<block>;
  using StreamedRows = aioli::StreamedRows<P, typename K::Aes, block>;
  using StoredRows = typename K::template AnyOrder<aioli::ExactStoredRows<P, block>>;

  // Keys in memory of the caller, or in objects: they depend on the set alone.
  struct SigningKey {
    uint8_t esk[P::esk_bytes];
  };
  struct VerifyingKey {
    uint8_t epk[P::epk_bytes];
  };

  // Key generation:
  //
  //     enter_secret    enter_pass
  //     O               sums
  template <class PassAccumulators> struct GenerateMemory : Phases {
    Matrix<v, o> &enter_secret() {
      this->enter(secret, begun);
      return turns.O;
    }
    PassAccumulators &enter_pass() {  // O is in its factor
      this->enter(pass, secret);
      return turns.sums;
    }

   private:
    enum Phase { begun, secret, pass };
    union Turns {
      Matrix<v, o> O;
      PassAccumulators sums;
      Turns() {}
    } turns;
  };
  template <class PassAccumulators> struct Generate : Secret<GenerateMemory<PassAccumulators>> {
    static constexpr bool expanded = PassAccumulators::expanded;  // whether S is wanted, too
    uint8_t seed_pk[P::pk_seed_bytes];
    StreamedRows rows;
    Factor<v, o> factor_O;
    Products<o> T;
    Secret<Matrix<o, v>> O_transposed;
  };
  struct CompactAccumulators {
    static constexpr bool expanded = false;
    PublicAccumulators<P, K> P3;
  };
  struct ExpandedAccumulators : CompactAccumulators {
    static constexpr bool expanded = true;
    typename K::template TransposedAccumulators<o, v> S_transposed;
  };
  using KeypairCompact = Generate<CompactAccumulators>;
  using KeypairExpanded = Generate<ExpandedAccumulators>;

  template <class Source> struct SignBase {
    Secret<Source> rows;  // of esk it holds the last row of S
    Mvector<P> t;
    Secret<Matrix<o, v>> O_transposed;
    Secret<Matrix<v, o>> O;
    Secret<Matrix<1, v>> vinegar;
    Secret<Matrix<v, 1>> vinegar_transposed;
    Secret<Matrix<1, o>> x, no_free_columns;
    Secret<Mvector<P>> y;
    Factor<v, 1> factor_v;
    Accumulators<1, o> L;
    Secret<typename K::Solver> solver;
  };
  struct SignExpanded : SignBase<StoredRows> {
    Values<v> u;
  };
  struct SignCompact : SignBase<StreamedRows> {
    Products<1> W;
    Accumulators<1, 1> u;
    Scalars<v, o> scalars_O;
    Accumulators<1, v> Pv;
    Accumulators<o, 1> OPv;
  };

  template <class Source> struct VerifyBase {  // nothing here is secret
    Source rows;                               // all n
    Mvector<P> t, y;
    Matrix<1, n> s;
    typename K::template Evaluation<n> value;
  };
  using OilRows = ExactOilRows<P, block>;
  struct VerifyExpanded : VerifyBase<typename K::template AnyOrder<JoinedRows<aioli::StoredRows<P, block>, OilRows>>> {};
  struct VerifyCompact : VerifyBase<JoinedRows<StreamedRows, OilRows>> {};

  // A key in memory.  `salt`: what is random here and PUBLIC, a part of the signature.
  template <class Rows> static void begin_anywhere(Rows &rows, const uint8_t *salt) {
    uint32_t choice = load32(salt);
    K::begin_anywhere(rows, reveal(choice));  // the salt is part of the signature
  }

  struct ExpandPublic {
    aioli::StreamToMemory<P, typename K::Aes> P1_P2;
  };
};

}  // namespace AIOLI_ISA
}  // namespace aioli
