// SPDX-License-Identifier: Apache-2.0
// What the wide kernels ask of a vector type, and defaults for what can be made of the rest (docs/vectors.md has a formula for
// each operation).
//
// A type for a new processor inherits from the defaults of its kind and writes the rest; where a default is slow, it has its
// own under the same name.  tests/kernels/vectors.cpp tries each operation by itself.  Vectors hold secrets: no operation takes
// time by what is in them.
#pragma once
#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "field/gf16.hpp"
#include "field/gf256.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class A, class B> inline constexpr bool same_type = false;
template <class A> inline constexpr bool same_type<A, A> = true;
template <class A, class B>
concept IsA = same_type<A, B>;

// V's registers, V itself or another type: what all kernels ask.
template <class V, class R>
concept RegistersOf = requires(const R a, const R (&line)[2], const uint8_t *p, uint8_t *out) {
  { V::zero() } -> IsA<R>;
  { V::load(p) } -> IsA<R>;
  { V::halves(p, p) } -> IsA<R>;
  { V::first_halves(a, a) } -> IsA<R>;
  { V::second_halves(a, a) } -> IsA<R>;
  { V::broadcast1(uint8_t(0)) } -> IsA<R>;
  { V::broadcast4(p) } -> IsA<R>;
  { a ^ a } -> IsA<R>;
  { a &a } -> IsA<R>;
  a.store(out);
  { V::chosen(line, a) } -> IsA<R>;
  { V::element(line, uint8_t(0)) } -> IsA<R>;
  { V::first_word(a) } -> IsA<uint64_t>;
  V::nonzero_bytes(a);
};

// ShuffleKernels, and ScalingKernels over shuffles.
template <class V>
concept ShuffleVector =
    V::bytes == 32 && RegistersOf<V, V> && requires(const V a, V (&r)[4], const uint8_t *p, uint8_t (*tables)[16]) {
      { V::quarters(p, p, p, p) } -> IsA<V>;
      { V::broadcast16(p) } -> IsA<V>;
      { V::look_up(a, a) } -> IsA<V>;
      { a.low_nibbles() } -> IsA<V>;
      { a.high_nibbles() } -> IsA<V>;
      { a.low_to_high() } -> IsA<V>;
      { V::inverse_of_all(a) } -> IsA<V>;
      V::transpose_quarters(r);
      V::product_tables(tables, p);
      V::product_tables256(tables, tables, a);
    };

// GfniKernels, and ScalingKernels over products.
template <class V>
concept AffineVector = (V::bytes == 32 || V::bytes == 64) && V::accumulators >= 8 && RegistersOf<V, typename V::Register> &&
                       requires(const typename V::Register a, typename V::Register r, const uint8_t *p,
                                const uint8_t *const *places, uint8_t *out, uint64_t word) {
                         { a.kept() } -> IsA<typename V::Register>;
                         { V::words(places, 0) } -> IsA<typename V::Register>;
                         { V::broadcast8(p) } -> IsA<typename V::Register>;
                         { V::twice(p) } -> IsA<typename V::Register>;
                         { V::sum(a, a, a) } -> IsA<typename V::Register>;
                         { V::interleave_halves(a) } -> IsA<typename V::Register>;
                         { V::affine(a, a) } -> IsA<typename V::Register>;
                         { V::multiply(a, a) } -> IsA<typename V::Register>;
                         { V::inverses(a) } -> IsA<typename V::Register>;
                         V::interleave(a, a, r, r);
                         V::interleave_bytes(a, a, r, r);
                         V::sums_of_words(word, word, a);
                         V::template store_words<1>(out, a);
                         V::store_lanes(out, 0, a, 0);
                       };

