// SPDX-License-Identifier: Apache-2.0
// The public functions of aioli.h: arguments checked, memory and randomness found, outputs zeroed on every error.
#include <aioli/aioli.h>
#include <aioli/research.h>

#include "abi/dispatch.hpp"
#include "abi/families.hpp"
#include "abi/host.hpp"
#include "base/bytes.hpp"
#include "base/ranges.hpp"
#include "base/secret.hpp"
#include "base/workspace.hpp"
#include "symmetric/shake256.hpp"

using namespace aioli;

namespace {

// Every call that handles a secret key ends with this; and the other after hashing alone, of a message, which may be secret.
[[gnu::always_inline]] inline void forget() { wipe_stack(), clear_registers(); }
[[gnu::always_inline]] inline void forget_hashing() { wipe_stack_of_hashing(), clear_registers(); }

// A digest is a hash of 32 to 64 bytes, for UOV a state: firmware without UOV keeps no room for one.
constexpr bool has_uov = false
#define AIOLI_SET(identifier, name, family, ...) || family == uov
#include "abi/registry.def"
#undef AIOLI_SET
    ;
constexpr size_t max_digest_bytes = has_uov ? 208 : 64, max_randomness_bytes = 64, max_seed_bytes = 64;

// An output of a call: zeroed at the end unless all went well.  No further than its exact length (without an algorithm: the
// longest of any), whatever the caller says: a length that is the mistake must not become a write past the end.
class Output {
 public:
  Output(uint8_t *p, size_t n, size_t exact) : p_(p), n_(p != nullptr ? smaller(n, exact) : 0) {}
  ~Output() {
    if (!keep_) wipe(p_, n_);
  }
  Output(const Output &) = delete;
  aioli_status done(aioli_status status) {
    keep_ = status == AIOLI_OK;
    return status;
  }

 private:
  uint8_t *p_;
  size_t n_;
  bool keep_ = false;
};

// Whether the build has this operation (AIOLI_OPERATIONS); if so, every backend has it.
bool offered(const aioli_alg &alg, aioli_op op) { return instance(alg, 0).workspace[op] != 0; }

// The workspace of an operation on one backend, at any alignment.
size_t needed(const aioli_alg &alg, int backend, aioli_op op) {
  return offered(alg, op) ? instance(alg, backend).workspace[op] + workspace_alignment - 1 : 0;
}

// What a call runs on.  With memory of the caller, the fastest backend that fits into it, from the active one down: each row of
// backends.def can run wherever a later one can, and the first is what the caller must have room for.  Else the active one, in
// memory allocated until the end.  Secrets in the memory are wiped by their owners.
class Run {
 public:
  Run(const aioli_alg &alg, aioli_op op, const aioli_env *env) {
    int backend = active_backend();
    if (!offered(alg, op)) {
      status = AIOLI_ERR_ABSENT;
    } else if (backend < 0) {
      status = AIOLI_ERR_BACKEND;
    } else if (env != nullptr && env->workspace != nullptr) {
      while (backend > 0 && needed(alg, backend, op) > env->workspace_bytes) backend--;
      // Not even where a backend between fits into less: what is too small on one machine is so on all.
      status = env->workspace_bytes < needed(alg, 0, op) ? AIOLI_ERR_BUFFER : AIOLI_OK;
      memory = env->workspace;
    } else {
      memory = owned_ = host_allocate(needed(alg, backend, op));
      status = owned_ != nullptr ? AIOLI_OK : AIOLI_ERR_MEMORY;
    }
    if (status != AIOLI_OK) return;
    on_ = &instance(alg, backend);
    memory = align_up(memory);
  }
  ~Run() { host_free(owned_); }
  Run(const Run &) = delete;
  const Instance &operator*() const { return *on_; }
  const Instance *operator->() const { return on_; }

  aioli_status status;
  void *memory = nullptr;

 private:
  const Instance *on_ = nullptr;
  void *owned_ = nullptr;
};

aioli_status draw(const aioli_env *env, uint8_t *out, size_t n) {
  const bool given = env != nullptr && env->rng != nullptr;
  const int failed = given ? env->rng(env->rng_context, out, n) : aioli_rng_system(nullptr, out, n);
  return failed == 0 ? AIOLI_OK : AIOLI_ERR_RNG;
}

bool missing(const void *p, size_t n) { return p == nullptr && n > 0; }

// The part of the caller's workspace that a call may write to.
Range workspace_of(const aioli_alg *alg, aioli_op op, const aioli_env *env) {
  if (env == nullptr || env->workspace == nullptr) return {nullptr, 0};
  return {env->workspace, smaller(env->workspace_bytes, aioli_workspace_bytes(alg, op))};
}

size_t signature_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).signature : AIOLI_MAX_SIGNATURE_BYTES; }
size_t public_key_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).public_key : AIOLI_MAX_PUBLIC_KEY_BYTES; }
size_t secret_key_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).secret_key : AIOLI_MAX_SECRET_KEY_BYTES; }
size_t digest_bytes_of(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).digest : AIOLI_MAX_DIGEST_BYTES; }

