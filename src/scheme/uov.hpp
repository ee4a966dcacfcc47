// SPDX-License-Identifier: Apache-2.0
// UOV: key generation, signing, verification, with compact and with expanded keys.
// The documents that are cited are listed in docs/reading.md, which leads through this file.
//
// As in mayo.hpp, P1, P2 and P3 are matrices of m-vectors, and everything is one pass over their rows.  Rows may come from a seed
// or from memory.  There is only one vector and no whipping: o = m, so the system is square.
//
// P: the parameter set.  K: the kernels of a backend (linalg/kernels.hpp).
#pragma once
#include "scheme/uov_work.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class K> struct Uov : UovWork<P, K> {
  using Work = UovWork<P, K>;
  using typename Work::Rows;
  static constexpr int o = P::o, v = P::v;

  // Where the parts of a key pair are written; null: not wanted.  At most one of epk and cpk is.
  struct Outputs {
    uint8_t *epk, *cpk, *esk;
  };

  // [UOV-r3] UOV.CompactKeyGen and UOV.ExpandSK, [UOV-r2] Figure 2.  Model: uov.keypair_from_seed, uov._all_keys.
  // seed_pk || O = SHAKE256(sk_seed), P3 = Upper(O^T (P1 O + P2)), S = (P1 + P1^T) O + P2.
  template <class W> static void generate(const Outputs &out, const uint8_t *sk_seed, W &w) {
    constexpr bool expanded = W::expanded;
    uov::expand_secret_seed<P>(w.seed_pk, w.O_transposed, out.esk != nullptr ? esk_parts(out.esk).O : nullptr, sk_seed);
    auto &O = w.enter_secret();
    transpose(O, w.O_transposed);
    w.factor_O.set(O);
    auto &sums = w.enter_pass();
    uint8_t *const P3 = out.epk != nullptr ? epk_parts(out.epk).P3 : out.cpk != nullptr ? out.cpk + P::pk_seed_bytes : nullptr;
    if (P3 != nullptr) sums.P3.start(P3);
    if constexpr (expanded)
      if (out.esk != nullptr) sums.S_transposed.start(esk_parts(out.esk).S);
    w.rows.start(w.seed_pk);
    for (Rows r; w.rows.next(r);) {
      if (out.epk != nullptr) store_rows<P>(epk_parts(out.epk).P1, r.P1), store_rows<P>(epk_parts(out.epk).P2, r.P2, r.index);
      if (out.esk != nullptr) store_rows<P>(esk_parts(out.esk).P1, r.P1);
      w.T.times(r.P1, w.factor_O);  // T = (P1 O + P2)[r]
      w.T.add(r.P2, 0);
      if (P3 != nullptr) sums.P3.add_outer(w.factor_O, r.index, w.T);  // P3 += O[r]^T T
      if constexpr (expanded) {
        if (out.esk == nullptr) continue;
        sums.S_transposed.add_transposed(r.index, w.T);  // S[r] += T
        // S[c] += P1[r][c] O[r] for c >= r.  The diagonal of P1 comes twice: it cancels.
        sums.S_transposed.template add_outer<0>(w.factor_O, r.index, r.P1);
      }
    }
    if (P3 != nullptr) sums.P3.finish(P3);
    if (out.cpk != nullptr) copy(out.cpk, w.seed_pk, P::pk_seed_bytes);
    if constexpr (expanded) {
      if (out.esk == nullptr) return;
      copy(out.esk, sk_seed, P::sk_seed_bytes);
      sums.S_transposed.finish(esk_parts(out.esk).S);
    }
  }

  // [UOV-r3] UOV.Sign, [UOV-r2] Figure 2: the system, with S.  Model: uov.sign.
  // L = vinegar^T S, y = P1(vinegar), to which sign_with adds t.  `digest` is the state of SHAKE256 after M.
  static bool sign_expanded(uint8_t *sig, const uint8_t *digest, const uint8_t *esk, const uint8_t *salt,
                            typename Work::SignExpanded &w) {
    const auto sk = esk_parts(esk);
    reveal_bytes(sk.P1, P::P1_bytes);  // P1 is part of the public key
    uov::decode_O<P>(w.O_transposed, sk.O);
    w.rows.start(sk.P1, sk.S), Work::begin_anywhere(w.rows, salt);
    return sign_with(sig, digest, sk.sk_seed, salt, w, [&] {
      for (Rows r; w.rows.next(r);) {
        w.u.add(w.factor_v, r.index, r.P1);                           // u += vinegar[r] (P1 vinegar)[r]
        w.L.template add_stored<v>(w.factor_v, r.index, r.P2, sk.S);  // L += vinegar[r] S[r]
      }
      w.u.get(w.y, w.factor_v);
      for (int j = 0; j < o; j++) w.L.get(w.solver.A[j], 0, j);
    });
  }

  // [UOV-r3] UOV.Sign, [UOV-r2] Figure 2: the system, without S.  Model: uov.sign.
  // L = Pv^T O + vinegar^T P2, Pv = (P1 + P1^T) vinegar.
  static bool sign_compact(uint8_t *sig, const uint8_t *digest, const uint8_t *csk, const uint8_t *salt,
                           typename Work::SignCompact &w) {
    Secret<Bytes<P::pk_seed_bytes>> seed_pk;
    uov::expand_secret_seed<P>(seed_pk.b, w.O_transposed, nullptr, csk);
    transpose(w.O, w.O_transposed);
    w.scalars_O.set(w.O);
    w.rows.start(seed_pk.b);
    return sign_with(sig, digest, csk, salt, w, [&] {
      w.Pv.zero(), w.OPv.zero();
      for (Rows r; w.rows.next(r);) {
        w.W.times(r.P1, w.factor_v);              // W = (P1 vinegar)[r]
        w.u.add_outer(w.factor_v, r.index, w.W);  // u += vinegar[r] W
        w.Pv.add_transposed(r.index, w.W);        // Pv[r] += W
        // Pv[c] += P1[r][c] vinegar[r] for c >= r.  The diagonal of P1 comes twice: it cancels.
        w.Pv.template add_public_outer<0>(w.factor_v, r.index, r.P1);
        w.L.template add_public_outer<v>(w.factor_v, r.index, r.P2);  // L += vinegar[r] P2[r]
      }
      w.OPv.add_row(w.scalars_O, w.Pv, w.W);  // L += O^T Pv
      for (int j = 0; j < o; j++) w.OPv.get(w.y, j, 0), w.L.get(w.solver.A[j], 0, j), w.solver.A[j] += w.y;
      w.u.get(w.y, 0, 0);
    });
  }

  // [UOV-r3] UOV.Verify, [UOV-r2] Figure 2: P1, P2 and P3 are those of epk.  Model: uov.verify.
  // All inputs are public.  The caller has checked the length of the signature (abi/api.cpp).
  static bool verify_expanded(const uint8_t *sig, const uint8_t *digest, const uint8_t *epk, typename Work::VerifyExpanded &w) {
    const auto pk = epk_parts(epk);
    w.rows.first.start(pk.P1, pk.P2);
    w.rows.second.start(pk.P3);
    Work::begin_anywhere(w.rows, sig + P::x_bytes);
    return verify_with(sig, digest, w);
  }
  // [UOV-r3] UOV.ExpandPK then UOV.Verify, [UOV-r2] Figure 2: P1 and P2 are streamed.  Model: uov.verify.
  static bool verify_compact(const uint8_t *sig, const uint8_t *digest, const uint8_t *cpk, typename Work::VerifyCompact &w) {
    w.rows.first.start(cpk);
    w.rows.second.start(cpk + P::pk_seed_bytes);
    return verify_with(sig, digest, w);
  }

  // [UOV-r3] UOV.ExpandPK, [UOV-r2] Figure 2.  Model: uov._public.
  static void expand_public(uint8_t *epk, const uint8_t *cpk, typename Work::ExpandPublic &w) {
    const auto pk = epk_parts(epk);
    w.P1_P2.write(pk.P1, pk.P2, cpk);
    copy(pk.P3, cpk + P::pk_seed_bytes, P::P3_bytes);
  }

 private:
  // [ours]
  template <class Byte> static auto epk_parts(Byte *epk) { return UovPublicParts<P, Byte>(epk); }
  // [ours]
  template <class Byte> static auto esk_parts(Byte *esk) { return UovSecretParts<P, Byte>(esk); }

  // [UOV-r3] UOV.Sign, [UOV-r2] Figure 2: t, and the attempts.  Model: uov.sign.
  // `pass` computes y = P1(vinegar) and the columns of L, which it puts into the solver as its first o columns.
  template <class SignWork, class Pass>
  static bool sign_with(uint8_t *sig, const uint8_t *digest, const uint8_t *sk_seed, const uint8_t *salt, SignWork &w,
                        Pass pass) {
    uov::hash_target<P>(w.t, digest, salt);
    w.no_free_columns.zero();
    for (int ctr = 0; ctr < 256; ctr++) {
      uov::sample_vinegar<P>(w.vinegar, digest, salt, sk_seed, ctr);
      transpose(w.vinegar_transposed, w.vinegar);
      w.factor_v.set(w.vinegar_transposed);
      w.u.zero(), w.L.zero();
      w.rows.rewind();
      pass();
      w.y += w.t;  // what the oil must add: L x = t - P1(vinegar)
      w.solver.A[o] = w.y;
      if (!w.solver.solve(w.x, w.no_free_columns)) continue;
      multiply_add(w.vinegar, w.x, w.O_transposed);                                         // (v + O x, x)
      uov::encode_signature<P>(sig, reveal<Row<v>>(w.vinegar), reveal<Row<o>>(w.x), salt);  // the signature itself
      return true;
    }
    return false;
  }
  template <int C> using Row = Fmat<1, C, typename P::Field>;

  // [UOV-r3] UOV.Verify, [UOV-r2] Figure 2.  Model: uov.verify.
  // Whether P(s) = t, with rows from any source.
  template <class VerifyWork> static bool verify_with(const uint8_t *sig, const uint8_t *digest, VerifyWork &w) {
    uov::hash_target<P>(w.t, digest, sig + P::x_bytes);
    decode_row(w.s, 0, sig, 0);
    w.value.start(w.s);
    for_rows<Rows>(w.rows, [&](const Rows &r) { w.value.add(r); });
    w.value.get(w.y);
    return w.y == w.t;
  }
};

