// SPDX-License-Identifier: Apache-2.0
// UOV: what is hashed, and how seeds and signatures are written as bytes.
#pragma once
#include "linalg/kernels.hpp"
#include "scheme/key_parts.hpp"
#include "scheme/uov_params.hpp"
#include "symmetric/shake256.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace uov {

// [UOV-r3] UOV.Sign, [UOV-r2] Figure 2: O of esk.  Model: uov.Shape.decode.
// O, v x o, comes column by column: its transpose comes row by row.
template <class P> void decode_O(Fmat<P::o, P::v, typename P::Field> &O_transposed, const uint8_t *O) {
  for (int c = 0; c < P::o; c++) decode_row(O_transposed, c, O + c * P::v_bytes, 0);
}

// [UOV-r3] UOV.CompactKeyGen and UOV.ExpandSK, [UOV-r2] Figure 2: seed_pk and O.  Model: uov._all_keys.
// seed_pk || O = SHAKE256(sk_seed).  Unless `O` is null, O is written there as bytes, too.
template <class P>
void expand_secret_seed(uint8_t *seed_pk, Fmat<P::o, P::v, typename P::Field> &O_transposed, uint8_t *O, const uint8_t *sk_seed) {
  Secret<Shake256> h;
  h.init();
  h.absorb(sk_seed, P::sk_seed_bytes);
  h.finish();
  h.squeeze(seed_pk, P::pk_seed_bytes);
  reveal_bytes(seed_pk, P::pk_seed_bytes);  // the public seed is the first part of the public key, or all of P1 and P2
  for (int c = 0; c < P::o; c++) {
    Secret<Bytes<P::v_bytes>> column;
    h.squeeze(column.b, P::v_bytes);
    decode_row(O_transposed, c, column.b, 0);
    if (O != nullptr) copy(O + c * P::v_bytes, column.b, P::v_bytes);
  }
}

// [UOV-r3] UOV.Sign and UOV.Verify, [UOV-r2] Figure 2: t.  Model: uov.sign, uov.verify.
// t = SHAKE256(M || salt).  `digest` is the state of SHAKE256 after M.
template <class P> void hash_target(Mvector<P> &t, const uint8_t *digest, const uint8_t *salt) {
  static_assert(P::digest_bytes == Shake256::saved_bytes);
  uint8_t bytes[P::m_bytes];
  shake256_after(bytes, sizeof bytes, digest, View{salt, P::salt_bytes});
  t.load(bytes);
}

// [UOV-r3] UOV.Sign, [UOV-r2] Figure 2: the vinegar of one attempt.  Model: uov.sign.
// SHAKE256(M || salt || sk_seed || ctr).
template <class P>
void sample_vinegar(Fmat<1, P::v, typename P::Field> &vinegar, const uint8_t *digest, const uint8_t *salt, const uint8_t *sk_seed,
                    int ctr) {
  Secret<Bytes<P::v_bytes>> bytes;
  const Bytes<1> counter = {{uint8_t(ctr)}};
  shake256_after(bytes.b, sizeof bytes.b, digest, View{salt, P::salt_bytes}, View{sk_seed, P::sk_seed_bytes}, counter);
  decode_row(vinegar, 0, bytes.b, 0);
}

// [UOV-r3] UOV.Sign, [UOV-r2] Figure 2: the signature.  Model: uov.sign.
// sig = (v + O x, x) || salt; O x has been added to `vinegar`.  Everything is public by now.
template <class P>
void encode_signature(uint8_t *sig, const Fmat<1, P::v, typename P::Field> &vinegar, const Fmat<1, P::o, typename P::Field> &x,
                      const uint8_t *salt) {
  encode_row(sig, 0, vinegar, 0);
  encode_row(sig, P::v, x, 0);
  copy(sig + P::x_bytes, salt, P::salt_bytes);
}

}  // namespace uov
}  // namespace AIOLI_ISA
}  // namespace aioli
