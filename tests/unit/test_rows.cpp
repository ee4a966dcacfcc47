// SPDX-License-Identifier: Apache-2.0
// Row sources: the keystream in pieces, and rows streamed and stored, one or several at a time, on every parameter set.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "linalg/circular_rows.hpp"
#include "oracle/algebra.hpp"
#include "scheme/mayo_encoding.hpp"
#include "scheme/mayo_params.hpp"
#include "scheme/uov_params.hpp"
#include "symmetric/aes128_ctr.hpp"

using oracle::Vector;

namespace {

// A stream with the interface of a counter mode, its bytes known by their place; complains about calls outside the contract.
uint8_t stream_byte(const uint8_t *key, uint64_t at) {
  const uint64_t x = (at / 16 + 1) * 0x9e3779b97f4a7c15 + at % 16 * 0xc2b2ae3d27d4eb4f + key[at % 16];
  return uint8_t(x >> 32 ^ x >> 56);
}
int broken_calls = 0;
template <int Batch> struct FakeAes {
  static constexpr int batch = Batch, ahead = 1;
  using Short = FakeAes;
  uint8_t key[16];
  void init(const uint8_t *k, const uint8_t *iv) {
    for (int i = 0; i < 16; i++) broken_calls += iv[i] != 0, key[i] = k[i];
  }
  void keystream(uint8_t *out, uint32_t first, uint32_t blocks) const {
    broken_calls += first % Batch != 0 || blocks % Batch != 0;
    for (uint64_t i = 0; i < uint64_t(blocks) * 16; i++) out[i] = stream_byte(key, uint64_t(first) * 16 + i);
  }
};
const uint8_t key[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

oracle::Bytes stream(uint64_t from, size_t n) {
  oracle::Bytes b(n);
  for (size_t i = 0; i < n; i++) b[i] = stream_byte(key, from + i);
  return b;
}

template <int Batch, int Capacity, int Ahead = 1> void check_reader(oracle::Random &random) {
  CAPTURE(Batch);
  CAPTURE(Capacity);
  CAPTURE(Ahead);
  using Reader = aioli::KeystreamReader<FakeAes<Batch>, Capacity, Ahead>;
  const uint8_t zero_iv[16] = {};
  FakeAes<Batch> aes;
  aes.init(key, zero_iv);
  const std::unique_ptr<Reader> reader(new Reader);
  std::memset(static_cast<void *>(reader.get()), 0xa5, sizeof(Reader));
  for (int trial = 0; trial < 60; trial++) {
    uint32_t at = trial < 40 ? uint32_t(trial * 7) : uint32_t(random.next() >> 34);
    if (trial == 59) at = 16 * Batch * 1000 - 1;
    CAPTURE(at);
    reader->seek(at);
    for (int piece = 0; piece < 40; piece++) {
      const int kind = random.below(8);
      const int n = kind == 0 ? 0 : kind == 1 ? Capacity : kind == 2 ? 1 : random.between(0, Capacity);
      uint8_t *p = reader->read(aes, n);
      CHECK(oracle::Bytes(p, p + n) == stream(at, size_t(n)));
      unsigned behind = 0;
      for (int i = 0; i < aioli::slack; i++) behind += p[n + i];  // readable, as a sanitizer or valgrind sees
      CHECK(behind <= 255u * aioli::slack);
      for (int i = 0; i < n; i++) p[i] = uint8_t(~p[i]);  // pieces are rewritten in place; the next ones must not notice
      at += uint32_t(n);
    }
  }
}

// A block of rows of whatever entries, the last of which stand alone.
template <class P> void check_linear_term(bool there_is_one) {
  constexpr int block = 2;
  const uint8_t entry[P::m_bytes + aioli::slack] = {};
  aioli::LinearTerm<P, FakeAes<1>, block> term;
  aioli::Target<P> target = {};
  aioli::copy(target.lambda_key, key, sizeof key);
  term.start(target);
  term.rewind();
  size_t at = 0;
  for (int count = block; count >= 0; count--) {
    aioli::Rows<block> rows = {0, count, {}, {}};
    for (int b = 0; b < block; b++) rows.P1[b] = rows.P2[b] = {entry, 0, 0};
    aioli::RowSegment lambda[block];
    term.next(lambda, rows);
    for (int b = 0; b < block; b++) {
      CAPTURE(count);
      CAPTURE(b);
      REQUIRE(lambda[b].entries != nullptr);
      REQUIRE(lambda[b].count == (there_is_one && b < count ? 1 : 0));
      const oracle::Bytes got(lambda[b].entries, lambda[b].entries + lambda[b].count * P::m_bytes);
      CHECK(got == stream(at, got.size()));
      at += got.size();
    }
  }
}

}  // namespace

TEST_CASE("the linear term beside rows: of round 3 one entry a row, before that none, and never a null pointer") {
  check_linear_term<aioli::Mayo1>(true);
  check_linear_term<aioli::Mayo1r2>(false);
}

TEST_CASE("a keystream in pieces of any size from anywhere") {
  oracle::Random random(50);
  broken_calls = 0;
  check_reader<1, 1>(random);
  check_reader<1, 39>(random);
  check_reader<2, 64>(random);
  check_reader<3, 54>(random);
  check_reader<8, 16>(random);
  check_reader<8, 128>(random);
  check_reader<8, 1000>(random);
  check_reader<16, 71>(random);
  check_reader<16, 256>(random);
  check_reader<16, 5000>(random);
  check_reader<1, 39, 2>(random);
  check_reader<8, 128, 3>(random);
  check_reader<16, 71, 4>(random);
  check_reader<16, 432, 4>(random);
  check_reader<16, 1400, 4>(random);
  CHECK(broken_calls == 0);
}

TEST_CASE("a keystream of AES in pieces") {
  oracle::Random random(51);
  const oracle::Bytes secret = random.bytes(16), iv = random.bytes(16);
  aioli::Aes128Portable aes;
  aes.init(secret.data(), iv.data());
  oracle::Bytes plain(16 * 16 * 20);
  aes.keystream(plain.data(), 0, 16 * 20);
  aioli::KeystreamReader<aioli::Aes128Portable, 100> reader;
  for (uint32_t start : {0, 1, 255, 256, 257, 1000, 2559}) {
    uint32_t at = start;
    reader.seek(at);
    while (at < plain.size() - 100) {
      const int n = random.between(0, 100);
      const uint8_t *p = reader.read(aes, n);
      CHECK(std::equal(p, p + n, plain.data() + at));
      at += uint32_t(n);
    }
  }
}

namespace {

// A row as a source delivered it.
struct Run {
  int first;
  oracle::Bytes entries;
  friend bool operator==(const Run &, const Run &) = default;
};
struct Row {
  int index;
  Run P1, P2;
  friend bool operator==(const Row &, const Row &) = default;
};
struct Delivered {
  std::vector<Row> rows;
  std::vector<int> counts;
  int wrong = 0;  // indices that do not follow each other, empty segments that are not empty
};

struct Adapter {
  const char *name;
  int m, v, o, m_bytes;
  bool bits;
  int P1_bytes, P2_bytes, P3_bytes;
  struct Sources {
    int block;
    Delivered (*streamed)(int passes);
    Delivered (*stored)(const uint8_t *P1, const uint8_t *P2, int passes);
    Delivered (*oil)(const uint8_t *P3, int passes);
  };
  std::vector<Sources> sources;
};

// What a source gave in one call, for code that is compiled once.
struct Block {
  int index, count;
  aioli::RowSegment P1[4], P2[4];
};
// passes - 1 of them are abandoned on the way, at the first or a later block.
Delivered collect(void *source, bool (*next)(void *, Block &), void (*rewind)(void *), int block, int m_bytes, int index,
                  int passes) {
  Delivered d;
  Block rows;
  for (int pass = 1; pass < passes; pass++) {
    for (int i = 0; i < pass; i++) next(source, rows);
    rewind(source);
  }
  const auto run = [&](const aioli::RowSegment &s) {
    const size_t n = size_t(s.count * m_bytes);
    unsigned behind = 0;
    for (int i = 0; i < aioli::slack; i++) behind += s.entries[n + size_t(i)];  // readable
    d.wrong += behind > 255u * aioli::slack;
    return Run{s.count == 0 ? 0 : s.first, oracle::Bytes(s.entries, s.entries + n)};
  };
  while (next(source, rows)) {
    d.wrong += rows.index != index || rows.count < 1 || rows.count > block;
    for (int b = 0; b < rows.count; b++) d.rows.push_back({rows.index + b, run(rows.P1[b]), run(rows.P2[b])});
    for (int b = rows.count; b < block; b++) d.wrong += rows.P1[b].count != 0 || rows.P2[b].count != 0;
    d.counts.push_back(rows.count);
    index += rows.count;
  }
  d.wrong += rows.count != 0;
  for (int b = 0; b < block; b++) d.wrong += rows.P1[b].count != 0 || rows.P2[b].count != 0;
  return d;
}

template <class P, int N> struct SourcesOf {
  template <class Source> static bool next(void *source, Block &to) {
    aioli::Rows<N> rows;
    std::memset(static_cast<void *>(&rows), 0xa5, sizeof rows);
    const bool more = static_cast<Source *>(source)->next(rows);
    to.index = rows.index, to.count = rows.count;
    for (int b = 0; b < N; b++) to.P1[b] = rows.P1[b], to.P2[b] = rows.P2[b];
    return more;
  }
  template <class Source> static void rewind(void *source) { static_cast<Source *>(source)->rewind(); }
  template <class Source> static Delivered collect_from(Source &source, int index, int passes) {
    return collect(&source, next<Source>, rewind<Source>, N, P::m_bytes, index, passes);
  }

  static Delivered streamed(int passes) {
    using Source = aioli::StreamedRows<P, FakeAes<N == 3 ? 5 : 8>, N>;
    const std::unique_ptr<Source> source(new Source);
    source->start(key);
    return collect_from(*source, 0, passes);
  }
  static Delivered stored(const uint8_t *P1, const uint8_t *P2, int passes) {
    aioli::StoredRows<P, N> source;
    source.start(P1, P2);
    return collect_from(source, 0, passes);
  }
  static Delivered oil(const uint8_t *P3, int passes) {
    aioli::OilRows<P, N> source;
    source.start(P3);
    return collect_from(source, P::v, passes);
  }
  static Adapter::Sources sources() { return {N, streamed, stored, oil}; }
};

template <class P> Adapter adapter(const char *name) {
  return {name,
          P::m,
          P::v,
          P::o,
          P::m_bytes,
          P::slicing == aioli::Slicing::bits,
          P::P1_bytes,
          P::P2_bytes,
          P::P3_bytes,
          {SourcesOf<P, 1>::sources(), SourcesOf<P, 2>::sources(), SourcesOf<P, 3>::sources(), SourcesOf<P, 4>::sources()}};
}

std::vector<Adapter> adapters() {
  return {
#define AIOLI_MAYO_SET(identifier, name, params) adapter<aioli::params>(name),
#include "oracle/mayo_sets.inc"
#undef AIOLI_MAYO_SET
  };
}

// The same m-vectors, nibbles whatever they were.
oracle::Bytes as_nibbles(const Adapter &s, const oracle::Bytes &encoded) {
  if (!s.bits) return encoded;
  oracle::Bytes nibbles;
  for (size_t at = 0; at < encoded.size(); at += size_t(s.m_bytes)) {
    Vector a(static_cast<size_t>(s.m));
    for (int i = 0; i < s.m; i++)
      for (int b = 0; b < 4; b++) a[size_t(i)] |= uint8_t((encoded[at + size_t(b * s.m / 8 + i / 8)] >> i % 8 & 1) << b);
    const oracle::Bytes packed = oracle::pack(a);
    nibbles.insert(nibbles.end(), packed.begin(), packed.end());
  }
  return nibbles;
}

std::vector<int> counts(int rows, int block) {
  std::vector<int> c;
  for (; rows > 0; rows -= block) c.push_back(std::min(rows, block));
  return c;
}

}  // namespace

TEST_CASE("rows streamed and rows stored are the rows of the key") {
  for (const Adapter &s : adapters()) {
    INFO("set ", s.name);
    // The key, entry after entry as the specification orders them: P1 upper triangular, then all of P2.
    const oracle::Bytes P1 = as_nibbles(s, stream(0, size_t(s.P1_bytes)));
    const oracle::Bytes P2 = as_nibbles(s, stream(uint64_t(s.P1_bytes), size_t(s.P2_bytes)));
    std::vector<Row> expected;
    auto p1 = P1.begin(), p2 = P2.begin();
    for (int r = 0; r < s.v; r++) {
      Row row{r, {r, {}}, {s.v, {}}};
      for (int c = r; c < s.v; c++, p1 += s.m_bytes) row.P1.entries.insert(row.P1.entries.end(), p1, p1 + s.m_bytes);
      for (int c = 0; c < s.o; c++, p2 += s.m_bytes) row.P2.entries.insert(row.P2.entries.end(), p2, p2 + s.m_bytes);
      expected.push_back(row);
    }
    REQUIRE((p1 == P1.end() && p2 == P2.end()));

    oracle::Bytes stored_P1 = P1, stored_P2 = P2;
    stored_P1.resize(P1.size() + aioli::slack);
    stored_P2.resize(P2.size() + aioli::slack);
    broken_calls = 0;
    for (const auto &source : s.sources)
      for (int passes : {1, 4}) {
        CAPTURE(source.block);
        CAPTURE(passes);
        const Delivered streamed = source.streamed(passes), stored = source.stored(stored_P1.data(), stored_P2.data(), passes);
        CHECK(streamed.rows == expected);
        CHECK(stored.rows == expected);
        CHECK(streamed.counts == counts(s.v, source.block));
        CHECK(stored.counts == counts(s.v, source.block));
        CHECK(streamed.wrong == 0);
        CHECK(stored.wrong == 0);
      }
    CHECK(broken_calls == 0);
  }
}

TEST_CASE("rows of P3") {
  for (const Adapter &s : adapters()) {
    INFO("set ", s.name);
    oracle::Bytes P3 = stream(0, size_t(s.P3_bytes));
    std::vector<Row> expected;
    auto p3 = P3.begin();
    for (int a = 0; a < s.o; a++) {
      Row row{s.v + a, {s.v + a, {}}, {0, {}}};
      for (int c = a; c < s.o; c++, p3 += s.m_bytes) row.P1.entries.insert(row.P1.entries.end(), p3, p3 + s.m_bytes);
      expected.push_back(row);
    }
    REQUIRE(p3 == P3.end());
    P3.resize(P3.size() + aioli::slack);
    for (const auto &source : s.sources)
      for (int passes : {1, 3}) {
        CAPTURE(source.block);
        const Delivered delivered = source.oil(P3.data(), passes);
        CHECK(delivered.rows == expected);
        CHECK(delivered.counts == counts(s.o, source.block));
        CHECK(delivered.wrong == 0);
      }
  }
}

namespace {

// The blocks of rows of a public key in memory: where each begins, and where its first entries stand.
struct Place {
  int index, count;
  const uint8_t *P1, *P2;
  friend bool operator==(const Place &, const Place &) = default;
};
template <int N, class Source> std::vector<Place> places(Source &source) {
  std::vector<Place> all;
  aioli::for_rows<aioli::Rows<N>>(
      source, [&](const aioli::Rows<N> &r) { all.push_back({r.index, r.count, r.P1[0].entries, r.P2[0].entries}); });
  return all;
}
template <class P, int N> void check_circle() {
  CAPTURE(N);
  using Stored = aioli::StoredRows<P, N>;
  using Joined = aioli::JoinedRows<Stored, aioli::ExactOilRows<P, N>>;
  const auto epk = std::make_unique<oracle::Bytes>(size_t(P::epk_bytes));
  const uint8_t *const P1 = epk->data(), *const P2 = P1 + P::P1_bytes, *const P3 = P2 + P::P2_bytes;
  const auto circle = std::make_unique<aioli::CircularRows<Joined>>();
  circle->first.start(P1, P2), circle->second.start(P3);
  const std::vector<Place> in_order = places<N>(static_cast<Joined &>(*circle));
  const int blocks = int(in_order.size());
  CHECK(blocks == (P::v + N - 1) / N + (P::o + N - 1) / N);
  CHECK(Joined::blocks == blocks);

  std::vector<bool> begun(2 * size_t(blocks));
  for (uint64_t i = 0; i < 1000; i++) {
    circle->begin_at(uint32_t(i * 0xffffffff / 999));
    std::vector<Place> expected = in_order, found = places<N>(*circle);
    REQUIRE(found.size() == size_t(blocks));
    const auto begin = size_t(std::find(in_order.begin(), in_order.end(), found[0]) - in_order.begin());
    REQUIRE(begin < size_t(blocks));
    // In order from there on and around, or the other way.
    std::rotate(expected.begin(), expected.begin() + long(begin), expected.end());
    const bool up = found == expected;
    std::reverse(expected.begin() + 1, expected.end());
    const bool down = found == expected;
    CHECK(up != down);
    begun[2 * begin + up] = true;
    circle->rewind();
    CHECK(places<N>(*circle) == found);
  }
  CHECK(std::count(begun.begin(), begun.end(), true) == 2 * blocks);  // every number has its part
}

}  // namespace

TEST_CASE("rows from any block on and around, up and down") {
  check_circle<aioli::UovIs, 8>();
  check_circle<aioli::UovVR2, 8>();
  check_circle<aioli::UovIp, 4>();
}
