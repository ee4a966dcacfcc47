// SPDX-License-Identifier: Apache-2.0
#include "kernels/adapter.hpp"

#include "kernels/harness.hpp"
#include "linalg/kernel_defaults.hpp"
#include "scheme/mayo_params.hpp"
#include "scheme/mayo_whipping.hpp"

#if defined(AIOLI_TEST_REFERENCE_BLOCK)
#include "kernels/reference.hpp"
namespace aioli {
inline namespace AIOLI_ISA {
template <class P> using Kernels = kernels::Reference<P, AIOLI_TEST_REFERENCE_BLOCK>;
}
#else
#include AIOLI_BACKEND_HEADER
#endif

namespace kernels {
namespace {

using aioli::Fmat;
using aioli::Kernels;
using aioli::Mvector;

template <int R, int C> void pack(Fmat<R, C> &to, const uint8_t *elements) {
  to.zero();
  for (int r = 0; r < R; r++)
    for (int c = 0; c < C; c++) to.w[r][c / 16] |= uint64_t(elements[r * C + c]) << (4 * (c % 16));
}
template <class P> void pack(Mvector<P> &to, const uint8_t *elements) {
  to.zero();
  for (int i = 0; i < P::m; i++) to.w[i / 16] |= uint64_t(elements[i]) << (4 * (i % 16));
}
template <class P> void unpack(uint8_t *elements, const Mvector<P> &from) {
  for (int i = 0; i < 16 * Mvector<P>::words; i++) elements[i] = from.w[i / 16] >> (4 * (i % 16)) & 15;
}

// An m-vector between words that nobody may write.
template <class P> struct Guarded {
  volatile uint64_t before[8];
  Mvector<P> a;
  volatile uint64_t behind[8];

  Guarded() { kernels::soil(*this); }
  // Its elements; what no element is where a word beside it was written.
  void unpack_to(uint8_t *elements) const {
    unpack<P>(elements, a);
    for (int i = 0; i < 8; i++)
      if (before[i] != guard || behind[i] != guard) elements[0] = 0xff;
  }

 private:
  static constexpr uint64_t guard = kernels::garbage * uint64_t{0x0101010101010101};
};

template <int Block> struct Segments {
  aioli::RowSegment s[Block];
  explicit Segments(const RawSegment *raw) {
    for (int b = 0; b < Block; b++) s[b] = {raw[b].entries, raw[b].first, raw[b].count};
  }
};

template <class P, int n, int c> struct ProductOf final : Product {
  using K = aioli::WithDefaults<P, Kernels<P>>;
  alignas(64) typename K::template Factor<n, c> X;
  alignas(64) typename K::template Products<c> W;

  ProductOf() : Product(n, c) {}
  void soil() override { kernels::soil(X), kernels::soil(W); }
  void set(const uint8_t *elements) override {
    Fmat<n, c> matrix;
    pack(matrix, elements);
    if (by_columns = !by_columns; by_columns) {  // by rows and by columns in turns
      Fmat<c - 1, n> columns;
      Fmat<1, n> last_column;
      columns.zero(), last_column.zero();
      for (int row = 0; row < n; row++) {
        for (int i = 0; i < c - 1; i++) columns.set(i, row, matrix(row, i));
        last_column.set(0, row, matrix(row, c - 1));
      }
      kernels::soil(way);
      X.set_columns(way, columns, last_column);
      kernels::soil(columns), kernels::soil(last_column), kernels::soil(way);
      return;
    }
    X.set(matrix);
    kernels::soil(matrix);  // a prepared matrix stands for itself
  }
  bool by_columns = false;
  typename K::template Factor<n, c>::template Columns<2> way;
  void times(const RawSegment *segments) override { W.times(Segments<K::block>(segments).s, X); }
  void add_times(const RawSegment *segments) override { W.add_times(Segments<K::block>(segments).s, X); }
  void times(const RawSegment *segments, const RawSegment *more, const RawSegment *column) override {
    aioli::Rows<K::block> rows;
    rows.index = segments[0].first, rows.count = K::block;
    for (int b = 0; b < K::block; b++) {
      rows.P1[b] = {segments[b].entries, segments[b].first, segments[b].count};
      rows.P2[b] = {more[b].entries, more[b].first, more[b].count};
    }
    W.times_rows(rows, Segments<K::block>(column).s, X);
  }
  void add(const RawSegment *segments, int column) override { W.add(Segments<K::block>(segments).s, column); }
  void get(uint8_t *to, int b, int column) override {
    Guarded<P> guarded;
    W.get(guarded.a, b, column);
    guarded.unpack_to(to);
  }
  void get_row(uint8_t *packed, int b) override { W.get_row(packed, b); }
  alignas(64) typename K::template TransposedSums<c> transposed;
  static constexpr bool makes_L = n == P::v && c == P::o;
  bool transposes() const override { return makes_L; }
  void add_times_transposed(const uint8_t *P1, int index) override {
    if constexpr (makes_L) W.add_times_transposed(P1, index, X, transposed);
  }
};

// W = the segments' entries
template <class P, int columns>
void fill_products(typename Kernels<P>::template Products<columns> &to, const RawSegment *segments) {
  using K = Kernels<P>;
  const uint8_t nothing[aioli::slack] = {};
  RawSegment empty[K::block];
  for (auto &s : empty) s = {nothing, 0, 0};
  static typename K::template Factor<1, columns> zero;
  Fmat<1, columns> matrix;
  matrix.zero();
  zero.set(matrix);
  to.times(Segments<K::block>(empty).s, zero);
  to.add(Segments<K::block>(segments).s, 0);
}

// D columns of products, or segments from column Origin on; the other one is -1.  The scalars are columns First ..  First + r - 1
// of a factor that has `more` columns behind them.
template <class P, int n, int r, int c, int D, int Origin, int First = 0, int more = 0> struct SumOf final : Sum {
  using K = aioli::WithDefaults<P, Kernels<P>>;
  static constexpr int d = D < 0 ? 1 : D;
  alignas(64) typename K::template Factor<n, First + r + more> A;
  alignas(64) typename K::template Accumulators<r, c, First> U;
  alignas(64) typename K::template Products<d> W;
  alignas(64) typename K::template Products<r> T;

  SumOf() : Sum(n, r, c, D, Origin) {}
  void soil() override { kernels::soil(A), kernels::soil(U), kernels::soil(W); }
  void set(const uint8_t *elements) override {
    Fmat<n, First + r + more> matrix;
    matrix.zero();
    for (int row = 0; row < n; row++)
      for (int i = 0; i < First + r + more; i++) {
        const bool ours = i >= First && i < First + r;
        matrix.set(row, i, aioli::GF16{uint8_t(ours ? elements[row * r + i - First] : (7 * row + i) % 16)});
      }
    A.set(matrix);
    kernels::soil(matrix);
  }
  void zero() override { U.zero(); }
  void set_products(const RawSegment *segments) override { fill_products<P, d>(W, segments); }
  void add_outer(int index) override {
    if constexpr (D >= 0) U.add_outer(A, index, W);
  }
  void add_outer(int index, const RawSegment *segments) override {
    if constexpr (Origin >= 0) U.template add_outer<Origin>(A, index, Segments<K::block>(segments).s);
  }
  void get(uint8_t *to, int i, int j) override {
    Guarded<P> guarded;
    U.get(guarded.a, i, j);
    guarded.unpack_to(to);
    if constexpr (r == c) {
      if (i >= j) return;
      Guarded<P> upper;
      U.get_upper(upper.a, i, j);
      Mvector<P> sum;
      U.get(sum, j, i), sum += guarded.a;
      if (!(upper.a == sum)) to[0] = 0xff;  // no element
    }
  }
  // Only schemes of one vector ask for it.
  static constexpr bool has_transposed = First == 0 && requires { &K::template Accumulators<r, c, First>::add_transposed; };
  bool transposes() const override { return has_transposed; }
  void add_transposed(int index, const RawSegment *segments) override {
    if constexpr (has_transposed) {
      kernels::soil(T);
      fill_products<P, r>(T, segments);
      U.add_transposed(index, T);
    }
  }
};

// UpperAccumulators, at an odd address.
template <class P, int n, int r> struct UpperSumOf final : Sum {
  using K = aioli::WithDefaults<P, Kernels<P>>;
  static constexpr int size = r * (r + 1) / 2 * P::m_bytes;
  alignas(64) typename K::template Factor<n, r> A;
  alignas(64) typename K::template UpperAccumulators<r> U;  // the default as well
  alignas(64) typename K::template Products<r> W;
  GuardedBytes<size> memory;
  uint8_t *P3 = memory.soiled();

  UpperSumOf() : Sum(n, r, r, r, -1) {}
  void soil() override { kernels::soil(A), kernels::soil(U), kernels::soil(W), memory.soiled(); }
  void set(const uint8_t *elements) override {
    Fmat<n, r> matrix;
    pack(matrix, elements);
    A.set(matrix);
  }
  void zero() override { U.start(P3), finished = false; }
  void set_products(const RawSegment *segments) override { fill_products<P, r>(W, segments); }
  void add_outer(int index) override { U.add_outer(A, index, W), finished = false; }
  void add_outer(int, const RawSegment *) override {}
  bool finished = false;
  void get(uint8_t *to, int i, int j) override {
    if (!finished) U.finish(P3), finished = true;
    Mvector<P> a;
    a.zero();
    if (memory.guards_hold()) a.load(P3 + (i * r - i * (i - 1) / 2 + j - i) * P::m_bytes);
    unpack<P>(to, a);
  }
  bool upper() const override { return true; }
  bool transposes() const override { return false; }
  void add_transposed(int, const RawSegment *) override {}
};

template <class P> struct SolverOf final : Solver {
  alignas(64) typename Kernels<P>::Solver solver;

  SolverOf() : Solver(P::m, P::o, P::k) {}
  bool solve(uint8_t *x, const uint8_t *A, const uint8_t *y, const uint8_t *r) override {
    constexpr int columns = P::k * P::o;
    kernels::soil(solver);
    uint8_t column[P::m];
    for (int j = 0; j < columns; j++) {
      for (int i = 0; i < P::m; i++) column[i] = A[i * columns + j];
      pack(solver.A[j], column);
    }
    pack(solver.A[columns], y);
    Fmat<P::k, P::o> X, free;
    kernels::soil(X);
    pack(free, r);
    const bool solved = solver.solve(X, free);
    // Whatever is past the last column would be taken for elements of the solution by packed arithmetic.
    for (int i = 0; i < P::k; i++)
      for (int c = 0; c < P::o; c++) x[i * P::o + c] = X.w[i][c / 16] >> (4 * (c % 16)) & 15;
    return solved;
  }
};

template <class P> struct EncodingOf final : Encoding {
  EncodingOf() : Encoding(P::k, P::n, P::pairs) {}
  void decode(uint8_t *to, const uint8_t *nibbles) override {
    Fmat<P::k, P::n> matrix;
    kernels::soil(matrix);
    aioli::decode(matrix, nibbles);
    for (int r = 0; r < P::k; r++)
      for (int c = 0; c < 16 * matrix.row_words; c++) *to++ = matrix.w[r][c / 16] >> (4 * (c % 16)) & 15;
  }
  void power_sum(uint8_t *to, const uint8_t *u, bool with_vectors) override {  // where the backend has them
    if (with_vectors)
      sum<aioli::WhippingSum<P>>(to, u);
    else
      sum<aioli::PowerSum<P, P::pairs, false>>(to, u);
  }

 private:
  template <class Sum> void sum(uint8_t *to, const uint8_t *u) {
    static Sum s;
    kernels::soil(s);
    s.start();
    for (int i = 0; i < P::pairs; i++) {
      const int at = P::pairs % 7 != 0 ? 7 * i % P::pairs : i;  // in another order, where 7 does not divide their number
      s.add(at, [&](Mvector<P> &a) { pack(a, u + at * P::m); });
    }
    Mvector<P> y;
    kernels::soil(y);
    s.finish(y);
    unpack<P>(to, y);
  }
};

// The shapes that keys, signing and verifying use.
template <class P> struct SetOf {
  static constexpr int n = P::n, o = P::o, k = P::k, v = P::v;
  static inline ProductOf<P, v, o> PO;
  static inline ProductOf<P, v, k + o> PVO;
  static inline ProductOf<P, v, k> PV;
  static inline ProductOf<P, n, k> PS;
  static inline Product *const products[] = {&PO, &PVO, &PV, &PS};

  static inline SumOf<P, v, o, o, o, -1> P3;
  static inline SumOf<P, v, k, k + o, k + o, -1, 0, o> UM;
  static inline SumOf<P, v, o, k, k + o, -1, k> N;
  static inline SumOf<P, v, k, k, k, -1> U;
  static inline SumOf<P, n, k, k, k, -1> US;
  static inline SumOf<P, v, o, v, -1, 0> L;
  static inline SumOf<P, v, k, o, -1, v> VL;
  static inline SumOf<P, v, o, 1, -1, 0> lambda;
  static inline UpperSumOf<P, v, o> upper;
  static inline Sum *const sums[] = {&P3, &UM, &N, &U, &US, &L, &VL, &lambda, &upper};

  static inline SolverOf<P> solver;
  static inline EncodingOf<P> encoding;
  static Set set(const char *name) {
    static_assert(aioli::Contract<P, Kernels<P>>::kept);
    return {name,
            P::m,
            P::m_bytes,
            16 * Mvector<P>::words,
            Kernels<P>::block,
            {products, sizeof products / sizeof *products},
            {sums, sizeof sums / sizeof *sums},
            &solver,
            &encoding};
  }
};

template <int m, int o, int k> struct Small : aioli::MayoParams<m + o, m, o, k, 1, 0x02402, 3> {};

// Kernels know a set by its shape, so sets of the same shape share theirs here.
template <class P> using ShapeOf = SetOf<aioli::MayoParams<P::n, P::m, P::o, P::k, 1, 0x02402, 3>>;

using SomeSet = aioli::Mayo1;
template <class A> struct AesOf final : Aes {
  alignas(64) A aes;
  AesOf() : Aes(A::batch) {}
  void soil() override { kernels::soil(aes); }
  void init(const uint8_t *key, const uint8_t *iv) override { aes.init(key, iv); }
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) override { aes.keystream(out, first, blocks); }
};

}  // namespace

const char *backend() { return AIOLI_TEST_BACKEND; }

List<const Set> sets() {
#if defined(AIOLI_TEST_REFERENCE_BLOCK)  // five sets tell whether the checks are right
  static const Set a = SetOf<aioli::Mayo1>::set("MAYO-1"), b = SetOf<aioli::Mayo2>::set("MAYO-2");
  static const Set c = SetOf<aioli::Mayo1r2>::set("MAYO-1-r2"), d = SetOf<aioli::Mayo2r1>::set("MAYO-2-r1");
  static const Set e = SetOf<aioli::Mayo5>::set("MAYO-5");
  static const Set *const list[] = {&a, &b, &c, &d, &e};
#elif defined( \
    AIOLI_TEST_THREE_SETS)  // half of 64 bytes and a word; a whole register, a word and an odd number of bytes; a half alone
  static const Set a = SetOf<aioli::Mayo1>::set("MAYO-1"), b = SetOf<aioli::Mayo5>::set("MAYO-5");
  static const Set c = SetOf<aioli::Mayo2>::set("MAYO-2");
  static const Set *const list[] = {&a, &b, &c};
#elif defined(AIOLI_TEST_FEW_SETS)  // m-vectors that fill registers in four different ways
  static const Set a = SetOf<aioli::Mayo1>::set("MAYO-1"), b = SetOf<aioli::Mayo2>::set("MAYO-2");
  static const Set c = SetOf<aioli::Mayo3>::set("MAYO-3"), d = SetOf<aioli::Mayo5>::set("MAYO-5");
#if defined(AIOLI_BACKEND_avx512) || defined(AIOLI_BACKEND_emulated_avx512)
  // And six words of the eight that 64 bytes have, and eight.
  static const Set six = SetOf<aioli::Mayo3r1>::set("MAYO-3-r1"), whole = SetOf<aioli::Mayo5r1>::set("MAYO-5-r1");
  static const Set *const list[] = {&a, &b, &c, &d, &six, &whole};
#else
  static const Set *const list[] = {&a, &b, &c, &d};
#endif
#else
#define AIOLI_MAYO_SET(identifier, name, params) static const Set identifier = ShapeOf<aioli::params>::set(name);
#include "oracle/mayo_sets.inc"
#undef AIOLI_MAYO_SET
#if defined(AIOLI_ONLY_ROUND_3)  // which has entries of 40, 32, 54 and 71 bytes: two more shapes, 39 and 48
  static const Set odd = ShapeOf<aioli::Mayo1r2>::set("MAYO-1-r2"), halves = ShapeOf<aioli::Mayo3r1>::set("MAYO-3-r1");
#endif
  static const Set *const list[] = {
#if defined(AIOLI_ONLY_ROUND_3)
      &odd,
      &halves,
#endif
#define AIOLI_MAYO_SET(identifier, name, params) &identifier,
#include "oracle/mayo_sets.inc"
#undef AIOLI_MAYO_SET
  };
#endif
  return {list, sizeof list / sizeof *list};
}

List<Solver> small_solvers() {
  // k o = m; k o much larger than m; right sides in the first or last element of a word.
  static SolverOf<Small<2, 1, 2>> a;
  static SolverOf<Small<4, 2, 2>> b;
  static SolverOf<Small<4, 5, 4>> c;
  static SolverOf<Small<14, 3, 5>> d;
  static SolverOf<Small<16, 4, 4>> e;
  static SolverOf<Small<16, 5, 7>> f;
  static SolverOf<Small<18, 4, 8>> g;
  static SolverOf<Small<30, 31, 1>> h;
  static SolverOf<Small<32, 8, 4>> i;
  static SolverOf<Small<34, 6, 8>> j;
  static SolverOf<Small<6, 17, 3>> l;
  static Solver *const list[] = {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &l};
  return {list, sizeof list / sizeof *list};
}

List<Aes> streams() {
  using A = Kernels<SomeSet>::Aes;
  static AesOf<A> a;
  static AesOf<A::Short> b;  // perhaps the same
  static Aes *const list[] = {&a, &b};
  return {list, 2};
}

}  // namespace kernels
