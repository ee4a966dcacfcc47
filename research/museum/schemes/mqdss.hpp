// SPDX-License-Identifier: Apache-2.0
// MQDSS: signatures from the five-pass identification scheme of K. Sakumoto, T. Shirai, H. Hiwatari (CRYPTO 2011) by a
// Fiat-Shamir transform.  M.-S. Chen, A. Hülsing, J. Rijneveld, S. Samardjiska, P. Schwabe, ASIACRYPT 2016; here as in
// rounds 1 and 2 of NIST's process.
//
// STATUS CARD
//   135 and 202 rounds   BROKEN below the claim.  D. Kales, G. Zaverucha, "An Attack on Some Signature Schemes Constructed From
//                        Five-Pass Identification Schemes", CANS 2020 (ePrint 2020/837; announced 2019): a forger guesses the two
//                        challenges in turn, not together, so that the rounds were too few: about 2^95 hashes for MQDSS-31-48,
//                        claimed for 2^128.
//   184 and 277 rounds   the repair of 2020; the attack does not go below the claim.  Dropped after round 2, for its size of 28
//                        and 60 KB.
//   The problem underneath, a random quadratic system, stands.  No demonstration.
//
// Official: both sets with both numbers of rounds, byte for byte.
#pragma once
#include "museum/field/prime_field.hpp"
#include "museum/schemes/acknowledgement.hpp"
#include "museum/schemes/encoding.hpp"

namespace museum::broken::mqdss {

struct Parameters {
  const char *name;
  size_t n, rounds;  // variables and equations over GF(31); rounds
  size_t seed_bytes, hash_bytes;
};
inline constexpr Parameters mqdss_48_135{"MQDSS-31-48-135", 48, 135, 16, 32};
inline constexpr Parameters mqdss_48_184{"MQDSS-31-48-184", 48, 184, 16, 32};
inline constexpr Parameters mqdss_64_202{"MQDSS-31-64-202", 64, 202, 24, 48};
inline constexpr Parameters mqdss_64_277{"MQDSS-31-64-277", 64, 277, 24, 48};

using F = field::Gf31;

// n random quadratic polynomials in n variables without constant term.
class System {
 public:
  System(View seed, size_t n);
  Vector<F> evaluate(const Vector<F> &x) const;                   // F(x)
  Vector<F> polar(const Vector<F> &x, const Vector<F> &y) const;  // G(x, y) = F(x + y) - F(x) - F(y)

 private:
  size_t n_;
  Vector<F> linear_, quadratic_;  // n coefficients for each monomial: x_0, x_1 ...; x_0 x_0, x_1 x_0, x_1 x_1, x_2 x_0 ...
};

class Mqdss {
 public:
  explicit Mqdss(const Parameters &p_) : p(p_) {}
  const Parameters p;

  size_t public_key_bytes() const { return p.seed_bytes + element_bytes(); }
  size_t secret_key_bytes() const { return p.seed_bytes; }
  size_t signature_bytes() const { return 2 * p.hash_bytes + p.rounds * (3 * element_bytes() + 2 * p.hash_bytes); }

  Bytes public_key(View secret_key) const;  // the secret key is any seed_bytes random bytes
  // Deterministic.
  Bytes sign(View secret_key, View message, Acknowledgement) const;
  bool verify(View public_key, View message, View signature) const;

 private:
  size_t element_bytes() const { return packed_bytes<F>(p.n); }
  struct Challenges {
    Vector<F> alpha;
    Bytes first_hash;  // h0
  };
  Challenges first_challenges(View D, View sigma0) const;
  Bytes second_challenges(View D, View sigma0, View h0, View first_responses) const;  // a bit for each round, lowest first
  Bytes commitment(View rho, std::initializer_list<Vector<F>> vectors) const;
};

}  // namespace museum::broken::mqdss
