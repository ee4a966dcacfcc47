// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "linalg/matrix.hpp"
#include "oracle/algebra.hpp"

using namespace aioli;
using oracle::Matrix;

namespace {

template <int R, int C> void garbage(Fmat<R, C> &to, oracle::Random &random) {
  for (auto &row : to.w)
    for (auto &x : row) x = random.next();
}
template <int R, int C> Fmat<R, C> packed(const Matrix &a) {
  Fmat<R, C> to;
  to.zero();
  for (int r = 0; r < R; r++)
    for (int c = 0; c < C; c++) to.w[r][c / 16] |= uint64_t(a(r, c)) << (4 * (c % 16));
  return to;
}
// The elements, read from the words as the layout is defined; elements past the last column must be zero.
template <int R, int C> Matrix unpacked(const Fmat<R, C> &a) {
  Matrix to(R, C);
  uint64_t outside = 0;
  for (int r = 0; r < R; r++)
    for (int c = 0; c < 16 * Fmat<R, C>::row_words; c++) {
      const uint64_t x = a.w[r][c / 16] >> (4 * (c % 16)) & 15;
      if (c < C)
        to(r, c) = uint8_t(x);
      else
        outside |= x;
    }
  CHECK(outside == 0);
  return to;
}

template <int R, int C> void check_one(oracle::Random &random) {
  CAPTURE(R);
  CAPTURE(C);
  static_assert(Fmat<R, C>::rows == R && Fmat<R, C>::columns == C);
  const Matrix a = random_matrix(random, R, C);
  const Fmat<R, C> A = packed<R, C>(a);
  int wrong = 0;
  for (int r = 0; r < R; r++)
    for (int c = 0; c < C; c++) wrong += A(r, c).n != a(r, c);
  CHECK(wrong == 0);

  Fmat<R, C> set = packed<R, C>(random_matrix(random, R, C));  // overwrites, one element at a time
  for (int r = R - 1; r >= 0; r--)
    for (int c = 0; c < C; c++) set.set(r, c, GF16{a(r, c)});
  CHECK(unpacked(set) == a);

  Fmat<R, C> decoded;
  garbage(decoded, random);
  const oracle::Bytes string = oracle::pack(a.e);
  decode(decoded, string.data());
  CHECK(unpacked(decoded) == a);
  if (R * C % 2 == 1) {  // the high half of the last byte means nothing
    oracle::Bytes dirty = string;
    dirty.back() |= 0xf0;
    garbage(decoded, random);
    decode(decoded, dirty.data());
    CHECK(unpacked(decoded) == a);
  }
  for (int start = 0; start < 4; start++) {  // a row from an odd or even place of a longer string; the other rows stay
    Matrix expected = a;
    const oracle::Vector longer = oracle::random_vector(random, start + C);
    for (int c = 0; c < C; c++) expected(R - 1, c) = longer[size_t(start + c)];
    Fmat<R, C> row = A;
    decode_row(row, R - 1, oracle::pack(longer).data(), start);
    CHECK(unpacked(row) == expected);
  }

  // A row into a string: what stands before it stays, half a byte behind it becomes zero.
  for (int start = 0; start < 4; start++) {
    oracle::Bytes encoded(size_t(start + C) / 2 + 3, 0xa5);
    oracle::Bytes expected = encoded;
    for (int c = 0; c < C; c++) {
      uint8_t &byte = expected[size_t(start + c) / 2];
      const int shift = 4 * ((start + c) % 2);
      byte = uint8_t((byte & ~(15 << shift)) | a(R - 1, c) << shift);
    }
    if ((start + C) % 2 == 1) expected[size_t(start + C) / 2] &= 0x0f;
    encode_row(encoded.data(), start, A, R - 1);
    CHECK(encoded == expected);
  }

  Matrix t(C, R);
  for (int r = 0; r < R; r++)
    for (int c = 0; c < C; c++) t(c, r) = a(r, c);
  Fmat<C, R> transposed;
  garbage(transposed, random);
  transpose(transposed, A);
  CHECK(unpacked(transposed) == t);

  garbage(decoded, random);
  decoded.zero();
  CHECK(unpacked(decoded) == Matrix(R, C));
}

template <int R, int C, int D> void check_concatenate(oracle::Random &random) {
  CAPTURE(R);
  CAPTURE(C);
  CAPTURE(D);
  const Matrix a = random_matrix(random, R, C), b = random_matrix(random, R, D);
  Matrix both(R, C + D);
  for (int r = 0; r < R; r++) {
    for (int c = 0; c < C; c++) both(r, c) = a(r, c);
    for (int c = 0; c < D; c++) both(r, C + c) = b(r, c);
  }
  Fmat<R, C + D> to;
  garbage(to, random);
  concatenate(to, packed<R, C>(a), packed<R, D>(b));
  CHECK(unpacked(to) == both);
}

template <int R, int N, int C> void check_product(oracle::Random &random) {
  CAPTURE(R);
  CAPTURE(N);
  CAPTURE(C);
  for (int trial = 0; trial < 4; trial++) {
    Matrix a = random_matrix(random, R, N), b = random_matrix(random, N, C), sum = random_matrix(random, R, C);
    if (trial == 1) a.e.assign(a.e.size(), 15), b.e.assign(b.e.size(), 15);
    if (trial == 2) a.e.assign(a.e.size(), 0), a(R - 1, N - 1) = 9, sum.e.assign(sum.e.size(), 0);
    Fmat<R, C> to = packed<R, C>(sum);
    multiply_add(to, packed<R, N>(a), packed<N, C>(b));
    const Matrix product = oracle::multiply(a, b);
    for (size_t i = 0; i < sum.e.size(); i++) sum.e[i] = uint8_t(sum.e[i] ^ product.e[i]);
    CHECK(unpacked(to) == sum);
  }
}

}  // namespace

TEST_CASE("decoding, transposing, setting elements") {
  oracle::Random random(20);
  check_one<1, 1>(random);
  check_one<3, 5>(random);
  check_one<5, 16>(random);
  check_one<7, 17>(random);
  check_one<16, 16>(random);
  check_one<18, 4>(random);
  check_one<33, 31>(random);
  check_one<13, 64>(random);
  check_one<73, 13>(random);
  check_one<12, 142>(random);
  check_one<1, 129>(random);
}

TEST_CASE("side by side") {
  oracle::Random random(21);
  check_concatenate<1, 1, 1>(random);
  check_concatenate<5, 15, 1>(random);
  check_concatenate<5, 16, 3>(random);
  check_concatenate<5, 3, 16>(random);
  check_concatenate<5, 13, 10>(random);
  check_concatenate<7, 17, 33>(random);
  check_concatenate<80, 10, 8>(random);
}

TEST_CASE("products") {
  oracle::Random random(22);
  check_product<1, 1, 1>(random);
  check_product<4, 18, 78>(random);
  check_product<5, 13, 73>(random);
  check_product<3, 16, 16>(random);
  check_product<3, 17, 15>(random);
  check_product<17, 33, 17>(random);
  check_product<12, 12, 142>(random);
}
