// SPDX-License-Identifier: Apache-2.0
// Large dense matrices over GF(2), 64 entries to a word.
#pragma once
#include <optional>
#include "museum/algebra/matrix.hpp"
#include "museum/field/binary_field.hpp"

namespace museum::algebra {

class BitMatrix {
 public:
  explicit BitMatrix(size_t cols) : cols_(cols), words_((cols + 63) / 64) {}
  size_t rows() const { return entries_.size() / words_; }
  size_t cols() const { return cols_; }
  void add_row() { entries_.resize(entries_.size() + words_); }
  // In the last row.
  void flip(size_t c) { entries_[entries_.size() - words_ + c / 64] ^= uint64_t(1) << c % 64; }
  bool at(size_t r, size_t c) const { return entries_[r * words_ + c / 64] >> c % 64 & 1; }

  // Reduced echelon form in place, pivots in the first `pivot_cols` columns; returns them.
  std::vector<size_t> reduce(size_t pivot_cols) {
    std::vector<size_t> pivots;
    const size_t n = rows();
    for (size_t c = 0; c < pivot_cols && pivots.size() < n; c++) {
      const size_t r = pivots.size();
      size_t p = r;
      while (p < n && !at(p, c)) p++;
      if (p == n) continue;
      std::swap_ranges(row(r), row(r) + words_, row(p));
      for (size_t i = 0; i < n; i++)
        if (i != r && at(i, c))
          for (size_t k = c / 64; k < words_; k++) row(i)[k] ^= row(r)[k];
      pivots.push_back(c);
    }
    return pivots;
  }
  // Rows: a basis of {x : A x = 0}.  Destroys A.
  Matrix<field::Gf2> kernel() {
    const auto pivots = reduce(cols_);
    std::vector<bool> is_pivot(cols_);
    for (const size_t p : pivots) is_pivot[p] = true;
    Matrix<field::Gf2> K(0, cols_);
    for (size_t c = 0; c < cols_; c++) {
      if (is_pivot[c]) continue;
      Vector<field::Gf2> x(cols_);
      x[c] = 1;
      for (size_t i = 0; i < pivots.size(); i++) x[pivots[i]] = at(i, c);
      K.append_row(x);
    }
    return K;
  }
  // Some x with A (x, 1) = 0, if there is one.  Destroys A.
  std::optional<Vector<field::Gf2>> affine_solution() {
    const auto pivots = reduce(cols_ - 1);
    for (size_t i = pivots.size(); i < rows(); i++)
      if (at(i, cols_ - 1)) return {};
    Vector<field::Gf2> x(cols_ - 1);
    for (size_t i = 0; i < pivots.size(); i++) x[pivots[i]] = at(i, cols_ - 1);
    return x;
  }

 private:
  uint64_t *row(size_t r) { return entries_.data() + r * words_; }
  size_t cols_, words_;
  std::vector<uint64_t> entries_;
};

}  // namespace museum::algebra
