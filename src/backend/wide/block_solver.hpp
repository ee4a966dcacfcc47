// SPDX-License-Identifier: Apache-2.0
// The column solver (linalg/solver.hpp) over affine maps, for registers of sixty-four bytes: eight equations at a time.
//
// Columns are what is added to each other.  To clear eight rows in all other columns takes their eight pivot columns, times factors that are the
// reduced echelon form of those rows: each later row gets the sum of the eight, times its own entries in the pivot columns.  The rows of a block
// are reduced one to a register.  All others are kept by tiles of eight rows and sixteen columns, a byte for each row and pair of columns, so
// that the factors of two pivots are one map for a word.  Which columns are pivots is secret: their entries are fetched by permutations.  No row is ever
// searched for or moved.
#pragma once
#include "backend/wide/block_maps.hpp"
#include "linalg/solver.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

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

// Maps that bring one nibble of a byte to its low, or to its high nibble.
struct NibbleMoves {
  AffineMap to_low[2]{}, to_high[2]{};  // from the low, and from the high one
  consteval NibbleMoves() {
    for (int from = 0; from < 2; from++)
      for (int bit = 0; bit < 4; bit++) set(to_low[from], bit, 4 * from + bit), set(to_high[from], 4 + bit, 4 * from + bit);
  }
};
inline constexpr NibbleMoves nibble_moves;

