// SPDX-License-Identifier: Apache-2.0
// The MinRank problem that quadratic maps over a large field hide, by support minors over the small field.
//   C. Tao, A. Petzoldt, J. Ding, "Efficient Key Recovery for All HFE Signature Variants", CRYPTO 2021, ePrint 2020/1424
//   J. Baena, P. Briaud, D. Cabarcas, R. Perlner, D. Smith-Tone, J. Verbel, "Improving Support-Minors Rank Attacks: Applications
//   to GeMSS and Rainbow", CRYPTO 2022, ePrint 2021/1677: it for the problem of the former, which is what is done here
//   M. Bardet et al., "Improvements of Algebraic Attacks for Solving the Rank Decoding and MinRank Problems", ASIACRYPT 2020
#pragma once
#include "museum/algebra/equations.hpp"
#include "museum/algebra/polynomial.hpp"
#include "museum/algebra/three_quadrics.hpp"
#include "museum/attacks/subsets.hpp"
#include "museum/programs/report.hpp"
#include "museum/schemes/big_field.hpp"

namespace museum::attacks {

using namespace museum::algebra;

// B_1, .., B_m are the polar forms of the public polynomials, N x N over F; K is of degree d over F.  Some space U in K^N, of
// `dimension` dimensions, has rank(u B_1, .., u B_m) <= r for all u in it, and so have its d conjugates.
template <class F, class K> class LowRank {
  using E = typename K::Element;
  static constexpr size_t d = Subfield<F, K>::degree;

 public:
  LowRank(const Subfield<F, K> &L, const std::vector<Matrix<F>> &polar, size_t dimension, programs::Report &report)
      : L_(L), polar_(polar), N_(polar[0].rows()), zero_(dimension - 1), dimension_(dimension), report_(report) {}

  // A basis of one of these spaces; nothing if there are none at this rank, or if its equations have more unknowns than `most`,
  // which `too_large` then tells.
  std::vector<std::vector<E>> find(size_t r, double most, bool &too_large) {
    size_t columns = r + 1;  // as few as give as many equations as unknowns
    while (columns < N_ && polar_.size() * (columns - r) < (N_ - zero_) * (r + 1)) columns++;
    for (;; columns++) {
      too_large = columns >= N_ || double(Subsets(columns, r).count()) * double(N_ - zero_) > most;
      if (too_large) return {};
      if (std::max(Subsets(columns, r).count(), N_ - zero_ - r - 1) < d) continue;  // the eigenvalues want more
      const Matrix<F> solutions = solve(r, columns);
      if (solutions.rows() < d) return {};
      if (solutions.rows() > d) continue;  // equations that depend on each other: with more columns there are more
      const auto basis = space(r, columns, solutions);
      if (!basis.empty()) return basis;
    }
  }
  size_t unknowns() const { return unknowns_; }  // of the system solved last

 private:
  // Unknowns: the products of u_i with the r x r minors of a basis of W in the first `columns` columns; equations: each row u B_k
  // on top of that basis has no minor but zero.  Of a space U the vector counts whose first dimension - 1 entries are zero.
  //
  // The forms are alternating, so that for every set S of r - 1 columns the sum of e_j (x) (e_j ^ e_S) over the columns j is a
  // solution that means nothing.  There u_i stands beside minors with column i alone: of the others' coordinates the solutions
  // that are returned have all.
  Matrix<F> solve(size_t r, size_t columns) {
    const Subsets minors(columns, r), equations(columns, r + 1);
    const size_t C = minors.count(), unknowns = (N_ - zero_) * C;
    unknowns_ = unknowns;
    Equations<F> A(unknowns);
    equations.each([&](const std::vector<size_t> &c) {
      for (const Matrix<F> &B : polar_) {
        A.add_row();
        for_minors(minors, c, [&](size_t minor, size_t column) {
          for (size_t i = zero_; i < N_; i++) A.add((i - zero_) * C + minor, B(i, column));
        });
      }
    });
    const size_t rows = A.rows();
    const Matrix<F> all = A.kernel();
    Matrix<F> proper(all);
    minors.each([&](const std::vector<size_t> &c) {
      for (const size_t i : c)
        for (size_t j = 0; j < all.rows() && i >= zero_; j++) proper(j, (i - zero_) * C + minors.index(c)) = 0;
    });
    Matrix<F> solutions = row_space(std::move(proper));
    report_.say("rank " + std::to_string(r) + ": unknowns, equations",
                std::to_string(unknowns) + ", " + std::to_string(rows) + "; kernel " + std::to_string(all.rows()) + ", of it " +
                    std::to_string(all.rows() - solutions.rows()) + " trivial");
    return solutions;
  }
  // The minors of c without one of its columns, with that column.  (Characteristic 2: without signs.)
  template <class Visit> static void for_minors(const Subsets &minors, const std::vector<size_t> &c, Visit &&visit) {
    for (const size_t column : c) {
      std::vector<size_t> others = c;
      others.erase(std::find(others.begin(), others.end(), column));
      visit(minors.index(others), column);
    }
  }

  // Over K the d solutions are spanned by u (x) c and its conjugates, c the minors: z solutions = u (x) c for some z in K^d.
  std::vector<std::vector<E>> space(size_t r, size_t columns, const Matrix<F> &solutions) {
    const Subsets minors(columns, r);
    const size_t C = minors.count();
    // With z A_i = u_i c, A_i the block of u_i, u_2 / u_1 is an eigenvalue; or with z A_i = c_i u, A_i the block of a minor, c_2
    // / c_1, but for the u_i whose column i belongs to one of both minors.  Blocks have to be at least d wide.
    const bool by_u = C >= d;
    const auto block = [&](size_t which) {
      const size_t width = by_u ? C : N_ - zero_;
      Matrix<F> B(d, width);
      for (size_t j = 0; j < d; j++)
        for (size_t k = 0; k < width; k++) B(j, k) = solutions(j, by_u ? (N_ - zero_ - 1 - which) * C + k : k * C + which);
      return B;
    };
    std::vector<std::vector<size_t>> members;
    minors.each([&](const std::vector<size_t> &c) { members.push_back(c); });
    for (size_t one = 0; one < 4; one++) {
      Matrix<F> A1 = block(one), A2 = block(one + 1);
      for (const size_t minor : {one, one + 1})
        for (const size_t i : members[minor])
          for (size_t j = 0; j < d && !by_u && i >= zero_; j++) A1(j, i - zero_) = A2(j, i - zero_) = 0;
      const auto z = eigenvector(A1, A2);
      if (z.empty()) continue;
      std::vector<E> c(C);
      for (size_t j = 0; j < d; j++)
        for (size_t minor = 0; minor < C; minor++) c[minor] += L_.scaled(solutions(j, (N_ - zero_ - 1) * C + minor), z[j]);
      const auto u = with_minors(r, columns, c);
      if (u.size() != 1) continue;
      const auto basis = dimension_ == 1 ? u : whole_space(u[0]);
      if (basis.size() == dimension_) return basis;
    }
    return {};
  }
  // Some z in K^d with z A2 = lambda z A1 for a lambda that generates K.
  std::vector<E> eigenvector(const Matrix<F> &A1, const Matrix<F> &A2) {
    Matrix<F> echelon = A1;
    const auto pivots = row_reduce(echelon);
    if (pivots.size() < d) return {};
    Matrix<F> B1(d, d), B2(d, d);
    for (size_t j = 0; j < d; j++)
      for (size_t i = 0; i < d; i++) B1(j, i) = A1(j, pivots[i]), B2(j, i) = A2(j, pivots[i]);
    const Matrix<F> M = B2 * *inverse(B1);
    Univariate<K> f;
    for (const auto c : characteristic_polynomial<F>(M)) f.push_back(L_.image(c));
    if (product_of_roots<K>(f).size() != d + 1) return {};
    const E lambda = some_root<K>(f);
    for (size_t i = 1; i < d; i++)
      if (L_.frobenius(lambda, i) == lambda) return {};
    // z = e g(M) for g = f / (x - lambda): then z (M - lambda) = e f(M) = 0.
    Univariate<K> g(d);
    for (size_t i = d; i-- > 0;) g[i] = f[i + 1] + (i + 1 < d ? lambda * g[i + 1] : E());
    std::vector<E> z(d);
    Vector<F> e(d);
    e[0] = 1;
    for (size_t i = 0; i < d; i++, e = combine_rows(e, M))
      for (size_t j = 0; j < d; j++) z[j] += L_.scaled(e[j], g[i]);
    return z;
  }
  // The u whose u B_k lie in the space W with minors c: a linear problem over K.
  std::vector<std::vector<E>> with_minors(size_t r, size_t columns, const std::vector<E> &c) {
    const Subsets minors(columns, r);
    std::vector<std::vector<E>> A;
    Subsets(columns, r + 1).each([&](const std::vector<size_t> &s) {
      if (A.size() > 2 * N_ + 4 * polar_.size()) return;
      for (const Matrix<F> &B : polar_) {
        A.emplace_back(N_);
        for_minors(minors, s, [&](size_t minor, size_t column) {
          for (size_t i = 0; i < N_; i++) A.back()[i] += L_.scaled(B(i, column), c[minor]);
        });
      }
    });
    return kernel_large(A, N_);
  }
  // All of U from one u of it.  Where sum of l_k u B_k is zero, it is so for all others of U: their B_k are combined by the same
  // coefficients, the t_k of equivalent_key.hpp.
  std::vector<std::vector<E>> whole_space(const std::vector<E> &u) {
    const size_t m = polar_.size();
    std::vector<std::vector<E>> A(N_, std::vector<E>(m)), M;
    for (size_t k = 0; k < m; k++)
      for (size_t i = 0; i < N_; i++)
        for (size_t j = 0; j < N_; j++) A[j][k] += L_.scaled(polar_[k](i, j), u[i]);
    const auto relations = kernel_large(A, m);
    for (size_t i = 0; i < std::min<size_t>(4, relations.size()); i++)
      for (size_t column = 0; column < N_; column++) {
        M.emplace_back(N_);
        for (size_t k = 0; k < m; k++)
          for (size_t row = 0; row < N_; row++) M.back()[row] += L_.scaled(polar_[k](row, column), relations[i][k]);
      }
    return kernel_large(M, N_);
  }
  // A basis of the x with A x = 0.
  static std::vector<std::vector<E>> kernel_large(std::vector<std::vector<E>> &A, size_t unknowns) {
    const auto pivots = row_reduce_large<K>(A, unknowns);
    std::vector<std::vector<E>> basis;
    for (size_t free = 0; free < unknowns; free++) {
      if (std::binary_search(pivots.begin(), pivots.end(), free)) continue;
      basis.emplace_back(unknowns);
      basis.back()[free] = K::one();
      for (size_t i = 0; i < pivots.size(); i++) basis.back()[pivots[i]] = A[i][free];
    }
    return basis;
  }

  const Subfield<F, K> &L_;
  const std::vector<Matrix<F>> &polar_;
  const size_t N_, zero_, dimension_;
  programs::Report &report_;
  size_t unknowns_ = 0;
};

}  // namespace museum::attacks
