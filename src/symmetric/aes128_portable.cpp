// SPDX-License-Identifier: Apache-2.0
#include "symmetric/aes128_sliced.hpp"

namespace aioli {

void Aes128Portable::init(const uint8_t key[16], const uint8_t iv[16]) {
  uint8_t k[16];
  copy(k, key, 16);
  broadcast(round_key[0], k);
  for (unsigned round = 1, constant = 1; round <= 10; round++) {
    uint8_t w[4] = {k[13], k[14], k[15], k[12]};
    sub_word(w);
    w[0] = uint8_t(w[0] ^ constant);
    constant = (constant << 1) ^ (constant >> 7) * 0x11b;
    for (int i = 0; i < 16; i++) k[i] = uint8_t(k[i] ^ (i < 4 ? w[i] : k[i - 4]));
    broadcast(round_key[round], k);
  }
  broadcast(start, iv);
  wipe(k, sizeof k);
}

void Aes128Portable::keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
  AesSliced s;
  for (; blocks > 0; blocks -= batch, first += batch, out += 16 * batch) {
    set_counters(s, start, round_key[0], first);
    for (int round = 1; round < 10; round++) whole_round(s, round_key[round]);
    finish(out, s, round_key[10]);
  }
}

}  // namespace aioli
