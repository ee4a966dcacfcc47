// SPDX-License-Identifier: Apache-2.0
// A vector of thirty-two bytes for ShuffleKernels made of two registers of sixteen, for processors that have no longer ones.
#pragma once
#include "backend/wide/vector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// H: a register of sixteen bytes with the operations below; nothing ever moves from one register to the other.  What H has of the
// operations that there are defaults for, each of them for one register, replaces the default.
template <class H> struct VectorPair : ShuffleDefaults<VectorPair<H>> {
  using Defaults = ShuffleDefaults<VectorPair<H>>;
  H first, second;

  VectorPair() = default;
  VectorPair(H a, H b) : first(a), second(b) {}
  static VectorPair zero() { return {H::zero(), H::zero()}; }
  static VectorPair load(const uint8_t *p) { return halves(p, p + 16); }
  void store(uint8_t *p) const { first.store(p), second.store(p + 16); }
  static VectorPair halves(const uint8_t *a, const uint8_t *b) { return {H::load(a), H::load(b)}; }
  static VectorPair quarters(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d) {
    return {H::load_words(a, b), H::load_words(c, d)};
  }
  static VectorPair broadcast1(uint8_t byte) { return {H::broadcast1(byte), H::broadcast1(byte)}; }
  friend VectorPair operator^(VectorPair a, VectorPair b) { return {a.first ^ b.first, a.second ^ b.second}; }
  friend VectorPair operator&(VectorPair a, VectorPair b) { return {a.first & b.first, a.second & b.second}; }
  VectorPair low_nibbles() const { return {first.low_nibbles(), second.low_nibbles()}; }
  VectorPair high_nibbles() const { return {first.high_nibbles(), second.high_nibbles()}; }
  VectorPair low_to_high() const { return {first.low_to_high(), second.low_to_high()}; }
  static VectorPair look_up(VectorPair table, VectorPair index) {
    return {H::look_up(table.first, index.first), H::look_up(table.second, index.second)};
  }
  static VectorPair equal(VectorPair a, VectorPair b) { return {H::equal(a.first, b.first), H::equal(a.second, b.second)}; }
  static VectorPair first_halves(VectorPair a, VectorPair b) { return {a.first, b.first}; }
  static VectorPair second_halves(VectorPair a, VectorPair b) { return {a.second, b.second}; }

  static VectorPair broadcast4(const uint8_t *p) {
    if constexpr (requires { H::broadcast4(p); })
      return {H::broadcast4(p), H::broadcast4(p)};
    else
      return Defaults::broadcast4(p);
  }
  static void transpose_quarters(VectorPair (&r)[4]) {
    if constexpr (requires(H a) { H::first_words(a, a), H::second_words(a, a); }) {
      const VectorPair a = r[0], b = r[1], c = r[2], d = r[3];
      r[0] = {H::first_words(a.first, b.first), H::first_words(c.first, d.first)};
      r[1] = {H::second_words(a.first, b.first), H::second_words(c.first, d.first)};
      r[2] = {H::first_words(a.second, b.second), H::first_words(c.second, d.second)};
      r[3] = {H::second_words(a.second, b.second), H::second_words(c.second, d.second)};
    } else {
      Defaults::transpose_quarters(r);
    }
  }
  static void product_tables(uint8_t (*to)[16], const uint8_t *factors) {
    if constexpr (requires(H a) { H::product_tables(to, a); })
      H::product_tables(to, H::load(factors)), H::product_tables(to + 16, H::load(factors + 16));
    else
      Defaults::product_tables(to, factors);
  }
  static void product_tables256(uint8_t (*low)[16], uint8_t (*high)[16], VectorPair factors) {
    if constexpr (requires(H a) { H::product_tables256(low, high, a); })
      H::product_tables256(low, high, factors.first), H::product_tables256(low + 16, high + 16, factors.second);
    else
      Defaults::product_tables256(low, high, factors);
  }
  template <int parts> static VectorPair chosen(const VectorPair (&a)[parts], VectorPair numbers) {
    if constexpr (requires(H n) { H::replaced(n, n, n, n, 0); }) {
      H r = H::zero();
#pragma GCC unroll 8
      for (int i = 0; i < parts; i++) r = H::replaced(r, a[i].first, a[i].second, numbers.first, 32 * i);
      return {r, r};
    } else {
      return Defaults::chosen(a, numbers);
    }
  }
  static VectorPair inverse_of_all(VectorPair a) {
    if constexpr (requires { H::inverses(a.first); }) {
      const H r = H::inverses(a.first);
      return {r, r};
    } else {
      return Defaults::inverse_of_all(a);
    }
  }
  static uint64_t first_word(VectorPair a) {
    if constexpr (requires { a.first.first_word(); })
      return a.first.first_word();
    else
      return Defaults::first_word(a);
  }
  static uint32_t nonzero_bytes(VectorPair a) {
    if constexpr (requires { H::nonzero_bytes(a.first, a.second); })
      return H::nonzero_bytes(a.first, a.second);
    else
      return Defaults::nonzero_bytes(a);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
