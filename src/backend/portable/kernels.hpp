// SPDX-License-Identifier: Apache-2.0
// The portable backend, in 64-bit words: the meaning of every kernel of linalg/kernels.hpp.
#pragma once
#include "linalg/kernels.hpp"
#include "linalg/solver.hpp"
#include "symmetric/aes128_ctr.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P, class AesType = Aes128Portable> struct PortableKernels {
  static constexpr int block = 1;
  using Aes = AesType;

  // The method of the four Russians: for every row of X all sixteen multiples of it, columns packed.  The secret is in the table,
  // the index is a public nibble of P.
  template <int N, int C> struct Factor {
    static constexpr int words = gf16::words(C);
    uint64_t table[N][16][words];

    void set(const Fmat<N, C> &X) {
      for (int j = 0; j < N; j++)
        for (int x = 0; x < words; x++) {
          const gf16::Multiples multiple = gf16::multiples(X.w[j][x]);
          table[j][0][x] = 0;
          for (int b = 0; b < 4; b++)
            for (int i = 0; i < 1 << b; i++) table[j][(1 << b) + i][x] = table[j][i][x] ^ multiple.w[b];
        }
    }
    GF16 operator()(int r, int c) const { return gf16::get(table[r][1], c); }
  };

  template <int C> struct Products {
    Mvector<P> W[C];

    template <int N> void times(const Strip (&strips)[block], const Factor<N, C> &X) {
      for (auto &w : W) w.zero();
      add_times(strips, X);
    }
    // Equation by equation the sums of looked-up rows, eight equations at a time in registers; then back to m-vectors.
    template <int N> void add_times(const Strip (&strips)[block], const Factor<N, C> &X) {
      constexpr int words = Factor<N, C>::words;
      const Strip &strip = strips[0];
      for (int limb = 0; limb < Mvector<P>::words; limb++) {
        uint64_t sums[words][16];
        for (int half = 0; half < 2; half++) {
          uint64_t acc[8][words] = {};
          if (16 * limb + 8 * half < P::m) {
            const uint8_t *p = strip.entries + 8 * limb + 4 * half;
            for (int j = 0; j < strip.count; j++, p += P::m_bytes) {
              const uint32_t entry = load32(p);
              const auto &multiples = X.table[strip.first + j];
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

    void add(const Strip (&strips)[block], int column) {
      const Strip &strip = strips[0];
      for (int j = 0; j < strip.count; j++) {
        Mvector<P> a;
        a.load(strip.entries + j * P::m_bytes);
        W[column + j] += a;
      }
    }
    void get(Mvector<P> &to, int, int c) const { to = W[c]; }
  };

  template <int R, int C, int First = 0> struct Sums {
    static constexpr int columns = C;
    Mvector<P> U[R][C];

    void zero() {
      for (auto &row : U)
        for (auto &u : row) u.zero();
    }
    template <int N, int F, int D> void add_outer(const Factor<N, F> &X, int index, const Products<D> &products) {
      gf16::Scalar a[R];
      scalars(a, X, index);
      for (int j = 0; j < C; j++) add_column(j, a, products.W[j]);
    }
    template <int Origin, int N, int F> void add_outer(const Factor<N, F> &X, int index, const Strip (&strips)[block]) {
      const Strip &strip = strips[0];
      gf16::Scalar a[R];
      scalars(a, X, index);
      for (int j = 0; j < strip.count; j++) {
        Mvector<P> entry;
        entry.load(strip.entries + j * P::m_bytes);
        add_column(strip.first - Origin + j, a, entry);
      }
    }
    void get(Mvector<P> &to, int i, int j) const { to = U[i][j]; }
    void add_transposed(int index, const Products<R> &products) {
      static_assert(First == 0 && block == 1);
      if (index < C)
        for (int i = 0; i < R; i++) U[i][index] += products.W[i];
    }

   private:
    template <int N, int F> static void scalars(gf16::Scalar (&a)[R], const Factor<N, F> &X, int index) {
      static_assert(First + R <= F);
      for (int i = 0; i < R; i++) a[i] = gf16::scalar(X(index, First + i));
    }
    void add_column(int j, const gf16::Scalar (&a)[R], const Mvector<P> &w) {
      uint64_t multiple[4][Mvector<P>::words];
      for (int x = 0; x < Mvector<P>::words; x++) {
        const gf16::Multiples m = gf16::multiples(w.w[x]);
        for (int b = 0; b < 4; b++) multiple[b][x] = m.w[b];
      }
      for (int i = 0; i < R; i++)
        for (int x = 0; x < Mvector<P>::words; x++)
          U[i][j].w[x] ^= (multiple[0][x] & a[i].mask[0]) ^ (multiple[1][x] & a[i].mask[1]) ^ (multiple[2][x] & a[i].mask[2]) ^
                          (multiple[3][x] & a[i].mask[3]);
    }
  };

  using Solver = ColumnSolver<P>;
};

}  // namespace aioli::inline AIOLI_ISA
