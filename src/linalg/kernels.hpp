// SPDX-License-Identifier: Apache-2.0
// THE CONTRACT between the schemes and the backends.
//
// A backend is a class template `Kernels<P>` with the members below; what it does not want to do itself it inherits from
// `PortableKernels<P>` (backend/portable/kernels.hpp), which is the meaning of every kernel.  A scheme sees nothing else of a
// backend, and holds backend objects in whatever layout the backend likes; only the get functions leave that layout.
//
// F is the field of the parameter set P (FieldOf<P>); a backend need not serve every field (the last column of backend/backends.def).
//
//   int block                     rows handled at once (1, 2, ..): the row sources deliver Rows<block>, so that a backend can pair the
//                                 entries of two rows (GFNI's 2x2 blocks) or share loads.  Pairing entries of one row needs block 1 only.
//   Aes                           the keystream: init(key, iv), keystream(out, first, blocks), batch (symmetric/aes128_ctr.hpp).  Key and IV
//                                 are public.  Aes::Short, if there is one, is the same for streams of a few hundred blocks.
//
//   Factor<N, C>                  a matrix X over F, N x C, prepared as the right factor of row products and, row by row, as the scalars of
//                                 rank-one updates: tables of multiples (method of the four Russians), affine matrices (GFNI), tables
//                                 of pairs (shuffles).  All columns that a pass needs are in one, so that a row is loaded once.
//     set(const Fmat<N, C> &)     SECRET.
//     set_columns(A, ..)          OPTIONAL, SECRET: the same, the columns being the rows of A and of what follows, each an Fmat<.., N>.
//   Scalars<N, C>                 a matrix X prepared as the scalars of rank-one updates only: what add_outer takes of a Factor, with less memory.
//                                 Needed where P::k = 1 (SquareBackend).
//   Products<C>                   W: for each of the `block` rows, C m-vectors.
//     times(strips, X)            W_b = sum_j strips[b][j] X[strips[b].first + j], b < block; empty strips give zero.
//     add_times(strips, X)        the same, added.
//     times(strips, more, column, X)  OPTIONAL: times(strips, X), add_times(more, X) and add(column, 0) in one (row_times below).  `more` may lie
//                                 anywhere, and is PUBLIC as strips are; of `column`, every row that has entries has one, or none has.
//     add(strips, column)         W_b[column + j] += strips[b][j].
//     take_transposed(U, index)   W_b[i] = U[i][index + b], U being Sums with as many rows as W has columns; zero past U's columns.
//                                 Needed where P::k = 1.
//     get(to, b, c)               to = W_b[c], an Mvector<P>.
//   Sums<R, C, First = 0>         U: R x C m-vectors, the accumulators; row i belongs to column First + i of a factor; `columns` is C.
//     zero()
//     add_outer(X, index, W)      U[i][j] += sum_b X[index + b][First + i] W_b[j], i < R, j < C (W may have more columns); rows of X past
//                                 N count as zero.
//     add_outer(X, index, strips) U[i][strips[b].first - origin + j] += X[index + b][First + i] strips[b][j], where origin is the
//                                 template argument: the column of the matrix at which U begins.
//     add_transposed(index, W)    U[i][index + b] += W_b[i], i < R, where index + b < C; First is 0 and W has R columns.
//     get(to, i, j)               to = U[i][j], an Mvector<P> (elements packed in 64-bit words, the first lowest; zero past m).
//     get_upper(to, i, j)         OPTIONAL: to = Upper(U)[i][j] for i < j, U[i][j] + U[j][i] (get_upper below).
//   Values<N>                     OPTIONAL, another way to gather the values x^T P x of the forms at one vector x, a Factor<N, 1>, than by Products<1> and
//                                 Sums<1, 1> (ValuesByRows below).
//     zero()
//     add(X, index, strips)       for each row b: sum_j x[index + b] strips[b][j] x[strips[b].first + j].  A second argument of strips: the same rows' others.
//     get(to, X)                  the sum, an Mvector<P>.
//   UpperSums<N>                  OPTIONAL, to spare memory.  Upper(U) of N x N sums U: entries (a, b) + (b, a) for a < b and (a, a), packed m-vectors
//                                 row after row, gathered in the caller's memory.
//     start(out), out             where: N (N + 1) / 2 entries at any byte address, nibble-sliced.  They are zeroed; SECRET until the last update.
//     add_outer(X, index, W)      as Sums<N, N>.
//   And where P::k = 1, OPTIONAL as well:
//   Sums<R, C, First>
//     add_public_outer(X, index, strips)  add_outer for strips that are PUBLIC: a backend may use them as table indices.
//     add_product(X, E)           R = 1: add_outer for all rows of an N x C matrix of packed m-vectors in memory, row after row; nothing is read
//                                 behind it.
//     add_product(X, U)           C = 1: U[i][0] += sum over r of X[r][First + i] U'[0][r] for Scalars X and U', Sums of one row.
//   TransposedSums<R, C>          U^T, U being R x C sums, R = m, in the caller's memory: C rows of R packed m-vectors at any byte address.
//     start(out)                  where; zeroed, and of no meaning until finish().
//     add_transposed(index, W)    as Sums<R, C>.
//     add_outer(X, index, strips) as Sums<R, C>, for strips that are PUBLIC.
//     finish()
//   Evaluation<N>                 the value of the map at a vector, all of it PUBLIC, for verification.
//     start(s)                    s, an Fmat<1, N>.
//     add(rows)                   += s_r s_c times each entry (r, c) of some rows.
//     get(to)                     to = the sum, an Mvector<P>; used up.
//   bool circular                 rows of a key in memory may come in any order (linalg/circular_rows.hpp): for processors that read them through caches.
//   Solver                        A and y in, x out: the interface of ColumnSolver in linalg/solver.hpp.  Every correct elimination gives the
//                                 same x, so the order is free.
//
// Alignment: objects are placed at 64 bytes; strips stand at any byte address, with `slack` readable bytes behind them.
// Aliasing: none between arguments.
// Constant time: X, W and U are secret in signing and key generation: no branch, address or variable-time instruction may depend on
// their contents, nor on the strips given to Sums::add_outer.  The strips given to Products::times are PUBLIC: a backend may use
// them as table indices.  All shapes, indices and counts are public.
#pragma once
#include "base/secret.hpp"
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Types and operations that every backend must have, tried on one shape.
template <class K, class P>
concept Backend = requires(typename K::template Factor<P::v, P::k + P::o> X, typename K::template Products<P::k + P::o> W,
                           typename K::template Sums<P::o, P::k, P::k> U, typename K::template Products<P::o> T,
                           typename K::template Sums<P::o, P::v> L, const Fmat<P::v, P::k + P::o, FieldOf<P>> F,
                           const Rows<K::block> rows, Mvector<P> a, typename K::Aes aes, const uint8_t *bytes, uint8_t *out) {
  requires K::block >= 1;
  requires K::Aes::batch >= 1;
  aes.init(bytes, bytes);
  aes.keystream(out, uint32_t(0), uint32_t(0));
  X.set(F);
  W.times(rows.P1, X);
  W.add_times(rows.P1, X);
  W.add(rows.P2, 0);
  W.get(a, 0, 0);
  U.zero();
  U.add_outer(X, 0, W);
  U.template add_outer<P::v>(X, 0, rows.P2);
  U.get(a, 0, 0);
  L.add_transposed(0, T);
  sizeof(typename K::Solver);
};

