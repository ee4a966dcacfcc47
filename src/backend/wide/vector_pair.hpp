// SPDX-License-Identifier: Apache-2.0
// A vector of thirty-two bytes for ShuffleKernels made of two registers of sixteen, for processors that have no longer ones.
#pragma once
#include "backend/wide/vector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// H: a register of sixteen bytes with the operations below; nothing ever moves from one register to the other.
template <class H> struct VectorPair : ShuffleDefaults<VectorPair<H>> {
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
};

}  // namespace AIOLI_ISA
}  // namespace aioli
