// SPDX-License-Identifier: Apache-2.0
// W. Beullens, "Breaking Rainbow Takes a Weekend on a Laptop", CRYPTO 2022, ePrint 2022/214: the simple attack.
#include "museum/attacks/demo.hpp"
#include "museum/attacks/rainbow_key.hpp"

using namespace museum;
using namespace museum::attacks;
using F = field::TowerGf16;  // Rainbow's GF(16)

namespace {

uint8_t square_root(uint8_t a) {
  for (int i = 0; i < 3; i++) a = F::mul(a, a);  // a^8, and (a^8)^2 = a^16 = a
  return a;
}

struct Guess {
  Forms<F> system;  // m - 1 forms on the kernel of D_x modulo x
  Matrix<F> basis;  // of that space
};
// D_x : y -> P'(x, y) sends O2 into W, both of dimension o2, so that it has a kernel in O2 for about one x in q - 1.  x itself is
// in the kernel of D_x (characteristic 2) and P(y + a x) = P(y) + a^2 P(x): modulo x there are one variable and one equation
// less.
std::optional<Guess> guess_at(const Forms<F> &P, const Vector<F> &x) {
  const Vector<F> at = P(x);
  const Matrix<F> K = kernel(P.polar_at(x));
  if (is_zero<F>(at)) return std::nullopt;
  Matrix<F> basis(0, P.n()), with_x(0, P.n());
  with_x.append_row(x);
  for (size_t i = 0; i < K.rows(); i++) {
    Matrix<F> more = with_x;
    more.append_row(K.row_vector(i));
    if (rank(more) == more.rows()) with_x = more, basis.append_row(K.row_vector(i));
  }
  Matrix<F> value(0, P.m());
  value.append_row(at);
  return Guess{P.restricted(basis).combined(kernel(value)), basis};
}

}  // namespace

int main(int argc, char **argv) {
  Options options(
      argc, argv,
      "Beullens' simple attack on Rainbow over GF(16), chained into Kipnis-Shamir: the whole key and a forged signature.\n"
      "Page: research/museum/docs/rainbow-simple.md");
  const Layers layers(options, 12, 120);
  const long most = options.number("guesses", 200, "vectors x to try");
  const bool sparse = options.flag("sparse", "XL by block Wiedemann instead of elimination");
  RainbowDemo<F> opening(options, layers);
  auto &[demo, rng, target, P] = opening;
  Report &report = demo.report;
  const int variables = int(P.n() - P.m()) - 1, degree = xl_degree(variables, int(P.m()) - 1);
  if (variables < 2 || degree < 0) Options::fail("no degree at which XL would solve this");
  const Xl<F> xl{size_t(variables), size_t(degree)};
  report.say("unknowns, equations of a guess", std::to_string(variables) + ", " + std::to_string(P.m() - 1));
  report.say("XL: degree, columns", std::to_string(degree) + ", " + std::to_string(xl.columns()));

  const Clock clock;
  for (long guesses = 1; guesses <= most; guesses++) {
    const Vector<F> x = random_vector<F>(P.n(), rng);
    const auto guess = guess_at(P, x);
    if (!guess || guess->basis.rows() != size_t(variables)) continue;
    const auto result = sparse ? xl.solve_sparse(guess->system.rows(), rng) : xl.solve_dense(guess->system.rows(), rng);
    if (result.outcome != Outcome::unique) continue;
    // P(y0) is a multiple of P(x); the right multiple of x takes it away.
    Vector<F> y = combine_rows(result.point, guess->basis);
    const Vector<F> rest = P(y), at = P(x);
    const size_t k = size_t(std::find_if(at.begin(), at.end(), [](auto e) { return e != 0; }) - at.begin());
    F::add_scaled(y.data(), square_root(F::mul(rest[k], F::inv(at[k]))), x.data(), y.size());
    if (!P.vanishes_at(y) || rank(P.polar_at(y)) > layers.o2) continue;  // a zero of P by accident
    report.say("guesses", double(guesses));
    report.say("seconds of CPU for a vector of O2", clock.seconds());
    // The vector alone forges nothing: the attack has worked when layer 1 has fallen, too.
    const auto ok = finish_rainbow(target, y, rng, report);
    return ok ? demo.found(*ok) : demo.nothing_found("a vector of O2, but not the whole key");
  }
  report.say("seconds of CPU", clock.seconds());
  return demo.nothing_found("no vector of O2 found in " + std::to_string(most) + " guesses");
}
