// SPDX-License-Identifier: Apache-2.0
// One backend's kernels behind plain functions, so that the checks are compiled once and know no type of a backend.
//
// adapters.cpp is compiled with a backend's instructions; so it uses nothing of the standard library, whose functions the linker
// would share with code that runs before anybody has asked what the processor can do.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace kernels {

struct RawSegment {
  const uint8_t *entries;
  int first, count;
};

// Elements are one to a byte, matrices row by row.  `get` writes all the elements that an m-vector's words have room for, not m
// only.

struct Product {  // Factor<N, C> and Products<C>
  int N, C;
  virtual void soil() = 0;  // fills the memory of both with garbage
  virtual void set(const uint8_t *X) = 0;
  virtual void times(const RawSegment *segments) = 0;
  virtual void add_times(const RawSegment *segments) = 0;
  virtual void times(const RawSegment *segments, const RawSegment *more, const RawSegment *column) = 0;  // row_times
  virtual void add(const RawSegment *segments, int column) = 0;
  virtual void get(uint8_t *to, int b, int c) = 0;
  virtual void get_row(uint8_t *packed, int b) = 0;  // slack bytes behind it may be written
  virtual bool transposes() const = 0;               // whether there is the next one:
  virtual void add_times_transposed(const uint8_t *P1, int index) = 0;

 protected:
  Product(int n, int c) : N(n), C(c) {}
};

struct Sum {  // a Factor of which R columns count, and Accumulators<R, C, First>, or UpperAccumulators<R>
  int N, R, C;
  int product_columns;  // add_outer takes Products of so many columns; or
  int origin;           // it takes segments, U beginning at this column of the matrix; the other one is -1
  virtual void soil() = 0;
  virtual void set(const uint8_t *A) = 0;
  virtual void zero() = 0;
  virtual void set_products(const RawSegment *segments) = 0;  // W = the segments' entries
  virtual void add_outer(int index) = 0;
  virtual void add_outer(int index, const RawSegment *segments) = 0;
  virtual void get(uint8_t *to, int i, int j) = 0;
  virtual bool upper() const { return false; }                             // entries (i, j) and (j, i) are one
  virtual bool transposes() const = 0;                                     // whether there is the next one:
  virtual void add_transposed(int index, const RawSegment *segments) = 0;  // W = the segments' R entries each

 protected:
  Sum(int n, int r, int c, int p, int from) : N(n), R(r), C(c), product_columns(p), origin(from) {}
};

struct Solver {
  int m, o, k;
  // A is m x k o; false if there is no solution.
  virtual bool solve(uint8_t *x, const uint8_t *A, const uint8_t *y, const uint8_t *r) = 0;

 protected:
  Solver(int m_, int o_, int k_) : m(m_), o(o_), k(k_) {}
};

struct Aes {
  int batch;
  virtual void soil() = 0;
  virtual void init(const uint8_t *key, const uint8_t *iv) = 0;
  virtual void keystream(uint8_t *out, uint32_t first, uint32_t blocks) = 0;

 protected:
  explicit Aes(int b) : batch(b) {}
};

template <class T> struct List {
  T *const *items;
  int count;
  T *const *begin() const { return items; }
  T *const *end() const { return items + count; }
};

struct Encoding {  // of a matrix of R x C elements, and of the sum of z^e u_e
  int R, C, count;
  virtual void decode(uint8_t *to, const uint8_t *nibbles) = 0;
  virtual void power_sum(uint8_t *to, const uint8_t *u, bool with_vectors) = 0;  // u: `count` m-vectors

 protected:
  Encoding(int r, int c, int n) : R(r), C(c), count(n) {}
};

struct Set {
  const char *name;
  int m, m_bytes, places, block;
  List<Product> products;
  List<Sum> sums;
  Solver *solver;
  Encoding *encoding;
};

// What the program was built to test.  The name may be asked for on any processor.
const char *backend();
List<const Set> sets();
List<Solver> small_solvers();  // of shapes that no parameter set has
List<Aes> streams();           // the keystream for long streams, and for short ones

}  // namespace kernels
