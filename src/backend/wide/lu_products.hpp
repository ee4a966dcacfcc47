// SPDX-License-Identifier: Apache-2.0
// What LuSolver multiplies with, by GFNI.  An element by itself is one of GF(256), for which there are products and inverses: GF(16) is a subfield of that.
// Whole lines over GF(16) are multiplied by affine maps, two rows with two pivots' rows at once.
#pragma once
#include "backend/wide/block_maps.hpp"
#include "backend/wide/lu_solver.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// GF(16) as a subfield of GF(256): maps of a byte's low or high nibble to the subfield, and from there.
struct SubfieldMaps {
  AffineMap from_low{}, from_high{}, to_low{}, to_high{};

  consteval SubfieldMaps() {
    int image[4] = {1, 0, 0, 0};  // of x^j
    for (int g = 2; image[1] == 0; g++)
      if ((product(product(g, g), product(g, g)) ^ g ^ 1) == 0) image[1] = g;
    image[2] = product(image[1], image[1]), image[3] = product(image[2], image[1]);
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 4; j++)
        if (image[j] >> i & 1) set(from_low, i, j), set(from_high, i, 4 + j);
    for (int j = 0; j < 4; j++) {
      int w = 0;  // the sum of these bits is the coefficient of x^j
      for (bool right = false; !right;) {
        w++;
        right = true;
        for (int l = 0; l < 4; l++) right = right && parity(w & image[l]) == (l == j);
      }
      for (int i = 0; i < 8; i++)
        if (w >> i & 1) set(to_low, j, i), set(to_high, 4 + j, i);
    }
  }

 private:
  static consteval int product(int a, int b) { return (GF256{uint8_t(a)} * GF256{uint8_t(b)}).n; }
  static consteval int parity(int a) {
    int p = 0;
    for (; a != 0; a >>= 1) p ^= a & 1;
    return p;
  }
};
inline constexpr SubfieldMaps subfield_maps;

// V: vector_gfni256.hpp, vector_avx512.hpp, vector_emulated_gfni.hpp.
template <class Vector> struct LuByGfni {
  using V = Vector;
  using Register = typename V::Register;
  using Scalar = Register;
  static constexpr int height = V::bytes / 8;

  static Scalar scalar(Register a) { return a; }
  static Register product(Register a, Scalar s) { return V::multiply(a, s); }
  static Register inverse(Register a) { return V::inverses(a); }
  static Register sum(Register a, Register b, Register c) { return V::sum(a, b, c); }
  static Register unit(int k) { return repeated(numbers.units[k]); }
  static Register repeated(const uint8_t *block) {
    if constexpr (height == 8)
      return V::broadcast8(block);
    else
      return V::broadcast4(block);
  }

 protected:
  struct Numbers {
    alignas(64) uint8_t units[height][height], fourths[V::bytes];
    constexpr Numbers() : units{}, fourths{} {
      for (int k = 0; k < height; k++) units[k][k] = 1;
      for (int i = 0; i < V::bytes; i++) fourths[i] = uint8_t(4 * (i % height));
    }
  };
  static constexpr Numbers numbers{};
};

template <class F, class V> struct LuByProducts;

template <class V> struct LuByProducts<Gf256, V> : LuByGfni<V> {
  using Base = LuByGfni<V>;
  using typename Base::Register, typename Base::Scalar;
  using Base::height;

  static void split(Register (&rows)[1], Register line) { rows[0] = line; }
  static Register join(const Register (&rows)[1]) { return rows[0]; }

  // Factors are four times in memory: a broadcast of four bytes is but a load.
  static constexpr int operands = height, chunk = V::bytes / height;
  using Places = Register;
  struct Factors {
    alignas(64) uint8_t four[chunk + 2][4 * height], behind[V::bytes];
  };
  static void set_operands(Register (&to)[operands], const Register (&rows)[height]) {
#pragma GCC unroll 8
    for (int k = 0; k < height; k++) to[k] = rows[k];
  }
  static Places places(const uint8_t (&pivots)[height]) {
    alignas(64) uint8_t four[V::bytes];
    for (int i = 0; i < V::bytes; i++) four[i] = pivots[i / 4 % height];
    const Register r = V::load(four);
    wipe(four, sizeof four);
    return r;
  }
  template <int parts> static uint64_t entries(Factors &f, int i, const Register (&line)[parts], Places at) {
    const Register four[1] = {V::chosen(line, at)};
    four[0].store(f.four[i]);
    return V::first_word(V::chosen(four, V::load(Base::numbers.fourths)));
  }
  static void prepare(Factors &) {}
  static Register factor(const Factors &f, int i, int p) { return V::broadcast4(f.four[i] + 4 * p); }
  static Register multiple(Register pivot, Register factor) { return V::multiply(pivot, factor); }
};

template <class V> struct LuByProducts<Gf16, V> : LuByGfni<V> {
  using Base = LuByGfni<V>;
  using typename Base::Register, typename Base::Scalar;
  using Base::height;

  static void split(Register (&rows)[2], Register line) {
    rows[0] = V::affine(line, V::broadcast8(subfield_maps.from_low)), rows[1] = V::affine(line, V::broadcast8(subfield_maps.from_high));
  }
  static Register join(const Register (&rows)[2]) {
    return V::affine(rows[0], V::broadcast8(subfield_maps.to_low)) ^ V::affine(rows[1], V::broadcast8(subfield_maps.to_high));
  }

  // Pivots' rows k and height / 2 + k in a byte, and for each line the maps of their factors.
  static constexpr int operands = height / 2, chunk = V::bytes / operands;
  using Places = Register;
  struct Factors {
    alignas(64) uint8_t low[V::bytes], high[V::bytes], maps[8][V::bytes];
  };
  static void set_operands(Register (&to)[operands], const Register (&rows)[height]) {
#pragma GCC unroll 4
    for (int k = 0; k < operands; k++) {
      const Register both[2] = {rows[k], rows[operands + k]};
      to[k] = join(both);
    }
  }
  static Places places(const uint8_t (&pivots)[height]) { return Base::repeated(pivots); }
  template <int parts> static uint64_t entries(Factors &f, int i, const Register (&line)[parts], Places at) {
    const uint64_t word = V::first_word(V::chosen(line, at));
    if constexpr (operands == 4) {
      store32(f.low + i * operands, uint32_t(word)), store32(f.high + i * operands, uint32_t(word >> 32));
    } else {
      for (int p = 0; p < operands; p++)
        f.low[i * operands + p] = uint8_t(word >> (8 * p)), f.high[i * operands + p] = uint8_t(word >> (8 * (operands + p)));
    }
    return word;
  }
  static void prepare(Factors &f) {
    Register low, high, maps[8];
    V::interleave(V::load(f.low), V::load(f.high), low, high);
    maps_of_blocks<V>(maps, low, high);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) maps[i].store(f.maps[i]);
  }
  static Register factor(const Factors &f, int i, int p) {
    const int n = i * operands + p;
    return V::broadcast8(f.maps[n % 16 / 2] + n / 16 * 16 + n % 2 * 8);
  }
  static Register multiple(Register pivot, Register factor) { return V::affine(pivot, factor); }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
