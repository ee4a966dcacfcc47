// SPDX-License-Identifier: Apache-2.0
// The wedge attack (L. Ran, ePrint 2025/1143) on small oil and vinegar in characteristic 2.
#include "museum/attacks/demo.hpp"
#include "museum/attacks/forge.hpp"
#include "museum/attacks/subsets.hpp"

using namespace museum;
using namespace museum::attacks;
using F = field::Gf16;

namespace {

// Coefficient of t^d in (1 + t)^n / (1 + t^2)^m: how many solutions the equations would have if the forms were random.
double predicted(int n, int m, int d) {
  const auto binomial = [](int a, int b) {
    double r = 1;
    for (int i = 0; i < b; i++) r = r * (a - i) / (i + 1);
    return r;
  };
  double sum = 0;
  for (int k = 0; 2 * k <= d; k++) sum += (k % 2 ? -1 : 1) * binomial(m + k - 1, k) * binomial(n, d - 2 * k);
  return sum;
}

}  // namespace

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "The wedge attack on small oil and vinegar over GF(16): the secret space as one vector of an exterior power.\n"
                  "Page: research/museum/docs/wedge.md");
  const long v = options.number("v", 9, "vinegar variables");
  const long o = options.number("o", 7, "oil variables and equations");
  const long part = options.number("part", 5, "dimension of the part of the oil space to look for: 2 to o");
  const bool dense = options.flag("dense", "elimination instead of block Wiedemann");
  Demo demo(options);
  Report &report = demo.report;
  if (v < 2 || o < 2 || part < 2 || part > o || v + o > 60) Options::fail("v >= 2, 2 <= part <= o, v + o <= 60");

  Random rng{demo.seed};
  const UovTarget<F> target(size_t(v), size_t(o), "key " + std::to_string(demo.seed));
  const Forms<F> &P = target.P;
  const size_t n = size_t(v + part), m = size_t(o);

  // A random subspace of dimension v + part meets the oil space O in a space of dimension `part` (at least).
  const Matrix<F> U = random_matrix<F>(n, P.n(), rng);
  std::vector<Matrix<F>> B;
  for (size_t k = 0; k < m; k++) B.push_back(U * P.polar(k) * transpose(U));

  // Unknown: the Pluecker vector w of the annihilator of that part, in the v-th exterior power; its coordinates are numbered by
  // the `part` variables that are left out.  B_k ^ w = 0: one equation for each k and each set of part - 2 variables left out.
  const Subsets unknowns(n, size_t(part)), equations(n, size_t(part) - 2);
  SparseMatrix<F> A{unknowns.count(), {}};
  equations.each([&](const std::vector<size_t> &left_out) {
    for (const auto &form : B) {
      SparseRow<F> row;
      for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
          if (!std::binary_search(left_out.begin(), left_out.end(), i) &&
              !std::binary_search(left_out.begin(), left_out.end(), j))
            row.add(uint32_t(unknowns.index(with(with(left_out, i), j))), form(i, j));
      A.rows.push_back(row);
    }
  });
  report.say("v, o, part", std::to_string(v) + ", " + std::to_string(o) + ", " + std::to_string(part));
  report.say("unknowns", double(A.cols));
  report.say("equations", double(A.rows.size()));
  const double expected = predicted(int(n), int(m), int(part));
  report.say("predicted solutions", std::max(1.0, expected));
  const Clock clock;
  Matrix<F> solutions(0, A.cols);
  if (dense) {
    solutions = kernel(A.dense());
    report.say("solutions", double(solutions.rows()));
  } else if (A.rows.size() >= A.cols) {
    solutions = block_wiedemann(A, 2, rng);
    report.say("solutions (two at most)", double(solutions.rows()));
  } else {
    report.say("solutions", "more than one: fewer equations than unknowns");
  }
  report.say("seconds of CPU", clock.seconds());
  if (solutions.rows() != 1) return demo.nothing_found("w is not determined");
  // The annihilator: all linear forms a with a ^ w = 0, one equation for each set of part - 1 variables left out.
  const Subsets smaller(n, size_t(part) - 1);
  Matrix<F> conditions(0, n);
  smaller.each([&](const std::vector<size_t> &left_out) {
    Vector<F> row(n, 0);
    for (size_t i = 0; i < n; i++)
      if (!std::binary_search(left_out.begin(), left_out.end(), i)) row[i] = solutions(0, unknowns.index(with(left_out, i)));
    conditions.append_row(row);
  });
  const Matrix<F> annihilator = kernel(conditions);
  report.say("dimension of the annihilator", double(annihilator.rows()));
  const Matrix<F> found = kernel(annihilator) * U;
  std::optional<Matrix<F>> oil;
  for (size_t i = 0; i < found.rows() && !oil; i++) oil = oil_space_of(P, found.row_vector(i), size_t(o));
  if (!oil) return demo.nothing_found("no oil vector");
  const bool same = *oil == secret_oil_space(target.key.secret);
  report.say("oil space", same ? "is the secret one" : "is another one than the secret one");
  const bool forged = forge_uov(target, *oil, "never signed", rng);
  report.say("forged signature", forged ? "accepted" : "REFUSED");
  return demo.found(forged);
}
