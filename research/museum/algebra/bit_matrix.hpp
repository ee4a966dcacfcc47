// SPDX-License-Identifier: Apache-2.0
// Large dense matrices over GF(2), 64 entries to a word, eliminated by tables: "method of the four Russians", several tables at
// once (M. Albrecht, G. Bard, W. Hart, ACM Transactions on Mathematical Software 37, 2010).
#pragma once
#include <array>
#include "museum/algebra/matrix.hpp"
#include "museum/field/binary_field.hpp"

namespace museum::algebra {

class BitMatrix {
 public:
  using Field = field::Gf2;
  explicit BitMatrix(size_t cols) : cols_(cols), words_((cols + 63) / 64) {}
  size_t rows() const { return entries_.size() / words_; }
  void add_row() { entries_.resize(entries_.size() + words_); }
  // To an entry of the last row.
  void add(size_t c, uint8_t e) { entries_[entries_.size() - words_ + c / 64] ^= uint64_t(e) << c % 64; }
  bool at(size_t r, size_t c) const { return entries_[r * words_ + c / 64] >> c % 64 & 1; }

  // Reduced echelon form in place, pivots in the first `pivot_cols` columns; returns them.
  std::vector<size_t> reduce(size_t pivot_cols) {
    std::vector<size_t> pivots;
    for (size_t c = 0; c < pivot_cols && pivots.size() < rows();) {
      const size_t first = pivots.size(), from = c / 64;
      for (; c < pivot_cols && pivots.size() < first + at_once; c++) find_pivot(pivots, first, c);
      if (pivots.size() > first) clear_elsewhere(pivots, first, from);
    }
    return pivots;
  }
  // Rows: a basis of {x : A x = 0}.  Destroys A.
  Matrix<Field> kernel() {
    const auto pivots = reduce(cols_);
    std::vector<bool> is_pivot(cols_);
    for (const size_t p : pivots) is_pivot[p] = true;
    Matrix<Field> K(0, cols_);
    for (size_t c = 0; c < cols_; c++) {
      if (is_pivot[c]) continue;
      Vector<Field> x(cols_);
      x[c] = 1;
      for (size_t i = 0; i < pivots.size(); i++) x[pivots[i]] = at(i, c);
      K.append_row(x);
    }
    return K;
  }

 private:
  static constexpr size_t tables = 8, at_once = 8 * tables, strip = 32;  // pivots; words, so that all tables fit into a cache

  uint64_t *row(size_t r) { return entries_.data() + r * words_; }
  void add_row(uint64_t *to, const uint64_t *from, size_t first_word) {
    for (size_t k = first_word; k < words_; k++) to[k] ^= from[k];
  }
  // A pivot in column c for row pivots.size(), if there is one.  Rows from `first` on wait for the pivots from there on: those
  // looked at are brought up to date.
  void find_pivot(std::vector<size_t> &pivots, size_t first, size_t c) {
    const size_t r = pivots.size();
    for (size_t i = r; i < rows(); i++) {
      for (size_t p = first; p < r; p++)
        if (at(i, pivots[p])) add_row(row(i), row(p), pivots[p] / 64);
      if (!at(i, c)) continue;
      if (i != r) std::swap_ranges(row(r), row(r) + words_, row(i));
      for (size_t p = first; p < r; p++)
        if (at(p, c)) add_row(row(p), row(r), c / 64);
      pivots.push_back(c);
      return;
    }
  }
  // The pivots from `first` on, out of all rows but their own: a row needs a sum of pivots' rows, looked up by its bits at eight
  // of them at a time.
  void clear_elsewhere(const std::vector<size_t> &pivots, size_t first, size_t from) {
    const size_t count = pivots.size() - first;
    std::vector<std::array<uint8_t, tables>> index(rows());
    for (size_t i = 0; i < rows(); i++)
      for (size_t p = 0; p < count && (i < first || i >= first + count); p++)
        index[i][p / 8] = uint8_t(index[i][p / 8] | at(i, pivots[first + p]) << p % 8);
    std::vector<uint64_t> sums(tables * 256 * strip);
    for (size_t begin = from; begin < words_; begin += strip) {
      const size_t width = std::min(strip, words_ - begin);
      for (size_t p = 0; p < count; p++) {
        uint64_t *table = sums.data() + p / 8 * 256 * strip;
        const uint64_t *added = row(first + p) + begin;
        for (size_t low = 0; low < size_t(1) << p % 8; low++)
          for (size_t k = 0; k < width; k++) table[(low | size_t(1) << p % 8) * strip + k] = table[low * strip + k] ^ added[k];
      }
      for (size_t i = 0; i < rows(); i++) {
        uint64_t *to = row(i) + begin;
        for (size_t t = 0; t < (count + 7) / 8; t++) {
          if (index[i][t] == 0) continue;
          const uint64_t *sum = sums.data() + (t * 256 + index[i][t]) * strip;
          for (size_t k = 0; k < width; k++) to[k] ^= sum[k];
        }
      }
    }
  }

  size_t cols_, words_;
  std::vector<uint64_t> entries_;
};

}  // namespace museum::algebra
