// SPDX-License-Identifier: Apache-2.0
#include "symmetric/aes128_long.hpp"

#include "symmetric/aes128_sliced.hpp"

namespace aioli {

namespace {
constexpr uint64_t first_column = 0xffff;
}

// The counter blocks of a batch under the first key.
template <class W> void Aes128SlicedShort<W>::start(State &s, uint32_t first) const {
  set_counters(s, keys_.start, keys_.round_key[0], first);
  if constexpr (batch == 32) s.w[4][3] ^= W{0, uint64_t(0xffff) << 48};  // the second words are sixteen blocks on
}

template <class W> void Aes128SlicedShort<W>::keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
  State s;
  for (; blocks > 0; blocks -= batch, first += batch, out += 16 * batch) {
    start(s, first);
    for (int round = 1; round < 10; round++) whole_round(s, keys_.round_key[round]);
    finish(out, s, keys_.round_key[10]);
  }
}

// Rounds 1 and 2 of what round 1 leaves in some columns, without the second round's key.
template <class W> void Aes128SlicedLong<W>::two_rounds(State &s, uint32_t first, uint64_t columns) const {
  static constexpr AesSliced no_key = {};
  this->start(s, first);
  whole_round(s, keys_.round_key[1]);
  for (auto &row : s.w)
    for (auto &word : row) word &= columns;
  whole_round(s, no_key);
}

template <class W> void Aes128SlicedLong<W>::init(const uint8_t key[16], const uint8_t iv[16]) {
  keys_.init(key, iv);
  for (int i = 0; i < 256 / batch; i++) two_rounds(by_last_byte_[i], uint32_t(i * batch), first_column);
}

template <class W> void Aes128SlicedLong<W>::keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
  State s, rest;
  for (bool fresh = true; blocks > 0; blocks -= batch, first += batch, out += 16 * batch) {
    if (fresh || first % 256 == 0) {
      two_rounds(rest, first, ~first_column);
      add_round_key(rest, keys_.round_key[2]);
      // Columns that were masked have gone through SubBytes as zeros, twice in all: 0x63 each, and MixColumns keeps that.
      for (int b = 0; b < 8; b++)
        for (auto &word : rest.w[b]) word ^= all_ones_if(0x63 >> b & 1);
      fresh = false;
    }
    const State &varying = by_last_byte_[first % 256 / batch];
    for (int b = 0; b < 8; b++)
      for (int r = 0; r < 4; r++) s.w[b][r] = rest.w[b][r] ^ varying.w[b][r];
    for (int round = 3; round < 10; round++) whole_round(s, keys_.round_key[round]);
    finish(out, s, keys_.round_key[10]);
  }
}

#if defined(__wasm_simd128__)
using Word = WordPair;
#else
using Word = uint64_t;
#endif
template struct Aes128SlicedShort<Word>;
template struct Aes128SlicedLong<Word>;

}  // namespace aioli
