// SPDX-License-Identifier: Apache-2.0
// Products of a matrix of m-vectors and a small matrix X over GF(16), in constant time: each element of X is four masks in shared
// memory, each product four sums of masked words that are put together once, at the end.
//
// A unit is a pair of words of the m-vectors of one row of the matrix.  A thread has a unit and all columns of X for it; a warp
// has 32 units in a row and walks along their rows together, so that all its lanes read the same mask at the same time.
#pragma once
#include "cuda/device/words.cuh"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// masks[c * Columns + i] for element(i, c), c < length.  elements(i, c), c even: that in bits 0 .. 3, the next in bits 4 .. 7.
// All threads of the block, and a barrier before they are read.
template <int Columns, class Elements> AIOLI_DEVICE void fill_masks(uint4 *masks, uint32_t length, Elements elements) {
  for (uint32_t at = threadIdx.x; at < (length + 1) / 2 * Columns; at += blockDim.x) {
    const uint32_t i = at % Columns, c = at / Columns * 2, two = elements(i, c);
    masks[c * Columns + i] = masks_of(two);
    if (length % 2 == 0 || c + 1 < length) masks[(c + 1) * Columns + i] = masks_of(two >> 4);
  }
}
// masks[at] for element `at` of what is encoded in bytes.
AIOLI_DEVICE void fill_masks(uint4 *masks, uint32_t count, const uint8_t *elements) {
  for (uint32_t at = threadIdx.x; at < (count + 1) / 2; at += blockDim.x) {
    const uint32_t two = elements[at];
    masks[2 * at] = masks_of(two);
    if (count % 2 == 0 || 2 * at + 1 < count) masks[2 * at + 1] = masks_of(two >> 4);
  }
}

AIOLI_DEVICE uint2 load_pair(const uint32_t *p) { return *reinterpret_cast<const uint2 *>(p); }

template <int Columns> class Products {
 public:
  static constexpr uint32_t row_bytes = 16 * Columns;  // of masks; they are named by their address in shared memory

  AIOLI_DEVICE void clear() {
#pragma unroll
    for (int t = 0; t < 2; t++)
#pragma unroll
      for (int i = 0; i < Columns; i++)
#pragma unroll
        for (int b = 0; b < 4; b++) sum_[t][i][b] = 0;
  }
  // One element of the unit's row times one row of X, and nothing before it.
  AIOLI_DEVICE void begin(uint2 w, uint32_t masks) {
    each(masks, [&](int i, uint4 m) {
      sum_[0][i][0] = w.x & m.x, sum_[0][i][1] = w.x & m.y, sum_[0][i][2] = w.x & m.z, sum_[0][i][3] = w.x & m.w;
      sum_[1][i][0] = w.y & m.x, sum_[1][i][1] = w.y & m.y, sum_[1][i][2] = w.y & m.z, sum_[1][i][3] = w.y & m.w;
    });
  }
  // The same, added to what there is.
  AIOLI_DEVICE void add(uint2 w, uint32_t masks) {
    each(masks, [&](int i, uint4 m) {
      sum_[0][i][0] ^= w.x & m.x, sum_[0][i][1] ^= w.x & m.y, sum_[0][i][2] ^= w.x & m.z, sum_[0][i][3] ^= w.x & m.w;
      sum_[1][i][0] ^= w.y & m.x, sum_[1][i][1] ^= w.y & m.y, sum_[1][i][2] ^= w.y & m.z, sum_[1][i][3] ^= w.y & m.w;
    });
  }
  // w to column i.
  AIOLI_DEVICE void add(int i, uint2 w) { sum_[0][i][0] ^= w.x, sum_[1][i][0] ^= w.y; }
  // Rows of X from `begin` on, to `end`; the unit's words for row c are at p, Step words further each time.  Before row `full`,
  // they count from row `first` on only.
  template <int Step, uint32_t Together = 4>
  AIOLI_DEVICE void walk(const uint32_t *p, uint32_t begin, uint32_t full, uint32_t end, uint32_t first, uint32_t masks) {
    if (full < begin) full = begin;
    full += (end - full) % Together;
    uint32_t m = masks + begin * row_bytes;
#pragma unroll 1
    for (uint32_t c = begin; c < full; c++, p += Step, m += row_bytes) add(c >= first ? load_pair(p) : make_uint2(0, 0), m);
    const uint32_t behind = masks + end * row_bytes;
#pragma unroll 1
    for (; m < behind; p += Together * Step, m += Together * row_bytes)
#pragma unroll
      for (uint32_t i = 0; i < Together; i++) add(load_pair(p + i * Step), m + i * row_bytes);
  }
  // Masks may be overwritten after this and a barrier.  load_shared says nothing of memory to the compiler, which could else let
  // a load pass the barrier to where its sum is used.
  AIOLI_DEVICE void settle() {
#pragma unroll
    for (int t = 0; t < 2; t++)
#pragma unroll
      for (int i = 0; i < Columns; i++)
#pragma unroll
        for (int b = 0; b < 4; b++) sum_[t][i][b] = anew(sum_[t][i][b]);
  }
  AIOLI_DEVICE uint32_t get(int t, int i) const {
    return word_of_multiples(sum_[t][i][0], sum_[t][i][1], sum_[t][i][2], sum_[t][i][3]);
  }

 private:
  // use(i, masks of column i) from column Begin on.
  template <int Begin = 0, class Use> static AIOLI_DEVICE void each(uint32_t masks, Use use) {
    if constexpr (Begin < Columns) {
      use(Begin, load_shared_4<16 * Begin>(masks));
      each<Begin + 1>(masks, use);
    }
  }

  uint32_t sum_[2][Columns][4];
};

