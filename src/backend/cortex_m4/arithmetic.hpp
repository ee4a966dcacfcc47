// SPDX-License-Identifier: Apache-2.0
// The Cortex-M4, with little memory or with more: one text for two policies (docs/decisions/0011).
//
// Small: tables of a few entries at a time, made anew for each row.  Fast: tables of all 256 combinations of every two rows of X.
#pragma once
#include "backend/cortex_m4/layout.hpp"
#include "backend/cortex_m4/lookups.hpp"
#include "backend/cortex_m4/slices.hpp"
#include "backend/cortex_m4/solver.hpp"
#include "linalg/kernels.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

enum class MemoryPolicy { small, fast };

template <class P, MemoryPolicy Policy, class AesType> struct CortexM4Arithmetic {
  static constexpr OwnKernels own = {};
  static constexpr int block = 1;
  static constexpr bool fast = Policy == MemoryPolicy::fast;
  using Aes = AesType;
  template <int C> static constexpr Layout<P::m, C, C == P::k + P::o ? P::k : C> layout{};

  // All rows, packed as in `layout`.
  template <int W> using Row = uint32_t[W];

  template <int N, int C> struct Factor {
    static constexpr int words = layout<C>.words, pairs = (N + 1) / 2;
    // Fast: for each pair of rows all combinations a X[2 q] + b X[2 q + 1] at a + 16 b.  Small: the rows.
    uint32_t table[fast ? pairs : N][fast ? 256 : 1][words];

    void set(const Fmat<N, C> &X) {
      if constexpr (fast)
        for (int q = 0; q < pairs; q++) {
          zero_words(table[q][0]);
          combine(table[q][0], 1, X, 2 * q);
          combine(table[q][0], 16, X, 2 * q + 1);
        }
      else
        for (int r = 0; r < N; r++) pack(table[r][0], X, r);
    }
    // Element (r, first + i) in the highest bits of the i-th word.
    template <int R> void scalars(uint32_t (&a)[R], int r, int first) const {
      const uint32_t *row = fast ? table[r / 2][r % 2 == 0 ? 1 : 16] : table[r][0];
      for (int i = 0; i < R; i++) {
        const Run &run = layout<C>.of_column(first + i);
        a[i] = row[run.word] << (28 - 4 * (run.place + first + i - run.column));
      }
    }

   private:
    static void zero_words(uint32_t (&row)[words]) {
      for (auto &x : row) x = 0;
    }
    static void pack(uint32_t (&row)[words], const Fmat<N, C> &X, int r) {
      zero_words(row);
      for (int i = 0; i < layout<C>.runs; i++) {
        const Run &run = layout<C>.run[i];
        for (int c = 0; c < run.count; c++)
          row[run.word] |= uint32_t(gf16::get(X.w[r], run.column + c).n) << (4 * (run.place + c));
      }
    }
    // Of the first `have` rows of a table makes sixteen times as many: each plus all multiples of row r.  Rows past the last one
    // are zero.
    static void combine(uint32_t *to, int have, const Fmat<N, C> &X, int r) {
      uint32_t row[words];
      if (r < N)
        pack(row, X, r);
      else
        zero_words(row);
      for (int b = 0; b < 4; b++, have *= 2) {
        uint32_t *end = to + have * words;
        const uint32_t *from = to;
        if (have < 8)
          for (int h = 0; h < have; h++)
            for (int x = 0; x < words; x++) *end++ = *from++ ^ row[x];
        else
          add_row<words>(end, from, row, have);
        for (auto &x : row) x = times_x(x);
      }
    }
    friend struct CortexM4Arithmetic;
  };

  // Equation by equation, packed as the rows of X.
  template <int C> struct Products {
    static constexpr int words = layout<C>.words, equations = words == 1 ? (P::m + 7) / 8 * 8 : (P::m + 3) / 4 * 4;
    uint32_t W[equations][words];

    template <int N> void times(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      if constexpr (fast) {
        RowSegment segment = segments[0];
        if (segment.first % 2 != 0 && segment.count > 0)  // the second half of a pair
          add_single<true>(segment.entries, X.table[segment.first / 2], 16), segment = without_first(segment);
        else
          clear(W[0], equations * words);
        add_pairs(segment, X);
      } else {
        clear(W[0], equations * words);
        add_singles(segments[0], X);
      }
    }
    template <int N> void add_times(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      if constexpr (fast)
        add_pairs(segments[0], X);
      else
        add_singles(segments[0], X);
    }
    void add(const RowSegment (&segments)[block], int column) {
      const RowSegment &segment = segments[0];
      for (int i = 0; i < layout<C>.runs; i++) {
        const Run &run = layout<C>.run[i];
        int begin = column - run.column, end = column + segment.count - run.column;
        begin = begin < 0 ? 0 : begin, end = end > run.count ? run.count : end;
        if (begin < end)
          add_columns<words>(W[0] + run.word, segment.entries + (run.column + begin - column) * P::m_bytes, run.place + begin,
                             end - begin);
      }
    }
    void get(Mvector<P> &to, int, int c) const {
      const Run &run = layout<C>.of_column(c);
      to.zero();
      for (int e = 0; e < P::m; e++)
        to.w[e / 16] |= gf16::at({uint8_t(W[e][run.word] >> (4 * (run.place + c - run.column)) & 15)}, e);
    }

   private:
    static RowSegment without_first(const RowSegment &s) { return {s.entries + P::m_bytes, s.first + 1, s.count - 1}; }
    template <int N> void add_pairs(RowSegment segment, const Factor<N, C> &X) {
      if (segment.first % 2 != 0 && segment.count > 0)
        add_single<false>(segment.entries, X.table[segment.first / 2], 16), segment = without_first(segment);
      const int pairs = segment.count / 2, q = segment.first / 2;
      if (pairs > 0) Lookups<words, P::m_bytes, Table::pairs>::add(W[0], X.table[q][0], segment.entries, pairs);
      if (segment.count % 2 != 0) add_single<false>(segment.entries + 2 * pairs * P::m_bytes, X.table[q + pairs], 1);
    }
    // One entry; table[step * a] is a times its row of X.  Fresh: W has not been written yet.
    template <bool Fresh> void add_single(const uint8_t *entry, const uint32_t (&table)[256][words], int step) {
      for (int i = 0; i < P::m_bytes; i++) {
        const uint32_t *low = table[step * (entry[i] & 15)], *high = table[step * (entry[i] >> 4)];
#pragma GCC unroll 3
        for (int x = 0; x < words; x++) {
          W[2 * i][x] = Fresh ? low[x] : W[2 * i][x] ^ low[x];
          W[2 * i + 1][x] = Fresh ? high[x] : W[2 * i + 1][x] ^ high[x];
        }
      }
      if constexpr (Fresh)
        for (int e = P::m; e < equations; e++)
          for (auto &x : W[e]) x = 0;
    }
    // to[a][x] = a times the word, for all sixteen a; written out because optimising for size makes loops of it again.
    static void all_multiples(uint32_t (&to)[16][words], int x, uint32_t a) {
      const uint32_t b = times_x(a), c = times_x(b), d = times_x(c), ab = a ^ b, cd = c ^ d;
      to[0][x] = 0, to[1][x] = a, to[2][x] = b, to[3][x] = ab;
      to[4][x] = c, to[5][x] = a ^ c, to[6][x] = b ^ c, to[7][x] = ab ^ c;
      to[8][x] = d, to[9][x] = a ^ d, to[10][x] = b ^ d, to[11][x] = ab ^ d;
      to[12][x] = cd, to[13][x] = a ^ cd, to[14][x] = b ^ cd, to[15][x] = ab ^ cd;
    }
    template <int N> void add_singles(const RowSegment &segment, const Factor<N, C> &X) {
      constexpr int some = 16 / words;
      uint32_t multiples[some][16][words];  // wiped with the stack, when the call ends: row by row that would cost a tenth of it
      const uint8_t *p = segment.entries;
      for (int j = segment.first, left = segment.count; left > 0; j += some, left -= some, p += some * P::m_bytes) {
        const int count = left < some ? left : some;
        for (int i = 0; i < count; i++)
          for (int x = 0; x < words; x++) all_multiples(multiples[i], x, X.table[j + i][0][x]);
        Lookups<words, P::m_bytes, Table::singles>::add(W[0], multiples[0][0], p, count);
      }
    }
  };

  // In planes (slices.hpp), group by group of the layout; in a group one for each row.
  template <int R, int C, int First = 0> struct Accumulators {
    static constexpr int columns = C, groups = layout<C>.groups;
    uint32_t U[groups][R][4];

    void zero() { clear(U[0][0], groups * R * 4); }
    template <int N, int F, int D> void add_outer(const Factor<N, F> &X, int index, const Products<D> &products) {
      static_assert(D >= C && First + R <= F);
      uint32_t a[R];
      X.scalars(a, index, First);
      for (int i = 0; i < layout<C>.runs; i++) {
        const Run &run = layout<C>.run[i], &source = layout<D>.of_column(run.column);
        add_run<Products<D>::words>(run, a, products.W[0] + source.word, source.place);
      }
    }
    template <int Origin, int N, int F> void add_outer(const Factor<N, F> &X, int index, const RowSegment (&segments)[block]) {
      static_assert(First + R <= F);
      const RowSegment &segment = segments[0];
      const int first = segment.first - Origin;
      uint32_t a[R], words[(P::m + 7) / 8 * 8];
      X.scalars(a, index, First);
      for (int i = 0; i < layout<C>.runs; i++) {
        const Run &run = layout<C>.run[i];
        int begin = first - run.column, end = begin + segment.count;
        begin = begin < 0 ? 0 : begin, end = end > run.count ? run.count : end;
        if (begin >= end) continue;
        for (auto &x : words) x = 0;
        add_columns<1>(words, segment.entries + (run.column + begin - first) * P::m_bytes, begin, end - begin);
        add_run<1>(run, a, words, 0);
      }
    }
    void add_transposed(int index, const Products<R> &products) {
      static_assert(First == 0 && block == 1);
      if (index >= C) return;
      const Run &run = layout<C>.of_column(index);
      for (int i = 0; i < R; i++) {
        Mvector<P> a;
        products.get(a, 0, i);
        for (int q = 0; q < (P::m + 3) / 4; q++) {
          const uint32_t x = transpose4(uint32_t(a.w[q / 4] >> (16 * (q % 4))) & 0xffff);
          uint32_t(&u)[4] = U[run.group + (q >> run.quad_bits)][i];
          for (int b = 0; b < 4; b++) u[b] ^= (x >> (4 * b) & 15) << shift(run, index, q);
        }
      }
    }
    void get(Mvector<P> &to, int i, int j) const {
      const Run &run = layout<C>.of_column(j);
      const int quads = run.quads(), first = 4 * (j - run.column);
      const uint32_t(*u)[4] = &U[run.group][i];
      int shift = first, left = (P::m + 3) / 4;
      for (int w = 0; w < Mvector<P>::words; w++) {
        uint32_t halves[2] = {};
        for (int h = 0; h < 2; h++) {
          uint32_t x = 0;  // twice four bits of four planes
          for (int q = 0; q < 32; q += 16) {
            if (left-- <= 0) break;
            for (int b = 0; b < 4; b++) x |= ((*u)[b] >> shift & 15) << (4 * b + q);
            shift += 4 * run.lanes;
            if (quads == 1 || shift >= 32) u += R, shift = first;
          }
          halves[h] = transpose4(x);
        }
        to.w[w] = halves[0] | uint64_t(halves[1]) << 32;
      }
      to.w[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
    }

   private:
    // Four equations q of column j are four bits of each plane, from here on.
    static int shift(const Run &run, int j, int q) { return 4 * ((q & (run.quads() - 1)) * run.lanes + j - run.column); }
    // Four bits of four planes to four elements, and back; twice.
    static uint32_t transpose4(uint32_t x) {
      uint32_t t = (x ^ (x >> 3)) & 0x0a0a0a0a;
      x ^= t ^ t << 3;
      t = (x ^ (x >> 6)) & 0x00cc00cc;
      return x ^ t ^ t << 6;
    }
    template <int Stride> void add_run(const Run &run, const uint32_t (&a)[R], const uint32_t *words, int place) {
      constexpr int unrolled = fast ? R : 1;
      const int quads = run.quads();
      if (quads == 1) return accumulate<R, Stride, unrolled>(U + run.group, words, a, (P::m + 3) / 4);
      // Several times four equations in a group of words.
      const uint32_t mask = (uint32_t(1) << (4 * run.lanes)) - 1;
      uint32_t group[4];
      for (int g = 0, q = 0; q < (P::m + 3) / 4; g++) {
        for (auto &x : group) x = 0;
        for (int s = 0; s < quads && q < (P::m + 3) / 4; s++, q++, words += 4 * Stride)
          for (int i = 0; i < 4; i++) group[i] |= (words[Stride * i] >> (4 * place) & mask) << (4 * run.lanes * s);
        accumulate<R, 1, unrolled>(U + run.group + g, group, a, 1);
      }
    }
  };

  using Solver = SlicedSolver<P>;

 private:
  // A multiple of four words; compilers make a call of a plain loop.
  static void clear(uint32_t *p, int n) {
    for (const uint32_t *end = p + n; p != end; p += 4) {
      p[0] = p[1] = p[2] = p[3] = 0;
#if defined(__GNUC__)
      __asm__ __volatile__("" : "+r"(p));
#endif
    }
  }
  static constexpr uint8_t nothing[P::m_bytes + 8] = {};  // an entry that is zero

  static uint32_t times_x(uint32_t w) {
    const uint32_t top = w & 0x88888888;
    return (w ^ top) << 1 ^ top >> 3 ^ top >> 2;
  }
  // words[e] += element e of the entries, as elements place .. place + count - 1; Stride words from one equation to the next.
  template <int Stride> static void add_columns(uint32_t *words, const uint8_t *entries, int place, int count) {
    const uint8_t *source[8];
    for (int c = 0; c < 8; c++) source[c] = c >= place && c < place + count ? entries + (c - place) * P::m_bytes : nothing;
    for (int e = 0; e < P::m; e += 8) {
      uint32_t tile[8];
#pragma GCC unroll 8
      for (int c = 0; c < 8; c++) tile[c] = load32(source[c] + e / 2);
      transpose8(tile);
      uint32_t *to = words + Stride * e;
      if (P::m % 8 == 0 || e + 8 <= P::m)
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) to[Stride * i] ^= tile[i];
      else
        for (int i = 0; i < P::m % 8; i++) to[Stride * i] ^= tile[i];
    }
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
