// SPDX-License-Identifier: Apache-2.0
// U[i][j] = sum over r of X[i][r] W[r][j], X being small and W what multiply.cuh or tables.cuh made; and what becomes of U: P3, or the whipped sum.
#pragma once
#include "cuda/device/multiply.cuh"

namespace aioli::inline AIOLI_ISA {
namespace cuda {

template <class P> __constant__ constexpr auto device_whipping = P::whipping();

template <class P> struct SquareSums {
  using L = Layout<P>;
  static constexpr int n = P::n, o = P::o, k = P::k, v = P::v, words = L::mvector_words;

  // What shared memory holds.
  template <int Columns, int Length> struct Shared {
    uint4 *masks;
    uint32_t *U, *whipped;  // U[(i * Columns + j) * words + word]
    AIOLI_DEVICE Shared() {
      AIOLI_SHARED_MEMORY(uint4, shared);
      masks = shared;
      U = reinterpret_cast<uint32_t *>(masks + Columns * Length);
      whipped = U + Columns * Columns * words;
    }
  };

  // W: columns of column_words words, m-vectors one after another.  The block; all of U is there when it returns.
  template <int Columns, int Length, class Element>
  static AIOLI_DEVICE void sum(const Shared<Columns, Length> &shared, const uint32_t *W, uint32_t column_words, Element element) {
    constexpr int stretches = L::sums_stretches(Columns), slices = L::sums_slices(Columns), units = Columns * words;
    fill_masks<Columns>(shared.masks, Length, element);
    for (uint32_t i = threadIdx.x; i < Columns * units + L::whipped_words; i += blockDim.x) shared.U[i] = 0;
    __syncthreads();

    const int warp = int(warp_of_block()), slice = warp / stretches;
    const Units<words> u(warp % stretches, units);  // a row is a column of W here
    const int begin = Length * slice / slices, end = Length * (slice + 1) / slices;
    Products<Columns> sums;
    sums.clear();
    const uint32_t *p[2];
#pragma unroll
    for (int t = 0; t < 2; t++) p[t] = W + (u.live[t] ? u.row[t] : 0) * column_words + begin * words + u.word[t];
    sums.template walk<words>(p[0], p[1], begin, begin, end, begin, begin, shared.masks);
#pragma unroll
    for (int t = 0; t < 2; t++)
      if (u.live[t])
#pragma unroll
        for (int i = 0; i < Columns; i++) {
          uint32_t *to = shared.U + i * units + u.unit[t];
          if (slices == 1)
            *to = sums.get(t, i);
          else
            atomicXor(to, sums.get(t, i));
        }
    __syncthreads();
  }

  // The sum over all i, j of z^e(i,j) U_ij, not reduced, in shared.whipped.  The block, with a barrier behind.
  template <int Length> static AIOLI_DEVICE void whip(const Shared<k, Length> &shared) {
    constexpr uint32_t length = L::whipped_words;
    const uint32_t groups = blockDim.x / length, group = threadIdx.x / length, q = threadIdx.x % length;
    if (group < groups) {
      uint32_t sum = 0;
      for (uint32_t pair = group; pair < k * k; pair += groups) {
        const uint32_t e = device_whipping<P>.exponent[pair / k][pair % k];
        const uint32_t *u = shared.U + pair * words;
        const int at = int(q) - int(e / 8);
        const uint32_t high = at >= 0 && at < words ? u[at] : 0, low = at >= 1 && at <= words ? u[at - 1] : 0;
        sum ^= __funnelshift_l(low, high, 4 * (e % 8));
      }
      atomicXor(shared.whipped + q, sum);
    }
    __syncthreads();
  }

  // Word i of a whipped sum modulo f(z).  What is above degree m - 1 stays below m when it is multiplied with the tail of f.
  static AIOLI_DEVICE uint32_t reduced(const uint32_t *whipped, int i) {
    static_assert(P::pairs - 1 + 4 < P::m);
    const auto high = [&](int j) {  // word j of the part from z^m on
      const int at = P::m + 8 * j;
      if (j < 0 || at / 8 >= int(L::whipped_words)) return 0u;
      return at / 8 + 1 < int(L::whipped_words) ? __funnelshift_r(whipped[at / 8], whipped[at / 8 + 1], 4 * (at % 8))
                                                : whipped[at / 8] >> (4 * (at % 8));
    };
    const uint32_t above = high(i), below = high(i - 1);
    uint32_t w = whipped[i];
    w ^= word_times<(P::f_tail & 15)>(above);
    w ^= word_times<(P::f_tail >> 4 & 15)>(__funnelshift_l(below, above, 4));
    w ^= word_times<(P::f_tail >> 8 & 15)>(__funnelshift_l(below, above, 8));
    w ^= word_times<(P::f_tail >> 12 & 15)>(__funnelshift_l(below, above, 12));
    w ^= word_times<(P::f_tail >> 16 & 15)>(__funnelshift_l(below, above, 16));
    return w & first_nibbles(P::m - 8 * i);
  }

  static AIOLI_DEVICE void verify(const VerifySumsArgs &args) {
    const uint32_t row = blockIdx.x;
    const uint8_t *s = args.signatures + uint64_t(row) * args.signature_stride;
    const uint32_t *W = args.products + uint64_t(row) * L::verify_product_words;
    const Shared<k, n> shared;
    sum(shared, W, L::verify_column_words, [&](uint32_t i, uint32_t c) { return nibble(s, i * n + c); });
    whip(shared);
    if (warp_of_block() != 0) return;
    const uint32_t lane = lane_of_warp();
    bool wrong = false;
    if (lane < words) wrong = reduced(shared.whipped, int(lane)) != args.targets[uint64_t(row) * words + lane];
    if (P::k * P::n % 2 != 0 && s[P::s_bytes - 1] >> 4 != 0) wrong = true;  // its last half byte is no element
    const uint32_t votes = __ballot_sync(all_lanes, wrong);
    if (lane == 0) args.verdicts[row] = votes == 0;
  }

  static AIOLI_DEVICE void sign(const SignSumsArgs &args) {
    const uint32_t slot = blockIdx.x, row = args.rows ? args.rows[slot] : slot;
    const uint32_t *V = args.vinegar + uint64_t(slot) * L::vinegar_words;
    const uint32_t *W = args.products + uint64_t(slot) * L::sign_product_words + o * words;
    const Shared<k, v> shared;
    sum(shared, W, L::sign_column_words, [&](uint32_t i, uint32_t c) { return nibble(V, 2 * P::v_bytes * i + c); });
    whip(shared);
    if (threadIdx.x < words)
      args.right_sides[uint64_t(slot) * words + threadIdx.x] =
          reduced(shared.whipped, int(threadIdx.x)) ^ args.targets[uint64_t(row) * words + threadIdx.x];
    clear_shared_memory(L::sums_shape(k, v).shared_bytes);
  }

  static AIOLI_DEVICE void keygen(const KeygenSumsArgs &args) {
    const uint32_t row = blockIdx.x;
    const uint32_t *O = args.oil + uint64_t(row) * L::oil_words;
    const uint32_t *T = args.products + uint64_t(row) * L::keygen_product_words;
    const Shared<o, v> shared;
    sum(shared, T, L::keygen_column_words, [&](uint32_t i, uint32_t c) { return nibble(O, c * o + i); });
    uint8_t *P3 = args.public_keys + uint64_t(row) * args.public_key_stride + P::pk_seed_bytes;
    for (uint32_t at = threadIdx.x; at < o * o * words; at += blockDim.x) {
      const uint32_t a = at / (o * words), b = at / words % o, word = at % words;
      if (a > b) continue;
      uint32_t w = shared.U[at];
      if (a != b) w ^= shared.U[(b * o + a) * words + word];
      uint8_t *to = P3 + (a * o - a * (a + 1) / 2 + b) * P::m_bytes + 4 * word;
#pragma unroll
      for (uint32_t i = 0; i < 4; i++)
        if (P::m_bytes % 4 == 0 || 4 * word + i < uint32_t(P::m_bytes)) to[i] = uint8_t(w >> (8 * i));
    }
    clear_shared_memory(L::sums_shape(o, v).shared_bytes);
  }
};

}  // namespace cuda
}  // namespace aioli::inline AIOLI_ISA
