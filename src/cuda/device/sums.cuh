// SPDX-License-Identifier: Apache-2.0
// U[i][j] = sum over r of X[i][r] W[r][j], X being small and W what multiply.cuh or tables.cuh made; and what becomes of U: P3,
// or the whipped sum.
#pragma once
#include "cuda/device/multiply.cuh"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

template <class P> __constant__ constexpr auto device_whipping = P::whipping();

// Where word 0 of U_ij is added up, for its power e of z: among sums for each e mod 8, e / 8 words further on.
template <class P> struct WhippingPlaces {
  using L = Layout<P>;
  uint16_t at[P::k][P::k];
  static constexpr WhippingPlaces make() {
    constexpr auto whipping = P::whipping();
    WhippingPlaces places{};
    for (int i = 0; i < P::k; i++)
      for (int j = 0; j < P::k; j++) {
        const uint32_t e = whipping.exponent[i][j];
        places.at[i][j] = uint16_t(e % 8 * L::whipped_words + e / 8);
      }
    return places;
  }
};
template <class P> __constant__ constexpr auto whipping_places = WhippingPlaces<P>::make();

// For each m-vector of P3: where U_ab and U_ba begin; where nothing but zeros is, if a = b.
template <class P> struct OilPlaces {
  using L = Layout<P>;
  uint16_t upper[L::P3_entries], lower[L::P3_entries];
  static constexpr OilPlaces make() {
    OilPlaces places{};
    uint32_t at = 0;
    for (uint32_t a = 0; a < L::o; a++)
      for (uint32_t b = a; b < L::o; b++, at++) {
        places.upper[at] = uint16_t((a * L::o + b) * L::mvector_words);
        places.lower[at] = uint16_t((a == b ? L::o * L::o : b * L::o + a) * L::mvector_words);
      }
    return places;
  }
};
template <class P> __constant__ constexpr auto oil_places = OilPlaces<P>::make();

