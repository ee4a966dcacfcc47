// SPDX-License-Identifier: Apache-2.0
// Registers of sixteen bytes, WebAssembly's, and a pair of them as a vector.  Include only where SIMD128 is enabled.
#pragma once
#include <wasm_simd128.h>

#include "backend/wide/vector_pair.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct WasmRegister {
  v128_t v;

  static WasmRegister zero() { return {wasm_i64x2_const_splat(0)}; }
  static WasmRegister load(const uint8_t *p) { return {wasm_v128_load(p)}; }
  static WasmRegister load_words(const uint8_t *a, const uint8_t *b) {
    return {wasm_v128_load64_lane(b, wasm_v128_load64_zero(a), 1)};
  }
  void store(uint8_t *p) const { wasm_v128_store(p, v); }
  static WasmRegister broadcast1(uint8_t byte) { return {wasm_u8x16_splat(byte)}; }
  static WasmRegister broadcast4(const uint8_t *p) { return {wasm_v128_load32_splat(p)}; }
  friend WasmRegister operator^(WasmRegister a, WasmRegister b) { return {wasm_v128_xor(a.v, b.v)}; }
  friend WasmRegister operator&(WasmRegister a, WasmRegister b) { return {wasm_v128_and(a.v, b.v)}; }
  WasmRegister low_nibbles() const { return {wasm_v128_and(v, wasm_u8x16_const_splat(15))}; }
  WasmRegister high_nibbles() const { return {wasm_u8x16_shr(v, 4)}; }
  WasmRegister low_to_high() const { return {wasm_i8x16_shl(v, 4)}; }
  static WasmRegister equal(WasmRegister a, WasmRegister b) { return {wasm_i8x16_eq(a.v, b.v)}; }
  static WasmRegister look_up(WasmRegister table, WasmRegister index) {
    return ct_propagate([](WasmRegister t, WasmRegister i) { return WasmRegister{wasm_i8x16_swizzle(t.v, i.v)}; }, table, index);
  }
  // The first words of a and b; the second ones.
  static WasmRegister first_words(WasmRegister a, WasmRegister b) { return {wasm_i64x2_shuffle(a.v, b.v, 0, 2)}; }
  static WasmRegister second_words(WasmRegister a, WasmRegister b) { return {wasm_i64x2_shuffle(a.v, b.v, 1, 3)}; }
  // Of 32 bytes (low, high) numbered from `first` on, byte number_i where there is one; else r's byte i.
  [[gnu::noinline]] static WasmRegister replaced(WasmRegister r, WasmRegister low, WasmRegister high, WasmRegister numbers,
                                                 int first) {
    const WasmRegister n{wasm_i8x16_sub(numbers.v, wasm_u8x16_splat(uint8_t(first)))};
    const WasmRegister m{wasm_i8x16_sub(n.v, wasm_u8x16_const_splat(16))};
    const v128_t found = wasm_v128_or(look_up(low, n).v, look_up(high, m).v);
    return {wasm_v128_bitselect(found, r.v, wasm_u8x16_lt(n.v, wasm_u8x16_const_splat(32)))};
  }
  uint64_t first_word() const { return uint64_t(wasm_i64x2_extract_lane(v, 0)); }
  // Bit i: byte i is not zero; of b, bit 16 + i.
  static uint32_t nonzero_bytes(WasmRegister a, WasmRegister b) {
    const v128_t zero = wasm_i64x2_const_splat(0);
    return wasm_i8x16_bitmask(wasm_i8x16_ne(a.v, zero)) | wasm_i8x16_bitmask(wasm_i8x16_ne(b.v, zero)) << 16;
  }
  // For each of sixteen bytes f the sixteen bytes 0, f, x f, (x + 1) f .. (both nibbles of f are multiplied).
  static void product_tables(uint8_t (*to)[16], WasmRegister factors) {
    multiples(to, factors.v, [](v128_t a) {
      const v128_t rest = wasm_v128_and(a, wasm_u8x16_const_splat(0x77));
      const v128_t top = wasm_v128_and(wasm_u8x16_shr(a, 3), wasm_u8x16_const_splat(0x11));
      return wasm_v128_xor(wasm_i8x16_add(rest, rest), wasm_v128_xor(top, wasm_i8x16_add(top, top)));
    });
  }
  // The same in GF(256); and the sixteen bytes 0, x^4 f, x^5 f, (x^5 + x^4) f ..
  static void product_tables256(uint8_t (*low)[16], uint8_t (*high)[16], WasmRegister factors) {
    const auto times_x = [](v128_t a) {
      const v128_t top = wasm_i8x16_shr(a, 7);
      return wasm_v128_xor(wasm_i8x16_add(a, a), wasm_v128_and(top, wasm_u8x16_const_splat(0x1b)));
    };
    multiples(high, multiples(low, factors.v, times_x), times_x);
  }

 private:
  static v128_t first_bytes(v128_t a, v128_t b) {
    return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  }
  static v128_t second_bytes(v128_t a, v128_t b) {
    return wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
  // Returns x^4 f.
  template <class TimesX> static v128_t multiples(uint8_t (*to)[16], v128_t f, TimesX times_x) {
    v128_t a[16], b[16];
    a[0] = wasm_i64x2_const_splat(0);
#pragma GCC unroll 4
    for (int bit = 0; bit < 4; bit++) {
#pragma GCC unroll 8
      for (int i = 0; i < 1 << bit; i++) a[(1 << bit) + i] = i == 0 ? f : wasm_v128_xor(a[i], f);
      f = times_x(f);
    }
    // A transposition.  Four times: registers i and i + 8 are interleaved byte by byte to 2i and 2i + 1.
#pragma GCC unroll 2
    for (int twice = 0; twice < 2; twice++) {
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) b[2 * i] = first_bytes(a[i], a[i + 8]), b[2 * i + 1] = second_bytes(a[i], a[i + 8]);
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) a[2 * i] = first_bytes(b[i], b[i + 8]), a[2 * i + 1] = second_bytes(b[i], b[i + 8]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) wasm_v128_store(to[i], a[i]);
    return f;
  }
};
using VectorWasm = VectorPair<WasmRegister>;

}  // namespace AIOLI_ISA
}  // namespace aioli
