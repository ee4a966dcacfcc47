// SPDX-License-Identifier: Apache-2.0
// THE CONTRACT between the schemes and the backends.
//
// A backend is a class template `Kernels<P>` with the members below; what it does not want to do itself it inherits from
// `PortableKernels<P>` (backend/portable/kernels.hpp), which is the meaning of every kernel.  A scheme sees nothing else of a
// backend, and holds backend objects in whatever layout the backend likes; only the get functions leave that layout.
//
// Members are MANDATORY, or OPTIONAL with a name in square brackets.  A backend that has an optional member of its own says so
// under that name in `own`; the default for all others is in linalg/kernel_defaults.hpp, and schemes call either without asking.
// A member that is declared and missing, one of another signature, and one that is there but not declared do not compile
// (Contract below).
//
// F is the field of the parameter set P (FieldOf<P>); a backend need not serve every field (the last column of
// backend/backends.def).
//
//   OwnKernels own                 which optional members this backend has of its own; it may depend on P.
//   int block                      rows handled at once (1, 2, ..): the row sources deliver Rows<block>, so that a backend can
//                                  pair the entries of two rows (GFNI's 2x2 blocks) or share loads.  Pairing entries of one row
//                                  needs block 1 only.
//   Aes                            the keystream: init(key, iv), keystream(out, first, blocks), batch (symmetric/aes128_ctr.hpp).
//                                  Key and IV are public.  Aes::Short is the same for streams of a few hundred blocks, perhaps
//                                  Aes itself, and Short::ahead how many batches of such a stream are best made at once.
//
//   Factor<N, C>                   a matrix X over F, N x C, prepared as the right factor of row products and, row by row, as the
//                                  scalars of rank-one updates: tables of multiples (method of the four Russians), affine
//                                  matrices (GFNI), tables of pairs (shuffles).  All columns that a pass needs are in one, so
//                                  that a row is loaded once.
//     set(const Fmat<N, C> &)      SECRET.
//     set_columns(A, ..)           OPTIONAL [set_columns], SECRET: the same, the columns being the rows of A and of what follows,
//                                  each an Fmat<.., N>.
//   Products<C>                    W: for each of the `block` rows, C m-vectors.
//     times(segments, X)           W_b = sum_j segments[b][j] X[segments[b].first + j], b < block; empty segments give zero.
//     add_times(segments, X)       the same, added.
//     times_parts(segments, more, column, X)
//                                  OPTIONAL [times_parts]: times(segments, X), add_times(more, X) and add(column, 0) in one.
//                                  `more` may lie anywhere, and is PUBLIC as segments are; of `column`, every row that has
//                                  entries has one, or none has.
//     add_times_transposed(P1, index, X)
//                                  OPTIONAL [add_times_transposed]: W_b += sum over j <= index + b of P1[j][index + b] X[j], row
//                                  index + b of P1^T; P1 is upper triangular, v x v, in memory row after row, PUBLIC.  W_b is
//                                  anything for rows past v.  `block` entries and `slack` may be read behind P1.
//     add(segments, column)        W_b[column + j] += segments[b][j].
//     get(to, b, c)                to = W_b[c], an Mvector<P>.
//     get_row(to, b)               OPTIONAL [get_row]: to = W_b[0] .. W_b[C - 1], packed, at any byte address; `slack` bytes may
//                                  be written behind it.
//   Accumulators<R, C, First = 0>  U: R x C m-vectors, the accumulators; row i belongs to column First + i of a factor; `columns`
//                                  is C.
//     zero()
//     add_outer(X, index, W)       U[i][j] += sum_b X[index + b][First + i] W_b[j], i < R, j < C (W may have more columns); rows
//                                  of X past N count as zero.
//     add_outer(X, index, segments)
//                                  U[i][segments[b].first - origin + j] += X[index + b][First + i] segments[b][j], where origin
//                                  is the template argument: the column of the matrix at which U begins.
//     get(to, i, j)                to = U[i][j], an Mvector<P> (elements packed in 64-bit words, the first lowest; zero past m).
//     get_upper(to, i, j)          OPTIONAL [get_upper]: to = U[i][j] + U[j][i], i < j.
//   UpperAccumulators<N>           OPTIONAL [upper_accumulators], to spare memory.  Upper(U) of N x N sums U: entries (a, b) +
//                                  (b, a) for a < b and (a, a), packed m-vectors row after row, gathered in the caller's memory.
//     start(out)                   `out` says where: N (N + 1) / 2 entries at any byte address, nibble-sliced.  They are zeroed;
//                                  SECRET until the last update.
//     add_outer(X, index, W)       as Accumulators<N, N>.
//   Solver                         A and y in, x out: the interface of ColumnSolver in linalg/solver.hpp.  Every correct
//                                  elimination gives the same x, so the order is free.
//
// And where P::k = 1, for schemes of one vector and square systems; elsewhere nobody looks at these:
//
//   Scalars<N, C>                  a matrix X prepared as the scalars of rank-one updates only: what add_outer takes of a Factor,
//                                  with less memory.
//     set(const Fmat<N, C> &)      SECRET.
//   Products<C>
//     take_transposed(U, index)    W_b[i] = U[i][index + b], U being Accumulators with as many rows as W has columns; zero past
//                                  U's columns.
//   Accumulators<R, C, First>
//     add_transposed(index, W)     U[i][index + b] += W_b[i], i < R, where index + b < C; First is 0 and W has R columns.
//     add_public_outer(X, index, segments)
//                                  OPTIONAL [add_public_outer]: add_outer for segments that are PUBLIC: a backend may use them as
//                                  table indices.
//     add_stored(X, E)             OPTIONAL [add_stored], R = 1: add_outer for all rows of an N x C matrix E of packed m-vectors
//                                  in memory, row after row; nothing is read behind it.
//     add_row(X, U')               OPTIONAL [add_row], C = 1: U[i][0] += sum over r of X[r][First + i] U'[0][r] for Scalars X and
//                                  U', Accumulators of one row.
//   Values<N>                      OPTIONAL [values], another way to gather the values x^T P x of the forms at one vector x, a
//                                  Factor<N, 1>, than by Products<1> and Accumulators<1, 1>.
//     zero()
//     add(X, index, segments)      for each row b: sum_j x[index + b] segments[b][j] x[segments[b].first + j].  A second argument
//                                  of segments: the same rows' others.
//     get(to, X)                   the sum, an Mvector<P>.
//   TransposedAccumulators<R, C>   OPTIONAL [transposed_accumulators]: U^T, U being R x C sums, R = m, in the caller's memory: C
//                                  rows of R packed m-vectors at any byte address.
//     start(out)                   where; zeroed, and of no meaning until finish().
//     add_transposed(index, W)     as Accumulators<R, C>.
//     add_outer(X, index, segments)
//                                  as Accumulators<R, C>, for segments that are PUBLIC.
//     finish()
//   Evaluation<N>                  OPTIONAL [evaluation]: the value of the map at a vector, all of it PUBLIC, for verification.
//     start(s)                     s, an Fmat<1, N>.
//     add(rows)                    += s_r s_c times each entry (r, c) of some rows.
//     get(to)                      to = the sum, an Mvector<P>; used up.
//   [circular]                     no member: rows of a key in memory may come in any order (linalg/circular_rows.hpp), for
//                                  processors that read them through caches.
//
// Alignment: objects are placed at 64 bytes; segments stand at any byte address, with `slack` readable bytes behind them.
// Aliasing: none between arguments.
// Constant time: X, W and U are secret in signing and key generation: no branch, address or variable-time instruction may depend
// on their contents, nor on the segments given to Accumulators::add_outer.  The segments given to Products::times are PUBLIC: a
// backend may use them as table indices.  All shapes, indices and counts are public.
#pragma once
#include "base/secret.hpp"
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// The optional members that a backend has of its own, by their names above.
struct OwnKernels {
  bool set_columns = false, times_parts = false, add_times_transposed = false, get_row = false, get_upper = false,
       upper_accumulators = false;
  // Where P::k = 1.
  bool add_public_outer = false, add_stored = false, add_row = false, values = false, transposed_accumulators = false,
       evaluation = false, circular = false;
};