// [ours] The three ways of writing keys, as the registry has them: sizes, and operations on raw keys.  Uov does the work.
template <class P, class K> struct UovClassic : Uov<P, K> {
  using Base = Uov<P, K>;
  struct Work : Base::Work {
    using Keypair = typename Base::Work::KeypairExpanded;
    using Sign = typename Base::Work::SignExpanded;
    using Verify = typename Base::Work::VerifyExpanded;
    struct ExpandSecret {};
    struct ExpandPublic {};
  };
  struct Keys {
    static constexpr int public_key_bytes = P::epk_bytes, secret_key_bytes = P::esk_bytes;
  };
  static void keypair(uint8_t *pk, uint8_t *sk, const uint8_t *seed, typename Work::Keypair &w) {
    Base::generate({pk, nullptr, sk}, seed, w);
  }
  static bool sign(uint8_t *sig, const uint8_t *digest, const uint8_t *sk, const uint8_t *R, typename Work::Sign &w) {
    return Base::sign_expanded(sig, digest, sk, R, w);
  }
  static bool verify(const uint8_t *sig, const uint8_t *digest, const uint8_t *pk, typename Work::Verify &w) {
    return Base::verify_expanded(sig, digest, pk, w);
  }
  static void expand_secret(typename Work::SigningKey &key, const uint8_t *sk, typename Work::ExpandSecret &) {
    copy(key.esk, sk, P::esk_bytes);
  }
  static bool sign(uint8_t *sig, const uint8_t *digest, const typename Work::SigningKey &key, const uint8_t *R,
                   typename Work::SignExpanded &w) {
    return Base::sign_expanded(sig, digest, key.esk, R, w);
  }
  static void expand_public(typename Work::VerifyingKey &key, const uint8_t *pk, typename Work::ExpandPublic &) {
    copy(key.epk, pk, P::epk_bytes);
  }
  static bool verify(const uint8_t *sig, const uint8_t *digest, const typename Work::VerifyingKey &key,
                     typename Work::VerifyExpanded &w) {
    return Base::verify_expanded(sig, digest, key.epk, w);
  }
};

