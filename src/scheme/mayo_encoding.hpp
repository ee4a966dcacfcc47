// SPDX-License-Identifier: Apache-2.0
// MAYO: what is hashed, and how seeds, keys and signatures are written as bytes.
#pragma once
#include "linalg/kernels.hpp"
#include "scheme/key_parts.hpp"
#include "scheme/mayo_params.hpp"
#include "symmetric/shake256.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// [MAYO-r3] MAYO.CompactKeyGen, [MAYO-r2] Algorithm 4, [MAYO-r3] MAYO.ExpandSK, [MAYO-r2] Algorithm 5: seed_pk and O.
// Model: expand.expand_secret_seed.
// seed_pk || O = SHAKE256(seed_sk)
template <class P> void expand_secret_seed(uint8_t *seed_pk, Fmat<P::v, P::o> &O, const uint8_t *seed_sk) {
  Secret<Bytes<P::pk_seed_bytes + P::O_bytes>> S;
  shake256(S.b, sizeof S.b, View{seed_sk, P::sk_seed_bytes});
  reveal_bytes(S.b, P::pk_seed_bytes);  // the public seed is the first part of the public key
  copy(seed_pk, S.b, P::pk_seed_bytes);
  decode(O, S.b + P::pk_seed_bytes);
}

// [MAYO-r3] DecodeMatrices, [MAYO-r1] EncodeBitslicedMatrices read backwards: of P3.  Model: encoding.decode_upper.
// P3 of a public key as nibble-sliced rows, with slack behind them.
template <class P> void decode_P3(uint8_t *P3, const uint8_t *public_key) {
  copy(P3, public_key + P::pk_seed_bytes, P::P3_bytes);
  zero(P3 + P::P3_bytes, slack);
  if constexpr (P::slicing == Slicing::bits)
    for (int i = 0; i < P::P3_bytes; i += P::m_bytes) planes_to_nibbles<P>(P3 + i);
}

// [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7, [MAYO-r3] MAYO.Verify, [MAYO-r2] Algorithm 8: t.  Model: expand.expand_target.
// SHAKE256(digest || salt) is t and, from round 3 on, the key and the initial counter block of Lambda's keystream.
template <class P> struct Target {
  Mvector<P> t;
  uint8_t lambda_key[16], lambda_iv[16];

  // Never inlined: where verification is the only caller, these buffers would lie in the stack during the whole pass over P.
  [[gnu::noinline]] void hash(const uint8_t *digest, const uint8_t *salt) {
    uint8_t h[P::m_bytes + 32];
    shake256(h, P::m_bytes + (P::linear_term ? 32 : 0), View{digest, P::digest_bytes}, View{salt, P::salt_bytes});
    t.load(h);
    copy(lambda_key, h + P::m_bytes, P::linear_term ? 16 : 0);
    copy(lambda_iv, h + P::m_bytes + 16, P::linear_term ? 16 : 0);
  }
};

// [MAYO-r3] MAYO.Sign and MAYO.Verify: the coefficients of the linear term L(s).  Model: expand.expand_target,
// sign.linear_system.  L(s) = sum of z^e(i,0) Lambda(s_i), Lambda(a) = sum of a_r lambda_r.  The m-vectors lambda_0 ..
// lambda_(n-1) come beside the rows of P.  Before round 3 there are none.
template <class P, class Aes, int Block> class LinearTerm {
 public:
  void start(const Target<P> &target) {
    if constexpr (P::linear_term) aes_.init(target.lambda_key, target.lambda_iv);
  }
  void rewind() {
    if constexpr (P::linear_term) stream_.seek(0);
  }
  // lambda_r for the next block of rows r, one entry for each row (none before round 3).  Valid until the next call.
  void next(RowSegment (&lambda)[Block], const Rows<Block> &rows) {
    const uint8_t *p = rows.P1[0].entries;  // not null; nothing is read there
    if constexpr (P::linear_term) p = stream_.read(aes_, rows.count * P::m_bytes);
    for (int b = 0; b < Block; b++) {
      const bool some = P::linear_term && b < rows.count;
      lambda[b] = {some ? p + b * P::m_bytes : p, 0, some ? 1 : 0};
    }
  }
  // Adds lambda_v .. lambda_(n-1), the coefficients of the oil coordinates, to the linear form M_0.  After a pass of v rows.
  void add_oil_part(Mvector<P> (&M_0)[P::o]) {
    if constexpr (P::linear_term)
      for (auto &entry : M_0) {
        Mvector<P> lambda;
        lambda.load(stream_.read(aes_, P::m_bytes));
        entry += lambda;
      }
  }

 private:
  using Short = typename Aes::Short;
  Short aes_;
  KeystreamReader<Short, Block * P::m_bytes, Short::ahead> stream_;
};

// [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7: the first step of an attempt.  Model: sign.derive_vinegar.
// The secrets of one attempt, from SHAKE256(digest || salt || seed_sk || ctr): v_0 .. v_(k-1), the rows of V, and r.
template <class P>
void sample_vinegar(Fmat<P::k, P::v> &V, Fmat<P::k, P::o> &r, const uint8_t *digest, const uint8_t *salt, const uint8_t *seed_sk,
                    int ctr) {
  Secret<Bytes<P::k * P::v_bytes + P::r_bytes>> bytes;
  const Bytes<1> counter = {{uint8_t(ctr)}};
  shake256(bytes.b, sizeof bytes.b, View{digest, P::digest_bytes}, View{salt, P::salt_bytes}, View{seed_sk, P::sk_seed_bytes},
           counter);
  for (int i = 0; i < P::k; i++) decode_row(V, i, bytes.b + i * P::v_bytes, 0);
  decode(r, bytes.b + P::k * P::v_bytes);
}

// [MAYO-r3] MAYO.Sign, [MAYO-r2] Algorithm 7: the last step, EncodeVec.  Model: encoding.encode_nibbles.
// sig = s_0 || .. || s_(k-1) || salt, where s_i is row i of V, to which X O^T has been added, then row i of X.  Everything is
// public by now.
template <class P>
void encode_signature(uint8_t *sig, const Fmat<P::k, P::v> &V, const Fmat<P::k, P::o> &X, const uint8_t *salt) {
  for (int i = 0; i < P::k; i++) {
    encode_row(sig, i * P::n, V, i);
    encode_row(sig, i * P::n + P::v, X, i);
  }
  copy(sig + P::s_bytes, salt, P::salt_bytes);
}

// [ours] Stricter than [MAYO-r1] MAYO.Verify, which does not read the spare nibble.  Model: verify.verify_digest.
// Where k n is odd (MAYO-3 of round 1) the last half byte of s is no element.  It must be zero, as encode_signature writes it.
template <class P> bool spare_nibble_is_zero(const uint8_t *sig) { return P::k * P::n % 2 == 0 || sig[P::s_bytes - 1] >> 4 == 0; }

}  // namespace AIOLI_ISA
}  // namespace aioli
