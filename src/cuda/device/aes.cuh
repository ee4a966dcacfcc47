// SPDX-License-Identifier: Apache-2.0
// AES-128 in counter mode for public keys and seeds: look-ups in tables of which every bank of shared memory has its own copy, so
// that no two lanes ever want the same bank.  Two tables: row 2 of a column is row 0 turned by two bytes, row 3 is row 1.
#pragma once
#include "cuda/device/words.cuh"
#include "symmetric/aes_table.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

__device__ const AesTable device_aes_table = aes_table();

AIOLI_DEVICE uint32_t rotate_bytes(uint32_t x, int n) { return __funnelshift_l(x, x, 8 * n); }

AIOLI_DEVICE uint32_t half_turned(uint32_t x) { return __byte_perm(x, 0, 0x1032); }

class AesTables {
 public:
  // All threads of the block, and a barrier before the first use.
  static AIOLI_DEVICE void fill(uint32_t *shared) {
    for (uint32_t i = threadIdx.x; i < aes_table_bytes / 4; i += blockDim.x)
      shared[i] = rotate_bytes(device_aes_table.t[i / 64], 1 + i / 32 % 2);
  }
  AIOLI_DEVICE explicit AesTables(const uint32_t *shared) : base_(shared_address(shared)), lane_(4 * lane_of_warp()) {}

  // What byte Row of x adds to its column, SubBytes and MixColumns done.
  template <int Row> AIOLI_DEVICE uint32_t entry(uint32_t x) const {
    const uint32_t e = load<Row % 2, Row>(x);
    return Row < 2 ? e : half_turned(e);
  }
  // One round.  The sum of rows 2 and 3 is turned as a whole, and so it takes the key along, which has been turned for that.
  AIOLI_DEVICE void round(uint32_t (&s)[4], const uint32_t *turned_key) const {
    uint32_t t[4];
#pragma unroll
    for (int c = 0; c < 4; c++) {
      const uint32_t high = load<0, 2>(s[(c + 2) % 4]) ^ load<1, 3>(s[(c + 3) % 4]) ^ turned_key[c];
      t[c] = load<0, 0>(s[c]) ^ load<1, 1>(s[(c + 1) % 4]) ^ half_turned(high);
    }
#pragma unroll
    for (int c = 0; c < 4; c++) s[c] = t[c];
  }
  // The last round has SubBytes alone: byte 1 of row 0.
  AIOLI_DEVICE uint4 last_round(const uint32_t (&s)[4], const uint32_t *key) const {
    uint32_t out[4];
#pragma unroll
    for (int c = 0; c < 4; c++) {
      const uint32_t low = __byte_perm(load<0, 0>(s[c]), load<0, 1>(s[(c + 1) % 4]), 0x0051);
      const uint32_t high = __byte_perm(load<0, 2>(s[(c + 2) % 4]), load<0, 3>(s[(c + 3) % 4]), 0x0051);
      out[c] = __byte_perm(low, high, 0x5410) ^ key[c];
    }
    return make_uint4(out[0], out[1], out[2], out[3]);
  }

 private:
  // A table's entry for byte `Byte` of x.  Each value of a byte has 256 bytes, so that a permutation makes the distance; the rest
  // is the load's.
  template <int Table, int Byte> AIOLI_DEVICE uint32_t load(uint32_t x) const {
    return load_shared<128 * Table>(base_ + __byte_perm(lane_, x, 0x3200 | (4 + Byte) << 4));
  }

  uint32_t base_, lane_;
};

// Blocks of one key's stream whose numbers differ in the low two bytes only, which are bytes 2 and 3 of the last column.  They
// come into columns 0 and 1 of the first round, and from there into one byte of each row in every column of the second; all else
// is the same for all blocks and done once (Bernstein and Schwabe, New AES software speed records, 2008, section 4).
class AesStream {
 public:
  static constexpr uint32_t blocks = 1 << 16;

