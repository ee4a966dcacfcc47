// SPDX-License-Identifier: Apache-2.0
// AES-128 in counter mode as a seekable keystream, constant time: sixteen blocks at once, bit-sliced over 64-bit words.
//
// MAYO's counter blocks are IV xor c with a 32-bit big-endian c in the last four bytes (for P1 and P2 the IV is zero, which makes
// this the usual counter mode).  A batch starts at a multiple of 16, so that its blocks differ in the lowest four bits only.
#pragma once
#include "base/bytes.hpp"
#include "base/secret.hpp"

namespace aioli {

// Bit-sliced state: word [b][r] holds bit b of row r of the sixteen states, bit 16 * column + block.  A row of four words is what
// SubBytes works on in step, so compilers vectorise it; ShiftRows rotates whole words, MixColumns needs exclusive-ors only.
// W: a word of 64 bits, or a vector of such words, each with sixteen states of its own (aes128_sliced.hpp).
template <class W> struct AesSlicedOn {
  W w[8][4];
};
using AesSliced = AesSlicedOn<uint64_t>;
struct Aes128Portable {
  static constexpr int batch = 16, ahead = 1;  // blocks; batches
  using Short = Aes128Portable;
  AesSliced round_key[11];
  AesSliced start;  // the IV
  void init(const uint8_t key[16], const uint8_t iv[16]);
  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const;
};

}  // namespace aioli