// ---- the hash object
// -------------------------------------------------------------------------------------------------------------

using Shake = Shake256On<active_keccak_f1600>;

struct HashState {
  const aioli_alg *alg;
  uint64_t open;
  Shake shake;
};
static_assert(sizeof(HashState) <= sizeof(aioli_hash) && alignof(HashState) <= alignof(aioli_hash));
constexpr uint64_t hash_is_open = 0x61696f6c69206873;  // anything but what memory happens to hold

HashState &state(aioli_hash *h) { return *reinterpret_cast<HashState *>(h); }

// The digest of what h has absorbed: its hash or, where a scheme goes on with that, its state.
void take_digest(uint8_t *digest, const aioli_alg *alg, Shake &h) {
  if (has_uov && sizes(*alg).digest_is_state) {
    h.save(digest);
  } else {
    h.finish();
    h.squeeze(digest, sizes(*alg).digest);
  }
}

void hash_message(uint8_t *digest, const aioli_alg *alg, const uint8_t *msg, size_t n) {
  Secret<Shake> h;  // as far as a message is secret, so is the state; the permutation leaves it on the stack below
  h.init();
  h.absorb(msg, n);
  take_digest(digest, alg, h);
  forget_hashing();
}

// The digest of an open hash of this algorithm (null: any); ends the hash in any case.
aioli_status finish(aioli_hash *h, const aioli_alg *alg, uint8_t *digest, const aioli_alg **which = nullptr) {
  if (h == nullptr) return AIOLI_ERR_ARGUMENT;
  HashState &s = state(h);
  if (s.open != hash_is_open) return AIOLI_ERR_STATE;
  aioli_status status = AIOLI_OK;
  if (alg != nullptr && alg != s.alg) status = AIOLI_ERR_ALGORITHM;
  if (which != nullptr) *which = s.alg;
  if (status == AIOLI_OK) {
    take_digest(digest, s.alg, s.shake);
    forget_hashing();
  }
  wipe(h, sizeof *h);
  return status;
}

// ---- expanded keys
// ---------------------------------------------------------------------------------------------------------------

struct ObjectHeader {
  const aioli_alg *alg;  // null: wiped
  void *allocated;       // of _new, else null
  size_t bytes;          // of the header and the key
};
constexpr size_t header_bytes = 64;
static_assert(sizeof(ObjectHeader) <= header_bytes);

const ObjectHeader &header(const void *object) { return *static_cast<const ObjectHeader *>(object); }
const void *key_of(const void *object) { return static_cast<const uint8_t *>(object) + header_bytes; }

// The keys are the same in every backend (scheme/mayo_work.hpp); a test compares.
size_t object_bytes(size_t key_bytes) { return header_bytes + workspace_alignment - 1 + key_bytes; }
size_t signer_bytes(const aioli_alg &alg) { return object_bytes(instance(alg, 0).signing_key); }
size_t verifier_bytes(const aioli_alg &alg) { return object_bytes(instance(alg, 0).verifying_key); }

// Expands `key` into the memory of the caller.
template <class Object>
aioli_status make_object(Object **object, void *memory, size_t memory_bytes, size_t needed, const aioli_alg *alg,
                         const uint8_t *key, size_t key_bytes, size_t wanted_key_bytes, aioli_op op, size_t Instance::*size,
                         void (*Instance::*expand)(void *, const uint8_t *, void *), const aioli_env *env) {
  *object = nullptr;
  if (memory == nullptr || key == nullptr) return AIOLI_ERR_ARGUMENT;
  if (key_bytes != wanted_key_bytes) return AIOLI_ERR_LENGTH;
  if (memory_bytes < needed) return AIOLI_ERR_BUFFER;
  const Range work = workspace_of(alg, op, env), input = {key, key_bytes}, output = {memory, needed};
  if (!apart(output, input, work) || !apart(work, input)) return AIOLI_ERR_ARGUMENT;
  const Run run(*alg, op, env);
  if (run.status != AIOLI_OK) return run.status;
  uint8_t *at = static_cast<uint8_t *>(align_up(memory));
  zero(at, header_bytes);
  new (Place{at}) ObjectHeader{alg, nullptr, header_bytes + (*run).*size};
  ((*run).*expand)(at + header_bytes, key, run.memory);
  forget();
  *object = reinterpret_cast<Object *>(at);
  return AIOLI_OK;
}

// ---- what all the signing and verifying calls come down to
// ------------------------------------------------------------------------

// `input` is what the caller gave for the message: that, its digest or a hash object.

