// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes and the operations of a byte-shuffling vector unit in plain C++, and a pair of them as a vector, so that the
// wide kernels can run on any machine and under any checker.  For tests; no backend of the library uses it.
#pragma once
#include "backend/wide/vector_pair.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct EmulatedRegister {
  static constexpr int bytes = 16;
  uint8_t v[bytes];

  static EmulatedRegister zero() { return {}; }
  static EmulatedRegister load(const uint8_t *p) { return load_words(p, p + 8); }
  static EmulatedRegister load_words(const uint8_t *a, const uint8_t *b) {
    return each([&](int i) { return i < 8 ? a[i] : b[i - 8]; });
  }
  void store(uint8_t *p) const { copy(p, v, bytes); }
  static EmulatedRegister broadcast1(uint8_t byte) {
    return each([&](int) { return byte; });
  }
  friend EmulatedRegister operator^(EmulatedRegister a, EmulatedRegister b) {
    return each([&](int i) { return a.v[i] ^ b.v[i]; });
  }
  friend EmulatedRegister operator&(EmulatedRegister a, EmulatedRegister b) {
    return each([&](int i) { return a.v[i] & b.v[i]; });
  }
  EmulatedRegister low_nibbles() const {
    return each([&](int i) { return v[i] & 15; });
  }
  EmulatedRegister high_nibbles() const {
    return each([&](int i) { return v[i] >> 4; });
  }
  EmulatedRegister low_to_high() const {
    return each([&](int i) { return v[i] << 4; });
  }
  static EmulatedRegister equal(EmulatedRegister a, EmulatedRegister b) {
    return each([&](int i) { return ~mask_of_nonzero(uint64_t(a.v[i] ^ b.v[i])); });
  }
  // A shuffle takes constant time in hardware, and so it does here: eight bytes at a time, each bit of the indices halves the
  // number of candidates.
  static EmulatedRegister look_up(EmulatedRegister table, EmulatedRegister index) {
    constexpr uint64_t each_byte = 0x0101010101010101;
    EmulatedRegister r;
    for (int at = 0; at < bytes; at += 8) {
      const uint64_t i = load64(index.v + at);
      uint64_t candidate[16];
      for (int j = 0; j < 16; j++) candidate[j] = spread(table.v[j], each_byte);
      for (int bit = 0, left = 8; left > 0; bit++, left /= 2) {
        const uint64_t set = spread((i >> bit) & each_byte, 0xff);
        for (int j = 0; j < left; j++) candidate[j] = candidate[2 * j] ^ ((candidate[2 * j] ^ candidate[2 * j + 1]) & set);
      }
      store64(r.v + at, candidate[0]);
    }
    return r;
  }

 private:
  template <class F> static EmulatedRegister each(F f) {
    EmulatedRegister r;
    for (int i = 0; i < bytes; i++) r.v[i] = uint8_t(f(i));
    return r;
  }
};
using VectorEmulated = VectorPair<EmulatedRegister>;

}  // namespace AIOLI_ISA
}  // namespace aioli
