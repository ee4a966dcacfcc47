// SPDX-License-Identifier: Apache-2.0
// The field's arithmetic in registers, by GFNI: GF2P8MULB over GF(256), whose field this is, and affine maps over GF(16).
// V: a vector type with them (vector_avx512.hpp, vector_gfni256.hpp, vector_emulated_gfni.hpp).
#pragma once
#include "backend/wide/lu_products.hpp"
#include "backend/wide/scaling_maps.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class V> struct ScalingByGfni {
  using Register = typename V::Register;
  using Scaler = Register;
  static constexpr int bytes = V::bytes, accumulators = V::bytes == 64 ? 24 : 9, tallest = V::bytes == 64 ? 6 : 3;

  static Register zero() { return V::zero(); }
  static Register load(const uint8_t *p) { return V::load(p); }
  static void store(uint8_t *p, Register a) { a.store(p); }
  static Register sum(Register a, Register b) { return a ^ b; }
};

template <class F, class V> struct ScalingByProducts;
template <class V> struct ScalingByProducts<Gf256, V> : ScalingByGfni<V> {
  template <class P> using Solver = LuSolver<P, LuByProducts<Gf256, V>>;
  using typename ScalingByGfni<V>::Register, typename ScalingByGfni<V>::Scaler;
  using Stored = uint32_t;  // four times the element: a broadcast of four bytes is but a load
  static Stored prepare(GF256 a) { return uint32_t(spread(a.n, 0x01010101)); }
  static Scaler scaler(const Stored &s) { return V::broadcast4(reinterpret_cast<const uint8_t *>(&s)); }
  static Scaler scaler_of(GF256 a) { return V::broadcast1(a.n); }
  static Register product(Register a, const Scaler &s) { return V::multiply(a, s); }
};
template <class V> struct ScalingByProducts<Gf16, V> : ScalingByGfni<V> {
  template <class P> using Solver = LuSolver<P, LuByProducts<Gf16, V>>;
  using typename ScalingByGfni<V>::Register, typename ScalingByGfni<V>::Scaler;
  // 8 x 8 bits: both nibbles of a byte times the element.  In the byte order of memory, as the vector types load words.
  struct Stored {
    uint8_t map[8];
  };
  static Stored prepare(GF16 a) {
    Stored s;
    store64(s.map, scaling_map(a));
    return s;
  }
  static Scaler scaler(const Stored &s) { return V::broadcast8(s.map); }
  static Scaler scaler_of(GF16 a) { return scaler(prepare(a)); }
  static Register product(Register a, const Scaler &s) { return V::affine(a, s); }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
