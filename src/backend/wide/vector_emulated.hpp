// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes and the operations of a byte-shuffling vector unit in plain C++, so that the wide kernels can run on any machine and under
// any checker.  For tests; no backend of the library uses it.
#pragma once
#include "base/bytes.hpp"

namespace aioli::inline AIOLI_ISA {

struct VectorEmulated {
  static constexpr int bytes = 16;
  uint8_t v[bytes];

  static VectorEmulated zero() { return {}; }
  static VectorEmulated load(const uint8_t *p) {
    VectorEmulated r;
    for (int i = 0; i < bytes; i++) r.v[i] = p[i];
    return r;
  }
  void store(uint8_t *p) const {
    for (int i = 0; i < bytes; i++) p[i] = v[i];
  }
  static VectorEmulated broadcast16(const uint8_t *p) { return load(p); }
  static VectorEmulated broadcast1(uint8_t byte) {
    VectorEmulated r;
    for (auto &x : r.v) x = byte;
    return r;
  }
  friend VectorEmulated operator^(VectorEmulated a, VectorEmulated b) {
    for (int i = 0; i < bytes; i++) a.v[i] = uint8_t(a.v[i] ^ b.v[i]);
    return a;
  }
  friend VectorEmulated operator&(VectorEmulated a, VectorEmulated b) {
    for (int i = 0; i < bytes; i++) a.v[i] = uint8_t(a.v[i] & b.v[i]);
    return a;
  }
  VectorEmulated low_nibbles() const {
    VectorEmulated r;
    for (int i = 0; i < bytes; i++) r.v[i] = v[i] & 15;
    return r;
  }
  VectorEmulated high_nibbles() const {
    VectorEmulated r;
    for (int i = 0; i < bytes; i++) r.v[i] = v[i] >> 4;
    return r;
  }
  // Byte i is byte index_i < 16 of the table.  A shuffle takes constant time in hardware, and so it does here: eight bytes at a time,
  // each bit of the indices halves the number of candidates.
  static VectorEmulated look_up(VectorEmulated table, VectorEmulated index) {
    constexpr uint64_t each = 0x0101010101010101;
    VectorEmulated r;
    for (int half = 0; half < 2; half++) {
      const uint64_t i = load64(index.v + 8 * half);
      uint64_t candidate[16];
      for (int j = 0; j < 16; j++) candidate[j] = table.v[j] * each;
      for (int bit = 0, left = 8; left > 0; bit++, left /= 2) {
        const uint64_t set = ((i >> bit) & each) * 0xff;
        for (int j = 0; j < left; j++) candidate[j] = candidate[2 * j] ^ ((candidate[2 * j] ^ candidate[2 * j + 1]) & set);
      }
      store64(r.v + 8 * half, candidate[0]);
    }
    return r;
  }
  // Sixteen rows of sixteen bytes, transposed; rows of `from` are `stride` bytes apart.
  static void transpose16(uint8_t *to, const uint8_t *from, int stride) {
    for (int i = 0; i < 16; i++)
      for (int j = 0; j < 16; j++) to[16 * j + i] = from[i * stride + j];
  }
};

}  // namespace aioli::inline AIOLI_ISA
