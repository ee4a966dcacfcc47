// SPDX-License-Identifier: Apache-2.0
// From one space of low rank (low_rank.hpp) to a whole key of GUI or HmFEv, in the form in which the scheme itself signs with it.
//   C. Tao, A. Petzoldt, J. Ding, CRYPTO 2021, ePrint 2020/1424
#pragma once
#include <functional>
#include "museum/algebra/equations.hpp"
#include "museum/algebra/sparse.hpp"
#include "museum/programs/report.hpp"
#include "museum/schemes/big_field.hpp"

namespace museum::attacks {

using namespace museum::algebra;

// x = sum of trace(X_l u_l) + w (a complement) for X in K^t, and P_k(x) = sum over p of trace(t_kp F_p(X, w)), with traces from K
// to F: F_1, .., F_t are a central map of the same form as the secret one.
template <class G> class EquivalentKey {
  using F = typename G::F;
  using K = typename G::K;
  using E = typename K::Element;
  using Fe = typename F::Element;
  static constexpr size_t t = G::t, d = Subfield<F, K>::degree, n = t * d, m = G::m, v = G::v, N = G::N, slots = G::slots;

 public:
  EquivalentKey(const Subfield<F, K> &L, const QuadraticMap<F> &P, Random &rng) : L_(L), P_(P), rng_(rng), traces_(d, d) {
    Vector<F> unit(d);
    for (size_t b = 0; b < d; b++, unit.assign(d, 0)) {
      unit[b] = 1;
      basis_.push_back(L.from_coordinates(unit.data()));
    }
    for (size_t a = 0; a < d; a++)
      for (size_t b = 0; b < d; b++) {
        E sum, power = basis_[a] * basis_[b];
        for (size_t i = 0; i < d; i++, power = L.frobenius(power, 1)) sum += power;
        traces_(a, b) = L.coordinates(sum)[0];
      }
  }

  // u: a basis of the space.  Nothing if it belongs to no such key.
  std::optional<typename G::Secret> find(const std::vector<Matrix<F>> &polar, const std::vector<std::vector<E>> &u) {
    images_ = Matrix<F>(0, N);
    for (const auto &ul : u)
      for (size_t b = 0; b < d; b++) {
        Vector<F> x(N);
        for (size_t i = 0; i < N; i++) x[i] = traces_of(ul[i])[b];
        images_.append_row(x);
      }
    if (rank(images_) < n) return {};
    images_ = stack(images_, complement(images_));
    // t_kp up to an invertible matrix over K, which the F_p absorb: entries where nothing but F_1, .., F_t themselves has a part,
    // not their conjugates.
    t_.assign(m, {});
    for (size_t k = 0; k < m; k++) {
      size_t p = 0;
      for (size_t a = 0; a < t; a++)
        for (size_t b = t == 1 ? a : a + 1; b < t; b++, p++)
          for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
              const E right = t == 1 ? L_.frobenius(u[b][j], slots - 1) : u[b][j];
              if (polar[k](i, j) != 0) t_[k][p] += L_.scaled(polar[k](i, j), u[a][i] * right);
            }
    }
    typename G::Secret key;
    if (!coefficients(key.central)) return {};
    // The coordinates of X and w are S x, and P the first m rows of T F.
    key.S_inverse = transpose(images_);
    Matrix<F> T(0, n);
    for (size_t k = 0; k < m; k++) {
      Vector<F> row;
      for (const E &e : t_[k]) append_to(row, traces_of(e));
      T.append_row(row);
    }
    const auto T_inverse = inverse(stack(T, complement(T)));
    if (!T_inverse) return {};
    key.T_inverse = *T_inverse;
    key.s0.assign(N, 0), key.t0.assign(n, 0), key.seed.assign(32, 0);
    return key;
  }
  double unknowns() const { return double(most_unknowns_); }  // of the largest system that was solved

 private:
  using Elements = std::vector<E>;
  static void append_to(Vector<F> &a, const Vector<F> &b) { a.insert(a.end(), b.begin(), b.end()); }
  // trace(y basis_b) for all b.
  Vector<F> traces_of(const E &y) const { return combine_rows(L_.coordinates(y), traces_); }
  // x of X and vinegars.
  Vector<F> point(const std::array<E, t> &X, const Vector<F> &w) const {
    Vector<F> c;
    for (const E &e : X) append_to(c, L_.coordinates(e));
    append_to(c, w);
    return combine_rows(c, images_);
  }
  std::array<E, t> random_X() {
    std::array<E, t> X;
    for (E &e : X) e = L_.from_coordinates(random_vector<F>(d, rng_).data());
    return X;
  }

  // Coefficients g_pi with sum of trace(t_kp g_pi z_i) = y_k for all k: at each of `points` points values z_i and y.
  std::optional<std::array<Elements, t>> fit(size_t terms, size_t points, const std::function<Vector<F>(Elements &z)> &at) {
    const size_t unknowns = t * terms * d;
    most_unknowns_ = std::max(most_unknowns_, unknowns);
    Equations<F> A(unknowns + 1);
    for (size_t i = 0; i < points; i++) {
      Elements z(terms);
      const Vector<F> y = at(z);
      for (size_t k = 0; k < m; k++) {
        A.add_row();
        for (size_t p = 0; p < t; p++)
          for (size_t term = 0; term < terms; term++) {
            const Vector<F> traces = traces_of(t_[k][p] * z[term]);
            for (size_t b = 0; b < d; b++) A.add((p * terms + term) * d + b, traces[b]);
          }
        A.add(unknowns, y[k]);
      }
    }
    const Matrix<F> solutions = A.kernel();
    for (size_t s = 0; s < solutions.rows(); s++) {
      Vector<F> x = solutions.row_vector(s);
      if (x[unknowns] == 0) continue;
      const Fe scale = F::inv(x[unknowns]);
      for (Fe &e : x) e = F::mul(scale, e);
      std::array<Elements, t> g;
      for (size_t p = 0; p < t; p++)
        for (size_t term = 0; term < terms; term++) g[p].push_back(L_.from_coordinates(x.data() + (p * terms + term) * d));
      return g;
    }
    return {};
  }
  size_t points_for(size_t terms) const { return (terms * n + m - 1) / m + 1; }