aioli_status sign_digest(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes, const uint8_t *digest, Range input,
                         const uint8_t *sk, size_t sk_bytes, const uint8_t *R, const aioli_env *env) {
  Output out(sig, sig_bytes, signature_bytes(alg));
  if (alg == nullptr || sig == nullptr || sk == nullptr) return AIOLI_ERR_ARGUMENT;
  if (sig_bytes != sizes(*alg).signature || sk_bytes != sizes(*alg).secret_key) return AIOLI_ERR_LENGTH;
  const Range output = {sig, sig_bytes}, key = {sk, sk_bytes}, random = {R, sizes(*alg).randomness},
              work = workspace_of(alg, AIOLI_OP_SIGN, env);
  if (!apart(output, input, key, random, work) || !apart(work, input, key, random)) return AIOLI_ERR_ARGUMENT;
  const Run run(*alg, AIOLI_OP_SIGN, env);
  if (run.status != AIOLI_OK) return run.status;
  Secret<Bytes<max_randomness_bytes>> drawn;
  if (R == nullptr) {
    const aioli_status status = draw(env, drawn.b, run->sizes.randomness);
    if (status != AIOLI_OK) return status;
    R = drawn.b;
  }
  const bool solved = run->sign(sig, digest, sk, R, run.memory);
  forget();
  return out.done(solved ? AIOLI_OK : AIOLI_ERR_NO_SOLUTION);
}

aioli_status verify_digest(const aioli_alg *alg, const uint8_t *sig, size_t sig_bytes, const uint8_t *digest, Range input,
                           const uint8_t *pk, size_t pk_bytes, const aioli_env *env) {
  if (alg == nullptr || pk == nullptr || missing(sig, sig_bytes)) return AIOLI_ERR_ARGUMENT;
  if (sig_bytes != sizes(*alg).signature || pk_bytes != sizes(*alg).public_key) return AIOLI_ERR_LENGTH;
  if (!apart(workspace_of(alg, AIOLI_OP_VERIFY, env), Range{sig, sig_bytes}, input, Range{pk, pk_bytes}))
    return AIOLI_ERR_ARGUMENT;
  const Run run(*alg, AIOLI_OP_VERIFY, env);
  if (run.status != AIOLI_OK) return run.status;
  return run->verify(sig, digest, pk, run.memory) ? AIOLI_OK : AIOLI_ERR_SIGNATURE;
}

aioli_status signer_sign(const aioli_signer *signer, uint8_t *sig, size_t sig_bytes, const uint8_t *digest, Range input,
                         const aioli_env *env) {
  const aioli_alg *alg = signer != nullptr ? header(signer).alg : nullptr;
  Output out(sig, sig_bytes, signature_bytes(alg));
  if (signer == nullptr || sig == nullptr) return AIOLI_ERR_ARGUMENT;
  if (alg == nullptr) return AIOLI_ERR_STATE;  // wiped
  if (sig_bytes != sizes(*alg).signature) return AIOLI_ERR_LENGTH;
  const Range output = {sig, sig_bytes}, key = {signer, header(signer).bytes},
              work = workspace_of(alg, AIOLI_OP_SIGNER_SIGN, env);
  if (!apart(output, input, key, work) || !apart(work, input, key)) return AIOLI_ERR_ARGUMENT;
  const Run run(*alg, AIOLI_OP_SIGNER_SIGN, env);
  if (run.status != AIOLI_OK) return run.status;
  Secret<Bytes<max_randomness_bytes>> R;
  const aioli_status status = draw(env, R.b, run->sizes.randomness);
  if (status != AIOLI_OK) return status;
  const bool solved = run->sign_expanded(sig, digest, key_of(signer), R.b, run.memory);
  forget();
  return out.done(solved ? AIOLI_OK : AIOLI_ERR_NO_SOLUTION);
}

aioli_status verifier_verify(const aioli_verifier *verifier, const uint8_t *sig, size_t sig_bytes, const uint8_t *digest,
                             Range input, const aioli_env *env) {
  if (verifier == nullptr || missing(sig, sig_bytes)) return AIOLI_ERR_ARGUMENT;
  const aioli_alg &alg = *header(verifier).alg;
  if (sig_bytes != sizes(alg).signature) return AIOLI_ERR_LENGTH;
  const Range work = workspace_of(&alg, AIOLI_OP_VERIFIER_VERIFY, env);
  if (!apart(work, Range{sig, sig_bytes}, input, Range{verifier, header(verifier).bytes})) return AIOLI_ERR_ARGUMENT;
  const Run run(alg, AIOLI_OP_VERIFIER_VERIFY, env);
  if (run.status != AIOLI_OK) return run.status;
  return run->verify_expanded(sig, digest, key_of(verifier), run.memory) ? AIOLI_OK : AIOLI_ERR_SIGNATURE;
}

aioli_status check_digest(const aioli_alg *alg, const uint8_t *digest, size_t digest_bytes) {
  if (alg == nullptr || digest == nullptr) return AIOLI_ERR_ARGUMENT;
  if (digest_bytes != sizes(*alg).digest) return AIOLI_ERR_LENGTH;
  return sizes(*alg).digest_is_state && !Shake::can_restore(digest) ? AIOLI_ERR_ARGUMENT : AIOLI_OK;
}

// Whether a message lies on one of the digests; between two it may.
bool meets_a_digest(Range msg, const uint8_t *digests, size_t stride, size_t digest_bytes, size_t count) {
  if (!meet(msg, {digests, stride * count})) return false;
  const uintptr_t first = reinterpret_cast<uintptr_t>(digests), at = reinterpret_cast<uintptr_t>(msg.p);
  if (at < first) return true;
  const size_t i = (at - first) / stride, in_stride = (at - first) % stride;
  return in_stride < digest_bytes || (i + 1 < count && msg.n > stride - in_stride);
}

