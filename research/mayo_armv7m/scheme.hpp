// SPDX-License-Identifier: Apache-2.0
// [MAYO-armv7m] KeyGen and Sign and Verify.  Model: armv7m.keypair, armv7m.sign, armv7m.verify.
// The ARMv7-M variant of MAYO (ePrint 2023/540; research/mayo_armv7m/README.md): random m x m matrices E_ij whip the pairs
// instead of powers of z, and all that is expanded comes from SHAKE256.  For research only.
//
// As in mayo.hpp the m forms are m-vectors, and P is met in one pass over its rows.  The second idea: E_ij is public and its
// columns are m-vectors, too, so E_ij X for a secret X is one more row of P times a small matrix, with the same kernel.
//
// P: the parameter set.  K, Once: kernels of a backend (linalg/kernels.hpp), for passes over P and for E_ij X.  Characteristic 2:
// the specification's signs vanish.
#pragma once
#include "mayo_armv7m/work.hpp"
#include "scheme/mayo_encoding.hpp"
#include "scheme/mayo_work.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace armv7m {

enum class Outcome { done, no_randomness, no_solution };

// Bil row after row, from its transpose.
template <class P, class Accumulators> void store_transposed(uint8_t *Bil, const Accumulators &Bil_transposed) {
  Secret<Mvector<P>> a;
  for (int r = 0; r < P::v; r++)
    for (int c = 0; c < P::o; c++, Bil += P::m_bytes) Bil_transposed.get(a, c, r), a.store(Bil);
}