// And what else a scheme of one vector and square systems wants.
template <class K, class P>
concept SquareBackend = P::k == 1 && requires(typename K::template Scalars<P::v, P::o> X, typename K::template Products<1> W,
                                              typename K::template Sums<1, P::v> N, typename K::template Sums<P::o, 1> NO,
                                              const Fmat<P::v, P::o, FieldOf<P>> F) {
  X.set(F);
  W.take_transposed(N, 0);
  NO.add_outer(X, 0, W);
};

// to = Upper(U)[i][j], i <= j, of N x N sums U: entry (i, j) and, where that is another, (j, i).
template <class P, class Sums> void get_upper(Mvector<P> &to, const Sums &U, int i, int j) {
  if (i == j) {
    U.get(to, i, i);
  } else if constexpr (requires { U.get_upper(to, i, j); }) {
    U.get_upper(to, i, j);
  } else {
    Secret<Mvector<P>> mirrored;
    U.get(to, i, j), U.get(mirrored, j, i), to += mirrored;
  }
}

// W = (P1 P2) X + (column | 0), P1 and P2 being the rows'.
template <class Products, int Block, class Factor>
void row_times(Products &W, const Rows<Block> &rows, const Strip (&column)[Block], const Factor &X) {
  if constexpr (requires { W.times(rows.P1, rows.P2, column, X); })
    W.times(rows.P1, rows.P2, column, X);
  else
    W.times(rows.P1, X), W.add_times(rows.P2, X), W.add(column, 0);
}

// The values of the forms at one vector, x^T P x, where rows of P come one after another: K's own way, or (P x)[r], and that times x[r].
template <class K, int N> struct ValuesByRows {
  using X = typename K::template Factor<N, 1>;
  typename K::template Products<1> W;
  typename K::template Sums<1, 1> u;

  void zero() { u.zero(); }
  template <class... Strips> void add(const X &x, int index, const Strips &...strips) {
    bool first = true;
    ((first ? W.times(strips, x) : W.add_times(strips, x), first = false), ...);
    u.add_outer(x, index, W);
  }
  template <class Mvector> void get(Mvector &to, const X &) const { u.get(to, 0, 0); }
};
template <class K, int N> struct ValuesOf {
  using Type = ValuesByRows<K, N>;
};
template <class K, int N>
  requires requires { typename K::template Values<N>; }
struct ValuesOf<K, N> {
  using Type = typename K::template Values<N>;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