// Zeroes sig and passes the error on.
aioli_status refuse(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes, aioli_status status) {
  return Output(sig, sig_bytes, signature_bytes(alg)).done(status);
}

// From a seed, lengths of keys checked by the caller; sk may be null, or where the seed is.
aioli_status keypair(const aioli_alg *alg, uint8_t *pk, uint8_t *sk, const uint8_t *seed, const aioli_env *env) {
  const Range work = workspace_of(alg, AIOLI_OP_KEYPAIR, env), public_out = {pk, sizes(*alg).public_key},
              secret_out = {sk, sizes(*alg).secret_key}, input = {seed, sizes(*alg).seed};
  if (!apart(public_out, secret_out, input, work) || !apart(work, secret_out, input)) return AIOLI_ERR_ARGUMENT;
  if (seed != sk && meet(secret_out, input)) return AIOLI_ERR_ARGUMENT;
  const Run run(*alg, AIOLI_OP_KEYPAIR, env);
  if (run.status != AIOLI_OK) return run.status;
  run->keypair(pk, sk, seed, run.memory);
  forget();
  return AIOLI_OK;
}

bool known(aioli_op op) { return int(op) >= AIOLI_OP_KEYPAIR && int(op) <= AIOLI_OP_VERIFIER_VERIFY; }

bool same(const char *a, const char *b) {
  while (*a != 0 && *a == *b) a++, b++;
  return *a == *b;
}

}  // namespace

// ---- names, sizes, statuses
// ---------------------------------------------------------------------------------------------------------

const char *aioli_status_text(aioli_status status) {
  switch (status) {
    case AIOLI_OK: return "success";
    case AIOLI_ERR_SIGNATURE: return "the signature is not valid for this message and public key";
    case AIOLI_ERR_ARGUMENT:
      return "wrong argument: a null pointer, an unknown value, or an output that overlaps another argument";
    case AIOLI_ERR_LENGTH: return "a key, seed, signature or digest does not have the exact length of its algorithm";
    case AIOLI_ERR_BUFFER: return "an output buffer, object memory or workspace is too small";
    case AIOLI_ERR_RNG: return "the source of randomness failed, or made a seed of zeros";
    case AIOLI_ERR_NO_SOLUTION: return "signing found no solution in 256 attempts";
    case AIOLI_ERR_MEMORY: return "out of memory, or no workspace was given to a build without an allocator";
    case AIOLI_ERR_ALGORITHM: return "unknown algorithm, or two arguments of different algorithms";
    case AIOLI_ERR_BACKEND: return "the backend named by AIOLI_BACKEND is unknown or cannot run on this processor";
    case AIOLI_ERR_STATE: return "a hash object was used before aioli_hash_init or after its end";
    case AIOLI_ERR_SELFTEST: return "self-test failed: a known answer came out wrong; do not use this library";
    case AIOLI_ERR_FORMAT: return "the key file is malformed";
    case AIOLI_ERR_OID: return "the key file is of an unknown algorithm";
    case AIOLI_ERR_ABSENT: return "this build of the library leaves the operation out";
    case AIOLI_ERR_NO_DEVICE: return "there is no such device, or no driver for it";
    case AIOLI_ERR_DEVICE: return "a device or its driver failed";
    case AIOLI_ERR_ENCRYPTED: return "the key file is under a passphrase: decrypt it first (aioli passphrase --remove)";
    case AIOLI_ERR_MISMATCH: return "the parts of the key file do not belong together: it was changed or damaged";
  }
  return "unknown status";
}

const char *aioli_version(void) { return AIOLI_VERSION_STRING; }

const aioli_alg *aioli_alg_by_name(const char *name) {
  if (name == nullptr) return nullptr;
  for (const aioli_alg &alg : algs)
    if (same(alg.name, name)) return &alg;
  return nullptr;
}
size_t aioli_alg_count(void) { return set_count; }
const aioli_alg *aioli_alg_at(size_t index) { return index < set_count ? &algs[index] : nullptr; }

const char *aioli_alg_name(const aioli_alg *alg) { return alg != nullptr ? alg->name : ""; }
int aioli_nist_message_first(const aioli_alg *alg) { return alg != nullptr && alg->message_first ? 1 : 0; }
int aioli_alg_round(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).round : 0; }
int aioli_alg_category(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).category : 0; }
size_t aioli_public_key_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).public_key : 0; }
size_t aioli_secret_key_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).secret_key : 0; }
size_t aioli_seed_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).seed : 0; }
size_t aioli_signature_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).signature : 0; }
size_t aioli_randomness_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).randomness : 0; }
size_t aioli_digest_bytes(const aioli_alg *alg) { return alg != nullptr ? sizes(*alg).digest : 0; }

