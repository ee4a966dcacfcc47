// SPDX-License-Identifier: Apache-2.0
// AES-128 in counter mode for public keys and seeds: look-ups in tables of which every bank of shared memory has its own copy, so that no two
// lanes ever want the same bank.  Two tables: row 2 of a column is row 0 turned by two bytes, row 3 is row 1.
#pragma once
#include "cuda/device/words.cuh"
#include "symmetric/aes_table.hpp"

namespace aioli::inline AIOLI_ISA {
namespace cuda {

__device__ const AesTable device_aes_table = aes_table();

AIOLI_DEVICE uint32_t rotate_bytes(uint32_t x, int n) { return __funnelshift_l(x, x, 8 * n); }

class AesTables {
 public:
  static constexpr uint32_t entry_bytes = 256;  // for each value of a byte: row 0 in all banks, row 1 in all banks

  // All threads of the block, and a barrier before the first use.
  static AIOLI_DEVICE void fill(uint32_t *shared) {
    for (uint32_t i = threadIdx.x; i < aes_table_bytes / 4; i += blockDim.x)
      shared[i] = rotate_bytes(device_aes_table.t[i / 64], 1 + i / 32 % 2);
  }
  AIOLI_DEVICE explicit AesTables(const uint32_t *shared)
      : base_(reinterpret_cast<const uint8_t *>(shared)), lane_(4 * lane_of_warp()) {}

  // Block number `counter`.
  AIOLI_DEVICE uint4 block(const uint32_t (&key)[44], const uint4 &initial, uint32_t counter) const {
    uint32_t s[4] = {initial.x ^ key[0], initial.y ^ key[1], initial.z ^ key[2],
                     initial.w ^ key[3] ^ __byte_perm(counter, 0, 0x0123)};
#pragma unroll
    for (int round = 1; round < 10; round++) {
      uint32_t t[4];
#pragma unroll
      for (int c = 0; c < 4; c++) {
        const uint32_t high = row<0, 2>(s[(c + 2) % 4]) ^ row<1, 3>(s[(c + 3) % 4]);
        t[c] = row<0, 0>(s[c]) ^ row<1, 1>(s[(c + 1) % 4]) ^ key[4 * round + c] ^ __byte_perm(high, 0, 0x1032);
      }
#pragma unroll
      for (int c = 0; c < 4; c++) s[c] = t[c];
    }
    uint32_t out[4];
#pragma unroll
    for (int c = 0; c < 4; c++) {  // byte 1 of row 0 is S itself
      const uint32_t low = __byte_perm(row<0, 0>(s[c]), row<0, 1>(s[(c + 1) % 4]), 0x0051);
      const uint32_t high = __byte_perm(row<0, 2>(s[(c + 2) % 4]), row<0, 3>(s[(c + 3) % 4]), 0x0051);
      out[c] = __byte_perm(low, high, 0x5410) ^ key[40 + c];
    }
    return make_uint4(out[0], out[1], out[2], out[3]);
  }

 private:
  // A table's entry for byte `Byte` of x.
  template <int Table, int Byte> AIOLI_DEVICE uint32_t row(uint32_t x) const {
    const uint32_t at = __byte_perm(lane_, x, 0x3200 | (4 + Byte) << 4) + 128 * Table;
    return *reinterpret_cast<const uint32_t *>(base_ + at);
  }

  const uint8_t *base_;
  uint32_t lane_;
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
      constant = aes::doubled(uint8_t(constant));
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
    uint32_t *const staged = shared + (aes_table_bytes + threadIdx.x / 32 * aes_staging_bytes) / 4;

    constexpr uint32_t entries_per_task = aes_entries_per_task<P>();
    const uint32_t lane = lane_of_warp(), tasks = ceil_div(args.entries, entries_per_task);
    const uint64_t all = uint64_t(tasks) * args.count;
    for (uint64_t task = blockIdx.x * uint64_t(aes_warps) + warp_of_block(); task < all;
         task += uint64_t(gridDim.x) * aes_warps) {
      const uint32_t row = uint32_t(task / tasks), first = uint32_t(task % tasks) * entries_per_task;
      const uint32_t end = first + entries_per_task < args.entries ? first + entries_per_task : args.entries;
      uint32_t key[44];
      const uint4 *round_keys = reinterpret_cast<const uint4 *>(args.round_keys + uint64_t(row) * L::round_key_words);
#pragma unroll
      for (int i = 0; i < 11; i++) {
        const uint4 k = round_keys[i];
        key[4 * i] = k.x, key[4 * i + 1] = k.y, key[4 * i + 2] = k.z, key[4 * i + 3] = k.w;
      }
      uint4 initial = make_uint4(0, 0, 0, 0);
      if (args.initial_blocks)
        initial = *reinterpret_cast<const uint4 *>(args.initial_blocks + uint64_t(row) * args.block_stride);
      uint32_t *out = args.mvectors + uint64_t(row) * args.stride;

      const uint32_t first_block = first * P::m_bytes / 16, end_block = ceil_div(end * P::m_bytes, 16);
      if constexpr (P::m_bytes % 4 == 0) {
        // The stream as it comes; the four words of the last block may end in what is nobody's.
#pragma unroll 1
        for (uint32_t b = first_block + lane; b < end_block; b += 32)
          reinterpret_cast<uint4 *>(out)[b] = tables.block(key, initial, b);
      } else {
        uint32_t next = first;  // the first m-vector that has not been written
#pragma unroll 1
        for (uint32_t start = first_block; start < end_block; start += 32) {
          // What is left of the blocks before moves to the front; everybody has read it, then everybody may write.
          uint32_t kept = 0;
          if (lane < aes_kept_bytes / 4) kept = staged[512 / 4 + lane];
          const uint4 block = tables.block(key, initial, start + lane);
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
}  // namespace aioli::inline AIOLI_ISA
