// SPDX-License-Identifier: Apache-2.0
// The system A x = y of an attempt to sign, and the signature that its solution makes; a warp for each.  Columns of A are whipped sums of M's
// m-vectors; the elimination is that of linalg/solver.hpp: columns are eliminated, equation after equation, and what was added to a column takes the
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

  uint32_t a_[slots][words];  // the columns; in words before the current one the factors
  uint32_t unused_[slots];    // all ones: not a pivot yet
  uint32_t equation_[slots];  // whose pivot the column is
  uint32_t r_[slots], x_[slots];

 public:
  static AIOLI_DEVICE void sign(const SignSolveArgs &args) {
    AIOLI_SHARED_MEMORY(uint32_t, shared);
    uint32_t *const M = shared, *const X = shared + columns * padded + shift + 2;
    const uint32_t slot = blockIdx.x, row = args.rows ? args.rows[slot] : slot, lane = lane_of_warp();
    const uint32_t *vinegar = args.vinegar + uint64_t(slot) * L::vinegar_words;
    Solve s;
    s.load(args.products + uint64_t(slot) * L::sign_product_words, args.right_sides + uint64_t(slot) * words, vinegar, M);
    const bool solved = s.eliminate();
    s.substitute();
    s.store_solution(X);
    // "Singular, try again with new vinegar" is all that is said about A; the signature is public as well.
    if (solved) {
      const uint32_t *O = args.oil + uint64_t(args.keys ? args.keys[row] : 0) * L::oil_words;
      uint8_t *signature = args.signatures + uint64_t(row) * args.signature_stride;
      for (uint32_t i = lane; i < P::s_bytes; i += 32) {
        const uint32_t low = element(vinegar, O, X, 2 * i), high = 2 * i + 1 < k * n ? element(vinegar, O, X, 2 * i + 1) : 0;
        signature[i] = uint8_t(low | high << 4);
      }
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
    for (uint32_t at = lane; at < uint32_t(columns * padded + shift + 2); at += 32) {
      const int word = int(at % padded) - shift;
      const uint32_t entry = at / padded;
      const bool some = word >= 0 && entry < uint32_t(columns);
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
      unused_[s] = live ? ~0u : 0;
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
          // Past the m-vector lies the next one, but zeros first; what is further on is not wanted.
          const uint32_t w = q < words ? from[q] : q - e / 8 < words ? from[q] : 0;
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
    uint4 scalar[slots];
#pragma unroll
    for (int s = 0; s < slots; s++) scalar[s] = masks_of(r_[s]);
#pragma unroll
    for (int w = 0; w < words; w++) {
      uint32_t sum = 0;
#pragma unroll
      for (int s = 0; s < slots; s++) sum ^= word_multiply(word_multiples(a_[s][w]), scalar[s]);
      sum = __reduce_xor_sync(all_lanes, sum);
      if (lane == columns % 32) a_[columns / 32][w] ^= sum;
    }
  }

  // False if some equation has no pivot.
  AIOLI_DEVICE bool eliminate() {
    const uint32_t lane = lane_of_warp(), is_y = lane == columns % 32 ? ~0u : 0;
    uint32_t singular = 0;
#pragma unroll
    for (int w = 0; w < words; w++) {
#pragma unroll 1
      for (int e = 0; e < (m - 8 * w < 8 ? m - 8 * w : 8); e++) {
        const int bits = 4 * e;
        // The pivot: the first unused column with something in this equation.
        uint32_t entry[slots], pivot[slots], found = 0, of_pivot = 0;
#pragma unroll
        for (int s = 0; s < slots; s++) {
          entry[s] = a_[s][w] >> bits & 15;
          const uint32_t votes = __ballot_sync(all_lanes, (entry[s] & unused_[s]) != 0);
          const uint32_t lowest = votes & (0 - votes) & ~found;
          found |= mask_of_any(votes);
          pivot[s] = mask_of(lowest >> lane, 0);
          unused_[s] &= ~pivot[s];
          equation_[s] = (equation_[s] & ~pivot[s]) | (uint32_t(8 * w + e) & pivot[s]);
          of_pivot |= entry[s] & pivot[s];
        }
        singular |= ~found;
        const Nibbles16 products = multiples_of(inverse_of(__reduce_xor_sync(all_lanes, of_pivot)));
        // The multiples of the pivot column that clear the entries of unused columns and of y.
        uint4 factor[slots];
        uint32_t factors[slots];
#pragma unroll
        for (int s = 0; s < slots; s++) {
          const uint32_t keep = s == columns / 32 ? unused_[s] | is_y : unused_[s];
          factors[s] = products[entry[s]] & keep;
          factor[s] = masks_of(factors[s]);
        }
#pragma unroll
        for (int i = w; i < words; i++) {
          uint32_t column = 0;
#pragma unroll
          for (int s = 0; s < slots; s++) column ^= a_[s][i] & pivot[s];
          column = __reduce_xor_sync(all_lanes, column);
          if (i == w) column &= 0xfffffff0u << bits;  // this equation's entries become factors, those before are factors
          const WordMultiples multiples = word_multiples(column);
#pragma unroll
          for (int s = 0; s < slots; s++) a_[s][i] ^= word_multiply(multiples, factor[s]);
        }
#pragma unroll
        for (int s = 0; s < slots; s++) a_[s][w] = (a_[s][w] & ~(15u << bits)) | factors[s] << bits;
      }
    }
    return singular == 0;
  }

  // Backwards: the pivot of an equation carries what y needed of it, less what later pivots already brought along.
  AIOLI_DEVICE void substitute() {
#pragma unroll
    for (int w = words - 1; w >= 0; w--) {
#pragma unroll 1
      for (int e = (m - 8 * w < 8 ? m - 8 * w : 8) - 1; e >= 0; e--) {
        uint32_t factors = 0, solution = 0;
#pragma unroll
        for (int s = 0; s < slots; s++) {
          factors |= (a_[s][w] >> (4 * e) & 15) << (4 * s);
          solution |= x_[s] << (4 * s);
        }
        const uint32_t value = word_sum(__reduce_xor_sync(all_lanes, word_multiply_elementwise(factors, solution)));
#pragma unroll
        for (int s = 0; s < slots; s++) x_[s] |= equation_[s] == uint32_t(8 * w + e) ? value : 0;
      }
    }
#pragma unroll
    for (int s = 0; s < slots; s++) x_[s] ^= r_[s];
  }

  // x_i, one after another, each in words of its own.
  AIOLI_DEVICE void store_solution(uint32_t *X) {
    const uint32_t lane = lane_of_warp();
    for (uint32_t i = lane; i < k * L::oil_row_words; i += 32) X[i] = 0;
    __syncwarp();
#pragma unroll
    for (int s = 0; s < slots; s++) {
      const int column = 32 * s + int(lane);
      if (column < columns) atomicXor(X + column / o * L::oil_row_words + column % o / 8, x_[s] << (4 * (column % o % 8)));
    }
    __syncwarp();
  }

  // Element i of s: (v_j + O x_j, x_j), j = i / n.
  static AIOLI_DEVICE uint32_t element(const uint32_t *vinegar, const uint32_t *O, const uint32_t *X, uint32_t i) {
    const uint32_t j = i / n, at = i % n;
    const uint32_t *x = X + j * L::oil_row_words;
    if (at >= uint32_t(v)) return nibble(x, at - v);
    uint32_t sum = 0;
#pragma unroll
    for (uint32_t w = 0; w < L::oil_row_words; w++) {
      const uint32_t from = at * o + 8 * w, high = from / 8 + 1 < L::oil_words ? O[from / 8 + 1] : 0;
      sum ^= word_multiply_elementwise(__funnelshift_r(O[from / 8], high, 4 * (from % 8)), x[w]);
    }
    return word_sum(sum) ^ nibble(vinegar, 2 * P::v_bytes * j + at);
  }

  static AIOLI_DEVICE uint32_t mask_of_any(uint32_t x) { return mask_of((x | (0 - x)) >> 31, 0); }

  // f(0), f(1), .. f(15) in nibbles, for look-ups by a shift: one by a secret distance takes as long as any other.
  struct Nibbles16 {
    uint32_t low, high;
    AIOLI_DEVICE uint32_t operator[](uint32_t x) const {
      const uint32_t upper = mask_of(x, 3);
      return ((low & ~upper) | (high & upper)) >> (4 * (x & 7)) & 15;
    }
  };
  static constexpr Nibbles16 products_with(unsigned a) {
    Nibbles16 t{0, 0};
    for (unsigned x = 0; x < 8; x++) {
      t.low |= uint32_t((GF16{uint8_t(a)} * GF16{uint8_t(x)}).n) << (4 * x);
      t.high |= uint32_t((GF16{uint8_t(a)} * GF16{uint8_t(x + 8)}).n) << (4 * x);
    }
    return t;
  }
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
  static AIOLI_DEVICE Nibbles16 multiples_of(uint32_t a) {
    constexpr Nibbles16 one = products_with(1), two = products_with(2), four = products_with(4), eight = products_with(8);
    const uint4 mask = masks_of(a);
    return {select(mask, one.low, two.low, four.low, eight.low), select(mask, one.high, two.high, four.high, eight.high)};
  }
};

}  // namespace cuda
}  // namespace aioli::inline AIOLI_ISA
