// SPDX-License-Identifier: Apache-2.0
// The lecture's lessons as micro-benchmarks: ways of multiplying a vector by a scalar in small fields, and two ways of linear
// algebra.  Every way is compared with the field's own product before it is timed.  Page: research/museum/docs/lessons.md
#include <chrono>
#include <functional>
#include "museum/algebra/sparse.hpp"
#include "museum/field/binary_field.hpp"
#include "museum/field/prime_field.hpp"
#include "museum/lessons/small_systems.hpp"
#include "museum/programs/report.hpp"

using namespace museum;
using namespace museum::algebra;
using programs::Clock, programs::Options, programs::Report;

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Nanoseconds of one call: the least of several runs of some milliseconds.
double time_of(const std::function<void(unsigned)> &call) {
  unsigned calls = 1;
  double best = 1e9, took = 0;
  for (;; calls *= 2) {
    const double start = seconds();
    for (unsigned i = 0; i < calls; i++) call(i);
    if ((took = seconds() - start) > 2e-3) break;
  }
  for (int run = 0; run < 7; run++) {
    const double start = seconds();
    for (unsigned i = 0; i < calls; i++) call(i);
    best = std::min(best, (seconds() - start) / calls);
  }
  return best * 1e9;
}

void fail(const std::string &what) { Options::fail("a wrong product: " + what); }

constexpr size_t elements = 4096;

// ---- GF(2^bits): y += a x on 4096 elements -----------------------------------------------------------------------------------

// GF(16) is packed by two, so that a byte holds a pair of elements; a's action on a byte is a linear map either way.
template <class F> uint8_t on_byte(uint8_t a, uint8_t x) {
  if constexpr (F::bits == 8) return F::mul(a, x);
  return uint8_t(F::mul(a, x & 15) | F::mul(a, x >> 4) << 4);
}

template <class F> struct Tables {
  uint8_t product[F::q][256];
  field::Images images[F::q];
  uint64_t masks[F::q][F::bits][F::bits];  // all ones where bit c of x goes into bit r of a x
  uint64_t affine[F::q];                   // the map on a byte, as GF2P8AFFINEQB wants it
  Tables() {
    for (int a = 0; a < F::q; a++) {
      for (int x = 0; x < 256; x++) product[a][x] = on_byte<F>(uint8_t(a), uint8_t(x));
      for (int x = 0; x < 16; x++) images[a].low[x] = product[a][x], images[a].high[x] = product[a][x << 4];
      for (int r = 0; r < F::bits; r++)
        for (int c = 0; c < F::bits; c++) masks[a][r][c] = -uint64_t(product[a][1 << c] >> r & 1);
      affine[a] = 0;
      for (int r = 0; r < 8; r++)  // row r is byte 7 - r
        for (int c = 0; c < 8; c++) affine[a] |= uint64_t(product[a][1 << c] >> r & 1) << (8 * (7 - r) + c);
    }
  }
};

#ifdef __GNUC__  // or the pieces are not held in registers
#define MUSEUM_UNROLL _Pragma("GCC unroll 8")
#else
#define MUSEUM_UNROLL
#endif

// Slice b: bit b of all elements.  A piece of all slices of x is held in registers, each slice of y is fetched and stored once.
template <class F> void bit_sliced(uint64_t *y, const uint64_t (*mask)[F::bits], const uint64_t *x, size_t words) {
  for (size_t w = 0; w < words; w++) {
    uint64_t v[F::bits];
    MUSEUM_UNROLL for (int c = 0; c < F::bits; c++) v[c] = x[size_t(c) * words + w];
    MUSEUM_UNROLL for (int r = 0; r < F::bits; r++) {
      uint64_t sum = y[size_t(r) * words + w];
      MUSEUM_UNROLL for (int c = 0; c < F::bits; c++) sum ^= v[c] & mask[r][c];
      y[size_t(r) * words + w] = sum;
    }
  }
}

