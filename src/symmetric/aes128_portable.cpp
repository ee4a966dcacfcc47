// SPDX-License-Identifier: Apache-2.0
#include "symmetric/aes128_ctr.hpp"

namespace aioli {
namespace {

// SubBytes of one row of words: the circuit of Boyar and Peralta, "A small depth-16 circuit for the AES S-box" (ePrint 2011/332),
// with x0 the most significant bit.  115 gates; the affine constant is folded into the four negations at the end.
inline void sub_bytes(AesSliced &s) {
  for (int r = 0; r < 4; r++) {
    const uint64_t x0 = s.w[7][r], x1 = s.w[6][r], x2 = s.w[5][r], x3 = s.w[4][r];
    const uint64_t x4 = s.w[3][r], x5 = s.w[2][r], x6 = s.w[1][r], x7 = s.w[0][r];
    // top linear layer
    const uint64_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2;
    const uint64_t y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8;
    const uint64_t t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9;
    const uint64_t y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;
    // inversion in GF(((2^2)^2)^2)
    const uint64_t t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2;
    const uint64_t t7 = y13 & y16, t9 = (y5 & y1) ^ t7, t11 = (y2 & y7) ^ t7;
    const uint64_t t12 = y9 & y11, t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
    const uint64_t t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
    const uint64_t t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t29 = (t25 & t27) ^ t22;
    const uint64_t t30 = t23 ^ t24, t31 = t22 ^ t26, t33 = (t31 & t30) ^ t24, t34 = t23 ^ t33, t35 = t27 ^ t33;
    const uint64_t t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36, t40 = t25 ^ (t29 & t38);
    const uint64_t t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    const uint64_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
    const uint64_t z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    const uint64_t z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;
    // bottom linear layer
    const uint64_t t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12, t51 = z2 ^ z5;
    const uint64_t t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53;
    const uint64_t t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58, t63 = t49 ^ t58;
    const uint64_t t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63, s3 = t53 ^ t66;
    s.w[7][r] = t59 ^ t63;
    s.w[6][r] = ~(t64 ^ s3);
    s.w[5][r] = ~(t55 ^ t64 ^ t65);
    s.w[4][r] = s3;
    s.w[3][r] = t51 ^ t66;
    s.w[2][r] = t47 ^ t65;
    s.w[1][r] = ~(t56 ^ t62);
    s.w[0][r] = ~(t48 ^ t60);
  }
}

inline uint64_t rotate_right(uint64_t x, int n) { return n == 0 ? x : x >> n | x << (64 - n); }

inline void shift_rows(AesSliced &s) {
  for (int b = 0; b < 8; b++)
    for (int r = 1; r < 4; r++) s.w[b][r] = rotate_right(s.w[b][r], 16 * r);
}

inline void add_round_key(AesSliced &s, const AesSliced &k) {
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) s.w[b][r] ^= k.w[b][r];
}

// Row r becomes 2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3) = 2 (a_r + a_(r+1)) + a_(r+1) + a_(r+2) + a_(r+3); then the round key.
inline void mix_columns_add_key(AesSliced &out, const AesSliced &a, const AesSliced &k) {
  uint64_t t[8][4];  // a_r + a_(r+1)
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) t[b][r] = a.w[b][r] ^ a.w[b][(r + 1) % 4];
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) {
      uint64_t x = b > 0 ? t[b - 1][r] : t[7][r];    // times 2: shift up one bit ...
      if (b == 1 || b == 3 || b == 4) x ^= t[7][r];  // ... and reduce by 0x1b
      out.w[b][r] = x ^ a.w[b][(r + 1) % 4] ^ t[b][(r + 2) % 4] ^ k.w[b][r];
    }
}

// Exchanges the bits of b under mask with those of a under mask << shift.
inline void swap_bits(uint64_t &a, uint64_t &b, int shift, uint64_t mask) {
  const uint64_t t = ((a >> shift) ^ b) & mask;
  a ^= t << shift;
  b ^= t;
}

// From slices to bytes, in place: afterwards word [b][r] holds, as two little-endian columns of four bytes, rows 0..3 of
// positions 8r + b and 8 (r + 4) + b, where a position is 16 * column + block.
inline void unslice(AesSliced &s) {
  const uint64_t odd = 0x5555555555555555, pairs = 0x3333333333333333, nibbles = 0x0f0f0f0f0f0f0f0f;
  for (int b = 0; b < 8; b += 2)
    for (int r = 0; r < 4; r++) swap_bits(s.w[b][r], s.w[b + 1][r], 1, odd);
  for (int b = 0; b < 8; b += 4)
    for (int i = 0; i < 2; i++)
      for (int r = 0; r < 4; r++) swap_bits(s.w[b + i][r], s.w[b + i + 2][r], 2, pairs);
  for (int b = 0; b < 4; b++)
    for (int r = 0; r < 4; r++) swap_bits(s.w[b][r], s.w[b + 4][r], 4, nibbles);
  for (int b = 0; b < 8; b++) {
    for (int r = 0; r < 4; r += 2) swap_bits(s.w[b][r], s.w[b][r + 1], 8, 0x00ff00ff00ff00ff);
    for (int r = 0; r < 2; r++) swap_bits(s.w[b][r], s.w[b][r + 2], 16, 0x0000ffff0000ffff);
  }
}

// The same byte pattern in all sixteen blocks.
void broadcast(AesSliced &s, const uint8_t block[16]) {
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) {
      s.w[b][r] = 0;
      for (int c = 0; c < 4; c++) s.w[b][r] |= all_ones_if((block[4 * c + r] >> b) & 1) >> 48 << (16 * c);
    }
}

// S-box of four bytes, through the circuit.
void sub_word(uint8_t w[4]) {
  AesSliced s;
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) s.w[b][r] = (w[r] >> b) & 1;
  sub_bytes(s);
  for (int r = 0; r < 4; r++) {
    w[r] = 0;
    for (int b = 0; b < 8; b++) w[r] = uint8_t(w[r] | (s.w[b][r] & 1) << b);
  }
}

}  // namespace

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
  // Bit i of the block's number within the batch, for i = 0..3, over the sixteen blocks of column 3.
  const uint64_t counter[4] = {uint64_t(0xaaaa) << 48, uint64_t(0xcccc) << 48, uint64_t(0xf0f0) << 48, uint64_t(0xff00) << 48};
  AesSliced s, u;
  for (; blocks > 0; blocks -= batch, first += batch, out += 16 * batch) {
    s = start;
    for (int i = 0; i < 4; i++) s.w[i][3] ^= counter[i];
    for (int i = 4; i < 32; i++) s.w[i % 8][3 - i / 8] ^= (uint64_t(0) - ((first >> i) & 1)) << 48;
    add_round_key(s, round_key[0]);
    for (int round = 1; round < 10; round++) {
      sub_bytes(s);
      shift_rows(s);
      u = s;
      mix_columns_add_key(s, u, round_key[round]);
    }
    sub_bytes(s);
    shift_rows(s);
    add_round_key(s, round_key[10]);
    unslice(s);
    for (int r = 0; r < 4; r++)
      for (int b = 0; b < 8; b++)
        for (int half = 0; half < 2; half++) {
          const int position = 8 * (r + 4 * half) + b, column = position / 16, block = position % 16;
          const uint32_t bytes = uint32_t(s.w[b][r] >> (32 * half));
          uint8_t *p = out + 16 * block + 4 * column;
          for (int i = 0; i < 4; i++) p[i] = uint8_t(bytes >> (8 * i));
        }
  }
}

}  // namespace aioli
