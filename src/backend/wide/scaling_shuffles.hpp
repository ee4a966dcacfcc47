// SPDX-License-Identifier: Apache-2.0
// The field's arithmetic in registers, by shuffles: products of a scalar with all low nibbles, and with all high nibbles, come
// out of two registers.  V: a vector type of two lanes (vector_avx2.hpp, vector_emulated.hpp).
#pragma once
#include "backend/wide/lu_shuffles.hpp"
#include "backend/wide/scaling_maps.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class F, class V> struct ScalingByShuffles {
  using Register = V;
  struct Scaler {
    V low, high;
  };
  using Stored = ScalingTables;
  template <class P> using Solver = LuSolver<P, LuByShuffles<F, V>>;
  static constexpr int bytes = V::bytes, accumulators = 8, tallest = 2;

  static Register zero() { return V::zero(); }
  static Register load(const uint8_t *p) { return V::load(p); }
  static void store(uint8_t *p, Register a) { a.store(p); }
  static Register sum(Register a, Register b) { return a ^ b; }

  static Stored prepare(typename F::Element a) { return scaling_tables<F>(a); }
  static Scaler scaler(const Stored &s) { return {V::broadcast16(s.b), V::broadcast16(s.b + 16)}; }
  static Scaler scaler_of(typename F::Element a) { return scaler(prepare(a)); }
  static Register product(Register a, const Scaler &s) {
    return V::look_up(s.low, a.low_nibbles()) ^ V::look_up(s.high, a.high_nibbles());
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