template <class P, class K, class Once = K, class Solver = SquareSolver<P>> struct Mayo : Work<P, K, Once, Solver> {
  using Work = armv7m::Work<P, K, Once, Solver>;
  using typename Work::Rows;
  static constexpr int m = P::m, o = P::o, k = P::k, v = P::v, block = K::block;

  // pk = E || P, P = (A Bm; 0 D); sk = E || A || O || Bil.
  static Outcome keypair(uint8_t *pk, uint8_t *sk, const RandomSource &random, typename Work::Keypair &w) {
    Secret<Bytes<P::sk_seed_bytes>> sk_seed;
    Secret<Bytes<2 * P::seed_bytes>> pk_seed_oil_seed;
    Secret<Bytes<P::seed_bytes>> S_0;
    if (!random.draw(sk_seed.b, P::sk_seed_bytes)) return Outcome::no_randomness;
    shake256(pk_seed_oil_seed.b, 2 * P::seed_bytes, sk_seed);
    w.seeds.start(pk_seed_oil_seed.b, P::seed_bytes);
    w.stream.start(pk_seed_oil_seed.b + P::seed_bytes, P::seed_bytes);
    read_matrix(w.O, w.stream);
    w.seeds.read(S_0.b, P::seed_bytes);
    shake256(pk, P::E_bytes, S_0);
    reveal_bytes(pk, P::E_bytes);  // E is part of both keys
    zero(pk + P::pk_P, P::P_bytes);
    expand_A_Bm<P>(pk + P::pk_P, S_0.b, w.seeds, w.stream);

    transpose(w.O_transposed, w.O);
    w.factor_O.set(w.O_transposed);
    w.D.start(pk + P::pk_D);
    w.Bil_transposed.zero();
    copy(sk, pk, P::E_bytes);
    uint8_t *sk_A = sk + P::sk_A;
    w.rows.start(pk + P::pk_P);
    for (Rows r; w.rows.next(r);) {
      split<P>(r);
      for (const RowSegment &A_r : r.P1) copy(sk_A, A_r.entries, A_r.count * P::m_bytes), sk_A += A_r.count * P::m_bytes;
      w.T.times(r.P1, w.factor_O);  // T = (A O^T + Bm)[r]
      w.T.add(r.P2, 0);
      w.D.add_outer(w.factor_O, r.index, w.T);        // D += O T
      w.Bil_transposed.add_transposed(r.index, w.T);  // Bil = (A + A^T) O^T + Bm: row r of it gets T ...
      w.Bil_transposed.template add_outer<0>(w.factor_O, r.index,
                                             r.P1);  // ... and row c >= r A[r][c] O^T[r]: the diagonal cancels
    }
    w.D.finish(pk + P::pk_D);
    reveal_bytes(pk + P::pk_D, P::D_bytes);  // D is part of the public key
    for (int c = 0; c < o; c++) encode_row(sk + P::sk_O + c * P::v_bytes, 0, w.O, c);
    store_transposed<P>(sk + P::sk_Bil, w.Bil_transposed);
    return Outcome::done;
  }

  // Sign: attempts with fresh salts and vinegar until a system can be solved.
  static Outcome sign(uint8_t *sig, View message, const uint8_t *sk, const RandomSource &random, typename Work::Sign &w) {
    uint8_t salt[P::salt_bytes];
    for (int c = 0; c < o; c++) decode_row(w.O, c, sk + P::sk_O + c * P::v_bytes, 0);
    w.rows.start(sk);
    w.matrices.start(sk);
    w.target.start(message);
    w.choice.start();
    w.x_free.zero();
    for (int attempt = 0; attempt < 256; attempt++) {
      if (!random.draw(salt, sizeof salt) || !draw_vinegar<P>(w.V, random)) return Outcome::no_randomness;
      reveal_bytes(salt, sizeof salt);  // the salt is part of the signature, or of an attempt that is thrown away whole
      w.target.hash(w.y, salt);
      multiply_vinegar(w);
      whip(w);
      if (!w.choice.draw(random)) return Outcome::no_randomness;
      w.choice.used(w.used);
      auto [Y, solver] = w.enter_system();
      for (int c = 0; c < m; c++) Y[w.used[c] / o].get(solver.A[c], 0, w.used[c] % o);
      for (const auto &Y_i : Y) Y_i.get(solver.A[m], 0, o), w.y += solver.A[m];
      solver.A[m] = w.y;
      if (!solver.solve(w.x, w.x_free)) continue;
      w.X.zero();
      for (int c = 0; c < m; c++) w.X.set(w.used[c] / o, w.used[c] % o, w.x(0, c));
      multiply_add(w.V, w.X, w.O);                                                               // s_i = (v_i + x_i O, x_i)
      armv7m::encode_signature<P>(sig, salt, reveal<Fmat<k, v>>(w.V), reveal<Fmat<k, o>>(w.X));  // the signature itself
      return Outcome::done;
    }
    return Outcome::no_solution;
  }

  // Verify: sum of E_ij u_ij = t.  All inputs are public.
  static bool verify(const uint8_t *sig, View message, const uint8_t *pk, typename Work::Verify &w) {
    w.target.start(message);
    w.target.hash(w.t, sig);
    decode(w.S, sig + P::sig_s);
    transpose(w.S_transposed, w.S);
    w.factor_S.set(w.S_transposed);
    copy(w.D, pk + P::pk_D, P::D_bytes);
    zero(w.D + P::D_bytes, slack);
    w.rows.start(pk + P::pk_P);
    w.oil_rows.start(w.D);
    w.U.zero();
    const auto pass = [&](auto &rows) {
      for (Rows r; rows.next(r);) {
        w.W.times(r.P1, w.factor_S);              // W = (P S^T)[r]
        w.U.add_outer(w.factor_S, r.index, w.W);  // U += S[r]^T W
      }
    };
    pass(w.rows);
    pass(w.oil_rows);

    w.matrices.start(pk);
    w.whipped.zero();
    for (int i = 0; i < k; i++)
      for (int j = i; j < k; j++) {
        w.U.get_upper(w.y, i, j);
        w.whipped.add_product(w.matrices.next(), w.y);
      }
    w.whipped.sum(w.y);
    return w.y == w.t;
  }

 private:
  // U = V A V^T and V Bil, in one pass.
  static void multiply_vinegar(typename Work::Sign &w) {
    auto &[V, W] = w.enter_pass();
    transpose(w.V_transposed, w.V);
    V.set(w.V_transposed);
    w.U.zero();
    w.VBil.zero();
    w.rows.rewind();
    for (Rows r; w.rows.next(r);) {
      W.times(r.P1, V);  // W = (A V^T)[r]
      w.U.add_outer(V, r.index, W);
      w.VBil.template add_outer<v>(V, r.index, r.P2);
    }
  }

  // Y_j += E_ij (v_i Bil | 0) where i < j, Y_i += E_ij (v_j Bil | u_ij).
  static void whip(typename Work::Sign &w) {
    auto [Y, whip] = w.enter_whipping();
    auto &[X_transposed, X, X_i, X_j] = whip;
    Secret<Mvector<P>> a;
    RowSegment nothing[Once::block];
    for (RowSegment &segment : nothing) segment = {reinterpret_cast<const uint8_t *>(&Y), 0, 0};
    const auto set = [&](auto &factor, int i) {
      for (int c = 0; c < o; c++) w.VBil.get(a, i, c), set_row(X_transposed, c, a);
      transpose(X, X_transposed);
      factor.set(X);
    };
    w.matrices.rewind();
    for (int i = 0; i < k; i++) {
      X_transposed.zero();
      set(X_i, i);
      if (i == 0)
        for (auto &Y_i : Y) Y_i.times(nothing, X_i);  // zero
      for (int j = i; j < k; j++) {
        w.U.get_upper(a, i, j);
        set_row(X_transposed, o, a);
        set(X_j, j);
        const RowSegment E[Once::block] = {{w.matrices.next(), 0, m}};
        Y[i].add_times(E, X_j);
        if (i < j) Y[j].add_times(E, X_i);
      }
    }
  }
};

}  // namespace armv7m
}  // namespace AIOLI_ISA
}  // namespace aioli
