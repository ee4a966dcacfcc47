// SPDX-License-Identifier: Apache-2.0
// Thirty-two or sixty-four bytes and the operations of GfniKernels in plain C++, for tests.
#pragma once
#include "backend/wide/vector_emulated.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <int Bytes> struct VectorEmulatedGfni : AffineDefaults<VectorEmulatedGfni<Bytes>, Bytes> {
  using Register = VectorEmulatedGfni;
  static constexpr int bytes = Bytes, word_count = Bytes / 8, accumulators = Bytes == 32 ? 10 : 24;
  uint64_t w[word_count];  // bytes in little-endian order

  static Register zero() { return {}; }
  static Register load(const uint8_t *p) {
    return each([&](int i) { return load64(p + 8 * i); });
  }
  Register kept() const { return *this; }
  void store(uint8_t *p) const {
    for (int i = 0; i < word_count; i++) store64(p + 8 * i, w[i]);
  }
  static Register halves(const uint8_t *a, const uint8_t *b) {
    return each([&](int i) { return load64((i < word_count / 2 ? a : b) + i % (word_count / 2) * 8); });
  }
  friend Register operator^(Register a, Register b) {
    return each([&](int i) { return a.w[i] ^ b.w[i]; });
  }
  friend Register operator&(Register a, Register b) {
    return each([&](int i) { return a.w[i] & b.w[i]; });
  }
  static Register first_halves(Register a, Register b) {
    return each([&](int i) { return (i < word_count / 2 ? a : b).w[i % (word_count / 2)]; });
  }
  static Register second_halves(Register a, Register b) {
    return each([&](int i) { return (i < word_count / 2 ? a : b).w[i % (word_count / 2) + word_count / 2]; });
  }
  static void interleave(Register a, Register b, Register &low, Register &high) {
    constexpr uint64_t mask = 0x0f0f0f0f0f0f0f0f;
    low = each([&](int i) { return (a.w[i] & mask) | (b.w[i] & mask) << 4; });
    high = each([&](int i) { return (a.w[i] >> 4 & mask) | (b.w[i] & ~mask); });
  }
  // Bit i of an output byte is the parity of the input byte and byte 7 - i of the map.
  static Register affine(Register data, Register maps) {
    constexpr uint64_t each_byte = 0x0101010101010101;
    return each([&](int i) {
      uint64_t r = 0;
      for (int in = 0; in < 8; in++) {  // the output byte for input bit `in`, that bit being in each byte of the map
        const uint64_t bits = (maps.w[i] >> in) & each_byte, output = spread(bits, 0x8040201008040201) >> 56;
        r ^= spread((data.w[i] >> in) & each_byte, 0xff) & spread(output, each_byte);
      }
      return r;
    });
  }
  static Register broadcast1(uint8_t byte) {
    return each([&](int) { return spread(byte, 0x0101010101010101); });
  }
  static Register broadcast4(const uint8_t *p) {
    return each([&](int) { return load32(p) | uint64_t(load32(p)) << 32; });
  }
  static Register broadcast8(const uint8_t *p) {
    return each([&](int) { return load64(p); });
  }
  static void interleave_bytes(Register a, Register b, Register &first, Register &second) {
    const auto turns = [&](int half) {
      return each([&](int i) {
        uint64_t word = 0;  // word i of the result comes from four bytes of each operand, in the same lane
        for (int at = 0; at < 4; at++) {
          const int shift = i % 2 * 32 + 8 * at;
          word |= (a.w[i / 2 * 2 + half] >> shift & 0xff) << (16 * at) | (b.w[i / 2 * 2 + half] >> shift & 0xff) << (16 * at + 8);
        }
        return word;
      });
    };
    const Register low = turns(0), high = turns(1);
    first = low, second = high;
  }

  static Register multiply(Register a, Register b) {  // in GF(256) modulo x^8 + x^4 + x^3 + x + 1
    constexpr uint64_t each_byte = 0x0101010101010101;
    return each([&](int i) {
      uint64_t p = 0, x = a.w[i];
      for (int bit = 0; bit < 8; bit++) {
        p ^= x & spread((b.w[i] >> bit) & each_byte, 0xff);
        x = (x & ~(each_byte << 7)) << 1 ^ spread(x >> 7 & each_byte, 0x1b);
      }
      return p;
    });
  }
  static Register inverses(Register a) {  // a^254 of each byte
    Register power = a;
    for (int i = 0; i < 6; i++) power = multiply(multiply(power, power), a);  // a^(2^(i + 2) - 1)
    return multiply(power, power);
  }
  template <int parts> static Register chosen(const Register (&a)[parts], Register numbers) {
    Register r = zero();
    for (int j = 0; j < parts * bytes; j++) {
      const uint64_t byte = a[j / bytes].w[j % bytes / 8] >> (8 * (j % 8)) & 0xff;
      r = r ^ at_number(numbers, j, broadcast1(uint8_t(byte)));
    }
    return r;
  }
  template <int parts> static Register element(const Register (&a)[parts], uint8_t n) { return chosen(a, broadcast1(n)); }
  static uint64_t first_word(Register a) { return a.w[0]; }
  static uint64_t nonzero_bytes(Register a) {
    uint64_t bits = 0;
    for (int i = 0; i < bytes; i++) bits |= (mask_of_nonzero(a.w[i / 8] >> (8 * (i % 8)) & 0xff) & 1) << i;
    return bits;
  }

 private:
  // `value` in bytes whose number this is; zero elsewhere.
  static Register at_number(Register numbers, int number, Register value) {
    return each([&](int i) {
      const uint64_t other = Gf256::nonzero(numbers.w[i] ^ spread(uint64_t(number), 0x0101010101010101));
      return value.w[i] & ~spread(other, 0xff);
    });
  }
  template <class F> static Register each(F f) {
    Register r;
    for (int i = 0; i < word_count; i++) r.w[i] = uint64_t(f(i));
    return r;
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
