// SPDX-License-Identifier: Apache-2.0
// The kernels over byte shuffles: one shuffle multiplies as many nibbles as a register has bytes by two scalars at once.
//
// For a pair of scalars (a, b) the sixteen bytes a*i | b*i << 4 are a table; looking a register of nibbles i up in it gives the products with
// both.  In `times` the nibbles are those of P and the scalars two columns of X; in `add_outer` the nibbles are those of W and the scalars two
// rows of U.  m-vectors are kept as two planes of nibbles, a byte each: even equations and odd ones.  One table serves everything it multiplies
// (all rows of a block in `times`, all columns in `add_outer`), so these stand side by side without padding, and registers are full
// whatever m is.
#pragma once
#include "backend/portable/kernels.hpp"
#include "backend/wide/product_tables.hpp"
#include "backend/wide/shuffle_solver.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P, class V, class AesType> struct ShuffleKernels : PortableKernels<P, AesType> {
  // Rows side by side fill registers: 3 or 4 entries of any set waste little.  Three where memory is dear (level 1's 64 KB).
  static constexpr int entry = P::m_bytes, block = entry <= 40 ? 3 : 4;
  using Solver = ShuffleSolver<P, V>;
  static constexpr int padded(int n) { return (n + V::bytes - 1) / V::bytes * V::bytes; }

  // Row r of a matrix as tables, a pair of columns each.
  template <int Rows, int C> struct Tables {
    static constexpr int pairs = (C + 1) / 2, words = (gf16::words(C) + 1) / 2 * 2;
    alignas(16) uint8_t table[Rows][pairs][16];
    template <int N> void set(const Fmat<N, C> &A) {
      alignas(16) uint8_t wide[8 * words][16];
      for (int r = 0; r < Rows; r++) {
        uint64_t row[words] = {};
        for (int w = 0; w < gf16::words(C) && r < N; w++) row[w] = A.w[r][w];
        product_tables<V, words>(wide, row);
        for (int p = 0; p < pairs; p++) copy(table[r][p], wide[p], 16);
      }
      wipe(wide, sizeof wide);
    }
  };
  template <int N, int C> struct Right : Tables<N, C> {};
  template <int N, int R> struct Left : Tables<N + block, R> {};  // rows past N are zero

  template <int C> struct Products {
    static constexpr int size = padded(C * entry);
    alignas(64) uint8_t plane[block][2][size + 64];  // of row b: even and odd equations of W_b[0], W_b[1] ..

    template <int N> void times(const Strip (&strips)[block], const Right<N, C> &X) {
      multiply(strips, X);
      for (int b = 0; b < block; b++)
        for (int parity = 0; parity < 2; parity++) write(plane[b][parity], b, parity);
    }
    template <int N> void add_times(const Strip (&strips)[block], const Right<N, C> &X) {
      multiply(strips, X);
      uint8_t *more = reinterpret_cast<uint8_t *>(index);  // free by now
      static_assert(sizeof plane[0][0] <= sizeof index);
      for (int b = 0; b < block; b++)
        for (int parity = 0; parity < 2; parity++) {
          write(more, b, parity);
          for (int x = 0; x < size; x += V::bytes)
            (V::load(plane[b][parity] + x) ^ V::load(more + x)).store(plane[b][parity] + x);
        }
    }

    void add(const Strip (&strips)[block], int column) {
      for (int b = 0; b < block; b++) {
        const int n = strips[b].count * entry;
        for (int x = 0; x < n; x += V::bytes) {
          const V packed = V::load(strips[b].entries + x) & first_bytes(n - x);
          uint8_t *even = plane[b][0] + column * entry + x, *odd = plane[b][1] + column * entry + x;
          (V::load(even) ^ packed.low_nibbles()).store(even);
          (V::load(odd) ^ packed.high_nibbles()).store(odd);
        }
      }
    }

    void get(Mvector<P> &to, int b, int c) const { join<false>(to, plane[b][0] + c * entry, plane[b][1] + c * entry); }

   private:
    // Entries j of all rows of a block, side by side, as indices; and the sums that they go into, by pairs of columns.
    static constexpr int pairs = (C + 1) / 2, flat = padded(block * entry), registers = flat / V::bytes;
    static constexpr int chunk = 6;                                               // entries at a time
    static constexpr int together = registers <= 4 ? 3 : registers <= 6 ? 2 : 1;  // pairs at a time: their sums stay in registers
    alignas(64) uint8_t index[chunk][2][flat + V::bytes];
    alignas(64) uint8_t sums[pairs][2][flat + V::bytes];

    template <int N> void multiply(const Strip (&strips)[block], const Right<N, C> &X) {
      int first = N, end = 0;  // of the columns that any of the strips has
      for (const Strip &s : strips) {
        if (s.count > 0 && s.first < first) first = s.first;
        if (s.count > 0 && s.first + s.count > end) end = s.first + s.count;
      }
      int j = first;
      do {
        const int count = end - j < chunk ? end - j : chunk;  // not positive if all strips are empty
        unpack(strips, j, count);
        for (int parity = 0; parity < 2; parity++) {
          int p = 0;
          for (; p + together <= pairs; p += together) accumulate<together>(&X.table[j], count, p, parity, j == first);
          if constexpr (pairs % together != 0) accumulate<pairs % together>(&X.table[j], count, p, parity, j == first);
        }
        j += chunk;
      } while (j < end);
    }
    void unpack(const Strip (&strips)[block], int j, int count) {
      for (int i = 0; i < count; i++)
        for (int b = 0; b < block; b++) {  // ascending: what is written past an entry is overwritten by the next
          const Strip &s = strips[b];
          const bool there = j + i >= s.first && j + i < s.first + s.count;
          const uint8_t *p = s.entries + (there ? j + i - s.first : 0) * entry;
          for (int x = 0; x < entry; x += V::bytes) {
            const V packed = there ? V::load(p + x) : V::zero();
            packed.low_nibbles().store(index[i][0] + b * entry + x);
            packed.high_nibbles().store(index[i][1] + b * entry + x);
          }
        }
    }
    template <int Together> void accumulate(const uint8_t (*table)[pairs][16], int count, int p, int parity, bool fresh) {
      V acc[Together][registers];
#pragma GCC unroll 4  // all loops over registers are unrolled, else the sums would live in memory
      for (int q = 0; q < Together; q++)
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) acc[q][x] = fresh ? V::zero() : V::load(sums[p + q][parity] + x * V::bytes);
      for (int i = 0; i < count; i++) {
        V t[Together];
#pragma GCC unroll 4
        for (int q = 0; q < Together; q++) t[q] = V::broadcast16(table[i][p + q]);
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) {
          const V nibbles = V::load(index[i][parity] + x * V::bytes);
#pragma GCC unroll 4
          for (int q = 0; q < Together; q++) acc[q][x] = acc[q][x] ^ V::look_up(t[q], nibbles);
        }
      }
