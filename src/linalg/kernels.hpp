// SPDX-License-Identifier: Apache-2.0
// THE CONTRACT between the schemes and the backends.
//
// A backend is a class template `Kernels<P>` with the members below; what it does not want to do itself it inherits from
// `PortableKernels<P>` (backend/portable/kernels.hpp), which is the meaning of every kernel.  A scheme sees nothing else of a
// backend, and holds backend objects in whatever layout the backend likes; only the get functions leave that layout.
//
//   int block                     rows handled at once (1, 2, ..): the row sources deliver Rows<block>, so that a backend can pair the
//                                 entries of two rows (GFNI's 2x2 blocks) or share loads.  Pairing entries of one row needs block 1 only.
//   Aes                           the keystream: init(key, iv), keystream(out, first, blocks), batch (symmetric/aes128_ctr.hpp).
//
//   Right<N, C>                   a matrix X over F, N x C, prepared as the right factor of row products: tables of multiples of its
//                                 rows (method of the four Russians), affine matrices (GFNI), broadcast shuffles (AVX2).  All columns
//                                 that a pass needs are in one X, so that a row is loaded once.
//     set(const Fmat<N, C> &)     SECRET.
//   Left<N, R>                    a matrix A over F, N x R, prepared so that its row r supplies the scalars of `add_outer`.
//     set(const Fmat<N, R> &)     SECRET.
//   Products<C>                   W: for each of the `block` rows, C m-vectors.
//     times(strips, X)            W_b = sum_j strips[b][j] X[strips[b].first + j], b < block; empty strips give zero.
//     add_times(strips, X)        the same, added.
//     add(strips, column)         W_b[column + j] += strips[b][j].
//     get(to, b, c)               to = W_b[c], an Mvector<P>.
//   Sums<R, C>                    U: R x C m-vectors, the accumulators; `columns` is C.
//     zero()
//     add_outer(A, index, W, c)   U[i][j] += sum_b A[index + b][i] W_b[c + j], i < R, j < C; rows past N count as zero.
//     add_outer(A, index, strips) U[i][strips[b].first - origin + j] += A[index + b][i] strips[b][j], where origin is the template
//                                 argument: the column of the matrix at which U begins.
//     get(to, i, j)               to = U[i][j], an Mvector<P> (little-endian nibbles in 64-bit words, zero past m).
//     add(i, j, from)             U[i][j] += from.
//   Solver                        A and y in, x out: the interface of ColumnSolver in linalg/solver.hpp.  Every correct elimination gives the
//                                 same x, so the order is free.
//
// Alignment: objects are placed at 64 bytes; strips stand at any byte address, with `slack` readable bytes behind them.
// Aliasing: none between arguments.
// Constant time: X, A, W and U are secret in signing and key generation: no branch, address or variable-time instruction may depend on
// their contents, nor on the strips given to Sums::add_outer.  The strips given to Products::times are PUBLIC: a backend may use
// them as table indices.  All shapes, indices and counts are public.
#pragma once
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"
#include "linalg/rows.hpp"

namespace aioli::inline AIOLI_ISA {

// Types and operations that every backend must have, tried on one shape.
template <class K, class P>
concept Backend = requires(typename K::template Right<P::v, P::o> X, typename K::template Left<P::v, P::k> A,
                           typename K::template Products<P::o> W, typename K::template Sums<P::k, P::o> U,
                           const Fmat<P::v, P::o> F, const Fmat<P::v, P::k> G, const Rows<K::block> rows, Mvector<P> a,
                           typename K::Aes aes, const uint8_t *bytes, uint8_t *out) {
  K::block >= 1;
  K::Aes::batch >= 1;
  aes.init(bytes, bytes);
  aes.keystream(out, uint32_t(0), uint32_t(0));
  X.set(F);
  A.set(G);
  W.times(rows.P1, X);
  W.add_times(rows.P1, X);
  W.add(rows.P2, 0);
  W.get(a, 0, 0);
  U.zero();
  U.add_outer(A, 0, W, 0);
  U.template add_outer<P::v>(A, 0, rows.P2);
  U.get(a, 0, 0);
  U.add(0, 0, a);
  sizeof(typename K::Solver);
};

}  // namespace aioli::inline AIOLI_ISA
