// SPDX-License-Identifier: Apache-2.0
#include "abi/dispatch.hpp"

#include "abi/families.hpp"
#include "abi/host.hpp"
#include "backend/aes128_active.hpp"
#include "base/cpu.hpp"

// Of each row of backends.def: what abi/backend.cpp and abi/aes.cpp export.
#define AIOLI_BACKEND(identifier, ...)   \
  namespace aioli::identifier {          \
  extern const KernelsOfBackend kernels; \
  extern const AesOfBackend aes;         \
  }
#include "backend/backends.def"
#undef AIOLI_BACKEND

namespace aioli {
namespace {

enum {
#define AIOLI_SET(identifier, ...) index_##identifier,
#include "abi/registry.def"
#undef AIOLI_SET
};

struct BackendRow {
  const char *name;
  const KernelsOfBackend *kernels;
  const AesOfBackend *aes;
  bool (*usable)();
};
#if defined(AIOLI_SHARED_KERNELS)
#define AIOLI_AES_OF(identifier) &identifier::aes
#else
#define AIOLI_AES_OF(identifier) nullptr
#endif
const BackendRow backends[backend_count] = {
#define AIOLI_BACKEND(identifier, of, families, rounds, usable, flags) \
  {#identifier, &of::kernels, AIOLI_AES_OF(identifier), [] { return usable; }},
#include "backend/backends.def"
#undef AIOLI_BACKEND
};

// The only writable data of the library: the backend chosen (index + 1) and 256 times the last usable one; 0 before the first
// use, -1 if AIOLI_BACKEND cannot be had.  Threads that race at the first use all find the same value.
int chosen = 0;
static_assert(backend_count < 256);

bool same(const char *a, const char *b) {
  while (*a != 0 && *a == *b) a++, b++;
  return *a == *b;
}

int last_usable() {
  int i = backend_count - 1;
  while (i > 0 && !backend_usable(i)) i--;
  return i;
}

// What `chosen` will be.
int find_backend(const char *name) {
  for (int i = 0; i < backend_count; i++)
    if (same(backend_name(i), name)) return backend_usable(i) ? 256 * last_usable() + i + 1 : -1;
  return -1;
}
int default_backend() {
  const char *forced = host_getenv("AIOLI_BACKEND");
  return forced != nullptr && *forced != 0 ? find_backend(forced) : 257 * last_usable() + 1;
}

}  // namespace

const aioli_alg algs[set_count] = {
#define AIOLI_SET(identifier, name, family, ...) {name, index_##identifier, message_first(family)},
#include "abi/registry.def"
#undef AIOLI_SET
};

const char *backend_name(int backend) { return backends[backend].name; }
bool backend_usable(int backend) { return backends[backend].usable(); }
DigestMany *digest_many(int backend) { return backends[backend].kernels->digest_many; }
const Instance &instance(const aioli_alg &alg, int backend) {
  while (backends[backend].kernels->instances[alg.index] == nullptr) backend--;
  return *backends[backend].kernels->instances[alg.index];
}

void active_keccak_f1600(uint64_t state[25]) {
  const int backend = active_backend();
  backends[backend > 0 ? backend : 0].kernels->keccak_f1600(state);
}

const AesOfBackend &active_aes() {
  const int backend = active_backend();
  return *backends[backend > 0 ? backend : 0].aes;
}

int active_backend() {
  int now = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  if (now == 0) {
    // Only over the 0: what use_backend has stored in the meantime stays.
    const int wanted = default_backend();
    if (__atomic_compare_exchange_n(&chosen, &now, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) now = wanted;
  }
  return now > 0 ? now % 256 - 1 : -1;
}

void clear_registers() {
  const int now = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  backends[now > 0 ? now / 256 : 0].kernels->clear_registers();
}

bool use_backend(const char *name) {
  const int wanted = name != nullptr ? find_backend(name) : 0;
  if (wanted < 0) return false;
  __atomic_store_n(&chosen, wanted, __ATOMIC_RELAXED);
  return true;
}

}  // namespace aioli
