// SPDX-License-Identifier: Apache-2.0
// The parameter sets of UOV.  Nothing outside this file knows a number of them.
#pragma once
#include "field/field_of.hpp"
#include "linalg/bit_slices.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// [UOV-r3] Parameters, [UOV-r2] Table 1.  Model: uov.Shape, uov.Params.
// In UOV o is m.  k, the number of vectors in a signature, is 1: UOV needs no whipping.
template <class FieldOfSet, int N, int M, int Category, int Round> struct UovParams {
  using Field = FieldOfSet;
  static constexpr int n = N, m = M, o = m, v = n - m, k = 1, q = 1 << Field::bits;
  static constexpr int round = Round, category = Category;
  static constexpr Slicing slicing = Slicing::nibbles;  // elements as they come

  static constexpr int salt_bytes = 16, R_bytes = salt_bytes, sk_seed_bytes = 32, pk_seed_bytes = 16;
  static constexpr int digest_bytes = 201;  // the state of SHAKE256 after the message, which is never hashed by itself
  static constexpr bool digest_is_state = true;

  // x_bytes: all n elements (v + O x, x) of a signature, not the x that is solved for.
  static constexpr int m_bytes = Field::bytes(m), v_bytes = Field::bytes(v), x_bytes = Field::bytes(n), O_bytes = o * v_bytes;
  static constexpr int P1_bytes = m_bytes * (v * (v + 1) / 2), P2_bytes = m_bytes * v * o, P3_bytes = m_bytes * (o * (o + 1) / 2);
  static constexpr int signature_bytes = x_bytes + salt_bytes;
  // epk = P1 || P2 || P3, cpk = seed_pk || P3, esk = sk_seed || O || P1 || S, csk = sk_seed
  static constexpr int epk_bytes = P1_bytes + P2_bytes + P3_bytes, cpk_bytes = pk_seed_bytes + P3_bytes;
  static constexpr int esk_bytes = sk_seed_bytes + O_bytes + P1_bytes + P2_bytes, csk_bytes = sk_seed_bytes;

  static_assert(8 * m_bytes == Field::bits * m && 8 * v_bytes == Field::bits * v, "every part fills whole bytes");
  static_assert(category == 1 || category == 3 || category == 5);
};

// [UOV-r3] Parameters.  Model: uov._SHAPES.  Is is as it was in round 2.
struct UovIs : UovParams<Gf16, 160, 64, 1, 3> {};
struct UovIp : UovParams<Gf256, 119, 45, 1, 3> {};
struct UovIII : UovParams<Gf256, 193, 72, 3, 3> {};
struct UovV : UovParams<Gf256, 259, 96, 5, 3> {};
// [UOV-r2] Table 1.  Model: uov._SHAPES.
struct UovIpR2 : UovParams<Gf256, 112, 44, 1, 2> {};
struct UovIIIR2 : UovParams<Gf256, 184, 72, 3, 2> {};
struct UovVR2 : UovParams<Gf256, 244, 96, 5, 2> {};

// [UOV-r3] Parameters, [UOV-r2] Table 1: the sizes.  Model: uov.Params.
template <class P> constexpr bool has_uov_sizes(int epk, int esk, int cpk, int sig) {
  return P::epk_bytes == epk && P::esk_bytes == esk && P::cpk_bytes == cpk && P::csk_bytes == 32 && P::signature_bytes == sig;
}
static_assert(has_uov_sizes<UovIs>(412160, 348704, 66576, 96) && has_uov_sizes<UovIp>(321300, 278087, 46591, 135));
static_assert(has_uov_sizes<UovIII>(1347912, 1167440, 189232, 209) && has_uov_sizes<UovV>(3232320, 2801024, 446992, 275));
static_assert(has_uov_sizes<UovIpR2>(278432, 237896, 43576, 128) && has_uov_sizes<UovIIIR2>(1225440, 1044320, 189232, 200));
static_assert(has_uov_sizes<UovVR2>(2869440, 2436704, 446992, 260));

}  // namespace AIOLI_ISA
}  // namespace aioli
