// SPDX-License-Identifier: Apache-2.0
// The products of "Nibbling MAYO", on rows in memory: with bit-sliced keys in bit-sliced arithmetic, and with nibble-sliced keys
// by the kernels of the backend that this is compiled for.
#include "products.h"

#include "backend/portable/kernels.hpp"
#include AIOLI_BACKEND_HEADER
#include "bit_sliced.hpp"
#include "scheme/mayo_params.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace {

// P: the set with nibble-sliced keys, B: the same set with bit-sliced ones.
template <class P, class B> struct Experiment {
  using K = Kernels<P>;
  using Portable = PortableKernels<P>;
  static constexpr int m = P::m, v = P::v, o = P::o, k = P::k, entry = P::m_bytes;
  static_assert(K::block == 1 && Portable::block == 1);

  struct Work {
    alignas(4) uint8_t P1[P::P1_bytes + slack], P1_planes[P::P1_bytes + slack];
    alignas(4) uint8_t row[v * entry + slack];  // of P1 + P1^T
    Fmat<v, o> O;
    Fmat<v, k> V;  // transposed
    typename K::template Factor<v, o> factor_O;
    typename K::template Factor<v, k> factor_V;
    BitSlicedFactor<v, o> scalars_O;
    BitSlicedFactor<v, k> scalars_V;
    typename K::template Products<o> by_O[v];
    typename K::template Products<k> by_V[v];
    typename K::template Accumulators<o, v> L;
    BitSlicedProducts<m, o> planes_by_O[v];
    BitSlicedProducts<m, k> planes_by_V[v];
    Mvector<P> P1_O[v][o], P1_V[v][k], symmetric_O[v][o];  // what it should be
  };
  static inline Work w;

  // Row r of P1 in memory, and of the matrix P1 + P1^T, which is made from a row and a column of P1; its diagonal is zero.
  static RowSegment row(const uint8_t *P1, int r) { return {P1 + RowLayout<P>::P1_offset(r), r, v - r}; }
  __attribute__((noinline)) static RowSegment symmetric_row(const uint8_t *P1, int r) {
    uint8_t *to = w.row;
    const uint8_t *from = P1 + r * entry;
    for (int j = 0; j < r; j++, to += entry, from += (v - j) * entry) copy_entry(to, from);
    for (int i = 0; i < entry; i += 4) __builtin_memset(to + i, 0, 4);
    for (int j = r + 1; j < v; j++) to += entry, from += entry, copy_entry(to, from);
    return {w.row, 0, v};
  }
  static void copy_entry(uint8_t *to, const uint8_t *from) {
    __builtin_memcpy(__builtin_assume_aligned(to, 4), __builtin_assume_aligned(from, 4), entry);
  }

  static uint8_t next(uint64_t &state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return uint8_t(state >> 56);
  }
  template <int R, int C> static void random(Fmat<R, C> &X, uint64_t &state) {
    X.zero();
    for (int r = 0; r < R; r++)
      for (int c = 0; c < C; c++) X.set(r, c, {uint8_t(next(state) & 15)});
  }
  static void fill() {
    uint64_t state = m + o;
    for (int i = 0; i < P::P1_bytes; i++) w.P1[i] = w.P1_planes[i] = next(state);
    for (int i = 0; i < P::P1_bytes; i += entry) nibbles_to_planes<B>(w.P1_planes + i);
    random(w.O, state), random(w.V, state);

    static typename Portable::template Factor<v, o> by_O;
    static typename Portable::template Factor<v, k> by_V;
    static typename Portable::template Products<o> W;
    static typename Portable::template Products<k> Y;
    static typename Portable::template Accumulators<o, v> L;
    by_O.set(w.O), by_V.set(w.V), L.zero();
    for (int r = 0; r < v; r++) {
      const RowSegment segment[1] = {row(w.P1, r)};
      W.times(segment, by_O), Y.times(segment, by_V);
      for (int c = 0; c < o; c++) W.get(w.P1_O[r][c], 0, c);
      for (int c = 0; c < k; c++) Y.get(w.P1_V[r][c], 0, c);
      L.add_transposed(r, W);
      L.template add_outer<0>(by_O, r, segment);
    }
    for (int r = 0; r < v; r++)
      for (int c = 0; c < o; c++) L.get(w.symmetric_O[r][c], c, r);
  }

  // What is counted.
  static void set_scalars_O() { w.scalars_O.set(w.O); }
  static void set_scalars_V() { w.scalars_V.set(w.V); }
  static void set_tables_O() { w.factor_O.set(w.O); }
  static void set_tables_V() { w.factor_V.set(w.V); }
  static void planes_symmetric_O() {
    for (int r = 0; r < v; r++) w.planes_by_O[r].times(symmetric_row(w.P1_planes, r), w.scalars_O);
  }
  static void planes_P1_V() {
    for (int r = 0; r < v; r++) w.planes_by_V[r].times(row(w.P1_planes, r), w.scalars_V);
  }
  static void planes_P1_O() {
    for (int r = 0; r < v; r++) w.planes_by_O[r].times(row(w.P1_planes, r), w.scalars_O);
  }
  static void nibbles_symmetric_O() {
    for (int r = 0; r < v; r++) w.by_O[r].times({symmetric_row(w.P1, r)}, w.factor_O);
  }
  static void nibbles_P1_V() {
    for (int r = 0; r < v; r++) w.by_V[r].times({row(w.P1, r)}, w.factor_V);
  }
  static void nibbles_P1_O() {
    for (int r = 0; r < v; r++) w.by_O[r].times({row(w.P1, r)}, w.factor_O);
  }
  // As a secret key is expanded (scheme/mayo_expanded.hpp): each row of P1 is seen once.
  static void streamed_symmetric_O() {
    w.L.zero();
    for (int r = 0; r < v; r++) {
      const RowSegment segment[1] = {row(w.P1, r)};
      w.by_O[r].times(segment, w.factor_O);
      w.L.add_transposed(r, w.by_O[r]);
      w.L.template add_outer<0>(w.factor_O, r, segment);
    }
  }

  // Every element of a result, in nibbles.
  template <int C, class Get> static int same(const Mvector<P> (&wanted)[v][C], Get get) {
    for (int r = 0; r < v; r++)
      for (int c = 0; c < C; c++) {
        Mvector<P> got;
        get(got, r, c);
        if (!(got == wanted[r][c])) return 0;
      }
    return 1;
  }
  static void from_planes(Mvector<P> &to, const uint32_t (&plane)[4][m / 32]) {
    uint8_t bytes[entry];
    __builtin_memcpy(bytes, plane, sizeof bytes);
    planes_to_nibbles<B>(bytes);
    to.load(bytes);
  }
  template <int C> static int same(const Mvector<P> (&wanted)[v][C], const BitSlicedProducts<m, C> (&rows)[v]) {
    return same(wanted, [&](Mvector<P> &to, int r, int c) { from_planes(to, rows[r].plane[c]); });
  }
  template <int C> static int same(const Mvector<P> (&wanted)[v][C], const typename K::template Products<C> (&rows)[v]) {
    return same(wanted, [&](Mvector<P> &to, int r, int c) { rows[r].get(to, 0, c); });
  }
  static int planes_symmetric_O_agrees() { return same(w.symmetric_O, w.planes_by_O); }
  static int planes_P1_V_agrees() { return same(w.P1_V, w.planes_by_V); }
  static int planes_P1_O_agrees() { return same(w.P1_O, w.planes_by_O); }
  static int nibbles_symmetric_O_agrees() { return same<o>(w.symmetric_O, w.by_O); }
  static int nibbles_P1_V_agrees() { return same<k>(w.P1_V, w.by_V); }
  static int nibbles_P1_O_agrees() { return same<o>(w.P1_O, w.by_O); }
  static int streamed_symmetric_O_agrees() {
    return same(w.symmetric_O, [](Mvector<P> &to, int r, int c) { w.L.get(to, c, r); });
  }
  static void spoil_planes_O() { w.planes_by_O[v - 1].plane[o - 1][3][m / 32 - 1] ^= uint32_t(1) << 31; }
  static void spoil_planes_V() { w.planes_by_V[v - 1].plane[k - 1][3][m / 32 - 1] ^= uint32_t(1) << 31; }
  static void spoil_O() { w.by_O[v - 1].W[m - 1][0] ^= 1; }
  static void spoil_V() { w.by_V[v - 1].W[m - 1][0] ^= 1; }
  static void spoil_L() { w.L.U[0][o - 1][0] ^= 1; }

  static constexpr uint32_t upper = v * (v + 1) / 2 * m, whole = v * (v - 1) * m;
};

