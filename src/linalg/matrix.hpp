// SPDX-License-Identifier: Apache-2.0
// Small dense matrices over F, GF(16) unless it is said otherwise, rows packed.  Dimensions are part of the type: a shape error
// does not compile.
#pragma once
#include "base/bytes.hpp"
#include "field/field_of.hpp"
#if defined(__AVX512VBMI__) && __has_builtin(__builtin_shufflevector)  // gcc 12
#define AIOLI_NIBBLE_TILE
#include "linalg/nibble_tile.hpp"
#endif

namespace aioli {
inline namespace AIOLI_ISA {

template <int R, int C, class F = Gf16> struct Fmat {
  using Element = typename F::Element;
  static constexpr int rows = R, columns = C, row_words = F::words(C);
  uint64_t w[R][row_words];  // elements past column C are zero

  Element operator()(int r, int c) const { return F::get(w[r], c); }
  void set(int r, int c, Element a) {
    uint64_t &x = w[r][c / F::per_word];
    x = (x & ~F::at({(1 << F::bits) - 1}, c)) | F::at(a, c);
  }
  void zero() {
    for (auto &row : w)
      for (auto &x : row) x = 0;
  }
};

// Row r of `to` gets elements start, start + 1 .. of a packed nibble string (even elements in low halves of bytes).
template <int R, int C> void decode_row(Fmat<R, C> &to, int r, const uint8_t *nibbles, int start) {
  const uint8_t *p = nibbles + quotient(start, 2);
  const int shift = 4 * remainder(start, 2), bytes = quotient(start + C + 1, 2) - quotient(start, 2);
  for (int w = 0; w < Fmat<R, C>::row_words; w++) {
    const int left = bytes - 8 * w;
    uint64_t x = (left >= 8 ? load64(p + 8 * w) : load_partial(p + 8 * w, left)) >> shift;
    if (shift != 0 && left > 8) x |= uint64_t(p[8 * w + 8]) << 60;
    to.w[r][w] = x & gf16::first(C - gf16::per_word * w);
  }
}

// Row r of `from` to a nibble string, from its nibble `start` on.  Nibbles before that stay; the half byte behind it, if any, is
// zeroed.
template <int R, int C> void encode_row(uint8_t *nibbles, int start, const Fmat<R, C> &from, int r) {
  uint8_t *p = nibbles + quotient(start, 2);
  const int shift = 4 * remainder(start, 2), bytes = quotient(start + C + 1, 2) - quotient(start, 2);
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

// The same over GF(256), where elements are bytes.
template <int R, int C> void decode_row(Fmat<R, C, Gf256> &to, int r, const uint8_t *bytes, int start) {
  for (int c = 0; c < C; c += 8) to.w[r][c / 8] = load_partial(bytes + start + c, C - c < 8 ? C - c : 8);
}
template <int R, int C> void encode_row(uint8_t *bytes, int start, const Fmat<R, C, Gf256> &from, int r) {
  for (int c = 0; c < C; c += 8) store_partial(bytes + start + c, from.w[r][c / 8], C - c < 8 ? C - c : 8);
}

// One nibble string for the whole matrix, row after row, rows not byte-aligned; an odd last half byte is ignored or zero.
template <int R, int C> void decode(Fmat<R, C> &to, const uint8_t *nibbles) {
  constexpr int words = Fmat<R, C>::row_words, bytes = (R * C + 1) / 2;
  if constexpr (at_once == 1 || words < 4) {
    for (int r = 0; r < R; r++) decode_row(to, r, nibbles, r * C);
  } else {  // whole words of a copy with some bytes behind it
    uint8_t padded[bytes + 16];
    copy(padded, nibbles, bytes);
    zero(padded + bytes, 16);
    for (int r = 0; r < R; r++) {
      const uint8_t *p = padded + r * C / 2;
      const int shift = 4 * (r * C % 2);
      for (int w = 0; w < words; w++) to.w[r][w] = load64(p + 8 * w) >> shift | load64(p + 8 * w + shift / 4) << shift;
      to.w[r][words - 1] &= gf16::first(C - gf16::per_word * (words - 1));
    }
    wipe(padded, sizeof padded);
  }
}

// Sixteen words of sixteen elements, or vectors of such words, transposed in place: element j of word i becomes element i of word
// j.
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

// Eight words of eight elements of GF(256), likewise.
template <class Word> void transpose8(Word (&w)[8]) {
  constexpr uint64_t mask[3] = {0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  for (int step = 0; step < 3; step++) {
    const int distance = 1 << step;
    for (int i = 0; i < 8; i++) {
      if (i & distance) continue;
      const Word t = ((w[i] >> (8 * distance)) ^ w[i + distance]) & mask[step];
      w[i] ^= t << (8 * distance);
      w[i + distance] ^= t;
    }
  }
}
template <class Word> void transpose_tile(Word (&w)[16]) { transpose16(w); }
template <class Word> void transpose_tile(Word (&w)[8]) { transpose8(w); }

// As many words as a word has elements, of rows in memory.
template <class F> class WordTile {
 public:
  // Words p[0], p[stride], ..; those past `count` are zero.
  void load(const uint64_t *p, int stride, int count) {
    for (int i = 0; i < F::per_word; i++) w_[i] = i < count ? p[i * stride] : 0;
  }
  void transpose() { transpose_tile(w_); }
  void store(uint64_t *p, int stride, int count) {
    for (int i = 0; i < F::per_word && i < count; i++) p[i * stride] = w_[i];
  }
  void forget() { wipe(w_, sizeof w_); }

 private:
  uint64_t w_[F::per_word];
};
template <class F> struct TileOf {
  using Type = WordTile<F>;
};
#if defined(AIOLI_NIBBLE_TILE)
template <> struct TileOf<Gf16> {
  using Type = NibbleTile;
};
#endif
template <class F> using Tile = typename TileOf<F>::Type;

template <int R, int C, class F> void transpose(Fmat<C, R, F> &to, const Fmat<R, C, F> &from) {
  constexpr int side = F::per_word, stride = Fmat<R, C, F>::row_words, to_stride = Fmat<C, R, F>::row_words;
  Tile<F> tile;
  for (int i = 0; i < to_stride; i++)
    for (int j = 0; j < stride; j++) {
      tile.load(&from.w[side * i][j], stride, R - side * i);
      tile.transpose();
      tile.store(&to.w[side * j][i], to_stride, C - side * j);
    }
  tile.forget();
}

// (A | B)
template <int R, int C, int D, class F> void concatenate(Fmat<R, C + D, F> &to, const Fmat<R, C, F> &a, const Fmat<R, D, F> &b) {
  constexpr int first = C / F::per_word, shift = F::bits * (C % F::per_word);
  to.zero();
  for (int r = 0; r < R; r++) {
    for (int w = 0; w < Fmat<R, C, F>::row_words; w++) to.w[r][w] = a.w[r][w];
    for (int w = 0; w < Fmat<R, D, F>::row_words; w++) {
      to.w[r][first + w] |= b.w[r][w] << shift;
      if (shift != 0 && first + w + 1 < Fmat<R, C + D, F>::row_words) to.w[r][first + w + 1] |= b.w[r][w] >> (64 - shift);
    }
  }
}

// to += A B, constant time in all three.
template <int R, int N, int C, class F> void multiply_add(Fmat<R, C, F> &to, const Fmat<R, N, F> &a, const Fmat<N, C, F> &b) {
  constexpr int words = Fmat<R, C, F>::row_words;
  typename F::Multiples multiple[words];
  for (int j = 0; j < N; j++) {
    for (int x = 0; x < words; x++) multiple[x] = F::multiples(b.w[j][x]);
    for (int r = 0; r < R; r++) {
      const typename F::Scalar s = F::scalar(a(r, j));
      for (int x = 0; x < words; x++) to.w[r][x] ^= F::mul(multiple[x], s);
    }
  }
  wipe(multiple, sizeof multiple);
}
// One row: the sums for each bit of its elements, put together by Horner's rule.
template <int N, int C, class F> void multiply_add(Fmat<1, C, F> &to, const Fmat<1, N, F> &a, const Fmat<N, C, F> &b) {
  constexpr int words = Fmat<1, C, F>::row_words;
  uint64_t of_bit[F::bits][words] = {};
  for (int j = 0; j < N; j++)
    for (int bit = 0; bit < F::bits; bit++) {
      const uint64_t mask = mask_of_bit(uint64_t(a(0, j).n) >> bit);
      for (int x = 0; x < words; x++) of_bit[bit][x] ^= b.w[j][x] & mask;
    }
  for (int x = 0; x < words; x++) {
    uint64_t sum = of_bit[F::bits - 1][x];
    for (int bit = F::bits - 2; bit >= 0; bit--) sum = F::times_x(sum) ^ of_bit[bit][x];
    to.w[0][x] ^= sum;
  }
  wipe(of_bit, sizeof of_bit);
}

}  // namespace AIOLI_ISA
}  // namespace aioli
