// SPDX-License-Identifier: Apache-2.0
// SampleSolution by LU factorisation of the transposed system, in constant time, for every vector type and both fields.
//
// The columns of A come as m-vectors, so they are the rows of B = A^T, and x^T B = y^T.  Rows are taken from the first to the
// last.  A row's pivot is its first element that is not zero, once the multiples of earlier pivots' rows are off it; a row that
// is zero then is a combination of rows before it.  So rows with a pivot belong to the leftmost columns of A that span, which are
// the specification's pivots, and the others are its free columns.  Where a pivot is, and whether there is one, is secret: all
// that depends on it are shuffles of registers.  No row is searched for or moved.
//
// B = L U.  y^T is one more row, whose factors z^T = y^T U^-1 come out of the elimination as those of the others do, and x^T L =
// z^T is solved from the last rows on, x_j = r_j where row j is free.  Nothing is transposed, U is not kept, and the order of
// equations in a row does not matter.
//
// `height` rows are reduced among themselves in registers; every later row then needs its elements in their pivot columns, and
// all multiples are added in one pass (docs/decisions/0024-one-solver-for-wide-registers.md).
#pragma once
#include "backend/wide/lowest_bit.hpp"
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// S: how to multiply with these registers (lu_shuffles.hpp, lu_products.hpp).
template <class P, class S> struct LuSolver {
  using F = FieldOf<P>;
  using X = Fmat<P::k, P::o, F>;
  using V = typename S::V;
  using Register = typename S::Register;
  static constexpr int m = P::m, columns = P::k * P::o, height = S::height;
  // A line is the bytes of one row or, over GF(16), of two: those of the even one in the low nibbles.  The order of equations is
  // free there.
  static constexpr int fold = 8 / F::bits, packed = F::bytes(m);
  static constexpr int registers(int bytes) { return (bytes + V::bytes - 1) / V::bytes; }
  static constexpr int parts = registers(fold * packed), stride = parts * V::bytes;
  // Rows past the last column are zero, and y's has a line of its own.
  static constexpr int rows = (columns + height - 1) / height * height, right_side = rows / fold, lines = right_side + 1;
  static constexpr int L_parts = registers(rows), L_stride = L_parts * V::bytes;
  static_assert(stride <= 192 && rows <= 255 && V::bytes % height == 0);

  union {
    Mvector<P> A[columns + 1];  // in: the columns of A, then y; used up
    // L in lines, and z: column c belongs to row c.  Its diagonal blocks are the inverses of L's.
    alignas(64) uint8_t L_[lines][L_stride];
  };

  // x, k x o, row i being x_i; r gives the free columns.  False, in time that does not depend on A, y or r, if the rank of A is
  // less than m.
  bool solve(X &x, const X &r) {
    take_rows();
    uint32_t free = 0;
    for (int first = 0; first < rows; first += height) free = eliminate(first, free);
    take_solution(x, r);
    // "Singular, try again with other vinegar" is all that is said about A; the number of attempts may be seen.
    return reveal(mask_of_nonzero(free ^ uint32_t(rows - m))) == 0;
  }

 private:
  alignas(64) uint8_t line_[lines + 1][stride];               // the last one is nobody's
  alignas(64) uint8_t pivots_[S::operands][parts][V::bytes];  // rows of the current block, as they are multiplied
  alignas(64) uint8_t free_[L_stride];                        // all ones where a row has no pivot
  typename S::Factors factors_;                               // of some lines

  static void store_block(uint8_t *to, uint64_t word) {
    if constexpr (height == 8)
      store64(to, word);
    else
      store32(to, uint32_t(word));
  }
  static void load_line(Register (&a)[parts], const uint8_t *p) {
#pragma GCC unroll 8
    for (int i = 0; i < parts; i++) a[i] = V::load(p + i * V::bytes);
  }
  // The number of the first element that is not zero; past the last one if there is none.
  static uint8_t first_nonzero(const Register (&a)[parts]) {
    constexpr int words = (stride + 63) / 64;
    uint64_t mask[words] = {}, none = ~uint64_t(0), n = 0;
#pragma GCC unroll 8
    for (int i = 0; i < parts; i++) mask[i * V::bytes / 64] |= uint64_t(V::nonzero_bytes(a[i])) << (i * V::bytes % 64);
#pragma GCC unroll 4
    for (int w = 0; w < words; w++) {
      n = plus(n, below_lowest(mask[w]) & none);
      none &= ~mask_of_nonzero(mask[w]);
    }
    return uint8_t(n);
  }

  // Rows first .. first + height - 1, so that each has 1 in its pivot column and 0 in the others' ones; and all later lines, so
  // that these have 0 in them.  Returns how many rows are free, so many before them.
  uint32_t eliminate(int first, uint32_t free) {
    Register row[height][parts], unit[height];  // unit: of what the rows of the block were, what a row is
#pragma GCC unroll 8
    for (int k = 0; k < height; k += fold) {
      unit[k] = S::unit(k);
      if constexpr (fold == 2) unit[k + 1] = S::unit(k + 1);
#pragma GCC unroll 8
      for (int i = 0; i < parts; i++) {
        Register both[fold];
        S::split(both, V::load(line_[quotient(first + k, fold)] + i * V::bytes));
        row[k][i] = both[0];
        if constexpr (fold == 2) row[k + 1][i] = both[1];
      }
    }
    alignas(8) uint8_t pivots[height];
#pragma GCC unroll 8
    for (int k = 0; k < height; k++) {
      const uint8_t n = first_nonzero(row[k]);
      pivots[k] = n;
      // A free row is zero, and so is what others get of it; its unit says of which rows before it is the sum.
      const uint64_t none = all_ones_if(past(n));
      free = plus(free, uint32_t(none & 1));
      free_[first + k] = uint8_t(none);
      const typename S::Scalar scale = S::scalar(S::inverse(V::element(row[k], n) ^ V::broadcast1(uint8_t(none & 1))));
#pragma GCC unroll 8
      for (int i = 0; i < parts; i++) row[k][i] = S::product(row[k][i], scale);
      unit[k] = S::product(unit[k], scale);
      const Register pivot_unit = unit[k] & V::broadcast1(uint8_t(~none));
#pragma GCC unroll 8
      for (int j = 1; j < height; j++) {  // first the one that the next pivot waits for
        const int other = (k + j) % height;
        const typename S::Scalar s = S::scalar(V::element(row[other], n));
#pragma GCC unroll 8
        for (int i = 0; i < parts; i++) row[other][i] = row[other][i] ^ S::product(row[k][i], s);
        unit[other] = unit[other] ^ S::product(pivot_unit, s);
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < parts; i++) {
      Register of[height], to[S::operands];
#pragma GCC unroll 8
      for (int k = 0; k < height; k++) of[k] = row[k][i];
      S::set_operands(to, of);
#pragma GCC unroll 8
      for (int p = 0; p < S::operands; p++) to[p].store(pivots_[p][i]);
    }
#pragma GCC unroll 8
    for (int k = 0; k < height; k += fold) {
      Register both[fold];
      both[0] = unit[k];
      if constexpr (fold == 2) both[1] = unit[k + 1];
      store_block(L_[quotient(first + k, fold)] + first, V::first_word(S::join(both)));
    }
    const typename S::Places places = S::places(pivots);
    wipe(pivots, sizeof pivots);
    for (int line = quotient(first + height, fold); line < lines; line += S::chunk) {
      const int n = lines - line < S::chunk ? lines - line : S::chunk;
      for (int i = 0; i < n; i++) {
        Register a[parts];
        load_line(a, line_[line + i]);
        store_block(L_[line + i] + first, S::template entries<parts>(factors_, i, a, places));
      }
      if (first + height == rows) break;  // y's row has nothing more to give
      S::prepare(factors_);
      for (int i = 0; i < n; i += 2) add_pivots(line + i, i);
    }
    return free;
  }
  static constexpr int none_at = (stride + 63) / 64 * 64;
  static uint64_t past(uint64_t n) { return none_at == 64 ? n >> 6 : none_at == 128 ? n >> 7 : (n & n << 1) >> 7; }

  // To this line and the next, whose factors are the i-th.
  [[gnu::always_inline]] void add_pivots(int line, int i) {
    const uint8_t *const a = S::factors_of(factors_, i), *const b = S::factors_of(factors_, i + 1);
    Register sum[2][parts];
    load_line(sum[0], line_[line]), load_line(sum[1], line_[line + 1]);
#pragma GCC unroll 4
    for (int p = 0; p < S::operands; p += 2) {
      const Register a0 = S::factor(a, p), a1 = S::factor(a, p + 1), b0 = S::factor(b, p), b1 = S::factor(b, p + 1);
#pragma GCC unroll 8
      for (int x = 0; x < parts; x++) {
        const Register p0 = V::load(pivots_[p][x]), p1 = V::load(pivots_[p + 1][x]);
        sum[0][x] = S::sum(sum[0][x], S::multiple(p0, a0), S::multiple(p1, a1));
        sum[1][x] = S::sum(sum[1][x], S::multiple(p0, b0), S::multiple(p1, b1));
      }
    }
#pragma GCC unroll 2
    for (int j = 0; j < 2; j++)
#pragma GCC unroll 8
      for (int x = 0; x < parts; x++) sum[j][x].store(line_[line + j] + x * V::bytes);
  }

  void take_rows() {
    constexpr int words = Mvector<P>::words;
    static constexpr uint64_t zeros[words] = {};
    for (int l = 0; l < lines; l++) {
      uint8_t *to = line_[l];
      const int j = l == right_side ? columns : fold * l;
      const uint64_t *a = l < right_side && j >= columns ? zeros : A[j <= columns ? j : columns].w;
      V::zero().store(to + stride - V::bytes);
      if constexpr (fold == 1) {
        for (int w = 0; w < words; w++) store64(to + 8 * w, a[w]);
      } else {
        constexpr uint64_t low = 0x0f0f0f0f0f0f0f0f;
        const uint64_t *b = j + 1 < columns ? A[j + 1 < columns ? j + 1 : 0].w : zeros;
        for (int w = 0; w < words; w++) store64(to + 8 * w, (a[w] & low) | (b[w] & low) << 4);
        for (int w = 0; w < words; w++) store64(to + packed + 8 * w, (a[w] >> 4 & low) | (b[w] & ~low));
      }
    }
    zero(line_[lines], stride);
    zero(free_, sizeof free_);
  }

  // x^T L = z^T.  The inverses of L's diagonal blocks make x of z, `height` elements at a time; their multiples of L's rows go
  // off z.
  void take_solution(X &x, const X &r) {
    alignas(64) uint8_t bytes[L_stride];
    Register z[L_parts];
    for (int i = 0; i < L_parts; i++) z[i] = elements(L_[right_side] + i * V::bytes);
    if constexpr (columns > m) {  // where there are free columns, in systems that have a solution
      set_elements(bytes, r);
      for (int i = 0; i < L_parts; i++) z[i] = z[i] ^ (elements(bytes + i * V::bytes) & V::load(free_ + i * V::bytes));
    }
    substitute_back<L_parts - 1>(bytes, z);
    for (int i = 0; i < L_parts; i++) {
      Register both[fold];
      both[0] = V::load(bytes + i * V::bytes);
      if constexpr (fold == 2) both[1] = V::zero();
      S::join(both).store(bytes + i * V::bytes);
    }
    get_elements(x, bytes);
    wipe(bytes, sizeof bytes);
  }
  // Elements, a byte each, of a matrix row after row.
  static void set_elements(uint8_t (&to)[L_stride], const X &a) {
    if constexpr (fold == 1) {
      for (int w = 0; w < X::row_words; w++) store64(to + 8 * w, a.w[0][w]);
    } else {
      uint8_t nibbles[L_stride / 2 + 8] = {};
      for (int i = 0; i < P::k; i++) encode_row(nibbles, i * P::o, a, i);
      for (int i = 0; i < L_stride / 2; i += 4) {
        uint64_t w = load32(nibbles + i);
        w = (w | w << 16) & 0x0000ffff0000ffff;
        w = (w | w << 8) & 0x00ff00ff00ff00ff;
        store64(to + 2 * i, (w | w << 4) & 0x0f0f0f0f0f0f0f0f);
      }
      wipe(nibbles, sizeof nibbles);
    }
  }
  static void get_elements(X &to, const uint8_t (&a)[L_stride]) {
    if constexpr (fold == 1) {
      for (int w = 0; w < X::row_words; w++)
        to.w[0][w] = load64(a + 8 * w) & (w + 1 < X::row_words ? ~uint64_t(0) : F::first(columns - 8 * w));
    } else {
      uint8_t nibbles[L_stride / 2 + 8];
      for (int i = 0; i < L_stride / 2; i += 4) {
        uint64_t w = load64(a + 2 * i);
        w = (w | w >> 4) & 0x00ff00ff00ff00ff;
        w = (w | w >> 8) & 0x0000ffff0000ffff;
        store32(nibbles + i, uint32_t(w | w >> 16));
      }
      decode(to, nibbles);
      wipe(nibbles, sizeof nibbles);
    }
  }
  static Register elements(const uint8_t *line) {
    Register both[fold];
    S::split(both, V::load(line));
    return both[0];
  }
  template <int part> void substitute_back(uint8_t (&x)[L_stride], Register (&z)[L_parts]) const {
    constexpr int end = rows < (part + 1) * V::bytes ? rows : (part + 1) * V::bytes;
    for (int first = end - height; first >= part * V::bytes; first -= height) {
      alignas(64) uint8_t known[V::bytes];
      z[part].store(known);
      Register value = V::zero();
#pragma GCC unroll 8
      for (int k = 0; k < height; k += fold) {
        Register inverse[fold];
        S::split(inverse, S::repeated(L_[quotient(first + k, fold)] + first));
#pragma GCC unroll 2
        for (int j = 0; j < fold; j++)
          value = value ^ S::product(inverse[j], S::scalar(V::broadcast1(known[first - part * V::bytes + k + j])));
      }
      store_block(x + first, V::first_word(value));
#pragma GCC unroll 8
      for (int k = 0; k < height; k += fold) {
        typename S::Scalar s[fold];
#pragma GCC unroll 2
        for (int j = 0; j < fold; j++) s[j] = S::scalar(V::broadcast1(x[first + k + j]));
#pragma GCC unroll 8
        for (int i = 0; i <= part; i++) {
          Register row[fold];
          S::split(row, V::load(L_[quotient(first + k, fold)] + i * V::bytes));
#pragma GCC unroll 2
          for (int j = 0; j < fold; j++) z[i] = z[i] ^ S::product(row[j], s[j]);
        }
      }
    }
    if constexpr (part > 0) substitute_back<part - 1>(x, z);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
