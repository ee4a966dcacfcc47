// SPDX-License-Identifier: Apache-2.0
// The column solver (linalg/solver.hpp) over affine maps, for registers of sixty-four bytes: the matrix is kept by rows, one or two registers
// each, with the right side as its last column.
//
// Columns are still what is added to each other: to clear row e in all unused columns, each later row gets the vector of factors times its own
// entry in the pivot column, whose number is secret: the entry is fetched by a permutation of the row and turned into an affine map by a
// table that fits in two registers.  No row is ever searched for or moved.
#pragma once
#include "backend/wide/affine_map.hpp"
#include "linalg/solver.hpp"

namespace aioli::inline AIOLI_ISA {

// F as a subfield of GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, for which there is an instruction; and multiplications in F itself.
struct SubfieldMaps {
  AffineMap from_low{}, from_high{}, to_low{}, to_high{};  // of a byte's nibble to the subfield, and from there
  AffineMap times[16]{}, divided_by[16]{};                 // both nibbles of a byte times a scalar, or its inverse (0 for 0)

  consteval SubfieldMaps() {
    int image[4] = {1, 0, 0, 0};  // of x^j
    for (int g = 2; image[1] == 0; g++)
      if ((product(product(g, g), product(g, g)) ^ g ^ 1) == 0) image[1] = g;
    image[2] = product(image[1], image[1]), image[3] = product(image[2], image[1]);
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 4; j++)
        if (image[j] >> i & 1) set(from_low, i, j), set(from_high, i, 4 + j);
    for (int j = 0; j < 4; j++) {
      int w = 0;  // the sum of these bits is the coefficient of x^j
      for (bool right = false; !right;) {
        w++;
        right = true;
        for (int l = 0; l < 4; l++) right = right && parity(w & image[l]) == (l == j);
      }
      for (int i = 0; i < 8; i++)
        if (w >> i & 1) set(to_low, j, i), set(to_high, 4 + j, i);
    }
    for (int a = 0; a < 16; a++)
      for (int nibble = 0; nibble < 8; nibble += 4) {
        set_product(times[a], nibble, nibble, GF16{uint8_t(a)});
        set_product(divided_by[a], nibble, nibble, inverse(GF16{uint8_t(a)}));
      }
  }

 private:
  static consteval int product(int a, int b) {
    int p = 0;
    for (; b != 0; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x11b : 0))
      if (b & 1) p ^= a;
    return p;
  }
  static consteval int parity(int a) {
    int p = 0;
    for (; a != 0; a >>= 1) p ^= a & 1;
    return p;
  }
};
inline constexpr SubfieldMaps subfield_maps;

