// SPDX-License-Identifier: Apache-2.0
// PFLASH(16, 96-1, 64) by the subfield over which its central map is quadratic: a forged signature from the public key.
//   V. Dubois, P.-A. Fouque, J. Stern, "Cryptanalysis of SFLASH with Slightly Modified Parameters", EUROCRYPT 2007: exponents of
//   this kind in SFLASH, where nothing is projected
//   J. Patarin, CRYPTO 1995: the last step (linearization.cpp)
#include "museum/algebra/equations.hpp"
#include "museum/attacks/demo.hpp"
#include "museum/attacks/kipnis_shamir.hpp"
#include "museum/schemes/pflash.hpp"

using namespace museum;
using namespace museum::attacks;
using namespace museum::algebra;
using F = field::TowerGf16;
using broken::pflash::Pflash;
static constexpr size_t n = Pflash::n, m = Pflash::m, all = Pflash::coordinates;

// The public map, and its parts.
struct Public {
  const QuadraticMap<F> P;
  std::vector<Matrix<F>> polar;

  explicit Public(View bytes) : P(Pflash::decode_public(bytes)) {
    for (size_t k = 0; k < m; k++) polar.push_back(P.upper(k) + transpose(P.upper(k)));
  }
  Vector<F> linear(const Vector<F> &x) const {
    Vector<F> y(m);
    for (size_t i = 0; i < n; i++) F::add_scaled(y.data(), x[i], P.linear_at(i), m);
    return y;
  }
  Vector<F> quadratic(const Vector<F> &x) const {
    Vector<F> y = P.evaluate(x);
    F::add_scaled(y.data(), 1, linear(x).data(), m);
    return y;
  }
};

// Multiplication by some element a of the subfield, where it does not lead out of the public map's variables.
struct Multiplication {
  Matrix<F> a;        // n x n
  Vector<F> outside;  // a x is right if the product of x with this is 0
};

// For a of the subfield each polar form has B(a x, y) = B(x, a y), the exponent's two factors being linear over it.  The maps
// with this property from the span of the first few unit vectors to all variables are the solutions of linear equations.  One of
// them, taken for a, leads to all pairs (x, a x) by others.  Nothing if these are not of n - 1 dimensions.
static std::optional<Multiplication> multiplication(const Public &key, Random &rng, Report &report) {
  constexpr size_t few = 4;
  Matrix<F> A(0, n * few);
  const Vector<F> zero(n * few);
  for (const Matrix<F> &B : key.polar)
    for (size_t e = 0; e < few; e++)
      for (size_t f = e + 1; f < few; f++) {
        A.append_row(zero);
        F::Element *row = A.row(A.rows() - 1);
        for (size_t i = 0; i < n; i++) row[e * n + i] = B(i, f), row[f * n + i] = B(i, e);
      }
  const Matrix<F> maps = kernel(std::move(A));
  report.say("maps from 4 variables", double(maps.rows()));
  if (maps.rows() < 2) return {};
  const Vector<F> image = combine_rows(random_vector<F>(maps.rows(), rng), maps);
  Matrix<F> equations(0, 2 * n);
  for (const Matrix<F> &B : key.polar)
    for (size_t e = 0; e < few; e++) {  // B(a e, x) = B(e, a x)
      const auto at = image.begin() + std::ptrdiff_t(e * n);
      Vector<F> row = algebra::apply(B, Vector<F>(at, at + n));
      for (size_t i = 0; i < n; i++) row.push_back(B(i, e));
      equations.append_row(row);
    }
  Matrix<F> pairs = kernel(std::move(equations));
  report.say("pairs (x, a x)", double(pairs.rows()));
  const auto pivots = row_reduce(pairs, n);
  if (pairs.rows() != n - 1 || pivots.size() != n - 1) return {};
  size_t free = 0;
  while (free < pivots.size() && pivots[free] == free) free++;
  Multiplication result{Matrix<F>(n, n), Vector<F>(n)};
  result.outside[free] = 1;
  for (size_t i = 0; i < n - 1; i++) {
    result.outside[pivots[i]] = pairs(i, free);
    for (size_t j = 0; j < n; j++) result.a(j, pivots[i]) = pairs(i, n + j);
  }
  return result;
}

// The public map with the polynomials that were left out, on a space of inputs.  With X the input and s a shift, P_k is the k-th
// coordinate of T of F(X + s); Q_k(a x) + L_k(a^2 x), of P_k's quadratic and linear part, is such a coordinate of a^2 F(X + s).
struct Whole {
  const Public &key;
  const Matrix<F> &a;
  const Matrix<F> inputs;  // rows: a basis of the x for which a x and a^2 x are right

  Whole(const Public &public_key, const Multiplication &by) : key(public_key), a(by.a), inputs(inputs_of(by)) {}
  Vector<F> operator()(const Vector<F> &x) const {
    Vector<F> y = key.P.evaluate(x);
    const Vector<F> ax = algebra::apply(a, x);
    Vector<F> more = key.quadratic(ax);
    F::add_scaled(more.data(), 1, key.linear(algebra::apply(a, ax)).data(), m);
    y.insert(y.end(), more.begin(), more.begin() + (all - m));
    return y;
  }

 private:
  static Matrix<F> inputs_of(const Multiplication &by) {
    Matrix<F> conditions(0, n);
    conditions.append_row(by.outside);
    conditions.append_row(algebra::apply(transpose(by.a), by.outside));
    return kernel(conditions);
  }
};

