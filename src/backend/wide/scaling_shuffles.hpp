// SPDX-License-Identifier: Apache-2.0
// The field's arithmetic in registers, by shuffles: products of a scalar with all low nibbles, and with all high nibbles, come out of two registers.
// V: a vector type of two lanes (vector_avx2.hpp, vector_emulated.hpp).
#pragma once
#include "backend/wide/lu_solver.hpp"
#include "backend/wide/scaling_maps.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class F, class V> struct ScalingByShuffles {
  using Register = V;
  struct Scaler {
    V low, high;
  };
  using Stored = ScalingTables;
  template <class P> using Solver = LuSolver<P, ScalingByShuffles, V>;
  static constexpr int bytes = V::bytes, accumulators = 8, tallest = 2;

  static Register zero() { return V::zero(); }
  static Register load(const uint8_t *p) { return V::load(p); }
  static void store(uint8_t *p, Register a) { a.store(p); }
  static Register sum(Register a, Register b) { return a ^ b; }
  static Register masked(Register a, uint64_t mask) { return a & V::broadcast1(uint8_t(mask)); }

  static Stored prepare(typename F::Element a) { return scaling_tables<F>(a); }
  static Scaler scaler(const Stored &s) { return {V::broadcast16(s.b), V::broadcast16(s.b + 16)}; }
  static Scaler scaler_of(typename F::Element a) { return scaler(prepare(a)); }
  static Register product(Register a, const Scaler &s) {
    return V::look_up(s.low, a.low_nibbles()) ^ V::look_up(s.high, a.high_nibbles());
  }

  // What the solver works with: elements that are bytes, and scalars that are in all bytes of a register.
  static Register product_of_elements(Register a, const Scaler &s) {
    if constexpr (F::bits == 4)
      return V::look_up(s.low, a);
    else
      return product(a, s);
  }
  static Register inverse_of_all(Register a) {
    if constexpr (F::bits == 4)
      return V::look_up(V::broadcast16(small.inverses), a);
    else
      return V::inverse_of_all(a);
  }
  // Byte i of its tables is the sum of x^b times the scalar over the bits b of i, or of x^(4 + b) times it: the former in the first half, the latter in the second.
  static Scaler scaler_of_all(Register a) {
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
  // The tables of 32 elements.
  static void multiples_of(uint8_t (&to)[F::bits / 4][V::bytes][16], Register elements) {
    if constexpr (F::bits == 4) {
      alignas(64) uint8_t bytes[V::bytes];
      elements.store(bytes);
      V::product_tables(to[0], bytes);
      wipe(bytes, sizeof bytes);
    } else {
      V::product_tables256(to[0], to[1], elements);
    }
  }

 private:
  struct Small {
    alignas(16) uint8_t inverses[16], has_bit[4][16];
    constexpr Small() : inverses{}, has_bit{} {
      for (unsigned i = 0; i < 16; i++) {
        inverses[i] = inverse(GF16{uint8_t(i)}).n;
        for (int b = 0; b < 4; b++) has_bit[b][i] = (i >> b & 1) != 0 ? 0xff : 0;
      }
    }
  };
  static constexpr Small small{};
};

}  // namespace AIOLI_ISA
}  // namespace aioli
