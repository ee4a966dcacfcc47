// SPDX-License-Identifier: Apache-2.0
// MAYO with expanded keys, for one key used often: ExpandSK and ExpandPK, and signing and verifying with their results.
#pragma once
#include "scheme/mayo.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class K> struct MayoExpanded : Mayo<P, K> {
  using Base = Mayo<P, K>;
  using Keys = P;  // their sizes
  using Base::o, Base::k, Base::v, Base::sign, Base::verify;
  using typename Base::Rows, typename Base::SigningKey, typename Base::VerifyingKey, typename Base::Work;

  // [MAYO-r3] MAYO.ExpandSK, [MAYO-r2] Algorithm 5.  Model: sign.expand_secret_key, sign.expand_key.
  // seed_sk, O, P1, and L = (P1 + P1^T) O + P2.
  static void expand_secret(SigningKey &sk, const uint8_t *seed_sk, typename Work::ExpandSecret &w) {
    copy(sk.seed_sk, seed_sk, P::sk_seed_bytes);
    expand_secret_seed<P>(w.seed_pk, sk.O, seed_sk);
    w.factor_O.set(sk.O);
    w.P1_P2.write(sk.P1, sk.L, w.seed_pk);  // each row of P2 stands where its row of L will
    zero(sk.P1 + P::P1_bytes, slack), zero(sk.L + P::P2_bytes, slack);
    w.rows.start(sk.P1, sk.L);
    for (Rows row; w.rows.next(row);) {
      w.T.times(row.P1, w.factor_O);                                         // T = (P1 O)[row]
      w.T.add_times_transposed(sk.P1, row.index, w.factor_O, w.transposed);  // T += (P1^T O)[row]
      w.T.add(row.P2, 0);                                                    // T += P2[row]
      store_products<P>(sk.L, w.T, row, w.L_row);
    }
  }

  // [MAYO-r3] MAYO.ExpandPK, [MAYO-r2] Algorithm 6.  Model: verify.expand_public_key.
  // P1, P2, P3.
  static void expand_public(VerifyingKey &key, const uint8_t *pk, typename Work::ExpandPublic &w) {
    w.P1_P2.write(key.P1, key.P2, pk);
    decode_P3<P>(key.P3, pk);
    zero(key.P1 + P::P1_bytes, slack), zero(key.P2 + P::P2_bytes, slack);
  }

  // [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7, lines 21-35: A and y, with L.  Model: sign.linear_system.
  // M = V L comes from rows of L.  The factor O serves O^T lambda only (round 3); the rest is as in mayo.hpp.
  static bool sign(uint8_t *sig, const uint8_t *digest, const SigningKey &sk, const uint8_t *R, typename Work::SignExpanded &w) {
    w.factor_O.set(sk.O);
    transpose(w.O_transposed, sk.O);
    w.rows.start(sk.P1, sk.L);
    return Base::sign_with(sig, digest, sk.seed_sk, R, w, [&] {
      auto [V, W, sums] = w.enter_pass(w.V);  // V^T
      auto &[VPV, VL, O_lambda] = sums;
      VPV.zero(), VL.zero(), O_lambda.zero();
      for (Rows row; w.rows.next(row);) {
        W.times(row.P1, V);
        w.lambda.next(w.lambda_row, row);
        W.add(w.lambda_row, 0);
        VPV.add_outer(V, row.index, W);                                       // VPV += V[row]^T W
        VL.template add_outer<v>(V, row.index, row.P2);                       // VL += V[row]^T L[row]
        O_lambda.template add_outer<0>(w.factor_O, row.index, w.lambda_row);  // O^T lambda, for M_0
      }
      whip<P>(w.y, VPV, w.enter_whipping());
      linear_forms<P>(w.enter_forms(), VL, 0, O_lambda);
    });
  }

  // [MAYO-r3] MAYO.Verify, [MAYO-r2] Algorithm 8.  Model: verify.verify_digest.
  static bool verify(const uint8_t *sig, const uint8_t *digest, const VerifyingKey &key, typename Work::VerifyExpanded &w) {
    w.rows.start(key.P1, key.P2);
    w.oil_rows.start(key.P3);
    return Base::verify(sig, digest, w);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