template <class P> struct SquareSums {
  using L = Layout<P>;
  static constexpr int n = P::n, o = P::o, k = P::k, v = P::v, words = L::mvector_words, pairs = words / 2;

  // The unit of a thread: in a column of W, of one of the Rows rows of the batch that the block has.
  template <int Columns, int Rows> struct Unit {
    uint32_t slot, column, word;
    bool live;
    AIOLI_DEVICE explicit Unit(uint32_t thread) {
      constexpr uint32_t units = Rows * Columns * pairs;
      live = thread < units;
      const uint32_t unit = live ? thread : units - 1;
      slot = unit / (Columns * pairs), column = unit / pairs % Columns, word = 2 * (unit % pairs);
    }
  };
  // Row `slot` of the block; behind the last row of all that one again.
  template <int Rows> static AIOLI_DEVICE uint32_t row_of(uint32_t slot, uint32_t count) {
    const uint32_t row = blockIdx.x * Rows + slot;
    return row < count ? row : count - 1;
  }

  // Column `u.column` of U, in the unit's words.  W: columns of column_words words, m-vectors one after another.
  template <int Length, int Columns, int Rows>
  static AIOLI_DEVICE void sum(Products<Columns> &sums, const uint4 *filled, const uint32_t *W, uint32_t column_words,
                               const Unit<Columns, Rows> &u) {
    const uint32_t *p = W + u.column * column_words + u.word;
    uint32_t masks = shared_address(filled) + u.slot * (Length * sums.row_bytes);
    sums.clear();
#pragma unroll(Columns <= 8 ? 4 : 2)
    for (uint32_t c = 0; c < Length; c++, p += words, masks += sums.row_bytes) sums.add(load_pair(p), masks);
  }

  // What shared memory holds of verify and sign: masks, the sums for each e mod 8 of each row, and the whipped sums.
  template <int Length, int Rows> struct Whipping {
    static constexpr uint32_t length = L::whipped_words;
    uint4 *masks;
    uint32_t *shifted, *whipped;
    AIOLI_DEVICE Whipping() {
      AIOLI_SHARED_MEMORY(uint4, shared);
      masks = shared;
      shifted = reinterpret_cast<uint32_t *>(masks + Rows * k * Length);
      whipped = shifted + Rows * 8 * length;
    }
    AIOLI_DEVICE void clear() const {
      for (uint32_t i = threadIdx.x; i < Rows * 8 * length; i += blockDim.x) shifted[i] = 0;
    }
    AIOLI_DEVICE void add(const Products<k> &sums, const Unit<k, Rows> &u) const {
      static_assert(words + (P::pairs - 1) / 8 < int(length));  // behind each sum is a word of zero
      if (!u.live) return;
      uint32_t *to = shifted + u.slot * (8 * length) + u.word;
#pragma unroll
      for (int i = 0; i < k; i++) {
        uint32_t *at = to + whipping_places<P>.at[u.column][i];
        atomicXor(at, sums.get(0, i));
        atomicXor(at + 1, sums.get(1, i));
      }
    }
    // Sum over all i, j of z^e(i,j) U_ij of row `slot`, not reduced.  A warp, after a barrier of the block.
    AIOLI_DEVICE const uint32_t *whip(uint32_t slot) const {
      static_assert(length <= 32);
      const uint32_t *from = shifted + slot * (8 * length), q = lane_of_warp();
      uint32_t *to = whipped + slot * length;
      if (q < length) {
        uint32_t sum = from[q];
#pragma unroll
        for (uint32_t e = 1; e < 8; e++) sum ^= __funnelshift_l(from[e * length + q - 1], from[e * length + q], 4 * e);
        to[q] = sum;
      }
      __syncwarp();
      return to;
    }
  };

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
    constexpr int rows = L::sums_rows(k, n);
    const Whipping<n, rows> shared;
#pragma unroll 1
    for (int slot = 0; slot < rows; slot++) {
      const uint8_t *s = args.signatures + uint64_t(row_of<rows>(slot, args.count)) * args.signature_stride;
      fill_masks<k>(shared.masks + slot * (k * n), n, [&](uint32_t i, uint32_t c) { return two_nibbles<n>(s, i, c); });
    }
    shared.clear();
    __syncthreads();

    const Unit<k, rows> u(threadIdx.x);
    Products<k> sums;
    sum<n>(sums, shared.masks, args.products + uint64_t(row_of<rows>(u.slot, args.count)) * L::verify_product_words,
           L::verify_column_words, u);
    shared.add(sums, Unit<k, rows>(anew(threadIdx.x)));
    __syncthreads();

    const uint32_t lane = lane_of_warp();
    for (uint32_t slot = warp_of_block(); slot < rows; slot += blockDim.x / 32) {
      const uint32_t row = blockIdx.x * rows + slot;
      if (row >= args.count) break;
      const uint8_t *s = args.signatures + uint64_t(row) * args.signature_stride;
      const uint32_t *whipped = shared.whip(slot);
      bool wrong = false;
      if (lane < words) wrong = reduced(whipped, int(lane)) != args.targets[uint64_t(row) * words + lane];
      if (P::k * P::n % 2 != 0 && s[P::s_bytes - 1] >> 4 != 0) wrong = true;  // its last half byte is no element
      const uint32_t votes = __ballot_sync(all_lanes, wrong);
      if (lane == 0) args.verdicts[row] = votes == 0;
    }
  }

  static AIOLI_DEVICE void sign(const SignSumsArgs &args) {
    constexpr int rows = L::sums_rows(k, v);
    const Whipping<v, rows> shared;
#pragma unroll 1
    for (int slot = 0; slot < rows; slot++) {
      const uint8_t *V =
          reinterpret_cast<const uint8_t *>(args.vinegar + uint64_t(row_of<rows>(slot, args.count)) * L::vinegar_words);
      fill_masks<k>(shared.masks + slot * (k * v), v,
                    [&](uint32_t i, uint32_t c) { return uint32_t(V[P::v_bytes * i + c / 2]); });
    }
    shared.clear();
    __syncthreads();

    const Unit<k, rows> u(threadIdx.x);
    Products<k> sums;
    sum<v>(sums, shared.masks, args.products + uint64_t(row_of<rows>(u.slot, args.count)) * L::sign_product_words + o * words,
           L::sign_column_words, u);
    shared.add(sums, Unit<k, rows>(anew(threadIdx.x)));
    __syncthreads();

    const uint32_t lane = lane_of_warp();
    for (uint32_t slot = warp_of_block(); slot < rows; slot += blockDim.x / 32) {
      const uint32_t at = blockIdx.x * rows + slot;
      if (at >= args.count) break;
      const uint32_t row = args.rows ? args.rows[at] : at;
      const uint32_t *whipped = shared.whip(slot);
      if (lane < words)
        args.right_sides[uint64_t(at) * words + lane] = reduced(whipped, int(lane)) ^ args.targets[uint64_t(row) * words + lane];
    }
    clear_shared_memory<uint4>(L::whipped_sums_shape(v).shared_bytes);
  }

  static AIOLI_DEVICE void keygen(const KeygenSumsArgs &args) {
    constexpr int rows = L::sums_rows(o, v);
    constexpr uint32_t U_words = L::oil_sums_words;  // of a row; the last m-vector is zero
    AIOLI_SHARED_MEMORY(uint4, masks);
#pragma unroll 1
    for (int slot = 0; slot < rows; slot++)
      fill_masks(masks + slot * (o * v), o * v,
                 reinterpret_cast<const uint8_t *>(args.oil + uint64_t(row_of<rows>(slot, args.count)) * L::oil_words));
    __syncthreads();

    const Unit<o, rows> u(threadIdx.x);
    Products<o> sums;
    sum<v>(sums, masks, args.products + uint64_t(row_of<rows>(u.slot, args.count)) * L::keygen_product_words,
           L::keygen_column_words, u);
    sums.settle();
    __syncthreads();
    // U, in place of the masks
    AIOLI_SHARED_MEMORY(uint32_t, U);
    const Unit<o, rows> then(anew(threadIdx.x));
    if (then.live) {
      uint32_t *to = U + then.slot * U_words + then.column * words + then.word;
#pragma unroll
      for (int i = 0; i < o; i++) *reinterpret_cast<uint2 *>(to + i * o * words) = make_uint2(sums.get(0, i), sums.get(1, i));
    }
    if (threadIdx.x < rows * pairs)
      *reinterpret_cast<uint2 *>(U + threadIdx.x / pairs * U_words + o * o * words + 2 * (threadIdx.x % pairs)) =
          make_uint2(0, 0);
    __syncthreads();

    constexpr uint32_t P3_words = L::P3_entries * words;
    for (uint32_t at = threadIdx.x; at < rows * P3_words; at += blockDim.x) {
      const uint32_t slot = at / P3_words, entry = at / words % L::P3_entries, word = at % words, row = blockIdx.x * rows + slot;
      if (row >= args.count) break;
      const uint32_t *from = U + slot * U_words + word;
      const uint32_t w = from[oil_places<P>.upper[entry]] ^ from[oil_places<P>.lower[entry]];
      uint8_t *to =
          args.public_keys + uint64_t(row) * args.public_key_stride + (P::pk_seed_bytes + entry * P::m_bytes + 4 * word);
#pragma unroll
      for (uint32_t i = 0; i < 4; i++)
        if (P::m_bytes % 4 == 0 || 4 * word + i < uint32_t(P::m_bytes)) to[i] = uint8_t(w >> (8 * i));
    }
    clear_shared_memory<uint4>(L::oil_sums_shape().shared_bytes);
  }
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
