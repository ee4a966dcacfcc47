// SPDX-License-Identifier: Apache-2.0
// Backends that keep the contract (linalg/kernels.hpp), and others that do not.  A case begins with its name and what the
// compiler has to say about it; compile.py puts each into a file of its own, behind the lines up to the first.  Nothing here ever
// runs, so most members have no body.
#include "backend/portable/kernels.hpp"
#include "linalg/kernel_defaults.hpp"
#include "scheme/mayo_params.hpp"
#include "scheme/uov_params.hpp"

using namespace aioli;
using Uov = UovParams<Gf16, 54, 24, 1, 3>;
template <class P> using Portable = PortableKernels<P>;

// case portable: compiles
template <class P> struct Kernels : Portable<P> {};

// case all_declared: compiles
template <class P> struct Kernels : Portable<P> {
  using K = Portable<P>;
  using F = FieldOf<P>;
  static constexpr OwnKernels own = {.set_columns = true,
                                     .times_parts = true,
                                     .add_times_transposed = true,
                                     .get_row = true,
                                     .get_upper = true,
                                     .upper_accumulators = true,
                                     .add_public_outer = true,
                                     .add_stored = true,
                                     .add_row = true,
                                     .values = true,
                                     .transposed_accumulators = true,
                                     .evaluation = true,
                                     .circular = true};
  template <int N, int C> struct Factor : K::template Factor<N, C> {
    template <int... R> void set_columns(const Fmat<R, N, F> &...);
  };
  template <int C> struct Products : K::template Products<C> {
    template <int N>
    void times_parts(const RowSegment (&)[1], const RowSegment (&)[1], const RowSegment (&)[1], const Factor<N, C> &);
    template <int N> void add_times_transposed(const uint8_t *, int, const Factor<N, C> &);
    void get_row(uint8_t *, int) const;
  };
  template <int R, int C, int First = 0> struct Accumulators : K::template Accumulators<R, C, First> {
    void get_upper(Mvector<P> &, int, int) const;
    template <int Origin, int N, int D> void add_public_outer(const Factor<N, D> &, int, const RowSegment (&)[1]);
    template <int N, int D> void add_stored(const Factor<N, D> &, const uint8_t *);
    template <int N, int D> void add_row(const typename K::template Scalars<N, D> &, const Accumulators<1, N> &);
  };
  template <int N> struct UpperAccumulators {
    void start(uint8_t *);
    template <int R> void add_outer(const Factor<R, N> &, int, const Products<N> &);
  };
  template <int N> struct Values {
    void zero();
    void add(const Factor<N, 1> &, int, const RowSegment (&)[1]);
    void add(const Factor<N, 1> &, int, const RowSegment (&)[1], const RowSegment (&)[1]);
    void get(Mvector<P> &, const Factor<N, 1> &) const;
  };
  template <int R, int C> struct TransposedAccumulators {
    void start(uint8_t *);
    void add_transposed(int, const Products<R> &);
    template <int Origin, int N> void add_outer(const Factor<N, R> &, int, const RowSegment (&)[1]);
    void finish();
  };
};

// case set_columns_of_one: Factor::set_columns is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.set_columns = true, .evaluation = true};
  template <int N, int C> struct Factor : Portable<P>::template Factor<N, C> {
    template <int R> void set_columns(const Fmat<R, N, FieldOf<P>> &);  // where several matrices may come
  };
};

// case set_columns_missing: Factor::set_columns is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.set_columns = true, .evaluation = true};
};

// case set_columns_undeclared: Factor::set_columns is there, but not declared
template <class P> struct Kernels : Portable<P> {
  template <int N, int C> struct Factor : Portable<P>::template Factor<N, C> {
    void set_columns();  // whatever its signature
  };
};

// case times_parts_swapped: Products::times_parts is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.times_parts = true, .evaluation = true};
  template <int C> struct Products : Portable<P>::template Products<C> {
    template <int N>
    void times_parts(const typename Portable<P>::template Factor<N, C> &, const RowSegment (&)[1], const RowSegment (&)[1],
                     const RowSegment (&)[1]);
  };
};

// case times_parts_missing: Products::times_parts is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.times_parts = true, .evaluation = true};
};

// case times_parts_undeclared: Products::times_parts is there, but not declared
template <class P> struct Kernels : Portable<P> {
  template <int C> struct Products : Portable<P>::template Products<C> {
    template <class Factor>
    void times_parts(const RowSegment (&)[1], const RowSegment (&)[1], const RowSegment (&)[1], const Factor &);
  };
};

// case add_times_transposed_swapped: Products::add_times_transposed is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.add_times_transposed = true, .evaluation = true};
  template <int C> struct Products : Portable<P>::template Products<C> {
    template <int N> void add_times_transposed(const typename Portable<P>::template Factor<N, C> &, int, const uint8_t *);
  };
};

// case add_times_transposed_undeclared: Products::add_times_transposed is there, but not declared
template <class P> struct Kernels : Portable<P> {
  template <int C> struct Products : Portable<P>::template Products<C> {
    void add_times_transposed(const uint8_t *, int);
  };
};