#pragma GCC unroll 4
      for (int q = 0; q < Together; q++)
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) acc[q][x].store(sums[p + q][parity] + x * V::bytes);
    }
    // The columns of row b, side by side; ascending, as what is written past a column is overwritten by the next.  Zero to the end.
    void write(uint8_t *to, int b, int parity) const {
      for (int c = 0; c < C; c++)
        for (int x = 0; x < entry; x += V::bytes) {
          const V bytes = V::load(sums[c / 2][parity] + b * entry + x);
          (c % 2 == 0 ? bytes.low_nibbles() : bytes.high_nibbles()).store(to + c * entry + x);
        }
      for (int x = C * entry; x < size + 64; x++) to[x] = 0;
    }
  };

  template <int R, int C> struct Sums {
    static constexpr int columns = C, pairs = (R + 1) / 2, size = padded(C * entry);
    alignas(64) uint8_t plane[pairs][2][size + V::bytes];  // byte: rows 2p and 2p + 1 of U at one equation

    void zero() {
      for (auto &pair : plane)
        for (auto &parity : pair)
          for (int x = 0; x < size + V::bytes; x += V::bytes) V::zero().store(parity + x);
    }
    template <int N, int D> void add_outer(const Left<N, R> &left, int index, const Products<D> &W, int column) {
      for (int p = 0; p < pairs; p++) {
        V t[block];
        for (int b = 0; b < block; b++) t[b] = V::broadcast16(left.table[index + b][p]);
        for (int parity = 0; parity < 2; parity++)
          for (int x = 0; x < C * entry; x += V::bytes) {
            V sum = V::load(plane[p][parity] + x);
#pragma GCC unroll 4
            for (int b = 0; b < block; b++) sum = sum ^ V::look_up(t[b], V::load(W.plane[b][parity] + column * entry + x));
            sum.store(plane[p][parity] + x);  // past column C stands what no one reads
          }
      }
    }
    template <int Origin, int N> void add_outer(const Left<N, R> &left, int index, const Strip (&strips)[block]) {
      for (int b = 0; b < block; b++) {
        const int at = (strips[b].first - Origin) * entry, n = strips[b].count * entry;
        for (int x = 0; x < n; x += V::bytes) {
          const V packed = V::load(strips[b].entries + x) & first_bytes(n - x);
          const V nibbles[2] = {packed.low_nibbles(), packed.high_nibbles()};
          for (int p = 0; p < pairs; p++) {
            const V t = V::broadcast16(left.table[index + b][p]);
            for (int parity = 0; parity < 2; parity++) {
              uint8_t *to = plane[p][parity] + at + x;
              (V::load(to) ^ V::look_up(t, nibbles[parity])).store(to);
            }
          }
        }
      }
    }
    void get(Mvector<P> &to, int i, int j) const {
      const uint8_t *even = plane[i / 2][0] + j * entry, *odd = plane[i / 2][1] + j * entry;
      if (i % 2 == 0)
        join<false>(to, even, odd);
      else
        join<true>(to, even, odd);
    }
    void add(int i, int j, const Mvector<P> &from) {
      uint8_t packed[8 * Mvector<P>::words];
      for (int w = 0; w < Mvector<P>::words; w++) store64(packed + 8 * w, from.w[w]);
      for (int x = 0; x < entry; x++) {
        uint8_t &even = plane[i / 2][0][j * entry + x], &odd = plane[i / 2][1][j * entry + x];
        even = uint8_t(even ^ (packed[x] & 15) << (4 * (i % 2)));
        odd = uint8_t(odd ^ (packed[x] >> 4) << (4 * (i % 2)));
      }
      wipe(packed, sizeof packed);
    }
  };

 private:
  // A mask of the first n bytes, n > 0; all of them if there are more.
  static V first_bytes(int n) {
    static constexpr struct Mask {
      uint8_t b[2 * V::bytes];
      constexpr Mask() : b{} {
        for (int i = 0; i < V::bytes; i++) b[i] = 0xff;
      }
    } mask;
    return V::load(mask.b + V::bytes - (n < V::bytes ? n : V::bytes));
  }
  // The low or the high nibbles of two planes as one m-vector.
  template <bool High> static void join(Mvector<P> &to, const uint8_t *even, const uint8_t *odd) {
    constexpr uint64_t low = 0x0f0f0f0f0f0f0f0f;
    for (int w = 0; w < Mvector<P>::words; w++) {
      const uint64_t e = load64(even + 8 * w), o = load64(odd + 8 * w);
      to.w[w] = High ? ((e >> 4) & low) | (o & ~low) : (e & low) | (o & low) << 4;
    }
    to.w[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
  }
};

}  // namespace aioli::inline AIOLI_ISA
