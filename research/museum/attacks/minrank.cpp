// SPDX-License-Identifier: Apache-2.0
// The rectangular MinRank attack on small Rainbow, solved by support minors.
//   W. Beullens, "Improved Cryptanalysis of UOV and Rainbow", EUROCRYPT 2021, ePrint 2020/1343
//   M. Bardet et al., "Improvements of Algebraic Attacks for Solving the Rank Decoding and MinRank Problems", ASIACRYPT 2020
#include "museum/attacks/demo.hpp"
#include "museum/attacks/rainbow_key.hpp"
#include "museum/attacks/subsets.hpp"

using namespace museum;
using namespace museum::attacks;
using F = field::TowerGf16;  // Rainbow's GF(16)

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "Rectangular MinRank on small Rainbow over GF(16): a vector of O2, then the whole key and a forged signature.\n"
                  "Page: research/museum/docs/minrank.md");
  const Layers layers(options, 4, 30);
  const long tries = options.number("tries", 10, "random subspaces to try");
  const bool dense = options.flag("dense", "elimination instead of block Wiedemann");
  RainbowDemo<F> opening(options, layers);
  auto &[demo, rng, target, P] = opening;
  Report &report = demo.report;
  const size_t n = P.n(), m = P.m(), r = layers.o2, K = n - r + 1;

  // For y in O2 all P'(y, e_j) lie in W: the n x m matrix with these rows, linear in y, has rank r = o2 instead of m.  A random
  // subspace of dimension K meets O2 in one line.  Unknown: the products of its K coordinates with the r x r minors of a basis of
  // W; equations: the (r + 1) x (r + 1) minors of that basis with one row P'(y, e_j) on top (signs do not matter in
  // characteristic 2).
  const Subsets minors(m, r), columns(m, r + 1);
  report.say("matrices, their size, the rank",
             std::to_string(K) + ", " + std::to_string(n) + " x " + std::to_string(m) + ", " + std::to_string(r));
  report.say("unknowns", double(K * minors.count()));
  report.say("equations", double(n * columns.count()));
  const Clock clock;
  for (long t = 1; t <= tries; t++) {
    const Matrix<F> space = random_matrix<F>(K, n, rng);
    std::vector<Matrix<F>> M;
    for (size_t i = 0; i < K; i++) M.push_back(transpose(P.polar_at(space.row_vector(i))));
    SparseMatrix<F> A{K * minors.count(), {}};
    columns.each([&](const std::vector<size_t> &c) {
      for (size_t j = 0; j < n; j++) {
        SparseRow<F> row;
        for (size_t k = 0; k < c.size(); k++) {
          std::vector<size_t> others = c;
          others.erase(others.begin() + std::ptrdiff_t(k));
          const size_t minor = minors.index(others);
          for (size_t i = 0; i < K; i++) row.add(uint32_t(minor * K + i), M[i](j, c[k]));
        }
        A.rows.push_back(std::move(row));
      }
    });
    const Matrix<F> solutions = dense ? kernel(A.dense()) : A.rows.size() < A.cols ? Matrix<F>(0, 0) : block_wiedemann(A, 2, rng);
    if (solutions.rows() != 1) {
      report.say("solutions", A.rows.size() < A.cols ? "many: fewer equations than unknowns" : std::to_string(solutions.rows()));
      continue;
    }
    Vector<F> y;  // the coordinates, times the first minor that is not zero
    for (size_t minor = 0; minor < minors.count() && is_zero<F>(y); minor++) {
      const auto *w = solutions.row(0) + minor * K;
      y = combine_rows(Vector<F>(w, w + K), space);
    }
    if (!P.vanishes_at(y) || rank(P.polar_at(y)) > r) continue;
    report.say("subspaces tried", double(t));
    report.say("seconds of CPU for a vector of O2", clock.seconds());
    return demo.found(finish_rainbow(target, y, rng, report).value_or(false));
  }
  report.say("seconds of CPU", clock.seconds());
  return demo.nothing_found("no vector of O2 found");
}
