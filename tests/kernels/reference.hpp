// SPDX-License-Identifier: Apache-2.0
// A backend without any cleverness: elements one to a byte, schoolbook algorithms, and Block rows at a time.  It shows that the
// checks here hold for backends that handle several rows, and, run through the whole scheme, that rows and scheme really serve
// them.
#pragma once
#include <string.h>

#include "linalg/kernels.hpp"

namespace kernels {

// Products of the field, computed here and not by the library.
struct SmallField {
  uint8_t product[16][16];
};
consteval SmallField small_field() {
  SmallField f{};
  for (unsigned a = 0; a < 16; a++)
    for (unsigned b = 0; b < 16; b++) {
      unsigned x = a, sum = 0;
      for (unsigned bit = 1; bit < 16; bit <<= 1, x = (x & 8) ? (x << 1) ^ 19 : x << 1)
        if (b & bit) sum ^= x;
      f.product[a][b] = uint8_t(sum);
    }
  return f;
}
inline constexpr SmallField field = small_field();

// AES-128, a byte at a time; one batch is `Batch` blocks.
template <int Batch> struct PlainAes {
  static constexpr int batch = Batch, ahead = 1;
  using Short = PlainAes;
  uint8_t sbox[256], round_key[176], iv_[16];

  static uint8_t doubled(uint8_t a) { return uint8_t(a << 1 ^ (a >> 7) * 0x1b); }
  void init(const uint8_t *key, const uint8_t *iv) {
    uint8_t p = 1, q = 1;  // p runs through all powers of 3, q through their inverses
    do {
      p = uint8_t(p ^ doubled(p));
      q = uint8_t(q ^ q << 1);
      q = uint8_t(q ^ q << 2);
      q = uint8_t(q ^ q << 4);
      if (q & 0x80) q = uint8_t(q ^ 0x09);
      uint8_t s = 0x63;
      for (int i = 0; i < 5; i++) s = uint8_t(s ^ (q << i | q >> (8 - i)));
      sbox[p] = s;
    } while (p != 1);
    sbox[0] = 0x63;
    memcpy(round_key, key, 16);
    memcpy(iv_, iv, 16);
    for (int i = 16, constant = 1; i < 176; i += 4) {
      uint8_t t[4];
      memcpy(t, round_key + i - 4, 4);
      if (i % 16 == 0) {
        const uint8_t first = t[0];
        for (int b = 0; b < 3; b++) t[b] = sbox[t[b + 1]];
        t[3] = sbox[first];
        t[0] = uint8_t(t[0] ^ constant);
        constant = doubled(uint8_t(constant));
      }
      for (int b = 0; b < 4; b++) round_key[i + b] = uint8_t(round_key[i - 16 + b] ^ t[b]);
    }
  }
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
    for (uint32_t i = 0; i < blocks; i++, out += 16) {
      uint8_t s[16], t[16];
      for (int b = 0; b < 16; b++) s[b] = uint8_t(iv_[b] ^ round_key[b] ^ (b < 12 ? 0 : (first + i) >> (8 * (15 - b))));
      for (int round = 1; round <= 10; round++) {
        for (int b = 0; b < 16; b++) t[b] = sbox[s[(5 * b) % 16]];
        for (int b = 0; b < 16; b++) {
          const uint8_t *column = t + b / 4 * 4;
          const uint8_t x = t[b], y = column[(b + 1) % 4], others = uint8_t(column[(b + 2) % 4] ^ column[(b + 3) % 4]);
          s[b] = uint8_t((round == 10 ? x : doubled(uint8_t(x ^ y)) ^ y ^ others) ^ round_key[16 * round + b]);
        }
      }
      memcpy(out, s, 16);
    }
  }
};

inline int singular_systems = 0;  // that a Reference::Solver met