size_t aioli_workspace_bytes(const aioli_alg *alg, aioli_op op) {
  if (alg == nullptr || !known(op)) return 0;
  size_t n = 0;
  for (int b = 0; b < backend_count; b++)
    if (needed(*alg, b, op) > n) n = needed(*alg, b, op);
  return n;
}
size_t aioli_workspace_least_bytes(const aioli_alg *alg, aioli_op op) {
  return alg != nullptr && known(op) ? needed(*alg, 0, op) : 0;
}

int aioli_rng_system(void *, uint8_t *out, size_t n) { return host_random(out, n) ? 0 : -1; }
int aioli_rng_zero(void *, uint8_t *out, size_t n) {
  zero(out, n);
  return 0;
}

size_t aioli_backend_count(void) { return backend_count; }
const char *aioli_backend_name(size_t index) { return index < backend_count ? backend_name(int(index)) : nullptr; }
int aioli_backend_usable(size_t index) { return index < backend_count && backend_usable(int(index)) ? 1 : 0; }
const char *aioli_backend_active(void) {
  const int backend = active_backend();
  return backend >= 0 ? backend_name(backend) : nullptr;
}
aioli_status aioli_backend_use(const char *name) { return use_backend(name) ? AIOLI_OK : AIOLI_ERR_BACKEND; }

// ---- keys
// ---------------------------------------------------------------------------------------------------------------------------

aioli_status aioli_keypair(const aioli_alg *alg, uint8_t *pk, size_t pk_bytes, uint8_t *sk, size_t sk_bytes,
                           const aioli_env *env) {
  Output public_out(pk, pk_bytes, public_key_bytes(alg)), secret_out(sk, sk_bytes, secret_key_bytes(alg));
  if (alg == nullptr || pk == nullptr || sk == nullptr) return AIOLI_ERR_ARGUMENT;
  if (pk_bytes != sizes(*alg).public_key || sk_bytes != sizes(*alg).secret_key) return AIOLI_ERR_LENGTH;
  Secret<Bytes<max_seed_bytes>> seed;
  zero(seed.b, sizeof seed.b);
  aioli_status status = draw(env, seed.b, sizes(*alg).seed);
  // Nothing but zeros: aioli_rng_zero, or a source that wrote nothing.  A random seed is that once in 2^192 times.
  uint8_t any = 0;
  for (const uint8_t b : seed.b) any |= b;
  if (status == AIOLI_OK && reveal(any == 0)) status = AIOLI_ERR_RNG;
  if (status == AIOLI_OK) status = keypair(alg, pk, sk, seed.b, env);
  secret_out.done(status);
  return public_out.done(status);
}

aioli_status aioli_keypair_from_seed(const aioli_alg *alg, uint8_t *pk, size_t pk_bytes, uint8_t *sk, size_t sk_bytes,
                                     const uint8_t *seed, size_t seed_bytes, const aioli_env *env) {
  Output public_out(pk, pk_bytes, public_key_bytes(alg));
  aioli_status status = AIOLI_OK;
  if (alg == nullptr || pk == nullptr || sk == nullptr || seed == nullptr)
    status = AIOLI_ERR_ARGUMENT;
  else if (pk_bytes != sizes(*alg).public_key || sk_bytes != sizes(*alg).secret_key || seed_bytes != sizes(*alg).seed)
    status = AIOLI_ERR_LENGTH;
  if (status == AIOLI_OK) status = keypair(alg, pk, sk, seed, env);
  if (status != AIOLI_OK && sk != nullptr) {  // a seed that lies there stays
    const size_t cleared = smaller(sk_bytes, secret_key_bytes(alg));
    const size_t kept = sk != seed ? 0 : smaller(seed_bytes, cleared);
    zero(sk + kept, cleared - kept);
  }
  return public_out.done(status);
}

aioli_status aioli_public_from_secret(const aioli_alg *alg, uint8_t *pk, size_t pk_bytes, const uint8_t *sk, size_t sk_bytes,
                                      const aioli_env *env) {
  Output out(pk, pk_bytes, public_key_bytes(alg));
  if (alg == nullptr || pk == nullptr || sk == nullptr) return AIOLI_ERR_ARGUMENT;
  if (pk_bytes != sizes(*alg).public_key || sk_bytes != sizes(*alg).secret_key) return AIOLI_ERR_LENGTH;
  if (meet({pk, pk_bytes}, {sk, sk_bytes})) return AIOLI_ERR_ARGUMENT;
  return out.done(keypair(alg, pk, nullptr, sk, env));
}

// ---- one-shot
// -----------------------------------------------------------------------------------------------------------------------

aioli_status aioli_sign(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,
                        const uint8_t *sk, size_t sk_bytes, const aioli_env *env) {
  if (alg == nullptr || missing(msg, msg_bytes)) return refuse(alg, sig, sig_bytes, AIOLI_ERR_ARGUMENT);
  Secret<Bytes<max_digest_bytes>> digest;  // of some schemes a state, which tells what a short message was
  hash_message(digest.b, alg, msg, msg_bytes);
  return sign_digest(alg, sig, sig_bytes, digest.b, {msg, msg_bytes}, sk, sk_bytes, nullptr, env);
}

