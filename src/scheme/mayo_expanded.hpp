// SPDX-License-Identifier: Apache-2.0
// MAYO with expanded keys: ExpandSK, ExpandPK, and signing and verifying with what they give.  For one key used often.
#pragma once
#include "scheme/mayo.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class K> struct MayoExpanded : Mayo<P, K> {
  using Base = Mayo<P, K>;
  using Base::o, Base::k, Base::v, Base::sign, Base::verify;
  using typename Base::Rows, typename Base::SigningKey, typename Base::VerifyingKey, typename Base::Work;

  // ExpandSK: seed_sk, O, P1, and L = (P1 + P1^T) O + P2.
  static void expand_secret(SigningKey &sk, const uint8_t *seed_sk, typename Work::ExpandSecret &w) {
    copy(sk.seed_sk, seed_sk, P::sk_seed_bytes);
    expand_secret_seed<P>(w.seed_pk, sk.O, seed_sk);
    w.factor_O.set(sk.O);
    w.L_transposed.zero();
    w.rows.start(w.seed_pk);
    for (Rows r; w.rows.next(r);) {
      store_rows<P>(sk.P1, r.P1);
      w.T.times(r.P1, w.factor_O);  // L[r] += (P1 O + P2)[r]
      w.T.add(r.P2, 0);
      w.L_transposed.add_transposed(r.index, w.T);
      w.L_transposed.template add_outer<0>(w.factor_O, r.index, r.P1);  // L[c] += P1[r][c] O[r] for c >= r: P1's diagonal cancels
    }
    store_transposed<P>(sk.L, w.L_transposed);
    zero(sk.P1 + P::P1_bytes, slack), zero(sk.L + P::P2_bytes, slack);
  }

  // ExpandPK: P1, P2, P3.
  static void expand_public(VerifyingKey &key, const uint8_t *pk, typename Work::ExpandPublic &w) {
    w.rows.start(pk);
    for (Rows r; w.rows.next(r);) store_rows<P>(key.P1, r.P1), store_rows<P>(key.P2, r.P2, r.index);
    decode_P3<P>(key.P3, pk);
    zero(key.P1 + P::P1_bytes, slack), zero(key.P2 + P::P2_bytes, slack);
  }

  // Sign: M = V L needs no second factor, U and the linear term are as before.
  static bool sign(uint8_t *sig, const uint8_t *digest, const SigningKey &sk, const uint8_t *R, typename Work::SignExpanded &w) {
    w.factor_O.set(sk.O);
    transpose(w.O_transposed, sk.O);
    w.rows.start(sk.P1, sk.L);
    return Base::sign_with(sig, digest, sk.seed_sk, R, w, [&] {
      auto [V, W, sums] = w.enter_pass(w.V);  // V^T
      auto &[U, VL, N] = sums;
      U.zero(), VL.zero(), N.zero();
      for (Rows r; w.rows.next(r);) {
        W.times(r.P1, V);
        w.lambda.next(w.l, r);
        W.add(w.l, 0);
        U.add_outer(V, r.index, W);                         // U += V[r]^T (P1 V^T)[r]
        VL.template add_outer<v>(V, r.index, r.P2);         // M += V[r]^T L[r]
        N.template add_outer<0>(w.factor_O, r.index, w.l);  // M_0 += O[r]^T lambda_r
      }
      whip<P>(w.y, U, w.enter_whipping());
      linear_forms<P>(w.enter_forms(), VL, 0, N);
    });
  }

  static bool verify(const uint8_t *sig, const uint8_t *digest, const VerifyingKey &key, typename Work::VerifyExpanded &w) {
    w.rows.start(key.P1, key.P2);
    w.oil_rows.start(key.P3);
    return Base::verify(sig, digest, w);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