#ifdef MUSEUM_AVX2
// The same on registers as wide as those of the shuffles.
template <class F>
__attribute__((target("avx2"))) void bit_sliced_avx2(uint64_t *y, const uint64_t (*mask)[F::bits], const uint64_t *x,
                                                     size_t words) {
  for (size_t w = 0; w < words; w += 4) {
    __m256i v[F::bits];
    MUSEUM_UNROLL for (int c = 0; c < F::bits; c++) v[c] = _mm256_loadu_si256((const __m256i *)(x + size_t(c) * words + w));
    MUSEUM_UNROLL for (int r = 0; r < F::bits; r++) {
      __m256i *const to = (__m256i *)(y + size_t(r) * words + w);
      __m256i sum = _mm256_loadu_si256(to);
      MUSEUM_UNROLL for (int c = 0; c < F::bits; c++) sum =
          _mm256_xor_si256(sum, _mm256_and_si256(v[c], _mm256_set1_epi64x((long long)mask[r][c])));
      _mm256_storeu_si256(to, sum);
    }
  }
}

__attribute__((target("avx2,gfni"))) void affine_map(uint8_t *y, uint64_t matrix, const uint8_t *x, size_t n) {
  const __m256i M = _mm256_set1_epi64x((long long)matrix);
  for (size_t i = 0; i + 32 <= n; i += 32) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(x + i)), w = _mm256_loadu_si256((const __m256i *)(y + i));
    _mm256_storeu_si256((__m256i *)(y + i), _mm256_xor_si256(w, _mm256_gf2p8affine_epi64_epi8(v, M, 0)));
  }
}
__attribute__((target("avx2,gfni"))) void byte_products(uint8_t *y, uint8_t a, const uint8_t *x, size_t n) {
  const __m256i A = _mm256_set1_epi8(char(a));
  for (size_t i = 0; i + 32 <= n; i += 32) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(x + i)), w = _mm256_loadu_si256((const __m256i *)(y + i));
    _mm256_storeu_si256((__m256i *)(y + i), _mm256_xor_si256(w, _mm256_gf2p8mul_epi8(v, A)));
  }
}
#endif

class Table {
 public:
  explicit Table(Report &report) : report_(report) {}
  void row(const std::string &group, const std::string &way, double per_ns) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f products per ns", per_ns);
    report_.say(group + ": " + way, std::string(text));
    std::snprintf(text, sizeof text, "%.4f", per_ns);
    json_ += (json_.empty() ? "" : ", ") + ("{\"group\": \"" + group + "\", \"way\": \"" + way + "\", \"per_ns\": " + text + "}");
  }
  std::string json() const { return "[" + json_ + "]"; }

 private:
  Report &report_;
  std::string json_;
};

