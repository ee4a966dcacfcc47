// SPDX-License-Identifier: Apache-2.0
// Small dense matrices over F = GF(16), rows packed.  Dimensions are part of the type: a shape error does not compile.
#pragma once
#include "base/bytes.hpp"
#include "field/gf16.hpp"

namespace aioli::inline AIOLI_ISA {

template <int R, int C> struct Fmat {
  static constexpr int rows = R, columns = C, row_words = gf16::words(C);
  uint64_t w[R][row_words];  // elements past column C are zero

  GF16 operator()(int r, int c) const { return gf16::get(w[r], c); }
  void set(int r, int c, GF16 a) {
    uint64_t &x = w[r][c / gf16::per_word];
    x = (x & ~gf16::at({15}, c)) | gf16::at(a, c);
  }
  void zero() {
    for (auto &row : w)
      for (auto &x : row) x = 0;
  }
};

// Row r of `to` gets elements start, start + 1 .. of a packed nibble string (even elements in low halves of bytes).
template <int R, int C> void decode_row(Fmat<R, C> &to, int r, const uint8_t *nibbles, int start) {
  for (auto &x : to.w[r]) x = 0;
  for (int c = 0; c < C; c++) {
    const int i = start + c;
    to.w[r][c / gf16::per_word] |= gf16::at({uint8_t(nibbles[i / 2] >> (4 * (i & 1)) & 15)}, c);
  }
}

// One nibble string for the whole matrix, row after row, rows not byte-aligned; an odd last half byte is ignored or zero.
template <int R, int C> void decode(Fmat<R, C> &to, const uint8_t *nibbles) {
  for (int r = 0; r < R; r++) decode_row(to, r, nibbles, r * C);
}

template <int R, int C> void transpose(Fmat<C, R> &to, const Fmat<R, C> &from) {
  to.zero();
  for (int r = 0; r < R; r++)
    for (int c = 0; c < C; c++) to.w[c][r / gf16::per_word] |= gf16::at(from(r, c), r);
}

// (A | B)
template <int R, int C, int D> void concatenate(Fmat<R, C + D> &to, const Fmat<R, C> &a, const Fmat<R, D> &b) {
  to.zero();
  for (int r = 0; r < R; r++) {
    for (int c = 0; c < C; c++) to.w[r][c / gf16::per_word] |= gf16::at(a(r, c), c);
    for (int c = 0; c < D; c++) to.w[r][(C + c) / gf16::per_word] |= gf16::at(b(r, c), C + c);
  }
}

// to += A B, constant time in all three.
template <int R, int N, int C> void multiply_add(Fmat<R, C> &to, const Fmat<R, N> &a, const Fmat<N, C> &b) {
  for (int j = 0; j < N; j++)
    for (int x = 0; x < Fmat<R, C>::row_words; x++) {
      const gf16::Multiples multiples = gf16::multiples(b.w[j][x]);
      for (int r = 0; r < R; r++) to.w[r][x] ^= gf16::mul(multiples, gf16::scalar(a(r, j)));
    }
}

}  // namespace aioli::inline AIOLI_ISA