aioli_status aioli_sign_deterministic(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,
                                      const uint8_t *sk, size_t sk_bytes, const aioli_env *env) {
  const uint8_t R[max_randomness_bytes] = {};
  return aioli_sign_with_randomness(alg, sig, sig_bytes, msg, msg_bytes, sk, sk_bytes, R, aioli_randomness_bytes(alg), env);
}

aioli_status aioli_sign_with_randomness(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes, const uint8_t *msg,
                                        size_t msg_bytes, const uint8_t *sk, size_t sk_bytes, const uint8_t *R, size_t R_bytes,
                                        const aioli_env *env) {
  if (alg == nullptr || missing(msg, msg_bytes) || R == nullptr) return refuse(alg, sig, sig_bytes, AIOLI_ERR_ARGUMENT);
  if (R_bytes != sizes(*alg).randomness) return refuse(alg, sig, sig_bytes, AIOLI_ERR_LENGTH);
  Secret<Bytes<max_digest_bytes>> digest;  // of some schemes a state, which tells what a short message was
  hash_message(digest.b, alg, msg, msg_bytes);
  return sign_digest(alg, sig, sig_bytes, digest.b, {msg, msg_bytes}, sk, sk_bytes, R, env);
}

aioli_status aioli_verify(const aioli_alg *alg, const uint8_t *sig, size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,
                          const uint8_t *pk, size_t pk_bytes, const aioli_env *env) {
  if (alg == nullptr || missing(msg, msg_bytes)) return AIOLI_ERR_ARGUMENT;
  uint8_t digest[max_digest_bytes];
  hash_message(digest, alg, msg, msg_bytes);
  return verify_digest(alg, sig, sig_bytes, digest, {msg, msg_bytes}, pk, pk_bytes, env);
}

// ---- pieces and digests
// ---------------------------------------------------------------------------------------------------------------

aioli_status aioli_hash_init(aioli_hash *h, const aioli_alg *alg) {
  if (h == nullptr) return AIOLI_ERR_ARGUMENT;
  wipe(h, sizeof *h);
  if (alg == nullptr) return AIOLI_ERR_ARGUMENT;
  HashState &s = *new (Place{h}) HashState;
  s.alg = alg;
  s.shake.init();
  s.open = hash_is_open;
  return AIOLI_OK;
}

aioli_status aioli_hash_update(aioli_hash *h, const uint8_t *data, size_t data_bytes) {
  if (h == nullptr || missing(data, data_bytes)) return AIOLI_ERR_ARGUMENT;
  if (state(h).open != hash_is_open) return AIOLI_ERR_STATE;
  state(h).shake.absorb(data, data_bytes);
  forget_hashing();
  return AIOLI_OK;
}

aioli_status aioli_hash_final(aioli_hash *h, uint8_t *digest, size_t digest_bytes) {
  Secret<Bytes<max_digest_bytes>> whole;
  const aioli_alg *alg = nullptr;
  const aioli_status status = finish(h, nullptr, whole.b, &alg);
  Output out(digest, digest_bytes, digest_bytes_of(alg));
  if (status != AIOLI_OK) return status;
  if (digest == nullptr) return AIOLI_ERR_ARGUMENT;
  if (digest_bytes != sizes(*alg).digest) return AIOLI_ERR_LENGTH;
  copy(digest, whole.b, digest_bytes);
  return out.done(AIOLI_OK);
}

aioli_status aioli_sign_final(aioli_hash *h, uint8_t *sig, size_t sig_bytes, const uint8_t *sk, size_t sk_bytes,
                              const aioli_env *env) {
  Secret<Bytes<max_digest_bytes>> digest;  // of some schemes a state, which tells what a short message was
  const aioli_alg *alg = nullptr;
  const aioli_status status = finish(h, nullptr, digest.b, &alg);
  if (status != AIOLI_OK) return refuse(alg, sig, sig_bytes, status);
  return sign_digest(alg, sig, sig_bytes, digest.b, {h, sizeof *h}, sk, sk_bytes, nullptr, env);
}

aioli_status aioli_verify_final(aioli_hash *h, const uint8_t *sig, size_t sig_bytes, const uint8_t *pk, size_t pk_bytes,
                                const aioli_env *env) {
  uint8_t digest[max_digest_bytes];
  const aioli_alg *alg = nullptr;
  const aioli_status status = finish(h, nullptr, digest, &alg);
  if (status != AIOLI_OK) return status;
  return verify_digest(alg, sig, sig_bytes, digest, {h, sizeof *h}, pk, pk_bytes, env);
}

aioli_status aioli_sign_digest(const aioli_alg *alg, uint8_t *sig, size_t sig_bytes, const uint8_t *digest, size_t digest_bytes,
                               const uint8_t *sk, size_t sk_bytes, const aioli_env *env) {
  const aioli_status status = check_digest(alg, digest, digest_bytes);
  if (status != AIOLI_OK) return refuse(alg, sig, sig_bytes, status);
  return sign_digest(alg, sig, sig_bytes, digest, {digest, digest_bytes}, sk, sk_bytes, nullptr, env);
}

