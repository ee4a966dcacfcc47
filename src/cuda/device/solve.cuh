// SPDX-License-Identifier: Apache-2.0
// The system A x = y of an attempt to sign, and the signature that its solution makes; a warp for each.  Columns of A are whipped
// sums of M's m-vectors; the elimination is by columns, equation after equation, as in linalg/solver.hpp, and what was added to a
// column takes the place of what it cleared.  Eight equations, which are a word of each column, are done before the other words
// hear of it.  Constant time: no address, no branch depends on a secret; "singular" is made public.
//
// Lane l has columns slots l, slots l + 1 .. in registers; column k o is y.
#pragma once
#include "cuda/device/sums.cuh"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// of[x]: 1 / x times 1, x, .. x^6, each in a nibble.  Nothing of zero.
struct Inverses {
  uint32_t of[16];
};
constexpr Inverses inverses() {
  Inverses t{};
  for (unsigned i = 0; i < 16; i++) {
    GF16 f = inverse(GF16{uint8_t(i)});
    for (int b = 0; b < 7; b++, f = f * GF16{2}) t.of[i] |= uint32_t(f.n) << (4 * b);
  }
  return t;
}
template <class P> __constant__ constexpr auto device_inverses = inverses();

template <class P> class Solve {
  using L = Layout<P>;
  static constexpr int m = P::m, n = P::n, o = P::o, k = P::k, v = P::v, words = L::mvector_words;
  static constexpr int columns = k * o, slots = columns / 32 + 1;  // y included
  static constexpr uint32_t y_lane = columns / slots;
  static constexpr int y_slot = columns % slots;
  static constexpr int shift = L::shift_words, padded = L::padded_words, whipped = L::whipped_words;
  static constexpr int stride = words | 1;
  static constexpr uint32_t none = 0;
  static_assert(uint32_t(32 * words + 8 * stride + 8) <= L::solve_M_words);

  uint32_t a_[slots][words];  // the columns; in words before the current one what of pivots has been added
  uint32_t equation_[slots];  // whose pivot the column is, counted from 1
  uint32_t inverse_[words];   // of the pivots, each equation's where the equation is
  uint32_t r_[slots], x_[slots];

 public:
  static AIOLI_DEVICE void sign(const SignSolveArgs &args) {
    AIOLI_SHARED_MEMORY(uint32_t, shared);
    uint32_t *const M = shared, *const X = shared + L::solve_M_words;
    const uint32_t slot = blockIdx.x, row = args.rows ? args.rows[slot] : slot, lane = lane_of_warp();
    const uint32_t *vinegar = args.vinegar + uint64_t(slot) * L::vinegar_words;
    Solve s;
    s.load(args.products + uint64_t(slot) * L::sign_product_words, args.right_sides + uint64_t(slot) * words, vinegar, M);
    const bool solved = s.eliminate(shared);
    s.substitute();
    uint4 *const masks = reinterpret_cast<uint4 *>(shared);
    uint8_t *const elements = reinterpret_cast<uint8_t *>(masks + k * L::oil_row_words);
    s.store_solution(X, masks, elements);
    // "Singular, try again with new vinegar" is all that is said about A; the signature is public as well.
    if (solved) {
      complete(vinegar, args.oil + uint64_t(args.keys ? args.keys[row] : 0) * L::oil_words, masks, elements);
      uint8_t *signature = args.signatures + uint64_t(row) * args.signature_stride;
      for (uint32_t i = lane; i < P::s_bytes; i += 32) signature[i] = uint8_t(elements[2 * i] | elements[2 * i + 1] << 4);
    }
    if (lane == 0) {
      args.solved[row] = solved;
      if (!solved) args.attempts[row]++;
    }
    clear_shared_memory(L::solve_shared_bytes);
  }

 private:
  // A, y less what the free variables give, r.
  AIOLI_DEVICE void load(const uint32_t *products, const uint32_t *right_side, const uint32_t *vinegar, uint32_t *M) {
    const uint32_t lane = lane_of_warp();
    // M with zeros before, between and behind: m-vector j c at (j o + c) padded + shift.
#pragma unroll
    for (uint32_t at = lane; at < L::solve_M_words / 4; at += 32) reinterpret_cast<uint4 *>(M)[at] = make_uint4(0, 0, 0, 0);
    __syncwarp();
#pragma unroll 1
    for (uint32_t at = lane; at < uint32_t(o * words); at += 32) {
      uint32_t *to = M + at / words * padded + shift + at % words;
#pragma unroll
      for (int j = 0; j < k; j++) to[j * o * padded] = products[j * L::sign_column_words + at];
    }
    __syncwarp();
    const uint8_t *r = reinterpret_cast<const uint8_t *>(vinegar) + k * P::v_bytes;
#pragma unroll
    for (int s = 0; s < slots; s++) {
      const int column = slots * int(lane) + s;
      const bool live = column < columns;
      const int i = live ? column / o : 0, c = live ? column % o : 0;
      r_[s] = live ? nibble(r, column) : 0;
      x_[s] = column == columns ? 1 : 0;  // of y: makes its factor part of the sum that is a solution
      equation_[s] = none;

      uint32_t sum[whipped];
#pragma unroll
      for (int q = 0; q < whipped; q++) sum[q] = 0;
#pragma unroll 2
      for (int j = 0; j < k; j++) {
        const int e = device_whipping<P>.exponent[i][j], bits = 4 * (e % 8);
        const uint32_t *from = M + (j * o + c) * padded + shift - e / 8;
        uint32_t below = 0;
#pragma unroll
        for (int q = 0; q < whipped; q++) {
          const uint32_t w = from[q];  // zeros before and behind the m-vector
          sum[q] ^= __funnelshift_l(below, w, bits);
          below = w;
        }
      }
#pragma unroll
      for (int w = 0; w < words; w++) {
        a_[s][w] = SquareSums<P>::reduced(sum, w);
        if (column == columns) a_[s][w] = right_side[w];
        if (column > columns) a_[s][w] = 0;
      }
    }
    // y -= A r
    uint32_t by[slots][4];
#pragma unroll
    for (int s = 0; s < slots; s++) {
      const WordMultiples multiples = word_multiples(r_[s]);
#pragma unroll
      for (int b = 0; b < 4; b++) by[s][b] = multiples.w[b];
    }
#pragma unroll
    for (int w = 0; w < words; w++) {
      uint32_t sum = 0;
#pragma unroll
      for (int s = 0; s < slots; s++) sum ^= word_multiply(word_bits(a_[s][w]), by[s]);
      sum = __reduce_xor_sync(all_lanes, sum);
      if (lane == y_lane) a_[y_slot][w] ^= sum;
    }
  }

  // False if some equation has no pivot.  Equations go by words of eight.  Whatever a step adds to a column is a multiple of the
  // pivot column, that one included: it is left with zeros, so that it is chosen no more and adds nothing to others.
  //
  // A word under work holds the equations that are left, the next one lowest, and above them how much of the pivot columns has
  // been added to the column, each as it was when this word was begun and divided by its pivot.  What a step clears goes in at
  // the top, and what the pivot column had there is added along.  So the words behind need not be touched before this one is
  // done: then they get what it says, of eight columns at a time.
  AIOLI_DEVICE bool eliminate(uint32_t *shared) {
    const uint32_t inverses_of_lane = device_inverses<P>.of[lane_of_warp() % 16];
    eliminate_from<0>(shared, inverses_of_lane);
    uint32_t found = 0;
#pragma unroll
    for (int s = 0; s < slots; s++) found += __popc(__ballot_sync(all_lanes, equation_[s] != none));
    return found == m;
  }
  // Word w's equations and those behind; a function for each, so that every compiler knows which registers it means.
  template <int w> AIOLI_DEVICE void eliminate_from(uint32_t *shared, uint32_t inverses_of_lane) {
    const uint32_t lane = lane_of_warp();
    uint4 *const multiples = reinterpret_cast<uint4 *>(shared);  // x^b times pivot column e, word i: at 8 i + e
    uint32_t *const pivots = shared + 32 * words;                // the columns, word i of e at e stride + i
    uint32_t *const inverses = pivots + 8 * stride;              // of the pivots, times 1, x .. x^6
    const int equations = m - 8 * w < 8 ? m - 8 * w : 8;
#pragma unroll 1
    for (int e = 0; e < equations; e++) step(w, e, inverses_of_lane, pivots + e * stride, inverses + e);
#pragma unroll
    for (int s = 0; s < slots; s++) a_[s][w] >>= 4 * (8 - equations);
    __syncwarp();
    const uint32_t inverse = inverses[lane / 4];
    inverse_[w] = __reduce_xor_sync(all_lanes, (inverse & 15) << lane & mask_if(lane % 4 == 0 && lane < 4 * uint32_t(equations)));
    if constexpr (w + 1 < words) {
      // Lane 4 e + b.
      uint32_t by[4];
#pragma unroll
      for (int b = 0; b < 4; b++) by[b] = inverse >> (4 * (lane % 4)) >> (4 * b) & 15;
#pragma unroll
      for (int i = w + 1; i < words; i++) shared[32 * i + lane] = word_multiply(word_bits(pivots[lane / 4 * stride + i]), by);
      __syncwarp();
      uint32_t left[slots];  // bits of what is to be added, the next one highest
#pragma unroll
      for (int s = 0; s < slots; s++) left[s] = a_[s][w];
      const uint32_t two = opaque(2);
#pragma unroll 1
      for (int e = 7; e >= 0; e--) {
        uint32_t bit[slots][4];
#pragma unroll
        for (int s = 0; s < slots; s++)
#pragma unroll
          for (int b = 3; b >= 0; b--) bit[s][b] = opaque(left[s] >> 31), left[s] *= two;
#pragma unroll
        for (int i = w + 1; i < words; i++) {
          const uint4 of = multiples[8 * i + e];
#pragma unroll
          for (int s = 0; s < slots; s++) a_[s][i] ^= of.x * bit[s][0] ^ of.y * bit[s][1] ^ of.z * bit[s][2] ^ of.w * bit[s][3];
        }
      }
      eliminate_from<w + 1>(shared, inverses_of_lane);
    }
  }
  // Equation 8 w + e, of the columns' word w alone; what the pivot column has in the words behind is stored, and the inverse of
  // its pivot.
  AIOLI_DEVICE void step(int w, int e, uint32_t inverses_of_lane, uint32_t *pivots, uint32_t *inverses) {
    const uint32_t lane = lane_of_warp(), bit = 1u << lane, up_to = 2 * bit - 1;
    const uint32_t candidate = lane == y_lane ? 0 : 15;  // y is none
    // The pivot, the first column with something in this equation: in the first such lane, the first such slot.
    uint32_t entry[slots], some = 0, pivot[slots];
#pragma unroll
    for (int s = 0; s < slots; s++) some |= entry[s] = a_[s][w] & (s == y_slot ? candidate : 15);
    uint32_t chosen = uint32_t((__ballot_sync(all_lanes, some != 0) & up_to) == bit);
#pragma unroll
    for (int s = 0; s < slots; s++) {
      pivot[s] = opaque(s + 1 < slots ? chosen & uint32_t(entry[s] != 0) : chosen);
      chosen -= pivot[s];
      equation_[s] += pivot[s] * uint32_t(8 * w + e + 1);
    }
    const uint32_t column = pivot_column(pivot, w);
    const uint32_t inverse = __reduce_xor_sync(all_lanes, inverses_of_lane & mask_if((column & 15) == lane));
    // The column divided by its pivot, times x^b, in lane b, of which lanes b + 4 c make a part each.  What clears the lowest
    // entries is left out, so that nothing is lost when a word is shifted down by b, to be multiplied with bit b of an entry
    // where it stands.
    const uint32_t b = lane % 4, c = lane / 4 % 4;
    uint32_t multiple = (column >> c & (word_ones & ~15u)) * (inverse >> (4 * (b + c)) & 15);
    multiple ^= __shfl_xor_sync(all_lanes, multiple, 4);
    multiple ^= __shfl_xor_sync(all_lanes, multiple, 8);
    multiple >>= b;
    uint32_t of[4];
#pragma unroll
    for (int i = 0; i < 4; i++) of[i] = __shfl_sync(all_lanes, multiple, i);
#pragma unroll
    for (int s = 0; s < slots; s++) {
      uint32_t a = a_[s][w];
      a ^= (a & 1) * of[0] ^ (a & 2) * of[1] ^ (a & 4) * of[2] ^ (a & 8) * of[3];
      a_[s][w] = __funnelshift_r(a, a, 4);
    }
#pragma unroll
    for (int i = w + 1; i < words; i++) {
      const uint32_t word = pivot_column(pivot, i);
      if (lane == 0) pivots[i] = word;
    }
    if (lane == 0) *inverses = inverse;
  }
  // A word of the column that one lane has in one slot.
  AIOLI_DEVICE uint32_t pivot_column(const uint32_t (&pivot)[slots], int word) const {
    uint32_t column = 0;
#pragma unroll
    for (int s = 0; s < slots; s++) column += a_[s][word] * pivot[s];
    return __reduce_xor_sync(all_lanes, column);
  }

  // Backwards: the pivots of a word's equations carry what y and later pivots have brought along of them.
  AIOLI_DEVICE void substitute() {
#pragma unroll
    for (int w = words - 1; w >= 0; w--) {
      uint32_t part[4] = {0, 0, 0, 0};  // by bits of x
#pragma unroll
      for (int s = 0; s < slots; s++) {
        const uint4 x = masks_of(x_[s]);
        part[0] ^= a_[s][w] & x.x, part[1] ^= a_[s][w] & x.y, part[2] ^= a_[s][w] & x.z, part[3] ^= a_[s][w] & x.w;
      }
      uint32_t sum = part[3];
#pragma unroll
      for (int b = 2; b >= 0; b--) sum = word_times_x(sum) ^ part[b];
      sum = word_multiply_elementwise(__reduce_xor_sync(all_lanes, sum), inverse_[w]);
#pragma unroll
      for (int s = 0; s < slots; s++) {
        const uint32_t at = equation_[s] - 1 - 8 * w;
        x_[s] |= sum >> (4 * (at & 7)) & 15 & mask_if(at < 8);
      }
    }
#pragma unroll
    for (int s = 0; s < slots; s++) x_[s] ^= r_[s];
  }

  // x_i, one after another, each in words of its own; masks of its elements, and the elements where s has them.
  AIOLI_DEVICE void store_solution(uint32_t *X, uint4 *masks, uint8_t *elements) {
    const uint32_t lane = lane_of_warp();
    for (uint32_t i = lane; i < k * L::oil_row_words; i += 32) X[i] = 0;
    __syncwarp();  // and M has been read
#pragma unroll
    for (int s = 0; s < slots; s++) {
      const int column = slots * int(lane) + s, i = column / o, c = column % o;
      if (column >= columns) continue;
      atomicXor(X + i * L::oil_row_words + c / 8, x_[s] << (4 * (c % 8)));
      elements[i * n + v + c] = uint8_t(x_[s]);
    }
    if (lane == 0) elements[k * n] = 0;  // the other half of the last byte, if there is one
    __syncwarp();
    for (uint32_t i = lane; i < k * L::oil_row_words; i += 32)
      masks[i] = make_uint4((X[i] & word_ones) * 15, (X[i] >> 1 & word_ones) * 15, (X[i] >> 2 & word_ones) * 15,
                            (X[i] >> 3 & word_ones) * 15);
    __syncwarp();
  }

  // v_i + O x_i for all i.  A lane has rows of O.
  static AIOLI_DEVICE void complete(const uint32_t *vinegar, const uint32_t *O, const uint4 *masks, uint8_t *elements) {
#pragma unroll 1
    for (uint32_t at = lane_of_warp(); at < uint32_t(v); at += 32) {
      WordMultiples row[L::oil_row_words];
#pragma unroll
      for (uint32_t w = 0; w < L::oil_row_words; w++) {
        const uint32_t from = at * o + 8 * w, high = from / 8 + 1 < L::oil_words ? O[from / 8 + 1] : 0;
        row[w] = word_multiples(__funnelshift_r(O[from / 8], high, 4 * (from % 8)));
      }
#pragma unroll 2
      for (uint32_t i = 0; i < k; i++) {
        uint32_t sum = 0;
#pragma unroll
        for (uint32_t w = 0; w < L::oil_row_words; w++) sum ^= word_multiply(row[w], masks[i * L::oil_row_words + w]);
        elements[i * n + at] = uint8_t(word_sum(sum) ^ nibble(vinegar, 2 * P::v_bytes * i + at));
      }
    }
    __syncwarp();
  }
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
