// SPDX-License-Identifier: Apache-2.0
// The quadratic map at a PUBLIC vector s: the sum of s_i s_j E_ij over all entries E_ij that go by.  Nothing is multiplied: each
// entry is added to the bucket of its coefficient s_i s_j, and the buckets are weighed once at the end.
//
// Everything here is public, and addresses and branches depend on all of it.
#pragma once
#include "linalg/matrix.hpp"
#include "linalg/mvector.hpp"
#include "linalg/rows.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Logarithms to the base of a generator (3 over GF(256), x over GF(16)), and what they are taken of, twice in a row so that sums
// of two need no reduction.
template <class F> struct PublicLogarithms {
  static constexpr int order = (1 << F::bits) - 1;
  uint8_t log[order + 1] = {}, power[2 * order] = {};

  consteval PublicLogarithms() {
    typename F::Element a{1};
    for (int i = 0; i < order; i++, a = a * typename F::Element{F::bits == 8 ? uint8_t(3) : uint8_t(2)})
      log[a.n] = uint8_t(i), power[i] = power[i + order] = a.n;
    log[0] = no_logarithm;
  }
  static constexpr uint8_t no_logarithm = 255;
};
template <class F> inline constexpr PublicLogarithms<F> public_logarithms{};

// Words that buckets are made of, of sixty-four bits.
template <class F> struct BucketWords {
  using Word = uint64_t;
  static Word load(const uint8_t *p) { return load64(p); }
  static void store(uint8_t *p, Word w) { store64(p, w); }
  static Word times_x(Word w) { return F::times_x(w); }
  // Entry t, Bytes bytes at any address and what is left of its last word, to bucket power[log[t]], for t < count; where log[t]
  // is 255, to none.  A bucket is so many whole words.
  template <int Bytes>
  static void add(uint8_t *buckets, const uint8_t *entries, const uint8_t *logs, const uint8_t *power, int count) {
    constexpr int words = (Bytes + 7) / 8;
    for (int t = 0; t < count; t++, entries += Bytes) {
      if (logs[t] == 255) continue;
      uint8_t *bucket = buckets + power[logs[t]] * (8 * words);
      Word sum[words];
#pragma GCC unroll 16
      for (int i = 0; i < words; i++) sum[i] = load(bucket + 8 * i) ^ load(entries + 8 * i);
#pragma GCC unroll 16
      for (int i = 0; i < words; i++) store(bucket + 8 * i, sum[i]);
    }
  }
};

// Words: how the processor at hand does it.
template <class P, int N, int Block, class Words> class PublicEvaluation {
  using F = FieldOf<P>;
  using Word = typename Words::Word;
  static constexpr int each = sizeof(Word), words = (P::m_bytes + each - 1) / each, per_64 = 8 / each;

 public:
  void start(const Fmat<1, N, F> &s) {
    for (auto &word : bucket_) word = 0;
    for (int j = 0; j < N; j++) log_[j] = public_logarithms<F>.log[s(0, j).n];
  }
  void add(const Rows<Block> &rows) {
    for (int b = 0; b < rows.count; b++) add(log_[rows.index + b], rows.P1[b]), add(log_[rows.index + b], rows.P2[b]);
  }
  // Used up.
  void get(Mvector<P> &to) {
    Word sum[words] = {};
    // Those with bit b of their scalar, as such and then among those without.
    for (int b = F::bits - 1; b >= 0; b--) {
      for (auto &x : sum) x = Words::times_x(x);
      Word *without = bucket_, *with = bucket_ + (words << b);
      for (int i = 0; i < 1 << b; i++)
        for (int x = 0; x < words; x++, without++, with++) {
          const Word w = Words::load(reinterpret_cast<const uint8_t *>(with));
          sum[x] ^= w;
          uint8_t *const p = reinterpret_cast<uint8_t *>(without);
          Words::store(p, Words::load(p) ^ w);
        }
    }
    for (int i = 0; i < Mvector<P>::words; i++) {
      to.w[i] = sum[per_64 * i];
      if (per_64 == 2 && per_64 * i + 1 < words) to.w[i] |= uint64_t(sum[per_64 * i + per_64 - 1]) << 32;
    }
    to.w[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
  }

 private:
  void add(uint8_t log, const RowSegment &segment) {
    if (log == PublicLogarithms<F>::no_logarithm || segment.count == 0) return;
    Words::template add<P::m_bytes>(reinterpret_cast<uint8_t *>(bucket_), segment.entries, log_ + segment.first,
                                    public_logarithms<F>.power + log, segment.count);
  }
  Word bucket_[words << F::bits];
  uint8_t log_[N];
};

}  // namespace AIOLI_ISA
}  // namespace aioli
