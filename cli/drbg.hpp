// SPDX-License-Identifier: Apache-2.0
// CTR_DRBG of NIST SP 800-90A with AES-256, without derivation function and without reseeding: the generator that makes NIST's
// known-answer files.  A plain byte-wise AES-256: the seeds are public and few, and the tests, which use this too, run where
// there is no libcrypto.
#ifndef AIOLI_CLI_DRBG_HPP
#define AIOLI_CLI_DRBG_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace aioli::cli {

class Aes256 {
 public:
  explicit Aes256(const uint8_t key[32]) {
    std::memcpy(w_.data(), key, 32);
    uint8_t constant = 1;
    for (size_t i = 8; i < 60; i++) {
      uint8_t t[4];
      std::memcpy(t, &w_[4 * (i - 1)], 4);
      if (i % 8 == 0) {
        const uint8_t first = t[0];
        t[0] = uint8_t(sbox()[t[1]] ^ constant), t[1] = sbox()[t[2]], t[2] = sbox()[t[3]], t[3] = sbox()[first];
        constant = times2(constant);
      } else if (i % 8 == 4) {
        for (uint8_t &x : t) x = sbox()[x];
      }
      for (size_t j = 0; j < 4; j++) w_[4 * i + j] = uint8_t(w_[4 * (i - 8) + j] ^ t[j]);
    }
  }
  void encrypt(uint8_t out[16], const uint8_t in[16]) const {
    uint8_t s[16];
    for (size_t i = 0; i < 16; i++) s[i] = uint8_t(in[i] ^ w_[i]);
    for (size_t round = 1; round <= 14; round++) {
      uint8_t t[16];
      for (size_t c = 0; c < 4; c++)
        for (size_t r = 0; r < 4; r++) t[4 * c + r] = sbox()[s[4 * ((c + r) % 4) + r]];
      if (round < 14)
        for (size_t c = 0; c < 4; c++) {
          const uint8_t *a = t + 4 * c;
          for (size_t r = 0; r < 4; r++)
            s[4 * c + r] = uint8_t(times2(a[r]) ^ times2(a[(r + 1) % 4]) ^ a[(r + 1) % 4] ^ a[(r + 2) % 4] ^ a[(r + 3) % 4]);
        }
      else
        std::memcpy(s, t, 16);
      for (size_t i = 0; i < 16; i++) s[i] = uint8_t(s[i] ^ w_[16 * round + i]);
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

// Each request ends with an update, so the boundaries between requests matter.
class NistDrbg {
 public:
  static constexpr size_t kSeedBytes = 48;

  explicit NistDrbg(std::span<const uint8_t, kSeedBytes> seed) { update(seed); }
  void generate(std::span<uint8_t> out) {
    for (size_t i = 0; i < out.size(); i += 16) {
      uint8_t block[16];
      next(block);
      std::memcpy(out.data() + i, block, out.size() - i < 16 ? out.size() - i : 16);
    }
    update(std::array<uint8_t, kSeedBytes>{});
  }
  // As aioli_env.rng, with the NistDrbg as context.
  static int rng(void *self, uint8_t *out, size_t n) {
    static_cast<NistDrbg *>(self)->generate({out, n});
    return 0;
  }

 private:
  void next(uint8_t *block) {
    for (size_t i = 16; i-- > 0 && ++counter_[i] == 0;) {}
    Aes256(key_).encrypt(block, counter_);
  }
  void update(std::span<const uint8_t, kSeedBytes> data) {
    uint8_t state[kSeedBytes];
    for (size_t i = 0; i < kSeedBytes; i += 16) next(state + i);
    for (size_t i = 0; i < kSeedBytes; i++) state[i] = uint8_t(state[i] ^ data[i]);
    std::memcpy(key_, state, 32);
    std::memcpy(counter_, state + 32, 16);
  }
  uint8_t key_[32] = {}, counter_[16] = {};
};

}  // namespace aioli::cli
#endif
