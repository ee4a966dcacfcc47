// SPDX-License-Identifier: Apache-2.0
// The rows of registry.def with the same parameters, on one backend; compiled for each such pair, with the backend's flags.  The
// only place that sees a scheme and a backend.  AIOLI_INSTANCES are the rows: AIOLI_SET(identifier, "name", ..) ...
#include "abi/instance.hpp"

#include AIOLI_BACKEND_HEADER
#include "base/workspace.hpp"
#include "scheme/mayo_expanded.hpp"
#include "scheme/uov.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace {

struct Operations {  // of AIOLI_OPERATIONS
  bool keypair = true, sign = true, verify = true, signer = true, verifier = true;
};
consteval Operations operations_built() {
  Operations o;
#if defined(AIOLI_WITHOUT_KEYPAIR)
  o.keypair = false;
#endif
#if defined(AIOLI_WITHOUT_SIGN)
  o.sign = false;
#endif
#if defined(AIOLI_WITHOUT_VERIFY)
  o.verify = false;
#endif
#if defined(AIOLI_WITHOUT_SIGNER)
  o.signer = false;
#endif
#if defined(AIOLI_WITHOUT_VERIFIER)
  o.verifier = false;
#endif
  return o;
}

template <class P, template <class, class> class Scheme> struct InstanceOf {
  using S = Scheme<P, Kernels<P>>;
  using W = typename S::Work;
  using Keys = typename S::Keys;
  static_assert(Contract<P, Kernels<P>>::kept);
  static constexpr Operations built = operations_built();

  template <class T> static T &key(void *p) { return *static_cast<T *>(p); }
  template <class T> static const T &key(const void *p) { return *static_cast<const T *>(p); }

  static void keypair(uint8_t *pk, uint8_t *sk, const uint8_t *seed, void *work) {
    Scratch<typename W::Keypair> w(work);
    if constexpr (Keys::secret_key_bytes == P::sk_seed_bytes) {  // the seed is the secret key
      S::keypair(pk, seed, *w);
      if (sk != nullptr) copy(sk, seed, P::sk_seed_bytes);
    } else {
      S::keypair(pk, sk, seed, *w);
    }
  }
  static bool sign(uint8_t *sig, const uint8_t *digest, const uint8_t *sk, const uint8_t *R, void *work) {
    Scratch<typename W::Sign> w(work);
    return S::sign(sig, digest, sk, R, *w);
  }
  static bool verify(const uint8_t *sig, const uint8_t *digest, const uint8_t *pk, void *work) {
    Scratch<typename W::Verify> w(work);
    return S::verify(sig, digest, pk, *w);
  }
  static void expand_secret(void *k, const uint8_t *sk, void *work) {
    Scratch<typename W::ExpandSecret> w(work);
    S::expand_secret(key<typename W::SigningKey>(k), sk, *w);
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

  // What AIOLI_OPERATIONS leaves out is not even instantiated: no function, no workspace.
  static consteval Instance make() {
    Instance i = {};
    i.sizes = {P::round,           P::category, Keys::public_key_bytes, Keys::secret_key_bytes, P::sk_seed_bytes,
               P::signature_bytes, P::R_bytes,  P::digest_bytes,        P::digest_is_state};
    i.signing_key = sizeof(typename W::SigningKey);
    i.verifying_key = sizeof(typename W::VerifyingKey);
    if constexpr (built.keypair) i.workspace[0] = sizeof(typename W::Keypair), i.keypair = keypair;
    if constexpr (built.sign) i.workspace[1] = sizeof(typename W::Sign), i.sign = sign;
    if constexpr (built.verify) i.workspace[2] = sizeof(typename W::Verify), i.verify = verify;
    if constexpr (built.signer) i.workspace[3] = sizeof(typename W::ExpandSecret), i.expand_secret = expand_secret;
    if constexpr (built.signer) i.workspace[4] = sizeof(typename W::SignExpanded), i.sign_expanded = sign_expanded;
    if constexpr (built.verifier) i.workspace[5] = sizeof(typename W::ExpandPublic), i.expand_public = expand_public;
    if constexpr (built.verifier) i.workspace[6] = sizeof(typename W::VerifyExpanded), i.verify_expanded = verify_expanded;
    return i;
  }
};

}  // namespace

#define AIOLI_SET(identifier, name, family, number, scheme, params)                                                \
  static_assert(params::round == number, "registry.def: " name " is not of the round that its parameters are of"); \
  extern const Instance instance_##identifier;                                                                     \
  constinit const Instance instance_##identifier = InstanceOf<params, scheme>::make();
AIOLI_INSTANCES

}  // namespace AIOLI_ISA
}  // namespace aioli
