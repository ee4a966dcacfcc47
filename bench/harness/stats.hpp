// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace bench {

// The q-th quantile (0 <= q <= 1) of an ascending sequence, linear between its neighbours.
inline double quantile_of_sorted(const std::vector<double> &x, double q) {
  if (x.empty()) throw std::invalid_argument("quantile of nothing");
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument("quantile outside 0..1");
  const double at = q * double(x.size() - 1);
  const size_t i = size_t(at);
  if (i + 1 == x.size()) return x[i];
  return x[i] + (at - double(i)) * (x[i + 1] - x[i]);
}

struct Summary {
  double min = 0, q1 = 0, median = 0, q3 = 0, max = 0;
  size_t runs = 0;
};

inline Summary summarize(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return {x.empty() ? throw std::invalid_argument("summary of nothing") : x.front(),
          quantile_of_sorted(x, 0.25),
          quantile_of_sorted(x, 0.5),
          quantile_of_sorted(x, 0.75),
          x.back(),
          x.size()};
}

inline double median(std::vector<double> x) { return summarize(std::move(x)).median; }

// Two things measured in turns: sample i of each stands for the same moment.  Summary of the quotients a[i] / b[i] of bursts of
// `burst` consecutive samples, each burst by its median, so that drift of the machine's speed cancels.
inline Summary paired_ratio(const std::vector<double> &a, const std::vector<double> &b, size_t burst) {
  if (burst == 0 || a.size() != b.size() || a.size() % burst != 0) throw std::invalid_argument("samples do not pair");
  std::vector<double> r;
  for (size_t i = 0; i < a.size(); i += burst) {
    const auto cut = [&](const std::vector<double> &x) {
      return median({x.begin() + ptrdiff_t(i), x.begin() + ptrdiff_t(i + burst)});
    };
    r.push_back(cut(a) / cut(b));
  }
  return summarize(std::move(r));
}

}  // namespace bench