template <class F> void binary_field(const std::string &name, Table &table, Random &rng) {
  static const Tables<F> T;
  const size_t bytes = elements * F::bits / 8, words = elements / 64;
  const Vector<F> x = random_vector<F>(elements, rng), y = random_vector<F>(elements, rng);
  const auto packed = [&](const Vector<F> &v) {
    std::vector<uint8_t> p(bytes, 0);
    for (size_t i = 0; i < elements; i++) p[i * F::bits / 8] = uint8_t(p[i * F::bits / 8] | v[i] << (i * F::bits % 8));
    return p;
  };
  const auto sliced = [&](const Vector<F> &v) {
    std::vector<uint64_t> p(words * F::bits, 0);
    for (size_t i = 0; i < elements; i++)
      for (size_t b = 0; b < F::bits; b++) p[b * words + i / 64] |= uint64_t(v[i] >> b & 1) << (i % 64);
    return p;
  };
  const auto expected = [&](uint8_t a) {
    Vector<F> z(elements);
    for (size_t i = 0; i < elements; i++) z[i] = F::add(y[i], F::mul(a, x[i]));
    return z;
  };
  const auto measure = [&](const std::string &way, auto form, auto add) {
    const auto from = form(x);
    for (int a = 0; a < F::q; a++) {
      auto to = form(y);
      add(to.data(), uint8_t(a), from.data());
      if (to != form(expected(uint8_t(a)))) fail(name + " " + way);
    }
    auto to = form(y);
    table.row(name, way, elements / time_of([&](unsigned i) { add(to.data(), uint8_t(1 + i % (F::q - 1)), from.data()); }));
  };
  measure("look-ups", packed, [&](uint8_t *to, uint8_t a, const uint8_t *from) {
    for (size_t i = 0; i < bytes; i++) to[i] ^= T.product[a][from[i]];
  });
  measure("bit-sliced words", sliced,
          [&](uint64_t *to, uint8_t a, const uint64_t *from) { bit_sliced<F>(to, T.masks[a], from, words); });
#ifdef MUSEUM_AVX2
  if (field::have_avx2)
    measure("bit-sliced (AVX2)", sliced,
            [&](uint64_t *to, uint8_t a, const uint64_t *from) { bit_sliced_avx2<F>(to, T.masks[a], from, words); });
  if (field::have_avx2)
    measure("shuffles (AVX2)", packed,
            [&](uint8_t *to, uint8_t a, const uint8_t *from) { field::add_images_avx2(to, T.images[a], from, bytes); });
  if (field::have_avx2 && __builtin_cpu_supports("gfni")) {
    measure("affine maps (GFNI)", packed,
            [&](uint8_t *to, uint8_t a, const uint8_t *from) { affine_map(to, T.affine[a], from, bytes); });
    if constexpr (std::is_same_v<F, field::Gf256>)
      measure("GF2P8MULB (GFNI)", packed,
              [&](uint8_t *to, uint8_t a, const uint8_t *from) { byte_products(to, a, from, bytes); });
  }
#endif
}

// ---- GF(31) and GF(256): y = C x with 64 outputs and 128 inputs, as MQDSS evaluates; y stays in registers
// --------------------------

constexpr size_t outputs = 64, inputs = 128;

#ifdef MUSEUM_AVX2
__attribute__((target("avx2"))) void shuffled_columns(uint8_t *y, const field::Images *images, const uint8_t *C,
                                                      const uint8_t *x) {
  const __m256i nibble = _mm256_set1_epi8(15);
  __m256i sum[2] = {};
  for (size_t j = 0; j < inputs; j++) {
    const field::Images &a = images[x[j]];
    const __m256i low = _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)a.low));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)a.high));
    for (size_t i = 0; i < 2; i++) {
      const __m256i c = _mm256_loadu_si256((const __m256i *)(C + j * outputs + 32 * i));
      const __m256i l = _mm256_shuffle_epi8(low, _mm256_and_si256(c, nibble));
      const __m256i h = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(c, 4), nibble));
      sum[i] = _mm256_xor_si256(sum[i], _mm256_xor_si256(l, h));
    }
  }
  for (size_t i = 0; i < 2; i++) _mm256_storeu_si256((__m256i *)(y + 32 * i), sum[i]);
}
__attribute__((target("avx2,gfni"))) void multiplied_columns(uint8_t *y, const uint8_t *C, const uint8_t *x) {
  __m256i sum[2] = {};
  for (size_t j = 0; j < inputs; j++) {
    const __m256i a = _mm256_set1_epi8(char(x[j]));
    for (size_t i = 0; i < 2; i++)
      sum[i] = _mm256_xor_si256(sum[i], _mm256_gf2p8mul_epi8(_mm256_loadu_si256((const __m256i *)(C + j * outputs + 32 * i)), a));
  }
  for (size_t i = 0; i < 2; i++) _mm256_storeu_si256((__m256i *)(y + 32 * i), sum[i]);
}
#endif