// Each concept below is one member of the contract for one shape; Contract<P, K> names all shapes with which the schemes use it.
namespace contract {

// Mandatory members.
template <class K, class P, int N, int C>
concept Multiplies =
    requires(typename K::template Factor<N, C> X, typename K::template Products<C> W, const typename K::template Products<C> done,
             const Fmat<N, C, FieldOf<P>> matrix, const RowSegment (&segments)[K::block], Mvector<P> to) {
      X.set(matrix);
      W.times(segments, X);
      W.add_times(segments, X);
      W.add(segments, 0);
      done.get(to, 0, 0);
    };
template <class K, class P, int R, int C, int First = 0>
concept Accumulates = K::template Accumulators<R, C, First>::columns == C &&
                      requires(typename K::template Accumulators<R, C, First> U,
                               const typename K::template Accumulators<R, C, First> done, Mvector<P> to) {
                        U.zero();
                        done.get(to, 0, 0);
                      };
// Sums of products of the rows of an N x D factor.
template <class K, int N, int D, int R, int C, int First = 0>
concept AddsOuter = requires(typename K::template Accumulators<R, C, First> U, const typename K::template Factor<N, D> X,
                             const typename K::template Products<D> W) { U.add_outer(X, 0, W); };
template <class K, int N, int D, int R, int C, int Origin>
concept AddsSegments = requires(typename K::template Accumulators<R, C> U, const typename K::template Factor<N, D> X,
                                const RowSegment (&segments)[K::block]) { U.template add_outer<Origin>(X, 0, segments); };
template <class K, int R, int C>
concept AddsTransposed =
    requires(typename K::template Accumulators<R, C> U, const typename K::template Products<R> W) { U.add_transposed(0, W); };
template <class K, class P>
concept Solves =
    requires(typename K::Solver solver, Mvector<P> y, Fmat<P::k, P::o, FieldOf<P>> x, const Fmat<P::k, P::o, FieldOf<P>> r) {
      solver.A[P::k * P::o] = y;
      static_cast<bool>(solver.solve(x, r));
    };
template <class A>
concept Keystream = A::batch >= 1 && requires(A aes, const A ready, const uint8_t *bytes, uint8_t *out) {
  aes.init(bytes, bytes);
  ready.keystream(out, uint32_t(0), uint32_t(0));
};
template <class K, class P, int N, int C>
concept Scales = requires(typename K::template Scalars<N, C> X, const typename K::template Scalars<N, C> ready,
                          const Fmat<N, C, FieldOf<P>> matrix, typename K::template Products<1> W,
                          const typename K::template Accumulators<1, N> row, typename K::template Accumulators<C, 1> U) {
  X.set(matrix);
  W.take_transposed(row, 0);
  U.add_outer(ready, 0, W);
};

// Optional members.
template <class K, class P, int N, int... R>
concept SetsColumns =
    requires(typename K::template Factor<N, (R + ...)> X, const Fmat<R, N, FieldOf<P>> &...parts) { X.set_columns(parts...); };
template <class K, int N, int C>
concept TimesParts = requires(typename K::template Products<C> W, const typename K::template Factor<N, C> X,
                              const RowSegment (&segments)[K::block]) { W.times_parts(segments, segments, segments, X); };
template <class K, int N, int C>
concept TimesTransposed = requires(typename K::template Products<C> W, const typename K::template Factor<N, C> X,
                                   const uint8_t *P1) { W.add_times_transposed(P1, 0, X); };
template <class K, int C>
concept GetsRow = requires(const typename K::template Products<C> W, uint8_t *to) { W.get_row(to, 0); };
template <class K, class P, int N>
concept GetsUpper = requires(const typename K::template Accumulators<N, N> U, Mvector<P> to) { U.get_upper(to, 0, 1); };
template <class K, int N, int R>
concept GathersUpper = requires(typename K::template UpperAccumulators<N> U, uint8_t *out,
                                const typename K::template Factor<R, N> X, const typename K::template Products<N> W) {
  U.start(out);
  U.add_outer(X, 0, W);
};
template <class K, int N, int C, int Origin>
concept AddsPublicOuter =
    requires(typename K::template Accumulators<1, C> U, const typename K::template Factor<N, 1> X,
             const RowSegment (&segments)[K::block]) { U.template add_public_outer<Origin>(X, 0, segments); };
template <class K, int N, int C>
concept AddsStored = requires(typename K::template Accumulators<1, C> U, const typename K::template Factor<N, 1> X,
                              const uint8_t *E) { U.add_stored(X, E); };
template <class K, int N, int R>
concept AddsRow = requires(typename K::template Accumulators<R, 1> U, const typename K::template Scalars<N, R> X,
                           const typename K::template Accumulators<1, N> row) { U.add_row(X, row); };
template <class K, class P, int N>
concept GathersValues =
    requires(typename K::template Values<N> u, const typename K::template Values<N> done,
             const typename K::template Factor<N, 1> x, const RowSegment (&segments)[K::block], Mvector<P> to) {
      u.zero();
      u.add(x, 0, segments);
      u.add(x, 0, segments, segments);
      done.get(to, x);
    };
template <class K, int R, int C>
concept GathersTransposed =
    requires(typename K::template TransposedAccumulators<R, C> U, uint8_t *out, const typename K::template Products<R> W,
             const typename K::template Factor<C, R> X, const RowSegment (&segments)[K::block]) {
      U.start(out);
      U.add_transposed(0, W);
      U.template add_outer<0>(X, 0, segments);
      U.finish();
    };
template <class K, class P, int N>
concept Evaluates =
    requires(typename K::template Evaluation<N> value, const Fmat<1, N, FieldOf<P>> s, const Rows<K::block> rows, Mvector<P> to) {
      value.start(s);
      value.add(rows);
      value.get(to);
    };

// Whether a class has a member of some name, whatever it is: one that derives from it and from this would have two of that name.
struct OptionalNames {
  int set_columns, times_parts, add_times_transposed, get_row, get_upper, add_public_outer, add_stored, add_row;
  struct UpperAccumulators;
  struct Values;
  struct TransposedAccumulators;
  struct Evaluation;
};
template <class T> struct WithNames : T, OptionalNames {};

}  // namespace contract

