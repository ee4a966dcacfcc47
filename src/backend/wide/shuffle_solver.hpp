// SPDX-License-Identifier: Apache-2.0
// The column solver over byte shuffles: two columns to a byte, one byte for each equation.  Adding multiples of the pivot column to a pair
// of columns is then one shuffle for as many equations as a register has bytes, by the table of the pair's two factors.
#pragma once
#include "linalg/solver.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class V> struct ShuffleSolver : ColumnElimination<P> {
  using Base = ColumnElimination<P>;
  using Base::m, Base::columns, Base::words, Base::factor, Base::pivot;
  using typename Base::X;
  // A row of pairs, in registers; equations, in registers.  Even equations stand before odd ones: their order is free.
  static constexpr int pairs = (columns + 2) / 2, parts = (pairs + V::bytes - 1) / V::bytes,
                       layers = (m + V::bytes - 1) / V::bytes, height = layers * V::bytes;

  Mvector<P> A[columns + 1];                // in: the columns of A, then y; used up
  alignas(64) uint8_t pair[pairs][height];  // columns 2p in low nibbles, 2p + 1 in high ones
  // Of the current pivot: where it is, what the columns get of it, and the tables of that.
  alignas(64) uint8_t take[parts * V::bytes], factors[parts * V::bytes], table[parts * V::bytes][16];

  bool solve(X &x, const X &r) {
    Base::subtract_fixed(A, r);
    for (int p = 0; p < pairs; p++) interleave(pair[p], A[2 * p], 2 * p + 1 <= columns ? &A[2 * p + 1] : nullptr);
    Base::singular = 0;
    V free[parts];  // 15 in the nibbles of columns that are no pivot yet
    for (int part = 0; part < parts; part++) {
      uint8_t mask[V::bytes];
      for (int i = 0; i < V::bytes; i++) {
        const int c = 2 * (part * V::bytes + i);
        mask[i] = uint8_t((c < columns ? 0x0f : 0) | (c + 1 < columns ? 0xf0 : 0));
      }
      free[part] = V::load(mask);
    }
    eliminate<0>(free);
    return Base::finish(x, r);
  }

 private:
  // Equations in registers before `from` are finished.
  template <int from> void eliminate(V (&free)[parts]) {
    constexpr int left = layers - from, end = left == 1 ? m : (from + 1) * V::bytes;
    for (int e = from * V::bytes; e < end; e++) {
      V row[parts], column[left];
      gather_row<0>(row, e);
      choose(e, row, free);
      const V entry = V::broadcast1(entry_of(row));

      for (int x = 0; x < left; x++) column[x] = V::zero();
      for (int p = 0; p < pairs; p++) {
        const V mask = V::broadcast1(take[p]);
#pragma GCC unroll 8
        for (int x = 0; x < left; x++) column[x] = column[x] ^ (V::load(pair[p] + (from + x) * V::bytes) & mask);
      }
#pragma GCC unroll 8
      for (int x = 0; x < left; x++) column[x] = column[x].low_nibbles() ^ column[x].high_nibbles();

      set_factors(e, row, free, entry);
      for (int part = 0; part < parts; part++) V::product_tables(&table[part * V::bytes], factors + part * V::bytes);
      for (int p = 0; p < pairs; p++) {
        const V t = V::broadcast16(table[p]);
#pragma GCC unroll 8
        for (int x = 0; x < left; x++) {
          uint8_t *to = pair[p] + (from + x) * V::bytes;
          (V::load(to) ^ V::look_up(t, column[x])).store(to);
        }
      }
    }
    if constexpr (from + 1 < layers) eliminate<from + 1>(free);
  }
  template <int part> void gather_row(V (&row)[parts], int e) const {
    if constexpr (part < parts) {
      constexpr int count = pairs - part * V::bytes < V::bytes ? pairs - part * V::bytes : V::bytes;
      row[part] = V::template gather<count>(&pair[part * V::bytes][e], height);
      gather_row<part + 1>(row, e);
    }
  }
  // The pivot of equation e: the first unused column with a non-zero entry in its row.
  void choose(int e, const V (&row)[parts], V (&free)[parts]) {
    uint32_t found = 0;
    for (int part = 0; part < parts; part++) {
      const V candidates = row[part] & free[part];
      const uint32_t low = candidates.low_nibbles().nonzero(), any = low | candidates.high_nibbles().nonzero();
      const uint32_t first = uint32_t(lowest_bit(any)) & ~found;  // which byte; its low nibble is the earlier column
      found |= uint32_t(mask_of_nonzero(any));
      const V p = (V::from_bits(first & low) & V::broadcast1(0x0f)) ^ (V::from_bits(first & ~low) & V::broadcast1(0xf0));
      p.store(take + part * V::bytes);
      free[part] = free[part] ^ p;
    }
    Base::singular |= ~all_ones_if(found & 1);
    for (int w = 0; w < words; w++) pivot[e][w] = load64(take + 8 * w);
  }
  // The pivot's own entry in this row.
  uint8_t entry_of(const V (&row)[parts]) const {
    V all = V::zero();
    for (int part = 0; part < parts; part++) all = all ^ (row[part] & V::load(take + part * V::bytes));
    return (all.low_nibbles() ^ all.high_nibbles()).sum();
  }
  // The multiples of the pivot column that clear row e in all unused columns and in y.
  void set_factors(int e, const V (&row)[parts], const V (&free)[parts], V entry) {
    // The inverses of 0 .. 15, and 0 .. 15 themselves.
    static constexpr struct Constants {
      uint8_t inverses[16], numbers[4][16];
      constexpr Constants() : inverses{}, numbers{} {
        for (int i = 0; i < 16; i++) {
          inverses[i] = inverse(GF16{uint8_t(i)}).n;
          for (int b = 0; b < 4; b++) numbers[b][i] = (GF16{uint8_t(i)} * GF16{uint8_t(1 << b)}).n;
        }
      }
    } constants;
    const V scale = V::look_up(V::broadcast16(constants.inverses), entry);
    V low = V::zero();  // byte i of each lane: i times the inverse of the entry
    for (int b = 0; b < 4; b++) {
      const V bit = V::broadcast1(uint8_t(1 << b));
      low = low ^ (V::broadcast16(constants.numbers[b]) & V::equal(scale & bit, bit));
    }
    const V high = low.low_to_high();
    for (int part = 0; part < parts; part++) {
      constexpr int y = columns / 2;  // the pair of the right side
      const V keep =
          part == y / V::bytes
              ? free[part] ^ (V::from_bits(uint32_t(1) << (y % V::bytes)) & V::broadcast1(columns % 2 == 0 ? 0x0f : 0xf0))
              : free[part];
      const V clear = row[part] & keep;
      (V::look_up(low, clear.low_nibbles()) ^ V::look_up(high, clear.high_nibbles())).store(factors + part * V::bytes);
    }
    for (int w = 0; w < words; w++) factor[e][w] = load64(factors + 8 * w);
  }
  static void interleave(uint8_t *to, const Mvector<P> &a, const Mvector<P> *b) {
    constexpr uint64_t low = 0x0f0f0f0f0f0f0f0f;
    constexpr int even = (m + 1) / 2, padded = 8 * Mvector<P>::words;
    uint8_t bytes[height + 8];
    for (int w = 0; w < Mvector<P>::words; w++) store64(bytes + 8 * w, (a.w[w] & low) | (b ? b->w[w] & low : 0) << 4);
    for (int w = 0; w < Mvector<P>::words; w++) store64(bytes + even + 8 * w, ((a.w[w] >> 4) & low) | (b ? b->w[w] & ~low : 0));
    for (int i = even + padded; i < height; i++) bytes[i] = 0;
    copy(to, bytes, height);
    wipe(bytes, sizeof bytes);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
