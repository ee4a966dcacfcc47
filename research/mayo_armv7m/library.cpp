// SPDX-License-Identifier: Apache-2.0
// The functions of mayo_armv7m.h.
#include <aioli/mayo_armv7m.h>

#include AIOLI_BACKEND_HEADER
#if defined(AIOLI_BACKEND_cortex_m4)
#include "backend/cortex_m4/small_kernels.hpp"
#endif
#include "base/workspace.hpp"
#include "mayo_armv7m/scheme.hpp"

struct aioli_armv7m_set {
  const char *name;
  size_t public_key, secret_key, signature, workspace[3];
  aioli::armv7m::Outcome (*keypair)(uint8_t *pk, uint8_t *sk, const aioli::armv7m::RandomSource &random, void *work);
  aioli::armv7m::Outcome (*sign)(uint8_t *sig, aioli::View message, const uint8_t *sk, const aioli::armv7m::RandomSource &random,
                                 void *work);
  bool (*verify)(const uint8_t *sig, aioli::View message, const uint8_t *pk, void *work);
};

using namespace aioli;
using armv7m::Outcome, armv7m::RandomSource;

namespace {

#if defined(AIOLI_BACKEND_cortex_m4)
template <class P> using Once = CortexM4SmallKernels<P>;
#else
template <class P> using Once = Kernels<P>;
#endif
#if defined(AIOLI_BACKEND_cortex_m4) || defined(AIOLI_BACKEND_cortex_m4_small)
template <class P> using Solver = SlicedSolver<P, 1, P::m>;
#else
template <class P> using Solver = armv7m::SquareSolver<P>;
#endif

template <class P> struct SetOf {
  using S = armv7m::Mayo<P, Kernels<P>, Once<P>, Solver<P>>;
  using W = typename S::Work;

  static Outcome keypair(uint8_t *pk, uint8_t *sk, const RandomSource &random, void *work) {
    Scratch<typename W::Keypair> w(work);
    return S::keypair(pk, sk, random, *w);
  }
  static Outcome sign(uint8_t *sig, View message, const uint8_t *sk, const RandomSource &random, void *work) {
    Scratch<typename W::Sign> w(work);
    return S::sign(sig, message, sk, random, *w);
  }
  static bool verify(const uint8_t *sig, View message, const uint8_t *pk, void *work) {
    Scratch<typename W::Verify> w(work);
    return S::verify(sig, message, pk, *w);
  }
  static constexpr aioli_armv7m_set set(const char *name) {
    return {name,
            P::public_key_bytes,
            P::secret_key_bytes,
            P::signature_bytes,
            {workspace_bytes<typename W::Keypair>(), workspace_bytes<typename W::Sign>(), workspace_bytes<typename W::Verify>()},
            keypair,
            sign,
            verify};
  }
};

constexpr aioli_armv7m_set sets[] = {SetOf<armv7m::Orig1>::set("MAYO-armv7m-orig-1"),
                                     SetOf<armv7m::New1>::set("MAYO-armv7m-new-1"),
                                     SetOf<armv7m::New1K14>::set("MAYO-armv7m-new-1-k14")};
constexpr size_t set_count = sizeof sets / sizeof sets[0];

// What all calls ask of their environment: nothing here allocates memory, and no operating system is asked for randomness.
aioli_status check(const aioli_env *env, bool needs_random, size_t workspace) {
  if (env == nullptr || env->workspace == nullptr || (needs_random && env->rng == nullptr)) return AIOLI_ERR_ARGUMENT;
  return env->workspace_bytes < workspace ? AIOLI_ERR_BUFFER : AIOLI_OK;
}
void clear(uint8_t *out, size_t n) {
  if (out != nullptr) zero(out, n);
}
aioli_status status(Outcome outcome) {
  switch (outcome) {
    case Outcome::done: return AIOLI_OK;
    case Outcome::no_randomness: return AIOLI_ERR_RNG;
    default: return AIOLI_ERR_NO_SOLUTION;
  }
}

}  // namespace

extern "C" {

size_t aioli_armv7m_count(void) { return set_count; }
const aioli_armv7m_set *aioli_armv7m_at(size_t index) { return index < set_count ? &sets[index] : nullptr; }
const char *aioli_armv7m_name(const aioli_armv7m_set *set) { return set != nullptr ? set->name : ""; }
size_t aioli_armv7m_public_key_bytes(const aioli_armv7m_set *set) { return set != nullptr ? set->public_key : 0; }
size_t aioli_armv7m_secret_key_bytes(const aioli_armv7m_set *set) { return set != nullptr ? set->secret_key : 0; }
size_t aioli_armv7m_signature_bytes(const aioli_armv7m_set *set) { return set != nullptr ? set->signature : 0; }
size_t aioli_armv7m_workspace_bytes(const aioli_armv7m_set *set, aioli_op op) {
  return set != nullptr && op >= AIOLI_OP_KEYPAIR && op <= AIOLI_OP_VERIFY ? set->workspace[op] : 0;
}

aioli_status aioli_armv7m_keypair(const aioli_armv7m_set *set, uint8_t *pk, size_t pk_bytes, uint8_t *sk, size_t sk_bytes,
                                  const aioli_env *env) {
  clear(pk, pk_bytes);
  clear(sk, sk_bytes);
  if (set == nullptr || pk == nullptr || sk == nullptr) return AIOLI_ERR_ARGUMENT;
  if (pk_bytes != set->public_key || sk_bytes != set->secret_key) return AIOLI_ERR_LENGTH;
  aioli_status s = check(env, true, set->workspace[AIOLI_OP_KEYPAIR]);
  if (s == AIOLI_OK) s = status(set->keypair(pk, sk, {env->rng, env->rng_context}, env->workspace));
  wipe_stack();
  return s;
}

aioli_status aioli_armv7m_sign(const aioli_armv7m_set *set, uint8_t *sig, size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,
                               const uint8_t *sk, size_t sk_bytes, const aioli_env *env) {
  clear(sig, sig_bytes);
  if (set == nullptr || sig == nullptr || sk == nullptr || (msg == nullptr && msg_bytes != 0)) return AIOLI_ERR_ARGUMENT;
  if (sig_bytes != set->signature || sk_bytes != set->secret_key) return AIOLI_ERR_LENGTH;
  aioli_status s = check(env, true, set->workspace[AIOLI_OP_SIGN]);
  if (s == AIOLI_OK) s = status(set->sign(sig, View{msg, msg_bytes}, sk, {env->rng, env->rng_context}, env->workspace));
  wipe_stack();
  return s;
}

aioli_status aioli_armv7m_verify(const aioli_armv7m_set *set, const uint8_t *sig, size_t sig_bytes, const uint8_t *msg,
                                 size_t msg_bytes, const uint8_t *pk, size_t pk_bytes, const aioli_env *env) {
  if (set == nullptr || sig == nullptr || pk == nullptr || (msg == nullptr && msg_bytes != 0)) return AIOLI_ERR_ARGUMENT;
  if (sig_bytes != set->signature || pk_bytes != set->public_key) return AIOLI_ERR_LENGTH;
  const aioli_status s = check(env, false, set->workspace[AIOLI_OP_VERIFY]);
  if (s != AIOLI_OK) return s;
  return set->verify(sig, View{msg, msg_bytes}, pk, env->workspace) ? AIOLI_OK : AIOLI_ERR_SIGNATURE;
}
}
