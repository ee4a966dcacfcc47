// SPDX-License-Identifier: Apache-2.0
// Thirty-two bytes, in two lanes, and the operations of a byte-shuffling vector unit in plain C++, so that the wide kernels can run on
// any machine and under any checker.  For tests; no backend of the library uses it.
#pragma once
#include "base/bytes.hpp"
#include "field/gf16.hpp"
#include "field/gf256.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct VectorEmulated {
  static constexpr int bytes = 32, lane = 16, quarter = 8;
  uint8_t v[bytes];

  static VectorEmulated zero() { return {}; }
  static VectorEmulated load(const uint8_t *p) { return quarters(p, p + quarter, p + 2 * quarter, p + 3 * quarter); }
  void store(uint8_t *p) const {
    for (int i = 0; i < bytes; i++) p[i] = v[i];
  }
  static VectorEmulated halves(const uint8_t *a, const uint8_t *b) { return quarters(a, a + quarter, b, b + quarter); }
  static VectorEmulated quarters(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d) {
    VectorEmulated r;
    for (int i = 0; i < quarter; i++) {
      r.v[i] = a[i], r.v[quarter + i] = b[i];
      r.v[2 * quarter + i] = c[i], r.v[3 * quarter + i] = d[i];
    }
    return r;
  }
  static VectorEmulated broadcast16(const uint8_t *p) { return halves(p, p); }
  static VectorEmulated broadcast1(uint8_t byte) {
    return each([&](int) { return byte; });
  }
  static VectorEmulated broadcast4(const uint8_t *p) {
    return each([&](int i) { return p[i % 4]; });
  }
  static uint64_t first_word(VectorEmulated a) { return load64(a.v); }
  friend VectorEmulated operator^(VectorEmulated a, VectorEmulated b) {
    return each([&](int i) { return a.v[i] ^ b.v[i]; });
  }
  friend VectorEmulated operator&(VectorEmulated a, VectorEmulated b) {
    return each([&](int i) { return a.v[i] & b.v[i]; });
  }
  VectorEmulated low_nibbles() const {
    return each([&](int i) { return v[i] & 15; });
  }
  VectorEmulated high_nibbles() const {
    return each([&](int i) { return v[i] >> 4; });
  }
  VectorEmulated low_to_high() const {
    return each([&](int i) { return v[i] << 4; });
  }
  static VectorEmulated equal(VectorEmulated a, VectorEmulated b) {
    return each([&](int i) { return ~mask_of_nonzero(uint64_t(a.v[i] ^ b.v[i])); });
  }
  static uint32_t nonzero_bytes(VectorEmulated a) {
    uint32_t bits = 0;
    for (int i = 0; i < bytes; i++) bits |= uint32_t(mask_of_nonzero(a.v[i]) & 1) << i;
    return bits;
  }
  // A shuffle takes constant time in hardware, and so it does here: eight bytes at a time, each bit of the indices halves the number
  // of candidates.
  static VectorEmulated look_up(VectorEmulated table, VectorEmulated index) {
    constexpr uint64_t each_byte = 0x0101010101010101;
    VectorEmulated r;
    for (int at = 0; at < bytes; at += 8) {
      const uint64_t i = load64(index.v + at);
      uint64_t candidate[16];
      for (int j = 0; j < 16; j++) candidate[j] = spread(table.v[at / lane * lane + j], each_byte);
      for (int bit = 0, left = 8; left > 0; bit++, left /= 2) {
        const uint64_t set = spread((i >> bit) & each_byte, 0xff);
        for (int j = 0; j < left; j++) candidate[j] = candidate[2 * j] ^ ((candidate[2 * j] ^ candidate[2 * j + 1]) & set);
      }
      store64(r.v + at, candidate[0]);
    }
    return r;
  }
  // In each half, byte i is byte number_i of a, or zero if a has none of that number.  Both halves of `numbers` are the same.
  template <int parts> static VectorEmulated chosen(const VectorEmulated (&a)[parts], VectorEmulated numbers) {
    VectorEmulated r = zero();
    for (int j = 0; j < parts * bytes; j++) {
      const VectorEmulated here = equal(numbers, broadcast1(uint8_t(j)));
      r = r ^ (broadcast1(a[j / bytes].v[j % bytes]) & here);
    }
    return r;
  }
  template <int parts> static VectorEmulated element(const VectorEmulated (&a)[parts], uint8_t n) {
    return chosen(a, broadcast1(n));
  }
  static VectorEmulated inverse_of_all(VectorEmulated a) { return broadcast1(inverse(GF256{a.v[0]}).n); }
  static VectorEmulated first_halves(VectorEmulated a, VectorEmulated b) { return halves(a.v, b.v); }
  static VectorEmulated second_halves(VectorEmulated a, VectorEmulated b) { return halves(a.v + lane, b.v + lane); }
  static void transpose_quarters(VectorEmulated (&r)[4]) {
    const VectorEmulated from[4] = {r[0], r[1], r[2], r[3]};
    for (int i = 0; i < 4; i++)
      r[i] = quarters(from[0].v + quarter * i, from[1].v + quarter * i, from[2].v + quarter * i, from[3].v + quarter * i);
  }
  static void product_tables(uint8_t (*to)[16], const uint8_t *factors) {
    for (int i = 0; i < bytes; i++) {
      const gf16::Multiples f = gf16::multiples(factors[i]);
      for (int j = 0; j < 16; j++) {
        uint64_t product = 0;
        for (int bit = 0; bit < 4; bit++)
          if (j >> bit & 1) product ^= f.w[bit];
        to[i][j] = uint8_t(product);
      }
    }
  }
  static void product_tables256(uint8_t (*low)[16], uint8_t (*high)[16], VectorEmulated f) {
    for (int i = 0; i < bytes; i++) {
      const gf256::Multiples multiples = Gf256::multiples(f.v[i]);
      for (int j = 0; j < 16; j++) {
        uint64_t by_low = 0, by_high = 0;
        for (int bit = 0; bit < 4; bit++)
          if (j >> bit & 1) by_low ^= multiples.w[bit], by_high ^= multiples.w[4 + bit];
        low[i][j] = uint8_t(by_low), high[i][j] = uint8_t(by_high);
      }
    }
  }

 private:
  template <class F> static VectorEmulated each(F f) {
    VectorEmulated r;
    for (int i = 0; i < bytes; i++) r.v[i] = uint8_t(f(i));
    return r;
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