  AIOLI_DEVICE AesStream(const AesTables &tables, const uint4 *round_keys, const uint4 &initial) : tables_(tables) {
    const uint4 k0 = round_keys[0];
    const uint32_t s[4] = {initial.x ^ k0.x, initial.y ^ k0.y, initial.z ^ k0.z, initial.w ^ k0.w};
    last_ = s[3];
    uint32_t t[4];
    take(t, round_keys[1]);
    t[0] ^= tables.entry<0>(s[0]) ^ tables.entry<1>(s[1]) ^ tables.entry<2>(s[2]);
    t[1] ^= tables.entry<0>(s[1]) ^ tables.entry<1>(s[2]) ^ tables.entry<3>(s[0]);
    t[2] ^= tables.entry<0>(s[2]) ^ tables.entry<1>(s[3]) ^ tables.entry<2>(s[0]) ^
            tables.entry<3>(s[1]);
    t[3] ^= tables.entry<0>(s[3]) ^ tables.entry<1>(s[0]) ^ tables.entry<2>(s[1]) ^
            tables.entry<3>(s[2]);
    first_[0] = t[0], first_[1] = t[1];
    take(second_, round_keys[2]);
    second_[0] ^= tables.entry<2>(t[2]) ^ tables.entry<3>(t[3]);
    second_[1] ^= tables.entry<1>(t[2]) ^ tables.entry<2>(t[3]);
    second_[2] ^= tables.entry<0>(t[2]) ^ tables.entry<1>(t[3]);
    second_[3] ^= tables.entry<0>(t[3]) ^ tables.entry<3>(t[2]);
#pragma unroll
    for (int round = 3; round <= 10; round++) {
      uint32_t *const k = key_ + 4 * (round - 3);
      take(k, round_keys[round]);
#pragma unroll
      for (int c = 0; c < 4 && round < 10; c++) k[c] = half_turned(k[c]);
    }
  }

  // Block number `counter` < blocks.
  AIOLI_DEVICE uint4 block(uint32_t counter) const {
    const uint32_t x = last_ ^ __byte_perm(counter, 0, 0x0123);
    const uint32_t a = first_[0] ^ tables_.entry<3>(x), b = first_[1] ^ tables_.entry<2>(x);
    uint32_t s[4] = {second_[0] ^ tables_.entry<0>(a) ^ tables_.entry<1>(b),
                     second_[1] ^ tables_.entry<3>(a) ^ tables_.entry<0>(b),
                     second_[2] ^ tables_.entry<2>(a) ^ tables_.entry<3>(b),
                     second_[3] ^ tables_.entry<1>(a) ^ tables_.entry<2>(b)};
#pragma unroll
    for (int round = 3; round < 10; round++) tables_.round(s, key_ + 4 * (round - 3));
    return tables_.last_round(s, key_ + 28);
  }

 private:
  static AIOLI_DEVICE void take(uint32_t *words, const uint4 &from) {
    words[0] = from.x, words[1] = from.y, words[2] = from.z, words[3] = from.w;
  }

  const AesTables &tables_;
  uint32_t last_, first_[2], second_[4];
  uint32_t key_[32];  // rounds 3 to 10, turned by two bytes but for the last
};

