// SPDX-License-Identifier: Apache-2.0
// [ours] UOV: the working memory of each operation, and where the parts of keys lie.  Shapes are those of the specification.
#pragma once
#include "linalg/circular_rows.hpp"
#include "linalg/overlay.hpp"
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

// [UOV-r3] UOV.Verify, [UOV-r2] Figure 2: P(s).  Model: uov.verify.
// The map's value at a vector, both of them public, from rows that go by: u = sum of s_r s_c P[r][c].
template <class P, class K> struct UovEvaluation {
  Fmat<P::n, 1, typename P::Field> s_transposed;
  typename K::template Factor<P::n, 1> factor_s;
  typename ValuesOf<K, P::n>::Type u;

  void start(const Fmat<1, P::n, typename P::Field> &s) {
    transpose(s_transposed, s);
    factor_s.set(s_transposed);
    u.zero();
  }
  void add(const Rows<K::block> &r) { u.add(factor_s, r.index, r.P1, r.P2); }  // u += s[r] (P s)[r]
  void get(Mvector<P> &to) const { u.get(to, factor_s); }
};
// Backends may have a way of their own.
template <class P, class K>
  requires requires { typename K::template Evaluation<P::n>; }
struct UovEvaluation<P, K> : K::template Evaluation<P::n> {};

// Rows of a key in memory in the backend's order.
template <class K, class Source> struct CircularOf {
  using Type = Source;
};
template <class K, class Source>
  requires K::circular
struct CircularOf<K, Source> {
  using Type = CircularRows<Source>;
};

// What is optional in the contract (linalg/kernels.hpp), each by the backend's own way or by what every backend has.
namespace uov {
template <int Origin, class Sums, class Factor, int Block>
void add_public_outer(Sums &sums, const Factor &X, int index, const Strip (&strips)[Block]) {
  if constexpr (requires { sums.template add_public_outer<Origin>(X, index, strips); })
    sums.template add_public_outer<Origin>(X, index, strips);
  else
    sums.template add_outer<Origin>(X, index, strips);
}
// L += X[r] S[r] for a block of rows of S; by who adds up the whole matrix S at once, with the first block.
template <int Origin, class Sums, class Factor, int Block>
void add_row_forms(Sums &L, const Factor &X, int index, const Strip (&strips)[Block], const uint8_t *S) {
  if constexpr (requires { L.add_product(X, S); }) {
    if (index == 0) L.add_product(X, S);
  } else {
    L.template add_outer<Origin>(X, index, strips);
  }
}
// A key in memory: its rows from somewhere on and around, where the backend has them so.  `salt`: what is random here and PUBLIC, a part of the signature.
template <class Rows> void begin_anywhere(Rows &rows, const uint8_t *salt) {
  if constexpr (requires { rows.begin_at(0); }) {
    uint32_t choice = load32(salt);
    rows.begin_at(reveal(choice));  // the salt is part of the signature
  }
}
// NO += X^T N, N being v sums in one row.  W is used on the way.
template <int v, int block, class Sums, class Scalars, class Row, class Products>
void add_product(Sums &NO, const Scalars &X, const Row &N, Products &W) {
  if constexpr (requires { NO.add_product(X, N); }) {
    NO.add_product(X, N);
  } else {
    for (int r = 0; r < v; r += block) {
      W.take_transposed(N, r);
      NO.add_outer(X, r, W);
    }
  }
}
}  // namespace uov

template <class P, class K> struct UovWork {
  static constexpr int n = P::n, o = P::o, v = P::v, block = K::block;
  using F = typename P::Field;
  template <int R, int C> using Matrix = Fmat<R, C, F>;
  template <int N, int C> using Factor = Secret<typename K::template Factor<N, C>>;
  template <int N, int C> using Scalars = Secret<typename K::template Scalars<N, C>>;
  template <int C> using Products = Secret<typename K::template Products<C>>;
  template <int R, int C, int First = 0> using Sums = Secret<typename K::template Sums<R, C, First>>;
  template <int N> using Values = Secret<typename ValuesOf<K, N>::Type>;
  using Rows = aioli::Rows<block>;
  using StreamedRows = aioli::StreamedRows<P, typename K::Aes, block>;
  template <class Source> using FromAnywhere = typename CircularOf<K, Source>::Type;
  using StoredRows = FromAnywhere<aioli::ExactStoredRows<P, block>>;

  // Keys in memory of the caller, or in objects: they depend on the set alone.
  struct SigningKey {
    uint8_t esk[P::esk_bytes];
  };
  struct VerifyingKey {
    uint8_t epk[P::epk_bytes];
  };

  // O is in its factor when the first row comes.
  template <class PassSums> struct Generate {
    uint8_t seed_pk[P::pk_seed_bytes];
    StreamedRows rows;
    Factor<v, o> factor_O;
    Products<o> T;
    Secret<Matrix<o, v>> O_transposed;
    Secret<Overlay<Matrix<v, o>, PassSums>> turns;
    PassSums &sums() {
      turns.turn();
      return turns.second;
    }
  };
  struct CompactSums {
    PublicSums<P, K> P3;
  };
  struct ExpandedSums : CompactSums {
    TransposedInKey<P, K> S_transposed;
  };
  using KeypairCompact = Generate<CompactSums>;
  using KeypairExpanded = Generate<ExpandedSums>;

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
    Sums<1, o> L;
    Secret<typename K::Solver> solver;
  };
  struct SignExpanded : SignBase<StoredRows> {
    Values<v> u;
  };
  struct SignCompact : SignBase<StreamedRows> {
    Products<1> W;
    Sums<1, 1> u;
    Scalars<v, o> scalars_O;
    Sums<1, v> N;
    Sums<o, 1> NO;
  };

  template <class Source> struct VerifyBase {  // nothing here is secret
    Source rows;                               // all n
    Mvector<P> t, y;
    Matrix<1, n> s;
    UovEvaluation<P, K> value;
  };
  using OilRows = ExactOilRows<P, block>;
  struct VerifyExpanded : VerifyBase<FromAnywhere<JoinedRows<aioli::StoredRows<P, block>, OilRows>>> {};
  struct VerifyCompact : VerifyBase<JoinedRows<StreamedRows, OilRows>> {};

  struct ExpandPublic {
    StreamedRows rows;
  };
};

}  // namespace AIOLI_ISA
}  // namespace aioli