template <class P, class V> struct BlockSolver {
  using X = Fmat<P::k, P::o>;
  using Register = typename V::Register;
  static constexpr int m = P::m, columns = P::k * P::o, height = Mvector<P>::words;
  // Blocks take the even, then the odd equations of a word each.  Columns 2q and 2q + 1 are byte q of a row.
  static constexpr int blocks = 2 * height, in_last = (m - 16 * (height - 1)) / 2;
  static constexpr int pairs = (columns + 2) / 2, tiles = (pairs + 7) / 8, parts = (tiles + 7) / 8;
  static constexpr int in_register = 2 * V::bytes, bits = __builtin_ctz(in_register);
  static_assert(V::bytes == 64 && parts <= 2 && m % 2 == 0);

  // Tiles 8p .. 8p + 7 are part p of a row: words 2k and 2k + 1 of each of them, in turns, are in lane k.  Where there are fewer than eight
  // tiles, the ends of the lanes are empty.
  static constexpr int tiles_in(int part) { return tiles - 8 * part < 8 ? tiles - 8 * part : 8; }
  static constexpr int in_lanes(int q) { return 2 * tiles_in(q / V::bytes); }
  static constexpr int place(int q) {
    return q / V::bytes * V::bytes + q % V::bytes / in_lanes(q) * 16 + q % V::bytes % in_lanes(q);
  }
  // f(where a lane begins, its first pair of columns, how many it has), for those that have any.
  template <class F> static void each_lane(const F &f) {
    for (int p = 0; p < parts; p++)
      for (int lane = 0; lane < V::bytes / 16; lane++) {
        const int n = 2 * tiles_in(p), q = p * V::bytes + lane * n;
        if (q < pairs) f(p * V::bytes + 16 * lane, q, size_t(n));
      }
  }
  static constexpr int pair_at(int t, int word) {
    return t / 8 * V::bytes + word / 2 * 2 * tiles_in(t / 8) + t % 8 * 2 + word % 2;
  }
  static constexpr int right_side = 2 * place(columns / 2) + columns % 2;
  static constexpr struct Layout {
    uint8_t columns[parts * V::bytes]{};  // ones in the nibbles of columns, less y
    consteval Layout() {
      for (int j = 0; j < BlockSolver::columns; j++) columns[place(j / 2)] |= uint8_t(15 << (j % 2 * 4));
    }
  } layout{};

  Mvector<P> A[columns + 1];                                // in: the columns of A, then y; used up
  alignas(64) uint8_t tile[blocks][tiles][V::bytes];        // byte l of a word is row l of the block
  alignas(64) uint8_t factor[blocks][8][parts * V::bytes];  // reduced rows
  int pivot[blocks][8];  // where the pivot stands in its reduced row, in nibbles; past the end if there is none
  // What clears the rows of the current block in others: the maps of each two rows, where the entries in their pivot columns are, what brings
  // these to the nibble where the maps take them, and then these entries themselves.
  alignas(64) uint8_t map[4][tiles][V::bytes], number[8][8], move[8][8], entries[blocks][V::bytes];

  bool solve(X &x, const X &r) {
    for (int t = 0; t < tiles; t++) take_columns(t);
    Register free[parts];
    for (int p = 0; p < parts; p++) free[p] = V::load(layout.columns + p * V::bytes);
    uint64_t singular = 0;
    for (int b = 0; b < blocks - 2; b++) eliminate<8>(b, free, singular);
    for (int b = blocks - 2; b < blocks; b++) eliminate<in_last>(b, free, singular);
    substitute_back(x, r, free);
    // "Singular, try again with new vinegar" is all that is said about A; the specification lets the number of attempts be seen.
    return reveal(singular) == 0;
  }

 private:
  // Tile t of all blocks.
  void take_columns(int t) {
    static constexpr uint64_t zeros[height] = {};
    const uint64_t *even[8], *odd[8];
    for (int word = 0; word < 8; word++) {
      const int j = 2 * pair_at(t, word);
      even[word] = j <= columns ? A[j].w : zeros, odd[word] = j + 1 <= columns ? A[j + 1].w : zeros;
    }
    for (int w = 0; w < height; w++) {
      Register low, high;
      V::interleave(V::gather(even, w), V::gather(odd, w), low, high);
      low.store(tile[2 * w][t]), high.store(tile[2 * w + 1][t]);
    }
  }
  // Rows of a block, one or two registers each.
  void load_rows(int block, Register (&row)[parts][8]) const {
#pragma GCC unroll 2
    for (int p = 0; p < parts; p++) {
#pragma GCC unroll 8
      for (int t = 0; t < 8; t++) row[p][t] = t < tiles_in(p) ? V::load(tile[block][t < tiles_in(p) ? 8 * p + t : 0]) : V::zero();
#pragma GCC unroll 4
      for (int round = 0; round < 4; round++) rotate_bytes<V>(row[p]);
    }
  }
  // Reduces `count` rows, and clears them in all blocks after them.
  template <int count> void eliminate(int block, Register (&free)[parts], uint64_t &singular) {
    Register row[parts][8];
    load_rows(block, row);
#pragma GCC unroll 8
    for (int l = 0; l < count; l++) {
      // The first column that is not zero in this row; all pivots before it are.  in_register * parts if there is none.
      int c = V::first_nibble(row[0][l] & V::load(layout.columns));
      if constexpr (parts == 2) {
        const int second = plus(in_register, V::first_nibble(row[1][l] & V::load(layout.columns + V::bytes)));
        c ^= (c ^ second) & minus(0, c >> bits);
      }
      const typename V::Place at = V::place(c);
      const Register divide = V::maps(subfield_maps.divided_by, element(row, l, at));
#pragma GCC unroll 2
      for (int p = 0; p < parts; p++) row[p][l] = V::affine(row[p][l], divide);
#pragma GCC unroll 8
      for (int i = 1; i < count; i++) {  // first the one that the next pivot waits for
        const int other = (l + i) % count;
        const Register times = V::maps(subfield_maps.times, element(row, other, at));
#pragma GCC unroll 2
        for (int p = 0; p < parts; p++) row[p][other] = row[p][other] ^ V::affine(row[p][l], times);
      }
#pragma GCC unroll 2
      for (int p = 0; p < parts; p++) free[p] = V::without(free[p], V::nibble_mask(minus(c, p * in_register)));
      singular |= uint64_t(c >> bits >> (parts - 1));
      pivot[block][l] = c;
      store64(number[l], uint64_t(c >> 7 << 6 | (c >> 2 & 7) << 3 | (c >> 5 & 3) << 1 | (c >> 1 & 1)));
      const auto &moves = l % 2 == 0 ? nibble_moves.to_low : nibble_moves.to_high;
      store64(move[l], load64(moves[0]) ^ (all_ones_if(uint64_t(c & 1)) & (load64(moves[0]) ^ load64(moves[1]))));
    }
#pragma GCC unroll 8
    for (int l = 0; l < 8; l++)
#pragma GCC unroll 2
      for (int p = 0; p < parts; p++) row[p][l].store(factor[block][l] + p * V::bytes);
    if (block + 1 == blocks) return;
    for (int l = count; l < 8; l++) store64(number[l], 0), store64(move[l], 0);
#pragma GCC unroll 4
    for (int two = 0; two < 4; two++)
#pragma GCC unroll 2
      for (int p = 0; p < parts; p++) {
        Register low, high, maps[8];
        V::interleave(row[p][2 * two], row[p][2 * two + 1], low, high);
        maps_of_blocks<V>(maps, low, high);
#pragma GCC unroll 8
        for (int t = 0; t < 8; t++)
          if (t < tiles_in(p)) maps[t].store(map[two][8 * p + t]);
      }
    const Register moves = V::load(move[0]);
    const typename V::template Picks<tiles> picks(V::load(number[0]));
    for (int later = block + 1; later < blocks; later++)
      V::add_neighbours(V::affine(picks.from(tile[later]), moves)).store(entries[later]);
    for (int t = 0; t + 2 <= tiles; t += 2) clear<2>(block, t);
    if constexpr (tiles % 2 != 0) clear<1>(block, tiles - 1);
  }
  // So many tiles of all blocks after this one.
  template <int count> void clear(int block, int first) {
    Register maps[count][4];
#pragma GCC unroll 2
    for (int t = 0; t < count; t++)
#pragma GCC unroll 4
      for (int two = 0; two < 4; two++) maps[t][two] = V::load(map[two][first + t]);
    for (int later = block + 1; later < blocks; later++) {
      Register e[4];
#pragma GCC unroll 4
      for (int two = 0; two < 4; two++) e[two] = V::broadcast8(entries[later] + 16 * two);
#pragma GCC unroll 2
      for (int t = 0; t < count; t++) {
        Register sum = V::load(tile[later][first + t]);
#pragma GCC unroll 2
        for (int two = 0; two < 4; two += 2)
          sum = V::sum(sum, V::affine(e[two], maps[t][two]), V::affine(e[two + 1], maps[t][two + 1]));
        sum.store(tile[later][first + t]);
      }
    }
  }
  static Register element(const Register (&row)[parts][8], int l, typename V::Place at) {
    if constexpr (parts == 1)
      return V::element(row[0][l], at);
    else
      return V::element(row[0][l], row[1][l], at);
  }
  // Backwards: the pivot of an equation carries what y and the columns that are no pivots needed of it, less what later pivots already brought
  // along.  The solution's elements are bytes in the subfield, those of even and of odd columns; the right side's own is -1.
  void substitute_back(X &x, const X &r, const Register (&free)[parts]) {
    alignas(64) uint8_t bytes[parts * V::bytes], nibbles[parts * V::bytes + 8];
    zero(nibbles, sizeof nibbles);
    for (int i = 0; i < P::k; i++) encode_row(nibbles, i * P::o, r, i);
    zero(bytes, sizeof bytes);
    each_lane([&](int at, int q, size_t n) { copy(bytes + at, nibbles + q, n); });
    Register even[parts], odd[parts];
    const Register from_low = V::broadcast8(subfield_maps.from_low), from_high = V::broadcast8(subfield_maps.from_high);
    for (int p = 0; p < parts; p++) {
      const Register known =
          (V::load(bytes + p * V::bytes) & free[p]) ^ (V::nibble_mask(right_side - p * in_register) & V::broadcast8(ones));
      even[p] = V::affine(known, from_low), odd[p] = V::affine(known, from_high);
    }
    for (int block = blocks - 1; block >= 0; block--) {
      Register value[8];
#pragma GCC unroll 8
      for (int l = 0; l < 8; l++) {
        Register sum = V::zero();
        for (int p = 0; p < parts; p++) {
          const Register f = V::load(factor[block][l] + p * V::bytes);
          sum = V::sum(sum, V::multiply(V::affine(f, from_low), even[p]), V::multiply(V::affine(f, from_high), odd[p]));
        }
        value[l] = sum;
      }
      V::sums_of_bytes(value);
      const int count = block < blocks - 2 ? 8 : in_last;
#pragma GCC unroll 8
      for (int l = 0; l < count; l++)
        for (int p = 0; p < parts; p++) {
          const Register at = V::nibble_mask(minus(pivot[block][l], p * in_register));
          even[p] = V::put_low(even[p], at, value[l]), odd[p] = V::put_high(odd[p], at, value[l]);
        }
    }
    const Register to_low = V::broadcast8(subfield_maps.to_low), to_high = V::broadcast8(subfield_maps.to_high);
    for (int p = 0; p < parts; p++) (V::affine(even[p], to_low) ^ V::affine(odd[p], to_high)).store(bytes + p * V::bytes);
    each_lane([&](int at, int q, size_t n) { copy(nibbles + q, bytes + at, n); });
    decode(x, nibbles);
    wipe(bytes, sizeof bytes), wipe(nibbles, sizeof nibbles);
  }
  static constexpr uint8_t ones[8] = {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11};
};

}  // namespace AIOLI_ISA
}  // namespace aioli
