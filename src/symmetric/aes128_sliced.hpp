// SPDX-License-Identifier: Apache-2.0
// AES-128 bit-sliced over words: the rounds, of sixteen blocks for each 64 bits of a word.  Constant time.
#pragma once
#include "symmetric/aes128_ctr.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// SubBytes of one row of words: the circuit of Boyar and Peralta, "A small depth-16 circuit for the AES S-box" (ePrint 2011/332),
// with x0 the most significant bit.  115 gates; the affine constant is folded into the four negations at the end.
template <class W> void sub_bytes(AesSlicedOn<W> &s) {
  for (int r = 0; r < 4; r++) {
    const W x0 = s.w[7][r], x1 = s.w[6][r], x2 = s.w[5][r], x3 = s.w[4][r];
    const W x4 = s.w[3][r], x5 = s.w[2][r], x6 = s.w[1][r], x7 = s.w[0][r];
    // top linear layer
    const W y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2;
    const W y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8;
    const W t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9;
    const W y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;
    // inversion in GF(((2^2)^2)^2)
    const W t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2;
    const W t7 = y13 & y16, t9 = (y5 & y1) ^ t7, t11 = (y2 & y7) ^ t7;
    const W t12 = y9 & y11, t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
    const W t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
    const W t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t29 = (t25 & t27) ^ t22;
    const W t30 = t23 ^ t24, t31 = t22 ^ t26, t33 = (t31 & t30) ^ t24, t34 = t23 ^ t33, t35 = t27 ^ t33;
    const W t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36, t40 = t25 ^ (t29 & t38);
    const W t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    const W z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
    const W z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    const W z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;
    // bottom linear layer
    const W t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12, t51 = z2 ^ z5;
    const W t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53;
    const W t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58, t63 = t49 ^ t58;
    const W t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63, s3 = t53 ^ t66;
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

template <class W> W rotate_right(W x, int n) { return n == 0 ? x : x >> n | x << (64 - n); }

template <class W> void shift_rows(AesSlicedOn<W> &s) {
  for (int b = 0; b < 8; b++)
    for (int r = 1; r < 4; r++) s.w[b][r] = rotate_right(s.w[b][r], 16 * r);
}

template <class W> void add_round_key(AesSlicedOn<W> &s, const AesSliced &k) {
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) s.w[b][r] ^= k.w[b][r];
}

// Row r becomes 2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3) = 2 (a_r + a_(r+1)) + a_(r+1) + a_(r+2) + a_(r+3); then the round key.
template <class W> void mix_columns_add_key(AesSlicedOn<W> &out, const AesSlicedOn<W> &a, const AesSliced &k) {
  W t[8][4];  // a_r + a_(r+1)
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) t[b][r] = a.w[b][r] ^ a.w[b][(r + 1) % 4];
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) {
      W x = b > 0 ? t[b - 1][r] : t[7][r];           // times 2: shift up one bit ...
      if (b == 1 || b == 3 || b == 4) x ^= t[7][r];  // ... and reduce by 0x1b
      out.w[b][r] = x ^ a.w[b][(r + 1) % 4] ^ t[b][(r + 2) % 4] ^ k.w[b][r];
    }
}

// Exchanges the bits of b under mask with those of a under mask << shift.
template <class W> void swap_bits(W &a, W &b, int shift, uint64_t mask) {
  const W t = ((a >> shift) ^ b) & mask;
  a ^= t << shift;
  b ^= t;
}

// From slices to bytes, in place: afterwards word [b][r] holds, as two little-endian columns of four bytes, rows 0..3 of
// positions 8r + b and 8 (r + 4) + b, where a position is 16 * column + block.
template <class W> void unslice(AesSlicedOn<W> &s) {
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
inline void broadcast(AesSliced &s, const uint8_t block[16]) {
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) {
      s.w[b][r] = 0;
      for (int c = 0; c < 4; c++) s.w[b][r] |= all_ones_if((block[4 * c + r] >> b) & 1) >> 48 << (16 * c);
    }
}

// S-box of four bytes, through the circuit.
inline void sub_word(uint8_t w[4]) {
  AesSliced s;
  for (int b = 0; b < 8; b++)
    for (int r = 0; r < 4; r++) s.w[b][r] = (w[r] >> b) & 1;
  sub_bytes(s);
  for (int r = 0; r < 4; r++) {
    w[r] = 0;
    for (int b = 0; b < 8; b++) w[r] = uint8_t(w[r] | (s.w[b][r] & 1) << b);
  }
}

template <class W> void whole_round(AesSlicedOn<W> &s, const AesSliced &key) {
  sub_bytes(s);
  shift_rows(s);
  const AesSlicedOn<W> u = s;
  mix_columns_add_key(s, u, key);
}

// The counter blocks of a batch before the first round: number first + i, in block i of each 64 bits.
template <class W> void set_counters(AesSlicedOn<W> &s, const AesSliced &iv, const AesSliced &round_key, uint32_t first) {
  // Bit i of the block's number within sixteen, for i = 0..3, over the sixteen blocks of column 3.
  const uint64_t counter[4] = {uint64_t(0xaaaa) << 48, uint64_t(0xcccc) << 48, uint64_t(0xf0f0) << 48, uint64_t(0xff00) << 48};
  s = {};
  add_round_key(s, iv);
  for (int i = 0; i < 4; i++) s.w[i][3] ^= counter[i];
  for (int i = 4; i < 32; i++) s.w[i % 8][3 - i / 8] ^= (uint64_t(0) - ((first >> i) & 1)) << 48;
  add_round_key(s, round_key);
}

inline uint64_t lane(uint64_t word, int) { return word; }
template <class W> uint64_t lane(W word, int i) { return word[i]; }

// The last round, and out with it.
template <class W> void finish(uint8_t *out, AesSlicedOn<W> &s, const AesSliced &round_key) {
  sub_bytes(s);
  shift_rows(s);
  add_round_key(s, round_key);
  unslice(s);
  for (int l = 0; l < int(sizeof(W) / 8); l++)
    for (int r = 0; r < 4; r++)
      for (int b = 0; b < 8; b++)
        for (int half = 0; half < 2; half++) {
          const int position = 8 * (r + 4 * half) + b, column = position / 16, block = 16 * l + position % 16;
          store32(out + 16 * block + 4 * column, uint32_t(lane(s.w[b][r], l) >> (32 * half)));
        }
}

}  // namespace AIOLI_ISA
}  // namespace aioli
