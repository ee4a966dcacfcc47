// SPDX-License-Identifier: Apache-2.0
// One parameter set on one backend; compiled for each pair of them, with the backend's flags.  The only place that sees a scheme and a
// backend.  AIOLI_INSTANCE is the set's row of registry.def: (identifier, "name", scheme, params).
#include "abi/instance.hpp"

#include "backend/select.hpp"
#include "base/workspace.hpp"
#include "scheme/mayo_expanded.hpp"

namespace aioli::inline AIOLI_ISA {
namespace {

template <class P, template <class, class> class Scheme> struct InstanceOf {
  using S = Scheme<P, Kernels<P>>;
  using W = typename S::Work;
  static_assert(Backend<Kernels<P>, P>);

  template <class T> static T &key(void *p) { return *static_cast<T *>(p); }
  template <class T> static const T &key(const void *p) { return *static_cast<const T *>(p); }

  static void keypair(uint8_t *pk, const uint8_t *seed_sk, void *work) {
    Scratch<typename W::Keypair> w(work);
    S::keypair(pk, seed_sk, *w);
  }
  static bool sign(uint8_t *sig, const uint8_t *digest, const uint8_t *seed_sk, const uint8_t *R, void *work) {
    Scratch<typename W::Sign> w(work);
    return S::sign(sig, digest, seed_sk, R, *w);
  }
  static bool verify(const uint8_t *sig, const uint8_t *digest, const uint8_t *pk, void *work) {
    Scratch<typename W::Verify> w(work);
    return S::verify(sig, digest, pk, *w);
  }
  static void expand_secret(void *k, const uint8_t *seed_sk, void *work) {
    Scratch<typename W::ExpandSecret> w(work);
    S::expand_secret(key<typename W::SigningKey>(k), seed_sk, *w);
  }
  static bool sign_expanded(uint8_t *sig, const uint8_t *digest, const void *k, const uint8_t *R, void *work) {
    Scratch<typename W::SignExpanded> w(work);
    return S::sign(sig, digest, key<typename W::SigningKey>(k), R, *w);
  }
  static void expand_public(void *k, const uint8_t *pk, void *work) {
    Scratch<typename W::ExpandPublic> w(work);
    S::expand_public(key<typename W::VerifyingKey>(k), pk, *w);
  }
  static bool verify_expanded(const uint8_t *sig, const uint8_t *digest, const void *k, void *work) {
    Scratch<typename W::VerifyExpanded> w(work);
    return S::verify(sig, digest, key<typename W::VerifyingKey>(k), *w);
  }

  static constexpr Instance instance = {
      {P::round, P::category, P::public_key_bytes, P::secret_key_bytes, P::signature_bytes, P::R_bytes, P::digest_bytes},
      {sizeof(typename W::Keypair), sizeof(typename W::Sign), sizeof(typename W::Verify), sizeof(typename W::ExpandSecret),
       sizeof(typename W::SignExpanded), sizeof(typename W::ExpandPublic), sizeof(typename W::VerifyExpanded)},
      sizeof(typename W::SigningKey),
      sizeof(typename W::VerifyingKey),
      keypair,
      sign,
      verify,
      expand_secret,
      sign_expanded,
      expand_public,
      verify_expanded};
};

}  // namespace

#define AIOLI_DEFINE(identifier, name, scheme, params) \
  extern const Instance instance_##identifier;         \
  const Instance instance_##identifier = InstanceOf<params, scheme>::instance;
#define AIOLI_APPLY(macro, arguments) macro arguments
AIOLI_APPLY(AIOLI_DEFINE, AIOLI_INSTANCE)

}  // namespace aioli::inline AIOLI_ISA