// What VPMADDUBSW for GF(31) is to be compared with: the same product over GF(256).
void columns_of_256(Table &table, Random &rng) {
#ifdef MUSEUM_AVX2
  using F = field::Gf256;
  static const Tables<F> T;
  const Matrix<F> C = random_matrix<F>(inputs, outputs, rng);  // row j: the coefficients of input j
  const Vector<F> x = random_vector<F>(inputs, rng), expected = combine_rows(x, C);
  Vector<F> y(outputs);
  const auto measure = [&](const std::string &way, auto evaluate) {
    std::fill(y.begin(), y.end(), uint8_t(0));
    evaluate();
    if (y != expected) fail("GF(256), y = C x " + way);
    table.row("GF(256), y = C x", way, double(inputs * outputs) / time_of([&](unsigned) { evaluate(); }));
  };
  if (field::have_avx2) measure("shuffles (AVX2)", [&] { shuffled_columns(y.data(), T.images, C.row(0), x.data()); });
  if (field::have_avx2 && __builtin_cpu_supports("gfni"))
    measure("GF2P8MULB (GFNI)", [&] { multiplied_columns(y.data(), C.row(0), x.data()); });
#else
  (void)table, (void)rng;
#endif
}

void prime_field(Table &table, Random &rng) {
  using F = field::Gf31;
  static uint8_t product[32][32];
  for (int a = 0; a < 31; a++)
    for (int b = 0; b < 31; b++) product[a][b] = F::mul(uint8_t(a), uint8_t(b));
  const Matrix<F> C = random_matrix<F>(inputs, outputs, rng);  // row j: the coefficients of input j
  const Vector<F> x = random_vector<F>(inputs, rng), expected = combine_rows(x, C);
  std::vector<uint8_t> pairs(inputs * outputs);
  for (size_t j = 0; j < inputs; j++)
    for (size_t i = 0; i < outputs; i++) pairs[2 * (j / 2 * outputs + i) + j % 2] = C(j, i);
  std::vector<uint16_t> y(outputs);
  const auto measure = [&](const std::string &way, auto evaluate) {
    evaluate();
    for (size_t i = 0; i < outputs; i++)
      if (y[i] % 31 != expected[i]) fail("GF(31) " + way);
    table.row("GF(31), y = C x", way, double(inputs * outputs) / time_of([&](unsigned) { evaluate(); }));
  };
  measure("look-ups, reduced each time", [&] {
    std::fill(y.begin(), y.end(), uint16_t(0));
    for (size_t j = 0; j < inputs; j++)
      for (size_t i = 0; i < outputs; i++) {
        const uint16_t s = uint16_t(y[i] + product[C(j, i)][x[j]]);
        y[i] = uint16_t(s >= 31 ? s - 31 : s);
      }
  });
  measure("16-bit sums in plain C, reduced late", [&] {
    std::fill(y.begin(), y.end(), uint16_t(0));
    for (size_t j = 0; j < inputs; j++) {
      const uint8_t *c = C.row(j);
      for (size_t i = 0; i < outputs; i++) y[i] = uint16_t(y[i] + c[i] * x[j]);
      if (j % 64 == 63)
        for (size_t i = 0; i < outputs; i++) y[i] = uint16_t((y[i] & 31) + (y[i] >> 5));
    }
  });
#ifdef MUSEUM_AVX2
  if (field::have_avx2)
    measure("VPMADDUBSW (AVX2), reduced late",
            [&] { lessons::pair_products<outputs, inputs>(y.data(), pairs.data(), x.data()); });
#endif
}