aioli_status aioli_verify_digest(const aioli_alg *alg, const uint8_t *sig, size_t sig_bytes, const uint8_t *digest,
                                 size_t digest_bytes, const uint8_t *pk, size_t pk_bytes, const aioli_env *env) {
  const aioli_status status = check_digest(alg, digest, digest_bytes);
  if (status != AIOLI_OK) return status;
  return verify_digest(alg, sig, sig_bytes, digest, {digest, digest_bytes}, pk, pk_bytes, env);
}

aioli_status aioli_digest_batch(const aioli_alg *alg, uint8_t *digests, size_t digest_stride, const uint8_t *const *msgs,
                                const size_t *msg_bytes, size_t count) {
  if (alg == nullptr) return AIOLI_ERR_ARGUMENT;
  if (count == 0) return AIOLI_OK;
  if (digests == nullptr) return AIOLI_ERR_ARGUMENT;
  const size_t digest_bytes = sizes(*alg).digest;
  if (digest_stride < digest_bytes) return AIOLI_ERR_BUFFER;
  if (digest_stride > SIZE_MAX / count) return AIOLI_ERR_ARGUMENT;
  const auto refuse_all = [=](aioli_status status) {
    for (size_t i = 0; i < count; i++) zero(digests + i * digest_stride, digest_bytes);
    return status;
  };
  if (msgs == nullptr || msg_bytes == nullptr) return refuse_all(AIOLI_ERR_ARGUMENT);
  for (size_t i = 0; i < count; i++)
    if (missing(msgs[i], msg_bytes[i]) || meets_a_digest({msgs[i], msg_bytes[i]}, digests, digest_stride, digest_bytes, count))
      return refuse_all(AIOLI_ERR_ARGUMENT);
  const int backend = active_backend();
  if (backend < 0) return refuse_all(AIOLI_ERR_BACKEND);
  if (digest_many(backend) == nullptr) return refuse_all(AIOLI_ERR_ABSENT);
  if (sizes(*alg).digest_is_state) {  // one after another: states are not taken from vectors
    for (size_t i = 0; i < count; i++) hash_message(digests + i * digest_stride, alg, msgs[i], msg_bytes[i]);
    return AIOLI_OK;
  }
  digest_many(backend)(digests, digest_stride, digest_bytes, msgs, msg_bytes, count);
  forget_hashing();
  return AIOLI_OK;
}

// ---- expanded keys
// ---------------------------------------------------------------------------------------------------------------------

size_t aioli_signer_bytes(const aioli_alg *alg) { return alg != nullptr ? signer_bytes(*alg) : 0; }
size_t aioli_verifier_bytes(const aioli_alg *alg) { return alg != nullptr ? verifier_bytes(*alg) : 0; }

aioli_status aioli_signer_init(aioli_signer **signer, void *memory, size_t memory_bytes, const aioli_alg *alg, const uint8_t *sk,
                               size_t sk_bytes, const aioli_env *env) {
  if (signer == nullptr || alg == nullptr) return AIOLI_ERR_ARGUMENT;
  return make_object(signer, memory, memory_bytes, signer_bytes(*alg), alg, sk, sk_bytes, sizes(*alg).secret_key,
                     AIOLI_OP_SIGNER_INIT, &Instance::signing_key, &Instance::expand_secret, env);
}

aioli_status aioli_verifier_init(aioli_verifier **verifier, void *memory, size_t memory_bytes, const aioli_alg *alg,
                                 const uint8_t *pk, size_t pk_bytes, const aioli_env *env) {
  if (verifier == nullptr || alg == nullptr) return AIOLI_ERR_ARGUMENT;
  return make_object(verifier, memory, memory_bytes, verifier_bytes(*alg), alg, pk, pk_bytes, sizes(*alg).public_key,
                     AIOLI_OP_VERIFIER_INIT, &Instance::verifying_key, &Instance::expand_public, env);
}

aioli_status aioli_signer_new(aioli_signer **signer, const aioli_alg *alg, const uint8_t *sk, size_t sk_bytes) {
  if (signer == nullptr) return AIOLI_ERR_ARGUMENT;
  *signer = nullptr;
  if (alg == nullptr) return AIOLI_ERR_ARGUMENT;
  void *memory = host_allocate(signer_bytes(*alg));
  if (memory == nullptr) return AIOLI_ERR_MEMORY;
  const aioli_status status = aioli_signer_init(signer, memory, signer_bytes(*alg), alg, sk, sk_bytes, nullptr);
  if (status == AIOLI_OK)
    reinterpret_cast<ObjectHeader *>(*signer)->allocated = memory;
  else
    host_free(memory);
  return status;
}

aioli_status aioli_verifier_new(aioli_verifier **verifier, const aioli_alg *alg, const uint8_t *pk, size_t pk_bytes) {
  if (verifier == nullptr) return AIOLI_ERR_ARGUMENT;
  *verifier = nullptr;
  if (alg == nullptr) return AIOLI_ERR_ARGUMENT;
  void *memory = host_allocate(verifier_bytes(*alg));
  if (memory == nullptr) return AIOLI_ERR_MEMORY;
  const aioli_status status = aioli_verifier_init(verifier, memory, verifier_bytes(*alg), alg, pk, pk_bytes, nullptr);
  if (status == AIOLI_OK)
    reinterpret_cast<ObjectHeader *>(*verifier)->allocated = memory;
  else
    host_free(memory);
  return status;
}

