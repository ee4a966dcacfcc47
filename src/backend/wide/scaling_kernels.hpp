// SPDX-License-Identifier: Apache-2.0
// Kernels for schemes of one vector (P::k = 1), over GF(16) and GF(256).
//
// A row of a matrix of m-vectors is a string of bytes, and a scalar times it is that string times the scalar, wherever the
// m-vectors in it begin.  So rank-one updates go over rows as they lie in memory, four rows at once, and fill registers whatever
// m is.  A product of rows with a matrix has one scalar for each column of the rows: there the four rows' entries in a column are
// put together first.
//
// V: a vector type with the field's arithmetic (scaling_products.hpp, scaling_shuffles.hpp).  What it has to offer:
//   Register           `bytes` bytes; zero, load, store (any address), sum
//   Stored             a scalar as it is kept in a prepared matrix; prepare(element) makes one, in constant time
//   Scaler             the same in registers: scaler(stored), scaler_of(element), scaler_of_inverse(element), all in constant
//                      time
//   product(a, s)      every element of a times s
//   masked(a, mask)    a, or zero: `mask` is all ones or none
//   Solver<P>          of square systems
//   accumulators       how many sums stay in registers, and `tallest`, how many of one column
#pragma once
#include "linalg/kernels.hpp"
#include "symmetric/aes128_ctr.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <int bytes> struct ByteMasks {  // ones, then zeros
  alignas(64) uint8_t of[2 * bytes]{};
  consteval ByteMasks() {
    for (int i = 0; i < bytes; i++) of[i] = 0xff;
  }
};

