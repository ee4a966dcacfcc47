// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for the digests of known-answer files only.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace test {

class Sha256 {
 public:
  Sha256() {
    const auto fraction = [](double x) { return uint32_t((x - std::floor(x)) * 4294967296.0); };
    for (int n = 2, found = 0; found < 64; n++) {
      bool prime = true;
      for (int d = 2; d * d <= n; d++) prime = prime && n % d != 0;
      if (!prime) continue;
      if (found < 8) h_[found] = fraction(std::sqrt(double(n)));
      k_[found++] = fraction(std::cbrt(double(n)));
    }
  }
  void add(std::string_view data) {
    bits_ += 8 * uint64_t(data.size());
    while (!rest_.empty() && !data.empty()) take(data, 1);
    for (; data.size() >= 64; data.remove_prefix(64)) block(data.data());
    while (!data.empty()) take(data, data.size());
  }
  std::string hex() {
    rest_ += char(0x80);
    while (rest_.size() % 64 != 56) rest_ += char(0);
    for (int i = 7; i >= 0; i--) rest_ += char(bits_ >> (8 * i) & 255);
    for (size_t at = 0; at < rest_.size(); at += 64) block(rest_.data() + at);
    std::string hex;
    for (uint32_t x : h_)
      for (int i = 28; i >= 0; i -= 4) hex += "0123456789abcdef"[x >> i & 15];
    return hex;
  }

 private:
  uint32_t k_[64], h_[8];
  uint64_t bits_ = 0;
  std::string rest_;  // less than a block

  void take(std::string_view &data, size_t n) {
    rest_ += data.substr(0, n);
    data.remove_prefix(n);
    if (rest_.size() < 64) return;
    block(rest_.data());
    rest_.clear();
  }
  void block(const char *data) {
    const auto rotate = [](uint32_t x, int n) { return x >> n | x << (32 - n); };
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) {
      w[i] = 0;
      for (int j = 0; j < 4; j++) w[i] = w[i] << 8 | uint8_t(data[4 * i + j]);
    }
    for (int i = 16; i < 64; i++) {
      const uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < 8; i++) s[i] = h_[i];
    for (int i = 0; i < 64; i++) {
      const uint32_t t1 =
          s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k_[i] + w[i];
      const uint32_t t2 =
          (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      for (int j = 7; j > 0; j--) s[j] = s[j - 1];
      s[4] += t1;
      s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) h_[i] += s[i];
  }
};

inline std::string sha256_hex(std::string_view data) {
  Sha256 h;
  h.add(data);
  return h.hex();
}

}  // namespace test
