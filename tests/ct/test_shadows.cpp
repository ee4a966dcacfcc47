// SPDX-License-Identifier: Apache-2.0
// Whether MemorySanitizer follows secrets through what we compute with.  It was made to find forgotten initialisations, and where
// it does not know it would rather be silent: no carry of a sum makes a bit secret, and of most vector instructions byte i
// depends on the operands' byte i.  So every operation is tried: bits of the operands are secret, some of them are flipped, and
// what changes must be secret.
//
// usage: test_shadows        built with MemorySanitizer, for processors with AVX2; also with GFNI, and with AVX-512 and GFNI, for
//                            those vectors
#include <immintrin.h>
#include <sys/wait.h>
#include <unistd.h>

#include <type_traits>

#include "backend/wide/vector_avx2.hpp"
#include "backend/wide/vector_emulated.hpp"
#include "backend/wide/vector_emulated_gfni.hpp"
#if defined(__GFNI__)
#include "backend/wide/vector_gfni256.hpp"
#endif
#if defined(__AVX512VBMI__)
#include "backend/wide/vector_avx512.hpp"
#endif
#include "base/secret.hpp"
#include "field/gf16.hpp"
#include "keyfile/base64.hpp"
#include "linalg/matrix.hpp"
#include "symmetric/aes128_ctr.hpp"
#include "symmetric/shake256.hpp"
#include "taint.hpp"

namespace {

using namespace aioli;

enum Verdict {
  follows,  // what depends on a secret is secret
  loses,    // something that does is public: must not be used bare
  stops     // it is reported, as a branch would be: must not be used bare, either, but nobody can forget it
};
const char *const verdicts[] = {"follows", "loses", "stops"};

constexpr int most_bytes = 1024;
using Run = void (*)(uint8_t *out, const uint8_t *in);
struct Case {
  const char *name;
  Verdict expected;
  bool here;
  int in_bytes, out_bytes;
  Run run;
};

// ---- trying one ---------------------------------------------------------------------------------------------------------------

uint64_t state = 1;
uint8_t random_byte() {
  state = state * 6364136223846793005 + 1442695040888963407;
  return uint8_t(state >> 56);
}
bool secret_bit(const uint8_t *byte, int k) {
  volatile uint8_t bit = (*byte >> k) & 1;
  return __msan_test_shadow(const_cast<const uint8_t *>(&bit), 1) >= 0;
}

// Bytes that are secret: all, every other one, one, or single bits; and one is told apart by operands of sixteen bytes, too.
void choose_secret(uint8_t *secret, int n, int trial) {
  const int only = random_byte() * 256 + random_byte();
  for (int i = 0; i < n; i++) switch (trial % 5) {
      case 0: secret[i] = 0xff; break;
      case 1: secret[i] = i % 2 ? 0xff : 0; break;
      case 2: secret[i] = i == only % n ? 0xff : 0; break;
      case 3: secret[i] = i == only % n ? uint8_t(1 << (trial / 5 % 8)) : 0; break;
      case 4: secret[i] = i / 16 == only % ((n + 15) / 16) ? 0xff : 0; break;
    }
}

// In a process of its own, which a report ends with the status that MSAN_OPTIONS gives.
int lost_bits(const Case &c) {
  alignas(64) static uint8_t in[most_bytes], other[most_bytes], secret[most_bytes], out[most_bytes], changed[most_bytes];
  for (int trial = 0; trial < 100; trial++) {
    for (int i = 0; i < c.in_bytes; i++) in[i] = random_byte() & (trial % 3 == 1 ? 15 : trial % 3 == 2 ? random_byte() & 1 : 255);
    choose_secret(secret, c.in_bytes, trial);
    uint8_t expected[most_bytes];
    c.run(expected, in);
    memset(changed, 0, sizeof changed);
    for (int flips = 0; flips < 30; flips++) {
      for (int i = 0; i < c.in_bytes; i++) other[i] = in[i] ^ (secret[i] & (flips == 0 ? 255 : random_byte()));
      c.run(out, other);
      for (int i = 0; i < c.out_bytes; i++) changed[i] |= out[i] ^ expected[i];
    }
    __msan_partial_poison(in, secret, size_t(c.in_bytes));
    c.run(out, in);
    for (int i = 0; i < c.out_bytes; i++)
      for (int k = 0; k < 8; k++)
        if ((changed[i] >> k & 1) && !secret_bit(out + i, k)) return 1;
    __msan_unpoison(in, sizeof in);
    __msan_unpoison(out, sizeof out);
  }
  return 0;
}

int found(const Case &c) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stderr) == nullptr) _exit(3);
    _exit(lost_bits(c));
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status) == 0 ? follows : WEXITSTATUS(status) == 1 ? loses : WEXITSTATUS(status) == 99 ? stops : -1;
}

