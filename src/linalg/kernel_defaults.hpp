// SPDX-License-Identifier: Apache-2.0
// The whole contract (linalg/kernels.hpp): what a backend declares to have of its own, and for each other optional member its
// default.
//
// Schemes compute through WithDefaults<P, K>, K being the kernels of a backend.  Some members take more arguments than a
// backend's own: where the default keeps what is on the way, or what the own kernel reads at once.
#pragma once
#include "linalg/circular_rows.hpp"
#include "linalg/kernels.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class K> struct WithDefaults : K {
  using F = FieldOf<P>;
  static constexpr OwnKernels own = K::own;
  static constexpr int block = K::block;
  using Segments = RowSegment[block];

  template <int N, int C> struct Factor : K::template Factor<N, C> {
    using Own = typename K::template Factor<N, C>;

    // Where matrices stand on the way: of so many parts.
    template <int parts, bool needed = !own.set_columns, class = void> struct Columns {
      Fmat<C, N, F> all;
      Fmat<N, C, F> transposed;
    };
    template <class Unused> struct Columns<1, true, Unused> {
      Fmat<N, C, F> transposed;
    };
    template <int parts, class Unused> struct Columns<parts, false, Unused> {};

    template <int... R> void set_columns(Columns<sizeof...(R)> &way, const Fmat<R, N, F> &...parts) {
      if constexpr (own.set_columns) {
        Own::set_columns(parts...);
      } else {
        if constexpr (sizeof...(R) == 1)
          (transpose(way.transposed, parts), ...);
        else
          stack(way.all, parts...), transpose(way.transposed, way.all);
        Own::set(way.transposed);
      }
    }

   private:
    template <class... Parts> static void stack(Fmat<C, N, F> &to, const Parts &...parts) {
      int row = 0;
      const auto append = [&](const auto &part) {
        for (const auto &from : part.w) {
          for (int i = 0; i < to.row_words; i++) to.w[row][i] = from[i];
          row++;
        }
      };
      (append(parts), ...);
    }
  };

  // Sums of the products with rows of P1^T: each row of P1 adds its part to all of them.  By default; used up row by row.
  template <int C, bool needed = !own.add_times_transposed> struct TransposedSums {
    Secret<typename K::template Accumulators<C, P::v>> U;
    Secret<Bytes<C * P::m_bytes + slack>> row[block];

    template <class X> void next(Segments &sums, const uint8_t *P1, int first_row, const X &x) {
      Segments segments;
      for (int b = 0; b < block; b++) {
        const int r = first_row + b, of = r < P::v ? r : 0;
        segments[b] = {P1 + RowLayout<P>::P1_offset(of), of, r < P::v ? P::v - r : 0};
      }
      if (first_row == 0) U.zero();
      U.template add_outer<0>(x, first_row, segments);
      Secret<Mvector<P>> a;
      for (int b = 0; b < block; b++) {
        sums[b] = {row[b].b, 0, first_row + b < P::v ? C : 0};
        for (int c = 0; c < sums[b].count; c++) U.get(a, c, first_row + b), a.store(row[b].b + c * P::m_bytes);
      }
    }
  };
  template <int C> struct TransposedSums<C, false> {};

  template <int C> struct Products : K::template Products<C> {
    using Own = typename K::template Products<C>;

    // W = (P1 P2) X + (column | 0), P1 and P2 being the rows'.
    template <class X> void times_rows(const Rows<block> &rows, const Segments &column, const X &x) {
      if constexpr (own.times_parts)
        Own::times_parts(rows.P1, rows.P2, column, x);
      else
        Own::times(rows.P1, x), Own::add_times(rows.P2, x), Own::add(column, 0);
    }
    void get_row(uint8_t *to, int b) const {
      if constexpr (own.get_row) {
        Own::get_row(to, b);
      } else {
        Secret<Mvector<P>> a;
        for (int c = 0; c < C; c++) Own::get(a, b, c), a.store(to + c * P::m_bytes);
      }
    }
    // W += rows first_row .. first_row + block - 1 of P1^T, times X; called for all blocks of rows, from the first on.
    template <class X> void add_times_transposed(const uint8_t *P1, int first_row, const X &x, TransposedSums<C> &way) {
      if constexpr (own.add_times_transposed) {
        Own::add_times_transposed(P1, first_row, x);
      } else {
        Segments sums;
        way.next(sums, P1, first_row, x);
        Own::add(sums, 0);
      }
    }
  };

  template <int R, int C, int First = 0> struct Accumulators : K::template Accumulators<R, C, First> {
    using Own = typename K::template Accumulators<R, C, First>;

    // Entry (i, j) of Upper(U), i <= j.
    void get_upper(Mvector<P> &to, int i, int j) const {
      if (i == j) {
        Own::get(to, i, i);
      } else if constexpr (own.get_upper) {
        Own::get_upper(to, i, j);
      } else {
        Secret<Mvector<P>> mirrored;
        Own::get(to, i, j), Own::get(mirrored, j, i), to += mirrored;
      }
    }
    template <int Origin, class X> void add_public_outer(const X &x, int index, const Segments &segments) {
      if constexpr (own.add_public_outer)
        Own::template add_public_outer<Origin>(x, index, segments);
      else
        Own::template add_outer<Origin>(x, index, segments);
    }
    // add_outer for a block of rows of a matrix E in memory, called for all of them in any order.
    template <int Origin, class X> void add_stored(const X &x, int index, const Segments &segments, const uint8_t *E) {
      if constexpr (own.add_stored) {
        if (index == 0) Own::add_stored(x, E);  // all rows at once
      } else {
        Own::template add_outer<Origin>(x, index, segments);
      }
    }
    // W is used on the way.
    template <class X, int N> void add_row(const X &x, const Accumulators<1, N> &row, Products<C> &W) {
      if constexpr (own.add_row) {
        Own::add_row(x, row);
      } else {
        for (int r = 0; r < N; r += block) W.take_transposed(row, r), Own::add_outer(x, r, W);
      }
    }
  };

  // Upper(U) as packed m-vectors.  `out` is the same for start and finish.
  template <int N, bool = own.upper_accumulators> struct UpperAccumulators : K::template UpperAccumulators<N> {
    void finish(uint8_t *) const {}
  };
  template <int N> struct UpperAccumulators<N, false> : Accumulators<N, N> {
    void start(uint8_t *) { this->zero(); }
    void finish(uint8_t *out) const {
      Secret<Mvector<P>> a;
      for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++, out += P::m_bytes) this->get_upper(a, i, j), a.store(out);
    }
  };

  // U^T as packed m-vectors.  `out` is the same for start and finish.
  template <int R, int C, bool = own.transposed_accumulators>
  struct TransposedAccumulators : K::template TransposedAccumulators<R, C> {
    void finish(uint8_t *) { K::template TransposedAccumulators<R, C>::finish(); }
  };
  template <int R, int C> struct TransposedAccumulators<R, C, false> : Accumulators<R, C> {
    void start(uint8_t *) { this->zero(); }
    void finish(uint8_t *out) const {
      Secret<Mvector<P>> a;
      for (int c = 0; c < C; c++)
        for (int i = 0; i < R; i++, out += P::m_bytes) this->get(a, i, c), a.store(out);
    }
  };

  // (P x)[r], and that times x[r].
  template <int N, bool = own.values> struct Values : K::template Values<N> {};
  template <int N> struct Values<N, false> {
    Products<1> W;
    Accumulators<1, 1> u;

    void zero() { u.zero(); }
    template <class X, class... More> void add(const X &x, int index, const Segments &segments, const More &...more) {
      W.times(segments, x);
      (W.add_times(more, x), ...);
      u.add_outer(x, index, W);
    }
    template <class X> void get(Mvector<P> &to, const X &) const { u.get(to, 0, 0); }
  };

  // As values at a secret vector.
  template <int N, bool = own.evaluation> struct Evaluation : K::template Evaluation<N> {};
  template <int N> struct Evaluation<N, false> {
    Fmat<N, 1, F> s_transposed;
    Factor<N, 1> factor_s;
    Values<N> u;

    void start(const Fmat<1, N, F> &s) {
      transpose(s_transposed, s);
      factor_s.set(s_transposed);
      u.zero();
    }
    void add(const Rows<block> &r) { u.add(factor_s, r.index, r.P1, r.P2); }
    void get(Mvector<P> &to) const { u.get(to, factor_s); }
  };

  // Rows of a key in memory, which begin anywhere if their order is free.  `choice`: any number, PUBLIC.
  template <class Source, bool = own.circular> struct AnyOrderOf {
    using Rows = CircularRows<Source>;
  };
  template <class Source> struct AnyOrderOf<Source, false> {
    using Rows = Source;
  };
  template <class Source> using AnyOrder = typename AnyOrderOf<Source>::Rows;
  template <class Rows> static void begin_anywhere([[maybe_unused]] Rows &rows, [[maybe_unused]] uint32_t choice) {
    if constexpr (own.circular) rows.begin_at(choice);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