template <class P, int Block> struct Reference {
  static constexpr aioli::OwnKernels own = {};
  static constexpr int block = Block;
  using Aes = PlainAes<2 * Block - 1>;

  static uint8_t element(const aioli::RowSegment &s, int j, int e) {
    return uint8_t(s.entries[j * P::m_bytes + e / 2] >> (e % 2 * 4) & 15);
  }
  static void put(aioli::Mvector<P> &to, const uint8_t *from) {
    to.zero();
    for (int e = 0; e < P::m; e++) to.w[e / 16] |= uint64_t(from[e]) << (e % 16 * 4);
  }

  template <int N, int C> struct Factor {
    uint8_t X[N][C];
    void set(const aioli::Fmat<N, C> &from) {
      for (int r = 0; r < N; r++)
        for (int c = 0; c < C; c++) X[r][c] = from(r, c).n;
    }
  };

  template <int C> struct Products {
    uint8_t W[Block][C][P::m];
    template <int N> void times(const aioli::RowSegment (&segments)[Block], const Factor<N, C> &X) {
      memset(W, 0, sizeof W);
      add_times(segments, X);
    }
    template <int N> void add_times(const aioli::RowSegment (&segments)[Block], const Factor<N, C> &right) {
      for (int b = 0; b < Block; b++)
        for (int j = 0; j < segments[b].count; j++)
          for (int e = 0; e < P::m; e++) {
            const uint8_t *multiples = field.product[element(segments[b], j, e)];
            for (int c = 0; c < C; c++) W[b][c][e] ^= multiples[right.X[segments[b].first + j][c]];
          }
    }
    void add(const aioli::RowSegment (&segments)[Block], int column) {
      for (int b = 0; b < Block; b++)
        for (int j = 0; j < segments[b].count; j++)
          for (int e = 0; e < P::m; e++) W[b][column + j][e] ^= element(segments[b], j, e);
    }
    void get(aioli::Mvector<P> &to, int b, int c) const { put(to, W[b][c]); }
  };

  template <int R, int C, int First = 0> struct Accumulators {
    static constexpr int columns = C;
    uint8_t U[R][C][P::m];
    void zero() { memset(U, 0, sizeof U); }
    template <int N, int F, int D> void add_outer(const Factor<N, F> &A, int index, const Products<D> &products) {
      for (int b = 0; b < Block && index + b < N; b++)
        for (int i = 0; i < R; i++)
          for (int j = 0; j < C; j++)
            for (int e = 0; e < P::m; e++) U[i][j][e] ^= field.product[A.X[index + b][First + i]][products.W[b][j][e]];
    }
    template <int Origin, int N, int F>
    void add_outer(const Factor<N, F> &A, int index, const aioli::RowSegment (&segments)[Block]) {
      for (int b = 0; b < Block && index + b < N; b++)
        for (int i = 0; i < R; i++)
          for (int j = 0; j < segments[b].count; j++)
            for (int e = 0; e < P::m; e++)
              U[i][segments[b].first - Origin + j][e] ^= field.product[A.X[index + b][First + i]][element(segments[b], j, e)];
    }
    void get(aioli::Mvector<P> &to, int i, int j) const { put(to, U[i][j]); }
    void add_transposed(int index, const Products<R> &products) {
      for (int b = 0; b < Block && index + b < C; b++)
        for (int i = 0; i < R; i++)
          for (int e = 0; e < P::m; e++) U[i][index + b][e] ^= products.W[b][i][e];
    }
  };

  // Rows reduced from left to right, as the specification says it.
  struct Solver {
    static constexpr int columns = P::k * P::o;
    aioli::Mvector<P> A[columns + 1];
    uint8_t a[P::m][columns + 1];

    static void add_row(uint8_t *to, uint8_t factor, const uint8_t *from) {
      for (int j = 0; j <= columns; j++) to[j] ^= field.product[factor][from[j]];
    }
    bool solve(aioli::Fmat<P::k, P::o> &x, const aioli::Fmat<P::k, P::o> &r) {
      for (int i = 0; i < P::m; i++) {
        a[i][columns] = A[columns][i].n;
        for (int j = 0; j < columns; j++) {
          a[i][j] = A[j][i].n;
          a[i][columns] ^= field.product[a[i][j]][r(j / P::o, j % P::o).n];
        }
      }
      int pivot_column[P::m], rank = 0;
      for (int j = 0; j < columns && rank < P::m; j++) {
        for (int i = rank + 1; i < P::m && a[rank][j] == 0; i++) add_row(a[rank], a[i][j] != 0, a[i]);
        if (a[rank][j] == 0) continue;
        uint8_t inverse = 1;
        while (field.product[inverse][a[rank][j]] != 1) inverse++;
        for (auto &element : a[rank]) element = field.product[inverse][element];
        for (int i = 0; i < P::m; i++)
          if (i != rank) add_row(a[i], a[i][j], a[rank]);
        pivot_column[rank++] = j;
      }
      if (rank < P::m) {
        singular_systems++;
        return false;
      }
      for (int i = 0; i < P::k; i++)
        for (auto &word : x.w[i]) word = 0;
      for (int j = 0; j < columns; j++) x.set(j / P::o, j % P::o, r(j / P::o, j % P::o));
      for (int i = 0; i < P::m; i++) {
        const int row = pivot_column[i] / P::o, column = pivot_column[i] % P::o;
        x.set(row, column, r(row, column) + aioli::GF16{a[i][columns]});
      }
      return true;
    }
  };
};

}  // namespace kernels