// (x, 1) E (y, 1)^T = 0 for all x in coordinates of `inputs` and y their images: an E to a row.
static Matrix<F> bilinear_relations(const Whole &map, Random &rng) {
  const size_t rows = map.inputs.rows() + 1, columns = all + 1;
  Equations<F> A(rows * columns);
  for (size_t i = 0; i < rows * columns + 16; i++) {
    Vector<F> x = random_vector<F>(rows - 1, rng), y = map(combine_rows(x, map.inputs));
    x.push_back(1), y.push_back(1);
    A.add_row();
    for (size_t j = 0; j < rows; j++)
      for (size_t k = 0; k < columns; k++) A.add(j * columns + k, F::mul(x[j], y[k]));
  }
  return A.kernel();
}

// Some x with P(x) = target.  What was left out is guessed; the relations then leave the x with X + s in a line over the
// subfield, on which P is a sum of squares of coordinates.  A guess is right if its X is among the inputs: 1 in 16^3.
static std::optional<Vector<F>> preimage(const Whole &map, const Matrix<F> &relations, const Vector<F> &target, size_t most,
                                         Random &rng, size_t &guesses) {
  const size_t dimensions = map.inputs.rows(), rows = dimensions + 1, columns = all + 1;
  // Of the equations for (x, 1): what the target gives, and what each guessed element adds.
  std::vector<Matrix<F>> by(all - m + 1, Matrix<F>(relations.rows(), rows));
  for (size_t r = 0; r < relations.rows(); r++)
    for (size_t j = 0; j < rows; j++) {
      const F::Element *row = relations.row(r) + j * columns;
      by[all - m](r, j) = F::add(row[all], dot<F>(target, row));
      for (size_t k = m; k < all; k++) by[k - m](r, j) = row[k];
    }
  for (guesses = 1; guesses <= most; guesses++) {
    Matrix<F> A = by[all - m];
    const Vector<F> guess = random_vector<F>(all - m, rng);
    for (size_t k = 0; k < all - m; k++) F::add_scaled(A.row(0), guess[k], by[k].row(0), A.rows() * rows);
    Matrix<F> left(A.rows(), dimensions);
    Vector<F> right(A.rows());
    for (size_t r = 0; r < A.rows(); r++)
      for (size_t j = 0; j < rows; j++) (j < dimensions ? left(r, j) : right[r]) = A(r, j);
    const auto one = solve(left, right);
    if (!one) continue;
    Vector<F> x = combine_rows(*one, map.inputs), difference = map.key.P.evaluate(x);
    F::add_scaled(difference.data(), 1, target.data(), m);
    const Matrix<F> line = kernel(left) * map.inputs;
    Matrix<F> squares(m, line.rows());
    for (size_t i = 0; i < line.rows(); i++) {
      const Vector<F> q = map.key.quadratic(line.row_vector(i));
      for (size_t k = 0; k < m; k++) squares(k, i) = q[k];
    }
    const auto square = solve(squares, difference);
    if (!square) continue;
    for (size_t i = 0; i < line.rows(); i++) {
      F::Element root = (*square)[i];  // e^8 is the square root of e
      for (int j = 0; j < 3; j++) root = F::mul(root, root);
      F::add_scaled(x.data(), root, line.row(i), n);
    }
    return x;
  }
  return {};
}

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "The subfield attack on PFLASH(16, 96-1, 64): a forged signature from the public key alone.\n"
                  "Page: research/museum/docs/subfield.md");
  const bool random = options.flag("random", "random polynomials in place of a key");
  const bool first_half = options.flag("multiplication", "only as far as the subfield's multiplication, a second's work");
  const size_t most = size_t(options.number("guesses", 40000, "at most"));
  Demo demo(options);
  Report &report = demo.report;
  Random rng(demo.seed);
  const Pflash scheme;
  QuadraticMap<F> target = scheme.keygen(view("a key under attack, " + std::to_string(demo.seed))).public_map;
  if (random) target.quadratic_coefficients() = random_vector<F>(target.quadratic_coefficients().size(), rng);
  const Public key(Pflash::encode(target));
  report.say("equations, variables", std::to_string(m) + ", " + std::to_string(n));
  const Clock clock;
  const auto by = multiplication(key, rng, report);
  if (!by) return demo.nothing_found("no multiplication by a subfield");
  const Whole map(key, *by);
  report.say("inputs that stay", double(map.inputs.rows()));
  if (first_half) {
    bool holds = map.inputs.rows() == n - 2;
    for (size_t i = 0; i < 100; i++) {
      const Vector<F> x = combine_rows(random_vector<F>(n - 2, rng), map.inputs);
      const Vector<F> y = combine_rows(random_vector<F>(n - 2, rng), map.inputs);
      holds = holds && key.P.polar(algebra::apply(by->a, x), y) == key.P.polar(x, algebra::apply(by->a, y));
    }
    report.say("B(a x, y) = B(x, a y)", holds ? "holds" : "DOES NOT HOLD");
    report.say("seconds of CPU", clock.seconds());
    return demo.found(holds);
  }
  const Matrix<F> relations = bilinear_relations(map, rng);
  report.say("unknowns", double(relations.cols()));
  report.say("relations", double(relations.rows()));
  report.say("seconds of CPU for these", clock.seconds());
  const std::string message = "a message that nobody signed";
  size_t guesses = 0;
  const auto x = preimage(map, relations, Pflash::target(view(message)), most, rng, guesses);
  if (!x) return demo.nothing_found("no preimage");
  report.say("guesses", double(guesses));
  const Bytes signature = pack<F>(*x);
  const bool accepted =
      Pflash::verify(target, view(message), signature) && !Pflash::verify(target, view(message + "!"), signature);
  report.say("forged signature", accepted ? "accepted" : "REFUSED");
  report.say("seconds of CPU", clock.seconds());
  return demo.found(accepted);
}
