// SPDX-License-Identifier: Apache-2.0
// m-vectors: one coefficient for each of the m equations.  Also read as polynomials in z of degree < m, modulo f(z).
#pragma once
#include "base/bytes.hpp"
#include "field/field_of.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P> struct Mvector {
  using F = FieldOf<P>;
  static constexpr int words = F::words(P::m), bytes = F::bytes(P::m);
  static constexpr uint64_t last_mask = F::first(P::m - (words - 1) * F::per_word);
  uint64_t w[words];  // elements packed, the first lowest; elements past m are zero

  typename F::Element operator[](int i) const { return F::get(w, i); }
  void zero() {
    for (auto &x : w) x = 0;
  }
  Mvector &operator+=(const Mvector &b) {
    for (int i = 0; i < words; i++) w[i] ^= b.w[i];
    return *this;
  }
  // Packed bytes at any address.  With m odd over GF(16) the last half byte is no element: ignored here, written as zero by
  // `store`.
  void load(const uint8_t *p) {
    for (int i = 0; i < words - 1; i++) w[i] = load64(p + 8 * i);
    w[words - 1] = load_partial(p + 8 * (words - 1), bytes - 8 * (words - 1));
    if constexpr (P::m * F::bits != 8 * bytes) w[words - 1] &= last_mask;
  }
  // For who writes the packed bytes where the words are; bits past m are ignored.
  uint8_t *in_place() { return reinterpret_cast<uint8_t *>(w); }
  void load_in_place() {
    for (auto &x : w) x = load64(reinterpret_cast<const uint8_t *>(&x));
    if (last_mask != ~uint64_t(0)) w[words - 1] &= last_mask;
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

// Words of as many m-vectors side by side, for vector registers.
template <int Lanes> struct WordOf {
  typedef uint64_t type __attribute__((vector_size(8 * Lanes), may_alias));
};
template <> struct WordOf<1> {
  using type = uint64_t;
};

// m-vectors a_j, each for some sums side by side, and what the sums of z^e_j a_j, e_j <= Degree, have to know of the exponents.
template <class P, int Count, int Degree, int Lanes = at_once> struct Shiftable {
  static constexpr int height = Mvector<P>::words, whole = Degree / gf16::per_word + 1;
  using Word = typename WordOf<Lanes>::type;
  alignas(Word) uint64_t a[Count][height][Lanes];

  void set(int j, const Mvector<P> *from, int count) {  // the sums past `count` are nobody's
    for (int c = 0; c < Lanes; c++)
      for (int i = 0; i < height; i++) a[j][i][c] = from[c < count ? c : 0].w[i];
  }
  struct Shifts {  // sorted by whole words
    uint8_t index[Count]{}, bits[Count]{}, end[whole]{};

    consteval Shifts() {}
    consteval explicit Shifts(const uint8_t (&e)[Count]) {
      uint8_t n = 0;
      for (int word = 0; word < whole; word++) {
        for (int j = 0; j < Count; j++)
          if (e[j] / gf16::per_word == word) index[n] = uint8_t(j), bits[n] = uint8_t(4 * (e[j] % gf16::per_word)), n++;
        end[word] = n;
      }
    }
  };
  // w = sum of z^e_j a_j.  The part that can still change is in registers.
  void sum(Word (&w)[gf16::words(P::m + Degree)], const Shifts &shifts) const {
    Word s[height + 1] = {};
    int n = 0;
    for (int word = 0; word < whole; word++) {
      for (; n < shifts.end[word]; n++) {
        const Word *from = reinterpret_cast<const Word *>(a[shifts.index[n]][0]);
        const int bits = shifts.bits[n];
        if (bits == 0) {
#pragma GCC unroll 16
          for (int i = 0; i < height; i++) s[i] ^= from[i];
        } else {
          Word carry{};
#pragma GCC unroll 16
          for (int i = 0; i < height; i++) {
            const Word next = from[i];
            s[i] ^= next << bits | carry;
            carry = next >> (64 - bits);
          }
          s[height] ^= carry;
        }
      }
      w[word] = s[0];
      Word next[height];  // clang 19 makes one move of memory of a loop that moves s itself
#pragma GCC unroll 16
      for (int i = 0; i < height; i++) next[i] = s[i + 1];
#pragma GCC unroll 16
      for (int i = 0; i < height; i++) s[i] = next[i];
      s[height] = Word{};
    }
#pragma GCC unroll 16
    for (int i = 0; i < height; i++)
      if (whole + i < gf16::words(P::m + Degree)) w[whole + i] = s[i];
  }
};

// One sum: with zeros before and behind the a_j, so that z^e a_j, e <= Degree even, is read at a lower address; and where that
// is.
template <class P, int Count, int Degree> struct Shiftable<P, Count, Degree, 1> {
  static constexpr int before = Degree / 2, words = gf16::words(P::m + Degree), each = before + 8 * words;
  uint8_t a[Count * each];

  void set(int j, const Mvector<P> *from, int) {
    aioli::AIOLI_ISA::zero(a + j * each, before);
    for (int i = 0; i < words; i++) store64(a + j * each + before + 8 * i, i < Mvector<P>::words ? from->w[i] : 0);
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

// Sums of z^e a over many e <= Degree: shifted into place, reduced modulo f(z) once at the end.
template <class P, int Degree, int Lanes = 1> struct Wide {
  using Word = typename WordOf<Lanes>::type;
  static constexpr int words = gf16::words(P::m + Degree);
  Word w[words];

  void zero() {
    for (auto &x : w) x = Word{};
  }
  // += z^e a; e is public.
  void add_shifted(const Mvector<P> &a, int e) {
    const int word = quotient(e, gf16::per_word), bits = 4 * remainder(e, gf16::per_word);
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
  void set(const Shiftable<P, Count, Degree, Lanes> &a, const typename Shiftable<P, Count, Degree, Lanes>::Shifts &shifts) {
    if constexpr (Lanes > 1) {
      a.sum(w, shifts);
    } else {
      uint64_t odd[words], carry = 0;
      a.sum(w, shifts, 0, shifts.even);
      a.sum(odd, shifts, shifts.even, Count);
      for (int i = 0; i < words; i++) {
        w[i] ^= odd[i] << 4 | carry;
        carry = odd[i] >> 60;
      }
    }
  }
  // to[c] = sum c mod f(z), c < count <= Lanes; f(z) = z^m + f_4 z^4 + .. + f_0 with f_j in hexadecimal digit j of P::f_tail.
  void reduce(Mvector<P> *to, int count = 1) const {
    static_assert(Degree - 1 + 4 < P::m, "one folding suffices");
    constexpr int from = P::m / gf16::per_word, bits = 4 * (P::m % gf16::per_word), high_words = gf16::words(Degree);
    Word r[Mvector<P>::words];
    for (int i = 0; i < Mvector<P>::words; i++) r[i] = w[i];
    r[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
#pragma GCC unroll 8
    for (int i = 0; i < high_words; i++) {
      Word high = w[from + i] >> bits;  // elements m + 16 i .. m + 16 i + 15
      if (bits != 0 && from + i + 1 < words) high |= w[from + i + 1] << ((64 - bits) % 64);
      Word multiples[4] = {high};  // by powers of x
      for (int b = 1; b < 4; b++) gf16::set_times_x(multiples[b], multiples[b - 1]);
#pragma GCC unroll 5  // then the coefficients of f, which are constants, leave little of it
      for (int j = 0; j < 5; j++) {
        Word product{};
#pragma GCC unroll 4
        for (int b = 0; b < 4; b++)
          if (P::f_tail >> (4 * j + b) & 1) product ^= multiples[b];
        r[i] ^= product << (4 * j);
        if (j > 0 && i + 1 < Mvector<P>::words) r[i + 1] ^= product >> ((64 - 4 * j) % 64);
      }
    }
    uint64_t of[Mvector<P>::words][Lanes];
    __builtin_memcpy(of, r, sizeof of);
    for (int c = 0; c < Lanes && c < count; c++)
      for (int i = 0; i < Mvector<P>::words; i++) to[c].w[i] = of[i][c];
  }
};

// y = sum of z^e u_e modulo f(z), each e < Count once, in any order.
template <class P, int Count, bool Vectors = (at_once > 1)> class PowerSum {
 public:
  void start() { sum_.zero(); }
  template <class Get> void add(int e, const Get &get_u) {
    get_u(u_);
    sum_.add_shifted(u_, e);
  }
  void finish(Mvector<P> &y) { sum_.reduce(&y); }

 private:
  Wide<P, Count> sum_;
  Mvector<P> u_;
};

// With vector registers: all u_e one behind the other, with zeros between them.  So z^e u_e, e even, is what stands from e / 2
// bytes before it on.
template <class P, int Count> class PowerSum<P, Count, true> {
 public:
  void start() {
    for (auto &x : behind_) x = 0;  // read, but not used
  }
  template <class Get> void add(int e, const Get &get_u) {
    get_u(term_[e].u);
    for (auto &x : term_[e].zeros) x = 0;
  }
  void finish(Mvector<P> &y) {
    uint64_t even[padded], odd[padded], carry = 0;
    sum(even, 0), sum(odd, 1);
    Wide<P, Count> all;
    for (int i = 0; i < words; i++) {
      all.w[i] = even[i] ^ odd[i] << 4 ^ carry;
      carry = odd[i] >> 60;
    }
    all.reduce(&y);
    wipe(even, sizeof even), wipe(odd, sizeof odd), wipe(&all, sizeof all);
  }

 private:
  using Word = typename WordOf<at_once>::type;
  static constexpr int words = Wide<P, Count>::words;
  // Zeros behind each u_e: as many as the words of the sum take there, and as the next one, read from (Count - 1) / 2 bytes
  // before it at most.
  static constexpr int behind_u = words - Mvector<P>::words, before_next = ((Count - 1) / 2 + 7) / 8;
  static constexpr int gap = behind_u > before_next ? behind_u : before_next;
  static constexpr int registers = (words + at_once - 1) / at_once, padded = registers * at_once;
#if defined(__BYTE_ORDER__)  // asked where it is used: big-endian machines read this header, too
  static_assert(Count < 0 || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words at any byte are words of the nibble string");
#endif
  struct Term {
    Mvector<P> u;
    uint64_t zeros[gap];
  };
  Term term_[Count];  // before term 0 nothing is read, before term 1 neither
  uint64_t behind_[padded - words + 1];

  // Terms first, first + 2 ..; the first word is e / 2 bytes before term e.
  [[gnu::always_inline]] void sum(uint64_t (&to)[padded], int first) const {
    Word s[registers] = {};
    const uint8_t *p = reinterpret_cast<const uint8_t *>(&term_[first]);
    for (int e = first; e < Count; e += 2, p += 2 * sizeof(Term) - 1) {
#pragma GCC unroll 8
      for (int r = 0; r < registers; r++) {
        Word x;
        __builtin_memcpy(&x, p + r * sizeof x, sizeof x);
        s[r] ^= x;
      }
    }
    __builtin_memcpy(to, s, sizeof s);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
