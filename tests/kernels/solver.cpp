// SPDX-License-Identifier: Apache-2.0
// The solver of one backend against elimination as the specification has it: all small systems of some kinds, and structured ones of UOV's shapes
// (check_solver.cpp has those of MAYO's).  Compiled with a backend's instructions, so it uses nothing of the C++ library (adapter.hpp).
//
// usage: solver [--all | --few]      all small systems, or one in many; and so many structured ones
// Exit status 77: this processor cannot run it.
#include <stdio.h>
#include <string.h>

#include AIOLI_BACKEND_HEADER
#include "base/cpu.hpp"
#include "scheme/mayo_params.hpp"
#include "scheme/uov_params.hpp"

namespace {

using namespace aioli;

unsigned many = 8;  // 1: all small systems
unsigned long failures = 0, checked = 0, solvable = 0;

uint64_t state = 1;
uint64_t random_word() {  // SplitMix64: nothing linear, which would hide mistakes of linear maps
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

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
    memset(static_cast<void *>(&x), 0xa5, sizeof x);
    for (int j = 0; j < columns; j++) free.set(j / P::o, j % P::o, r[j]);
    bool right = solver.solve(x, free) == regular;
    for (int j = 0; regular && j < columns; j++) right = right && x(j / P::o, j % P::o) == expected[j];
    checked++, solvable += regular;
    if (!right && failures++ < 20) printf("FAILED: %s, system %lu\n", name, number);
  }
  void random_sides() {
    for (auto &e : y) e = random();
    for (auto &e : r) e = P::o == P::m ? Element{0} : random();
  }
  // All systems whose entries are among these, each with a random right side and random free columns.
  template <int count> void run(const char *name, const Element (&entries)[count], unsigned long step) {
    unsigned long total = 1;
    for (int i = 0; i < m * columns; i++) total *= count;
    for (unsigned long n = 0; n < total; n += many == 1 ? 1 : step * many / 8) {
      unsigned long digits = n;
      for (auto &row : A)
        for (auto &a : row) a = entries[digits % count], digits /= count;
      random_sides();
      check(name, n);
    }
  }
  // Of a given rank or less, with columns that are zero, repeat others or are combinations of them, and rows that repeat others.
  void run_structured(const char *name, unsigned trials) {
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
  systems<Mayo1>.run_structured("MAYO-1", 1600 / many / many);
  systems<Mayo2>.run_structured("MAYO-2", 1600 / many / many);
  systems<Mayo3>.run_structured("MAYO-3", 800 / many / many);
  systems<Mayo5>.run_structured("MAYO-5", 800 / many / many);
  systems<Mayo2r2>.run_structured("MAYO-2-r2", 800 / many / many);
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
  systems<UovIs>.run_structured("UOV-Is", 1600 / many / many);
  systems<UovIp>.run_structured("UOV-Ip", 1600 / many / many);
  systems<UovIII>.run_structured("UOV-III", 800 / many / many);
  systems<UovV>.run_structured("UOV-V", 800 / many / many);
}
#else
void check_uov() {}
#endif

bool usable() {
#define AIOLI_BACKEND(identifier, kernels, families, rounds, usable, flags) \
  if (strcmp(AIOLI_TEST_BACKEND, #identifier) == 0) return usable;
#include "backend/backends.def"
#undef AIOLI_BACKEND
  return true;
}

}  // namespace

int main(int argc, char **argv) {
  if (!usable()) return printf("this processor cannot run %s\n", AIOLI_TEST_BACKEND), 77;
  if (argc == 2 && strcmp(argv[1], "--all") == 0)
    many = 1;
  else if (argc == 2 && strcmp(argv[1], "--few") == 0)
    many = 16;
  else if (argc > 1)
    return fprintf(stderr, "usage: solver [--all | --few]\n"), 2;
  check_mayo(), check_uov();
  printf("%lu systems, %lu of them with a solution, %lu failures\n", checked, solvable, failures);
  return failures == 0 && solvable > 0 && solvable < checked ? 0 : 1;
}
