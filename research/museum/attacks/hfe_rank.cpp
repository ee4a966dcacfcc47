// SPDX-License-Identifier: Apache-2.0
// The rank attack on HFEv- over GF(2), on GUI: an equivalent key, then a forged signature.  GUI(2,96,5,6,6,3) falls in seconds;
// no key with D = 9 has been broken by it.
//   C. Tao, A. Petzoldt, J. Ding, "Efficient Key Recovery for All HFE Signature Variants", CRYPTO 2021, ePrint 2020/1424
//   M. Bardet et al., ASIACRYPT 2020 (support minors)
#include <bit>
#include "museum/algebra/bit_matrix.hpp"
#include "museum/algebra/polynomial.hpp"
#include "museum/algebra/sparse.hpp"
#include "museum/algebra/three_quadrics.hpp"
#include "museum/attacks/demo.hpp"
#include "museum/attacks/subsets.hpp"
#include "museum/schemes/gui.hpp"

using namespace museum;
using namespace museum::attacks;
using namespace museum::algebra;
using F = field::Gf2;
using field::BinaryExtension;

template <class G> class Attack {
  using K = typename G::K;
  using E = typename K::Element;
  static constexpr size_t n = G::n, m = G::m, v = G::v, N = G::N;

 public:
  Attack(const QuadraticMap<F> &P, Report &report, Random &rng) : P_(P), report_(report), rng_(rng) {
    for (size_t k = 0; k < m; k++) {
      const Matrix<F> U = P.upper(k);
      polar_.push_back(U + transpose(U));
    }
    // The trace of x^i, then that of x^(i + b) as bit i of hankel_[b]: the trace of y x^b is the parity of y & hankel_[b].
    std::vector<bool> traces;
    E power = K::one();
    for (size_t i = 0; i < 2 * n - 1; i++, power = power * E::of(2)) traces.push_back(K::trace(power));
    for (size_t b = 0; b < n; b++) {
      hankel_.emplace_back();
      for (size_t i = 0; i < n; i++)
        if (traces[i + b]) hankel_.back().flip(i);
    }
  }

  size_t solutions = 0;  // that the last rank had

  // Some u in K^N with rank(u B_1, .., u B_m) <= r, where B_k are the polar forms: a row of the change of basis from x to X.
  // There
  // are n such lines, conjugates of each other; nothing is found where the equations have not exactly these solutions.  Unknowns:
  // the products of u_i with the r x r minors of a basis of the rows' space, in the first `columns` columns; equations: each
  // row on
  // top of that basis has no minor but zero.
  std::optional<std::vector<E>> low_rank(size_t r, size_t columns) {
    const Subsets minors(columns, r), equations(columns, r + 1);
    BitMatrix A(N * minors.count());
    equations.each([&](const std::vector<size_t> &c) {
      for (size_t k = 0; k < m; k++) {
        A.add_row();
        for (size_t t = 0; t < c.size(); t++) {
          std::vector<size_t> others = c;
          others.erase(others.begin() + std::ptrdiff_t(t));
          const size_t minor = minors.index(others);
          for (size_t i = 0; i < N; i++)
            if (polar_[k](i, c[t])) A.flip(minor * N + i);
        }
      }
    });
    const Matrix<F> all = A.kernel();
    // The forms are alternating: for every set S of r - 1 columns the sum of e_j (x) (e_j ^ e_S) over the columns j is a solution
    // that means nothing.  All these have u_i = 0 for i beyond the columns.
    const size_t C = minors.count();
    Matrix<F> beyond(0, (N - columns) * C);
    for (size_t j = 0; j < all.rows(); j++) {
      Vector<F> row;
      for (size_t i = columns; i < N; i++)
        for (size_t minor = 0; minor < C; minor++) row.push_back(all(j, minor * N + i));
      beyond.append_row(row);
    }
    const Matrix<F> solutions = row_space(beyond);
    report_.say("rank " + std::to_string(r) + ": unknowns, equations",
                std::to_string(N * C) + ", " + std::to_string(A.rows()) + "; kernel " + std::to_string(all.rows()) + ", of it " +
                    std::to_string(all.rows() - solutions.rows()) + " trivial");
    this->solutions = solutions.rows();
    if (solutions.rows() != n || C < n) return {};
    // Over K the solutions are spanned by u (x) c and its conjugates, c the minors.  z solutions = u (x) c: then z A_i = u_i
    // c for
    // the block of each i, and u_2 / u_1 is an eigenvalue.
    const auto block = [&](size_t i) {
      Matrix<F> B(n, C);
      for (size_t j = 0; j < n; j++) std::copy_n(solutions.row(j) + i * C, C, B.row(j));
      return B;
    };
    for (size_t one = 0; one + 1 < N - columns; one++) {
      const Matrix<F> A1 = block(one), A2 = block(one + 1);
      Matrix<F> echelon = A1;
      const auto pivots = row_reduce(echelon);
      if (pivots.size() < n) continue;
      Matrix<F> B1(n, n), B2(n, n);
      for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) B1(j, i) = A1(j, pivots[i]), B2(j, i) = A2(j, pivots[i]);
      const Matrix<F> M = B2 * *inverse(B1);
      const auto chi = characteristic_polynomial<F>(M);
      Univariate<K> f;
      for (const auto c : chi) f.push_back(c ? K::one() : E());
      if (product_of_roots<K>(f).size() != n + 1) continue;
      const E lambda = some_root<K>(f);
      bool generates = true;
      E conjugate = lambda * lambda;
      for (size_t i = 1; i < n; i++, conjugate = conjugate * conjugate) generates = generates && conjugate != lambda;
      if (!generates) continue;
      // z = e g(M) for g = chi / (x - lambda): then z (M - lambda) = e chi(M) = 0.
      Univariate<K> g(n);
      for (size_t i = n; i-- > 0;) g[i] = f[i + 1] + (i + 1 < n ? lambda * g[i + 1] : E());
      std::vector<E> z(n), c(C), u(N);
      Vector<F> e(n);
      e[0] = 1;
      for (size_t i = 0; i < n; i++, e = combine_rows(e, M))
        for (size_t j = 0; j < n; j++)
          if (e[j]) z[j] += g[i];
      for (size_t j = 0; j < n; j++)
        for (size_t minor = 0; minor < C; minor++)
          if (A1(j, minor)) c[minor] += z[j];
      // c is known, so that u is a linear problem over K; no solution or many are none.
      std::vector<std::vector<E>> system;
      equations.each([&](const std::vector<size_t> &s) {
        if (system.size() > 2 * N + 4 * m) return;
        for (size_t k = 0; k < m; k++) {
          std::vector<E> row(N);
          for (size_t t = 0; t < s.size(); t++) {
            std::vector<size_t> others = s;
            others.erase(others.begin() + std::ptrdiff_t(t));
            const E &factor = c[minors.index(others)];
            for (size_t i = 0; i < N; i++)
              if (polar_[k](i, s[t])) row[i] += factor;
          }
          system.push_back(std::move(row));
        }
      });
      const auto found = row_reduce_large<K>(system, N);
      if (found.size() != N - 1) continue;
      size_t free = 0;
      while (free < found.size() && found[free] == free) free++;
      u[free] = K::one();
      for (size_t i = 0; i < found.size(); i++) u[found[i]] = system[i][free];
      return u;
    }
    report_.say("kernel", "no eigenvalue that generates the field");
    return {};
  }

  // From u an equivalent key: x = trace(X u) + w (complement), P_k = trace(t_k F(X, w)); false if there is none of degree D.
  bool equivalent_key(const std::vector<E> &u) {
    Matrix<F> images(0, N);
    for (size_t b = 0; b < n; b++) {
      Vector<F> x(N);
      for (size_t i = 0; i < N; i++) x[i] = trace_of(u[i], b);
      images.append_row(x);
    }
    if (rank(images) < n) return false;
    basis_ = stack(images, complement(images));
    const Matrix<F> coordinates = *inverse(basis_);
    // In the coordinates X, X^2, X^4, .. only F itself has an entry at (X, X^(2^(slots - 1))).
    t_.assign(m, {});
    for (size_t k = 0; k < m; k++)
      for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
          if (polar_[k](i, j)) t_[k] += u[i] * K::power_of_two(u[j], G::slots - 1);
    // The coefficients of F, from values: an unknown for each of their bits, an equation for each value of a P_k.
    const size_t terms = monomials(E(), Vector<F>(v + 1)).size();
    BitMatrix A(terms * n + 1);
    for (size_t point = 0; point * m < terms * n + 64; point++) {
      const Vector<F> x = random_vector<F>(N, rng_), y = P_.evaluate(x), c = combine_rows(x, coordinates);
      E X;
      for (size_t b = 0; b < n; b++)
        if (c[b]) X.flip(b);
      Vector<F> w(c.begin() + n, c.end());
      w.push_back(1);
      const auto values = monomials(X, w);
      for (size_t k = 0; k < m; k++) {
        A.add_row();
        for (size_t i = 0; i < terms; i++) {
          if (!values[i]) continue;
          const E product = t_[k] * values[i];
          for (size_t b = 0; b < n; b++)
            if (trace_of(product, b)) A.flip(i * n + b);
        }
        if (y[k]) A.flip(terms * n);
      }
    }
    report_.say("coefficients: unknown bits", double(terms * n));
    const auto solution = A.affine_solution();
    if (!solution) return false;
    std::vector<E> coefficients(terms);
    for (size_t i = 0; i < terms * n; i++)
      if ((*solution)[i]) coefficients[i / n].flip(i % n);
    size_t next = 0;
    key_ = {G::slots, v, {}};
    auto &p = key_.polynomials[0];
    p.alpha.resize(G::slots * G::slots), p.beta.resize(G::slots * (v + 1)), p.gamma.resize((v + 1) * (v + 1));
    for (size_t i = 0; i < G::slots; i++)
      for (size_t j = 0; j < G::slots; j++)
        if (G::has(i, j)) p.alpha[i * G::slots + j] = coefficients[next++];
    for (auto &b : p.beta) b = coefficients[next++];
    for (size_t i = 0; i <= v; i++)
      for (size_t j = i; j <= v; j++) p.gamma[i * (v + 1) + j] = coefficients[next++];
    return true;
  }

  // A signature, with the key found.
  Bytes forge(const G &scheme, View message) {
    Matrix<F> traces(m, n);  // Y -> trace(t_k Y)
    for (size_t k = 0; k < m; k++)
      for (size_t b = 0; b < n; b++) traces(k, b) = trace_of(t_[k], b);
    const Matrix<F> free = kernel(traces);
    return G::chain(message, [&](const Vector<F> &y, size_t) {
      for (int attempt = 0; attempt < 500; attempt++) {
        auto bits = solve(traces, y);
        if (!bits) break;
        const Vector<F> more = combine_rows(random_vector<F>(free.rows(), rng_), free);
        F::add_scaled(bits->data(), 1, more.data(), n);
        E Y;
        for (size_t b = 0; b < n; b++)
          if ((*bits)[b]) Y.flip(b);
        Vector<F> w = random_vector<F>(v, rng_);
        w.push_back(1);
        const auto X = scheme.invert_central(key_, w, Y);
        if (!X) continue;
        Vector<F> x(N);
        for (size_t b = 0; b < n; b++) x[b] = X->bit(b);
        std::copy_n(w.begin(), v, x.begin() + n);
        return combine_rows(x, basis_);
      }
      return Vector<F>(N);  // no signature
    });
  }

 private:
  // Of y x^b.
  bool trace_of(const E &y, size_t b) const {
    uint64_t sum = 0;
    for (size_t k = 0; k < K::words; k++) sum ^= y.word[k] & hankel_[b].word[k];
    return std::popcount(sum) & 1;
  }
  // Values of what F's coefficients stand at, in the order of CentralMap.
  static std::vector<E> monomials(const E &X, const Vector<F> &w) {
    std::vector<E> values, Z;
    for (size_t i = 0; i < G::slots; i++) Z.push_back(K::power_of_two(X, i));
    for (size_t i = 0; i < G::slots; i++)
      for (size_t j = 0; j < G::slots; j++)
        if (G::has(i, j)) values.push_back(Z[i] * Z[j]);
    for (size_t i = 0; i < G::slots; i++)
      for (size_t j = 0; j <= v; j++) values.push_back(w[j] ? Z[i] : E());
    for (size_t i = 0; i <= v; i++)
      for (size_t j = i; j <= v; j++) values.push_back(w[i] && w[j] ? K::one() : E());
    return values;
  }

  const QuadraticMap<F> &P_;
  Report &report_;
  Random &rng_;
  std::vector<Matrix<F>> polar_;
  std::vector<E> hankel_, t_;
  Matrix<F> basis_;
  typename G::Central key_;
};