// ---- what there is ------------------------------------------------------------------------------------------------------------

template <class T> T get(const uint8_t *p) {
  T t;
  memcpy(&t, p, sizeof t);
  return t;
}
template <class T> void put(uint8_t *p, const T &t) { memcpy(p, &t, sizeof t); }

#define WORDS(name, n, expression)                                                          \
  {name, follows, true, 8 * n, 8, [](uint8_t *out, const uint8_t *in) {                     \
     const uint64_t x = get<uint64_t>(in), y = n > 1 ? get<uint64_t>(in + 8 * (n - 1)) : 0; \
     (void)y;                                                                               \
     put(out, uint64_t(expression));                                                        \
   }}

// Vectors; from two registers at `in` to one.
#define VECTORS(V, name, expression)                                         \
  {#V " " name, follows, true, 64, 32, [](uint8_t *out, const uint8_t *in) { \
     const V a = V::load(in), b = V::load(in + 32);                          \
     (void)a, (void)b;                                                       \
     (expression).store(out);                                                \
   }}
#define VECTOR_CASES(V)                                                                                                         \
  VECTORS(V, "^", a ^ b), VECTORS(V, "&", a &b), VECTORS(V, "low_nibbles", a.low_nibbles()),                                    \
      VECTORS(V, "high_nibbles", a.high_nibbles()), VECTORS(V, "low_to_high", a.low_nibbles().low_to_high()),                   \
      VECTORS(V, "look_up", V::look_up(a, b.low_nibbles())), VECTORS(V, "first_halves", V::first_halves(a, b)),                 \
      VECTORS(V, "second_halves", V::second_halves(a, b)), VECTORS(V, "halves", V::halves(in + 3, in + 24)),                    \
      VECTORS(V, "quarters", V::quarters(in + 1, in + 9, in + 30, in + 50)), VECTORS(V, "broadcast16", V::broadcast16(in + 5)), \
      VECTORS(V, "broadcast4", V::broadcast4(in + 5)), VECTORS(V, "inverse_of_all", V::inverse_of_all(V::broadcast1(in[5]))),   \
      OF_SEVERAL_CASES(V),                                                                                                      \
      {#V " transpose_quarters",                                                                                                \
       follows,                                                                                                                 \
       true,                                                                                                                    \
       128,                                                                                                                     \
       128,                                                                                                                     \
       [](uint8_t *out, const uint8_t *in) {                                                                                    \
         V r[4];                                                                                                                \
         for (int i = 0; i < 4; i++) r[i] = V::load(in + 32 * i);                                                               \
         V::transpose_quarters(r);                                                                                              \
         for (int i = 0; i < 4; i++) r[i].store(out + 32 * i);                                                                  \
       }},                                                                                                                      \
      {#V " product_tables",                                                                                                    \
       follows,                                                                                                                 \
       true,                                                                                                                    \
       32,                                                                                                                      \
       512,                                                                                                                     \
       [](uint8_t *out, const uint8_t *in) { V::product_tables(reinterpret_cast<uint8_t(*)[16]>(out), in); }},                  \
  {                                                                                                                             \
    #V " product_tables256", follows, true, 32, 1024, [](uint8_t *out, const uint8_t *in) {                                     \
      V::product_tables256(reinterpret_cast<uint8_t(*)[16]>(out), reinterpret_cast<uint8_t(*)[16]>(out + 512), V::load(in));    \
    }                                                                                                                           \
  }