void aioli_signer_wipe(aioli_signer *signer) {
  if (signer == nullptr || header(signer).alg == nullptr) return;
  void *const allocated = header(signer).allocated;  // so that a wiped object can still be freed
  wipe(signer, header(signer).bytes);
  reinterpret_cast<ObjectHeader *>(signer)->allocated = allocated;
}
void aioli_signer_free(aioli_signer *signer) {
  if (signer == nullptr) return;
  void *memory = header(signer).allocated;
  aioli_signer_wipe(signer);
  host_free(memory);
}
void aioli_verifier_free(aioli_verifier *verifier) {
  if (verifier != nullptr) host_free(header(verifier).allocated);
}
const aioli_alg *aioli_signer_alg(const aioli_signer *signer) { return signer != nullptr ? header(signer).alg : nullptr; }
const aioli_alg *aioli_verifier_alg(const aioli_verifier *verifier) {
  return verifier != nullptr ? header(verifier).alg : nullptr;
}

aioli_status aioli_signer_sign(const aioli_signer *signer, uint8_t *sig, size_t sig_bytes, const uint8_t *msg, size_t msg_bytes,
                               const aioli_env *env) {
  if (signer == nullptr || missing(msg, msg_bytes)) return refuse(aioli_signer_alg(signer), sig, sig_bytes, AIOLI_ERR_ARGUMENT);
  if (header(signer).alg == nullptr) return refuse(aioli_signer_alg(signer), sig, sig_bytes, AIOLI_ERR_STATE);
  Secret<Bytes<max_digest_bytes>> digest;  // of some schemes a state, which tells what a short message was
  hash_message(digest.b, header(signer).alg, msg, msg_bytes);
  return signer_sign(signer, sig, sig_bytes, digest.b, {msg, msg_bytes}, env);
}

aioli_status aioli_signer_sign_digest(const aioli_signer *signer, uint8_t *sig, size_t sig_bytes, const uint8_t *digest,
                                      size_t digest_bytes, const aioli_env *env) {
  if (signer != nullptr && header(signer).alg == nullptr)
    return refuse(aioli_signer_alg(signer), sig, sig_bytes, AIOLI_ERR_STATE);
  const aioli_status status = check_digest(aioli_signer_alg(signer), digest, digest_bytes);
  if (status != AIOLI_OK) return refuse(aioli_signer_alg(signer), sig, sig_bytes, status);
  return signer_sign(signer, sig, sig_bytes, digest, {digest, digest_bytes}, env);
}

aioli_status aioli_signer_sign_final(const aioli_signer *signer, aioli_hash *h, uint8_t *sig, size_t sig_bytes,
                                     const aioli_env *env) {
  Secret<Bytes<max_digest_bytes>> digest;  // of some schemes a state, which tells what a short message was
  const aioli_status status = finish(h, aioli_signer_alg(signer), digest.b);
  if (signer == nullptr) return refuse(aioli_signer_alg(signer), sig, sig_bytes, AIOLI_ERR_ARGUMENT);
  if (status != AIOLI_OK) return refuse(aioli_signer_alg(signer), sig, sig_bytes, status);
  return signer_sign(signer, sig, sig_bytes, digest.b, {h, sizeof *h}, env);
}

aioli_status aioli_verifier_verify(const aioli_verifier *verifier, const uint8_t *sig, size_t sig_bytes, const uint8_t *msg,
                                   size_t msg_bytes, const aioli_env *env) {
  if (verifier == nullptr || missing(msg, msg_bytes)) return AIOLI_ERR_ARGUMENT;
  uint8_t digest[max_digest_bytes];
  hash_message(digest, header(verifier).alg, msg, msg_bytes);
  return verifier_verify(verifier, sig, sig_bytes, digest, {msg, msg_bytes}, env);
}

aioli_status aioli_verifier_verify_digest(const aioli_verifier *verifier, const uint8_t *sig, size_t sig_bytes,
                                          const uint8_t *digest, size_t digest_bytes, const aioli_env *env) {
  const aioli_status status = check_digest(aioli_verifier_alg(verifier), digest, digest_bytes);
  if (status != AIOLI_OK) return status;
  return verifier_verify(verifier, sig, sig_bytes, digest, {digest, digest_bytes}, env);
}

aioli_status aioli_verifier_verify_final(const aioli_verifier *verifier, aioli_hash *h, const uint8_t *sig, size_t sig_bytes,
                                         const aioli_env *env) {
  uint8_t digest[max_digest_bytes];
  const aioli_status status = finish(h, aioli_verifier_alg(verifier), digest);
  if (verifier == nullptr) return AIOLI_ERR_ARGUMENT;
  if (status != AIOLI_OK) return status;
  return verifier_verify(verifier, sig, sig_bytes, digest, {h, sizeof *h}, env);
}
