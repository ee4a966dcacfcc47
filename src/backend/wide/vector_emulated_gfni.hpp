// SPDX-License-Identifier: Apache-2.0
// Thirty-two or sixty-four bytes and the operations of GfniKernels in plain C++, for tests.
#pragma once
#include "backend/wide/vector_emulated.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V> struct ShuffleSolver;
template <class P, class V> struct BlockSolver;
template <class P, int Bytes> struct EmulatedSolver {
  using type = ShuffleSolver<P, VectorEmulated>;
};

template <int Bytes> struct VectorEmulatedGfni : AffineDefaults<VectorEmulatedGfni<Bytes>, Bytes> {
  using Register = VectorEmulatedGfni;
  template <class P> using Solver = typename EmulatedSolver<P, Bytes>::type;
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

  // The rest is for BlockSolver, whose registers have 128 nibbles.
  static Register without(Register a, Register b) {
    return each([&](int i) { return a.w[i] & ~b.w[i]; });
  }
  static Register nibble_mask(int n) {
    return each([&](int i) { return (uint64_t(15) << (4 * (n & 15))) & ~mask_of_nonzero(uint64_t(n >> 4 ^ i)); });
  }
  static int first_nibble(Register a) {
    uint64_t first = 0, none = ~uint64_t(0);
    for (int i = 0; i < 16 * word_count; i++) {
      const uint64_t found = mask_of_nonzero(a.w[i / 16] >> (4 * (i % 16)) & 15);
      first |= uint64_t(i) & found & none;
      none &= ~found;
    }
    return int(first | (16 * word_count & none));
  }
  struct Place {
    int word, shift;
  };
  static Place place(int i) { return {i >> 4, 4 * (i & 15)}; }
  static Register element(Register a, Place p) { return element(a, a, p); }
  static Register element(Register a, Register b, Place p) {
    uint64_t word = 0;
    for (int i = 0; i < 2 * word_count; i++)
      word |= (i < word_count ? a : b).w[i % word_count] & ~mask_of_nonzero(uint64_t((p.word ^ i) & (2 * word_count - 1)));
    return each([&](int) { return word >> p.shift; });
  }
  static Register gather(const uint64_t *const (&p)[8], int i) {
    return each([&](int j) { return p[j][i]; });
  }
  template <int registers> struct Picks {
    uint64_t numbers[word_count];

    explicit Picks(Register n) {
      for (int i = 0; i < word_count; i++) numbers[i] = n.w[i];
    }
    Register from(const uint8_t (&p)[registers][bytes]) const {
      return each([&](int i) {
        uint64_t word = 0;
        for (int n = 0; n < registers * word_count; n++)
          word |= load64(p[n / word_count] + n % word_count * 8) & ~mask_of_nonzero(numbers[i] ^ uint64_t(n));
        return word;
      });
    }
  };
  static Register add_neighbours(Register a) {
    return each([&](int i) { return a.w[i] ^ a.w[i ^ 1]; });
  }
  static Register maps(const uint8_t (&table)[16][8], Register index) {
    return each([&](int i) {
      uint64_t r = 0;
      for (int j = 0; j < 16; j++) r |= load64(table[j]) & ~mask_of_nonzero((index.w[i] ^ uint64_t(j)) & 15);
      return r;
    });
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
  static void sums_of_bytes(Register (&a)[8]) {
    for (Register &r : a) {
      uint64_t s = 0;
      for (const uint64_t w : r.w) s ^= w;
      s ^= s >> 32, s ^= s >> 16, s ^= s >> 8;
      r = each([&](int) { return spread(s & 0xff, 0x0101010101010101); });
    }
  }
  // For PivotSolver.
  static uint64_t nonzero_bytes(Register a) {
    uint64_t bits = 0;
    for (int i = 0; i < bytes; i++) bits |= (mask_of_nonzero(a.w[i / 8] >> (8 * (i % 8)) & 0xff) & 1) << i;
    return bits;
  }
  static Register permute_bytes(Register numbers, Register a) { return permute_bytes(numbers, a, a); }
  // Each bit of the numbers halves the candidates, as in look_up (vector_emulated.hpp).
  static Register permute_bytes(Register numbers, Register a, Register b) {
    constexpr uint64_t each_byte = 0x0101010101010101;
    return each([&](int i) {
      uint64_t candidate[2 * bytes];
      for (int j = 0; j < 2 * bytes; j++)
        candidate[j] = spread((j < bytes ? a : b).w[j % bytes / 8] >> (8 * (j % 8)) & 0xff, each_byte);
      for (int bit = 0, left = bytes; left > 0; bit++, left /= 2) {
        const uint64_t set = spread((numbers.w[i] >> bit) & each_byte, 0xff);
        for (int j = 0; j < left; j++) candidate[j] = candidate[2 * j] ^ ((candidate[2 * j] ^ candidate[2 * j + 1]) & set);
      }
      return candidate[0];
    });
  }
  static Register at_byte(Register numbers, int first, Register value) {
    return each([&](int i) {
      uint64_t word = 0;
      for (int b = 0; b < 8; b++) {
        const uint64_t other = (numbers.w[i] >> (8 * b) & 0xff) ^ uint64_t(first + 8 * i + b);
        word |= value.w[i] & ~mask_of_nonzero(other) & uint64_t(0xff) << (8 * b);
      }
      return word;
    });
  }
  static Register put_low(Register a, Register at, Register value) { return put(a, at, value, 0); }
  static Register put_high(Register a, Register at, Register value) { return put(a, at, value, 4); }

 private:
  static Register put(Register a, Register at, Register value, int shift) {
    return each([&](int i) {
      uint64_t r = 0;
      for (int b = 0; b < 64; b += 8) {
        const uint64_t mask = mask_of_nonzero(at.w[i] >> (b + shift) & 15) & (uint64_t(0xff) << b);
        r |= (value.w[i] & mask) | (a.w[i] & ~mask & uint64_t(0xff) << b);
      }
      return r;
    });
  }
  template <class F> static Register each(F f) {
    Register r;
    for (int i = 0; i < word_count; i++) r.w[i] = uint64_t(f(i));
    return r;
  }
};

template <class P> struct EmulatedSolver<P, 64> {
  using type = BlockSolver<P, VectorEmulatedGfni<64>>;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
