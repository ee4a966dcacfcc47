// SPDX-License-Identifier: Apache-2.0
// MAYO, all rounds.  This file is the scheme; everything it includes is arithmetic, hashing and encoding.
//
// Two ideas keep it short.  The m quadratic forms are never handled one by one: P1, P2, P3 are matrices whose entries are m-vectors,
// one coefficient per equation.  And all of it is one pass over the rows r of the public map: a row times a small matrix over F, then
// a rank-one update of a small matrix of m-vectors.  So nothing needs all of P at once, and where rows come from does not matter here.
//
// P: the parameter set.  K: the kernels of a backend (linalg/kernels.hpp).  Characteristic 2: the specification's signs vanish.
#pragma once
#include "scheme/mayo_encoding.hpp"
#include "scheme/mayo_whipping.hpp"
#include "scheme/mayo_work.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class K> struct Mayo : MayoWork<P, K> {
  using Work = MayoWork<P, K>;
  using typename Work::Rows;
  static constexpr int o = P::o, k = P::k, v = P::v;

  // CompactKeyGen: seed_pk || O = SHAKE256(seed_sk), pk = seed_pk || P3, P3 = Upper(O^T P1 O + O^T P2).
  static void keypair(uint8_t *pk, const uint8_t *seed_sk, typename Work::Keypair &w) {
    auto &O = w.enter_secret();
    expand_secret_seed<P>(pk, O, seed_sk);
    w.factor_O.set(O);
    auto &[T, P3] = w.enter_pass();
    P3.start(pk + P::pk_seed_bytes);
    w.rows.start(pk);
    for (Rows r; w.rows.next(r);) {
      T.times(r.P1, w.factor_O);  // T = (P1 O + P2)[r]
      T.add(r.P2, 0);
      P3.add_outer(w.factor_O, r.index, T);  // P3 += O[r]^T T
    }
    P3.finish(pk + P::pk_seed_bytes);
  }

  // Sign.  digest = SHAKE256(M).  False after 256 singular systems: an error, never a bad signature.
  static bool sign(uint8_t *sig, const uint8_t *digest, const uint8_t *seed_sk, const uint8_t *R, typename Work::Sign &w) {
    Secret<Bytes<P::pk_seed_bytes>> seed_pk;
    auto &O = w.enter_secret();
    expand_secret_seed<P>(seed_pk.b, O, seed_sk);
    transpose(w.O_transposed, O);
    w.rows.start(seed_pk.b);
    return sign_with(sig, digest, seed_sk, R, w, [&] {
      auto [VO, W, sums] = w.enter_pass(w.V, w.O_transposed);  // VO = (V^T | O)
      auto &[UM, N] = sums;
      UM.zero();
      N.zero();
      for (Rows r; w.rows.next(r);) {
        W.times(r.P1, VO);  // W = (P1 V^T)[r] | (P1 O + P2)[r]
        W.add(r.P2, k);
        w.lambda.next(w.l, r);  // from round 3 on, W_0 += lambda_r: Lambda rides on the pairs (i, 0) through all that follows
        W.add(w.l, 0);
        UM.add_outer(VO, r.index, W);  // U += V[r]^T W,  M += V[r]^T (P1 O + P2)[r] ...
        N.add_outer(VO, r.index, W);   // ... and M^T += O[r]^T W, because V P1^T O = (P1 V^T)^T O
      }
      whip<P>(w.y, UM, w.enter_whipping());
      linear_forms<P>(w.enter_forms(), UM, k, N);
    });
  }

  // The rest of signing, for compact and for expanded keys (mayo_expanded.hpp).  `pass` computes from V the linear forms M, row i being
  // v_i^T L, and y = sum over i <= j of z^e(i,j) u_ij.
  template <class SignWork, class Pass>
  static bool sign_with(uint8_t *sig, const uint8_t *digest, const uint8_t *seed_sk, const uint8_t *R, SignWork &w, Pass pass) {
    uint8_t salt[P::salt_bytes];
    shake256(salt, sizeof salt, View{digest, P::digest_bytes}, View{R, P::R_bytes}, View{seed_sk, P::sk_seed_bytes});
    reveal_bytes(salt, sizeof salt);  // the salt is part of the signature
    w.target.hash(digest, salt);      // t, Lambda
    w.lambda.start(w.target);

    for (int ctr = 0; ctr < 256; ctr++) {
      sample_vinegar<P>(w.V, w.r, digest, salt, seed_sk, ctr);
      w.rows.rewind();
      w.lambda.rewind();
      pass();
      auto &[M, column, solver] = w.enter_system();
      w.lambda.add_oil_part(M[0]);
      w.y += w.target.t;  // what the oil must add: A x = y
      whip_columns<P>(solver.A, M, column);
      solver.A[k * o] = w.y;
      if (!solver.solve(w.X, w.r)) continue;
      multiply_add(w.V, w.X, w.O_transposed);                                            // s_i = (v_i + O x_i, x_i)
      encode_signature<P>(sig, reveal<Fmat<k, v>>(w.V), reveal<Fmat<k, o>>(w.X), salt);  // the signature itself
      return true;
    }
    return false;
  }

  // Verify: P*(s) + L(s) = t, with rows from any source.  All inputs are public.
  template <class VerifyWork> static bool verify(const uint8_t *sig, const uint8_t *digest, VerifyWork &w) {
    if (!spare_nibble_is_zero<P>(sig)) return false;
    w.target.hash(digest, sig + P::s_bytes);
    w.lambda.start(w.target);
    w.lambda.rewind();
    decode(w.enter_signature(), sig);  // S
    const auto in_pass = w.enter_pass();
    w.U.zero();
    const auto pass = [&](auto &rows) {
      for (Rows r; rows.next(r);) {
        w.lambda.next(w.l, r);
        in_pass.W.times_rows(r, w.l, in_pass.factor_S);       // W = (P S^T)[r] + (lambda_r 0 .. 0)
        w.U.add_outer(in_pass.factor_S, r.index, in_pass.W);  // U += S[r]^T W
      }
    };
    pass(w.rows);
    pass(w.oil_rows);
    whip<P>(w.y, w.U, w.enter_whipping());
    return w.y == w.target.t;
  }
  static bool verify(const uint8_t *sig, const uint8_t *digest, const uint8_t *pk, typename Work::Verify &w) {
    decode_P3<P>(w.P3, pk);
    w.rows.start(pk);
    w.oil_rows.start(w.P3);
    return verify(sig, digest, w);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