template <class P, class V> struct RowSolver {
  using X = Fmat<P::k, P::o>;
  using Register = typename V::Register;
  static constexpr int m = P::m, columns = P::k * P::o, words = gf16::words(columns + 1), height = Mvector<P>::words;
  static constexpr int in_register = 2 * V::bytes, parts = (columns + in_register) / in_register, layers = (height + 7) / 8;
  static constexpr int bits = __builtin_ctz(in_register);
  static_assert(parts <= 2 && in_register == 1 << bits);

  Mvector<P> A[columns + 1];  // in: the columns of A, then y; used up
  static constexpr int row_bytes = parts * V::bytes;
  alignas(64) uint8_t row[m][row_bytes];    // later: the multiples of the pivot column that the others got
  alignas(64) uint8_t pivot[m][row_bytes];  // all ones at the element of the pivot column of equation e

  bool solve(X &x, const X &r) {
    subtract_fixed(r);
    for (int t = 0; t < words; t++) transpose_columns(t);
    const uint64_t singular = eliminate();
    substitute_back();
    x = r;
    add_solution(x);
    // "Singular, try again with new vinegar" is all that is said about A; the specification lets the number of attempts be seen.
    return reveal(singular) == 0;
  }

 private:
  // y -= A r
  void subtract_fixed(const X &r) {
    Register y[layers];
    alignas(64) uint8_t bytes[layers * V::bytes], map[16][8];
    load_column(bytes, columns);
    for (int l = 0; l < layers; l++) y[l] = V::load(bytes + l * V::bytes);
    for (int i = 0; i < P::k; i++)
      for (int w = 0; w < X::row_words; w++) {
        V::maps(subfield_maps.times, V::nibbles(r.w[i][w])).store(map[0]);
        V::maps(subfield_maps.times, V::nibbles(r.w[i][w] >> 32)).store(map[8]);
        for (int c = 0; c < 16 && 16 * w + c < P::o; c++) {
          load_column(bytes, i * P::o + 16 * w + c);
          for (int l = 0; l < layers; l++) y[l] = y[l] ^ V::affine(V::load(bytes + l * V::bytes), V::broadcast8(map[c]));
        }
      }
    for (int l = 0; l < layers; l++) y[l].store(bytes + l * V::bytes);
    A[columns].load(bytes);
    wipe(map, sizeof map);
  }
  void load_column(uint8_t *bytes, int j) const {
    for (int w = 0; w < 8 * layers; w++) store64(bytes + 8 * w, w < height ? A[j].w[w] : 0);
  }
  // Columns 16 t .. 16 t + 15 to word t of each row: tiles of sixteen by sixteen, eight at a time.
  typedef uint64_t Words8 __attribute__((vector_size(64)));
  void transpose_columns(int t) {
    for (int layer = 0; layer < layers; layer++) {
      Words8 tile[16];
      for (int c = 0; c < 16; c++)
        for (int w = 0; w < 8; w++) {
          const int j = 16 * t + c, from = 8 * layer + w;
          tile[c][w] = j <= columns && from < height ? A[j <= columns ? j : 0].w[from < height ? from : 0] : 0;
        }
      transpose16(tile);
      for (int w = 0; w < 8; w++)
        for (int i = 0; i < 16; i++) {
          const int e = 16 * (8 * layer + w) + i;
          if (e < m) store64(row[e] + 8 * t, tile[i][w]);
        }
    }
  }
  // Not zero if some equation found no pivot.
  uint64_t eliminate() {
    Register free[parts], right_side[parts];
    alignas(64) uint8_t bytes[row_bytes];
    for (int w = 0; w < 8 * parts; w++) store64(bytes + 8 * w, gf16::first(columns - 16 * w < 0 ? 0 : columns - 16 * w));
    for (int p = 0; p < parts; p++) {
      free[p] = V::load(bytes + p * V::bytes);
      right_side[p] = V::nibble_mask(columns - p * in_register);
    }
    for (int e = 0; e < m; e++)  // words that no column has are zero
      for (int w = words; w < 8 * parts; w++) store64(row[e] + 8 * w, 0);
    uint64_t singular = 0;
    for (int e = 0; e < m; e++) {
      // The first unused column that is not zero in this row; in_register * parts if there is none.
      Register here[parts];
      for (int p = 0; p < parts; p++) here[p] = V::load(row[e] + p * V::bytes);
      int c = V::first_nibble(here[0] & free[0]);
      if constexpr (parts == 2) {
        const int second = plus(in_register, V::first_nibble(here[1] & free[1])), none = minus(0, c >> bits);
        c ^= (c ^ second) & none;
      }
      singular |= uint64_t(c >> bits >> (parts - 1));
      const typename V::Place place = V::place(c);
      // The multiples of the pivot column that clear row e in all unused columns and in y.
      Register factor[parts];
      const Register divide = V::maps(subfield_maps.divided_by, element(here, place));
      for (int p = 0; p < parts; p++) {
        const Register taken = V::nibble_mask(minus(c, p * in_register));
        free[p] = V::without(free[p], taken);
        factor[p] = V::affine(here[p], divide) & (free[p] ^ right_side[p]);
        factor[p].store(row[e] + p * V::bytes);
        taken.store(pivot[e] + p * V::bytes);
      }
#pragma GCC unroll 4
      for (int later = e + 1; later < m; later++) {
        Register r[parts];
        for (int p = 0; p < parts; p++) r[p] = V::load(row[later] + p * V::bytes);
        const Register times = V::maps(subfield_maps.times, element(r, place));
        for (int p = 0; p < parts; p++) (r[p] ^ V::affine(factor[p], times)).store(row[later] + p * V::bytes);
      }
    }
    return singular;
  }
  static Register element(const Register (&r)[parts], typename V::Place place) {
    if constexpr (parts == 1)
      return V::element(r[0], place);
    else
      return V::element(r[0], r[1], place);
  }
  // Backwards: the pivot of equation e carries what y needed of it, less what later pivots already brought along.  The solution's elements are
  // bytes in the subfield, those of even and of odd columns; the right side's own is -1.  Left in row[0], packed.
  void substitute_back() {
    Register even[parts], odd[parts];
    const Register from_low = V::broadcast8(subfield_maps.from_low), from_high = V::broadcast8(subfield_maps.from_high);
    for (int p = 0; p < parts; p++) {
      const Register one = V::nibble_mask(columns - p * in_register) & V::broadcast8(ones);
      even[p] = V::affine(one, from_low), odd[p] = V::affine(one, from_high);
    }
    for (int e = m - 1; e >= 0; e--) {
      Register sum = V::zero();
      for (int p = 0; p < parts; p++) {
        const Register factor = V::load(row[e] + p * V::bytes);
        sum = V::sum(sum, V::multiply(V::affine(factor, from_low), even[p]), V::multiply(V::affine(factor, from_high), odd[p]));
      }
      const Register value = V::sum_of_bytes(sum);
      for (int p = 0; p < parts; p++) {
        const Register at = V::load(pivot[e] + p * V::bytes);
        even[p] = V::put_low(even[p], at, value), odd[p] = V::put_high(odd[p], at, value);
      }
    }
    const Register to_low = V::broadcast8(subfield_maps.to_low), to_high = V::broadcast8(subfield_maps.to_high);
    for (int p = 0; p < parts; p++) (V::affine(even[p], to_low) ^ V::affine(odd[p], to_high)).store(row[0] + p * V::bytes);
  }
  static constexpr uint8_t ones[8] = {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11};

  void add_solution(X &x) const {
    X solution;
    decode(solution, row[0]);
    for (int i = 0; i < P::k; i++)
      for (int w = 0; w < X::row_words; w++) x.w[i][w] ^= solution.w[i][w];
    wipe(&solution, sizeof solution);
  }
};

}  // namespace aioli::inline AIOLI_ISA
