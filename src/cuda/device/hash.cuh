// SPDX-License-Identifier: Apache-2.0
// SHAKE256 with one thread per message, the state in registers: the permutation is that of symmetric/keccak_round.hpp.
#pragma once
#include "cuda/device/words.cuh"
#include "symmetric/keccak_round.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

struct DeviceLane {
  static constexpr bool inverts = false;
  uint64_t v;
  static constexpr DeviceLane broadcast(uint64_t w) { return {w}; }
  friend constexpr DeviceLane operator^(DeviceLane a, DeviceLane b) { return {a.v ^ b.v}; }
  template <int n> constexpr DeviceLane rotate() const { return {n == 0 ? v : v << n | v >> (64 - n) % 64}; }
  static constexpr DeviceLane sum(DeviceLane a, DeviceLane b, DeviceLane c) { return {a.v ^ b.v ^ c.v}; }
  static constexpr DeviceLane chi(DeviceLane a, DeviceLane b, DeviceLane c) { return {a.v ^ (~b.v & c.v)}; }
};

__constant__ const KeccakConstants device_keccak_constants = keccak_round_constants();

// Up to three strings one after another, of constant lengths, and one byte more if Byte is 1.
template <int A, int B, int C = 0, int Byte = 0> struct Concatenation {
  static constexpr int bytes = A + B + C + Byte;
  const uint8_t *a, *b, *c;
  uint8_t last;
  AIOLI_DEVICE uint64_t byte(int i) const {
    if (i < A) return a[i];
    if (i < A + B) return b[i - A];
    if (i < A + B + C) return c[i - A - B];
    return last;
  }
};

class Sponge {
 public:
  static constexpr int rate = 136, rate_words = rate / 4;

  AIOLI_DEVICE void start() {
#pragma unroll
    for (int i = 0; i < 25; i++) state_[i] = {0};
  }
  AIOLI_DEVICE void permute() {
    DeviceLane b[25], c[5];
    keccak_columns(c, state_);
#pragma unroll 1
    for (int round = 0; round < keccak_rounds; round += 2) {
      keccak_round(b, state_, c, device_keccak_constants.rc[round]);
      keccak_round(state_, b, c, device_keccak_constants.rc[round + 1]);
    }
  }
  // A whole input, padding and all; then the first block of output is there.
  template <class Input> AIOLI_DEVICE void absorb(const Input &input) {
    start();
    constexpr int last = Input::bytes / rate;
#pragma unroll
    for (int block = 0; block <= last; block++) {
#pragma unroll
      for (int lane = 0; lane < rate / 8; lane++) {
        uint64_t w = 0;
#pragma unroll
        for (int i = 0; i < 8; i++) {
          const int at = rate * block + 8 * lane + i;
          if (at < Input::bytes) w |= input.byte(at) << (8 * i);
          if (at == Input::bytes) w |= uint64_t(0x1f) << (8 * i);
        }
        if (block == last && lane == rate / 8 - 1) w ^= uint64_t(0x80) << 56;
        state_[lane].v ^= w;
      }
      permute();
    }
  }
  // The same for a string of any length.
  AIOLI_DEVICE void absorb(const uint8_t *message, uint64_t bytes) {
    start();
    for (uint64_t done = 0;; done += rate) {
      const bool last = bytes - done < rate;
#pragma unroll
      for (int lane = 0; lane < rate / 8; lane++) {
        uint64_t w = 0;
#pragma unroll
        for (int i = 0; i < 8; i++) {
          const uint64_t at = done + 8 * lane + i;
          if (at < bytes) w |= uint64_t(message[at]) << (8 * i);
          if (at == bytes) w |= uint64_t(0x1f) << (8 * i);
        }
        if (last && lane == rate / 8 - 1) w ^= uint64_t(0x80) << 56;
        state_[lane].v ^= w;
      }
      permute();
      if (last) break;
    }
  }
  // Word i of the block of output; i is a constant.
  AIOLI_DEVICE uint32_t word(int i) const { return uint32_t(state_[i / 2].v >> (32 * (i % 2))); }
  AIOLI_DEVICE uint8_t byte(int i) const { return uint8_t(word(i / 4) >> (8 * (i % 4))); }
  // Four bytes from byte i on; within the block.
  AIOLI_DEVICE uint32_t word_at_byte(int i) const {
    return i % 4 == 0 ? word(i / 4) : __funnelshift_r(word(i / 4), word(i / 4 + 1), 8 * (i % 4));
  }
  // Words first .. first + count - 1 of the output, which are in more blocks than one.  Once, in order.
  template <int First, int Count> AIOLI_DEVICE void squeeze(uint32_t *out) {
    constexpr int blocks = (First + Count + rate_words - 1) / rate_words;
#pragma unroll 1
    for (int block = 0; block < blocks; block++) {
      if (block > 0) permute();
#pragma unroll
      for (int i = 0; i < rate_words; i++) {
        const int at = rate_words * block + i - First;
        if (at >= 0 && at < Count) out[at] = word(i);
      }
    }
  }

