// SPDX-License-Identifier: Apache-2.0
// The table of AES (FIPS 197): SubBytes and MixColumns of a byte at once.  For public data, which may be looked up.
#pragma once
#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

namespace aes_bytes {
constexpr uint8_t byte(uint32_t x, int i) { return uint8_t(x >> (8 * i)); }
constexpr uint8_t doubled(uint8_t a) { return uint8_t(a << 1 ^ (a >> 7) * 0x1b); }
}  // namespace aes_bytes

// SubBytes and MixColumns of one byte a with S(a) = s: (s, s, 3s, 2s), lowest first.  In row r it adds this, rotated left by 8 (r
// + 1), to its column; and the lowest byte is S itself, for the last round.
struct AesTable {
  uint32_t t[256];
};
consteval AesTable aes_table() {
  AesTable table{};
  // p runs through the powers of 3, which are all of GF(256) but zero, and q through their inverses.
  uint8_t p = 1, q = 1;
  const auto set = [&](uint8_t a, uint8_t inverse) {
    uint8_t s = 0x63;
    for (int i = 0; i < 5; i++) s = uint8_t(s ^ inverse << i ^ inverse >> (8 - i));
    const uint8_t twice = aes_bytes::doubled(s);
    table.t[a] = uint32_t(s) | uint32_t(s) << 8 | uint32_t(s ^ twice) << 16 | uint32_t(twice) << 24;
  };
  set(0, 0);
  do {
    set(p, q);
    p = uint8_t(p ^ aes_bytes::doubled(p));
    for (int i = 1; i < 8; i *= 2) q = uint8_t(q ^ q << i);  // over 3 = x + 1: the sum of all x^i
    if (q & 0x80) q ^= 0x09;
  } while (p != 1);
  return table;
}
static_assert(aes_table().t[0] == 0xc6a56363 && aes_bytes::byte(aes_table().t[0x53], 0) == 0xed &&
              aes_bytes::byte(aes_table().t[0xff], 0) == 0x16);

}  // namespace AIOLI_ISA
}  // namespace aioli