template <class G> static int attack(Demo &demo, long most_unknowns) {
  Report &report = demo.report;
  Random rng(demo.seed);
  const G scheme;
  const auto pair = scheme.keygen(view("a key under attack, " + std::to_string(demo.seed)));
  report.say("q, n, D, a, v, k", "2, " + std::to_string(G::n) + ", " + std::to_string(G::D) + ", " + std::to_string(G::a) + ", " +
                                     std::to_string(G::v) + ", " + std::to_string(G::k));
  report.say("equations, variables", std::to_string(G::m) + ", " + std::to_string(G::N));
  const Clock clock;
  Attack<G> attack(pair.public_map, report, rng);
  // The rank is not given: it is raised until there is a solution, or too much to solve.
  for (size_t r = 1;; r++) {
    size_t columns = r + 1;  // as few as give as many equations as unknowns
    while (columns < G::N && G::m * (columns - r) < G::N * (r + 1)) columns++;
    const auto too_many = [&] { return double(Subsets(columns, r).count()) * double(G::N) > double(most_unknowns); };
    if (too_many()) break;
    auto u = attack.low_rank(r, columns);
    if (!u && attack.solutions == G::n) {  // the rank is right, but the eigenvalues want more minors
      do columns++;
      while (columns < G::N && 4 * Subsets(columns, r).count() < 5 * G::n);
      if (columns >= G::N || too_many()) break;
      u = attack.low_rank(r, columns);
    }
    if (!u) continue;
    report.say("seconds of CPU for u", clock.seconds());
    if (!attack.equivalent_key(*u)) continue;
    report.say("seconds of CPU for a key", clock.seconds());
    const std::string message = "a message that nobody signed";
    const Bytes signature = attack.forge(scheme, view(message));
    const bool accepted = scheme.verify(pair.public_map, view(message), signature) &&
                          !scheme.verify(pair.public_map, view(message + "!"), signature);
    report.say("forged signature", accepted ? "accepted" : "REFUSED");
    report.say("seconds of CPU", clock.seconds());
    return demo.found(accepted);
  }
  report.say("seconds of CPU", clock.seconds());
  return demo.nothing_found("no equivalent key: the next rank has too many unknowns");
}

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "The rank attack on GUI over GF(2): an equivalent key from the public key alone, and a forged signature.\n"
                  "Page: research/museum/docs/hfe-rank.md");
  const std::string set = options.text("set", "24", "n of the key: 16, 24, 32, 48, 96 (a real set), or high (n = 24, D = 129)");
  const long most = options.number("unknowns", 20000, "stop where a rank needs more");
  Demo demo(options);
  using broken::gui::Gui;
  if (set == "16") return attack<Gui<F, BinaryExtension<16, 0x2b>, 5, 2, 2, 3>>(demo, most);
  if (set == "24") return attack<Gui<F, BinaryExtension<24, 0x1b>, 5, 3, 3, 3>>(demo, most);
  if (set == "32") return attack<Gui<F, BinaryExtension<32, 0x8d>, 9, 3, 3, 3>>(demo, most);
  if (set == "48") return attack<Gui<F, BinaryExtension<48, 0x2d>, 5, 4, 4, 3>>(demo, most);
  if (set == "96") return attack<broken::gui::Gui96>(demo, most);
  if (set == "high") return attack<Gui<F, BinaryExtension<24, 0x1b>, 129, 3, 3, 3>>(demo, most);
  Options::fail("there is no set " + set);
}
