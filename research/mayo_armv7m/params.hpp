// SPDX-License-Identifier: Apache-2.0
// [MAYO-armv7m] KeyGen and Sign and Verify.  Model: armv7m.keypair, armv7m.sign, armv7m.verify.
// The parameter sets of the ARMv7-M variant of MAYO (research/mayo_armv7m/README.md).  Nothing outside this file knows a number
// of them.
#pragma once
#include "linalg/bit_slices.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace armv7m {

enum class Whipping { in_keys, from_seed };  // the matrices E_ij: written out in both keys, or expanded from 32 bytes there

template <int N, int M, int O, int K, Whipping E> struct Params {
  static constexpr int n = N, m = M, o = O, k = K, v = n - o, q = 16;
  static constexpr int pairs = k * (k + 1) / 2, columns = k * o;
  static constexpr Whipping whipping = E;
  static constexpr Slicing slicing = Slicing::nibbles;

  static constexpr int seed_bytes = 32, sk_seed_bytes = seed_bytes, salt_bytes = 32;
  // Of one m-vector; of one vector over n, v coordinates.
  static constexpr int m_bytes = (m + 1) / 2, s_bytes = n / 2, v_bytes = (v + 1) / 2;
  static constexpr int Eij_bytes = m * m_bytes, E_bytes = whipping == Whipping::in_keys ? pairs * Eij_bytes : seed_bytes;
  static constexpr int P_bytes = m_bytes * (n * (n + 1) / 2), A_bytes = m_bytes * (v * (v + 1) / 2),
                       D_bytes = m_bytes * (o * (o + 1) / 2);
  static constexpr int O_bytes = o * v_bytes, Bil_bytes = m_bytes * v * o;
  // Where the parts of keys and signatures begin.
  static constexpr int pk_P = E_bytes, pk_D = pk_P + P_bytes - D_bytes, sk_A = E_bytes, sk_O = sk_A + A_bytes,
                       sk_Bil = sk_O + O_bytes;
  static constexpr int sig_s = salt_bytes;
  static constexpr int public_key_bytes = E_bytes + P_bytes, secret_key_bytes = sk_Bil + Bil_bytes,
                       signature_bytes = sig_s + k * s_bytes;

  static_assert(columns >= m && n % 2 == 0, "a signature has no spare half byte");
};

struct Orig1 : Params<66, 67, 5, 14, Whipping::from_seed> {};
struct New1 : Params<66, 64, 7, 10, Whipping::in_keys> {};
struct New1K14 : Params<66, 64, 7, 14, Whipping::from_seed> {};

// The published sizes.
template <class P> constexpr bool has_published_sizes(int pk, int sk, int sig) {
  return P::public_key_bytes == pk && P::secret_key_bytes == sk && P::signature_bytes == sig;
}
static_assert(has_published_sizes<Orig1>(75206, 74851, 494) && has_published_sizes<New1>(183392, 182706, 362));
static_assert(has_published_sizes<New1K14>(70784, 70098, 494));

}  // namespace armv7m
}  // namespace AIOLI_ISA
}  // namespace aioli
