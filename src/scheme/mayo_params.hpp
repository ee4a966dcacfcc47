// SPDX-License-Identifier: Apache-2.0
// The parameter sets of MAYO.  Nothing outside this file knows a number of them.
#pragma once
#include "linalg/bit_slices.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// [MAYO-r3] Parameters: the powers of z.  Model: params.Params.exponent.
// exponent[i][j] = exponent[j][i]: the power of z that whips the pair (i, j), a permutation of 0 .. k(k+1)/2 - 1.
template <int K> struct WhippingSchedule {
  uint8_t exponent[K][K];
  static constexpr int pairs = K * (K + 1) / 2;

  consteval bool is_permutation() const {
    bool seen[pairs] = {};
    for (int i = 0; i < K; i++)
      for (int j = i; j < K; j++) {
        if (exponent[i][j] != exponent[j][i] || exponent[i][j] >= pairs || seen[exponent[i][j]]) return false;
        seen[exponent[i][j]] = true;
      }
    return true;
  }
};

// [MAYO-r2] Algorithm 7, lines 21-35: l, which goes up with every pair.  Model: params._counting_schedule.
// Rounds 1 and 2: i upwards and, for each i, j downwards.
template <int K> consteval WhippingSchedule<K> counting_schedule() {
  WhippingSchedule<K> s{};
  uint8_t e = 0;
  for (int i = 0; i < K; i++)
    for (int j = K - 1; j >= i; j--) s.exponent[i][j] = s.exponent[j][i] = e++;
  return s;
}

// [MAYO-r3] Parameters: tables of the powers of z.  Model: params._ROUND_3_SCHEDULES.
// Read from text, rows separated by slashes.
template <int K> consteval WhippingSchedule<K> table_schedule(const char *text) {
  WhippingSchedule<K> s{};
  for (int i = 0; i < K; i++)
    for (int j = 0; j < K; j++) {
      while (*text == ' ' || *text == '/') text++;
      int e = 0;
      while (*text >= '0' && *text <= '9') e = 10 * e + (*text++ - '0');
      s.exponent[i][j] = uint8_t(e);
    }
  return s;
}

// [MAYO-r3] Parameters, [MAYO-r2] Table 2.1, [MAYO-r1] Table 2.1.  Model: params.Params.
template <int N, int M, int O, int K, int Category, unsigned FTail, int Round, Slicing S = Slicing::nibbles> struct MayoParams {
  static constexpr int n = N, m = M, o = O, k = K, v = n - o, q = 16;
  static constexpr int round = Round, category = Category;
  static constexpr unsigned f_tail = FTail;  // f(z) = z^m + f4 z^4 + .. + f0, written 0x f4 f3 f2 f1 f0
  static constexpr Slicing slicing = S;
  static constexpr bool linear_term = round >= 3, digest_is_state = false;  // a hash, not a state as in UOV

  static constexpr int salt_bytes = Category == 1 ? 24 : Category == 3 ? 32 : 40;
  static constexpr int sk_seed_bytes = salt_bytes, R_bytes = salt_bytes, pk_seed_bytes = 16;
  static constexpr int digest_bytes = Category == 1 ? 32 : Category == 3 ? 48 : 64;

  static constexpr int m_bytes = m / 2, v_bytes = (v + 1) / 2, r_bytes = (k * o + 1) / 2, O_bytes = (v * o + 1) / 2;
  static constexpr int P1_bytes = m_bytes * (v * (v + 1) / 2), P2_bytes = m_bytes * v * o, P3_bytes = m_bytes * (o * (o + 1) / 2);
  static constexpr int secret_key_bytes = sk_seed_bytes, public_key_bytes = pk_seed_bytes + P3_bytes;
  static constexpr int s_bytes = (k * n + 1) / 2, signature_bytes = s_bytes + salt_bytes;
  static constexpr int pairs = k * (k + 1) / 2;

  static_assert(m % 2 == 0 && k * o >= m && (category == 1 || category == 3 || category == 5));
};