// What LuSolver needs of every vector type, of one to three registers.
#define OF_SEVERAL(V, name, registers, out_bytes_, ...)                                                      \
  {#V " " name, follows, true, (registers + 1) * V::bytes, out_bytes_, [](uint8_t *out, const uint8_t *in) { \
     const auto last = V::load(in + registers * V::bytes);                                                   \
     std::remove_const_t<decltype(last)> a[registers];                                                       \
     for (int i = 0; i < registers; i++) a[i] = V::load(in + i * V::bytes);                                  \
     (void)last;                                                                                             \
     __VA_ARGS__;                                                                                            \
   }}
#define OF_SEVERAL_CASES(V)                                                                                      \
  OF_SEVERAL(V, "chosen", 1, V::bytes, V::chosen(a, last).store(out)),                                           \
      OF_SEVERAL(V, "chosen, of two", 2, V::bytes, V::chosen(a, last).store(out)),                               \
      OF_SEVERAL(V, "chosen, of three", 3, V::bytes, V::chosen(a, last).store(out)),                             \
      OF_SEVERAL(V, "element", 1, V::bytes, V::element(a, in[V::bytes]).store(out)),                             \
      OF_SEVERAL(V, "element, of two", 2, V::bytes, V::element(a, in[2 * V::bytes]).store(out)),                 \
      OF_SEVERAL(V, "element, of three", 3, V::bytes, V::element(a, in[3 * V::bytes]).store(out)),               \
      OF_SEVERAL(V, "nonzero_bytes", 1, V::bytes / 8, const auto bits = V::nonzero_bytes(a[0]); put(out, bits)), \
      OF_SEVERAL(V, "first_word", 1, 8, put(out, V::first_word(a[0])))

// Vectors of the kernels over affine maps; from registers, of which a .. c are the first ones, to whatever the body writes.
#define AFFINE(V, name, in_registers, out_bytes_, ...)                                                    \
  {#V " " name, follows, true, in_registers * V::bytes, out_bytes_, [](uint8_t *out, const uint8_t *in) { \
     const V::Register a = V::load(in), b = V::load(in + V::bytes), c = V::load(in + 2 * V::bytes);       \
     const int number = get<int>(in + (in_registers - 1) * V::bytes);                                     \
     (void)a, (void)b, (void)c, (void)number;                                                             \
     __VA_ARGS__;                                                                                         \
   }}
