// SPDX-License-Identifier: Apache-2.0
// Kernels for schemes of one vector (P::k = 1) whose m-vectors nearly fill registers: every entry is multiplied whole by one scalar after the other,
// the sums staying in registers, four rows at a time.  Over GF(16) and GF(256).
//
// V: a vector type with the field's arithmetic (scaling_avx512.hpp, scaling_avx2.hpp).  What it has to offer:
//   Register          `bytes` bytes; zero, load, store (any address), ^
//   Stored            a scalar as it is kept in a prepared matrix; prepare(element) makes one, in constant time
//   Scaler            the same in registers: scaler(stored), scaler_of(element)
//   product(a, s)     every element of a times s
//   masked(a, mask)   a and, in every word, mask
//   inverse(element)  constant time
#pragma once
#include "backend/wide/row_solver.hpp"
#include "linalg/kernels.hpp"
#include "symmetric/aes128_ctr.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P, class V, class AesType> struct ScalingKernels {
  static constexpr int block = 4;
  using F = FieldOf<P>;
  using Aes = AesType;
  using Register = typename V::Register;
  static constexpr int registers = (P::m_bytes + V::bytes - 1) / V::bytes, stride = registers * V::bytes;
  static_assert(stride - P::m_bytes <= slack);

  struct Entry {
    Register r[registers];
    static Entry load(const uint8_t *p) {
      Entry e;
#pragma GCC unroll 4
      for (int x = 0; x < registers; x++) e.r[x] = V::load(p + x * V::bytes);
      return e;
    }
    void store(uint8_t *p) const {
#pragma GCC unroll 4
      for (int x = 0; x < registers; x++) V::store(p + x * V::bytes, r[x]);
    }
    void add_product(const Entry &a, const typename V::Scaler &s) {
#pragma GCC unroll 4
      for (int x = 0; x < registers; x++) r[x] = V::sum(r[x], V::product(a.r[x], s));
    }
    void add(const Entry &a) {
#pragma GCC unroll 4
      for (int x = 0; x < registers; x++) r[x] = V::sum(r[x], a.r[x]);
    }
  };

  // Rows past N are zero.
  template <int N, int C> struct Factor {
    alignas(64) typename V::Stored s[N + block - 1][C];
    void set(const Fmat<N, C, F> &X) {
      for (int r = 0; r < N + block - 1; r++)
        for (int c = 0; c < C; c++) s[r][c] = V::prepare(r < N ? X(r, c) : typename F::Element{0});
    }
  };
  template <int N, int C> using Scalars = Factor<N, C>;

  // What is past m_bytes of each m-vector is of no meaning.
  template <int C> struct Products {
    alignas(64) uint8_t w[block][C][stride];

    template <int N> void times(const Strip (&strips)[block], const Factor<N, C> &X) { pass<false>(strips, X); }
    template <int N> void add_times(const Strip (&strips)[block], const Factor<N, C> &X) { pass<true>(strips, X); }
    void add(const Strip (&strips)[block], int column) {
      for (int b = 0; b < block; b++)
        for (int j = 0; j < strips[b].count; j++) {
          Entry e = Entry::load(w[b][column + j]);
          e.add(Entry::load(strips[b].entries + j * P::m_bytes));
          e.store(w[b][column + j]);
        }
    }
    template <class S> void take_transposed(const S &sums, int index) {
      for (int b = 0; b < block; b++)
        for (int i = 0; i < C; i++) {
          Entry e = Entry::load(sums.u[i][index + b < S::columns ? index + b : 0]);
          if (index + b >= S::columns)
            for (auto &r : e.r) r = V::zero();
          e.store(w[b][i]);
        }
    }
    void get(Mvector<P> &to, int b, int c) const { to.load(w[b][c]); }

   private:
    static constexpr int group = V::accumulators / registers;

    template <bool added, int N> void pass(const Strip (&strips)[block], const Factor<N, C> &X) {
      for (int b = 0; b < block; b++) {
        for (int c = 0; c + group <= C; c += group) columns<added, group>(b, c, strips[b], X);
        if constexpr (C % group != 0) columns<added, C % group>(b, C - C % group, strips[b], X);
      }
    }
    template <bool added, int count, int N> void columns(int b, int first, const Strip &strip, const Factor<N, C> &X) {
      Entry sum[count];
#pragma GCC unroll 32
      for (int c = 0; c < count; c++)
#pragma GCC unroll 4
        for (int x = 0; x < registers; x++) sum[c].r[x] = added ? V::load(w[b][first + c] + x * V::bytes) : V::zero();
      const uint8_t *p = strip.entries;
      for (int j = 0; j < strip.count; j++, p += P::m_bytes) {
        const Entry e = Entry::load(p);
        const typename V::Stored *s = X.s[strip.first + j] + first;
#pragma GCC unroll 32
        for (int c = 0; c < count; c++) sum[c].add_product(e, V::scaler(s[c]));
      }
#pragma GCC unroll 32
      for (int c = 0; c < count; c++) sum[c].store(w[b][first + c]);
    }
  };

  template <int R, int C, int First = 0> struct Sums {
    static constexpr int columns = C;
    alignas(64) uint8_t u[R][C][stride];

    void zero() {
      for (auto &row : u)
        for (auto &e : row) aioli::AIOLI_ISA::zero(e, stride);
    }
    template <int N, int D, int E> void add_outer(const Factor<N, D> &X, int index, const Products<E> &products) {
      for (int i = 0; i < R; i++) {
        typename V::Scaler s[block];
        scalers(s, X, index, i);
        for (int j = 0; j < C; j++) {
          Entry sum = Entry::load(u[i][j]);
#pragma GCC unroll 4
          for (int b = 0; b < block; b++) sum.add_product(Entry::load(products.w[b][j]), s[b]);
          sum.store(u[i][j]);
        }
      }
    }
    template <int Origin, int N, int D> void add_outer(const Factor<N, D> &X, int index, const Strip (&strips)[block]) {
      // Columns that all strips have, together; what only some have before that, one by one.
      int from = 0, end = C;
      for (const Strip &strip : strips) {
        if (strip.first - Origin > from) from = strip.first - Origin;
        if (strip.first - Origin + strip.count < end) end = strip.first - Origin + strip.count;
      }
      for (int b = 0; b < block; b++) {
        const int first = strips[b].first - Origin, stop = first + strips[b].count;
        if (from >= end)
          one_row(X, index, b, strips[b], first, stop, first);
        else
          one_row(X, index, b, strips[b], first, from, first), one_row(X, index, b, strips[b], end, stop, first);
      }
      if (from >= end) return;
      const uint8_t *p[block];
      for (int b = 0; b < block; b++) p[b] = strips[b].entries + (from - (strips[b].first - Origin)) * P::m_bytes;
      for (int i = 0; i < R; i++) {
        typename V::Scaler s[block];
        scalers(s, X, index, i);
        for (int j = 0; j < end - from; j++) {
          Entry sum = Entry::load(u[i][from + j]);
#pragma GCC unroll 4
          for (int b = 0; b < block; b++) sum.add_product(Entry::load(p[b] + j * P::m_bytes), s[b]);
          sum.store(u[i][from + j]);
        }
      }
    }
    void add_transposed(int index, const Products<R> &products) {
      static_assert(First == 0);
      for (int b = 0; b < block && index + b < C; b++)
        for (int i = 0; i < R; i++) {
          Entry e = Entry::load(u[i][index + b]);
          e.add(Entry::load(products.w[b][i]));
          e.store(u[i][index + b]);
        }
    }
    void get(Mvector<P> &to, int i, int j) const { to.load(u[i][j]); }

   private:
    template <int N, int D> static void scalers(typename V::Scaler (&s)[block], const Factor<N, D> &X, int index, int i) {
      static_assert(First + R <= D);
#pragma GCC unroll 4
      for (int b = 0; b < block; b++) s[b] = V::scaler(X.s[index + b][First + i]);
    }
    // Columns from .. stop - 1 of one strip, which begins at column `first`.
    template <int N, int D>
    void one_row(const Factor<N, D> &X, int index, int b, const Strip &strip, int from, int stop, int first) {
      for (int j = from; j < stop; j++) {
        const Entry e = Entry::load(strip.entries + (j - first) * P::m_bytes);
        for (int i = 0; i < R; i++) {
          Entry sum = Entry::load(u[i][j]);
          sum.add_product(e, V::scaler(X.s[index + b][First + i]));
          sum.store(u[i][j]);
        }
      }
    }
  };

  using Solver = RowSolver<P, V>;
};

}  // namespace aioli::inline AIOLI_ISA