template <class P, class B> constexpr nibbling_set set_of(const char *name) {
  using E = Experiment<P, B>;
  return {name,
          E::fill,
          {{"planes", "prepare_O", 0, E::set_scalars_O, nullptr, nullptr},
           {"planes", "prepare_V", 0, E::set_scalars_V, nullptr, nullptr},
           {"nibbles", "prepare_O", 0, E::set_tables_O, nullptr, nullptr},
           {"nibbles", "prepare_V", 0, E::set_tables_V, nullptr, nullptr},
           {"planes", "symmetric_O", E::whole * E::o, E::planes_symmetric_O, E::planes_symmetric_O_agrees, E::spoil_planes_O},
           {"nibbles", "symmetric_O", E::whole * E::o, E::nibbles_symmetric_O, E::nibbles_symmetric_O_agrees, E::spoil_O},
           {"planes", "P1_V", E::upper * E::k, E::planes_P1_V, E::planes_P1_V_agrees, E::spoil_planes_V},
           {"nibbles", "P1_V", E::upper * E::k, E::nibbles_P1_V, E::nibbles_P1_V_agrees, E::spoil_V},
           {"planes", "P1_O", E::upper * E::o, E::planes_P1_O, E::planes_P1_O_agrees, E::spoil_planes_O},
           {"nibbles", "P1_O", E::upper * E::o, E::nibbles_P1_O, E::nibbles_P1_O_agrees, E::spoil_O},
           {"streamed", "symmetric_O", E::whole * E::o, E::streamed_symmetric_O, E::streamed_symmetric_O_agrees, E::spoil_L}}};
}

}  // namespace
}  // namespace AIOLI_ISA
}  // namespace aioli

const nibbling_set nibbling[nibbling_sets] = {aioli::set_of<aioli::Mayo1r1, aioli::Mayo1r1b>("MAYO-1-r1"),
                                              aioli::set_of<aioli::Mayo2r1, aioli::Mayo2r1b>("MAYO-2-r1"),
                                              aioli::set_of<aioli::Mayo3r1, aioli::Mayo3r1b>("MAYO-3-r1")};
