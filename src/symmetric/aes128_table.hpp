// SPDX-License-Identifier: Apache-2.0
// AES-128 in counter mode by look-ups in a table of 1 KB: for PUBLIC keys only, where there is no faster way.  Addresses depend
// on the key.
//
// What may come here: the key of P1 and P2 (seed_pk, a part of the public key, revealed where it is derived), and key and IV of
// the linear term, which anybody computes from digest and salt.  Whatever is secret comes from SHAKE256.
//
// 256 consecutive blocks differ in the last byte of the counter.  It enters one column of round 1 and one byte of each column of
// round 2, so all else of these two rounds is computed once for all of them; and of round 1, what no counter changes, once for a
// key.
#pragma once
#include "base/bytes.hpp"

namespace aioli {

// Columns are words with row 0 in the lowest byte.
struct Aes128Table {
  static constexpr int batch = 1, ahead = 1;  // blocks; batches
  using Short = Aes128Table;
  uint32_t column3;          // of the IV under the first round key: the one that the counter changes
  uint32_t round1[4];        // columns after round 1 but for what comes from column 3
  uint32_t round_key[9][4];  // of rounds 2 .. 10
  void init(const uint8_t key[16], const uint8_t iv[16]);
  // Keystream blocks first .. first + blocks - 1.
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const;
};

}  // namespace aioli