template <class P, class V, class AesType> struct ScalingKernels {
  // `together`: how many rows' entries are put together for products.  Wide registers have more rows at once for the other
  // updates, whose sums are mostly in the second-level cache.
  static constexpr int together = 4, block = V::bytes == 64 ? 8 : 4;
  static constexpr OwnKernels own = {.values = true, .circular = true};
  using F = FieldOf<P>;
  using Aes = AesType;
  using Register = typename V::Register;
  using Scaler = typename V::Scaler;
  static constexpr int entry = P::m_bytes;

  static constexpr int round_up(int n, int unit) { return (n + unit - 1) / unit * unit; }
  // How far apart rows of so many m-vectors stand: an odd number of cache lines, lest a column of them share a few sets of the
  // cache.
  static constexpr int row_stride(int entries) {
    const int n = round_up(entries * entry, V::bytes);
    return n > 512 ? (round_up(n, 64) / 64 | 1) * 64 : n;
  }

  // Rows past N are zero.
  template <int N, int C> struct Factor {
    alignas(64) typename V::Stored s[N + block - 1][C];
    void set(const Fmat<N, C, F> &X) {
      for (int r = 0; r < N + block - 1; r++)
        for (int c = 0; c < C; c++) s[r][c] = V::prepare(r < N ? X(r, c) : typename F::Element{0});
    }
  };
  // Each is used once, so it is prepared when it is.
  template <int N, int C> struct Scalars {
    typename F::Element s[N + block - 1][C];
    void set(const Fmat<N, C, F> &X) {
      for (int r = 0; r < N + block - 1; r++)
        for (int c = 0; c < C; c++) s[r][c] = r < N ? X(r, c) : typename F::Element{0};
    }
  };

  // What is past C m-vectors of each row is of no meaning.
  template <int C> struct Products {
    alignas(64) uint8_t w[block][row_stride(C)], behind[V::bytes];

    template <int N> void times(const RowSegment (&segments)[block], const Factor<N, C> &X) { pass<false>(segments, X); }
    template <int N> void add_times(const RowSegment (&segments)[block], const Factor<N, C> &X) { pass<true>(segments, X); }
    void add(const RowSegment (&segments)[block], int column) {
      for (int b = 0; b < block; b++) add_bytes(w[b] + column * entry, segments[b].entries, segments[b].count * entry);
    }
    template <class S> void take_transposed(const S &sums, int index) {
      for (int b = 0; b < block; b++)
        for (int i = 0; i < C; i++) {
          if (index + b < S::columns)
            copy_entry(w[b] + i * entry, sums.u[i] + (index + b) * entry);
          else
            zero_entry(w[b] + i * entry);
        }
    }
    void get(Mvector<P> &to, int b, int c) const { to.load(w[b] + c * entry); }

   private:
    // Entries of all rows in a column, one behind another, in so many registers; of these so many at once, with as many columns
    // of X as leave the sums in registers.
    static constexpr int packed = (together * entry + V::bytes - 1) / V::bytes, parts = (packed + V::tallest - 1) / V::tallest,
                         tall = (packed + parts - 1) / parts, at_once = 16;
    static constexpr int group = V::accumulators / tall < C ? V::accumulators / tall : C;
    alignas(64) uint8_t column_[at_once][parts * tall * V::bytes], behind_columns_[2 * V::bytes];
    alignas(64) uint8_t sum_[C][parts * tall * V::bytes], behind_sums_[2 * V::bytes];

    template <bool added, int N> void pass(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      for (int b = 0; b < block; b += together) pass<added>(segments + b, b, X);
    }
    template <bool added, int N> void pass(const RowSegment *segments, int row, const Factor<N, C> &X) {
      int from = 0, end = 0;  // of all segments
      for (int b = 0; b < together; b++)
        if (const RowSegment &s = segments[b]; s.count > 0) {
          if (end == 0 || s.first < from) from = s.first;
          if (s.first + s.count > end) end = s.first + s.count;
        }
      for (auto &sum : sum_) aioli::AIOLI_ISA::zero(sum, sizeof sum);
      for (int j = from; j < end; j += at_once) {
        const int n = end - j < at_once ? end - j : at_once;
        put_together(segments, j, n);
        for (int x = 0; x < parts * tall; x += tall) {
          for (int c = 0; c + group <= C; c += group) columns<group>(x, c, n, X.s + j);
          if constexpr (C % group != 0) columns<C % group>(x, C - C % group, n, X.s + j);
        }
      }
      for (int b = 0; b < together; b++)
        for (int c = 0; c < C; c++) {
          if constexpr (added)
            add_bytes(w[row + b] + c * entry, sum_[c] + b * entry, entry);
          else
            copy_entry(w[row + b] + c * entry, sum_[c] + b * entry);
        }
    }
    // Columns j .. j + n - 1.  What is read and written past an entry is overwritten by the next.
    void put_together(const RowSegment *segments, int j, int n) {
      for (int i = 0; i < n; i++)
        for (int b = 0; b < together; b++) {
          const int at = j + i - segments[b].first;
          if (at >= 0 && at < segments[b].count)
            copy_entry(column_[i] + b * entry, segments[b].entries + at * entry);
          else
            zero_entry(column_[i] + b * entry);
        }
    }
    template <int count, int M> void columns(int x, int first, int n, const typename V::Stored (*scalars)[M]) {
      Register sum[count][tall];
#pragma GCC unroll 32
      for (int c = 0; c < count; c++)
#pragma GCC unroll 8
        for (int y = 0; y < tall; y++) sum[c][y] = V::load(sum_[first + c] + (x + y) * V::bytes);
      for (int j = 0; j < n; j++) {
        Register a[tall];
#pragma GCC unroll 8
        for (int y = 0; y < tall; y++) a[y] = V::load(column_[j] + (x + y) * V::bytes);
        const typename V::Stored *s = scalars[j] + first;
#pragma GCC unroll 32
        for (int c = 0; c < count; c++) {
          const Scaler scaler = V::scaler(s[c]);
#pragma GCC unroll 8
          for (int y = 0; y < tall; y++) sum[c][y] = V::sum(sum[c][y], V::product(a[y], scaler));
        }
      }
#pragma GCC unroll 32
      for (int c = 0; c < count; c++)
#pragma GCC unroll 8
        for (int y = 0; y < tall; y++) V::store(sum_[first + c] + (x + y) * V::bytes, sum[c][y]);
    }
  };

  // Rows are read, and written back unchanged, up to a register past their end.
  template <int R, int C, int First = 0> struct Accumulators {
    static constexpr int columns = C;
    alignas(64) uint8_t u[R][row_stride(C)], behind[V::bytes];

    void zero() {
      for (auto &row : u) aioli::AIOLI_ISA::zero(row, sizeof row);
      aioli::AIOLI_ISA::zero(behind, sizeof behind);
    }
    template <class Matrix, int E> void add_outer(const Matrix &X, int index, const Products<E> &products) {
      const uint8_t *from[block];
      for (int b = 0; b < block; b++) from[b] = products.w[b];
      // Every other block the other way, to meet what the one before it has left in the cache.
      add_rows(X, index, from, 0, C * entry, index / block % 2 != 0);
    }
    template <int Origin, int N, int D> void add_outer(const Factor<N, D> &X, int index, const RowSegment (&segments)[block]) {
      bool all = true;
      for (const RowSegment &s : segments) all = all && s.count > 0;
      if (all)
        add_segments<Origin, block>(X, index, segments);
      else
        for (int b = 0; b < block; b += 4) add_segments<Origin, 4>(X, index + b, segments + b);
    }
    void add_transposed(int index, const Products<R> &products) {
      static_assert(First == 0);
      for (int b = 0; b < block && index + b < C; b++)
        for (int i = 0; i < R; i++) add_bytes(u[i] + (index + b) * entry, products.w[b] + i * entry, entry);
    }
    void get(Mvector<P> &to, int i, int j) const { to.load(u[i] + j * entry); }

   private:
    static constexpr int segment =
        1024;  // of the rows that are added: they stay in the first-level cache while all rows here go by

    template <int Origin, int count, int N, int D>
    void add_segments(const Factor<N, D> &X, int index, const RowSegment *segments) {
      // Columns that all segments have, together; what only some have before and after that, by themselves.
      int from = 0, end = C;
      for (int b = 0; b < count; b++) {
        const int first = segments[b].first - Origin, stop = first + segments[b].count;
        if (first > from) from = first;
        if (stop < end) end = stop;
      }
      const uint8_t *p[count];
      for (int b = 0; b < count; b++) {
        const int first = segments[b].first - Origin, stop = first + segments[b].count;
        p[b] = segments[b].entries + (from - first) * entry;
        const auto alone = [&](int begin, int past) {
          const uint8_t *const one[1] = {segments[b].entries + (begin - first) * entry};
          if (begin < past) add_rows(X, index + b, one, begin * entry, (past - begin) * entry);
        };
        if (from >= end)
          alone(first, stop);
        else
          alone(first, from), alone(end, stop);
      }
      if (from < end) add_rows(X, index, p, from * entry, (end - from) * entry);
    }
    // n bytes, `to` being where they go in each row; `down`: the last ones first.
    template <int count, class Matrix>
    void add_rows(const Matrix &X, int index, const uint8_t *const (&from)[count], int to, int n, bool down = false) {
      static_assert(First + R <= sizeof X.s[0] / sizeof X.s[0][0]);
      const int step = R == 1 ? n : segment, last = (n - 1) / segment * segment;
      for (int done = 0; done < n; done += step) {
        const int at = R > 1 && down ? last - done : done;
        const uint8_t *p[count];
        for (int b = 0; b < count; b++) p[b] = from[b] + at;
        for (int i = 0; i < R; i++) {
          // Beside each other, those of the largest sets do not stay in a second-level cache of 2 MB, and no hardware guesses
          // where the next row begins.
          if constexpr (sizeof u > 3 << 18)
            if (i + 1 < R) prefetch(u[i + 1] + to + at, n - at < step ? n - at : step);
          Scaler s[count];
#pragma GCC unroll 8
          for (int b = 0; b < count; b++) s[b] = scaler(X.s[index + b][First + i]);
          add_products(u[i] + to + at, p, s, n - at < step ? n - at : step);
        }
      }
    }
  };

  // The values of the forms at x: sums of x_r P[r] for all columns of P, as they come, and then of these times x.
  template <int N> struct Values {
    Accumulators<1, N> columns;
    void zero() { columns.zero(); }
    void add(const Factor<N, 1> &X, int index, const RowSegment (&segments)[block]) {
      columns.template add_outer<0>(X, index, segments);
    }
    void add(const Factor<N, 1> &X, int index, const RowSegment (&segments)[block], const RowSegment (&more)[block]) {
      add(X, index, segments), add(X, index, more);
    }
    void get(Mvector<P> &to, const Factor<N, 1> &X) const {
      constexpr int registers = (entry + V::bytes - 1) / V::bytes;
      Register sum[registers];
      alignas(64) uint8_t bytes[registers * V::bytes];
      for (auto &r : sum) r = V::zero();
      for (int c = 0; c < N; c++) {
        const Scaler s = V::scaler(X.s[c][0]);
#pragma GCC unroll 4
        for (int x = 0; x < registers; x++)
          sum[x] = V::sum(sum[x], V::product(V::load(columns.u[0] + c * entry + x * V::bytes), s));
      }
      for (int x = 0; x < registers; x++) V::store(bytes + x * V::bytes, sum[x]);
      to.load(bytes);
      wipe(bytes, sizeof bytes);
    }
  };

  using Solver = typename V::template Solver<P>;

 private:
  static Scaler scaler(const typename V::Stored &prepared) { return V::scaler(prepared); }
  static Scaler scaler(typename F::Element a) { return V::scaler_of(a); }
  static Register first_bytes(Register a, int n) {
    static constexpr ByteMasks<V::bytes> masks;
    return a & V::load(masks.of + V::bytes - n);
  }
  // n bytes += a_0 s_0 + a_1 s_1 + ..
  template <int count> static void add_products(uint8_t *to, const uint8_t *const (&a)[count], const Scaler (&s)[count], int n) {
    int x = 0;
    for (; x + V::bytes <= n; x += V::bytes) {
      Register sum = V::load(to + x);
#pragma GCC unroll 8
      for (int b = 0; b < count; b++) sum = V::sum(sum, V::product(V::load(a[b] + x), s[b]));
      V::store(to + x, sum);
    }
    if (x == n) return;
    Register sum = V::zero();
#pragma GCC unroll 8
    for (int b = 0; b < count; b++) sum = V::sum(sum, V::product(V::load(a[b] + x), s[b]));
    V::store(to + x, V::sum(V::load(to + x), first_bytes(sum, n - x)));
  }
  static void prefetch(const uint8_t *p, int n) {
#if defined(__GNUC__)
    for (int x = 0; x < n; x += 64) __builtin_prefetch(p + x);
#else
    (void)p, (void)n;
#endif
  }
  static void add_bytes(uint8_t *to, const uint8_t *a, int n) {
    int x = 0;
    for (; x + V::bytes <= n; x += V::bytes) V::store(to + x, V::sum(V::load(to + x), V::load(a + x)));
    if (x < n) V::store(to + x, V::sum(V::load(to + x), first_bytes(V::load(a + x), n - x)));
  }
  // Whole registers: up to one less a byte is read and written past the entry.
  static void copy_entry(uint8_t *to, const uint8_t *from) {
#pragma GCC unroll 4
    for (int x = 0; x < entry; x += V::bytes) V::store(to + x, V::load(from + x));
  }
  static void zero_entry(uint8_t *to) {
#pragma GCC unroll 4
    for (int x = 0; x < entry; x += V::bytes) V::store(to + x, V::zero());
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
