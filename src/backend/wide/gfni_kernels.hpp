// SPDX-License-Identifier: Apache-2.0
// The kernels over affine maps (GFNI): one instruction applies a matrix of 8 x 8 bits to each byte of a register, and so any 2
// x 2 block over GF(16) to any pair of nibbles.
//
// A byte holds one equation of two inputs, and the block gives two outputs: four multiplications for each byte.  In `times` the
// inputs are two entries of a row and the outputs two columns of X (affine_products.hpp); in `add_outer` they are two rows of W
// and two rows of U (affine_accumulators.hpp). Both want the block of two rows and two columns of X, which is the same one.
// affine_layout.hpp shows how m-vectors lie in registers.
#pragma once
#include "backend/portable/kernels.hpp"
#include "backend/wide/affine_products.hpp"
#include "backend/wide/affine_accumulators.hpp"
#include "backend/wide/block_maps.hpp"
#include "backend/wide/lu_products.hpp"
#include "backend/wide/vector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V, class AesType> struct GfniKernels : PortableKernels<P, AesType> {
  static_assert(AffineVector<V>);
  using Register = typename V::Register;
  static constexpr OwnKernels own = {
      .set_columns = true, .times_parts = true, .add_times_transposed = true, .get_row = true, .get_upper = true};
  static constexpr int block = V::bytes / 8;  // rows: as many as a register has words
  using Solver = LuSolver<P, LuByProducts<Gf16, V>>;

  // 2 x 2 blocks of a matrix as 8 x 8 bits each: of two columns, one pair of rows after the other; rows past N are zero.
  template <int N, int C> struct Factor {
    static constexpr int columns = C, pairs = (C + 1) / 2, height = ((N + block + 1) / 2 + 15) / 16 * 16;
    alignas(64) uint8_t blocks[pairs][height][8];

    void set(const Fmat<N, C> &A) {
      Secret<Fmat<C, N>> transposed;
      transpose(transposed, A);
      set_columns(transposed);
    }
    // Its columns: the rows of some matrices, one after the other.
    template <int... R> void set_columns(const Fmat<R, N> &...parts) {
      static_assert((R + ...) == C);
      constexpr int words = Fmat<1, N>::row_words, padded = (height + V::bytes - 1) / V::bytes * V::bytes;
      static_assert(8 * words <= padded);
      uint8_t rows[2][padded];  // bytes: two rows of one column, the even one and the odd one
      zero(rows[0], sizeof rows);
      int column = 0;
      const auto add = [&](const uint64_t(&w)[words]) {
        for (int i = 0; i < words; i++) store64(rows[column % 2] + 8 * i, w[i]);
        if (column % 2 != 0) set_pair(column / 2, rows);
        column++;
      };
      const auto add_rows = [&](const auto &A) {
        for (const auto &row : A.w) add(row);
      };
      (add_rows(parts), ...);
      if (C % 2 != 0) {
        zero(rows[1], sizeof rows[1]);
        set_pair(C / 2, rows);
      }
      wipe(rows, sizeof rows);
    }

   private:
    template <int padded> void set_pair(int q, const uint8_t (&rows)[2][padded]) {
      for (int at = 0; at < height; at += V::bytes) {
        Register maps[8];
        maps_of_blocks<V>(maps, V::load(rows[0] + at), V::load(rows[1] + at));
        uint8_t *to = blocks[q][at];  // and the blocks behind it
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) V::store_lanes(to + 16 * i, 128, maps[i], (height - at) / 16);
      }
    }
  };

  template <int C> struct Products : AffineProducts<P, V, C> {};
  template <int R, int C, int First = 0> struct Accumulators : AffineAccumulators<P, V, R, C, First> {};
};

}  // namespace AIOLI_ISA
}  // namespace aioli
