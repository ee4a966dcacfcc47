// SPDX-License-Identifier: Apache-2.0
// What LuSolver multiplies with, by byte shuffles: products of a scalar with all low nibbles, and with all high nibbles, come out of two tables.
#pragma once
#include "backend/wide/lu_solver.hpp"
#include "backend/wide/scaling_maps.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// V: vector_avx2.hpp, vector_emulated.hpp.
template <class F, class Vector> struct LuByShuffles {
  using V = Vector;
  using Register = V;
  static constexpr int height = 4;

  // Elements, a byte each, and scalars that are in all bytes of a register.
  struct Scalar {
    V low, high;
  };
  static void split(Register (&rows)[8 / F::bits], Register line) {
    if constexpr (F::bits == 4)
      rows[0] = line.low_nibbles(), rows[1] = line.high_nibbles();
    else
      rows[0] = line;
  }
  static Register join(const Register (&rows)[8 / F::bits]) {
    if constexpr (F::bits == 4)
      return rows[0] ^ rows[1].low_to_high();
    else
      return rows[0];
  }
  static Register product(Register a, const Scalar &s) {
    if constexpr (F::bits == 4)
      return V::look_up(s.low, a);
    else
      return V::look_up(s.low, a.low_nibbles()) ^ V::look_up(s.high, a.high_nibbles());
  }
  static Register inverse(Register a) {
    if constexpr (F::bits == 4)
      return V::look_up(V::broadcast16(small.inverses), a);
    else
      return V::inverse_of_all(a);
  }
  // Byte i of its tables is the sum of x^b times the scalar over the bits b of i, or of x^(4 + b) times it: the former in the first half, the latter in the second.
  static Scalar scalar(Register a) {
    const auto &of_bit = scaling_tables_of_bits<F>.of_bit;
    constexpr int next = F::bits - 4;
    Register tables = V::zero();
#pragma GCC unroll 4
    for (int b = 0; b < 4; b++) {
      Register times = V::look_up(V::halves(of_bit[b], of_bit[b + next]), a.low_nibbles());
      if constexpr (F::bits == 8) times = times ^ V::look_up(V::halves(of_bit[b] + 16, of_bit[b + next] + 16), a.high_nibbles());
      tables = tables ^ (times & V::broadcast16(small.has_bit[b]));
    }
    if constexpr (F::bits == 4) return {tables, tables};
    return {V::first_halves(tables, tables), V::second_halves(tables, tables)};
  }
  static Register unit(int k) { return V::broadcast4(small.units[k]); }
  static Register repeated(const uint8_t *block) { return V::broadcast4(block); }

  // Four rows, their nibbles apart, and tables of the multiples of eight lines' factors.
  static constexpr int nibbles = F::bits / 4, operands = height * nibbles, chunk = V::bytes / height;
  using Places = Register;
  struct Factors {
    alignas(64) uint8_t entries[V::bytes], tables[nibbles][V::bytes][16];
  };
  static void set_operands(Register (&to)[operands], const Register (&rows)[height]) {
#pragma GCC unroll 4
    for (int k = 0; k < height; k++) {
      if constexpr (F::bits == 4)
        to[k] = rows[k];
      else
        to[2 * k] = rows[k].low_nibbles(), to[2 * k + 1] = rows[k].high_nibbles();
    }
  }
  static Places places(const uint8_t (&pivots)[height]) { return V::broadcast4(pivots); }
  template <int parts> static uint64_t entries(Factors &factors, int i, const Register (&line)[parts], Places at) {
    const uint64_t word = V::first_word(V::chosen(line, at));
    store32(factors.entries + i * height, uint32_t(word));
    return word;
  }
  static void prepare(Factors &f) {
    if constexpr (F::bits == 4)
      V::product_tables(f.tables[0], f.entries);
    else
      V::product_tables256(f.tables[0], f.tables[1], V::load(f.entries));
  }
  static Register factor(const Factors &f, int i, int p) { return V::broadcast16(f.tables[p % nibbles][i * height + p / nibbles]); }
  static Register multiple(Register pivot, Register factor) { return V::look_up(factor, pivot); }
  static Register sum(Register a, Register b, Register c) { return a ^ b ^ c; }

 private:
  struct Small {
    alignas(16) uint8_t inverses[16], has_bit[4][16], units[height][4];
    constexpr Small() : inverses{}, has_bit{}, units{} {
      for (unsigned i = 0; i < 16; i++) {
        inverses[i] = ::aioli::AIOLI_ISA::inverse(GF16{uint8_t(i)}).n;
        for (int b = 0; b < 4; b++) has_bit[b][i] = (i >> b & 1) != 0 ? 0xff : 0;
      }
      for (int k = 0; k < height; k++) units[k][k] = 1;
    }
  };
  static constexpr Small small{};
};

}  // namespace AIOLI_ISA
}  // namespace aioli
