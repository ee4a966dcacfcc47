// SPDX-License-Identifier: Apache-2.0
#include "abi/dispatch.hpp"

#include "abi/host.hpp"
#include "base/cpu.hpp"

namespace aioli {
// Whether the family of a set, its name up to the first hyphen, is one of the words in `families`.
constexpr bool serves(const char *families, const char *name) {
  for (const char *word = families;; word++) {
    int n = 0;
    while (word[n] != 0 && word[n] != ' ' && word[n] == name[n]) n++;
    if ((word[n] == 0 || word[n] == ' ') && name[n] == '-') return true;
    word += n;
    while (*word != 0 && *word != ' ') word++;
    if (*word == 0) return false;
  }
}
static_assert(serves("MAYO UOV", "UOV-Ip") && serves("MAYO UOV", "MAYO-1") && !serves("MAYO", "UOV-Ip") &&
              !serves("UO MAYO", "UOV-Ip"));
}  // namespace aioli
#define AIOLI_BACKEND(identifier, name, usable, list) \
  namespace aioli::identifier {                       \
  static constexpr const char *families = list;       \
  }
#include "backend/backends.def"
#undef AIOLI_BACKEND

// The instances, defined by abi/instance.cpp for every pair of a backend and a set: one namespace of declarations and one table for
// each backend (an X-macro cannot include another, hence abi/instances.inc).
#if !defined(AIOLI_WITHOUT_PORTABLE)
#define AIOLI_INSTANCES_OF portable
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#endif
#if defined(AIOLI_WITH_EMULATED)
#define AIOLI_INSTANCES_OF emulated
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#define AIOLI_INSTANCES_OF emulated_gfni
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#define AIOLI_INSTANCES_OF emulated_avx512
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#endif
#if defined(AIOLI_WITH_CORTEX_M4_SMALL)
#define AIOLI_INSTANCES_OF cortex_m4_small
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#endif
#if defined(AIOLI_WITH_CORTEX_M4_FAST)
#define AIOLI_INSTANCES_OF cortex_m4
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#endif
#if defined(AIOLI_WITH_X86)
#if !defined(AIOLI_WITHOUT_TWINS)
#define AIOLI_INSTANCES_OF aesni
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#endif
#define AIOLI_INSTANCES_OF avx2
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#if !defined(AIOLI_WITHOUT_VAES)
#if !defined(AIOLI_WITHOUT_TWINS)
#define AIOLI_INSTANCES_OF vaes
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#endif
#if defined(__LP64__)
#define AIOLI_INSTANCES_OF gfni
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#define AIOLI_INSTANCES_OF avx512
#include "abi/instances.inc"
#undef AIOLI_INSTANCES_OF
#endif
#endif
#endif

namespace aioli {
namespace {

enum {
#define AIOLI_SET(identifier, name, scheme, params) index_##identifier,
#include "abi/registry.def"
#undef AIOLI_SET
};

struct BackendRow {
  const char *name;
  const Instance *const *instances;
  DigestMany *digest_many;
  KeccakPermutation *keccak_f1600;
  bool (*usable)();
};
#if defined(AIOLI_WITHOUT_DIGESTS)
#define AIOLI_DIGEST_MANY(identifier) nullptr
#else
#define AIOLI_DIGEST_MANY(identifier) identifier::digest_many
#endif
const BackendRow backends[backend_count] = {
#define AIOLI_BACKEND(identifier, name, usable, families) \
  {name, identifier::instances, AIOLI_DIGEST_MANY(identifier), identifier::keccak_f1600, [] { return usable; }},
#include "backend/backends.def"
#undef AIOLI_BACKEND
};

// The only writable data of the library: the backend chosen (index + 1), 0 before the first use, -1 if AIOLI_BACKEND cannot be had.
// Threads that race at the first use all find the same value.
int chosen = 0;

bool same(const char *a, const char *b) {
  while (*a != 0 && *a == *b) a++, b++;
  return *a == *b;
}

int find_backend(const char *name) {
  for (int i = 0; i < backend_count; i++)
    if (same(backend_name(i), name)) return backend_usable(i) ? i + 1 : -1;
  return -1;
}

int default_backend() {
  const char *forced = host_getenv("AIOLI_BACKEND");
  if (forced != nullptr && *forced != 0) return find_backend(forced);
  for (int i = backend_count - 1; i > 0; i--)
    if (backend_usable(i)) return i + 1;
  return 1;
}

}  // namespace

const aioli_alg algs[set_count] = {
#define AIOLI_SET(identifier, name, scheme, params) {name, index_##identifier},
#include "abi/registry.def"
#undef AIOLI_SET
};

const char *backend_name(int backend) { return backends[backend].name; }
bool backend_usable(int backend) { return backends[backend].usable(); }
DigestMany *digest_many(int backend) { return backends[backend].digest_many; }
const Instance &instance(const aioli_alg &alg, int backend) {
  while (backends[backend].instances[alg.index] == nullptr) backend--;
  return *backends[backend].instances[alg.index];
}

void active_keccak_f1600(uint64_t state[25]) {
  const int backend = active_backend();
  backends[backend > 0 ? backend : 0].keccak_f1600(state);
}

int active_backend() {
  int now = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  if (now == 0) {
    // Only over the 0: what use_backend has stored in the meantime stays.
    const int wanted = default_backend();
    if (__atomic_compare_exchange_n(&chosen, &now, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) now = wanted;
  }
  return now > 0 ? now - 1 : -1;
}

bool use_backend(const char *name) {
  const int wanted = name != nullptr ? find_backend(name) : 0;
  if (wanted < 0) return false;
  __atomic_store_n(&chosen, wanted, __ATOMIC_RELAXED);
  return true;
}

}  // namespace aioli
