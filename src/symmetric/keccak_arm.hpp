// SPDX-License-Identifier: Apache-2.0
// One word of each of two Keccak states in a register, with EOR3, BCAX, RAX1 and XAR.  Include only where FEAT_SHA3 is enabled.
#pragma once
#include <arm_neon.h>

#include "base/bytes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

struct KeccakArm {
  static constexpr int lanes = 2;
  static constexpr bool inverts = false;  // keccak_round.hpp
  uint64x2_t v;

  static KeccakArm zero() { return broadcast(0); }
  static KeccakArm broadcast(uint64_t w) { return {vdupq_n_u64(w)}; }
  static KeccakArm load(const uint64_t (&w)[2]) { return {vld1q_u64(w)}; }
  static KeccakArm gather(const uint8_t *const (&p)[2], int offset) {
    return {vreinterpretq_u64_u8(vcombine_u8(vld1_u8(p[0] + offset), vld1_u8(p[1] + offset)))};
  }
  friend KeccakArm operator^(KeccakArm a, KeccakArm b) { return {veorq_u64(a.v, b.v)}; }
  friend KeccakArm operator&(KeccakArm a, KeccakArm b) { return {vandq_u64(a.v, b.v)}; }
  template <int n> static KeccakArm rotated_sum(KeccakArm a, KeccakArm b) { return {vxarq_u64(a.v, b.v, (64 - n) % 64)}; }
  static KeccakArm sum_rotated1(KeccakArm a, KeccakArm b) { return {vrax1q_u64(a.v, b.v)}; }
  static KeccakArm sum(KeccakArm a, KeccakArm b, KeccakArm c) { return {veor3q_u64(a.v, b.v, c.v)}; }
  static KeccakArm chi(KeccakArm a, KeccakArm b, KeccakArm c) { return {vbcaxq_u64(a.v, c.v, b.v)}; }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
