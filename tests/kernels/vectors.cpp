// SPDX-License-Identifier: Apache-2.0
// Every operation that the wide kernels ask of a vector type (backend/wide/vector.hpp, docs/vectors.md) against plain loops on
// random bytes, for the vector types of one backend (harness.hpp).
#include AIOLI_BACKEND_HEADER
#include "backend/wide/vector.hpp"
#include "kernels/harness.hpp"

namespace {

using namespace aioli;
using namespace kernels;

[[maybe_unused]] unsigned times16(unsigned a, unsigned b) { return times<4>(a, b); }
unsigned times256(unsigned a, unsigned b) { return times<8>(a, b); }
unsigned inverse256(unsigned a) {
  for (unsigned b = 1; b < 256; b++)
    if (times256(a, b) == 1) return b;
  return 0;
}

// a and b, loaded from unaligned addresses, and bytes behind them.
template <class V, class R> struct Inputs {
  static constexpr int n = V::bytes;
  uint8_t in[8 * n + 64], *const A = in + 1, *const B = in + n + 3;
  R a, b;
  const char *name;

  explicit Inputs(const char *vector) : name(vector) {
    for (auto &x : in) x = random_byte();
    if (random_byte() < 64) memset(A, 0, n / 2 + 3), memset(B + n / 2, 0xff, n / 2);
    a = V::load(A), b = V::load(B);
  }
  // Byte i of a register is f(i).
  template <class F> void is(const R &r, const char *operation, F f) const {
    uint8_t out[n + 2], expected[n + 2];
    memset(out, 0x5a, sizeof out), memset(expected, 0x5a, sizeof expected);
    r.store(out + 1);
    for (int i = 0; i < n; i++) expected[1 + i] = uint8_t(f(i));
    expect(memcmp(out, expected, sizeof out) == 0, name, operation);
  }
  // What is written is f(0) .. f(count - 1), and nothing else.
  template <class Store, class F> void writes(const char *operation, int count, Store store, F f) const {
    uint8_t out[4 * n], expected[4 * n];
    memset(out, 0x5a, sizeof out), memset(expected, 0x5a, sizeof expected);
    store(out + 1);
    for (int i = 0; i < count; i++) expected[1 + i] = uint8_t(f(i));
    expect(memcmp(out, expected, sizeof out) == 0, name, operation);
  }
};

template <class V, class R> void check_all(const Inputs<V, R> &x) {
  const auto &[in, A, B, a, b, name] = x;
  constexpr int n = V::bytes, half = n / 2;
  x.is(V::zero(), "zero", [](int) { return 0; });
  x.is(a, "load, store", [&](int i) { return A[i]; });
  x.is(a ^ b, "^", [&](int i) { return A[i] ^ B[i]; });
  x.is(a & b, "&", [&](int i) { return A[i] & B[i]; });
  x.is(V::halves(in + 3, in + 30), "halves", [&](int i) { return i < half ? in[3 + i] : in[30 + i - half]; });
  x.is(V::first_halves(a, b), "first_halves", [&](int i) { return i < half ? A[i] : B[i - half]; });
  x.is(V::second_halves(a, b), "second_halves", [&](int i) { return i < half ? A[i + half] : B[i]; });
  x.is(V::broadcast1(in[9]), "broadcast1", [&](int) { return in[9]; });
  x.is(V::broadcast4(in + 5), "broadcast4", [&](int i) { return in[5 + i % 4]; });
  uint64_t nonzero = 0;
  for (int i = 0; i < n; i++) nonzero |= uint64_t(A[i] != 0) << i;
  expect(V::nonzero_bytes(a) == nonzero, name, "nonzero_bytes");
  expect(V::first_word(a) == load64(A), name, "first_word");
  const R line[2] = {a, b};
  const auto element = [&](int i) { return i < n ? A[i] : i < 2 * n ? B[i - n] : 0; };
  uint8_t numbers[n];  // the same in both halves where these are all that is asked for
  for (int i = 0; i < n; i++) numbers[i] = n == 32 && i >= half ? numbers[i - half] : uint8_t(random_byte() % 192);
  x.is(V::chosen(line, V::load(numbers)), "chosen", [&](int i) { return element(numbers[i]); });
  const int number = random_byte() % (2 * n);
  x.is(V::element(line, uint8_t(number)), "element", [&](int) { return element(number); });
}

template <class V>
  requires ShuffleVector<V>
void check(const char *vector) {
  const Inputs<V, V> x(vector);
  check_all<V, V>(x);
  const auto &[in, A, B, a, b, name] = x;
  constexpr int n = V::bytes;
  x.is(V::quarters(in + 1, in + 12, in + 40, in + 3), "quarters", [&](int i) {
    const int from[4] = {1, 12, 40, 3};
    return in[from[i / 8] + i % 8];
  });
  x.is(V::broadcast16(in + 7), "broadcast16", [&](int i) { return in[7 + i % 16]; });
  x.is(a.low_nibbles(), "low_nibbles", [&](int i) { return A[i] & 15; });
  x.is(a.high_nibbles(), "high_nibbles", [&](int i) { return A[i] >> 4; });
  x.is(a.low_nibbles().low_to_high(), "low_to_high", [&](int i) { return A[i] << 4; });
  x.is(V::inverse_of_all(V::broadcast1(in[9])), "inverse_of_all", [&](int) { return inverse256(in[9]); });
  x.is(V::look_up(a, b.low_nibbles()), "look_up", [&](int i) { return A[i / 16 * 16 + (B[i] & 15)]; });
  V r[4];
  for (int i = 0; i < 4; i++) r[i] = V::load(in + n * i);
  V::transpose_quarters(r);
  for (int j = 0; j < 4; j++) x.is(r[j], "transpose_quarters", [&](int i) { return in[n * (i / 8) + 8 * j + i % 8]; });
  uint8_t tables[2][n][16];
  V::product_tables(tables[0], in);
  bool right = true;
  for (int i = 0; i < n; i++)
    for (unsigned j = 0; j < 16; j++) right = right && tables[0][i][j] == (times16(in[i] & 15, j) | times16(in[i] >> 4, j) << 4);
  expect(right, vector, "product_tables");
  V::product_tables256(tables[0], tables[1], a);
  right = true;
  for (int i = 0; i < n; i++)
    for (unsigned j = 0; j < 16; j++)
      right = right && tables[0][i][j] == times256(A[i], j) && tables[1][i][j] == times256(A[i], 16 * j);
  expect(right, vector, "product_tables256");
}

template <class V>
  requires AffineVector<V>
void check(const char *vector) {
  using R = typename V::Register;
  const Inputs<V, R> x(vector);
  check_all<V, R>(x);
  const auto &[in, A, B, a, b, name] = x;
  constexpr int n = V::bytes, half = n / 2, words = n / 8;
  const R c = V::load(in + 30);
  x.is(a.kept(), "kept", [&](int i) { return A[i]; });
  x.is(V::sum(a, b, c), "sum", [&](int i) { return A[i] ^ B[i] ^ in[30 + i]; });
  R first, second;
  V::interleave(a, b, first, second);
  x.is(first, "interleave, low", [&](int i) { return (A[i] & 15) | B[i] << 4; });
  x.is(second, "interleave, high", [&](int i) { return A[i] >> 4 | (B[i] & 0xf0); });
  x.is(V::interleave_halves(a), "interleave_halves",
       [&](int i) { return i < half ? (A[i] & 15) | A[i + half] << 4 : A[i - half] >> 4 | (A[i] & 0xf0); });
  x.is(V::affine(a, b), "affine", [&](int i) {
    unsigned out = 0;
    for (int bit = 0; bit < 8; bit++) out |= unsigned(__builtin_parity(A[i] & B[i / 8 * 8 + 7 - bit])) << bit;
    return out;
  });
  x.is(V::multiply(a, b), "multiply", [&](int i) { return times256(A[i], B[i]); });
  x.is(V::inverses(a), "inverses", [&](int i) { return inverse256(A[i]); });
  x.is(V::broadcast8(in + 5), "broadcast8", [&](int i) { return in[5 + i % 8]; });
  x.is(V::twice(in + 5), "twice", [&](int i) { return in[5 + i % half]; });
  const uint8_t *places[words];
  for (int i = 0; i < words; i++) places[i] = in + (7 * i + 5) % 41;
  x.is(V::words(places, 3), "words", [&](int i) { return places[i / 8][3 + i % 8]; });
  V::interleave_bytes(a, b, first, second);
  for (int of = 0; of < 2; of++)
    x.is(of == 0 ? first : second, "interleave_bytes",
         [&](int i) { return (i % 2 == 0 ? A : B)[i / 16 * 16 + 8 * of + i % 16 / 2]; });
  uint64_t sums[2], expected[2] = {};
  V::sums_of_words(sums[0], sums[1], a);
  for (int i = 0; i < words; i++) expected[i / (words / 2)] ^= load64(A + 8 * i);
  expect(sums[0] == expected[0] && sums[1] == expected[1], vector, "sums_of_words");
  const auto stored = [&](int i) { return A[i]; };
  x.writes("store_words<1>", 8, [&](uint8_t *p) { V::template store_words<1>(p, a); }, stored);
  x.writes("store_words<2>", 16, [&](uint8_t *p) { V::template store_words<2>(p, a); }, stored);
  x.writes("store_words<3>", 24, [&](uint8_t *p) { V::template store_words<3>(p, a); }, stored);
  x.writes("store_words, half", half, [&](uint8_t *p) { V::template store_words<words / 2>(p, a); }, stored);
  x.writes("store_words, one more", half + 8, [&](uint8_t *p) { V::template store_words<words / 2 + 1>(p, a); }, stored);
  x.writes("store_words, one less", n - 8, [&](uint8_t *p) { V::template store_words<words - 1>(p, a); }, stored);
  x.writes("store_words, all but two", n - 16, [&](uint8_t *p) { V::template store_words<words - 2>(p, a); }, stored);
  x.writes("store_words, all", n, [&](uint8_t *p) { V::template store_words<words>(p, a); }, stored);
  for (int count = 1; count <= n / 16; count++)
    x.writes(
        "store_lanes", 24 * count - 8, [&](uint8_t *p) { V::store_lanes(p, 24, a, count); },
        [&](int i) { return i % 24 < 16 ? A[i / 24 * 16 + i % 24] : 0x5a; });
}

#define CHECK_VECTOR(V) \
  for (int trial = 0; trial < 200; trial++) check<V>(#V)

void check_vectors() {
#if defined(AIOLI_BACKEND_avx2)
  CHECK_VECTOR(VectorAvx2);
#elif defined(AIOLI_BACKEND_gfni)
  CHECK_VECTOR(VectorGfni256);
#elif defined(AIOLI_BACKEND_avx512)
  CHECK_VECTOR(VectorAvx512);
#elif defined(AIOLI_BACKEND_emulated)
  CHECK_VECTOR(VectorEmulated);
#elif defined(AIOLI_BACKEND_emulated_gfni)
  CHECK_VECTOR(VectorEmulatedGfni<32>);
#elif defined(AIOLI_BACKEND_emulated_avx512)
  CHECK_VECTOR(VectorEmulatedGfni<64>);
#else
#error "which vector?"
#endif
}

}  // namespace

int main() { return run(AIOLI_TEST_BACKEND, check_vectors); }
