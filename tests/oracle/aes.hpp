// SPDX-License-Identifier: Apache-2.0
// AES-128 byte by byte as FIPS 197 tells it, for comparison only: slow, and not constant time.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>

#include "oracle/random.hpp"

namespace oracle {

class Aes128 {
 public:
  using Block = std::array<uint8_t, 16>;  // byte 4 c + r is row r of column c

  explicit Aes128(const uint8_t *key) {
    std::memcpy(w_, key, 16);
    for (int i = 4; i < 44; i++) {
      uint8_t t[4];
      std::memcpy(t, w_[i - 1], 4);
      if (i % 4 == 0) {
        const uint8_t first = t[0];
        t[0] = uint8_t(sbox(t[1]) ^ round_constant(i / 4)), t[1] = sbox(t[2]), t[2] = sbox(t[3]), t[3] = sbox(first);
      }
      for (int b = 0; b < 4; b++) w_[i][b] = uint8_t(w_[i - 4][b] ^ t[b]);
    }
  }

  Block encrypt(Block s) const {
    add_round_key(s, 0);
    for (int round = 1; round <= 10; round++) {
      Block t;
      for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) t[4 * c + r] = sbox(s[4 * ((c + r) % 4) + r]);
      if (round < 10)
        for (int c = 0; c < 4; c++)
          for (int r = 0; r < 4; r++)
            s[4 * c + r] = uint8_t(doubled(t[4 * c + r]) ^ doubled(t[4 * c + (r + 1) % 4]) ^ t[4 * c + (r + 1) % 4] ^
                                   t[4 * c + (r + 2) % 4] ^ t[4 * c + (r + 3) % 4]);
      else
        s = t;
      add_round_key(s, round);
    }
    return s;
  }

  // Block number c of the keystream: the IV with c, big-endian, exclusive-ored into its last four bytes, encrypted.
  Block keystream_block(const uint8_t *iv, uint32_t c) const {
    Block s;
    std::memcpy(s.data(), iv, 16);
    for (int i = 0; i < 4; i++) s[12 + i] = uint8_t(s[12 + i] ^ c >> (24 - 8 * i));
    return encrypt(s);
  }

 private:
  static uint8_t doubled(uint8_t a) { return uint8_t(a << 1 ^ (a & 0x80 ? 0x1b : 0)); }
  static uint8_t times(uint8_t a, uint8_t b) {
    uint8_t product = 0;
    for (; b != 0; b >>= 1, a = doubled(a))
      if (b & 1) product = uint8_t(product ^ a);
    return product;
  }
  static uint8_t round_constant(int i) { return i == 1 ? 1 : doubled(round_constant(i - 1)); }
  // The inverse in GF(256), then the affine map.
  static std::array<uint8_t, 256> make_sbox() {
    std::array<uint8_t, 256> box;
    for (int a = 0; a < 256; a++) {
      uint8_t inverse = 0;
      for (int b = 1; b < 256; b++)
        if (times(uint8_t(a), uint8_t(b)) == 1) inverse = uint8_t(b);
      uint8_t s = 0x63;
      for (int i = 0; i < 8; i++)
        for (int j : {0, 4, 5, 6, 7}) s = uint8_t(s ^ (inverse >> ((i + j) % 8) & 1) << i);
      box[a] = s;
    }
    return box;
  }
  static uint8_t sbox(uint8_t a) {
    static const std::array<uint8_t, 256> box = make_sbox();
    return box[a];
  }
  void add_round_key(Block &s, int round) const {
    for (int i = 0; i < 16; i++) s[i] = uint8_t(s[i] ^ w_[4 * round + i / 4][i % 4]);
  }
  uint8_t w_[44][4];
};

}  // namespace oracle
