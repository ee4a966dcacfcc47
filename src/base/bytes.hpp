// SPDX-License-Identifier: Apache-2.0
// Bytes and little-endian words on any machine.
#pragma once
#include "base/numbers.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <int N> struct Bytes {
  uint8_t b[N];
  constexpr uint8_t &operator[](int i) { return b[i]; }
  constexpr const uint8_t &operator[](int i) const { return b[i]; }
  static constexpr int size = N;
};

struct View {  // bytes of somebody else
  const uint8_t *p;
  size_t n;
};
template <int N> constexpr View view(const Bytes<N> &b) { return {b.b, size_t(N)}; }
constexpr View view(View v) { return v; }

inline void copy(uint8_t *to, const uint8_t *from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = from[i];
}
// For kilobytes: the C library has the fastest instructions of the processor that runs.
inline void copy_long(uint8_t *to, const uint8_t *from, size_t n) {
  if (n > 0) __builtin_memcpy(to, from, n);
}
inline void zero(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = 0;
}

// A word as it lies in memory is the little-endian one where the machine is little-endian; compilers do not find that out by
// themselves everywhere (gcc takes the eight bytes of a store for a vector).
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
inline uint32_t load32(const uint8_t *p) {
  uint32_t w;
  __builtin_memcpy(&w, p, sizeof w);
  return w;
}
inline uint64_t load64(const uint8_t *p) {
  uint64_t w;
  __builtin_memcpy(&w, p, sizeof w);
  return w;
}
inline void store32(uint8_t *p, uint32_t w) { __builtin_memcpy(p, &w, sizeof w); }
inline void store64(uint8_t *p, uint64_t w) { __builtin_memcpy(p, &w, sizeof w); }
#else
inline uint32_t load32(const uint8_t *p) {
  return uint32_t(p[0]) | uint32_t(p[1]) << 8 | uint32_t(p[2]) << 16 | uint32_t(p[3]) << 24;
}
inline uint64_t load64(const uint8_t *p) { return uint64_t(load32(p)) | uint64_t(load32(p + 4)) << 32; }
inline void store32(uint8_t *p, uint32_t w) {
  for (int i = 0; i < 4; i++) p[i] = uint8_t(w >> (8 * i));
}
inline void store64(uint8_t *p, uint64_t w) {
  for (int i = 0; i < 8; i++) p[i] = uint8_t(w >> (8 * i));
}
#endif
inline uint32_t load32_big_endian(const uint8_t *p) {
  return uint32_t(p[3]) | uint32_t(p[2]) << 8 | uint32_t(p[1]) << 16 | uint32_t(p[0]) << 24;
}
inline void store32_big_endian(uint8_t *p, uint32_t w) {
  for (int i = 0; i < 4; i++) p[i] = uint8_t(w >> (24 - 8 * i));
}

// n <= 8 bytes, little-endian; the rest of the word is zero.
inline uint64_t load_partial(const uint8_t *p, int n) {
  if (n == 8) return load64(p);
  uint64_t w = 0;
  for (int i = 0; i < n; i++) w |= uint64_t(p[i]) << (8 * i);
  return w;
}
inline void store_partial(uint8_t *p, uint64_t w, int n) {
  if (n == 8)
    store64(p, w);
  else
    for (int i = 0; i < n; i++) p[i] = uint8_t(w >> (8 * i));
}

}  // namespace AIOLI_ISA
}  // namespace aioli
