// SPDX-License-Identifier: Apache-2.0
// AES-128 counter mode with the AES instructions of x86, eight blocks in flight.  Include only where they are enabled.
#pragma once
#include <wmmintrin.h>

#include "base/bytes.hpp"

namespace aioli::inline AIOLI_ISA {

// Blocks whose last byte is their number: what differs between the counters of a batch, which begins at a multiple of its length.
struct BatchNumbers {
  alignas(64) uint8_t block[32][16]{};
  consteval BatchNumbers() {
    for (int i = 0; i < 32; i++) block[i][15] = uint8_t(i);
  }
};
inline constexpr BatchNumbers batch_numbers;

struct Aes128Ni {
  static constexpr int batch = 8;  // blocks
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

  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
    for (; blocks > 0; blocks -= batch, first += batch, out += 16 * batch) {
      const __m128i start = counter_block(first);
      __m128i s[batch];
      for (int i = 0; i < batch; i++)
        s[i] = _mm_xor_si128(start, _mm_load_si128(reinterpret_cast<const __m128i *>(batch_numbers.block[i])));
      for (int round = 1; round < 10; round++)
        for (auto &x : s) x = _mm_aesenc_si128(x, round_key[round]);
      for (int i = 0; i < batch; i++)
        _mm_storeu_si128(reinterpret_cast<__m128i *>(out + 16 * i), _mm_aesenclast_si128(s[i], round_key[10]));
    }
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

}  // namespace aioli::inline AIOLI_ISA