#define AFFINE_CASES(V)                                                                                                         \
  AFFINE(V, "^", 2, V::bytes, (a ^ b).store(out)), AFFINE(V, "&", 2, V::bytes, (a & b).store(out)),                             \
      AFFINE(V, "sum", 3, V::bytes, V::sum(a, b, c).store(out)), AFFINE(V, "affine", 2, V::bytes, V::affine(a, b).store(out)),  \
      AFFINE(V, "interleave", 2, 2 * V::bytes, V::Register low; V::Register high; V::interleave(a, b, low, high);               \
             low.store(out); high.store(out + V::bytes)),                                                                       \
      AFFINE(V, "first_halves", 2, V::bytes, V::first_halves(a, b).store(out)),                                                 \
      AFFINE(V, "second_halves", 2, V::bytes, V::second_halves(a, b).store(out)),                                               \
      AFFINE(V, "halves", 2, V::bytes, V::halves(in + 3, in + 24).store(out)),                                                  \
      AFFINE(V, "words", 2, V::bytes, const uint8_t *p[V::bytes / 8]; for (int i = 0; i < V::bytes / 8; i++) p[i] = in + 5 * i; \
             V::words(p, 3).store(out)),                                                                                        \
      AFFINE(V, "interleave_halves", 1, V::bytes, V::interleave_halves(a).store(out)),                                          \
      AFFINE(V, "broadcast8", 1, V::bytes, V::broadcast8(in + 5).store(out)),                                                   \
      AFFINE(V, "twice", 2, V::bytes, V::twice(in + 5).store(out)),                                                             \
      AFFINE(V, "store_words", 1, V::bytes - 8, V::store_words<V::bytes / 8 - 1>(out, a)),                                      \
      AFFINE(V, "sums_of_words", 1, 16, uint64_t first; uint64_t second; V::sums_of_words(first, second, a); put(out, first);   \
             put(out + 8, second)),                                                                                             \
      AFFINE(V, "interleave_bytes", 2, 2 * V::bytes, V::Register first; V::Register second;                                     \
             V::interleave_bytes(a, b, first, second); first.store(out); second.store(out + V::bytes)),                         \
      AFFINE(V, "broadcast4", 1, V::bytes, V::broadcast4(in + 5).store(out)),                                                   \
      AFFINE(V, "broadcast1", 1, V::bytes, V::broadcast1(in[5]).store(out)),                                                    \
      AFFINE(V, "multiply", 2, V::bytes, V::multiply(a, b).store(out)),                                                         \
      AFFINE(V, "inverses", 1, V::bytes, V::inverses(a).store(out)),                                                            \
      AFFINE(V, "store_lanes", 1, V::bytes, V::store_lanes(out, 16, a, V::bytes / 16)), OF_SEVERAL_CASES(V)

// Bare instructions.  Those that lose or stop are for `ct_propagate` of base/secret.hpp only.
#define FEATURES(features) __attribute__((target(features)))
#define BARE(name, verdict, n, type, cpu, features, expression) \
  {#name,                                                       \
   verdict,                                                     \
   bool(__builtin_cpu_supports(cpu)),                           \
   n * int(sizeof(type)),                                       \
   int(sizeof(type)),                                           \
   [](uint8_t *out, const uint8_t *in) FEATURES(features) {     \
     type a, b, c;                                              \
     memcpy(&a, in, sizeof a);                                  \
     memcpy(&b, in + (n > 1) * sizeof b, sizeof b);             \
     memcpy(&c, in + (n > 2) * 2 * sizeof c, sizeof c);         \
     a = expression;                                            \
     memcpy(out, &a, sizeof a);                                 \
   }}
#define AVX512 "avx512f,avx512bw,avx512vbmi,gfni"

