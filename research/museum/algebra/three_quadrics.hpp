// SPDX-License-Identifier: Apache-2.0
// The common zero of three quadratic polynomials in three variables over a large field, by elimination to one variable.
#pragma once
#include <algorithm>
#include <array>
#include "museum/algebra/univariate.hpp"

namespace museum::algebra {

// Reduced echelon form over a large field; pivots in the first `pivot_cols` columns; returns them.
template <class K> std::vector<size_t> row_reduce_large(std::vector<std::vector<typename K::Element>> &A, size_t pivot_cols) {
  std::vector<size_t> pivots;
  for (size_t c = 0; c < pivot_cols && pivots.size() < A.size(); c++) {
    const size_t r = pivots.size();
    size_t p = r;
    while (p < A.size() && !A[p][c]) p++;
    if (p == A.size()) continue;
    std::swap(A[r], A[p]);
    const auto inverse = K::inverse(A[r][c]);
    for (auto &e : A[r])
      if (e) e = e * inverse;
    for (size_t i = 0; i < A.size(); i++) {
      if (i == r || !A[i][c]) continue;
      const auto factor = A[i][c];
      for (size_t j = c; j < A[i].size(); j++)
        if (A[r][j]) A[i][j] += factor * A[r][j];
    }
    pivots.push_back(c);
  }
  return pivots;
}

// quadratic[k][a][b], a <= b: coefficients of Z_a Z_b in polynomial k; linear[k]: of Z_1, Z_2, Z_3 and 1.
template <class K> struct ThreeQuadrics {
  std::array<std::array<std::array<typename K::Element, 3>, 3>, 3> quadratic;
  std::array<std::array<typename K::Element, 4>, 3> linear;
};

// The zero in K^3, if the polynomials have one and no other.  Nothing also if the residue class ring is not of dimension 8 with
// the powers of Z_3 for a basis, which is rare in a large field.
//
// XL at degree 4, the bound of Macaulay for three quadrics: all multiples of degree 4 leave 8 of the 35 monomials, a basis of the
// residue class ring.  There 1, Z_3, .., Z_3^8 are dependent, which is the univariate polynomial, and Z_1, Z_2 are polynomials in
// Z_3.
template <class K> std::optional<std::array<typename K::Element, 3>> only_zero(const ThreeQuadrics<K> &P) {
  using Element = typename K::Element;
  using Exponents = std::array<size_t, 3>;
  std::vector<Exponents> monomials;  // high degrees first; in a degree, little of Z_3 first
  for (size_t degree = 5; degree-- > 0;)
    for (size_t c = 0; c <= degree; c++)
      for (size_t b = 0; b + c <= degree; b++) monomials.push_back({degree - b - c, b, c});
  const auto index = [&](size_t a, size_t b, size_t c) {
    return size_t(std::find(monomials.begin(), monomials.end(), Exponents{a, b, c}) - monomials.begin());
  };
  std::vector<std::vector<Element>> A;
  for (size_t k = 0; k < 3; k++)
    for (const auto &e : monomials) {
      if (e[0] + e[1] + e[2] > 2) continue;
      std::vector<Element> row(monomials.size());
      for (size_t a = 0; a < 3; a++) {
        for (size_t b = a; b < 3; b++) {
          Exponents f = e;
          f[a]++, f[b]++;
          row[index(f[0], f[1], f[2])] += P.quadratic[k][a][b];
        }
        Exponents f = e;
        f[a]++;
        row[index(f[0], f[1], f[2])] += P.linear[k][a];
      }
      row[index(e[0], e[1], e[2])] += P.linear[k][3];
      A.push_back(std::move(row));
    }
  const auto pivots = row_reduce_large<K>(A, monomials.size());
  std::vector<size_t> basis;
  for (size_t i = 0; i < monomials.size(); i++)
    if (!std::binary_search(pivots.begin(), pivots.end(), i)) basis.push_back(i);
  if (basis.size() != 8 || basis.back() + 1 != monomials.size() || basis.front() < 15) return {};  // 15 of degree 4
  const auto in_basis = [&](size_t monomial) {
    std::array<Element, 8> coordinates{};
    const auto pivot = std::lower_bound(pivots.begin(), pivots.end(), monomial);
    const bool is_pivot = pivot != pivots.end() && *pivot == monomial;
    for (size_t i = 0; i < 8; i++)
      coordinates[i] = is_pivot ? A[size_t(pivot - pivots.begin())][basis[i]] : basis[i] == monomial ? K::one() : Element();
    return coordinates;
  };
  std::vector<std::array<Element, 8>> times_Z3;
  for (const size_t b : basis) times_Z3.push_back(in_basis(index(monomials[b][0], monomials[b][1], monomials[b][2] + 1)));
  // Columns: 1, Z_3, .., Z_3^8, Z_1, Z_2.
  std::vector<std::array<Element, 8>> columns = {in_basis(index(0, 0, 0))};
  for (size_t power = 1; power <= 8; power++) {
    std::array<Element, 8> next{};
    for (size_t b = 0; b < 8; b++)
      for (size_t i = 0; i < 8; i++) next[i] += columns.back()[b] * times_Z3[b][i];
    columns.push_back(next);
  }
  columns.push_back(in_basis(index(1, 0, 0)));
  columns.push_back(in_basis(index(0, 1, 0)));
  std::vector<std::vector<Element>> M(8);
  for (size_t i = 0; i < 8; i++)
    for (const auto &column : columns) M[i].push_back(column[i]);
  if (row_reduce_large<K>(M, 8).size() < 8) return {};
  Univariate<K> f(9), Z1(8), Z2(8);
  for (size_t i = 0; i < 8; i++) f[i] = M[i][8], Z1[i] = M[i][9], Z2[i] = M[i][10];
  f[8] = K::one();
  const auto Z3 = only_root<K>(f);
  if (!Z3) return {};
  return std::array<Element, 3>{evaluate_at<K>(Z1, *Z3), evaluate_at<K>(Z2, *Z3), *Z3};
}

}  // namespace museum::algebra
