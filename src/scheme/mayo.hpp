// SPDX-License-Identifier: Apache-2.0
// MAYO, all rounds.  This file is the scheme; everything it includes is arithmetic, hashing and encoding.
// The documents that are cited are listed in docs/reading.md, which leads through this file.
//
// Two ideas keep it short.  The m quadratic forms are never handled one by one: P1, P2 and P3 are matrices of m-vectors, with one
// coefficient for each equation.  And everything is one pass over the rows r of the public map: a row times a small matrix over
// F, then a rank-one update of a small matrix of m-vectors.  So nothing needs all of P at once.  Rows may come from a seed or
// from memory.
//
// P: the parameter set.  K: the kernels of a backend (linalg/kernels.hpp).  Characteristic 2: the specification's signs vanish.
// The letters are the specification's; docs/reading.md lists the exceptions.  A product is named by its factors, without saying
// which are transposed: VW is V W, OW is O^T W, SPS is S P S^T.
#pragma once
#include "scheme/mayo_encoding.hpp"
#include "scheme/mayo_whipping.hpp"
#include "scheme/mayo_work.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// [MAYO-r3] SampleSolution, [MAYO-r2] Algorithm 2.  Model: field.Field.sample_solution.
// x with A x = y and x_j = r_j for each column j without a pivot.  The backend's solver has A, and y as its last column.  False
// if the rank of A is less than m.
template <class Solver, class X> bool sample_solution(X &x, Solver &solver, const X &r) { return solver.solve(x, r); }

template <class P, class K> struct Mayo : MayoWork<P, K> {
  using Work = MayoWork<P, K>;
  using typename Work::Rows;
  static constexpr int o = P::o, k = P::k, v = P::v;

  // [MAYO-r3] MAYO.CompactKeyGen, [MAYO-r2] Algorithm 4.  Model: keygen.keypair_from_seed, keygen.compute_P3.
  // seed_pk || O = SHAKE256(seed_sk), P3 = Upper(O^T P1 O + O^T P2), pk = seed_pk || P3.
  static void keypair(uint8_t *pk, const uint8_t *seed_sk, typename Work::Keypair &w) {
    auto &O = w.enter_secret();
    expand_secret_seed<P>(pk, O, seed_sk);
    w.factor_O.set(O);
    auto &[T, P3] = w.enter_pass();
    P3.start(pk + P::pk_seed_bytes);
    w.rows.start(pk);
    for (Rows row; w.rows.next(row);) {
      T.times(row.P1, w.factor_O);  // T = (P1 O + P2)[row]
      T.add(row.P2, 0);
      P3.add_outer(w.factor_O, row.index, T);  // P3 += O[row]^T T
    }
    P3.finish(pk + P::pk_seed_bytes);
  }

  // [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7, lines 21-35: A and y, here without L.  Model: sign.sign_digest,
  // sign.linear_system.  v_i^T L = v_i^T (P1 O + P2) + (O^T P1 v_i)^T, and both parts come from one pass over P1 and P2.
  // `digest` is the first digest_bytes of SHAKE256(M).  False after 256 singular systems: that is an error, and no signature is
  // written.
  static bool sign(uint8_t *sig, const uint8_t *digest, const uint8_t *seed_sk, const uint8_t *R, typename Work::Sign &w) {
    Secret<Bytes<P::pk_seed_bytes>> seed_pk;
    auto &O = w.enter_secret();
    expand_secret_seed<P>(seed_pk.b, O, seed_sk);
    transpose(w.O_transposed, O);
    w.rows.start(seed_pk.b);
    return sign_with(sig, digest, seed_sk, R, w, [&] {
      auto [VO, W, sums] = w.enter_pass(w.V, w.O_transposed);  // VO = (V^T | O)
      auto &[VW, OW] = sums;
      VW.zero();
      OW.zero();
      for (Rows row; w.rows.next(row);) {
        W.times(row.P1, VO);  // W = (P1 V^T)[row] | (P1 O + P2)[row]
        W.add(row.P2, k);
        w.lambda.next(w.lambda_row, row);
        W.add(w.lambda_row, 0);          // round 3: W_0 += lambda_row: Lambda(v_i) comes into (i, 0) of V W, O^T lambda into M_0
        VW.add_outer(VO, row.index, W);  // VW += V[row]^T W: V P1 V^T | V (P1 O + P2)
        OW.add_outer(VO, row.index, W);  // OW += O[row]^T W: O^T P1 V^T, the transpose of V P1^T O
      }
      whip<P>(w.y, VW, w.enter_whipping());
      linear_forms<P>(w.enter_forms(), VW, k, OW);  // M = V L, L = (P1 + P1^T) O + P2
    });
  }

  // [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7, line 9, lines 13-45: R, then the attempts; between them the salt and t.
  // Model: sign.sign_digest, sign.sign_target.  Compact and expanded keys (mayo_expanded.hpp) share this.  `pass` computes two
  // things from V: the linear forms M, M_i = v_i^T L, and y = sum over i <= j of z^e(i,j) u_ij.  From round 3 on M_0 has the
  // sum of O[r]^T lambda_r over the rows r < v added, and u_0j has Lambda(v_j) added.
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
      w.lambda.add_oil_part(M[0]);  // M_0 meets block i of A with z^e(i,0), the weight of Lambda(s_i)
      w.y += w.target.t;            // what the oil must add: A x = y
      whip_columns<P>(solver.A, M, column);
      solver.A[k * o] = w.y;
      if (!sample_solution(w.X, solver, w.r)) continue;                                  // row i of X is x_i
      multiply_add(w.V, w.X, w.O_transposed);                                            // s_i = (v_i + O x_i, x_i)
      encode_signature<P>(sig, reveal<Fmat<k, v>>(w.V), reveal<Fmat<k, o>>(w.X), salt);  // the signature itself
      return true;
    }
    return false;
  }

  // [MAYO-r3] MAYO.Verify, [MAYO-r2] Algorithm 8, lines 20-26 and what is around them.  Model: verify.verify_digest,
  // verify.evaluate.  Whether P*(s) + L(s) = t, with rows from any source; without L(s) before round 3.  All inputs are public.
  // The caller has checked the length of the signature (abi/api.cpp).
  template <class VerifyWork> static bool verify(const uint8_t *sig, const uint8_t *digest, VerifyWork &w) {
    if (!spare_nibble_is_zero<P>(sig)) return false;
    w.target.hash(digest, sig + P::s_bytes);
    w.lambda.start(w.target);
    w.lambda.rewind();
    decode(w.enter_signature(), sig);     // S
    auto [factor_S, W] = w.enter_pass();  // S^T
    w.SPS.zero();
    const auto pass = [&](auto &rows) {
      for (Rows row; rows.next(row);) {
        w.lambda.next(w.lambda_row, row);
        W.times_rows(row, w.lambda_row, factor_S);  // W = (P S^T)[row] + (lambda_row 0 .. 0)
        w.SPS.add_outer(factor_S, row.index, W);    // SPS += S[row]^T W
      }
    };
    pass(w.rows);
    pass(w.oil_rows);
    whip<P>(w.y, w.SPS, w.enter_whipping());
    return w.y == w.target.t;
  }
  // [MAYO-r3] MAYO.ExpandPK then MAYO.Verify, [MAYO-r2] Algorithm 6: P1 and P2 are streamed.  Model: verify.expand_public_key.
  static bool verify(const uint8_t *sig, const uint8_t *digest, const uint8_t *pk, typename Work::Verify &w) {
    decode_P3<P>(w.P3, pk);
    w.rows.start(pk);
    w.oil_rows.start(w.P3);
    return verify(sig, digest, w);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
