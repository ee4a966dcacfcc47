// SPDX-License-Identifier: Apache-2.0
//
// Tables for people: figures, and columns that stand below each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

inline std::string thousands(double x) {
  std::string s = std::to_string(std::llround(x));
  for (size_t at = s.size(); at > 3;) s.insert(at -= 3, 1, ',');
  return s;
}

inline std::string fixed(double x, int digits) {
  std::ostringstream o;
  o << std::fixed << std::setprecision(digits) << x;
  return o.str();
}

// A table whose first columns are words and the others figures.
class Table {
 public:
  explicit Table(std::vector<std::string> head, size_t words) : words_(words), rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }
  void print(std::ostream &out) const {
    std::vector<size_t> width(rows_[0].size(), 0);
    for (const auto &r : rows_)
      for (size_t c = 0; c < r.size(); c++) width[c] = std::max(width[c], r[c].size());
    for (const auto &r : rows_) {
      std::ostringstream line;
      for (size_t c = 0; c < r.size(); c++)
        line << "  " << (c < words_ ? std::left : std::right) << std::setw(int(width[c])) << r[c];
      std::string s = line.str();
      out << s.substr(0, s.find_last_not_of(' ') + 1) << '\n';
    }
  }

 private:
  size_t words_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace bench
