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
  const uint8_t *p = nibbles + start / 2;
  const int shift = 4 * (start % 2), bytes = (start + C + 1) / 2 - start / 2;
  for (int w = 0; w < Fmat<R, C>::row_words; w++) {
    const int left = bytes - 8 * w;
    uint64_t x = (left >= 8 ? load64(p + 8 * w) : load_partial(p + 8 * w, left)) >> shift;
    if (shift != 0 && left > 8) x |= uint64_t(p[8 * w + 8]) << 60;
    to.w[r][w] = x & gf16::first(C - gf16::per_word * w);
  }
}

// Row r of `from` to a nibble string, from its nibble `start` on.  Nibbles before that stay; the half byte behind it, if any, is zeroed.
template <int R, int C> void encode_row(uint8_t *nibbles, int start, const Fmat<R, C> &from, int r) {
  uint8_t *p = nibbles + start / 2;
  const int shift = 4 * (start % 2), bytes = (start + C + 1) / 2 - start / 2;
  uint64_t carry = shift != 0 ? p[0] & 15 : 0;
  for (int w = 0; 8 * w < bytes; w++) {
    const uint64_t x = w < Fmat<R, C>::row_words ? from.w[r][w] : 0, shifted = x << shift | carry;
    if (bytes - 8 * w >= 8)
      store64(p + 8 * w, shifted);
    else
      store_partial(p + 8 * w, shifted, bytes - 8 * w);
    carry = shift != 0 ? x >> 60 : 0;
  }
}

// One nibble string for the whole matrix, row after row, rows not byte-aligned; an odd last half byte is ignored or zero.
template <int R, int C> void decode(Fmat<R, C> &to, const uint8_t *nibbles) {
  for (int r = 0; r < R; r++) decode_row(to, r, nibbles, r * C);
}

// Sixteen words of sixteen elements, or vectors of such words, transposed in place: element j of word i becomes element i of word j.
template <class Word> void transpose16(Word (&w)[16]) {
  constexpr uint64_t mask[4] = {0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  for (int step = 0; step < 4; step++) {
    const int distance = 1 << step;
    for (int i = 0; i < 16; i++) {
      if (i & distance) continue;
      const Word t = ((w[i] >> (4 * distance)) ^ w[i + distance]) & mask[step];
      w[i] ^= t << (4 * distance);
      w[i + distance] ^= t;
    }
  }
}

template <int R, int C> void transpose(Fmat<C, R> &to, const Fmat<R, C> &from) {
  uint64_t tile[16];
  for (int i = 0; i < Fmat<C, R>::row_words; i++)
    for (int j = 0; j < Fmat<R, C>::row_words; j++) {
      for (int r = 0; r < 16; r++) tile[r] = 16 * i + r < R ? from.w[16 * i + r][j] : 0;
      transpose16(tile);
      for (int c = 0; c < 16 && 16 * j + c < C; c++) to.w[16 * j + c][i] = tile[c];
    }
  wipe(tile, sizeof tile);
}

// (A | B)
template <int R, int C, int D> void concatenate(Fmat<R, C + D> &to, const Fmat<R, C> &a, const Fmat<R, D> &b) {
  constexpr int first = C / gf16::per_word, shift = 4 * (C % gf16::per_word);
  to.zero();
  for (int r = 0; r < R; r++) {
    for (int w = 0; w < Fmat<R, C>::row_words; w++) to.w[r][w] = a.w[r][w];
    for (int w = 0; w < Fmat<R, D>::row_words; w++) {
      to.w[r][first + w] |= b.w[r][w] << shift;
      if (shift != 0 && first + w + 1 < Fmat<R, C + D>::row_words) to.w[r][first + w + 1] |= b.w[r][w] >> (64 - shift);
    }
  }
}

// to += A B, constant time in all three.
template <int R, int N, int C> void multiply_add(Fmat<R, C> &to, const Fmat<R, N> &a, const Fmat<N, C> &b) {
  constexpr int words = Fmat<R, C>::row_words;
  uint64_t multiple[4][words];  // by x^0 .. x^3
  for (int j = 0; j < N; j++) {
    for (int x = 0; x < words; x++) {
      const gf16::Multiples m = gf16::multiples(b.w[j][x]);
      for (int i = 0; i < 4; i++) multiple[i][x] = m.w[i];
    }
    for (int r = 0; r < R; r++) {
      const gf16::Scalar s = gf16::scalar(a(r, j));
      for (int x = 0; x < words; x++)
        to.w[r][x] ^= (multiple[0][x] & s.mask[0]) ^ (multiple[1][x] & s.mask[1]) ^ (multiple[2][x] & s.mask[2]) ^
                      (multiple[3][x] & s.mask[3]);
    }
  }
  wipe(multiple, sizeof multiple);
}

}  // namespace aioli::inline AIOLI_ISA
