// SPDX-License-Identifier: Apache-2.0
// The system A x = y of an attempt to sign, and the signature that its solution makes; a warp for each.  Columns of A are whipped sums of M's
// m-vectors; the elimination is by columns, equation after equation, as in linalg/solver.hpp, and what was added to a column takes the
// place of what it cleared.  Constant time: no address, no branch depends on a secret; "singular" is made public.
//
// Lane l has columns l, l + 32, l + 64 .. in registers; column k o is y.
#pragma once
#include "cuda/device/sums.cuh"

namespace aioli::inline AIOLI_ISA {
namespace cuda {

template <class P> class Solve {
  using L = Layout<P>;
  static constexpr int m = P::m, n = P::n, o = P::o, k = P::k, v = P::v, words = L::mvector_words;
  static constexpr int columns = k * o, slots = columns / 32 + 1;  // y included
  static constexpr int shift = L::shift_words, padded = L::padded_words, whipped = L::whipped_words;
  static constexpr uint32_t never = 0xffffffff;

  uint32_t a_[slots][words];  // the columns; in words before the current one what of pivots has been added
  uint32_t equation_[slots];  // whose pivot the column is
  uint32_t r_[slots], x_[slots];

 public:
  static AIOLI_DEVICE void sign(const SignSolveArgs &args) {
    AIOLI_SHARED_MEMORY(uint32_t, shared);
    uint32_t *const M = shared, *const X = shared + L::solve_M_words;
    const uint32_t slot = blockIdx.x, row = args.rows ? args.rows[slot] : slot, lane = lane_of_warp();
    const uint32_t *vinegar = args.vinegar + uint64_t(slot) * L::vinegar_words;
    Solve s;
    s.load(args.products + uint64_t(slot) * L::sign_product_words, args.right_sides + uint64_t(slot) * words, vinegar, M);
    const bool solved = s.eliminate();
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
    for (uint32_t at = lane; at < L::solve_M_words; at += 32) {
      const int word = int(at % padded) - shift;
      const uint32_t entry = at / padded;
      const bool some = word >= 0 && word < words && entry < uint32_t(columns);
      M[at] = some ? products[entry / o * L::sign_column_words + entry % o * words + word] : 0;
    }
    __syncwarp();
    const uint8_t *r = reinterpret_cast<const uint8_t *>(vinegar) + k * P::v_bytes;
#pragma unroll
    for (int s = 0; s < slots; s++) {
      const int column = 32 * s + int(lane);
      const bool live = column < columns;
      const int i = live ? column / o : 0, c = live ? column % o : 0;
      r_[s] = live ? nibble(r, column) : 0;
      x_[s] = column == columns ? 1 : 0;  // of y: makes its factor part of the sum that is a solution
      equation_[s] = never;

      uint32_t sum[whipped];
#pragma unroll
      for (int q = 0; q < whipped; q++) sum[q] = 0;
#pragma unroll 1
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
      if (lane == columns % 32) a_[columns / 32][w] ^= sum;
    }
  }

  // False if some equation has no pivot.  Equations go by words of eight.  Whatever a step adds to a column is a multiple of the pivot column, that
  // one included: it is left with zeros, so that it is chosen no more and adds nothing to others.
  //
  // A word under work holds the equations that are left, the next one lowest, and above them how much of the pivot columns, as they were when this word
  // was begun, has been added to the column: the factor of a step goes in at the top, and what the pivot column had in it is added along.
  AIOLI_DEVICE bool eliminate() {
    const uint32_t lane = lane_of_warp(), bit = 1u << lane, up_to = 2 * bit - 1;
    const uint32_t candidate = lane == columns % 32 ? 0 : 15;  // y is none
    uint32_t singular = 0;
#pragma unroll
    for (int w = 0; w < words; w++) {
      const int equations = m - 8 * w < 8 ? m - 8 * w : 8;
#pragma unroll 1
      for (int e = 0; e < equations; e++) {
        // The pivot: the first column with something in this equation.
        uint32_t pivot[slots], wanted = ~0u;
#pragma unroll
        for (int s = 0; s < slots; s++) {
          const uint32_t votes = __ballot_sync(all_lanes, (a_[s][w] & (s == columns / 32 ? candidate : 15)) != 0);
          pivot[s] = mask_if((votes & up_to & wanted) == bit);
          wanted &= mask_if(votes == 0);
          equation_[s] = (equation_[s] & ~pivot[s]) | (uint32_t(8 * w + e) & pivot[s]);
        }
        singular |= wanted;
        uint32_t column = pivot_column(pivot, w);
        uint32_t factor[slots][4];
        factors(factor, w, inverse_of(column & 15));
#pragma unroll
        for (int i = w; i < words; i++) {
          if (i > w) column = pivot_column(pivot, i);
          const WordBits bits = word_bits(column);
#pragma unroll
          for (int s = 0; s < slots; s++) a_[s][i] ^= word_multiply(bits, factor[s]);
        }
#pragma unroll
        for (int s = 0; s < slots; s++) a_[s][w] = __funnelshift_r(a_[s][w], factor[s][0], 4);
      }
#pragma unroll
      for (int s = 0; s < slots; s++) a_[s][w] >>= 4 * (8 - equations);
    }
    return singular == 0;
  }
  // A word of the column that one lane has in one slot.
  AIOLI_DEVICE uint32_t pivot_column(const uint32_t (&pivot)[slots], int word) const {
    uint32_t column = 0;
#pragma unroll
    for (int s = 0; s < slots; s++) column ^= a_[s][word] & pivot[s];
    return __reduce_xor_sync(all_lanes, column);
  }
  // What clears the lowest entries of word w, given the inverse of the pivot, and the same times x, x^2 and x^3.  Four slots at a time, in bytes.
  AIOLI_DEVICE void factors(uint32_t (&factor)[slots][4], int w, uint32_t inverse) const {
    const WordMultiples by = word_multiples(inverse);
#pragma unroll
    for (int first = 0; first < slots; first += 4) {
      const auto slot = [&](int s) { return first + s < slots ? a_[first + s][w] : 0; };
      const uint32_t entries = __byte_perm(__byte_perm(slot(0), slot(1), 0x0040), __byte_perm(slot(2), slot(3), 0x0040), 0x5410);
      constexpr uint32_t ones = 0x01010101;
      uint32_t f = (entries & ones) * by.w[0] ^ (entries >> 1 & ones) * by.w[1] ^ (entries >> 2 & ones) * by.w[2] ^
                   (entries >> 3 & ones) * by.w[3];
#pragma unroll
      for (int b = 0; b < 4; b++) {
#pragma unroll
        for (int s = 0; s < 4; s++)
          if (first + s < slots) factor[first + s][b] = __byte_perm(f, 0, 0x4440 | s);
        f = word_times_x(f);
      }
    }
  }

  // Backwards: the pivots of a word's equations carry what y and later pivots have brought along of them.
  AIOLI_DEVICE void substitute() {
#pragma unroll
    for (int w = words - 1; w >= 0; w--) {
      uint32_t sum = 0;
#pragma unroll
      for (int s = 0; s < slots; s++) sum ^= word_multiply(word_multiples(a_[s][w]), masks_of(x_[s]));
      sum = __reduce_xor_sync(all_lanes, sum);
#pragma unroll
      for (int s = 0; s < slots; s++) {
        const uint32_t at = equation_[s] - 8 * w;
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
      const int column = 32 * s + int(lane), i = column / o, c = column % o;
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

  // f(0), f(1), .. f(15) in nibbles, for look-ups by a shift: one by a secret distance takes as long as any other.
  struct Nibbles16 {
    uint32_t low, high;
    AIOLI_DEVICE uint32_t operator[](uint32_t x) const {
      const uint32_t upper = mask_of(x, 3);
      return ((low & ~upper) | (high & upper)) >> (4 * (x & 7)) & 15;
    }
  };
  static constexpr Nibbles16 inverses() {
    Nibbles16 t{0, 0};
    for (unsigned x = 0; x < 8; x++) {
      t.low |= uint32_t(inverse(GF16{uint8_t(x)}).n) << (4 * x);
      t.high |= uint32_t(inverse(GF16{uint8_t(x + 8)}).n) << (4 * x);
    }
    return t;
  }
  static AIOLI_DEVICE uint32_t inverse_of(uint32_t x) {
    constexpr Nibbles16 t = inverses();
    return Nibbles16{t.low, t.high}[x];
  }
};

}  // namespace cuda
}  // namespace aioli::inline AIOLI_ISA