  // The central map: products of two slots, then what is left on X alone, then what has vinegar.
  bool coefficients(CentralMap<F, K, t> &central) {
    central = CentralMap<F, K, t>::with_terms(slots, v, [](size_t, size_t) { return false; });
    std::vector<std::pair<size_t, size_t>> products, squares;
    for (size_t a = 0; a < slots; a++)
      for (size_t b = a; b < slots; b++)
        if (G::has(a, b)) (a == b ? squares : products).emplace_back(a, b);
    const Vector<F> no_vinegar(v);
    std::vector<Vector<F>> vinegar;
    for (size_t j = 0; j < v; j++) vinegar.push_back(images_.row_vector(n + j));

    const auto alpha = fit(products.size(), points_for(products.size()), [&](Elements &z) {
      const auto X = random_X(), Y = random_X();
      const Elements Zx = G::slots_of(X), Zy = G::slots_of(Y);
      for (size_t i = 0; i < z.size(); i++) {
        const auto [a, b] = products[i];
        z[i] = Zx[a] * Zy[b] + Zx[b] * Zy[a];
      }
      return P_.polar(point(X, no_vinegar), point(Y, no_vinegar));
    });
    if (!alpha) return false;
    const size_t alone = squares.size() + slots;
    const auto rest = fit(alone, points_for(alone), [&](Elements &z) {
      const auto X = random_X();
      const Elements Z = G::slots_of(X);
      for (size_t i = 0; i < squares.size(); i++) z[i] = Z[squares[i].first] * Z[squares[i].first];
      std::copy(Z.begin(), Z.end(), z.begin() + std::ptrdiff_t(squares.size()));
      Vector<F> y = P_.evaluate(point(X, no_vinegar));
      for (size_t k = 0; k < m; k++)
        for (size_t p = 0; p < t; p++)
          for (size_t i = 0; i < products.size(); i++)
            y[k] = F::sub(y[k], traces_of(t_[k][p] * (*alpha)[p][i] * Z[products[i].first] * Z[products[i].second])[0]);
      return y;
    });
    if (!rest) return false;
    for (size_t p = 0; p < t; p++) {
      auto &to = central.polynomials[p];
      for (size_t i = 0; i < products.size(); i++) to.alpha[products[i].first * slots + products[i].second] = (*alpha)[p][i];
      for (size_t i = 0; i < squares.size(); i++) to.alpha[squares[i].first * (slots + 1)] = (*rest)[p][i];
      for (size_t a = 0; a < slots; a++) to.beta[a * (v + 1) + v] = (*rest)[p][squares.size() + a];
    }
    for (size_t j = 0; j < v; j++) {
      const auto beta = fit(slots, points_for(slots), [&](Elements &z) {
        const auto X = random_X();
        z = G::slots_of(X);
        return P_.polar(point(X, no_vinegar), vinegar[j]);
      });
      // c w_j for c = 1 and, where that is something else, c = 2.
      Fe c = 0;
      const auto gamma = fit(F::q > 2 ? 2 : 1, F::q > 2 ? 2 : 1, [&](Elements &z) {
        c++;
        z[0] = L_.image(F::mul(c, c));
        if (F::q > 2) z[1] = L_.image(c);
        Vector<F> x(N);
        F::add_scaled(x.data(), c, vinegar[j].data(), N);
        return P_.evaluate(x);
      });
      if (!beta || !gamma) return false;
      for (size_t p = 0; p < t; p++) {
        auto &to = central.polynomials[p];
        for (size_t a = 0; a < slots; a++) to.beta[a * (v + 1) + j] = (*beta)[p][a];
        to.gamma[j * (v + 1) + j] = (*gamma)[p][0];
        if (F::q > 2) to.gamma[j * (v + 1) + v] = (*gamma)[p][1];
      }
      for (size_t i = 0; i < j; i++) {
        const auto mixed = fit(1, 1, [&](Elements &z) {
          z[0] = K::one();
          return P_.polar(vinegar[i], vinegar[j]);
        });
        if (!mixed) return false;
        for (size_t p = 0; p < t; p++) central.polynomials[p].gamma[i * (v + 1) + j] = (*mixed)[p][0];
      }
    }
    return true;
  }

  const Subfield<F, K> &L_;
  const QuadraticMap<F> &P_;
  Random &rng_;
  Matrix<F> traces_;  // of basis_a basis_b
  Elements basis_;    // of K over F
  Matrix<F> images_;  // rows: the x of the coordinates of X_1, .., X_t, then of w
  std::vector<std::array<E, t>> t_;
  size_t most_unknowns_ = 0;
};

}  // namespace museum::attacks