// [MAYO-r3] Parameters.  Model: params.PARAMETER_SETS.
struct Mayo1 : MayoParams<88, 80, 8, 10, 1, 0x02402, 3> {
  static consteval auto whipping() {
    return table_schedule<k>(
        "10 25 7 44 40 24 12 32 5 27 / 25 6 45 50 19 0 11 14 37 52 / 7 45 51 16 42 30 53 8 21 4 / "
        "44 50 16 15 39 26 48 54 23 34 / 40 19 42 39 22 33 1 35 41 18 / 24 0 30 26 33 13 46 17 2 47 / "
        "12 11 53 48 1 46 36 20 49 43 / 32 14 8 54 35 17 20 38 29 9 / 5 37 21 23 41 2 49 29 3 31 / 27 52 4 34 18 47 43 9 31 28");
  }
};
// [MAYO-r3] Parameters.  Model: params.PARAMETER_SETS.
struct Mayo2 : MayoParams<86, 64, 13, 5, 1, 0x08208, 3> {
  static consteval auto whipping() {
    return table_schedule<k>("11 13 3 4 6 / 13 0 14 10 2 / 3 14 8 1 5 / 4 10 1 12 9 / 6 2 5 9 7");
  }
};
// [MAYO-r3] Parameters.  Model: params.PARAMETER_SETS.
struct Mayo3 : MayoParams<118, 108, 10, 11, 3, 0x07108, 3> {
  static consteval auto whipping() {
    return table_schedule<k>(
        "35 13 39 32 4 7 40 14 43 62 64 / 13 55 42 11 63 19 58 49 36 12 20 / 39 42 6 15 57 47 16 34 44 46 50 / "
        "32 11 15 18 5 21 28 10 51 24 31 / 4 63 57 5 38 0 56 29 54 60 23 / 7 19 47 21 0 22 27 61 3 48 8 / "
        "40 58 16 28 56 27 37 45 30 1 17 / 14 49 34 10 29 61 45 26 52 59 41 / 43 36 44 51 54 3 30 52 25 9 2 / "
        "62 12 46 24 60 48 1 59 9 53 65 / 64 20 50 31 23 8 17 41 2 65 33");
  }
};
// [MAYO-r3] Parameters.  Model: params.PARAMETER_SETS.
struct Mayo5 : MayoParams<154, 142, 12, 12, 5, 0x01804, 3> {
  static consteval auto whipping() {
    return table_schedule<k>(
        "62 30 52 53 24 0 25 12 71 20 57 32 / 30 7 37 55 43 70 31 47 35 9 69 15 / 52 37 64 26 76 45 54 10 40 34 11 19 / "
        "53 55 26 61 16 60 5 18 42 17 8 75 / 24 43 76 16 41 27 6 2 4 51 68 38 / 0 70 45 60 27 63 22 49 23 1 21 48 / "
        "25 31 54 5 6 22 14 29 44 65 77 72 / 12 47 10 18 2 49 29 58 67 59 39 56 / 71 35 40 42 4 23 44 67 33 73 36 74 / "
        "20 9 34 17 51 1 65 59 73 28 46 3 / 57 69 11 8 68 21 77 39 36 46 50 13 / 32 15 19 75 38 48 72 56 74 3 13 66");
  }
};

// [MAYO-r2] Table 2.1.  Model: params.PARAMETER_SETS.
template <class Params> struct Counting : Params {
  static consteval auto whipping() { return counting_schedule<Params::k>(); }
};
struct Mayo1r2 : Counting<MayoParams<86, 78, 8, 10, 1, 0x00118, 2>> {};
struct Mayo2r2 : Counting<MayoParams<81, 64, 17, 4, 1, 0x08208, 2>> {};
struct Mayo3r2 : Counting<MayoParams<118, 108, 10, 11, 3, 0x07108, 2>> {};
struct Mayo5r2 : Counting<MayoParams<154, 142, 12, 12, 5, 0x01804, 2>> {};

// [MAYO-r1] Table 2.1, and the same sets with nibble-sliced keys.  Model: params.PARAMETER_SETS.
template <Slicing S> using Mayo1Round1 = Counting<MayoParams<66, 64, 8, 9, 1, 0x08208, 1, S>>;
template <Slicing S> using Mayo2Round1 = Counting<MayoParams<78, 64, 18, 4, 1, 0x08208, 1, S>>;
template <Slicing S> using Mayo3Round1 = Counting<MayoParams<99, 96, 10, 11, 3, 0x02022, 1, S>>;
template <Slicing S> using Mayo5Round1 = Counting<MayoParams<133, 128, 12, 12, 5, 0x24084, 1, S>>;
struct Mayo1r1 : Mayo1Round1<Slicing::nibbles> {};
struct Mayo2r1 : Mayo2Round1<Slicing::nibbles> {};
struct Mayo3r1 : Mayo3Round1<Slicing::nibbles> {};
struct Mayo5r1 : Mayo5Round1<Slicing::nibbles> {};
struct Mayo1r1b : Mayo1Round1<Slicing::bits> {};
struct Mayo2r1b : Mayo2Round1<Slicing::bits> {};
struct Mayo3r1b : Mayo3Round1<Slicing::bits> {};
struct Mayo5r1b : Mayo5Round1<Slicing::bits> {};

// [MAYO-r3] Parameters, [MAYO-r2] Table 2.1, [MAYO-r1] Table 2.1: the sizes.  Model: params.Params.
template <class P> constexpr bool has_sizes(int pk, int sk, int sig) {
  return P::public_key_bytes == pk && P::secret_key_bytes == sk && P::signature_bytes == sig && P::whipping().is_permutation();
}
static_assert(has_sizes<Mayo1>(1456, 24, 464) && has_sizes<Mayo2>(2928, 24, 239) && has_sizes<Mayo3>(2986, 32, 681));
static_assert(has_sizes<Mayo5>(5554, 40, 964) && has_sizes<Mayo1r2>(1420, 24, 454) && has_sizes<Mayo2r2>(4912, 24, 186));
static_assert(has_sizes<Mayo3r2>(2986, 32, 681) && has_sizes<Mayo5r2>(5554, 40, 964) && has_sizes<Mayo1r1>(1168, 24, 321));
static_assert(has_sizes<Mayo2r1>(5488, 24, 180) && has_sizes<Mayo3r1>(2656, 32, 577) && has_sizes<Mayo5r1>(5008, 40, 838));

}  // namespace AIOLI_ISA
}  // namespace aioli
