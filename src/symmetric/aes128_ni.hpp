// SPDX-License-Identifier: Apache-2.0
// AES-128 counter mode with the AES instructions of x86, eight registers in flight, of one block each or of several
// (aes128_vaes.hpp).  Include only where they are enabled.
#pragma once
#include <wmmintrin.h>

#include "base/bytes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Blocks whose last byte is their number: what differs between the counters of a batch, which begins at a multiple of its length.
struct BatchNumbers {
  alignas(64) uint8_t block[32][16]{};
  consteval BatchNumbers() {
    for (int i = 0; i < 32; i++) block[i][15] = uint8_t(i);
  }
};
inline constexpr BatchNumbers batch_numbers;

struct Aes128Keys {
  __m128i round_key[11];
  __m128i iv;

  void init(const uint8_t key[16], const uint8_t iv_bytes[16]) {
    __m128i k = _mm_loadu_si128(reinterpret_cast<const __m128i *>(key));
    round_key[0] = k;
    k = round_key[1] = next<0x01>(k);
    k = round_key[2] = next<0x02>(k);
    k = round_key[3] = next<0x04>(k);
    k = round_key[4] = next<0x08>(k);
    k = round_key[5] = next<0x10>(k);
    k = round_key[6] = next<0x20>(k);
    k = round_key[7] = next<0x40>(k);
    k = round_key[8] = next<0x80>(k);
    k = round_key[9] = next<0x1b>(k);
    round_key[10] = next<0x36>(k);
    iv = _mm_loadu_si128(reinterpret_cast<const __m128i *>(iv_bytes));
  }

 protected:
  // The state of block c before the first round.
  __m128i counter_block(uint32_t c) const {
    const uint32_t big_endian = c >> 24 | (c >> 8 & 0xff00) | (c << 8 & 0xff0000) | c << 24;
    return _mm_xor_si128(_mm_xor_si128(iv, round_key[0]), _mm_set_epi32(int(big_endian), 0, 0, 0));
  }

 private:
  template <int constant> static __m128i next(__m128i k) {
    const __m128i g = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(k, constant), 0xff);
    k = _mm_xor_si128(k, _mm_slli_si128(k, 4));
    k = _mm_xor_si128(k, _mm_slli_si128(k, 8));
    return _mm_xor_si128(k, g);
  }
};

inline __m128i first_column_mask() { return _mm_set_epi32(0, 0, 0, -1); }

struct Blocks1 {
  static constexpr int blocks = 1, ahead = 1;  // of batches
  using Register = __m128i;
  static Register broadcast(__m128i block) { return block; }
  static Register exclusive_or(Register a, const uint8_t *p) {
    return _mm_xor_si128(a, _mm_load_si128(reinterpret_cast<const __m128i *>(p)));
  }
  static Register round(Register s, Register key) { return _mm_aesenc_si128(s, key); }
  static Register last_round(Register s, Register key) { return _mm_aesenclast_si128(s, key); }
  static Register first_column(Register a) { return _mm_and_si128(a, first_column_mask()); }
  static void store(uint8_t *p, Register a) { _mm_storeu_si128(reinterpret_cast<__m128i *>(p), a); }
};

// For streams of a few hundred blocks.
template <class W> struct Aes128Counter : Aes128Keys {
  static constexpr int registers = 8, batch = registers * W::blocks;  // blocks
  static constexpr int ahead = W::ahead;                              // batches, where a stream is short
  using Short = Aes128Counter;

  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
    for (; blocks > 0; blocks -= batch, first += batch, out += 16 * batch)
      encrypt<1>(out, counter_block(first), batch_numbers.block[0]);
  }

 protected:
  // Rounds from `round` on of the sums of `all` and one of the states each.
  template <int round> [[gnu::always_inline]] void encrypt(uint8_t *out, __m128i all, const uint8_t *states) const {
    using Register = typename W::Register;
    const Register start = W::broadcast(all);
    Register s[registers];
#pragma GCC unroll 8
    for (int i = 0; i < registers; i++) s[i] = W::exclusive_or(start, states + 16 * W::blocks * i);
#pragma GCC unroll 9
    for (int r = round; r < 10; r++) {
      const Register key = W::broadcast(round_key[r]);
#pragma GCC unroll 8
      for (auto &x : s) x = W::round(x, key);
    }
    const Register key = W::broadcast(round_key[10]);
#pragma GCC unroll 8
    for (int i = 0; i < registers; i++) W::store(out + 16 * W::blocks * i, W::last_round(s[i], key));
  }
};

// For long streams: of the ten rounds, two are done once for 256 blocks.  Counters that differ in the last byte alone have states
// that differ in the first column alone after one round, and SubBytes goes byte by byte: so the state after two rounds is the sum
// of what the last byte gives, here a table of 256 states, and of what the rest of the counter gives.  (Streams of public seeds
// only: this looks nothing up by a secret, but it is they that are long.)
template <class W> struct Aes128LongCounter : Aes128Counter<W> {
  using Aes128Counter<W>::batch;
  static_assert(256 % batch == 0);

  void init(const uint8_t key[16], const uint8_t iv_bytes[16]) {
    Aes128Keys::init(key, iv_bytes);
    const auto key_1 = W::broadcast(this->round_key[1]), none = W::broadcast(_mm_setzero_si128());
    for (uint32_t i = 0; i < 256; i += batch) {
      const auto start = W::broadcast(this->counter_block(i));
#pragma GCC unroll 8
      for (uint32_t j = 0; j < batch; j += W::blocks) {
        const auto column = W::first_column(W::round(W::exclusive_or(start, batch_numbers.block[j]), key_1));
        W::store(by_last_byte_[i + j], W::round(column, none));
      }
    }
  }

  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
    while (blocks > 0) {
      // Bytes that were masked have gone through SubBytes as zeros, twice in all: 0x63 each, and MixColumns keeps that.
      __m128i rest = _mm_aesenc_si128(this->counter_block(first), this->round_key[1]);
      rest =
          _mm_aesenc_si128(_mm_andnot_si128(first_column_mask(), rest), _mm_xor_si128(this->round_key[2], _mm_set1_epi8(0x63)));
      const uint32_t low = first % 256, end = low + blocks < 256 ? low + blocks : 256;
#pragma GCC unroll 2
      for (uint32_t i = low; i < end; i += batch, out += 16 * batch) this->template encrypt<3>(out, rest, by_last_byte_[i]);
      first += end - low, blocks -= end - low;
    }
  }

 private:
  alignas(64) uint8_t by_last_byte_[256][16];
};

using Aes128Ni = Aes128LongCounter<Blocks1>;

}  // namespace AIOLI_ISA
}  // namespace aioli
