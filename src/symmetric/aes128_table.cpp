// SPDX-License-Identifier: Apache-2.0
#include "symmetric/aes128_table.hpp"

#include "symmetric/aes_table.hpp"
#include "symmetric/armv7m.hpp"

namespace aioli {

// What the blocks of one value of the upper counter bytes share.  The assembly reads it in this order.
struct AesSegment {
  const uint32_t *round_key;  // of rounds 3 .. 10
  uint32_t round2[4];         // columns after round 2 but for what comes from column 0 of round 1
  uint32_t round1;            // that column, but for what comes from the last counter byte
  uint32_t last_byte;         // of column 3, which the counter's last byte is added to
};

#if defined(AIOLI_ARMV7M)
// aes128_armv7m.S: blocks of the segment with last counter bytes first .. first + blocks - 1, 1 <= blocks <= 256 - first.
extern "C" void aioli_aes128_armv7m(uint8_t *out, const AesSegment *segment, uint32_t counter, const uint32_t *table);
#endif

namespace {

constexpr uint32_t rotate_left(uint32_t x, int n) { return n == 0 ? x : x << n | x >> (32 - n); }
using aes_bytes::byte, aes_bytes::doubled;
constexpr AesTable table = aes_table();

uint8_t substituted(uint8_t a) { return byte(table.t[a], 0); }
// What row r of a column (before SubBytes) adds to the column that ShiftRows takes it to.
uint32_t added(uint32_t column, int r) { return rotate_left(table.t[byte(column, r)], 8 * (r + 1) % 32); }

// ShiftRows: row r of column c + r goes to column c.
constexpr int from(int c, int r) { return (c + r) % 4; }

#if !defined(AIOLI_ARMV7M)
// The meaning of aes128_armv7m.S.
void blocks_of(uint8_t *out, const AesSegment &segment, uint32_t first, uint32_t blocks) {
  for (uint32_t i = first; i < first + blocks; i++, out += 16) {
    uint32_t s[4], t[4];
    const uint32_t round1 = segment.round1 ^ table.t[segment.last_byte ^ i];
    for (int c = 0; c < 4; c++) s[c] = segment.round2[c] ^ added(round1, (4 - c) % 4);
    const uint32_t *key = segment.round_key;
    for (int round = 3; round < 10; round++, key += 4) {
      for (int c = 0; c < 4; c++) {
        t[c] = key[c];
        for (int r = 0; r < 4; r++) t[c] ^= added(s[from(c, r)], r);
      }
      for (int c = 0; c < 4; c++) s[c] = t[c];
    }
    for (int c = 0; c < 4; c++)
      for (int r = 0; r < 4; r++) out[4 * c + r] = uint8_t(byte(key[c], r) ^ substituted(byte(s[from(c, r)], r)));
  }
}
#endif

}  // namespace

void Aes128Table::init(const uint8_t key[16], const uint8_t iv[16]) {
  uint32_t k[4], s[4];
  for (int c = 0; c < 4; c++) {
    k[c] = load32(key + 4 * c);
    s[c] = k[c] ^ load32(iv + 4 * c);
  }
  column3 = s[3];
  uint8_t constant = 1;
  for (int round = 1; round <= 10; round++, constant = doubled(constant)) {
    k[0] ^= constant;
    for (int r = 0; r < 4; r++) k[0] ^= uint32_t(substituted(byte(k[3], (r + 1) % 4))) << (8 * r);
    for (int c = 1; c < 4; c++) k[c] ^= k[c - 1];
    uint32_t *to = round == 1 ? round1 : round_key[round - 2];
    for (int c = 0; c < 4; c++) to[c] = k[c];
  }
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++)
      if (from(c, r) != 3) round1[c] ^= added(s[from(c, r)], r);
}

void Aes128Table::keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
  while (blocks > 0) {
    const uint32_t low = first & 0xff, upper = first - low, run = blocks < 256 - low ? blocks : 256 - low;
    // The counter is big-endian: its lowest byte is row 3.
    const uint32_t x = column3 ^ (upper >> 24 | (upper >> 8 & 0xff00) | (upper << 8 & 0xff0000));
    const uint32_t s[4] = {round1[0], round1[1] ^ added(x, 2), round1[2] ^ added(x, 1), round1[3] ^ added(x, 0)};
    AesSegment segment = {round_key[1], {}, s[0], byte(x, 3)};
#pragma GCC unroll 4
    for (int c = 0; c < 4; c++) {
      segment.round2[c] = round_key[0][c];
#pragma GCC unroll 4
      for (int r = 0; r < 4; r++)
        if (from(c, r) != 0) segment.round2[c] ^= added(s[from(c, r)], r);
    }
#if defined(AIOLI_ARMV7M)
    aioli_aes128_armv7m(out, &segment, low << 24 | (0x8001 - run) << 8, table.t);
#else
    blocks_of(out, segment, low, run);
#endif
    first += run;
    blocks -= run;
    out += 16 * run;
  }
}

}  // namespace aioli
