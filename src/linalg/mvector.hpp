// SPDX-License-Identifier: Apache-2.0
// m-vectors: one coefficient for each of the m equations.  Also read as polynomials in z of degree < m, modulo f(z).
#pragma once
#include "base/bytes.hpp"
#include "field/gf16.hpp"

namespace aioli::inline AIOLI_ISA {

template <class P> struct Mvector {
  static constexpr int words = gf16::words(P::m), bytes = (P::m + 1) / 2;
  static constexpr uint64_t last_mask = gf16::first(P::m - (words - 1) * gf16::per_word);
  uint64_t w[words];  // element i of word i / 16; elements past m are zero

  GF16 operator[](int i) const { return gf16::get(w, i); }
  void zero() {
    for (auto &x : w) x = 0;
  }
  Mvector &operator+=(const Mvector &b) {
    for (int i = 0; i < words; i++) w[i] ^= b.w[i];
    return *this;
  }
  // Packed bytes at any address.  With m odd the last half byte is no element: ignored here, written as zero by `store`.
  void load(const uint8_t *p) {
    for (int i = 0; i < words - 1; i++) w[i] = load64(p + 8 * i);
    w[words - 1] = load_partial(p + 8 * (words - 1), bytes - 8 * (words - 1));
    if constexpr (P::m % 2 != 0) w[words - 1] &= last_mask;
  }
  void store(uint8_t *p) const {
    for (int i = 0; i < words - 1; i++) store64(p + 8 * i, w[i]);
    store_partial(p + 8 * (words - 1), w[words - 1], bytes - 8 * (words - 1));
  }
  friend bool operator==(const Mvector &a, const Mvector &b) {
    uint64_t d = 0;
    for (int i = 0; i < words; i++) d |= a.w[i] ^ b.w[i];
    return d == 0;
  }
};

// m-vectors a_j with zeros before and behind them, so that z^e a_j, e <= Degree even, is read at a lower address; and where that is for the
// exponents e_j of one sum.
template <class P, int Count, int Degree> struct Shiftable {
  static constexpr int before = Degree / 2, words = gf16::words(P::m + Degree), each = before + 8 * words;
  uint8_t a[Count * each];

  void set(int j, const Mvector<P> &from) {
    aioli::AIOLI_ISA::zero(a + j * each, before);
    for (int i = 0; i < words; i++) store64(a + j * each + before + 8 * i, i < Mvector<P>::words ? from.w[i] : 0);
  }
  struct Shifts {
    uint16_t offset[Count];  // those with even e_j first; odd e_j as e_j - 1
    int even = 0;

    consteval Shifts() : offset{} {}
    consteval explicit Shifts(const uint8_t (&e)[Count]) : Shifts() {
      int n = 0;
      for (int odd = 0; odd < 2; odd++)
        for (int j = 0; j < Count; j++)
          if (e[j] % 2 == odd) offset[n++] = uint16_t(j * each + before - e[j] / 2), even += 1 - odd;
    }
  };
  // w = sum of z^e_j a_j, j from `first` on and before `end`, odd e_j less one.
  void sum(uint64_t (&w)[words], const Shifts &shifts, int first, int end) const {
    uint64_t s[words] = {};
    for (int j = first; j < end; j++) {
      const uint8_t *p = a + shifts.offset[j];
#pragma GCC unroll 16  // keeps the sums in registers
      for (int i = 0; i < words; i++) s[i] ^= load64(p + 8 * i);
    }
    for (int i = 0; i < words; i++) w[i] = s[i];
  }
};

// A sum of z^e a over many e <= Degree: shifted into place, reduced modulo f(z) once at the end.
template <class P, int Degree> struct Wide {
  static constexpr int words = gf16::words(P::m + Degree);
  uint64_t w[words];

  void zero() {
    for (auto &x : w) x = 0;
  }
  // += z^e a; e is public.
  void add_shifted(const Mvector<P> &a, int e) {
    const int word = e / gf16::per_word, bits = 4 * (e % gf16::per_word);
    if (bits == 0) {
      for (int i = 0; i < Mvector<P>::words; i++) w[word + i] ^= a.w[i];
      return;
    }
    uint64_t carry = 0;
    for (int i = 0; i < Mvector<P>::words; i++) {
      w[word + i] ^= a.w[i] << bits | carry;
      carry = a.w[i] >> (64 - bits);
    }
    if (word + Mvector<P>::words < words) w[word + Mvector<P>::words] ^= carry;
  }
  // = sum over j of z^e_j a_j
  template <int Count>
  void set(const Shiftable<P, Count, Degree> &a, const typename Shiftable<P, Count, Degree>::Shifts &shifts) {
    uint64_t odd[words], carry = 0;
    a.sum(w, shifts, 0, shifts.even);
    a.sum(odd, shifts, shifts.even, Count);
    for (int i = 0; i < words; i++) {
      w[i] ^= odd[i] << 4 | carry;
      carry = odd[i] >> 60;
    }
  }
  // to = this mod f(z), f(z) = z^m + f_4 z^4 + .. + f_0 with f_j in hexadecimal digit j of P::f_tail.
  void reduce(Mvector<P> &to) const {
    static_assert(Degree - 1 + 4 < P::m, "one folding suffices");
    constexpr int from = P::m / gf16::per_word, bits = 4 * (P::m % gf16::per_word), high_words = gf16::words(Degree);
    for (int i = 0; i < Mvector<P>::words; i++) to.w[i] = w[i];
    to.w[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
    for (int i = 0; i < high_words; i++) {
      uint64_t high = w[from + i] >> bits;  // elements m + 16 i .. m + 16 i + 15
      if (bits != 0 && from + i + 1 < words) high |= w[from + i + 1] << ((64 - bits) % 64);
      const gf16::Multiples multiples = gf16::multiples(high);
#pragma GCC unroll 5  // then the coefficients of f, which are constants, leave little of it
      for (int j = 0; j < 5; j++) {
        uint64_t product = 0;
#pragma GCC unroll 4
        for (int b = 0; b < 4; b++)
          if (P::f_tail >> (4 * j + b) & 1) product ^= multiples.w[b];
        to.w[i] ^= product << (4 * j);
        if (j > 0 && i + 1 < Mvector<P>::words) to.w[i + 1] ^= product >> ((64 - 4 * j) % 64);
      }
    }
  }
};

}  // namespace aioli::inline AIOLI_ISA
