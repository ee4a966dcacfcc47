// SPDX-License-Identifier: Apache-2.0
// Reconciliation (J. Ding, B.-Y. Yang, C.-H. O. Chen, M.-S. Chen, C.-M. Cheng, "New Differential-Algebraic Attacks and
// Reparametrization of Rainbow", ACNS 2008): an oil vector as the zero of a quadratic system, by guessing some coordinates and XL
// for the others.
#include "museum/attacks/demo.hpp"
#include "museum/attacks/forge.hpp"

using namespace museum;
using namespace museum::attacks;
using F = field::Gf16;

int main(int argc, char **argv) {
  Options options(
      argc, argv,
      "Reconciliation on small oil and vinegar over GF(16): an oil vector by XL, then the whole key and a forged signature.\n"
      "Page: research/museum/docs/reconciliation.md");
  const long v = options.number("v", 7, "vinegar variables");
  const long o = options.number("o", 6, "oil variables");
  const long m =
      options.number("m", 0, "equations; 0: as many as oil variables; more: the shape of MAYO's keys, where nothing is forged");
  const long fix = options.number("fix", 3, "coordinates to guess");
  const long most = options.number("guesses", 20000, "guesses to try");
  Demo demo(options);
  Report &report = demo.report;
  if (v < 2 || o < 1 || v + o > 60 || fix < 0 || fix > v - 2 || fix > 8 || (m != 0 && m < o))
    Options::fail("these sizes do not go together");

  Random rng{demo.seed};
  std::optional<UovTarget<F>> uov;
  Forms<F> P(size_t(v + o));
  Matrix<F> secret(0, 0);
  if (m == 0 || m == o) {
    uov.emplace(size_t(v), size_t(o), "key " + std::to_string(demo.seed));
    P = uov->P;
    secret = secret_oil_space(uov->key.secret);
  } else {
    const auto key = random_oil_and_vinegar<F>(size_t(v), size_t(o), size_t(m), rng);
    P = key.P;
    secret = row_space(key.oil);
  }
  const size_t n = P.n(), N = size_t(v - fix + 1);
  const int degree = xl_degree(int(N), int(P.m()));
  if (degree < 0) Options::fail("no degree at which XL would solve this: guess more coordinates");
  const Xl<F> xl{N, size_t(degree)};
  report.say("q, v, o, m", "16, " + std::to_string(v) + ", " + std::to_string(o) + ", " + std::to_string(P.m()));
  report.say("unknowns, equations of a guess", std::to_string(N - 1) + ", " + std::to_string(P.m()));
  report.say("XL: degree, columns", std::to_string(degree) + ", " + std::to_string(xl.columns()));

  // There is one oil vector for each choice z of the oil coordinates; the v others are unknown.  `fix` of them are guessed, in
  // turn; after all guesses another z.
  const Clock clock;
  long guesses = 0;
  double zeros = 0;
  std::optional<Matrix<F>> oil;
  while (guesses < most && !oil) {
    Matrix<F> basis(N, n);  // the free coordinates, then (guess, 0, z)
    for (size_t i = 0; i + 1 < N; i++) basis(i, size_t(fix) + i) = 1;
    for (size_t j = size_t(v); j < n; j++) basis(N - 1, j) = random_element<F>(rng);
    for (unsigned long c = 0; c < 1ul << (4 * fix) && guesses < most && !oil; c++, guesses++) {
      for (size_t i = 0; i < size_t(fix); i++) basis(N - 1, i) = c >> (4 * i) & 15;
      const auto result = xl.solve_dense(P.restricted(basis).rows(), rng);
      if (result.outcome != Outcome::unique || result.point[N - 1] == 0) continue;
      zeros++;
      oil = oil_space_of(P, combine_rows(result.point, basis), size_t(o));
    }
  }
  report.say("guesses", double(guesses));
  report.say("zeros found", zeros);
  report.say("seconds of CPU", clock.seconds());
  if (!oil) return demo.nothing_found("no oil vector found");
  bool ok = *oil == secret;
  report.say("oil space", ok ? "is the secret one" : "is another one than the secret one");
  if (uov) {
    ok = forge_uov(*uov, *oil, "never signed", rng);
    report.say("forged signature", ok ? "accepted" : "REFUSED");
  }
  return demo.found(ok);
}
