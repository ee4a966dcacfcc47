// SPDX-License-Identifier: Apache-2.0
// Does the emulated processor compute what the manual says?  Each instruction below is compared with plain C on random inputs.
//
// usage: self_test avx512      all of them; a planted error in each expectation must be noticed
//        self_test avx2-gfni   those that need no AVX-512, and that AVX-512 traps
//        self_test plant NAME  with one wrong bit in what NAME is expected to give: must fail
//        self_test gfni | exit N | spin
#include <immintrin.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef union {
  uint8_t b[64];
  uint64_t q[8];
} Vector;

// ---- the instructions -------------------------------------------------------------------------------------------------------

#define EVEX __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))
#define VEX __attribute__((target("avx2")))
#define THREE(name, target, type, width, text)                                                                    \
  target static void name(Vector *out, const Vector *x, const Vector *y) {                                        \
    type a = _mm##width##_loadu_si##width((const void *)x), b = _mm##width##_loadu_si##width((const void *)y), c; \
    __asm__ volatile(text " %2, %1, %0" : "=v"(c) : "v"(a), "v"(b));                                              \
    _mm##width##_storeu_si##width((void *)out, c);                                                                \
  }
#define THREE_IMM(name, target, type, width, text, imm)                                                           \
  target static void name(Vector *out, const Vector *x, const Vector *y) {                                        \
    type a = _mm##width##_loadu_si##width((const void *)x), b = _mm##width##_loadu_si##width((const void *)y), c; \
    __asm__ volatile(text " $" #imm ", %2, %1, %0" : "=v"(c) : "v"(a), "v"(b));                                   \
    _mm##width##_storeu_si##width((void *)out, c);                                                                \
  }
// The third operand is also the destination; it holds x with its quarters turned, so that it differs from both others.
#define THREE_INOUT(name, text)                                                                         \
  EVEX static void name(Vector *out, const Vector *x, const Vector *y) {                                \
    __m512i a = _mm512_loadu_si512(x), b = _mm512_loadu_si512(y), c = _mm512_shuffle_i64x2(a, a, 0x39); \
    __asm__ volatile(text " %2, %1, %0" : "+v"(c) : "v"(a), "v"(b));                                    \
    _mm512_storeu_si512(out, c);                                                                        \
  }

THREE(vpermb_zmm, EVEX, __m512i, 512, "vpermb")
THREE(vpshufb_zmm, EVEX, __m512i, 512, "vpshufb")
THREE(vaesenc_zmm, EVEX, __m512i, 512, "vaesenc")
THREE(vaesenclast_zmm, EVEX, __m512i, 512, "vaesenclast")
THREE(vgf2p8mulb_zmm, EVEX, __m512i, 512, "vgf2p8mulb")
THREE_IMM(vgf2p8affineqb_zmm, EVEX, __m512i, 512, "vgf2p8affineqb", 0xa5)
THREE_IMM(vpclmulqdq_zmm, EVEX, __m512i, 512, "vpclmulqdq", 0x10)
THREE_INOUT(vpermi2q_zmm, "vpermi2q")
THREE_INOUT(vpternlogq_xor, "vpternlogq $0x96,")
THREE_INOUT(vpternlogq_odd, "vpternlogq $0x2d,")

THREE_IMM(vgf2p8affineqb_evex_ymm, EVEX, __m256i, 256, "%{evex%} vgf2p8affineqb", 0xa5)
EVEX static void vpaddb_masked(Vector *out, const Vector *x, const Vector *y) {  // AVX512BW's masks: 64 bits of y choose
  __m512i c = _mm512_loadu_si512(x);
  __asm__ volatile("kmovq %2, %%k1\n\tvpaddb %1, %0, %0%{%%k1%}" : "+v"(c) : "v"(_mm512_loadu_si512(y)), "r"(y->q[0]) : "k1");
  _mm512_storeu_si512(out, c);
}

THREE(vaesenc_ymm, VEX, __m256i, 256, "vaesenc")
THREE(vgf2p8mulb_ymm, VEX, __m256i, 256, "vgf2p8mulb")
THREE(vpshufb_ymm, VEX, __m256i, 256, "vpshufb")
THREE_IMM(vgf2p8affineqb_ymm, VEX, __m256i, 256, "vgf2p8affineqb", 0xa5)
THREE_IMM(vpclmulqdq_ymm, VEX, __m256i, 256, "vpclmulqdq", 0x10)

// ---- the same in C ----------------------------------------------------------------------------------------------------------

static uint8_t multiply(uint8_t x, uint8_t y) {  // in AES's field
  unsigned product = 0;
  for (int i = 7; i >= 0; i--) product = (product << 1) ^ (product & 0x80 ? 0x11b : 0) ^ ((y >> i & 1) != 0 ? x : 0);
  return (uint8_t)product;
}

static uint8_t substitute(uint8_t x) {  // AES's S-box: the inverse x^254, then an affine map
  uint8_t inverse = 1, out = 0x63;
  for (int i = 0; i < 254; i++) inverse = multiply(inverse, x);
  for (int i = 0; i < 5; i++) out ^= (uint8_t)(inverse << i | inverse >> (8 - i));
  return out;
}

static void aes(Vector *out, const Vector *x, const Vector *y, int last) {
  static uint8_t box[256];
  if (box[0] == 0)
    for (int i = 0; i < 256; i++) box[i] = substitute((uint8_t)i);
  for (int at = 0; at < 64; at += 16)
    for (int column = 0; column < 4; column++) {
      uint8_t s[4];
      for (int row = 0; row < 4; row++) s[row] = box[x->b[at + 4 * ((column + row) % 4) + row]];
      for (int row = 0; row < 4; row++) {
        uint8_t mixed = (uint8_t)(multiply(2, s[row]) ^ multiply(3, s[(row + 1) % 4]) ^ s[(row + 2) % 4] ^ s[(row + 3) % 4]);
        out->b[at + 4 * column + row] = (uint8_t)((last ? s[row] : mixed) ^ y->b[at + 4 * column + row]);
      }
    }
}

static void c_aesenc(Vector *out, const Vector *x, const Vector *y) { aes(out, x, y, 0); }
static void c_aesenclast(Vector *out, const Vector *x, const Vector *y) { aes(out, x, y, 1); }
static void c_gf2p8mulb(Vector *out, const Vector *x, const Vector *y) {
  for (int i = 0; i < 64; i++) out->b[i] = multiply(x->b[i], y->b[i]);
}
static void c_gf2p8affineqb(Vector *out, const Vector *x, const Vector *y) {
  for (int i = 0; i < 64; i++) {
    out->b[i] = 0xa5;
    for (int bit = 0; bit < 8; bit++) out->b[i] ^= (uint8_t)(__builtin_parity(x->b[i] & y->b[i / 8 * 8 + 7 - bit]) << bit);
  }
}
static void c_pclmulqdq(Vector *out, const Vector *x, const Vector *y) {  // immediate 0x10: low half of x, high half of y
  for (int i = 0; i < 8; i += 2) {
    out->q[i] = out->q[i + 1] = 0;
    for (int bit = 0; bit < 64; bit++)
      if (y->q[i + 1] >> bit & 1) {
        out->q[i] ^= x->q[i] << bit;
        out->q[i + 1] ^= bit == 0 ? 0 : x->q[i] >> (64 - bit);
      }
  }
}
static void c_permb(Vector *out, const Vector *x, const Vector *y) {
  for (int i = 0; i < 64; i++) out->b[i] = y->b[x->b[i] % 64];
}
static void c_pshufb(Vector *out, const Vector *x, const Vector *y) {
  for (int i = 0; i < 64; i++) out->b[i] = y->b[i] & 0x80 ? 0 : x->b[i / 16 * 16 + y->b[i] % 16];
}
static uint64_t third(const Vector *x, int i) { return x->q[(i + 2) % 8]; }
static void c_permi2q(Vector *out, const Vector *x, const Vector *y) {
  for (int i = 0; i < 8; i++) out->q[i] = (third(x, i) & 8 ? y : x)->q[third(x, i) % 8];
}
static void ternary(Vector *out, const Vector *x, const Vector *y, unsigned table) {
  for (int i = 0; i < 8; i++) {
    out->q[i] = 0;
    for (int bit = 0; bit < 64; bit++) {
      unsigned row = (unsigned)((third(x, i) >> bit & 1) << 2 | (x->q[i] >> bit & 1) << 1 | (y->q[i] >> bit & 1));
      out->q[i] |= (uint64_t)(table >> row & 1) << bit;
    }
  }
}
static void c_xor(Vector *out, const Vector *x, const Vector *y) { ternary(out, x, y, 0x96); }
static void c_odd(Vector *out, const Vector *x, const Vector *y) { ternary(out, x, y, 0x2d); }
static void c_paddb_masked(Vector *out, const Vector *x, const Vector *y) {
  for (int i = 0; i < 64; i++) out->b[i] = (uint8_t)(x->b[i] + (y->q[0] >> i & 1 ? y->b[i] : 0));
}

// ---- comparing them ---------------------------------------------------------------------------------------------------------

typedef void Operation(Vector *out, const Vector *x, const Vector *y);
static const struct {
  const char *name;
  Operation *instruction, *expected;
  size_t size;  // 64 need AVX-512
} TESTS[] = {
    {"vgf2p8affineqb zmm", vgf2p8affineqb_zmm, c_gf2p8affineqb, 64},
    {"vgf2p8mulb zmm", vgf2p8mulb_zmm, c_gf2p8mulb, 64},
    {"vpternlogq zmm 0x96", vpternlogq_xor, c_xor, 64},
    {"vpternlogq zmm 0x2d", vpternlogq_odd, c_odd, 64},
    {"vpermb zmm", vpermb_zmm, c_permb, 64},
    {"vpermi2q zmm", vpermi2q_zmm, c_permi2q, 64},
    {"vpshufb zmm", vpshufb_zmm, c_pshufb, 64},
    {"vpaddb zmm masked", vpaddb_masked, c_paddb_masked, 64},
    {"vaesenc zmm", vaesenc_zmm, c_aesenc, 64},
    {"vaesenclast zmm", vaesenclast_zmm, c_aesenclast, 64},
    {"vpclmulqdq zmm", vpclmulqdq_zmm, c_pclmulqdq, 64},
    {"vgf2p8affineqb ymm evex", vgf2p8affineqb_evex_ymm, c_gf2p8affineqb, 33},  // 32 bytes, and AVX-512
    {"vgf2p8affineqb ymm", vgf2p8affineqb_ymm, c_gf2p8affineqb, 32},
    {"vgf2p8mulb ymm", vgf2p8mulb_ymm, c_gf2p8mulb, 32},
    {"vpshufb ymm", vpshufb_ymm, c_pshufb, 32},
    {"vaesenc ymm", vaesenc_ymm, c_aesenc, 32},
    {"vpclmulqdq ymm", vpclmulqdq_ymm, c_pclmulqdq, 32},
};
enum { COUNT = sizeof TESTS / sizeof *TESTS, ROUNDS = 100 };

static uint64_t draw(void) {
  static uint64_t state = 0x9e3779b97f4a7c15;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// True if the instruction agrees with the C code on every input; `wrong` bit of the expectation is flipped in one of them.
static int agrees(int test, int wrong) {
  int same = 1;
  size_t size = TESTS[test].size & ~(size_t)31;
  for (int round = 0; round < ROUNDS; round++) {
    Vector x, y, got, expected;
    for (int i = 0; i < 8; i++) x.q[i] = draw();
    for (int i = 0; i < 8; i++) y.q[i] = draw();
    TESTS[test].instruction(&got, &x, &y);
    TESTS[test].expected(&expected, &x, &y);
    if (wrong >= 0 && round == ROUNDS / 2) expected.b[(size_t)wrong / 8 % size] ^= (uint8_t)(1 << wrong % 8);
    same &= memcmp(&got, &expected, size) == 0;
  }
  return same;
}

static int compare(size_t largest, const char *planted) {
  int failures = 0, found = planted == NULL;
  for (int i = 0; i < COUNT; i++) {
    if (TESTS[i].size > largest) continue;
    int plant = planted != NULL && strcmp(planted, TESTS[i].name) == 0;
    found |= plant;
    int right = agrees(i, plant ? 77 : -1), noticed = !agrees(i, (int)(draw() % 256));
    failures += !right || !noticed;
    printf("%-24s %s%s\n", TESTS[i].name, right ? "ok" : "DIFFERS from plain C",
           noticed ? "" : ", and a planted error is NOT noticed");
  }
  if (!found) printf("there is no instruction '%s'\n", planted);
  return failures != 0 || !found;
}

// True if the instruction ends the process by SIGILL.
static int traps(Operation *instruction) {
  pid_t child = fork();
  if (child == 0) {
    Vector x = {{0}}, out;
    instruction(&out, &x, &x);
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGILL;
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (strcmp(what, "avx512") == 0) return compare(64, NULL);
  if (strcmp(what, "plant") == 0 && count > 2) return compare(64, words[2]);
  if (strcmp(what, "avx2-gfni") == 0) {
    int trapped = traps(vpternlogq_xor) && traps(vgf2p8affineqb_evex_ymm);
    printf("%-24s %s\n", "AVX-512", trapped ? "traps" : "does NOT trap");
    return compare(32, NULL) != 0 || !trapped;
  }
  if (strcmp(what, "gfni") == 0) {
    Vector x = {{0}};
    vgf2p8affineqb_ymm(&x, &x, &x);
    return 0;
  }
  if (strcmp(what, "exit") == 0 && count > 2) {
    fprintf(stderr, "standard error\n");
    return atoi(words[2]);
  }
  for (volatile unsigned forever = 0; strcmp(what, "spin") == 0; forever++) {}
  return 2;
}