template <class V> struct ShuffleDefaults {
  static constexpr int bytes = 32;

  static auto broadcast16(const uint8_t *p) { return V::halves(p, p); }
  static auto broadcast4(const uint8_t *p) {
    uint8_t b[bytes];
    for (int i = 0; i < bytes; i++) b[i] = p[i % 4];
    return V::load(b);
  }
  static void transpose_quarters(V (&r)[4]) {
    uint8_t b[4][bytes];
    for (int i = 0; i < 4; i++) r[i].store(b[i]);
    for (int i = 0; i < 4; i++) r[i] = V::quarters(b[0] + 8 * i, b[1] + 8 * i, b[2] + 8 * i, b[3] + 8 * i);
  }
  static void product_tables(uint8_t (*to)[16], const uint8_t *factors) {
    for (int i = 0; i < bytes; i++) set_table(to[i], gf16::multiples(factors[i]).w);
  }
  static void product_tables256(uint8_t (*low)[16], uint8_t (*high)[16], V factors) {
    uint8_t f[bytes];
    factors.store(f);
    for (int i = 0; i < bytes; i++) {
      const gf256::Multiples multiples = Gf256::multiples(f[i]);
      set_table(low[i], multiples.w), set_table(high[i], multiples.w + 4);
    }
  }

  template <int parts> static V chosen(const V (&a)[parts], V numbers) {
    V r = V::zero();
    for (int part = 0; part < parts; part++) {
      uint8_t b[bytes];
      a[part].store(b);
      for (int i = 0; i < bytes; i++) r = r ^ (V::broadcast1(b[i]) & V::equal(numbers, V::broadcast1(uint8_t(part * bytes + i))));
    }
    return r;
  }
  template <int parts> static V element(const V (&a)[parts], uint8_t n) { return V::chosen(a, V::broadcast1(n)); }
  static V inverse_of_all(V a) {
    uint8_t b[bytes];
    a.store(b);
    return V::broadcast1(inverse(GF256{b[0]}).n);
  }
  static uint64_t first_word(V a) {
    uint8_t b[bytes];
    a.store(b);
    return load64(b);
  }
  static uint32_t nonzero_bytes(V a) {
    uint8_t b[bytes];
    a.store(b);
    uint32_t bits = 0;
    for (int i = 0; i < bytes; i++) bits |= uint32_t(mask_of_nonzero(b[i]) & 1) << i;
    return bits;
  }

 private:
  static void set_table(uint8_t (&to)[16], const uint64_t *of_bit) {
    for (int j = 0; j < 16; j++) {
      uint64_t product = 0;
      for (int bit = 0; bit < 4; bit++)
        if (j >> bit & 1) product ^= of_bit[bit];
      to[j] = uint8_t(product);
    }
  }
};

// R: V::Register, which has the operations of one register.
template <class V, int Bytes> struct AffineDefaults {
  static constexpr int bytes = Bytes;

  static auto twice(const uint8_t *p) { return V::halves(p, p); }
  static auto words(const uint8_t *const *p, int at) {
    uint8_t b[bytes];
    for (int i = 0; i < bytes; i += 8) copy(b + i, p[i / 8] + at, 8);
    return V::load(b);
  }
  template <class R> static R sum(R a, R b, R c) { return a ^ b ^ c; }
  template <class R> static R interleave_halves(R a) {
    R low, high;
    V::interleave(V::first_halves(a, a), V::second_halves(a, a), low, high);
    return V::first_halves(low, high);
  }
  template <class R> static void sums_of_words(uint64_t &first, uint64_t &second, R a) {
    uint8_t b[bytes];
    a.store(b);
    first = second = 0;
    for (int i = 0; i < bytes / 2; i += 8) first ^= load64(b + i), second ^= load64(b + bytes / 2 + i);
  }
  template <int words, class R> static void store_words(uint8_t *p, R a) {
    uint8_t b[bytes];
    a.store(b);
    copy(p, b, 8 * words);
  }
  template <class R> static void store_lanes(uint8_t *p, int stride, R a, int count) {
    uint8_t b[bytes];
    a.store(b);
    for (int i = 0; i < bytes / 16 && i < count; i++) copy(p + i * stride, b + 16 * i, 16);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
