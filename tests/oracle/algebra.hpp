// SPDX-License-Identifier: Apache-2.0
// Schoolbook algebra over F = GF(16), one element to a byte: what the tests compare the library with.  Nothing here includes or
// resembles the library's arithmetic.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/random.hpp"

namespace oracle {

// Polynomials over GF(2) multiplied, then divided by x^4 + x + 1.
constexpr uint8_t multiply_slowly(uint8_t a, uint8_t b) {
  unsigned product = 0;
  for (int i = 0; i < 4; i++)
    if (b >> i & 1) product ^= unsigned(a) << i;
  for (int degree = 6; degree >= 4; degree--)
    if (product >> degree & 1) product ^= 0x13u << (degree - 4);
  return uint8_t(product);
}
struct Table {
  uint8_t product[16][16];
};
constexpr Table multiplication_table() {
  Table t{};
  for (int a = 0; a < 16; a++)
    for (int b = 0; b < 16; b++) t.product[a][b] = multiply_slowly(uint8_t(a), uint8_t(b));
  return t;
}
inline constexpr Table table = multiplication_table();
inline uint8_t multiply(uint8_t a, uint8_t b) { return table.product[a][b]; }
inline uint8_t invert(uint8_t a) {
  for (uint8_t b = 1; b < 16; b++)
    if (multiply(a, b) == 1) return b;
  return 0;
}

// A vector over F; also a polynomial, element i being the coefficient of z^i.
using Vector = std::vector<uint8_t>;

inline Vector random_vector(Random &random, int n) {
  Vector a(n);
  for (auto &x : a) x = random.element();
  return a;
}
// to += scalar * a
inline void add_multiple(Vector &to, uint8_t scalar, const Vector &a) {
  const uint8_t *row = table.product[scalar];
  if (scalar != 0)
    for (size_t i = 0; i < a.size(); i++) to[i] = uint8_t(to[i] ^ row[a[i]]);
}

// Two elements to a byte, the even one in the low half; an odd end leaves the high half zero.
inline Bytes pack(const Vector &a) {
  Bytes b((a.size() + 1) / 2);
  for (size_t i = 0; i < a.size(); i++) b[i / 2] = uint8_t(b[i / 2] | a[i] << (4 * (i % 2)));
  return b;
}
inline Vector unpack(const uint8_t *bytes, int n) {
  Vector a(n);
  for (int i = 0; i < n; i++) a[i] = bytes[i / 2] >> (4 * (i % 2)) & 15;
  return a;
}
// Four planes, plane b holding bit b of every element, element i at bit i % 8 of byte i / 8.
inline Bytes pack_planes(const Vector &a) {
  const size_t plane = a.size() / 8;
  Bytes bytes(4 * plane);
  for (size_t i = 0; i < a.size(); i++)
    for (size_t b = 0; b < 4; b++) bytes[b * plane + i / 8] = uint8_t(bytes[b * plane + i / 8] | (a[i] >> b & 1) << (i % 8));
  return bytes;
}

struct Matrix {
  int rows, columns;
  Vector e;
  Matrix(int r, int c) : rows(r), columns(c), e(size_t(r) * size_t(c)) {}
  uint8_t &operator()(int r, int c) { return e[size_t(r) * size_t(columns) + size_t(c)]; }
  uint8_t operator()(int r, int c) const { return e[size_t(r) * size_t(columns) + size_t(c)]; }
  friend bool operator==(const Matrix &, const Matrix &) = default;
};
inline Matrix random_matrix(Random &random, int rows, int columns) {
  Matrix a(rows, columns);
  for (auto &x : a.e) x = random.element();
  return a;
}
inline Matrix multiply(const Matrix &a, const Matrix &b) {
  Matrix c(a.rows, b.columns);
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < b.columns; j++)
      for (int l = 0; l < a.columns; l++) c(i, j) = uint8_t(c(i, j) ^ multiply(a(i, l), b(l, j)));
  return c;
}

// ---- polynomials modulo f(z) ---------------------------------------------------------------------------------------------

// z^m + f_4 z^4 + .. + f_0 with f_j in hexadecimal digit j of `tail`.
inline Vector modulus(int m, unsigned tail) {
  Vector f(m + 1);
  for (int j = 0; j < 5; j++) f[j] = tail >> (4 * j) & 15;
  f[m] = 1;
  return f;
}
// Long division by a polynomial with leading coefficient 1: the remainder, as many coefficients as the divisor has less one.
inline Vector remainder(Vector a, const Vector &f) {
  const size_t m = f.size() - 1;
  if (a.size() < m) a.resize(m);
  for (size_t i = a.size(); i-- > m;) {
    const uint8_t top = a[i];
    for (size_t j = 0; j <= m; j++) a[i - m + j] = uint8_t(a[i - m + j] ^ multiply(top, f[j]));
  }
  a.resize(m);
  return a;
}
inline Vector multiply(const Vector &a, const Vector &b) {
  Vector c(a.size() + b.size());
  for (size_t i = 0; i < a.size(); i++)
    for (size_t j = 0; j < b.size(); j++) c[i + j] = uint8_t(c[i + j] ^ multiply(a[i], b[j]));
  return c;
}
inline Vector power_of_z(int exponent) {
  Vector a(exponent + 1);
  a[exponent] = 1;
  return a;
}
inline int degree(const Vector &a) {  // -1 of zero
  int d = int(a.size()) - 1;
  while (d >= 0 && a[d] == 0) d--;
  return d;
}
inline Vector greatest_common_divisor(Vector a, Vector b) {
  while (degree(b) >= 0) {
    b.resize(degree(b) + 1);
    const uint8_t scale = invert(b.back());
    for (auto &x : b) x = multiply(x, scale);
    Vector r = remainder(a, b);
    a = std::exchange(b, r);
  }
  return a;
}

// ---- linear systems --------------------------------------------------------------------------------------------------------

struct Solution {
  bool exists;  // the rank is the number of rows
  Vector x;
  std::vector<int> pivots;
};
// A x = y with x_j = r_j wherever column j is not a pivot, by reducing the rows of (A | y - A r) from left to right.
inline Solution solve(const Matrix &A, const Vector &y, const Vector &r) {
  Matrix a(A.rows, A.columns + 1);
  for (int i = 0; i < A.rows; i++) {
    uint8_t right = y[i];
    for (int j = 0; j < A.columns; j++) a(i, j) = A(i, j), right = uint8_t(right ^ multiply(A(i, j), r[j]));
    a(i, A.columns) = right;
  }
  Solution s{false, r, {}};
  int rank = 0;
  for (int j = 0; j < A.columns && rank < A.rows; j++) {
    int pivot = rank;
    while (pivot < A.rows && a(pivot, j) == 0) pivot++;
    if (pivot == A.rows) continue;
    for (int c = 0; c < a.columns; c++) std::swap(a(rank, c), a(pivot, c));
    const uint8_t scale = invert(a(rank, j));
    for (int c = j; c < a.columns; c++) a(rank, c) = multiply(a(rank, c), scale);
    for (int i = 0; i < A.rows; i++) {
      const uint8_t factor = a(i, j);
      if (i == rank || factor == 0) continue;
      for (int c = j; c < a.columns; c++) a(i, c) = uint8_t(a(i, c) ^ multiply(factor, a(rank, c)));
    }
    s.pivots.push_back(j);
    rank++;
  }
  s.exists = rank == A.rows;
  if (s.exists)
    for (int i = 0; i < rank; i++) s.x[s.pivots[i]] = uint8_t(r[s.pivots[i]] ^ a(i, A.columns));
  return s;
}

}  // namespace oracle
