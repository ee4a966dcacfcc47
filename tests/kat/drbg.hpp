// SPDX-License-Identifier: Apache-2.0
// NIST's AES-256-CTR-DRBG without derivation function, as the known-answer files use it.  A plain byte-wise AES-256 written for this
// test, so that the known answers depend on no other library and run on every machine, big-endian ones included.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>

namespace test {

class Aes256 {
 public:
  explicit Aes256(const uint8_t key[32]) {
    std::memcpy(w_.data(), key, 32);
    uint8_t constant = 1;
    for (int i = 8; i < 60; i++) {
      uint8_t t[4];
      std::memcpy(t, &w_[4 * (i - 1)], 4);
      if (i % 8 == 0) {
        const uint8_t first = t[0];
        t[0] = uint8_t(sbox()[t[1]] ^ constant), t[1] = sbox()[t[2]], t[2] = sbox()[t[3]], t[3] = sbox()[first];
        constant = times2(constant);
      } else if (i % 8 == 4) {
        for (uint8_t &x : t) x = sbox()[x];
      }
      for (int j = 0; j < 4; j++) w_[4 * i + j] = uint8_t(w_[4 * (i - 8) + j] ^ t[j]);
    }
  }
  void encrypt(uint8_t out[16], const uint8_t in[16]) const {
    uint8_t s[16];
    for (int i = 0; i < 16; i++) s[i] = uint8_t(in[i] ^ w_[i]);
    for (int round = 1; round <= 14; round++) {
      uint8_t t[16];
      for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) t[4 * c + r] = sbox()[s[4 * ((c + r) % 4) + r]];
      if (round < 14)
        for (int c = 0; c < 4; c++) {
          const uint8_t *a = t + 4 * c;
          for (int r = 0; r < 4; r++)
            s[4 * c + r] = uint8_t(times2(a[r]) ^ times2(a[(r + 1) % 4]) ^ a[(r + 1) % 4] ^ a[(r + 2) % 4] ^ a[(r + 3) % 4]);
        }
      else
        std::memcpy(s, t, 16);
      for (int i = 0; i < 16; i++) s[i] = uint8_t(s[i] ^ w_[16 * round + i]);
    }
    std::memcpy(out, s, 16);
  }

 private:
  static uint8_t times2(uint8_t a) { return uint8_t(a << 1 ^ (a >> 7) * 0x1b); }
  static const std::array<uint8_t, 256> &sbox() {
    static const std::array<uint8_t, 256> table = [] {
      std::array<uint8_t, 256> s{};
      uint8_t power = 1, inverse = 1;  // 3^i and 3^-i
      do {
        power = uint8_t(power ^ times2(power));
        inverse = uint8_t(inverse ^ inverse << 1);
        inverse = uint8_t(inverse ^ inverse << 2);
        inverse = uint8_t(inverse ^ inverse << 4);
        if (inverse & 0x80) inverse ^= 0x09;
        const auto rotate = [](uint8_t x, int n) { return uint8_t(x << n | x >> (8 - n)); };
        s[power] = uint8_t(inverse ^ rotate(inverse, 1) ^ rotate(inverse, 2) ^ rotate(inverse, 3) ^ rotate(inverse, 4) ^ 0x63);
      } while (power != 1);
      s[0] = 0x63;
      return s;
    }();
    return table;
  }
  std::array<uint8_t, 240> w_;
};

class Drbg {
 public:
  explicit Drbg(const uint8_t seed[48]) { update(seed); }
  // One request.
  void generate(uint8_t *out, size_t n) {
    for (size_t i = 0; i < n; i += 16) {
      uint8_t block[16];
      next(block);
      std::memcpy(out + i, block, n - i < 16 ? n - i : 16);
    }
    const uint8_t nothing[48] = {};
    update(nothing);
  }
  // An aioli_rng_fn.
  static int rng(void *context, uint8_t *out, size_t n) {
    static_cast<Drbg *>(context)->generate(out, n);
    return 0;
  }

 private:
  void next(uint8_t block[16]) {
    for (int i = 15; i >= 0 && ++counter_[i] == 0; i--) {}
    Aes256(key_).encrypt(block, counter_);
  }
  void update(const uint8_t data[48]) {
    uint8_t t[48];
    for (int i = 0; i < 48; i += 16) next(t + i);
    for (int i = 0; i < 48; i++) t[i] = uint8_t(t[i] ^ data[i]);
    std::memcpy(key_, t, 32);
    std::memcpy(counter_, t + 32, 16);
  }
  uint8_t key_[32] = {}, counter_[16] = {};
};

}  // namespace test