template <size_t n> void small_system(Report &report, Random &rng) {
#ifdef MUSEUM_AVX2
  using F = field::Gf31;
  if (!field::have_avx2) return;
  Matrix<F> A(n, n);
  std::array<uint8_t, n> x, b;
  for (auto &e : x) e = random_element<F>(rng);
  for (;;) {
    A = random_matrix<F>(n, n, rng);
    if (rank(A) < n) continue;
    const Vector<F> image = algebra::apply(A, Vector<F>(x.begin(), x.end()));
    std::copy(image.begin(), image.end(), b.begin());
    if (lessons::SmallSystem<n>(A, b).by_wiedemann() != std::array<uint8_t, n>{}) break;
  }
  const lessons::SmallSystem<n> system(A, b);
  std::array<uint8_t, n> found;
  const auto measure = [&](const std::string &way, auto solve) {
    found = solve();
    if (found != x) fail("a small system by " + way);
    return time_of([&](unsigned) { found = solve(); }) / 1000;
  };
  char text[100];
  const double gauss = measure("elimination", [&] { return system.by_gauss(); });
  const double wiedemann = measure("Wiedemann's algorithm", [&] { return system.by_wiedemann(); });
  std::snprintf(text, sizeof text, "elimination %.1f us, Wiedemann %.1f us (AVX2)", gauss, wiedemann);
  report.say("N = " + std::to_string(n) + ", dense, GF(31)", std::string(text));
#else
  (void)report, (void)rng;
#endif
}

// ---- Gauss against Wiedemann
// ---------------------------------------------------------------------------------------------------------

std::string linear_algebra(Report &report, Random &rng, size_t largest) {
  using F = field::Gf16;
  std::string json;
  for (size_t n = 500; n <= largest; n *= 2) {
    SparseMatrix<F> A{n, {}};
    for (size_t i = 0; i < n + 32; i++) {
      SparseRow<F> row;
      for (int k = 0; k < 40; k++) {
        const auto column = uint32_t(rng() % (n - 1));
        row.add(column, random_unit<F>(rng));
      }
      row.add(uint32_t(n - 1), 1);  // its value follows
      A.rows.push_back(row);
    }
    // One kernel vector, (w, 1): the last column is minus the combination w of the others.
    const Vector<F> w = random_vector<F>(n - 1, rng);
    for (auto &row : A.rows) {
      uint8_t sum = 0;
      for (size_t k = 0; k < 40; k++) sum = F::add(sum, F::mul(row.value[k], w[row.column[k]]));
      row.value[40] = F::neg(sum);
    }
    const Clock gauss;
    const size_t corank = kernel(A.dense()).rows();
    const double by_gauss = gauss.seconds();
    const Clock wiedemann;
    const size_t found = block_wiedemann(A, 2, rng).rows();
    const double by_wiedemann = wiedemann.seconds();
    if (corank != 1 || found != 1) fail("a kernel");
    char text[160];
    std::snprintf(text, sizeof text, "elimination %.3f s, block Wiedemann %.3f s of CPU", by_gauss, by_wiedemann);
    report.say("N = " + std::to_string(n) + ", 41 entries a row", std::string(text));
    std::snprintf(text, sizeof text, "%s{\"n\": %zu, \"gauss\": %.5f, \"wiedemann\": %.5f}", json.empty() ? "" : ", ", n,
                  by_gauss, by_wiedemann);
    json += text;
  }
  return "[" + json + "]";
}

}  // namespace

int main(int argc, char **argv) {
  Options options(
      argc, argv,
      "The lecture's lessons as micro-benchmarks: products by a scalar in GF(16), GF(256) and GF(31), Gauss against Wiedemann.\n"
      "Page: research/museum/docs/lessons.md");
  const long largest = options.number("largest", 4000, "largest matrix for Gauss against Wiedemann");
  const long seed = options.number("seed", 1, "of the data");
  Report report(options.text("json", "", "file for the figures' data"));
  options.done();
  Random rng{(unsigned long)seed};
  Table table(report);
  binary_field<field::Gf16>("GF(16)", table, rng);
  binary_field<field::Gf256>("GF(256)", table, rng);
  columns_of_256(table, rng);
  prime_field(table, rng);
  small_system<32>(report, rng);
  small_system<64>(report, rng);
  report.keep("products", table.json());
  report.keep("matrices", linear_algebra(report, rng, size_t(largest)));
  report.write();
  return 0;
}