const Case cases[] = {
    WORDS("all_ones_if", 1, all_ones_if(x & 1)),
    WORDS("mask_of_bit", 1, mask_of_bit(x)),
    WORDS("mask_of_nonzero", 1, mask_of_nonzero(x)),
    WORDS("mask_of_nonzero, a byte", 1, mask_of_nonzero(x & 255)),
    WORDS("lowest_bit", 1, lowest_bit(x)),
    WORDS("plus", 2, plus(x, y)),
    WORDS("minus", 2, minus(x, y)),
    WORDS("plus, minus of int", 2, uint32_t(minus(plus(int(x & 511), 128), int(y & 511)))),
    WORDS("spread32", 1, spread32(uint32_t(x) & 0x01010101, 0x1b)),
    WORDS("less", 2, less(uint32_t(x >> 33), uint32_t(y >> 33))),
    WORDS("gf16::fill", 1, gf16::fill(x &gf16::ones)),
    WORDS("gf16::everywhere", 1, gf16::everywhere(GF16{uint8_t(x & 15)})),
    WORDS("gf16::mul", 2, gf16::mul(gf16::multiples(x), gf16::scalar(gf16::get(&y, 7)))),
    WORDS("gf16::mul_elementwise", 2, gf16::mul_elementwise(x, y)),
    WORDS("gf16::sum", 1, gf16::sum(x).n),
    WORDS("GF16 *", 2, (GF16{uint8_t(x & 15)} * GF16{uint8_t(y & 15)}).n),
    WORDS("inverse", 1, inverse(GF16{uint8_t(x & 15)}).n),
    WORDS("base64 digit_of", 1, keyfile::digit_of(uint8_t(x))),
    WORDS("base64 character_of", 1, keyfile::character_of(x & 63)),
    {"transpose16", follows, true, 128, 128,
     [](uint8_t *out, const uint8_t *in) {
       uint64_t w[16];
       memcpy(w, in, sizeof w);
       transpose16(w);
       memcpy(out, w, sizeof w);
     }},
    {"keccak_f1600", follows, true, 200, 200,
     [](uint8_t *out, const uint8_t *in) {
       uint64_t lanes[25];
       memcpy(lanes, in, sizeof lanes);
       keccak_f1600(lanes);
       memcpy(out, lanes, sizeof lanes);
     }},
    {"Aes128Portable", follows, true, 32, 256,
     [](uint8_t *out, const uint8_t *in) {
       Aes128Portable aes;
       aes.init(in, in + 16);
       aes.keystream(out, 16, 16);
     }},
    VECTOR_CASES(VectorAvx2),
    VECTOR_CASES(VectorEmulated),
    AFFINE_CASES(VectorEmulatedGfni<32>),
    AFFINE_CASES(VectorEmulatedGfni<64>),
#if defined(__GFNI__)
    AFFINE_CASES(VectorGfni256),
#endif
#if defined(__AVX512VBMI__)
    AFFINE_CASES(VectorAvx512),
#endif
    // avx2 and aesni.  AES handles public keys only, see docs/constant-time.md.
    BARE(_mm_aesenc_si128, loses, 2, __m128i, "aes", "aes", _mm_aesenc_si128(a, b)),
    BARE(_mm_aesenclast_si128, loses, 2, __m128i, "aes", "aes", _mm_aesenclast_si128(a, b)),
    BARE(_mm_aeskeygenassist_si128, stops, 1, __m128i, "aes", "aes", _mm_aeskeygenassist_si128(a, 1)),
    BARE(_mm256_shuffle_epi8, loses, 2, __m256i, "avx2", "avx2", _mm256_shuffle_epi8(a, b)),
    BARE(_mm256_srli_epi16, follows, 1, __m256i, "avx2", "avx2", _mm256_srli_epi16(a, 4)),
    BARE(_mm256_slli_epi16, follows, 1, __m256i, "avx2", "avx2", _mm256_slli_epi16(a, 4)),
    BARE(_mm256_permute2x128_si256, follows, 2, __m256i, "avx2", "avx2", _mm256_permute2x128_si256(a, b, 0x31)),
    BARE(_mm256_unpackhi_epi8, follows, 2, __m256i, "avx2", "avx2", _mm256_unpackhi_epi8(a, b)),
    BARE(_mm256_movemask_epi8, follows, 1, __m256i, "avx2", "avx2", _mm256_set1_epi32(_mm256_movemask_epi8(a))),
    // vaes, gfni, avx512, and neighbours.
    BARE(_mm256_permutevar8x32_epi32, loses, 2, __m256i, "avx2", "avx2", _mm256_permutevar8x32_epi32(a, b)),
    BARE(_mm256_permute4x64_epi64, follows, 1, __m256i, "avx2", "avx2", _mm256_permute4x64_epi64(a, 0x1b)),
    BARE(_mm256_aesenc_epi128, loses, 2, __m256i, "vaes", "avx2,vaes", _mm256_aesenc_epi128(a, b)),
    BARE(_mm256_gf2p8affine_epi64_epi8, stops, 2, __m256i, "gfni", "avx2,gfni", _mm256_gf2p8affine_epi64_epi8(a, b, 0)),
    BARE(_mm256_gf2p8mul_epi8, loses, 2, __m256i, "gfni", "avx2,gfni", _mm256_gf2p8mul_epi8(a, b)),
    BARE(_mm256_gf2p8affineinv_epi64_epi8, stops, 1, __m256i, "gfni", "avx2,gfni",
         _mm256_gf2p8affineinv_epi64_epi8(a, _mm256_set1_epi64x(0x0102040810204080), 0)),
    BARE(_mm512_gf2p8affine_epi64_epi8, stops, 2, __m512i, "avx512bw", AVX512, _mm512_gf2p8affine_epi64_epi8(a, b, 0)),
    BARE(_mm512_shuffle_epi8, loses, 2, __m512i, "avx512bw", AVX512, _mm512_shuffle_epi8(a, b)),
    BARE(_mm512_permutexvar_epi8, loses, 2, __m512i, "avx512vbmi", AVX512, _mm512_permutexvar_epi8(a, b)),
    BARE(_mm512_multishift_epi64_epi8, loses, 2, __m512i, "avx512vbmi", AVX512, _mm512_multishift_epi64_epi8(a, b)),
    BARE(_mm512_permutex2var_epi8, loses, 3, __m512i, "avx512vbmi", AVX512, _mm512_permutex2var_epi8(a, b, c)),
    BARE(_mm512_permutexvar_epi64, loses, 2, __m512i, "avx512f", AVX512, _mm512_permutexvar_epi64(a, b)),
    BARE(_mm512_permutex2var_epi64, loses, 3, __m512i, "avx512f", AVX512, _mm512_permutex2var_epi64(a, b, c)),
    BARE(_mm512_gf2p8mul_epi8, loses, 2, __m512i, "avx512bw", AVX512, _mm512_gf2p8mul_epi8(a, b)),
    BARE(_mm512_srlv_epi64, follows, 2, __m512i, "avx512f", AVX512, _mm512_srlv_epi64(a, b)),
    BARE(_mm512_sllv_epi64, follows, 2, __m512i, "avx512f", AVX512, _mm512_sllv_epi64(a, b)),
    BARE(_mm512_cmpeq_epi64_mask, follows, 2, __m512i, "avx512f", AVX512,
         _mm512_maskz_mov_epi64(_mm512_cmpeq_epi64_mask(a, b), a)),
    BARE(_mm512_test_epi8_mask, follows, 2, __m512i, "avx512bw", AVX512, _mm512_set1_epi64(int64_t(_mm512_test_epi8_mask(a, b)))),
    BARE(_mm512_mask_mov_epi8, follows, 3, __m512i, "avx512bw", AVX512,
         _mm512_mask_mov_epi8(a, _mm512_test_epi8_mask(b, _mm512_set1_epi8(15)), c)),
    BARE(_mm_popcnt_u64, loses, 1, __m128i, "popcnt", "popcnt", _mm_set1_epi64x(_mm_popcnt_u64(uint64_t(a[0])))),
    BARE(_mm512_ternarylogic_epi64, stops, 3, __m512i, "avx512f", AVX512, _mm512_ternarylogic_epi64(a, b, c, 0x96)),
};

}  // namespace

int main() {
  ct::require_checker();
  __builtin_cpu_init();
  bool here = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("aes");
#if defined(__GFNI__)
  here = here && __builtin_cpu_supports("gfni");
#endif
#if defined(__AVX512VBMI__)
  here = here && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw");
#endif
  if (!here) {
    fprintf(stderr, "this processor has not what these vectors need\n");
    return ct::exit_skipped;
  }
  int wrong = 0, tried = 0;
  for (const Case &c : cases) {
    const int verdict = c.here ? found(c) : c.expected;
    const bool right = verdict == c.expected;
    tried += c.here;
    wrong += !right;
    printf("%-36s %s%s\n", c.name,
           !c.here       ? "not on this processor"
           : verdict < 0 ? "crashed"
                         : verdicts[verdict],
           right ? "" : "  <- EXPECTED OTHERWISE");
  }
  printf("%d operations tried, %d of them otherwise than expected\n", tried, wrong);
  return tried > 0 && wrong == 0 ? 0 : ct::exit_failed;
}