template <class P> struct Streams {
  using L = Layout<P>;

  // Round keys, one thread for each key.
  static AIOLI_DEVICE void schedule(const ScheduleKeysArgs &args) {
    const uint32_t row = thread_of_grid();
    if (row >= args.count) return;
    const uint8_t *bytes = args.keys + uint64_t(row) * args.key_stride;
    uint32_t *out = args.round_keys + uint64_t(row) * L::round_key_words;
    uint32_t k[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
      k[i] = bytes[4 * i] | uint32_t(bytes[4 * i + 1]) << 8 | uint32_t(bytes[4 * i + 2]) << 16 | uint32_t(bytes[4 * i + 3]) << 24;
      out[i] = k[i];
    }
    uint32_t constant = 1;
#pragma unroll 1
    for (int round = 1; round <= 10; round++) {
      k[0] ^= constant;
      constant = aes_bytes::doubled(uint8_t(constant));
#pragma unroll
      for (int r = 0; r < 4; r++) k[0] ^= (device_aes_table.t[k[3] >> (8 * ((r + 1) % 4)) & 255] & 255) << (8 * r);
#pragma unroll
      for (int i = 1; i < 4; i++) k[i] ^= k[i - 1];
#pragma unroll
      for (int i = 0; i < 4; i++) out[4 * round + i] = k[i];
    }
  }

  // m-vectors from a keystream.  A task, which is a warp's, is a run of m-vectors of one key.
  static AIOLI_DEVICE void expand(const ExpandArgs &args) {
    AIOLI_SHARED_MEMORY(uint32_t, shared);
    AesTables::fill(shared);
    __syncthreads();
    const AesTables tables(shared);
    static_assert(ceil_div(L::P_entries * P::m_bytes, 16) + 32 <= AesStream::blocks);
    uint32_t *const staged = shared + (aes_table_bytes + threadIdx.x / 32 * aes_staging_bytes) / 4;

    constexpr uint32_t entries_per_task = aes_entries_per_task<P>();
    const uint32_t lane = lane_of_warp(), tasks = ceil_div(args.entries, entries_per_task);
    const uint64_t all = uint64_t(tasks) * args.count;
    for (uint64_t task = blockIdx.x * uint64_t(aes_warps) + warp_of_block(); task < all;
         task += uint64_t(gridDim.x) * aes_warps) {
      const uint32_t row = uint32_t(task / tasks), first = uint32_t(task % tasks) * entries_per_task;
      const uint32_t end = first + entries_per_task < args.entries ? first + entries_per_task : args.entries;
      uint4 initial = make_uint4(0, 0, 0, 0);
      if (args.initial_blocks)
        initial = *reinterpret_cast<const uint4 *>(args.initial_blocks + uint64_t(row) * args.block_stride);
      const AesStream stream(
          tables, reinterpret_cast<const uint4 *>(args.round_keys + uint64_t(row) * L::round_key_words), initial);
      uint32_t *out = args.mvectors + uint64_t(row) * args.stride;

      const uint32_t first_block = first * P::m_bytes / 16, end_block = ceil_div(end * P::m_bytes, 16);
      if constexpr (P::m_bytes % 4 == 0) {
        // The stream as it comes; the four words of the last block may end in what is nobody's.
#pragma unroll 1
        for (uint32_t b = first_block + lane; b < end_block; b += 32)
          reinterpret_cast<uint4 *>(out)[b] = stream.block(b);
      } else {
        uint32_t next = first;  // the first m-vector that has not been written
#pragma unroll 1
        for (uint32_t start = first_block; start < end_block; start += 32) {
          // What is left of the blocks before moves to the front; everybody has read it, then everybody may write.
          uint32_t kept = 0;
          if (lane < aes_kept_bytes / 4) kept = staged[512 / 4 + lane];
          const uint4 block = stream.block(start + lane);
          __syncwarp();
          if (lane < aes_kept_bytes / 4) staged[lane] = kept;
          reinterpret_cast<uint4 *>(staged + aes_kept_bytes / 4)[lane] = block;
          __syncwarp();
          const uint32_t ready = 16 * (start + 32) / P::m_bytes < end ? 16 * (start + 32) / P::m_bytes : end;
          for (uint32_t i = lane; i < (ready - next) * L::mvector_words; i += 32) {
            const uint32_t entry = next + i / L::mvector_words, word = i % L::mvector_words;
            const uint32_t at = aes_kept_bytes + entry * P::m_bytes + 4 * word - 16 * start;
            out[entry * L::mvector_words + word] =
                __funnelshift_r(staged[at / 4], staged[at / 4 + 1], 8 * (at % 4)) & first_nibbles(L::m - 8 * word);
          }
          next = ready;
        }
      }
    }
  }

  // P3, which is in public keys byte by byte.
  static AIOLI_DEVICE void unpack_oil(const UnpackOilArgs &args) {
    const uint8_t *from = args.public_keys + uint64_t(blockIdx.x) * args.key_stride + P::pk_seed_bytes;
    uint32_t *out = args.expanded + uint64_t(blockIdx.x) * L::public_words + L::P_entries * L::mvector_words;
    for (uint32_t i = threadIdx.x; i < L::P3_entries * L::mvector_words; i += blockDim.x) {
      const uint32_t at = i / L::mvector_words * P::m_bytes, word = i % L::mvector_words;
      uint32_t w = 0;
#pragma unroll
      for (uint32_t b = 0; b < 4; b++)
        if (4 * word + b < uint32_t(P::m_bytes)) w |= uint32_t(from[at + 4 * word + b]) << (8 * b);
      out[i] = w;
    }
  }
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