// Whether K keeps the contract for the set P: use as static_assert(Contract<P, K>::kept).
template <class P, class K> struct Contract {
  static constexpr int n = P::n, v = P::v, o = P::o, k = P::k;
  static constexpr OwnKernels own = K::own;
  template <class T> using WithNames = contract::WithNames<T>;

  static_assert(K::block >= 1);
  static_assert(contract::Keystream<typename K::Aes> && contract::Keystream<typename K::Aes::Short> && K::Aes::Short::ahead >= 1,
                "Aes: init, keystream, batch, Short, Short::ahead");
  static_assert(contract::Multiplies<K, P, v, o> && contract::Multiplies<K, P, v, k> && contract::Multiplies<K, P, n, k> &&
                    contract::Multiplies<K, P, v, k + o>,
                "Factor::set; Products: times, add_times, add, get");
  static_assert(contract::Accumulates<K, P, o, o> && contract::Accumulates<K, P, k, k> && contract::Accumulates<K, P, k, o> &&
                    contract::Accumulates<K, P, o, 1> && contract::Accumulates<K, P, k, k + o> &&
                    contract::Accumulates<K, P, o, k, k>,
                "Accumulators: columns, zero, get");
  static_assert(contract::AddsOuter<K, v, o, o, o> && contract::AddsOuter<K, v, k, k, k> && contract::AddsOuter<K, n, k, k, k> &&
                    contract::AddsOuter<K, v, k + o, k, k + o> && contract::AddsOuter<K, v, k + o, o, k, k>,
                "Accumulators::add_outer of products");
  static_assert(contract::AddsSegments<K, v, k, k, o, v> && contract::AddsSegments<K, v, o, o, 1, 0>,
                "Accumulators::add_outer of segments");
  static_assert(contract::Solves<K, P>, "Solver: A, solve");

  static_assert(!own.set_columns || (contract::SetsColumns<K, P, v, k> && contract::SetsColumns<K, P, v, k, o> &&
                                     contract::SetsColumns<K, P, n, k>),
                "Factor::set_columns is declared, but missing or of another signature");
  static_assert(
      own.set_columns || requires { &WithNames<typename K::template Factor<v, o>>::set_columns; },
      "Factor::set_columns is there, but not declared in `own`");
  static_assert(!own.times_parts || contract::TimesParts<K, n, k>,
                "Products::times_parts is declared, but missing or of another signature");
  static_assert(
      own.times_parts || requires { &WithNames<typename K::template Products<k>>::times_parts; },
      "Products::times_parts is there, but not declared in `own`");
  static_assert(!own.add_times_transposed || contract::TimesTransposed<K, v, o>,
                "Products::add_times_transposed is declared, but missing or of another signature");
  static_assert(own.add_times_transposed || (contract::Accumulates<K, P, o, v> && contract::AddsSegments<K, v, o, o, v, 0>),
                "Accumulators of L: columns, zero, get, add_outer; or else Products::add_times_transposed");
  static_assert(
      own.add_times_transposed || requires { &WithNames<typename K::template Products<o>>::add_times_transposed; },
      "Products::add_times_transposed is there, but not declared in `own`");
  static_assert(!own.get_row || contract::GetsRow<K, o>, "Products::get_row is declared, but missing or of another signature");
  static_assert(
      own.get_row || requires { &WithNames<typename K::template Products<o>>::get_row; },
      "Products::get_row is there, but not declared in `own`");
  static_assert(!own.get_upper || (contract::GetsUpper<K, P, o> && contract::GetsUpper<K, P, k>),
                "Accumulators::get_upper is declared, but missing or of another signature");
  static_assert(
      own.get_upper || requires { &WithNames<typename K::template Accumulators<o, o>>::get_upper; },
      "Accumulators::get_upper is there, but not declared in `own`");
  static_assert(!own.upper_accumulators || contract::GathersUpper<K, o, v>,
                "UpperAccumulators is declared, but missing or some member of it of another signature");
  static_assert(
      own.upper_accumulators || requires { typename WithNames<K>::UpperAccumulators; },
      "UpperAccumulators is there, but not declared in `own`");

  // A template, so that nothing of it is looked at elsewhere.
  template <bool one_vector, class Kernels = K> struct OfOneVector {};
  template <class Kernels> struct OfOneVector<true, Kernels> {
    using RowAccumulators = typename Kernels::template Accumulators<1, v>;
    using ColumnAccumulators = typename Kernels::template Accumulators<o, 1>;

    static_assert(contract::Multiplies<Kernels, P, n, 1> && contract::AddsSegments<Kernels, v, 1, 1, v, 0> &&
                      contract::AddsTransposed<Kernels, 1, v>,
                  "Factor, Products and Accumulators of one vector");
    static_assert(contract::Accumulates<Kernels, P, o, v> && contract::AddsSegments<Kernels, v, o, o, v, 0> &&
                      contract::AddsTransposed<Kernels, o, v>,
                  "Accumulators of S: columns, zero, get, add_outer, add_transposed");
    static_assert(contract::Scales<Kernels, P, v, o>, "Scalars, Products::take_transposed, Accumulators::add_outer with Scalars");

    static_assert(!own.add_public_outer ||
                      (contract::AddsPublicOuter<Kernels, v, v, 0> && contract::AddsPublicOuter<Kernels, v, o, v>),
                  "Accumulators::add_public_outer is declared, but missing or of another signature");
    static_assert(
        own.add_public_outer || requires { &WithNames<RowAccumulators>::add_public_outer; },
        "Accumulators::add_public_outer is there, but not declared in `own`");
    static_assert(!own.add_stored || contract::AddsStored<Kernels, v, o>,
                  "Accumulators::add_stored is declared, but missing or of another signature");
    static_assert(
        own.add_stored || requires { &WithNames<RowAccumulators>::add_stored; },
        "Accumulators::add_stored is there, but not declared in `own`");
    static_assert(!own.add_row || contract::AddsRow<Kernels, v, o>,
                  "Accumulators::add_row is declared, but missing or of another signature");
    static_assert(
        own.add_row || requires { &WithNames<ColumnAccumulators>::add_row; },
        "Accumulators::add_row is there, but not declared in `own`");
    static_assert(!own.values || (contract::GathersValues<Kernels, P, v> && contract::GathersValues<Kernels, P, n>),
                  "Values is declared, but missing or some member of it of another signature");
    static_assert(own.values || requires { typename WithNames<Kernels>::Values; }, "Values is there, but not declared in `own`");
    static_assert(!own.transposed_accumulators || contract::GathersTransposed<Kernels, o, v>,
                  "TransposedAccumulators is declared, but missing or some member of it of another signature");
    static_assert(
        own.transposed_accumulators || requires { typename WithNames<Kernels>::TransposedAccumulators; },
        "TransposedAccumulators is there, but not declared in `own`");
    static_assert(!own.evaluation || contract::Evaluates<Kernels, P, n>,
                  "Evaluation is declared, but missing or some member of it of another signature");
    static_assert(
        own.evaluation || requires { typename WithNames<Kernels>::Evaluation; },
        "Evaluation is there, but not declared in `own`");
  };
  static constexpr bool kept = sizeof(OfOneVector < k == 1 >) > 0;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
