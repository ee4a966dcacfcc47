// SPDX-License-Identifier: Apache-2.0
// Square systems by elimination of eight rows at a time, in constant time, for registers of sixty-four bytes whose bytes can be permuted.  Elements are bytes,
// of GF(256) or of its subfield with sixteen.
//
// A row's pivot is its first element that is not zero: where that is, is secret, but all later accesses are permutations of registers.  No row is searched for
// or moved.  Eight rows are reduced among themselves in registers; every later row then needs its elements in their eight pivot columns, which one
// permutation brings, four times each, as they are wanted for multiplying.  Going back, eight elements of the solution are eight scalar
// products with what is known of it.
#pragma once
#include "backend/wide/block_solver.hpp"
#include "backend/wide/lowest_bit.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// V: vector_avx512.hpp, vector_emulated_gfni.hpp.
template <class P, class V> struct PivotSolver {
  using F = FieldOf<P>;
  using X = Fmat<P::k, P::o, F>;
  using Register = typename V::Register;
  static constexpr int m = P::m, height = 8, parts = (m + 1 + V::bytes - 1) / V::bytes;
  static_assert(P::k == 1 && P::o == m && V::bytes == 64 && parts <= 2);

  Mvector<P> A[m + 1];  // in: the columns of A, then y; used up

  // There are no free columns in a square system that has a solution for every right side, and of others nothing is asked.
  bool solve(X &x, const X &) {
    take_rows();
    uint64_t singular = 0;
    for (int first = 0; first + height <= m; first += height) eliminate<height>(first, singular);
    if constexpr (m % height != 0) eliminate<m % height>(m - m % height, singular);
    take_solution(x);
    // "Singular, try again with other vinegar" is all that is said about A; the number of attempts may be seen.
    return reveal(singular) == 0;
  }

 private:
  static constexpr int rows = (m + 15) / 16 * 16;
  alignas(64) uint8_t row_[rows][parts * V::bytes];  // equation e: the elements of A, then y's
  alignas(64) uint8_t entries_[m][V::bytes];         // of later rows in the pivot columns, four times each
  uint32_t pivot_[m];                                // where the pivot of a row is

  static Register permuted(Register numbers, const Register (&a)[1]) { return V::permute_bytes(numbers, a[0]); }
  static Register permuted(Register numbers, const Register (&a)[2]) { return V::permute_bytes(numbers, a[0], a[1]); }
  void load_row(Register (&a)[parts], int e) const {
#pragma GCC unroll 2
    for (int p = 0; p < parts; p++) a[p] = V::load(row_[e] + p * V::bytes);
  }
  static void add_multiple(Register (&to)[parts], Register s, const Register (&a)[parts]) {
#pragma GCC unroll 2
    for (int p = 0; p < parts; p++) to[p] = to[p] ^ V::multiply(s, a[p]);
  }

  // Rows first .. first + count - 1: each divided by its pivot and added to each other and to all later ones, so that these have zeros in its pivot column.
  template <int count> void eliminate(int first, uint64_t &singular) {
    Register a[count][parts];
#pragma GCC unroll 8
    for (int k = 0; k < count; k++) load_row(a[k], first + k);
#pragma GCC unroll 8
    for (int k = 0; k < count; k++) {
      const int n = first_nonzero(a[k]);
      pivot_[first + k] = uint32_t(n);
      singular |= mask_of_bit(uint64_t(n) >> 7);
      const Register here = V::broadcast1(uint8_t(n)), scale = V::inverses(permuted(here, a[k]));
#pragma GCC unroll 2
      for (int p = 0; p < parts; p++) a[k][p] = V::multiply(scale, a[k][p]);
#pragma GCC unroll 8
      for (int i = 0; i < count; i++)
        if (i != k) add_multiple(a[i], permuted(here, a[i]), a[k]);
    }
#pragma GCC unroll 8
    for (int k = 0; k < count; k++)
#pragma GCC unroll 2
      for (int p = 0; p < parts; p++) a[k][p].store(row_[first + k] + p * V::bytes);
    if (first + count == m) return;
    alignas(64) uint32_t numbers[V::bytes / 4] = {};
    for (int k = 0; k < count; k++) numbers[k] = uint32_t(spread(pivot_[first + k] & 127, 0x01010101));
    const Register at = V::load(reinterpret_cast<const uint8_t *>(numbers));
    wipe(numbers, sizeof numbers);
    for (int e = first + count; e < m; e++) {
      Register row[parts];
      load_row(row, e);
      permuted(at, row).store(entries_[e]);
    }
    for (int e = first + count; e < m; e++) clear<count>(e, a);
  }
  template <int count> void clear(int e, const Register (&a)[count][parts]) {
    Register row[parts];
    load_row(row, e);
#pragma GCC unroll 8
    for (int k = 0; k < count; k++) add_multiple(row, V::broadcast4(entries_[e] + 4 * k), a[k]);
#pragma GCC unroll 2
    for (int p = 0; p < parts; p++) row[p].store(row_[e] + p * V::bytes);
  }
  // The number of the first element that is not zero; 128 if there is none.
  static int first_nonzero(const Register (&a)[parts]) {
    uint64_t mask[2] = {V::nonzero_bytes(a[0]), 0};
    if constexpr (parts == 2) mask[1] = V::nonzero_bytes(a[1]);
    mask[m / 64] &= (uint64_t(1) << (m % 64)) - 1;  // y's is none of them
    const uint64_t none_in_first = ~mask_of_nonzero(mask[0]);
    return int(below_lowest(mask[0]) + (below_lowest(mask[1]) & none_in_first));
  }

  void take_rows() {
    // Eight bytes of eight columns are turned to rows, eight such tiles side by side.
    constexpr int words = Mvector<P>::words, tiles = 8;
    using Words = typename WordOf<tiles>::type;
    static_assert(8 * words <= rows);
    for (auto &row : row_) zero(row, sizeof row);
    for (int j = 0; j <= m; j += 8)
      for (int i = 0; i < words; i += tiles) {
        const int count = words - i < tiles ? words - i : tiles;
        Words tile[8];
        for (int c = 0; c < 8; c++) {
          uint64_t column[tiles] = {};
          for (int t = 0; t < count; t++) column[t] = j + c <= m ? A[j + c <= m ? j + c : 0].w[i + t] : 0;
          __builtin_memcpy(&tile[c], column, sizeof column);
        }
        transpose8(tile);
        uint64_t of[8][tiles];
        __builtin_memcpy(of, tile, sizeof of);
        for (int t = 0; t < count; t++)
          for (int r = 0; r < 8; r++) store64(row_[8 * (i + t) + r] + j, of[r][t]);
      }
    if constexpr (F::bits == 4) {  // rows 2 i and 2 i + 1 are in the low and high nibbles of row i
      const Register low = V::broadcast8(subfield_maps.from_low), high = V::broadcast8(subfield_maps.from_high);
      for (int i = m / 2 - 1; i >= 0; i--)
        for (int p = 0; p < parts; p++) {
          const Register both = V::load(row_[i] + p * V::bytes);
          V::affine(both, high).store(row_[2 * i + 1] + p * V::bytes);
          V::affine(both, low).store(row_[2 * i] + p * V::bytes);
        }
    }
  }
  // Of eight rows at a time, the last ones first, the elements of x in their pivot columns: y's and what the elements that are known contribute.
  void take_solution(X &x) const {
    Register sum[parts];  // x, as far as it is known, and 1 as the factor of y
    for (int p = 0; p < parts; p++) sum[p] = V::at_byte(V::broadcast1(m), p * V::bytes, V::broadcast1(1));
    for (int first = (m - 1) / height * height; first >= 0; first -= height) {
      const int count = m - first < height ? m - first : height;
      Register value[height];
#pragma GCC unroll 8
      for (int k = 0; k < height; k++) {
        Register row[parts];
        load_row(row, k < count ? first + k : first);
        value[k] = V::zero();
#pragma GCC unroll 2
        for (int p = 0; p < parts; p++) value[k] = value[k] ^ V::multiply(row[p], sum[p]);
      }
      V::sums_of_bytes(value);
      for (int k = 0; k < count; k++) {
        const Register number = V::broadcast1(uint8_t(pivot_[first + k]));
#pragma GCC unroll 2
        for (int p = 0; p < parts; p++) sum[p] = sum[p] ^ V::at_byte(number, p * V::bytes, value[k]);
      }
    }
    alignas(64) uint8_t bytes[parts * V::bytes];
    for (int p = 0; p < parts; p++) {
      if constexpr (F::bits == 4) sum[p] = V::affine(sum[p], V::broadcast8(subfield_maps.to_low));
      sum[p].store(bytes + p * V::bytes);
    }
    x.zero();
    for (int c = 0; c < m; c++) x.set(0, c, {bytes[c]});
    wipe(bytes, sizeof bytes);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