// [ours] With a compact public key.
template <class P, class K> struct UovPkc : UovClassic<P, K> {
  using Base = UovClassic<P, K>;
  using Base::verify;
  struct Work : Base::Work {
    using Verify = typename Base::Work::VerifyCompact;
    using ExpandPublic = typename Uov<P, K>::Work::ExpandPublic;
  };
  struct Keys {
    static constexpr int public_key_bytes = P::cpk_bytes, secret_key_bytes = P::esk_bytes;
  };
  static void keypair(uint8_t *pk, uint8_t *sk, const uint8_t *seed, typename Work::Keypair &w) {
    Base::generate({nullptr, pk, sk}, seed, w);
  }
  static bool verify(const uint8_t *sig, const uint8_t *digest, const uint8_t *pk, typename Work::Verify &w) {
    return Base::verify_compact(sig, digest, pk, w);
  }
  static void expand_public(typename Work::VerifyingKey &key, const uint8_t *pk, typename Work::ExpandPublic &w) {
    Uov<P, K>::expand_public(key.epk, pk, w);
  }
};

// [ours] With compact public and secret keys.
template <class P, class K> struct UovPkcSkc : UovPkc<P, K> {
  using Base = UovPkc<P, K>;
  using Base::sign;
  struct Work : Base::Work {
    using Keypair = typename Base::Work::KeypairCompact;
    using Sign = typename Base::Work::SignCompact;
    using ExpandSecret = typename Base::Work::KeypairExpanded;
  };
  struct Keys {
    static constexpr int public_key_bytes = P::cpk_bytes, secret_key_bytes = P::csk_bytes;
  };
  static void keypair(uint8_t *pk, const uint8_t *seed, typename Work::Keypair &w) {
    Base::generate({nullptr, pk, nullptr}, seed, w);
  }
  static bool sign(uint8_t *sig, const uint8_t *digest, const uint8_t *sk, const uint8_t *R, typename Work::Sign &w) {
    return Base::sign_compact(sig, digest, sk, R, w);
  }
  static void expand_secret(typename Work::SigningKey &key, const uint8_t *sk, typename Work::ExpandSecret &w) {
    Base::generate({nullptr, nullptr, key.esk}, sk, w);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
