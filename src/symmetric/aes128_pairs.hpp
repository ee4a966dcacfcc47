// SPDX-License-Identifier: Apache-2.0
// AES-128 counter mode bit-sliced over pairs of words, for processors with registers of sixteen bytes and no AES instructions.
#pragma once
#include "symmetric/aes128_ctr.hpp"

namespace aioli {

// For streams of a few hundred blocks.
struct Aes128PairsShort {
  static constexpr int batch = 32, ahead = 1;  // blocks; batches
  using Short = Aes128PairsShort;
  using Pair __attribute__((vector_size(16))) = uint64_t;
  using State = AesSlicedOn<Pair>;
  void init(const uint8_t key[16], const uint8_t iv[16]) { keys_.init(key, iv); }
  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const;

 protected:
  void start(State &s, uint32_t first) const;
  Aes128Portable keys_;
};

// For long streams: of the ten rounds, two are done once for 256 blocks, as in aes128_ni.hpp.  (Streams of public seeds only:
// this looks nothing up by a secret, but it is they that are long.)
struct Aes128Pairs : Aes128PairsShort {
  void init(const uint8_t key[16], const uint8_t iv[16]);
  // Keystream blocks first .. first + blocks - 1; both multiples of `batch`.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const;

 private:
  void two_rounds(State &s, uint32_t first, uint64_t columns) const;
  State by_last_byte_[256 / batch];
};

}  // namespace aioli
