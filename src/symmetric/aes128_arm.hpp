// SPDX-License-Identifier: Apache-2.0
// AES-128 counter mode on 64-bit ARM, several blocks in flight: with the AES instructions of ARMv8 where they are enabled (AESE
// adds the key before SubBytes and ShiftRows, AESMC is MixColumns), or by byte shuffles.
#pragma once
#include <arm_neon.h>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "symmetric/aes_table.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

#if defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO)
struct AesByInstructions {
  static constexpr int registers = 8;
  static uint8x16_t last_round(uint8x16_t state, uint8x16_t key) { return vaeseq_u8(state, key); }
  static uint8x16_t round(uint8x16_t state, uint8x16_t key) { return vaesmcq_u8(vaeseq_u8(state, key)); }
};
#endif

struct AesShuffles {
  alignas(64) uint8_t s_box[256], shift_rows[16], one_on[16];
  consteval AesShuffles() : s_box{}, shift_rows{}, one_on{} {
    constexpr AesTable table = aes_table();
    for (int i = 0; i < 256; i++) s_box[i] = uint8_t(table.t[i]);
    for (int i = 0; i < 16; i++) shift_rows[i] = uint8_t(5 * i % 16), one_on[i] = uint8_t(i / 4 * 4 + (i + 1) % 4);
  }
};
// The S-box in sixteen registers, all of which every look-up passes: constant time.
struct AesByShuffles {
  static constexpr int registers = 4;
  static uint8x16_t last_round(uint8x16_t state, uint8x16_t key) {
    const uint8x16_t s = vqtbl1q_u8(veorq_u8(state, key), vld1q_u8(constants.shift_rows));
    uint8x16_t r = vqtbl4q_u8(vld1q_u8_x4(constants.s_box), s);
#pragma GCC unroll 3
    for (int i = 64; i < 256; i += 64) r = vqtbx4q_u8(r, vld1q_u8_x4(constants.s_box + i), vsubq_u8(s, vdupq_n_u8(uint8_t(i))));
    return r;
  }
  static uint8x16_t round(uint8x16_t state, uint8x16_t key) {
    // MixColumns makes 2 t_i + s_{i+1} + t_{i+2} of bytes s_0 .. s_3, where t_i = s_i + s_{i+1}.
    const uint8x16_t s = last_round(state, key), next = vqtbl1q_u8(s, vld1q_u8(constants.one_on)), t = veorq_u8(s, next);
    const uint8x16_t twice = veorq_u8(vshlq_n_u8(t, 1), vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(t)), vdupq_n_u8(0x1b)));
    return veorq_u8(veorq_u8(twice, next), vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(t))));
  }

 private:
  static constexpr AesShuffles constants{};
};

// For streams of a few hundred blocks.  R: round(state, key) = MixColumns(last_round(state, key)), last_round(state, key) =
// ShiftRows(SubBytes(state + key)), and how many blocks are in flight.
template <class R> struct Aes128ArmShort {
  static constexpr int registers = R::registers, batch = 8, ahead = 1;  // blocks; batches
  using Short = Aes128ArmShort;
  uint8x16_t round_key[11];
  uint8x16_t iv;

  void init(const uint8_t key[16], const uint8_t iv_bytes[16]) {
    uint8x16_t k = vld1q_u8(key);
    uint8_t constant = 1;
    round_key[0] = k;
    for (int i = 1; i <= 10; i++, constant = uint8_t(constant << 1 ^ (constant >> 7) * 0x1b)) {
      // Four equal columns stay as they are under ShiftRows: AESE is SubBytes of the last one, rotated by a look-up before.
      const uint8x16_t last = vqtbl1q_u8(k, vreinterpretq_u8_u32(vdupq_n_u32(0x0c0f0e0d)));
      const uint8x16_t g = veorq_u8(R::last_round(last, vdupq_n_u8(0)), vreinterpretq_u8_u32(vdupq_n_u32(constant)));
      k = veorq_u8(k, vextq_u8(vdupq_n_u8(0), k, 12));
      k = veorq_u8(k, vextq_u8(vdupq_n_u8(0), k, 8));
      round_key[i] = k = veorq_u8(k, g);
    }
    iv = vld1q_u8(iv_bytes);
  }
  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
    for (; blocks > 0; blocks -= registers, out += 16 * registers) {
      uint8x16_t s[registers];
      for (auto &x : s) x = counter_block(first++);
      encrypt<0>(out, s, round_key[0]);
    }
  }

 protected:
  uint8x16_t counter_block(uint32_t c) const {
    const uint32_t big_endian = __builtin_bswap32(c);
    return veorq_u8(iv, vreinterpretq_u8_u32(vsetq_lane_u32(big_endian, vdupq_n_u32(0), 3)));
  }
  // What is left after `done` rounds but for the key of the last of them.
  template <int done> [[gnu::always_inline]] void encrypt(uint8_t *out, uint8x16_t (&s)[registers], uint8x16_t key) const {
#pragma GCC unroll 9
    for (int r = done; r < 9; r++) {
#pragma GCC unroll 8
      for (auto &x : s) x = R::round(x, key);
      key = round_key[r + 1];
    }
#pragma GCC unroll 8
    for (int i = 0; i < registers; i++) vst1q_u8(out + 16 * i, veorq_u8(R::last_round(s[i], key), round_key[10]));
  }
};

// For long streams: of the ten rounds, two are done once for 256 blocks, as in aes128_ni.hpp.  (Streams of public seeds only:
// this looks nothing up by a secret, but it is they that are long.)
template <class R> struct Aes128Arm : Aes128ArmShort<R> {
  using Aes128ArmShort<R>::registers, Aes128ArmShort<R>::round_key, Aes128ArmShort<R>::counter_block;
  void init(const uint8_t key[16], const uint8_t iv_bytes[16]) {
    Aes128ArmShort<R>::init(key, iv_bytes);
    for (uint32_t i = 0; i < 256; i++) vst1q_u8(by_last_byte_[i], second_round(vandq_u8(first_round(i), first_column_mask())));
  }
  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
    while (blocks > 0) {
      // Bytes that were masked have gone through SubBytes as zeros, twice in all: 0x63 each, and MixColumns keeps that.
      const uint8x16_t rest = second_round(vbicq_u8(first_round(first), first_column_mask()));
      const uint8x16_t key = veorq_u8(veorq_u8(rest, round_key[2]), vdupq_n_u8(0x63));
      const uint32_t low = first % 256, end = low + blocks < 256 ? low + blocks : 256;
      for (uint32_t i = low; i < end; i += registers, out += 16 * registers) {
        uint8x16_t s[registers];
#pragma GCC unroll 8
        for (int j = 0; j < registers; j++) s[j] = vld1q_u8(by_last_byte_[i + uint32_t(j)]);
        this->template encrypt<2>(out, s, key);
      }
      first += end - low, blocks -= end - low;
    }
  }

 private:
  static uint8x16_t first_column_mask() { return vreinterpretq_u8_u32(vsetq_lane_u32(~0u, vdupq_n_u32(0), 0)); }
  uint8x16_t first_round(uint32_t counter) const {
    return veorq_u8(R::round(counter_block(counter), round_key[0]), round_key[1]);
  }
  static uint8x16_t second_round(uint8x16_t state) { return R::round(state, vdupq_n_u8(0)); }

  alignas(64) uint8_t by_last_byte_[256][16];
};

}  // namespace AIOLI_ISA
}  // namespace aioli
