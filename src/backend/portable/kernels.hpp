// SPDX-License-Identifier: Apache-2.0
// The portable backend, in 64-bit words: the meaning of every kernel of linalg/kernels.hpp.
#pragma once
#include "linalg/evaluation.hpp"
#include "linalg/kernels.hpp"
#include "linalg/solver.hpp"
#include "symmetric/aes128_ctr.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class AesType = Aes128Portable> struct PortableKernels {
  static constexpr OwnKernels own = {.evaluation = true};
  static constexpr int block = 1;
  using F = FieldOf<P>;
  using Aes = AesType;

  // The method of the four Russians: for every row of X its multiples by all sixteen nibbles, columns packed; over GF(256) for
  // the low and for the high nibble of an element.  The secret is in the table, the index is a public nibble of P.
  template <int N, int C> struct Factor {
    static constexpr int words = F::words(C), nibbles = F::bits / 4;
    uint64_t table[N][nibbles][16][words];

    void set(const Fmat<N, C, F> &X) {
      for (int j = 0; j < N; j++)
        for (int x = 0; x < words; x++) {
          const typename F::Multiples multiple = F::multiples(X.w[j][x]);
          for (int n = 0; n < nibbles; n++) {
            auto &of = table[j][n];
            of[0][x] = 0;
            for (int b = 0; b < 4; b++)
              for (int i = 0; i < 1 << b; i++) of[(1 << b) + i][x] = of[i][x] ^ multiple.w[4 * n + b];
          }
        }
    }
    typename F::Element operator()(int r, int c) const { return F::get(table[r][0][1], c); }
  };

  template <int N, int C> struct Scalars {
    Fmat<N, C, F> X;
    void set(const Fmat<N, C, F> &from) { X = from; }
    typename F::Element operator()(int r, int c) const { return X(r, c); }
  };

  template <int C> struct Products {
    Mvector<P> W[C];

    template <int N> void times(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      for (auto &w : W) w.zero();
      add_times(segments, X);
    }
    // Equation by equation the sums of looked-up rows, eight equations at a time in registers; then back to m-vectors.
    template <int N> void add_times(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      if constexpr (F::bits == 4)
        add_times_nibbles(segments[0], X);
      else
        add_times_bytes(segments[0], X);
    }
    template <int N> void add_times_nibbles(const RowSegment &segment, const Factor<N, C> &X) {
      constexpr int words = Factor<N, C>::words;
      for (int limb = 0; limb < Mvector<P>::words; limb++) {
        uint64_t sums[words][16];
        for (int half = 0; half < 2; half++) {
          uint64_t acc[8][words] = {};
          if (16 * limb + 8 * half < P::m) {
            const uint8_t *p = segment.entries + 8 * limb + 4 * half;
            for (int j = 0; j < segment.count; j++, p += P::m_bytes) {
              const uint32_t entry = load32(p);
              const auto &multiples = X.table[segment.first + j][0];
#pragma GCC unroll 8  // keeps the sums in registers
              for (int e = 0; e < 8; e++)
#pragma GCC unroll 2
                for (int x = 0; x < words; x++) acc[e][x] ^= multiples[entry >> (4 * e) & 15][x];
            }
          }
#pragma GCC unroll 8
          for (int e = 0; e < 8; e++)
#pragma GCC unroll 2
            for (int x = 0; x < words; x++) sums[x][8 * half + e] = acc[e][x];
        }
        const uint64_t mask = limb == Mvector<P>::words - 1 ? Mvector<P>::last_mask : ~uint64_t(0);
        for (int x = 0; x < words; x++) {
          transpose16(sums[x]);
          for (int c = 16 * x; c < C && c < 16 * x + 16; c++) W[c].w[limb] ^= sums[x][c % 16] & mask;
        }
      }
    }

    template <int N> void add_times_bytes(const RowSegment &segment, const Factor<N, C> &X) {
      constexpr int words = Factor<N, C>::words;
      for (int limb = 0; limb < Mvector<P>::words; limb++) {
        const uint64_t mask = limb == Mvector<P>::words - 1 ? Mvector<P>::last_mask : ~uint64_t(0);
        // Some columns at a time, as many as leave the sums in registers.
        for (int x = 0; x < words; x++) {
          uint64_t sums[8] = {};
          const uint8_t *p = segment.entries + 8 * limb;
          for (int j = 0; j < segment.count; j++, p += P::m_bytes) {
            const uint64_t entry = load64(p) & mask;  // what follows the row may be secret: never an index
            const auto &multiples = X.table[segment.first + j];
#pragma GCC unroll 8
            for (int e = 0; e < 8; e++)
              sums[e] ^= multiples[0][entry >> (8 * e) & 15][x] ^ multiples[1][entry >> (8 * e + 4) & 15][x];
          }
          transpose8(sums);
          for (int c = 8 * x; c < C && c < 8 * x + 8; c++) W[c].w[limb] ^= sums[c % 8] & mask;
        }
      }
    }

    void add(const RowSegment (&segments)[block], int column) {
      const RowSegment &segment = segments[0];
      for (int j = 0; j < segment.count; j++) {
        Mvector<P> a;
        a.load(segment.entries + j * P::m_bytes);
        W[column + j] += a;
      }
    }
    // W = column `index` of sums, one m-vector for each of their rows.
    template <class S> void take_transposed(const S &sums, int index) {
      for (int i = 0; i < C; i++) sums.get(W[i], i, index);
    }
    void get(Mvector<P> &to, int, int c) const { to = W[c]; }
  };

  template <int R, int C, int First = 0> struct Accumulators {
    static constexpr int columns = C;
    Mvector<P> U[R][C];

    void zero() {
      for (auto &row : U)
        for (auto &u : row) u.zero();
    }
    template <class X, int D> void add_outer(const X &of, int index, const Products<D> &products) {
      add(of, index, [&](const auto &rows) {
        for (int j = 0; j < C; j++) rows.add(j, products.W[j]);
      });
    }
    template <int Origin, int N, int D> void add_outer(const Factor<N, D> &X, int index, const RowSegment (&segments)[block]) {
      static_assert(First + R <= D);
      const RowSegment &segment = segments[0];
      add(X, index, [&](const auto &rows) {
        for (int j = 0; j < segment.count; j++) {
          Mvector<P> entry;
          entry.load(segment.entries + j * P::m_bytes);
          rows.add(segment.first - Origin + j, entry);
        }
      });
    }
    void get(Mvector<P> &to, int i, int j) const { to = U[i][j]; }
    void add_transposed(int index, const Products<R> &products) {
      static_assert(First == 0 && block == 1);
      if (index < C)
        for (int i = 0; i < R; i++) U[i][index] += products.W[i];
    }

   private:
    // Rows from .. from + count - 1 of U with their scalars.
    template <int count> struct RowsOfAccumulators {
      Accumulators &sums;
      int from;
      typename F::Scalar a[count];

      void add(int j, const Mvector<P> &w) const {
        uint64_t multiple[F::bits][Mvector<P>::words];
        for (int x = 0; x < Mvector<P>::words; x++) {
          const typename F::Multiples m = F::multiples(w.w[x]);
          for (int b = 0; b < F::bits; b++) multiple[b][x] = m.w[b];
        }
        for (int i = 0; i < count; i++)
          for (int x = 0; x < Mvector<P>::words; x++) {
            uint64_t product = 0;
#pragma GCC unroll 8
            for (int b = 0; b < F::bits; b++) product ^= multiple[b][x] & a[i].mask[b];
            sums.U[from + i][j].w[x] ^= product;
          }
      }
    };
    template <int count, class X, class Update> void add_rows(const X &of, int index, int from, Update update) {
      RowsOfAccumulators<count> rows{*this, from, {}};
      for (int i = 0; i < count; i++) rows.a[i] = F::scalar(of(index, First + from + i));
      update(rows);
    }
    // As many rows at a time as leave little on the stack: less than is wiped after a call (base/secret.hpp), for the longest
    // m-vectors, too.
    template <class X, class Update> void add(const X &of, int index, Update update) {
      constexpr int most = F::bits == 4 ? 24 : 16;
      for (int from = 0; from + most <= R; from += most) add_rows<most>(of, index, from, update);
      if constexpr (R % most != 0) add_rows<R % most>(of, index, R - R % most, update);
    }
  };

  template <int N> using Evaluation = PublicEvaluation<P, N, block, BucketWords<F>>;

  using Solver = ColumnSolver<P>;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
