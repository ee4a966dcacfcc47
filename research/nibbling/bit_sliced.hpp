// SPDX-License-Identifier: Apache-2.0
// Bit-sliced arithmetic for keys of round 1 as specified: what nibble-sliced keys replaced, as the baseline of a comparison.
//
// An m-vector is four planes of m bits.  The planes of several columns stand side by side as one string of bits, cut into
// registers; so registers are full whatever m is.  A product with a scalar is four conditional exclusive-ors of planes: masks of
// the scalar's bits and plane, all at once for the columns in a register.  Products of sums are reduced modulo x^4 + x + 1 only
// at the end.
#pragma once
#include "linalg/kernels.hpp"
#include "planes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// V: a register.  Nibbles: the kernels that it is compared with; AES and the elimination, which work on other things than keys,
// are theirs, so that products are all that differs.
template <class P, class V, class Nibbles> struct BitSlicedKernels {
  static constexpr OwnKernels own = {};
  static constexpr int block = 1;
  using Aes = typename Nibbles::Aes;
  using Solver = typename Nibbles::Solver;
  static constexpr int plane_words = P::m / 32;
  static_assert(P::m % 32 == 0);
  static constexpr int registers(int columns) { return (columns * plane_words + V::lanes - 1) / V::lanes; }
  // Register x begins with this word of a plane.
  static constexpr int phase(int x) { return x * V::lanes % plane_words; }

  template <int N, int C> struct Factor {
    static constexpr int count = registers(C);
    alignas(64) uint32_t mask[N][count][4][V::lanes];  // of bit b of the scalar in whose column a lane stands
    Fmat<N, C> scalars;

    void set(const Fmat<N, C> &X) {
      scalars = X;
      for (int j = 0; j < N; j++)
        for (int x = 0; x < count; x++) {
          uint32_t scalar[V::lanes];
          for (int l = 0; l < V::lanes; l++) {
            const int column = (x * V::lanes + l) / plane_words;
            scalar[l] = column < C ? X(j, column).n : 0;
          }
          for (int b = 0; b < 4; b++)
            for (int l = 0; l < V::lanes; l++) mask[j][x][b][l] = 0 - (scalar[l] >> b & 1);
        }
    }
  };

  template <int C> struct Products {
    static constexpr int count = registers(C);
    alignas(64) uint32_t plane[4][count * V::lanes];

    template <int N> void times(const RowSegment (&segments)[1], const Factor<N, C> &X) { multiply<0>(segments[0], X, true); }
    template <int N> void add_times(const RowSegment (&segments)[1], const Factor<N, C> &X) {
      multiply<0>(segments[0], X, false);
    }
    void add(const RowSegment (&segments)[1], int column) {
      const RowSegment &segment = segments[0];
      for (int j = 0; j < segment.count; j++)
        for (int b = 0; b < 4; b++)
          for (int i = 0; i < plane_words; i++)
            plane[b][(column + j) * plane_words + i] ^= load32(segment.entries + j * P::m_bytes + 4 * (b * plane_words + i));
    }
    void get(Mvector<P> &to, int, int c) const { from_planes<P>(to, plane, c * plane_words); }

   private:
    // Register x of all sums, then the next.
    template <int x, int N> void multiply(const RowSegment &segment, const Factor<N, C> &X, bool fresh) {
      if constexpr (x < count) {
        V power[7];  // the sums' coefficients of x^0 .. x^6
        for (V &p : power) p = V::zero();
        const uint8_t *p = segment.entries;
        for (int j = 0; j < segment.count; j++, p += P::m_bytes) {
          V entry[4];
#pragma GCC unroll 4
          for (int b = 0; b < 4; b++) entry[b] = V::template repeat<plane_words, phase(x)>(p + 4 * b * plane_words);
#pragma GCC unroll 4
          for (int a = 0; a < 4; a++) {
            const V mask = V::load(X.mask[segment.first + j][x][a]);
#pragma GCC unroll 4
            for (int b = 0; b < 4; b++) power[a + b] = power[a + b] ^ (mask & entry[b]);
          }
        }
        // x^4 = x + 1
        const V sum[4] = {power[0] ^ power[4], power[1] ^ power[4] ^ power[5], power[2] ^ power[5] ^ power[6],
                          power[3] ^ power[6]};
        for (int b = 0; b < 4; b++) {
          uint32_t *to = plane[b] + x * V::lanes;
          (fresh ? sum[b] : V::load(to) ^ sum[b]).store(to);
        }
        multiply<x + 1>(segment, X, fresh);
      }
    }
  };

  template <int R, int C, int First = 0> struct Accumulators {
    static constexpr int columns = C, count = registers(C);
    alignas(64) uint32_t plane[R][4][count * V::lanes];

    void zero() {
      for (auto &row : plane)
        for (auto &planes : row)
          for (uint32_t &word : planes) word = 0;
    }
    template <int N, int F, int D> void add_outer(const Factor<N, F> &X, int index, const Products<D> &W) {
      static_assert(First + R <= F && C <= D);
      V mask[R][4];
      for (int i = 0; i < R; i++)
        for (int b = 0; b < 4; b++) mask[i][b] = V::broadcast(0 - (uint32_t(X.scalars(index, First + i).n) >> b & 1));
      for (int x = 0; x < count; x++) {
        const V w0 = V::load(W.plane[0] + x * V::lanes), w1 = V::load(W.plane[1] + x * V::lanes),
                w2 = V::load(W.plane[2] + x * V::lanes), w3 = V::load(W.plane[3] + x * V::lanes);
        const V w12 = w1 ^ w2, w23 = w2 ^ w3, w03 = w0 ^ w3;
        for (int i = 0; i < R; i++) {
          const V(&a)[4] = mask[i];
          const auto add = [&](int b, V sum) {
            uint32_t *to = plane[i][b] + x * V::lanes;
            (V::load(to) ^ sum).store(to);
          };
          add(0, (a[0] & w0) ^ (a[1] & w3) ^ (a[2] & w2) ^ (a[3] & w1));
          add(1, (a[0] & w1) ^ (a[1] & w03) ^ (a[2] & w23) ^ (a[3] & w12));
          add(2, (a[0] & w2) ^ (a[1] & w1) ^ (a[2] & w03) ^ (a[3] & w23));
          add(3, (a[0] & w3) ^ (a[1] & w2) ^ (a[2] & w1) ^ (a[3] & w03));
        }
      }
    }
    void get(Mvector<P> &to, int i, int j) const { from_planes<P>(to, plane[i], j * plane_words); }
  };
};

}  // namespace AIOLI_ISA
}  // namespace aioli
