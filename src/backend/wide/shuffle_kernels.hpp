// SPDX-License-Identifier: Apache-2.0
// The kernels over byte shuffles: one shuffle multiplies as many nibbles as a register has bytes by two scalars at once.
//
// For a pair of scalars (a, b) the sixteen bytes a*i | b*i << 4 are a table; looking a register of nibbles i up in it gives the
// products with both.  In `times` the nibbles are those of P and the scalars two columns of X; in `add_outer` the nibbles are
// those of W and the scalars two rows of U.  The even and the odd equations of an m-vector go separate ways, a nibble to a
// byte.  Rows come in fours, and one table serves all four in `times`.  Indices and sums are loaded as they were stored:
// otherwise they would wait for the cache.
#pragma once
#include "backend/portable/kernels.hpp"
#include "backend/wide/lu_shuffles.hpp"
#include "backend/wide/shuffle_layout.hpp"
#include "backend/wide/row_segments.hpp"
#include "backend/wide/vector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V, class AesType> struct ShuffleKernels : PortableKernels<P, AesType> {
  static_assert(ShuffleVector<V>);
  using Layout = ShuffleLayout<P, V>;
  static constexpr int entry = Layout::entry, block = Layout::block;
  static constexpr OwnKernels own = {.add_times_transposed = true};
  using Solver = LuSolver<P, LuByShuffles<Gf16, V>>;

  // Rows of a matrix as tables, a pair of columns each; rows past N are zero.
  template <int N, int C> struct Factor {
    static constexpr int pairs = (C + 1) / 2, words = gf16::words(C), rows = N + block;
    alignas(V::bytes) uint8_t table[(rows * pairs + V::bytes - 1) / V::bytes * V::bytes][16];

    const uint8_t *at(int row, int pair) const { return table[row * pairs + pair]; }
    void set(const Fmat<N, C> &A) {
      static_assert(8 * words <= V::bytes);
      alignas(V::bytes) uint8_t factors[2 * V::bytes] = {};  // pairs of scalars, of one row after the other
      int have = 0, done = 0;
      for (int r = 0; r < rows; r++) {
        for (int w = 0; w < words; w++) store64(factors + have + 8 * w, r < N ? A.w[r][w] : 0);
        for (have += pairs; have >= V::bytes; have -= V::bytes, done += V::bytes) {
          V::product_tables(&table[done], factors);
          V::load(factors + V::bytes).store(factors);
        }
      }
      if (done < rows * pairs) V::product_tables(&table[done], factors);
      wipe(factors, sizeof factors);
    }
  };

  template <int C> struct Products {
    // Of each pair of columns, for even and odd equations: the four rows' entries in both columns, low and high nibbles.
    static constexpr int pairs = (C + 1) / 2;
    alignas(64) uint8_t sums[pairs][2][Layout::bytes];

    template <int N> void times(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      const SegmentColumns<block> columns(segments, entry, Layout::zeros);
      if (columns.first == columns.end) zero(sums[0][0], sizeof sums);
      multiply<ColumnPointers<block>>(columns, X, true);
    }
    template <int N> void add_times(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      multiply<ColumnPointers<block>>({segments, entry, Layout::zeros}, X, false);
    }
    template <int N> void add_times_transposed(const uint8_t *P1, int first_row, const Factor<N, C> &X) {
      multiply<TransposedPointers<P, block>>({P1, first_row, Layout::zeros}, X, false);
    }

    void add(const RowSegment (&segments)[block], int column) {
      for (int b = 0; b < block; b++)
        for (int j = 0; j < segments[b].count; j++) {
          const uint8_t *p = segments[b].entries + j * entry;
          const int c = column + j;
          for (int at = 0; at < Layout::half_at; at += V::bytes) {
            uint8_t *even = sums[quotient(c, 2)][0] + Layout::place(block, b, at),
                    *odd = sums[quotient(c, 2)][1] + Layout::place(block, b, at);
            const V packed = V::load(p + at), low = packed.low_nibbles(), high = packed.high_nibbles();
            (V::load(even) ^ (c % 2 == 0 ? low : low.low_to_high())).store(even);
            (V::load(odd) ^ (c % 2 == 0 ? high : high.low_to_high())).store(odd);
          }
          for (int at = Layout::half_at; at < Layout::padded; at += 8)
            add_word(sums[quotient(c, 2)], Layout::place(block, b, at), load64(p + at), remainder(c, 2));
        }
    }

    void get(Mvector<P> &to, int b, int c) const {
      for (int w = 0; w < Mvector<P>::words; w++) to.w[w] = word(sums[quotient(c, 2)], Layout::place(block, b, 8 * w), c % 2);
      to.w[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
    }

   private:
    // Entries of one column of P's rows, as indices; so many columns at a time.
    static constexpr int chunk = 12;
    static constexpr int together = Layout::registers <= 4   ? 3
                                    : Layout::registers <= 6 ? 2
                                                             : 1;  // pairs whose sums stay in registers
    alignas(64) uint8_t index[chunk][2][Layout::bytes];

    template <class Pointers, int N> void multiply(const typename Pointers::Columns &columns, const Factor<N, C> &X, bool fresh) {
      if (columns.first == columns.end) return;
      if constexpr (pairs * Layout::registers <= 12) {
        accumulate_at_once<Pointers, 0>(columns, X, fresh);
        accumulate_at_once<Pointers, 1>(columns, X, fresh);
      } else {
        Pointers p(columns, entry);
        for (int begin = columns.first; begin < columns.end; begin += chunk, fresh = false) {
          const int count = columns.end - begin < chunk ? columns.end - begin : chunk;
          for (int i = 0; i < count; i++) {
            p.go_to(begin + i);
            unpack<0>(index[i], p.p);
          }
          for (int parity = 0; parity < 2; parity++) {
            int q = 0;
            for (; q + together <= pairs; q += together) accumulate<together>(X.at(begin, q), count, q, parity, fresh);
            if constexpr (pairs % together != 0) accumulate<pairs % together>(X.at(begin, q), count, q, parity, fresh);
          }
        }
      }
    }
    // All sums fit in registers: the indices need not be stored.
    template <class Pointers, int parity, int N>
    void accumulate_at_once(const typename Pointers::Columns &columns, const Factor<N, C> &X, bool fresh) {
      constexpr int registers = Layout::registers;
      V acc[pairs][registers];
#pragma GCC unroll 4
      for (int q = 0; q < pairs; q++)
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) acc[q][x] = fresh ? V::zero() : V::load(sums[q][parity] + x * V::bytes);
      Pointers p(columns, entry);
      for (int j = columns.first; j < columns.end; j++) {
        p.go_to(j);
        V nibbles[registers], t[pairs];
        unpack_half<parity, 0>(nibbles, p.p);
#pragma GCC unroll 4
        for (int q = 0; q < pairs; q++) t[q] = V::broadcast16(X.at(j, q));
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++)
#pragma GCC unroll 4
          for (int q = 0; q < pairs; q++) acc[q][x] = acc[q][x] ^ V::look_up(t[q], nibbles[x]);
      }
#pragma GCC unroll 4
      for (int q = 0; q < pairs; q++)
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) acc[q][x].store(sums[q][parity] + x * V::bytes);
    }
    template <int parity, int x>
    [[gnu::always_inline]] static void unpack_half(V (&to)[Layout::registers], const uint8_t *const (&p)[block]) {
      if constexpr (x < Layout::registers) {
        const V packed = Layout::template load<x>(p);
        to[x] = parity == 0 ? packed.low_nibbles() : packed.high_nibbles();
        unpack_half<parity, x + 1>(to, p);
      }
    }
    template <int x> static void unpack(uint8_t (&to)[2][Layout::bytes], const uint8_t *const (&p)[block]) {
      if constexpr (x < Layout::registers) {
        const V packed = Layout::template load<x>(p);
        packed.low_nibbles().store(to[0] + x * V::bytes);
        packed.high_nibbles().store(to[1] + x * V::bytes);
        unpack<x + 1>(to, p);
      }
    }
    // `table` is that of the first column and of pair p.
    template <int Together> void accumulate(const uint8_t *table, int count, int p, int parity, bool fresh) {
      constexpr int registers = Layout::registers;
      V acc[Together][registers];
#pragma GCC unroll 4  // all loops over registers are unrolled, else the sums would live in memory
      for (int q = 0; q < Together; q++)
#pragma GCC unroll 16
        for (int x = 0; x < registers; x++) acc[q][x] = fresh ? V::zero() : V::load(sums[p + q][parity] + x * V::bytes);
#pragma GCC unroll 2
      for (int i = 0; i < count; i++, table += 16 * pairs) {
        V t[Together];
#pragma GCC unroll 4
        for (int q = 0; q < Together; q++) t[q] = V::broadcast16(table + 16 * q);
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
  };

  template <int R, int C, int First = 0> struct Accumulators {
    // Of each pair of the factor's columns, for even and odd equations: all columns' full registers, then all halves, all
    // quarters.
    static constexpr int columns = C, pair_0 = First / 2, shift = First % 2, pairs = (shift + R + 1) / 2,
                         even_C = (C + 1) / 2 * 2, wide_C = (C + 3) / 4 * 4;
    static constexpr int half_base = Layout::halves_at(even_C), quarter_base = Layout::quarters_at(even_C),
                         size = quarter_base + Layout::quarter * wide_C * V::bytes / 4;
    alignas(64) uint8_t plane[pairs][2][size];

    void zero() { aioli::AIOLI_ISA::zero(plane[0][0], sizeof plane); }

    template <int N, int F, int D> void add_outer(const Factor<N, F> &X, int index, const Products<D> &W) {
      static_assert(D >= C && First + R <= F);
      for (int q = 0; q < even_C / 2; q++) {  // columns 2q and 2q + 1
        for (int f = 0; f < Layout::whole; f++)
          for (int parity = 0; parity < 2; parity++) {
            V low[block], high[block];
            for (int b = 0; b < block; b++) {
              const V sums = V::load(W.sums[q][parity] + (f * block + b) * V::bytes);
              low[b] = sums.low_nibbles(), high[b] = sums.high_nibbles();
            }
            const int at = (f * even_C + 2 * q) * V::bytes;
            accumulate(X, index, parity, at, low, parity, at + V::bytes, high);
          }
        if constexpr (Layout::half) {
          V both[2][block];
          for (int parity = 0; parity < 2; parity++)
            for (int i = 0; i < 2; i++) {
              const V sums = V::load(W.sums[q][parity] + (Layout::whole * block + i) * V::bytes);
              const V low = sums.low_nibbles(), high = sums.high_nibbles();
              both[parity][2 * i] = V::first_halves(low, high), both[parity][2 * i + 1] = V::second_halves(low, high);
            }
          const int at = half_base + q * V::bytes;
          accumulate(X, index, 0, at, both[0], 1, at, both[1]);
        }
        if (Layout::quarter && q % 2 == 0) {  // columns 2q .. 2q + 3
          V both[2][block];
          for (int parity = 0; parity < 2; parity++) {
            for (int i = 0; i < 2; i++) {
              const V sums =
                  q + i < W.pairs ? V::load(W.sums[q + i < W.pairs ? q + i : 0][parity] + Layout::bytes - V::bytes) : V::zero();
              both[parity][2 * i] = sums.low_nibbles(), both[parity][2 * i + 1] = sums.high_nibbles();
            }
            V::transpose_quarters(both[parity]);
          }
          const int at = quarter_base + q * V::bytes / 2;
          accumulate(X, index, 0, at, both[0], 1, at, both[1]);
        }
      }
    }

    template <int Origin, int N, int F> void add_outer(const Factor<N, F> &X, int index, const RowSegment (&segments)[block]) {
      const SegmentColumns<block> range(segments, entry, Layout::zeros);
      for (int j = Origin + quotient(range.first - Origin, 4) * 4; j < range.end; j += 4) {  // four columns at a time
        const uint8_t *p[block][4];
        for (int b = 0; b < block; b++)
          for (int i = 0; i < 4; i++) p[b][i] = entry_of(segments[b], j + i, entry, Layout::zeros);
        const int c = j - Origin;
        const auto add = [&](int at, auto load) {
          V even[block], odd[block];
          for (int b = 0; b < block; b++) {
            const V packed = load(b);
            even[b] = packed.low_nibbles(), odd[b] = packed.high_nibbles();
          }
          accumulate(X, index, 0, at, even, 1, at, odd);
        };
        for (int i = 0; i < 4 && c + i < even_C; i++)
          for (int f = 0; f < Layout::whole; f++)
            add((f * even_C + c + i) * V::bytes, [&](int b) { return V::load(p[b][i] + f * V::bytes); });
        if constexpr (Layout::half)
          for (int i = 0; i < 4 && c + i < even_C; i += 2)
            add(half_base + (c + i) * V::bytes / 2,
                [&](int b) { return V::halves(p[b][i] + Layout::half_at, p[b][i + 1] + Layout::half_at); });
        if constexpr (Layout::quarter)
          add(quarter_base + c * V::bytes / 4, [&](int b) {
            constexpr int q = Layout::quarter_at;
            return V::quarters(p[b][0] + q, p[b][1] + q, p[b][2] + q, p[b][3] + q);
          });
      }
    }

    void get(Mvector<P> &to, int i, int j) const {
      for (int w = 0; w < Mvector<P>::words; w++)
        to.w[w] = word(plane[quotient(shift + i, 2)], Layout::place(even_C, j, 8 * w), remainder(shift + i, 2));
      to.w[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
    }

   private:
    // Two registers of each pair of rows += the products of four registers of nibbles with the scalars of four rows of A.
    template <int N, int F>
    [[gnu::always_inline]] void accumulate(const Factor<N, F> &X, int index, int parity0, int at0, const V (&nibbles0)[block],
                                           int parity1, int at1, const V (&nibbles1)[block]) {
      for (int p = 0; p < pairs; p++) {
        uint8_t *to0 = plane[p][parity0] + at0, *to1 = plane[p][parity1] + at1;
        V sum0 = V::load(to0), sum1 = V::load(to1);
#pragma GCC unroll 4
        for (int b = 0; b < block; b++) {
          const V t = V::broadcast16(X.at(index + b, pair_0 + p));
          sum0 = sum0 ^ V::look_up(t, nibbles0[b]);
          sum1 = sum1 ^ V::look_up(t, nibbles1[b]);
        }
        sum0.store(to0);
        sum1.store(to1);
      }
    }
  };

 private:
  static constexpr uint64_t low_nibbles = 0x0f0f0f0f0f0f0f0f;

  // Eight bytes of an m-vector, from and to the planes of its even and odd equations, of which it has the low or the high
  // nibbles.
  template <int Size> static uint64_t word(const uint8_t (&plane)[2][Size], int at, int high) {
    const uint64_t even = load64(plane[0] + at) >> (4 * high), odd = load64(plane[1] + at) >> (4 * high);
    return (even & low_nibbles) | (odd & low_nibbles) << 4;
  }
  template <int Size> static void add_word(uint8_t (&plane)[2][Size], int at, uint64_t word, int high) {
    store64(plane[0] + at, load64(plane[0] + at) ^ (word & low_nibbles) << (4 * high));
    store64(plane[1] + at, load64(plane[1] + at) ^ ((word >> 4) & low_nibbles) << (4 * high));
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
