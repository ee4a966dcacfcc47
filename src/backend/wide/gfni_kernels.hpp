// SPDX-License-Identifier: Apache-2.0
// The kernels over affine maps (GFNI): one instruction applies a matrix of 8 x 8 bits to each byte of a register, and so any 2 x 2 block over
// GF(16) to any pair of nibbles.
//
// A byte holds one equation of two inputs, and the block gives two outputs: four multiplications for each byte.  In `times` the inputs
// are two entries of a row and the outputs two columns of X; in `add_outer` they are two rows of W and two rows of U.  Both want the block
// of two rows and two columns of X, which is the same one.  A block of rows is as many as a register has words: so all rows' entries in one
// column fill registers (pieces.hpp) that one block of X serves (piece_products.hpp).  Even rows stand before odd ones: a register of rows 2t, 2t + 2, ..
// and its partner with rows 2t + 1, 2t + 3, .. put two rows in one byte (outer_sums.hpp).  m-vectors that fill a register, or half of one, need no other
// rows (row_products.hpp).
#pragma once
#include "backend/portable/kernels.hpp"
#include "backend/wide/block_maps.hpp"
#include "backend/wide/lu_products.hpp"
#include "backend/wide/outer_sums.hpp"
#include "backend/wide/piece_products.hpp"
#include "backend/wide/row_products.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V, class AesType> struct GfniKernels : PortableKernels<P, AesType> {
  using Group = Pieces<P, V, true>;
  using Register = typename V::Register;
  static constexpr OwnKernels own = {.set_columns = true, .times_parts = true, .get_upper = true};
  static constexpr int entry = Group::entry, block = Group::group, registers = Group::registers;
  static_assert(Group::words == Mvector<P>::words);
  using Solver = LuSolver<P, LuByProducts<Gf16, V>>;
  // Whether an m-vector fills a register, or half of one, in a vector with registers for a whole row's sums: row_products.hpp.
  static constexpr bool by_rows =
      Group::kinds == 1 && (Group::half ? 2 * entry == V::bytes : Group::full == 1) && V::accumulators >= 24;

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

  template <int C, bool = by_rows> struct ProductsOf : PieceProducts<P, V, Group, C> {};
  template <int C> struct ProductsOf<C, true> : RowProducts<P, V, Group, C> {};
  template <int C> struct Products : ProductsOf<C> {};
  template <int R, int C, int First = 0> struct Sums : OuterSums<P, V, Group, by_rows, R, C, First> {};
};

}  // namespace AIOLI_ISA
}  // namespace aioli
