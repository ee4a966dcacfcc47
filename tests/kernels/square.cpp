// SPDX-License-Identifier: Apache-2.0
// The kernels of one backend for schemes of one vector (Contract where P::k = 1) against schoolbook arithmetic, over both fields:
// shapes of UOV, and odd ones (harness.hpp).
#include AIOLI_BACKEND_HEADER
#include "kernels/harness.hpp"
#include "linalg/kernel_defaults.hpp"
#include "scheme/uov_params.hpp"

namespace {

using namespace aioli;
using namespace kernels;

template <class P> struct Checks {
  using F = typename P::Field;
  using K = WithDefaults<P, Kernels<P>>;
  static constexpr int m = P::m, v = P::v, o = P::o, n = P::n, block = K::block, q_mask = (1 << F::bits) - 1;
  static_assert(Contract<P, Kernels<P>>::kept);

  const char *name;
  Products2<F::bits> product;
  static inline uint8_t P1[v][v][m], P2[v][o][m], X[v][1 + o], W[n][o + 1][m], U[o][v][m];
  static inline uint8_t packed1[P::P1_bytes + slack], packed2[P::P2_bytes + slack];
  alignas(64) static inline typename K::template Factor<v, 1 + o> factor;
  alignas(64) static inline typename K::template Scalars<v, o> scalars;
  alignas(64) static inline typename K::template Products<1 + o> products;
  alignas(64) static inline typename K::template Products<o> narrow;
  alignas(64) static inline typename K::template Accumulators<o, o, 1> outer;
  alignas(64) static inline typename K::template Accumulators<o, v, 1> triangular;
  alignas(64) static inline typename K::template Accumulators<o, o, 1> square;
  alignas(64) static inline typename K::template Accumulators<o, v> transposed;
  alignas(64) static inline typename K::template Accumulators<o, o> by_scalars;
  alignas(64) static inline typename K::template Factor<n, 1> point;
  alignas(64) static inline typename K::template Values<n> values, values_of_P1;
  alignas(64) static inline typename K::Solver solver;
  alignas(64) static inline typename K::template Factor<v, 1> single;
  alignas(64) static inline typename K::template Accumulators<1, o> of_single;
  alignas(64) static inline typename K::template Accumulators<1, v> row_sums;
  alignas(64) static inline typename K::template Accumulators<o, 1> column_sums;
  static inline GuardedBytes<v * o * P::m_bytes> memory;  // of the caller

  static void put(uint8_t *bytes, const uint8_t (&entry)[m]) {
    for (int e = 0; e < m; e++)
      if (F::bits == 8)
        bytes[e] = entry[e];
      else
        bytes[e / 2] = uint8_t(e % 2 == 0 ? entry[e] : bytes[e / 2] | entry[e] << 4);
  }
  static bool same(const Mvector<P> &a, const uint8_t (&expected)[m]) {
    for (int e = 0; e < m; e++)
      if (a[e].n != expected[e]) return false;
    for (int e = m; e < Mvector<P>::words * F::per_word; e++)
      if (a[e].n != 0) return false;
    return true;
  }
  void add_multiple(uint8_t (&to)[m], uint8_t a, const uint8_t (&entry)[m]) {
    for (int e = 0; e < m; e++) to[e] ^= product.of[a][entry[e]];
  }

  void run() {
    randomize<F::bits>(P1), randomize<F::bits>(P2), randomize<F::bits>(X);
    memset(packed1, 0xff, sizeof packed1), memset(packed2, 0xff, sizeof packed2);
    for (int r = 0; r < v; r++) {
      for (int c = r; c < v; c++) put(packed1 + RowLayout<P>::P1_offset(r) + (c - r) * P::m_bytes, P1[r][c]);
      for (int c = 0; c < o; c++) put(packed2 + (r * o + c) * P::m_bytes, P2[r][c]);
    }
    Fmat<v, 1 + o, F> matrix;
    Fmat<v, o, F> oil;
    matrix.zero(), oil.zero();
    for (int r = 0; r < v; r++)
      for (int c = 0; c < 1 + o; c++) {
        matrix.set(r, c, {X[r][c]});
        if (c > 0) oil.set(r, c - 1, {X[r][c]});
      }
    soil(factor);
    factor.set(matrix), scalars.set(oil);
    soil(products);
    uint8_t x[n], value[2][m] = {};
    Fmat<n, 1, F> x_matrix;
    x_matrix.zero();
    randomize<F::bits>(x);
    for (int r = 0; r < n; r++) x_matrix.set(r, 0, {x[r]});
    point.set(x_matrix), values.zero(), values_of_P1.zero();
    outer.zero(), triangular.zero(), square.zero(), transposed.zero(), by_scalars.zero();

    StoredRows<P, block> rows;
    rows.start(packed1, packed2);
    memset(W, 0, sizeof W);
    Mvector<P> got;
    bool times = true, twice = true;
    for (Rows<block> r; rows.next(r);) {
      products.times(r.P1, factor);
      products.add(r.P2, 1);
      for (int b = 0; b < r.count; b++) {
        const int row = r.index + b;
        for (int c = 0; c < 1 + o; c++) {
          for (int j = row; j < v; j++) add_multiple(W[row][c], X[j][c], P1[row][j]);
          if (c > 0) add_multiple(W[row][c], 1, P2[row][c - 1]);
          products.get(got, b, c);
          times = times && same(got, W[row][c]);
        }
      }
      values.add(point, r.index, r.P1, r.P2), values_of_P1.add(point, r.index, r.P1);
      for (int b = 0; b < r.count; b++) {
        const int row = r.index + b;
        for (int j = row; j < v; j++) add_multiple(value[0], product.of[x[row]][x[j]], P1[row][j]);
        for (int j = 0; j < o; j++) add_multiple(value[1], product.of[x[row]][x[v + j]], P2[row][j]);
      }
      RowSegment beyond[block];  // rows past the last one are nobody's, whatever is in them
      for (int b = 0; b < block; b++) beyond[b] = {packed2, v, b < r.count ? 0 : o};
      products.add(beyond, 1);
      outer.add_outer(factor, r.index, products);  // column j of U takes W_j, the first o columns
      triangular.template add_outer<0>(factor, r.index, r.P1);
      square.template add_outer<v>(factor, r.index, r.P2);
      RowSegment nothing[block];
      for (RowSegment &segment : nothing) segment = {r.P2[0].entries, 0, 0};
      narrow.times(nothing, narrow_factor());
      narrow.add(r.P2, 0);
      narrow.add(beyond, 0);
      transposed.add_transposed(r.index, narrow);
      by_scalars.add_outer(scalars, r.index, narrow);
      // The same again on top of itself: zero, but for the entries of P2.
      products.add_times(r.P1, factor);
      for (int b = 0; b < r.count; b++) {
        products.get(got, b, 0);
        uint8_t zero[m] = {};
        twice = twice && same(got, zero);
        products.get(got, b, o);
        twice = twice && same(got, P2[r.index + b][o - 1]);
      }
    }
    values_of_P1.get(got, point);
    expect(same(got, value[0]), name, "values");
    add_multiple(value[0], 1, value[1]);
    values.get(got, point);
    expect(same(got, value[0]), name, "values of rows of two parts");
    expect(times, name, "times, add");
    expect(twice, name, "add_times");

    bool sums[5] = {true, true, true, true, true};
    for (int i = 0; i < o; i++) {
      for (int j = 0; j < o; j++) {
        uint8_t sum[m] = {}, of_P2[m] = {}, of_scalars[m] = {};
        for (int r = 0; r < v; r++) {
          add_multiple(sum, X[r][1 + i], W[r][j]);
          add_multiple(of_P2, X[r][1 + i], P2[r][j]);
          add_multiple(of_scalars, X[r][1 + i], P2[r][j]);
        }
        outer.get(got, i, j), sums[0] = sums[0] && same(got, sum);
        square.get(got, i, j), sums[1] = sums[1] && same(got, of_P2);
        by_scalars.get(got, i, j), sums[2] = sums[2] && same(got, of_scalars);
      }
      for (int c = 0; c < v; c++) {
        uint8_t sum[m] = {};
        for (int r = 0; r <= c; r++) add_multiple(sum, X[r][1 + i], P1[r][c]);
        triangular.get(got, i, c), sums[3] = sums[3] && same(got, sum);
        transposed.get(got, i, c), sums[4] = sums[4] && same(got, P2[c][i]);
      }
    }
    expect(sums[0], name, "add_outer of products");
    expect(sums[1], name, "add_outer of full segments");
    expect(sums[2], name, "add_outer with Scalars");
    expect(sums[3], name, "add_outer of triangular segments");
    expect(sums[4], name, "add_transposed");

    bool taken = true;
    for (int r = 0; r < v; r += block) {
      soil(narrow);
      narrow.take_transposed(transposed, r);
      for (int b = 0; b < block; b++)
        for (int i = 0; i < o; i++) {
          const uint8_t zero[m] = {};
          narrow.get(got, b, i);
          taken = taken && (r + b < v ? same(got, P2[r + b][i]) : same(got, zero));
        }
    }
    expect(taken, name, "take_transposed");
    optional();
    for (int kind = 0; kind < 6; kind++) solve(kind, true);
    for (int kind : singular) solve(kind, false);
  }

  // What only some backends have of their own, and the defaults.  P1, P2, X are still those of run().
  void optional() {
    Fmat<v, 1, F> first;
    Fmat<v, o, F> oil;
    first.zero(), oil.zero();
    for (int r = 0; r < v; r++) {
      first.set(r, 0, {X[r][0]});
      for (int c = 0; c < o; c++) oil.set(r, c, {X[r][1 + c]});
    }
    single.set(first);
    Mvector<P> got;
    StoredRows<P, block> rows;
    rows.start(packed1, packed2);

    {
      bool good = true;
      row_sums.zero(), of_single.zero();
      for (Rows<block> r; rows.next(r);) {
        row_sums.template add_public_outer<0>(single, r.index, r.P1);
        of_single.template add_public_outer<v>(single, r.index, r.P2);
      }
      for (int c = 0; c < v; c++) {
        uint8_t sum[m] = {};
        for (int r = 0; r <= c; r++) add_multiple(sum, X[r][0], P1[r][c]);
        row_sums.get(got, 0, c), good = good && same(got, sum);
      }
      for (int j = 0; j < o; j++)
        good = good && is_product(of_single, 0, j, [&](int r) { return X[r][0]; }, [&](int r) -> auto & { return P2[r][j]; });
      expect(good, name, "add_public_outer");
    }
    {
      // With nothing behind the matrix: memory checkers see that.
      static uint8_t exact[P::P2_bytes];
      memcpy(exact, packed2, sizeof exact);
      const auto add_all = [&] {
        rows.rewind();
        for (Rows<block> r; rows.next(r);) of_single.template add_stored<v>(single, r.index, r.P2, exact);
      };
      of_single.zero();
      add_all();
      bool good = true;
      for (int j = 0; j < o; j++)
        good = good && is_product(of_single, 0, j, [&](int r) { return X[r][0]; }, [&](int r) -> auto & { return P2[r][j]; });
      add_all();
      for (int j = 0; j < o; j++) of_single.get(got, 0, j), good = good && got == Mvector<P>{};
      expect(good, name, "add_stored");
    }
    {
      scalars.set(oil);
      column_sums.zero();
      static typename K::template Products<1> way;
      column_sums.add_row(scalars, row_sums, way);  // column c is, from above, X[0][0] P1[0][c] + ..
      bool good = true;
      for (int i = 0; i < o; i++) {
        uint8_t sum[m] = {};
        for (int c = 0; c < v; c++)
          for (int r = 0; r <= c; r++) add_multiple(sum, product.of[X[c][1 + i]][X[r][0]], P1[r][c]);
        column_sums.get(got, i, 0), good = good && same(got, sum);
      }
      expect(good, name, "add_row");
    }
    {
      alignas(64) static typename K::template Factor<v, o> X_oil;
      alignas(64) static typename K::template UpperAccumulators<o> upper;
      X_oil.set(oil);
      uint8_t *const P3 = memory.soiled();
      upper.start(P3);
      rows.rewind();
      for (Rows<block> r; rows.next(r);) {
        RowSegment nothing[block];
        for (RowSegment &segment : nothing) segment = {r.P2[0].entries, 0, 0};
        narrow.times(nothing, X_oil), narrow.add(r.P2, 0);
        upper.add_outer(X_oil, r.index, narrow);
      }
      upper.finish(P3);
      bool good = memory.guards_hold(o * (o + 1) / 2 * P::m_bytes);
      const uint8_t *p = P3;
      for (int a = 0; a < o; a++)
        for (int b = a; b < o; b++, p += P::m_bytes) {
          uint8_t sum[m] = {};
          for (int r = 0; r < v; r++) {
            add_multiple(sum, X[r][1 + a], P2[r][b]);
            if (a != b) add_multiple(sum, X[r][1 + b], P2[r][a]);
          }
          got.load(p), good = good && same(got, sum);
        }
      expect(good, name, "UpperAccumulators");
    }
    if constexpr (m == o) {
      alignas(64) static typename K::template Factor<v, o> X_oil;
      alignas(64) static typename K::template TransposedAccumulators<o, v> sums;
      X_oil.set(oil);
      uint8_t *const S = memory.soiled();
      sums.start(S);
      rows.rewind();
      for (Rows<block> r; rows.next(r);) {
        RowSegment nothing[block];
        for (RowSegment &segment : nothing) segment = {r.P2[0].entries, 0, 0};
        narrow.times(nothing, X_oil), narrow.add(r.P2, 0);
        sums.add_transposed(r.index, narrow);
        sums.template add_outer<0>(X_oil, r.index, r.P1);
      }
      sums.finish(S);
      bool good = memory.guards_hold();
      const uint8_t *p = S;
      for (int c = 0; c < v; c++)
        for (int i = 0; i < o; i++, p += P::m_bytes) {
          uint8_t sum[m] = {};
          add_multiple(sum, 1, P2[c][i]);
          for (int r = 0; r <= c; r++) add_multiple(sum, X[r][1 + i], P1[r][c]);
          got.load(p), good = good && same(got, sum);
        }
      expect(good, name, "TransposedAccumulators");
    }
    {
      alignas(64) static typename K::template Evaluation<n> value;
      Fmat<1, n, F> s;
      s.zero();
      for (int i = 0; i < n; i++) s.set(0, i, {uint8_t(i % 5 == 3 ? 0 : X[i % v][(7 * i) % (1 + o)])});
      soil(value);
      value.start(s);
      rows.rewind();
      for (Rows<block> r; rows.next(r);) value.add(r);
      uint8_t sum[m] = {};
      for (int r = 0; r < v; r++) {
        for (int c = r; c < v; c++) add_multiple(sum, product.of[s(0, r).n][s(0, c).n], P1[r][c]);
        for (int c = 0; c < o; c++) add_multiple(sum, product.of[s(0, r).n][s(0, v + c).n], P2[r][c]);
      }
      value.get(got);
      expect(same(got, sum), name, "Evaluation");
    }
  }
  // U[i][j] = the sum over the rows r of scalar(r) entry(r).
  template <class U, class Scalar, class Entry> bool is_product(const U &sums, int i, int j, Scalar scalar, Entry entry) {
    uint8_t sum[m] = {};
    Mvector<P> got;
    for (int r = 0; r < v; r++) add_multiple(sum, scalar(r), entry(r));
    sums.get(got, i, j);
    return same(got, sum);
  }

  const typename K::template Factor<v, o> &narrow_factor() {
    alignas(64) static typename K::template Factor<v, o> some;
    return some;
  }

  static constexpr int singular[] = {2, 3, 5};  // kinds
  // Systems with a solution, or with any right side: random ones; such whose first rows have no entry in the first columns;
  // singular ones of rank m - 1, by equal columns and by a zero row.
  void solve(int kind, bool consistent) {
    static uint8_t A[m][o], x[o], y[m];
    randomize<F::bits>(A), randomize<F::bits>(x);
    if (kind == 1)
      for (int r = 0; r < m; r++)
        for (int c = 0; c < o; c++)
          if (r + c < m - 1) A[r][c] = 0;  // all pivots are in the last rows
    if (kind == 1)
      for (int r = 0; r < m; r++) A[r][m - 1 - r] |= 1;
    if (kind == 2)
      for (int r = 0; r < m; r++) A[r][o - 1] = A[r][0];
    if (kind == 3)
      for (auto &a : A[m / 2]) a = 0;
    if (kind == 4)  // a permutation
      for (int r = 0; r < m; r++)
        for (int c = 0; c < o; c++) A[r][c] = c == (r * 7 + 3) % m || false ? 1 : 0;
    if (kind == 5) memset(A, 0, sizeof A);
    for (int r = 0; r < m; r++) {
      y[r] = 0;
      for (int c = 0; c < o; c++) y[r] ^= product.of[A[r][c]][x[c]];
      if (!consistent) y[r] = random_byte() & q_mask;
    }
    uint8_t column[m], bytes[P::m_bytes];
    for (int c = 0; c <= o; c++) {
      for (int r = 0; r < m; r++) column[r] = c < o ? A[r][c] : y[r];
      put(bytes, column);
      solver.A[c].load(bytes);
    }
    Fmat<1, o, F> found, none;
    none.zero();
    const bool regular = regular_matrix(A), solved = solver.solve(found, none);
    expect(solved == regular, name, "a system is singular, or is not");
    for (int other : singular)
      if (kind == other) expect(!solved, name, "a singular system");
    bool right = true;
    for (int c = 0; solved && c < o; c++) right = right && found(0, c).n == x[c];
    expect(right, name, "the solution");
  }
  bool regular_matrix(const uint8_t (&from)[m][o]) {
    static uint8_t A[m][o];
    memcpy(A, from, sizeof A);
    for (int c = 0; c < o; c++) {
      int p = c;
      while (p < m && A[p][c] == 0) p++;
      if (p == m) return false;
      for (int k = 0; k < o; k++) {
        const uint8_t t = A[p][k];
        A[p][k] = A[c][k], A[c][k] = t;
      }
      uint8_t inverse = 1;
      while (product.of[inverse][A[c][c]] != 1) inverse++;
      for (int r = c + 1; r < m; r++) {
        const uint8_t f = product.of[A[r][c]][inverse];
        for (int k = c; k < o; k++) A[r][k] ^= product.of[f][A[c][k]];
      }
    }
    return true;
  }
};

template <class P> void check(const char *name) {
  static Checks<P> checks;
  checks.name = name;
  checks.run();
}

}  // namespace

int main() {
  return run(AIOLI_TEST_BACKEND, [] {
    check<UovIs>("UOV-Is");
    check<UovIp>("UOV-Ip");
    check<UovParams<Gf256, 57, 22, 1, 3>>("GF(256), m = 22, v = 35");
    check<UovParams<Gf256, 181, 72, 3, 3>>("GF(256), m = 72, v = 109");
    check<UovParams<Gf16, 54, 24, 1, 3>>("GF(16), m = 24, v = 30");
  });
}
