// SPDX-License-Identifier: Apache-2.0
// Patarin's attack on C*: equations that are linear in the signature, found in the public map, and a forged signature.
//   J. Patarin, "Cryptanalysis of the Matsumoto and Imai Public Key Scheme of Eurocrypt '88", CRYPTO 1995
#include "museum/algebra/equations.hpp"
#include "museum/algebra/sparse.hpp"
#include "museum/attacks/demo.hpp"
#include "museum/schemes/cstar.hpp"
#include "museum/schemes/gui.hpp"

using namespace museum;
using namespace museum::attacks;
using namespace museum::algebra;
using F = field::Gf2;

// (1, x) E (1, y)^T = 0 for all x and y = P(x): an E to a row, (n + 1) (m + 1) entries.
static Matrix<F> bilinear_relations(const QuadraticMap<F> &P, Random &rng) {
  const size_t unknowns = (P.n + 1) * (P.m + 1);
  BitMatrix A(unknowns);
  for (size_t i = 0; i < unknowns + 64; i++) {
    Vector<F> x = random_vector<F>(P.n, rng), y = P.evaluate(x);
    x.push_back(1), y.push_back(1);
    A.add_row();
    for (size_t j = 0; j <= P.n; j++)
      for (size_t k = 0; k <= P.m; k++) A.add(j * (P.m + 1) + k, x[j] & y[k]);
  }
  return A.kernel();
}

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "Patarin's attack on C*: bilinear relations between message and signature, then a forged signature.\n"
                  "Page: research/museum/docs/linearization.md");
  const std::string scheme =
      options.text("scheme", "C*", "C*, or what came after it: HFE, or GUI, which is HFE with vinegar and minus");
  Demo demo(options);
  if (scheme != "C*" && scheme != "HFE" && scheme != "GUI") Options::fail("there is no scheme " + scheme);
  Report &report = demo.report;
  Random rng(demo.seed);
  using broken::cstar::CStar63;
  using SmallGui = broken::gui::Gui<F, field::BinaryExtension<63, 3>, 9, 3, 3, 3>;
  using Hfe = broken::gui::Gui<F, field::BinaryExtension<63, 3>, 9, 0, 0, 3>;  // neither minus nor vinegar
  const std::string name = "a key under attack, " + std::to_string(demo.seed);
  const View seed = view(name);
  const QuadraticMap<F> P = scheme == "C*"    ? CStar63().keygen(seed).public_map
                            : scheme == "HFE" ? Hfe().keygen(seed).public_map
                                              : SmallGui().keygen(seed).public_map;
  const Clock clock;
  report.say("equations, variables", std::to_string(P.m) + ", " + std::to_string(P.n));
  const Matrix<F> E = bilinear_relations(P, rng);
  report.say("unknowns", double(E.cols()));
  report.say("relations", double(E.rows()));
  if (E.rows() == 0) {
    report.say("seconds of CPU", clock.seconds());
    return demo.nothing_found("no relation that is linear in x");
  }
  // With the target for y each is an affine equation for x; few x are left, and the right one is among them.
  const std::string message = "a message that nobody signed";
  Vector<F> y = CStar63::target(view(message));
  y.push_back(1);
  Matrix<F> A(E.rows(), P.n);
  Vector<F> b(E.rows());
  for (size_t i = 0; i < E.rows(); i++)
    for (size_t j = 0; j <= P.n; j++) (j < P.n ? A(i, j) : b[i]) = dot<F>(y, E.row(i) + j * (P.m + 1));
  const auto x = solve(A, b);
  const Matrix<F> more = kernel(A);
  report.say("equations left for x: rank", double(rank(A)));
  bool accepted = false;
  if (x && more.rows() <= 16)
    for (size_t choice = 0; choice < size_t(1) << more.rows() && !accepted; choice++) {
      Vector<F> candidate = *x;
      for (size_t i = 0; i < more.rows(); i++) F::add_scaled(candidate.data(), choice >> i & 1, more.row(i), P.n);
      accepted =
          CStar63::verify(P, view(message), pack<F>(candidate)) && !CStar63::verify(P, view(message + "!"), pack<F>(candidate));
    }
  report.say("forged signature", accepted ? "accepted" : "REFUSED");
  report.say("seconds of CPU", clock.seconds());
  return demo.found(accepted);
}
