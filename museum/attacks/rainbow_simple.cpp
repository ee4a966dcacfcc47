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
// D_x : y -> P'(x, y) sends O2 into W, both of dimension o2, so that it has a kernel in O2 for about one x in q - 1.  x itself is in the kernel
// of D_x (characteristic 2) and P(y + a x) = P(y) + a^2 P(x): modulo x there are one variable and one equation less.
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
      "Page: museum/docs/rainbow-simple.md");
  const long v1 = options.number("v1", 12, "vinegar variables");
  const long o1 = options.number("o1", 12, "variables and equations of layer 1");
  const long o2 = options.number("o2", 12, "variables and equations of layer 2");
  const long most = options.number("guesses", 200, "vectors x to try");
  const long seed = options.number("seed", 1, "of key and attack");
  const bool sparse = options.flag("sparse", "XL by block Wiedemann instead of elimination");
  const bool defended = options.flag("defended", "succeed only if the key is not recovered");
  Report report(options.text("json", "", "file for the figures' data"));
  options.done();
  if (v1 < 2 || o1 < 1 || o2 < 1 || v1 + o1 + o2 > 120) Options::fail("v1 >= 2, o1, o2 >= 1, at most 120 together");

  Random rng{(unsigned long)seed};
  const broken::rainbow::Rainbow<F> scheme{size_t(v1), size_t(o1), size_t(o2)};
  const Bytes key_seed = shake256({view("key " + std::to_string(seed))}, scheme.seed_bytes);
  const auto pair = scheme.keygen_classic(key_seed);
  const Forms<F> P = forms_of(pair.public_map);
  const int variables = int(P.n() - P.m()) - 1, degree = xl_degree(variables, int(P.m()) - 1);
  if (variables < 2 || degree < 0) Options::fail("no degree at which XL would solve this");
  const Xl<F> xl{size_t(variables), size_t(degree)};
  report.say("q, v1, o1, o2", "16, " + std::to_string(v1) + ", " + std::to_string(o1) + ", " + std::to_string(o2));
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
    if (!P.vanishes_at(y) || rank(P.polar_at(y)) > size_t(o2)) continue;  // a zero of P by accident
    report.say("guesses", double(guesses));
    report.say("seconds of CPU for a vector of O2", clock.seconds());
    const bool ok = finish_rainbow(scheme, pair, P, y, rng, report);
    report.write();
    return ok != defended ? 0 : 1;
  }
  report.say("seconds of CPU", clock.seconds());
  report.say("result", "no vector of O2 found in " + std::to_string(most) + " guesses");
  report.write();
  return defended ? 0 : 1;
}
