// SPDX-License-Identifier: Apache-2.0
//
// This library, through its C interface.
#pragma once

#include <aioli/aioli.h>

#include "library.hpp"
#include "subject.hpp"

namespace bench {

// What an older build of this library is called among those that are measured.
inline constexpr const char *baseline_impl = "baseline";

// The shared library loaded once more, bound to one backend.
class Aioli {
 public:
  // backend: as AIOLI_BACKEND takes it.  impl: what its measurements are called.  Throws if the library cannot be loaded or
  // cannot run that backend.
  Aioli(const std::string &path, const std::string &backend, std::string impl = "aioli");

  // Names of the backends that this processor can run, slowest first.
  static std::vector<std::string> usable_backends(const std::string &path);
  // All parameter sets, in the library's order.
  static std::vector<std::string> sets(const std::string &path);

  const std::string &backend() const { return backend_; }
  const std::string &impl() const { return impl_; }
  std::string version() const { return version_(); }

  // Sees to it that the next call runs on this object's backend; outside any timed region, before each call.
  void select() const;

  // Makes keys and signatures of a set, the same for each call with the same arguments: as many different keys as exercises, or
  // `keys`, which take turns.
  Keyring make_keyring(const std::string &set, size_t exercises, size_t keys = SIZE_MAX) const;

  std::unique_ptr<Subject> subject(const Keyring &keyring) const;

  // Throws if the library does not know the set.
  const aioli_alg *alg(const std::string &set) const;

  Library library;
#define AIOLI_BENCH_FUNCTION(name) decltype(&::aioli_##name) name##_;
#define AIOLI_BENCH_FUNCTIONS                \
  AIOLI_BENCH_FUNCTION(status_text)          \
  AIOLI_BENCH_FUNCTION(version)              \
  AIOLI_BENCH_FUNCTION(alg_by_name)          \
  AIOLI_BENCH_FUNCTION(alg_count)            \
  AIOLI_BENCH_FUNCTION(alg_at)               \
  AIOLI_BENCH_FUNCTION(alg_name)             \
  AIOLI_BENCH_FUNCTION(public_key_bytes)     \
  AIOLI_BENCH_FUNCTION(secret_key_bytes)     \
  AIOLI_BENCH_FUNCTION(seed_bytes)           \
  AIOLI_BENCH_FUNCTION(signature_bytes)      \
  AIOLI_BENCH_FUNCTION(randomness_bytes)     \
  AIOLI_BENCH_FUNCTION(workspace_bytes)      \
  AIOLI_BENCH_FUNCTION(keypair)              \
  AIOLI_BENCH_FUNCTION(keypair_from_seed)    \
  AIOLI_BENCH_FUNCTION(sign)                 \
  AIOLI_BENCH_FUNCTION(sign_with_randomness) \
  AIOLI_BENCH_FUNCTION(verify)               \
  AIOLI_BENCH_FUNCTION(signer_bytes)         \
  AIOLI_BENCH_FUNCTION(signer_init)          \
  AIOLI_BENCH_FUNCTION(signer_wipe)          \
  AIOLI_BENCH_FUNCTION(signer_sign)          \
  AIOLI_BENCH_FUNCTION(verifier_bytes)       \
  AIOLI_BENCH_FUNCTION(verifier_init)        \
  AIOLI_BENCH_FUNCTION(verifier_verify)      \
  AIOLI_BENCH_FUNCTION(backend_count)        \
  AIOLI_BENCH_FUNCTION(backend_name)         \
  AIOLI_BENCH_FUNCTION(backend_usable)       \
  AIOLI_BENCH_FUNCTION(backend_active)
  AIOLI_BENCH_FUNCTIONS
#undef AIOLI_BENCH_FUNCTION

 private:
  std::string backend_, impl_;
};

}  // namespace bench