// case get_row_missing: Products::get_row is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.get_row = true, .evaluation = true};
};

// case get_row_undeclared: Products::get_row is there, but not declared
template <class P> struct Kernels : Portable<P> {
  template <int C> struct Products : Portable<P>::template Products<C> {
    void get_row(uint8_t *, int) const;
  };
};

// case get_upper_swapped: Accumulators::get_upper is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.get_upper = true, .evaluation = true};
  template <int R, int C, int First = 0> struct Accumulators : Portable<P>::template Accumulators<R, C, First> {
    void get_upper(int, int, Mvector<P> &) const;
  };
};

// case get_upper_not_const: Accumulators::get_upper is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.get_upper = true, .evaluation = true};
  template <int R, int C, int First = 0> struct Accumulators : Portable<P>::template Accumulators<R, C, First> {
    void get_upper(Mvector<P> &, int, int);
  };
};

// case get_upper_missing: Accumulators::get_upper is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.get_upper = true, .evaluation = true};
};

// case get_upper_undeclared: Accumulators::get_upper is there, but not declared
template <class P> struct Kernels : Portable<P> {
  template <int R, int C, int First = 0> struct Accumulators : Portable<P>::template Accumulators<R, C, First> {
    void get_upper(Mvector<P> &, int, int) const;
  };
};

// case upper_accumulators_swapped: UpperAccumulators is declared, but missing or some member of it of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.upper_accumulators = true, .evaluation = true};
  template <int N> struct UpperAccumulators {
    void start(uint8_t *);
    template <class Factor, class Products> void add_outer(int, const Factor &, const Products &);
  };
};

// case upper_accumulators_missing: UpperAccumulators is declared, but missing or some member of it of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.upper_accumulators = true, .evaluation = true};
};

// case upper_accumulators_undeclared: UpperAccumulators is there, but not declared
template <class P> struct Kernels : Portable<P> {
  template <class T> struct UpperAccumulators {};
};

// case add_public_outer_swapped: Accumulators::add_public_outer is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.add_public_outer = true, .evaluation = true};
  template <int R, int C, int First = 0> struct Accumulators : Portable<P>::template Accumulators<R, C, First> {
    template <int Origin, class Factor> void add_public_outer(const Factor &, const RowSegment (&)[1], int);
  };
};

// case add_public_outer_undeclared: Accumulators::add_public_outer is there, but not declared
template <class P> struct Kernels : Portable<P> {
  template <int R, int C, int First = 0> struct Accumulators : Portable<P>::template Accumulators<R, C, First> {
    template <int Origin, class Factor> void add_public_outer(const Factor &, int, const RowSegment (&)[1]);
  };
};

// case add_stored_missing: Accumulators::add_stored is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.add_stored = true, .evaluation = true};
};

// case add_row_undeclared: Accumulators::add_row is there, but not declared
template <class P> struct Kernels : Portable<P> {
  template <int R, int C, int First = 0> struct Accumulators : Portable<P>::template Accumulators<R, C, First> {
    template <class X, class U> void add_row(const X &, const U &);
  };
};

// case values_of_one_segment: Values is declared, but missing or some member of it of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.values = true, .evaluation = true};
  template <int N> struct Values {
    void zero();
    template <class Factor> void add(const Factor &, int, const RowSegment (&)[1]);  // verification adds two at once
    template <class Factor> void get(Mvector<P> &, const Factor &) const;
  };
};

// case transposed_accumulators_missing: TransposedAccumulators is declared, but missing or some member of it of another signature
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {.transposed_accumulators = true, .evaluation = true};
};

// case evaluation_undeclared: Evaluation is there, but not declared
template <class P> struct Kernels : Portable<P> {
  static constexpr OwnKernels own = {};
};

// case evaluation_of_other_rows: Evaluation is declared, but missing or some member of it of another signature
template <class P> struct Kernels : Portable<P> {
  template <int N> struct Evaluation : Portable<P>::template Evaluation<N> {
    void add(const Rows<4> &);
  };
};

// case declared_where_it_is_not: Accumulators::add_row is declared, but missing or of another signature
template <class P> struct Kernels : Portable<P> {
  // True for one of the sets.
  static constexpr OwnKernels own = {.add_row = P::k == 1, .evaluation = P::k == 1};
};

// case times_swapped: Factor::set; Products: times, add_times, add, get
template <class P> struct Kernels : Portable<P> {
  template <int C> struct Products : Portable<P>::template Products<C> {
    template <class Factor> void times(const Factor &, const RowSegment (&)[1]);
  };
};

// case without_origin: Accumulators::add_outer of segments
template <class P> struct Kernels : Portable<P> {
  template <int R, int C, int First = 0> struct Accumulators : Portable<P>::template Accumulators<R, C, First> {
    template <class X, int D> void add_outer(const X &, int, const typename Portable<P>::template Products<D> &);
  };
};

// case stream_without_length: Aes: init, keystream, batch, Short
template <class P> struct Kernels : Portable<P> {
  struct Aes : Portable<P>::Aes {
    using Short = Aes;
    void keystream(uint8_t *, uint32_t) const;
  };
};
