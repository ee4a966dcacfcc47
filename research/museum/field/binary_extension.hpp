// SPDX-License-Identifier: Apache-2.0
// Large fields of characteristic 2, for schemes whose central map lives in one.  Not constant time.
#pragma once
#include <array>
#include <bit>
#include "museum/field/carryless.hpp"

namespace museum::field {

// GF(2^n) = F2[x] / (x^n + tail), bit i of an element the coefficient of x^i; n is no multiple of 64, the degree of tail at most
// n / 2 and 11.  That the modulus is irreducible is for the tests.
template <int n, unsigned tail> struct BinaryExtension {
  static constexpr int bits = n;
  static constexpr size_t words = (n + 63) / 64;
  static constexpr int top = n % 64;  // bits of the last word
  static_assert(top != 0 && 2 * std::bit_width(tail) <= n + 2 && std::bit_width(tail) <= 12);

  struct Element {
    std::array<uint64_t, words> word{};

    static Element of(uint64_t low) { return {{low}}; }
    bool bit(size_t i) const { return word[i / 64] >> i % 64 & 1; }
    void flip(size_t i) { word[i / 64] ^= uint64_t(1) << i % 64; }
    bool operator==(const Element &) const = default;
    explicit operator bool() const { return *this != Element(); }
    Element &operator+=(const Element &b) {
      for (size_t k = 0; k < words; k++) word[k] ^= b.word[k];
      return *this;
    }
    friend Element operator+(Element a, const Element &b) { return a += b; }
    friend Element operator*(const Element &a, const Element &b) {
      uint64_t p[2 * words];
      carryless_product<words>(p, a.word.data(), b.word.data());
      return reduced(p);
    }
  };

  static Element one() { return Element::of(1); }
  // a^(2^k).
  static Element power_of_two(Element a, size_t k) {
    for (; k > 0; k--) a = a * a;
    return a;
  }
  // a^(2^n - 2), by a^(2^k - 1) for k doubling (T. Itoh, S. Tsujii, 1988); of 0: 0.
  static Element inverse(const Element &a) {
    Element power = a;  // a^(2^k - 1)
    int k = 1;
    for (int bit = std::bit_width(unsigned(n - 1)) - 2; bit >= 0; bit--) {
      power = power * power_of_two(power, size_t(k)), k *= 2;
      if ((n - 1) >> bit & 1) power = power * power * a, k++;
    }
    return power * power;
  }
  // The sum of a^(2^i): an element of GF(2).
  static bool trace(const Element &a) {
    Element sum = a, power = a;
    for (int i = 1; i < n; i++) sum += power = power * power;
    return bool(sum);
  }
  // p, of 2 `words` words, modulo x^n + tail.
  static Element reduced(const uint64_t *p) {
    uint64_t high[words + 1] = {}, low[words + 1];
    for (size_t k = 0; k < words; k++) {
      const size_t i = words - 1 + k;  // the word in which the high part's word k begins
      high[k] = p[i] >> top | (i + 1 < 2 * words ? p[i + 1] << (64 - top) : 0);
      low[k] = p[k];
    }
    low[words - 1] &= ~uint64_t(0) >> (64 - top);
    low[words] = 0;
    // x^n = tail, twice: the first time may reach a few bits beyond n.
    fold(low, high);
    uint64_t rest[words + 1] = {low[words - 1] >> top | low[words] << (64 - top)};
    low[words - 1] &= ~uint64_t(0) >> (64 - top);
    fold(low, rest);
    Element e;
    for (size_t k = 0; k < words; k++) e.word[k] = low[k];
    return e;
  }

 private:
  // to += from * tail.
  static void fold(uint64_t *to, const uint64_t *from) {
    for (int s = 0; s < int(std::bit_width(tail)); s++) {
      if (!(tail >> s & 1)) continue;
      for (size_t k = 0; k <= words; k++) to[k] ^= from[k] << s | (k > 0 && s > 0 ? from[k - 1] >> (64 - s) : 0);
    }
  }
};

}  // namespace museum::field