// The unit of a thread in stretch s of `units` ones, m-vectors being Words long.  Lanes beyond the last unit do its work again
// and store nothing.
template <int Words> struct Unit {
  static_assert(Words % 2 == 0);
  static constexpr uint32_t pairs = Words / 2;
  static constexpr uint32_t most_rows = (32 + pairs - 1) / pairs;  // of a warp that have one and the same pair of words
  uint32_t at;                                                     // its first word among those of all rows
  uint32_t row, word;                                              // and within its row
  bool live;
  uint32_t first_row, last_row;  // of the warp
  uint32_t complete;             // the first row behind first_row that some lane does not have
  uint32_t before, behind;       // how many rows of the warp that have this pair of words, too, are before and behind this one

  AIOLI_DEVICE Unit(uint32_t stretch, uint32_t units) {
    const uint32_t lane = lane_of_warp(), begin = 32 * stretch, rows = units / pairs;
    live = begin + lane < units;
    const uint32_t unit = live ? begin + lane : units - 1;
    at = 2 * unit;
    row = unit / pairs;
    word = at - row * Words;
    first_row = begin / pairs, last_row = (begin + 31) / pairs, complete = (begin + 32) / pairs;
    before = lane / pairs, behind = (31 - lane) / pairs;
    if (begin + 32 > units) last_row = rows - 1, complete = rows, behind = rows - 1 - row;
  }
};

