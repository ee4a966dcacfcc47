// SPDX-License-Identifier: Apache-2.0
// Subsets of one size, numbered: the coordinates of exterior powers and of maximal minors.
#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace museum::attacks {

// Subsets of {0 .. n-1} of one size, numbered (combinatorial number system); a subset is its members in ascending order.
class Subsets {
 public:
  Subsets(size_t n, size_t size) : n_(n), size_(size), binomial_(n + 1, std::vector<size_t>(size + 1, 0)) {
    for (size_t a = 0; a <= n; a++) {
      binomial_[a][0] = 1;
      for (size_t b = 1; b <= size && a > 0; b++) binomial_[a][b] = binomial_[a - 1][b - 1] + binomial_[a - 1][b];
    }
  }
  size_t count() const { return binomial_[n_][size_]; }
  size_t index(const std::vector<size_t> &ascending) const {
    size_t at = 0;
    for (size_t k = 0; k < ascending.size(); k++) at += binomial_[ascending[k]][k + 1];
    return at;
  }
  template <class Visit> void each(Visit visit) const {
    std::vector<size_t> s(size_);
    std::iota(s.begin(), s.end(), size_t(0));
    for (;;) {
      visit(s);
      size_t k = 0;
      while (k < size_ && s[k] + 1 == (k + 1 < size_ ? s[k + 1] : n_)) k++;
      if (k == size_) return;
      s[k]++;
      for (size_t i = 0; i < k; i++) s[i] = i;
    }
  }

 private:
  size_t n_, size_;
  std::vector<std::vector<size_t>> binomial_;
};

inline std::vector<size_t> with(std::vector<size_t> s, size_t a) {
  s.insert(std::upper_bound(s.begin(), s.end(), a), a);
  return s;
}

}  // namespace museum::attacks