 private:
  DeviceLane state_[25];
};

// The kernels, one thread for each row.
template <class P> struct Hashes {
  using L = Layout<P>;

  static AIOLI_DEVICE void messages(const HashMessagesArgs &args) {
    const uint32_t row = thread_of_grid();
    if (row >= args.count) return;
    Sponge sponge;
    sponge.absorb(args.messages + args.offsets[row], args.offsets[row + 1] - args.offsets[row]);
    uint8_t *digest = args.digests + uint64_t(row) * args.digest_stride;
#pragma unroll
    for (int i = 0; i < P::digest_bytes; i++) digest[i] = sponge.byte(i);
  }

  static AIOLI_DEVICE void targets(const HashTargetsArgs &args) {
    const uint32_t row = thread_of_grid();
    if (row >= args.count) return;
    Sponge sponge;
    sponge.absorb(Concatenation<P::digest_bytes, P::salt_bytes>{args.digests + uint64_t(row) * args.digest_stride,
                                                                args.salts + uint64_t(row) * args.salt_stride, nullptr, 0});
    static_assert(P::m_bytes + 32 <= Sponge::rate);
    uint32_t *target = args.targets + uint64_t(row) * L::mvector_words;
#pragma unroll
    for (int i = 0; i < int(L::mvector_words); i++) target[i] = sponge.word(i) & first_nibbles(L::m - 8 * i);
    if constexpr (P::linear_term) {
      uint32_t *key = reinterpret_cast<uint32_t *>(args.lambda_keys) + 8 * uint64_t(row);
#pragma unroll
      for (int i = 0; i < 8; i++) key[i] = sponge.word_at_byte(P::m_bytes + 4 * i);
    }
  }

  static AIOLI_DEVICE void seeds(const ExpandSeedsArgs &args) {
    const uint32_t row = thread_of_grid();
    if (row >= args.count) return;
    Sponge sponge;
    sponge.absorb(Concatenation<P::sk_seed_bytes, 0>{args.seeds_sk + uint64_t(row) * args.seed_sk_stride, nullptr, nullptr, 0});
    uint8_t *seed_pk = args.seeds_pk + uint64_t(row) * args.seed_pk_stride;
#pragma unroll
    for (int i = 0; i < P::pk_seed_bytes; i++) seed_pk[i] = sponge.byte(i);
    sponge.squeeze<P::pk_seed_bytes / 4, (P::O_bytes + 3) / 4>(args.oil + uint64_t(row) * L::oil_words);
  }

  static AIOLI_DEVICE void salts(const SignSaltsArgs &args) {
    const uint32_t row = thread_of_grid();
    if (row >= args.count) return;
    const uint32_t key = args.keys ? args.keys[row] : 0;
    Sponge sponge;
    sponge.absorb(Concatenation<P::digest_bytes, P::R_bytes, P::sk_seed_bytes>{
        args.digests + uint64_t(row) * args.digest_stride, args.randomness + uint64_t(row) * args.randomness_stride,
        args.seeds_sk + uint64_t(key) * args.seed_sk_stride, 0});
    uint8_t *salt = args.salts + uint64_t(row) * args.salt_stride;
#pragma unroll
    for (int i = 0; i < P::salt_bytes; i++) salt[i] = sponge.byte(i);
  }

  static AIOLI_DEVICE void vinegar(const SignVinegarArgs &args) {
    const uint32_t slot = thread_of_grid();
    if (slot >= args.count) return;
    const uint32_t row = args.rows ? args.rows[slot] : slot, key = args.keys ? args.keys[row] : 0;
    Sponge sponge;
    sponge.absorb(Concatenation<P::digest_bytes, P::salt_bytes, P::sk_seed_bytes, 1>{
        args.digests + uint64_t(row) * args.digest_stride, args.salts + uint64_t(row) * args.salt_stride,
        args.seeds_sk + uint64_t(key) * args.seed_sk_stride, uint8_t(args.attempts[row])});
    sponge.squeeze<0, (P::k * P::v_bytes + P::r_bytes + 3) / 4>(args.vinegar + uint64_t(slot) * L::vinegar_words);
  }
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