template <class P> struct Times {
  using L = Layout<P>;
  static constexpr uint32_t n = P::n, o = P::o, k = P::k, v = P::v, words = L::mvector_words;

  static AIOLI_DEVICE uint32_t triangle(uint32_t row, uint32_t size) {
    return row * (2 * size + 1 - row) / 2;
  }  // m-vectors before row `row`

  // work(stretch) for the two stretches of this warp: the first of those that are left and the last.
  template <class Work> static AIOLI_DEVICE void for_stretches(uint32_t units, Work work) {
    uint32_t stretch = blockIdx.y * (blockDim.x / 32) + warp_of_block();
    const uint32_t last = (units + 31) / 32 - 1 - stretch;
    if (stretch > last) return;
#pragma unroll 1
    for (;;) {
      work(stretch);
      if (stretch == last) break;
      stretch = last;
    }
  }
  template <int Columns>
  static AIOLI_DEVICE void store(uint32_t *out, uint32_t column_words, const Products<Columns> &sums, const Unit<words> &u) {
    if (!u.live) return;
#pragma unroll
    for (int i = 0; i < Columns; i++)
      *reinterpret_cast<uint2 *>(out + i * column_words + u.at) = make_uint2(sums.get(0, i), sums.get(1, i));
  }

  // Whether what follows is right in the last stretch of a triangle, which may have less rows with one pair of words than `most`:
  // not if there are three of them or more, which then come round.
  static constexpr bool common_ends_well(uint32_t rows) {
    constexpr uint32_t pairs = Unit<words>::pairs, most = Unit<words>::most_rows / 2;
    const uint32_t left = rows * pairs % 32, least = left / pairs, greatest = ceil_div(left, pairs);
    return (least <= 2 || least >= most) && (greatest <= 2 || greatest >= most);
  }
  // What rows of P1 have in common with each other, all of one warp, but for their diagonals.  Only sums over both (r, c) and (c,
  // r) are wanted in the end, so that the element of two rows may go to either of them: of `d` rows low .. high each takes those
  // of the d / 2 rows behind it, in a circle.  In the triangle the last row would have to wait for the first.  `row`, `low`,
  // `high`: of P1.
  template <int Columns>
  static AIOLI_DEVICE void add_common(Products<Columns> &sums, const uint32_t *P1, uint32_t row, const Unit<words> &u,
                                      uint32_t masks) {
    constexpr uint32_t most = Unit<words>::most_rows / 2;
    const uint32_t d = u.before + 1 + u.behind, reach = u.before < d / 2 ? d / 2 : (d - 1) / 2;
    // No address is to be beyond the last row.  Before row 0 the triangle's half is wrong in its highest bit, which an even
    // number of words takes away.
    const uint32_t first = row - (d < most ? most : d);
    const uint32_t on = triangle(row, v) * words + u.word;                // (row, row + j) is j m-vectors behind
    uint32_t back = (triangle(first, v) + row - first) * words + u.word;  // (first + j, row), if j were 0
    uint32_t step = (v - 1 - first) * words;
    const uint32_t on_masks = masks + row * sums.row_bytes, back_masks = masks + first * sums.row_bytes;
#pragma unroll
    for (uint32_t j = 1; j <= most; j++) {
      back += step, step -= words;
      const bool round = j > u.behind;
      const uint2 w = load_pair(P1 + (round ? back : on + j * words));  // in any case, so that there is no branch
      sums.add(make_uint2(j <= reach ? w.x : 0, j <= reach ? w.y : 0), (round ? back_masks : on_masks) + j * sums.row_bytes);
    }
  }

  // Row r of (P1 P2; 0 P3), or of what has the same sums, times S^T.
  static AIOLI_DEVICE void verify(const VerifyTimesArgs &args) {
    AIOLI_SHARED_MEMORY(uint4, filled);
    const uint32_t row = blockIdx.x;
    const uint8_t *s = args.signatures + uint64_t(row) * args.signature_stride;
    fill_masks<k>(filled, n, [&](uint32_t i, uint32_t c) { return two_nibbles<n>(s, i, c); });
    __syncthreads();
    const uint32_t masks = shared_address(filled);

    const uint32_t *P1 = settled(args.expanded + uint64_t(args.keys ? args.keys[row] : 0) * L::public_words);
    const uint32_t *lambda = args.lambda ? args.lambda + uint64_t(row) * L::lambda_words : nullptr;
    uint32_t *out = args.products + uint64_t(row) * L::verify_product_words;
    constexpr uint32_t units = n * words / 2, P2 = L::P1_entries * words, P3 = P2 + L::P2_entries * words;
    for_stretches(units, [&](uint32_t stretch) {
      const Unit<words> u(stretch, units);
      const bool above = u.row < v;
      const uint32_t at = (above ? triangle(u.row, v) * words : P3 + triangle(u.row - v, o) * words) + u.word;  // (r, r)
      Products<k> sums;
      sums.begin(load_pair(P1 + at), masks + u.row * sums.row_bytes);
      if (P::linear_term && lambda) sums.add(0, load_pair(lambda + u.at));
      uint32_t begin = u.first_row + 1, first = u.row + 1;
      if (u.last_row < v) {
        add_common(sums, P1, u.row, u, masks);
        begin = u.complete, first = u.row + u.behind + 1;
      }
      const uint32_t full = u.last_row + 1;
      if (u.first_row < v)
        sums.template walk<words>(P1 + (above ? at + (begin - u.row) * words : 0), begin, full < v ? full : v, v,
                                  above ? first : n, masks);
      if (begin < v) begin = v;
      const uint32_t then = above ? P2 + (u.row * o + begin - v) * words + u.word : at + (begin - u.row) * words;
      sums.template walk<words>(P1 + then, begin, full, n, first, masks);
      store<k>(out, L::verify_column_words, sums, u);
    });
  }

  // Of (P1 + P1^T) O: beside the sums of many columns a second row does not fit in registers (sm_100).
  static constexpr uint32_t rows_together = o > 16 ? 1 : 4;
  // P1 O + P2, or what has the same sums; (P1 + P1^T) O + P2 if Symmetric.  Column after column.
  template <bool Symmetric>
  static AIOLI_DEVICE void times_oil(uint32_t *out, uint32_t column_words, const uint32_t *P1, const uint32_t *O) {
    AIOLI_SHARED_MEMORY(uint4, filled);
    fill_masks(filled, o * v, reinterpret_cast<const uint8_t *>(O));
    __syncthreads();
    const uint32_t masks = shared_address(filled);

    constexpr uint32_t units = v * words / 2;
    static_assert(common_ends_well(v));
    for_stretches(units, [&](uint32_t stretch) {
      const Unit<words> u(stretch, units);
      const uint32_t at = triangle(u.row, v) * words + u.word;  // (r, r)
      const uint32_t *P2 = P1 + (L::P1_entries * words + u.row * o * words + u.word);
      Products<o> sums;
      if constexpr (Symmetric)
        sums.begin(u.row != 0 ? load_pair(P1 + u.at) : make_uint2(0, 0), masks);
      else
        sums.begin(load_pair(P1 + at), masks + u.row * sums.row_bytes);
#pragma unroll
      for (uint32_t i = 0; i < o; i++) sums.add(i, load_pair(P2 + i * words));
      if constexpr (Symmetric) {
        const uint32_t c = above_diagonal(sums, P1, u, masks);
        sums.template walk<words, rows_together>(P1 + (at + (c - u.row) * words), c, c, v, 0, masks);
      } else {
        add_common(sums, P1, u.row, u, masks);
        const uint32_t c = u.complete;
        sums.template walk<words>(P1 + (at + (c - u.row) * words), c, u.last_row + 1, v, u.row + u.behind + 1, masks);
      }
      store<o>(out, column_words, sums, u);
    });
    clear_shared_memory<uint4>(16 * o * v);
  }
  // Rows 1 .. c - 1 of O times what the units have in their columns of P1, above the diagonal, and from there on in their rows;
  // c, which is returned, is past all their diagonals, and these cancel.
  static AIOLI_DEVICE uint32_t above_diagonal(Products<o> &sums, const uint32_t *P1, const Unit<words> &u, uint32_t masks) {
    constexpr uint32_t together = rows_together;
    const uint32_t *p = P1 + (u.at + (u.row != 0 ? v - 1 : 1) * words);  // (1, row); of row 0, (0, 1)
    uint32_t c = 1, m = masks + sums.row_bytes, step = (v - 2) * words;
    // From one row to the next the column comes one m-vector sooner.
#pragma unroll 1
    for (; c + together <= u.first_row; c += together, m += together * sums.row_bytes)
#pragma unroll
      for (uint32_t i = 0; i < together; i++) {
        sums.add(load_pair(p), m + i * sums.row_bytes);
        p += step, step -= words;
      }
    uint32_t end = u.last_row + 1;
    end += (v - end) % together;
#pragma unroll 1
    for (; c < end; c++, m += sums.row_bytes) {
      sums.add(c != u.row ? load_pair(p) : make_uint2(0, 0), m);
      p += c < u.row ? step : words, step -= words;
    }
    return end;
  }

  // T = P1 O + P2.
  static AIOLI_DEVICE void keygen(const KeygenTimesArgs &args) {
    const uint32_t row = blockIdx.x;
    times_oil<false>(args.products + uint64_t(row) * L::keygen_product_words, L::keygen_column_words,
                     settled(args.expanded + uint64_t(row) * L::secret_words), args.oil + uint64_t(row) * L::oil_words);
  }

  // L = (P1 + P1^T) O + P2, behind P2.
  static AIOLI_DEVICE void linear_forms(const LinearFormsArgs &args) {
    const uint32_t row = blockIdx.x;
    uint32_t *P1 = settled(args.expanded + uint64_t(row) * L::secret_words);
    times_oil<true>(P1 + L::P_entries * words, v * words, P1, args.oil + uint64_t(row) * L::oil_words);
  }

  // M = V L, whose o columns come first because they are long, then row r of P1, or of what has the same sums, times V^T.
  static AIOLI_DEVICE void sign(const SignTimesArgs &args) {
    AIOLI_SHARED_MEMORY(uint4, filled);
    const uint32_t slot = blockIdx.x, row = args.rows ? args.rows[slot] : slot;
    const uint32_t *V = args.vinegar + uint64_t(slot) * L::vinegar_words;
    fill_masks<k>(filled, v,
                  [&](uint32_t i, uint32_t c) { return reinterpret_cast<const uint8_t *>(V)[P::v_bytes * i + c / 2]; });
    __syncthreads();
    const uint32_t masks = shared_address(filled);

    const uint32_t *P1 = settled(args.expanded + uint64_t(args.keys ? args.keys[row] : 0) * L::secret_words);
    const uint32_t *lambda = args.lambda ? args.lambda + uint64_t(row) * L::lambda_words : nullptr;
    const uint32_t *oil_terms = args.oil_terms ? args.oil_terms + uint64_t(row) * L::oil_term_words : nullptr;
    uint32_t *out = args.products + uint64_t(slot) * L::sign_product_words;
    static_assert(common_ends_well(o + v));
    constexpr uint32_t units = (o + v) * words / 2, L_transposed = L::P_entries * words;
    for_stretches(units, [&](uint32_t stretch) {
      const Unit<words> u(stretch, units);
      const bool linear = u.row < o;
      const uint32_t c = linear ? 0 : u.row - o;
      // the first element of a column of L, or element (r, r)
      const uint32_t at = (linear ? L_transposed + u.row * v * words : triangle(c, v) * words) + u.word;
      Products<k> sums;
      sums.begin(load_pair(P1 + at), masks + c * sums.row_bytes);
      if (P::linear_term) sums.add(0, load_pair(linear ? oil_terms + u.at : lambda + (u.at - o * words)));
      uint32_t begin = 1, first = c + 1;
      if (u.first_row >= o) {
        add_common(sums, P1, c, u, masks);
        begin = u.complete - o, first = c + u.behind + 1;
      }
      const uint32_t full = u.last_row < o ? begin : u.last_row - o + 1;
      sums.template walk<words>(P1 + (at + (begin - c) * words), begin, full, v, first, masks);
      store<k>(out, L::sign_column_words, sums, u);
    });
    clear_shared_memory<uint4>(16 * k * v);
  }

  // lambda_(v+c) + sum over r of O[r][c] lambda_r.  A warp for each row; lanes share the rows of O as far as there are lanes.
  static AIOLI_DEVICE void oil_terms(const SignOilTermsArgs &args) {
    AIOLI_SHARED_MEMORY(uint4, filled);
    const uint32_t row = blockIdx.x;
    const uint32_t *O = args.oil + uint64_t(args.keys ? args.keys[row] : 0) * L::oil_words;
    fill_masks(filled, o * v, reinterpret_cast<const uint8_t *>(O));
    __syncthreads();
    const uint32_t masks = shared_address(filled);

    constexpr uint32_t slices = 32 / words;
    const uint32_t lane = lane_of_warp(), slice = lane / words, word = lane % words;
    const uint32_t *lambda = args.lambda + uint64_t(row) * L::lambda_words;
    Products<o> sums;
    sums.clear();
    if (slice < slices)
#pragma unroll 1
      for (uint32_t r = slice; r < v; r += slices) sums.add(make_uint2(lambda[r * words + word], 0), masks + r * sums.row_bytes);
    uint32_t *out = args.oil_terms + uint64_t(row) * L::oil_term_words;
#pragma unroll
    for (uint32_t i = 0; i < o; i++) {
      uint32_t w = sums.get(0, i), sum = w;
#pragma unroll
      for (uint32_t s = 1; s < slices; s++) sum ^= __shfl_sync(all_lanes, w, (lane + s * words) % 32);
      if (slice == 0) out[i * words + word] = sum ^ lambda[(v + i) * words + word];
    }
    clear_shared_memory<uint4>(16 * o * v);
  }
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
