// SPDX-License-Identifier: Apache-2.0
// P S^T + lambda for many signatures under one key, by the method of the four Russians: for 32 words of P's rows and two of their
// columns a table of all 256 combinations in shared memory, then one look-up of 16 bytes for four words of one column of S^T.
// Public data only.
//
// Eight lanes read the 128 bytes of an entry together, so that no two of them want the same bank, whatever the indices are.  Two
// tables at a time, so that a sum takes both in one instruction.
#pragma once
#include "cuda/device/multiply.cuh"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

template <class P> struct Tables {
  using L = Layout<P>;
  static constexpr int n = P::n, o = P::o, k = P::k, v = P::v, words = L::mvector_words;
  static constexpr int own = L::table_columns_per_thread, columns = L::table_columns, groups = L::table_threads / 8;
  static_assert(groups == 64 && own % 4 == 0 && L::table_window_words == 32);

  // indices[tile][step][column]: elements 4 step .. 4 step + 3 of a column of the tile, column c being s_(c mod k) of row c / k.
  // A block makes a tile.
  static AIOLI_DEVICE void indices(const VerifyIndicesArgs &args) {
    uint16_t *out = reinterpret_cast<uint16_t *>(args.indices) + uint64_t(blockIdx.x) * L::table_steps * columns;
    for (uint32_t at = threadIdx.x; at < L::table_steps * columns; at += blockDim.x) {
      const uint32_t step = at / columns, column = at % columns, row = blockIdx.x * L::table_rows + column / k, i = column % k;
      uint32_t index = 0;
      if (column / k < L::table_rows && row < args.count) {
        const uint8_t *s = args.signatures + uint64_t(row) * args.signature_stride;
#pragma unroll
        for (uint32_t c = 0; c < 4; c++)
          if (4 * step + c < uint32_t(n)) index |= nibble(s, i * n + 4 * step + c) << (4 * c);
      }
      out[at] = uint16_t(index);
    }
  }

  // Word `unit` of column c of P: of the m-vector in row unit / words.  Zero left of the diagonal, and past the last row.
  static AIOLI_DEVICE uint32_t word_of_P(const uint32_t *P1, int unit, int c) {
    const int r = unit / words, word = unit % words;
    if (c < r || r >= n || c >= n) return 0;
    const int entry = c < v   ? r * v - r * (r - 1) / 2 + c - r
                      : r < v ? int(L::P1_entries) + r * o + c - v
                              : int(L::P_entries) + (r - v) * o - (r - v) * (r - v - 1) / 2 + c - r;
    return P1[entry * words + word];
  }

  static AIOLI_DEVICE void products(const VerifyTablesArgs &args) {
    AIOLI_SHARED_MEMORY(
        uint4, shared);  // the tables: entry e of table t in shared[(256 t + e) * 8 ..]; then x^b times columns c .. c + 3
    uint32_t *const multiples = reinterpret_cast<uint32_t *>(shared + 2 * 256 * 8);
    const int window = int(blockIdx.y), part = int(threadIdx.x % 8), group = int(threadIdx.x / 8);

    uint4 sum[own];
#pragma unroll
    for (int i = 0; i < own; i++) sum[i] = make_uint4(0, 0, 0, 0);
    // Entries 4 group .. 4 group + 3 of both tables are this thread's to make: the high element and two bits of the low one are
    // theirs in common.
    const auto add_if = [](uint4 &e, bool bit, const uint4 &w) {
      if (bit) e.x ^= w.x, e.y ^= w.y, e.z ^= w.z, e.w ^= w.w;
    };

#pragma unroll 1
    for (int step = window * 32 / words / 4; step < int(L::table_steps); step++) {
      // Warp 4 c + b: column c times x^b, a word for each lane.
      const int column = group / 16, power = group / 4 % 4;
      uint32_t w = word_of_P(args.expanded, window * 32 + int(lane_of_warp()), 4 * step + column);
#pragma unroll
      for (int b = 1; b < 4; b++)
        if (b <= power) w = word_times_x(w);
      multiples[threadIdx.x] = w;
      __syncthreads();  // and all have done with the tables
#pragma unroll
      for (int t = 0; t < 2; t++) {
        const uint4 *m = reinterpret_cast<const uint4 *>(multiples) + 2 * t * 32 +
                         part;  // column 2 t, x^b in m[8 b]; column 2 t + 1 in m[8 (4 + b)]
        uint4 e = make_uint4(0, 0, 0, 0);
#pragma unroll
        for (int b = 0; b < 4; b++) add_if(e, group >> 2 & 1 << b, m[32 + 8 * b]);
        add_if(e, group & 1, m[16]);
        add_if(e, group & 2, m[24]);
        const uint4 one = m[0], two = m[8];
        uint4 *to = shared + (256 * t + 4 * group) * 8 + part;
        to[0] = e;
        to[8] = make_uint4(e.x ^ one.x, e.y ^ one.y, e.z ^ one.z, e.w ^ one.w);
        to[16] = make_uint4(e.x ^ two.x, e.y ^ two.y, e.z ^ two.z, e.w ^ two.w);
        to[24] = make_uint4(e.x ^ one.x ^ two.x, e.y ^ one.y ^ two.y, e.z ^ one.z ^ two.z, e.w ^ one.w ^ two.w);
      }
      __syncthreads();
      const uint2 *indices =
          reinterpret_cast<const uint2 *>(args.indices) + ((blockIdx.x * L::table_steps + step) * columns + group * own) / 4;
      const uint8_t *const base = reinterpret_cast<const uint8_t *>(shared);
      const uint32_t offset = 16 * uint32_t(part);
#pragma unroll
      for (int q = 0; q < own / 4; q++) {
        const uint2 four = indices[q];
#pragma unroll
        for (int i = 0; i < 4; i++) {
          // Entries are 128 bytes, so an index times 128 is where one begins.
          const uint32_t x = i < 2 ? four.x : four.y;
          const uint32_t low = (i % 2 == 0 ? x << 7 : x >> 9) & 0x7f80, high = (i % 2 == 0 ? x >> 1 : x >> 17) & 0x7f80;
          const uint4 a = *reinterpret_cast<const uint4 *>(base + (low | offset));
          const uint4 b = *reinterpret_cast<const uint4 *>(base + 256 * 128 + (high | offset));
          uint4 &s = sum[4 * q + i];
          s.x ^= a.x ^ b.x, s.y ^= a.y ^ b.y, s.z ^= a.z ^ b.z, s.w ^= a.w ^ b.w;
        }
      }
    }
    // Columns of a tile lie one behind the other, whatever rows they are of; each k-th has lambda to be added.
    const uint32_t word4 = uint32_t(window * 8 + part), column = uint32_t(group * own), row = blockIdx.x * L::table_rows;
    const uint32_t left = args.count - row, live = k * (left < L::table_rows ? left : L::table_rows);
    uint4 *to = reinterpret_cast<uint4 *>(args.products) + (uint64_t(row) * k + column) * (L::verify_column_words / 4) + word4;
    const bool with_lambda = P::linear_term && word4 < L::lambda_words / 4;
    uint32_t next = ceil_div(column, k);
    uint64_t lambda = uint64_t(row + next) * (L::lambda_words / 4) + word4;
    next *= k;
#pragma unroll
    for (int i = 0; i < own; i++) {
      if (column + i >= live) break;
      if (with_lambda && column + i == next) {
        const uint4 l = reinterpret_cast<const uint4 *>(args.lambda)[lambda];
        sum[i] = make_uint4(sum[i].x ^ l.x, sum[i].y ^ l.y, sum[i].z ^ l.z, sum[i].w ^ l.w);
        lambda += L::lambda_words / 4, next += k;
      }
      to[i * (L::verify_column_words / 4)] = sum[i];
    }
  }
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
