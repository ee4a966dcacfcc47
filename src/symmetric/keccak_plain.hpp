// SPDX-License-Identifier: Apache-2.0
// One word of each of N states, in plain C++: what the vectors of keccak_avx2.hpp and keccak_avx512.hpp mean.  For tests, on any
// machine and under any checker.
#pragma once
#include "base/bytes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <int N> struct KeccakPlain {
  static constexpr int lanes = N;
  static constexpr bool inverts = false;  // keccak_round.hpp
  uint64_t v[N];

  static KeccakPlain zero() { return broadcast(0); }
  static KeccakPlain broadcast(uint64_t w) {
    return each([&](int) { return w; });
  }
  // N words as they lie in memory; the little-endian word at an offset from each of N places.
  static KeccakPlain load(const uint64_t (&w)[N]) {
    return each([&](int i) { return w[i]; });
  }
  static KeccakPlain gather(const uint8_t *const (&p)[N], int offset) {
    return each([&](int i) { return load64(p[i] + offset); });
  }
  friend KeccakPlain operator^(const KeccakPlain &a, const KeccakPlain &b) {
    return each([&](int i) { return a.v[i] ^ b.v[i]; });
  }
  friend KeccakPlain operator&(const KeccakPlain &a, const KeccakPlain &b) {
    return each([&](int i) { return a.v[i] & b.v[i]; });
  }
  template <int n> KeccakPlain rotate() const {
    return each([&](int i) { return n == 0 ? v[i] : v[i] << n | v[i] >> (64 - n) % 64; });
  }
  static KeccakPlain sum(const KeccakPlain &a, const KeccakPlain &b, const KeccakPlain &c) { return a ^ b ^ c; }
  static KeccakPlain chi(const KeccakPlain &a, const KeccakPlain &b, const KeccakPlain &c) {
    return each([&](int i) { return a.v[i] ^ (~b.v[i] & c.v[i]); });
  }

 private:
  template <class F> static KeccakPlain each(const F &f) {
    KeccakPlain r;
    for (int i = 0; i < N; i++) r.v[i] = f(i);
    return r;
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
