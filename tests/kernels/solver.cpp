// SPDX-License-Identifier: Apache-2.0
// The solver of one backend against elimination as the specification has it: all small systems of some kinds, and structured ones
// of UOV's shapes (check_solver.cpp has those of MAYO's).
//
// usage: solver [--all | --few]      all small systems, or one in many; and so many structured ones
#include AIOLI_BACKEND_HEADER
#include "kernels/harness.hpp"
#include "scheme/mayo_params.hpp"
#include "scheme/uov_params.hpp"

namespace {

using namespace aioli;
using namespace kernels;

unsigned sparse = 1;  // 0: all small systems
unsigned long solvable = 0;

template <class P> struct Systems {
  using F = FieldOf<P>;
  using Element = typename F::Element;
  static constexpr int m = P::m, columns = P::k * P::o, q_mask = (1 << F::bits) - 1;

  Element A[m][columns], y[m], r[columns];
  alignas(64) static inline typename Kernels<P>::Solver solver;

  static Element random() { return {uint8_t(random_word() >> 40 & q_mask)}; }
  // SampleSolution: x_j = r_j but for the pivots, which are the leftmost columns that span.  False if the rank is less than m.
  bool reference(Element (&x)[columns]) const {
    Element a[m][columns + 1];
    for (int i = 0; i < m; i++) {
      a[i][columns] = y[i];
      for (int j = 0; j < columns; j++) a[i][j] = A[i][j], a[i][columns] += A[i][j] * r[j];
    }
    for (int j = 0; j < columns; j++) x[j] = r[j];
    int rank = 0, pivot[m];
    for (int j = 0; j < columns && rank < m; j++) {
      int p = rank;
      while (p < m && a[p][j].n == 0) p++;
      if (p == m) continue;
      const Element scale = inverse(a[p][j]);
      for (int c = j; c <= columns; c++) {
        const Element moved = a[p][c];
        a[p][c] = a[rank][c], a[rank][c] = moved * scale;
      }
      for (int i = 0; i < m; i++)
        if (const Element f = a[i][j]; i != rank && f.n != 0)
          for (int c = j; c <= columns; c++) a[i][c] += f * a[rank][c];
      pivot[rank++] = j;
    }
    for (int i = 0; i < rank; i++) x[pivot[i]] += a[i][columns];
    return rank == m;
  }
  void check(const char *name, unsigned long number) {
    Element expected[columns];
    const bool regular = reference(expected);
    for (int j = 0; j <= columns; j++) {
      solver.A[j].zero();
      for (int i = 0; i < m; i++) solver.A[j].w[i / F::per_word] |= F::at(j < columns ? A[i][j] : y[i], i);
    }
    typename Kernels<P>::Solver::X free, x;
    free.zero();
    soil(x);
    for (int j = 0; j < columns; j++) free.set(j / P::o, j % P::o, r[j]);
    bool right = solver.solve(x, free) == regular;
    for (int j = 0; regular && j < columns; j++) right = right && x(j / P::o, j % P::o) == expected[j];
    solvable += regular;
    char system[32] = "";
    if (!right) snprintf(system, sizeof system, "system %lu", number);
    expect(right, name, system);
  }
  void random_sides() {
    for (auto &e : y) e = random();
    for (auto &e : r) e = P::o == P::m ? Element{0} : random();
  }
  // All systems whose entries are among these, each with a random right side and random free columns.
  template <int count> void run(const char *name, const Element (&entries)[count], unsigned long step) {
    unsigned long total = 1;
    for (int i = 0; i < m * columns; i++) total *= count;
    for (unsigned long n = 0; n < total; n += sparse == 0 ? 1 : step * sparse) {
      unsigned long digits = n;
      for (auto &row : A)
        for (auto &a : row) a = entries[digits % count], digits /= count;
      random_sides();
      check(name, n);
    }
  }
  // Of a given rank or less, with columns that are zero, repeat others or are combinations of them, and rows that repeat others.
  void run_structured(const char *name) {
    const unsigned trials = sparse == 0 ? 1600 : 32 / sparse;
    for (unsigned trial = 0; trial < trials; trial++) {
      const int rank = trial % 4 == 0 ? m : trial % 4 == 1 ? m - 1 : m - int(random_word() % unsigned(m));
      static Element left[m][m], right[m][columns];
      for (auto &row : left)
        for (auto &a : row) a = random();
      for (int j = 0; j < columns; j++) {
        const uint64_t kind = trial % 3 == 0 ? 7 : random_word() % 8;
        const int other = int(random_word() % unsigned(j + 1));
        for (auto &row : right) row[j] = kind == 0 ? Element{0} : kind == 1 ? row[other] : random();
      }
      for (int i = 0; i < m; i++) {
        const int from = trial % 5 == 4 && i == m / 2 ? 0 : i;
        for (int j = 0; j < columns; j++) {
          A[i][j] = {0};
          for (int l = 0; l < rank; l++) A[i][j] += left[from][l] * right[l][j];
        }
      }
      random_sides();
      check(name, trial);
    }
  }
};

// Shapes that no set has.
template <class Field, int M> using Square = UovParams<Field, 2 * M, M, 1, 3>;
template <int M, int O, int K> using Mayo = MayoParams<M + O, M, O, K, 1, 0x02402, 3>;

template <class P> Systems<P> systems;

#if defined(AIOLI_TEST_MAYO)
void check_mayo() {
  constexpr GF16 bits[] = {{0}, {1}}, some[] = {{0}, {1}, {2}, {9}};
  GF16 every[16];
  for (int i = 0; i < 16; i++) every[i] = {uint8_t(i)};
  systems<Mayo<2, 3, 1>>.run("GF(16), 2 x 3", every, 331);
  systems<Mayo<2, 1, 2>>.run("GF(16), 2 x 2", every, 7);
  systems<Mayo<2, 2, 3>>.run("four of GF(16), 2 x 6", some, 331);
  systems<Mayo<4, 5, 1>>.run("GF(2), 4 x 5", bits, 23);
  systems<Mayo<4, 2, 3>>.run("GF(2), 4 x 6", bits, 331);
  systems<Mayo<4, 4, 1>>.run("GF(2), 4 x 4", bits, 1);
  systems<Mayo<2, 9, 1>>.run("GF(2), 2 x 9, more than a block's columns", bits, 7);
  systems<Mayo1>.run_structured("MAYO-1");
  systems<Mayo2>.run_structured("MAYO-2");
  systems<Mayo3>.run_structured("MAYO-3");
  systems<Mayo5>.run_structured("MAYO-5");
  systems<Mayo2r2>.run_structured("MAYO-2-r2");
}
#else
void check_mayo() {}
#endif

#if defined(AIOLI_TEST_UOV)
void check_uov() {
  constexpr GF16 small_bits[] = {{0}, {1}}, small[] = {{0}, {1}, {2}, {9}};
  constexpr GF256 bits[] = {{0}, {1}}, some[] = {{0}, {1}, {2}, {0x9d}};
  systems<Square<Gf16, 4>>.run("GF(2) in GF(16), 4 x 4, square", small_bits, 1);
  systems<Square<Gf16, 2>>.run("four of GF(16), 2 x 2, square", small, 1);
  systems<Square<Gf256, 4>>.run("GF(2) in GF(256), 4 x 4", bits, 1);
  systems<Square<Gf256, 3>>.run("four of GF(256), 3 x 3", some, 13);
  systems<UovIs>.run_structured("UOV-Is");
  systems<UovIp>.run_structured("UOV-Ip");
  systems<UovIII>.run_structured("UOV-III");
  systems<UovV>.run_structured("UOV-V");
}
#else
void check_uov() {}
#endif

}  // namespace

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--all") == 0)
    sparse = 0;
  else if (argc == 2 && strcmp(argv[1], "--few") == 0)
    sparse = 16;
  else if (argc > 1)
    return fprintf(stderr, "usage: solver [--all | --few]\n"), 2;
  return run(AIOLI_TEST_BACKEND, [] {
    check_mayo(), check_uov();
    expect(solvable > 0 && solvable < verdicts.checks, "all systems", "some have a solution, and some have none");
  });
}
