// SPDX-License-Identifier: Apache-2.0
// Rainbow band separation (J. Ding, B.-Y. Yang, C.-H. O. Chen, M.-S. Chen, C.-M. Cheng, ACNS 2008) on small Rainbow, as two
// unknown vectors: y in O2 and a functional f that vanishes on W (W. Beullens, EUROCRYPT 2021, states it so).
#include "museum/attacks/demo.hpp"
#include "museum/attacks/rainbow_key.hpp"
#include "museum/attacks/subsets.hpp"

using namespace museum;
using namespace museum::attacks;
using F = field::TowerGf16;  // Rainbow's GF(16)

namespace {

// Monomials of degree d in N variables, numbered; a monomial is its variables in ascending order.
class Monomials {
 public:
  Monomials(size_t N, size_t d) : subsets_(N + d - 1, d) {}
  size_t count() const { return subsets_.count(); }
  size_t index(std::vector<size_t> ascending) const {
    for (size_t k = 0; k < ascending.size(); k++) ascending[k] += k;
    return subsets_.index(ascending);
  }
  std::vector<std::vector<size_t>> all() const {
    std::vector<std::vector<size_t>> list;
    subsets_.each([&](std::vector<size_t> s) {
      for (size_t k = 0; k < s.size(); k++) s[k] -= k;
      list.push_back(s);
    });
    return list;
  }

 private:
  Subsets subsets_;
};

}  // namespace

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "Band separation on small Rainbow over GF(16): a vector of O2, then the whole key and a forged signature.\n"
                  "Page: research/museum/docs/band-separation.md");
  const Layers layers(options, 4, 30);
  const long a = options.number("a", 3, "degree in y of the equations' multiples, at least 2");
  const long b = options.number("b", 2, "their degree in the functional, at least 1");
  const bool dense = options.flag("dense", "elimination instead of block Wiedemann");
  if (a < 2 || b < 1 || a + b > 8) Options::fail("degrees are 2 or more in y, 1 or more in the functional, 8 at most together");
  RainbowDemo<F> opening(options, layers);
  auto &[demo, rng, target, P] = opening;
  Report &report = demo.report;
  const auto &scheme = target.scheme;
  const size_t n = P.n(), v2 = scheme.v2, Ny = v2 + 1, Nf = scheme.o2 + 1;

  // y = (u, 0, .., 0, 1), one of O2; f = (1, 0, .., 0, g), g of o2 coordinates.  P(y) = 0, and f(P'(y, e_j)) = 0 for all j.  The
  // 1s are variables, the last of y's and the first of f's, so that each equation has a degree in y and one in f; the columns are
  // the products of a monomial of degree a in y with one of degree b in f.
  Matrix<F> basis(Ny, n);
  for (size_t i = 0; i < v2; i++) basis(i, i) = 1;
  basis(v2, n - 1) = 1;
  const Forms<F> Q = P.restricted(basis);
  const Monomials in_y(Ny, size_t(a)), in_f(Nf, size_t(b));
  SparseMatrix<F> A{in_y.count() * in_f.count(), {}};
  const auto column = [&](const std::vector<size_t> &y, const std::vector<size_t> &f) {
    return uint32_t(in_y.index(y) * in_f.count() + in_f.index(f));
  };
  for (const auto &mu : Monomials(Ny, size_t(a) - 2).all())
    for (const auto &nu : in_f.all())
      for (size_t k = 0; k < Q.m(); k++) {
        SparseRow<F> row;
        for (size_t i = 0; i < Ny; i++)
          for (size_t j = i; j < Ny; j++) row.add(column(with(with(mu, i), j), nu), Q.upper(k)(i, j));
        A.rows.push_back(std::move(row));
      }
  std::vector<Matrix<F>> D;  // P'(basis vector i, .)
  for (size_t i = 0; i < Ny; i++) D.push_back(P.polar_at(basis.row_vector(i)));
  for (const auto &mu : Monomials(Ny, size_t(a) - 1).all())
    for (const auto &nu : Monomials(Nf, size_t(b) - 1).all())
      for (size_t j = 0; j < n; j++) {
        SparseRow<F> row;
        for (size_t i = 0; i < Ny; i++)
          for (size_t g = 0; g < Nf; g++) row.add(column(with(mu, i), with(nu, g)), D[i](g == 0 ? 0 : scheme.o1 + g - 1, j));
        A.rows.push_back(std::move(row));
      }
  report.say("degrees in y and f", std::to_string(a) + ", " + std::to_string(b));
  report.say("unknowns", double(A.cols));
  report.say("equations", double(A.rows.size()));
  const Clock clock;
  const bool enough = A.rows.size() >= A.cols;
  const Matrix<F> solutions = !enough ? Matrix<F>(0, 0) : dense ? kernel(A.dense()) : block_wiedemann(A, 2, rng);
  report.say("solutions", enough ? std::to_string(solutions.rows()) : "many: fewer equations than unknowns");
  report.say("seconds of CPU for a vector of O2", clock.seconds());
  Vector<F> y(n, 0);
  if (solutions.rows() == 1) {
    const std::vector<size_t> ones(size_t(b), 0), last(size_t(a), v2), but_one(size_t(a) - 1, v2);
    const auto scale = F::inv(solutions(0, column(last, ones)));
    for (size_t i = 0; i < Ny; i++)
      F::add_scaled(y.data(), F::mul(scale, solutions(0, column(with(but_one, i), ones))), basis.row(i), n);
  }
  if (is_zero<F>(y) || !P.vanishes_at(y) || rank(P.polar_at(y)) > scheme.o2) return demo.nothing_found("no vector of O2 found");
  return demo.found(finish_rainbow(target, y, rng, report).value_or(false));
}
