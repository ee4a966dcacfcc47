// SPDX-License-Identifier: Apache-2.0
// Expanded public keys that outlive a batch: found by the key's bytes, bounded in memory, least recently used first out.
#pragma once
#include <aioli/batch.h>
#include <pthread.h>

#include "batch/grouping.hpp"
#include "batch/memory.hpp"

namespace aioli {

// An expanded key.  The bytes of the key follow, then the memory of the object.
struct CachedKey {
  CachedKey *next;           // of the same bucket
  CachedKey *newer, *older;  // by use
  uint64_t tag;
  const aioli_alg *alg;
  const aioli_verifier *key;  // null while it is being made
  size_t users, bytes;        // who holds it; all of this allocation

  uint8_t *pk() { return reinterpret_cast<uint8_t *>(this + 1); }
};

class VerifierCache {
 public:
  VerifierCache(size_t most_bytes, uint64_t seed);
  ~VerifierCache();
  VerifierCache(const VerifierCache &) = delete;
  bool sound() const { return has_lock_ && buckets_.at != nullptr && seen_.at != nullptr; }

  // The expanded key, which stays until `release`; null where there is none to be had: do without.  pk has its exact length.
  // A key that is asked for the second time is expanded; `env` has the workspace for that.
  CachedKey *acquire(const aioli_alg *alg, const uint8_t *pk, const aioli_env *env);
  void release(CachedKey *entry);
  void look(aioli_verifier_cache_counts &counts);

 private:
  size_t bucket(uint64_t tag) const { return size_t(tag >> 40) & (places_ - 1); }
  CachedKey *reserve(const aioli_alg *alg, uint64_t tag);
  bool seen_again(uint64_t tag, size_t keys);
  void unlink(CachedKey *entry);
  void to_newest(CachedKey *entry);

  pthread_mutex_t lock_;  // of all that follows, but for keys that somebody holds
  bool has_lock_ = false;
  const size_t most_bytes_, places_;
  const Fingerprint fingerprint_;
  const Allocation<CachedKey *> buckets_;
  // Keys that were missed: of each half a fingerprint and the number of the miss, in sets of a few.  Who comes back only after as
  // many misses as the cache could hold keys would have been dropped by then: he is not expanded in vain.
  static constexpr size_t ways = 4;
  const Allocation<uint64_t> seen_;
  CachedKey *newest_ = nullptr, *oldest_ = nullptr;
  aioli_verifier_cache_counts counts_ = {};
};

}  // namespace aioli

// The C interface's name of it.
struct aioli_verifier_cache {
  aioli::VerifierCache cache;
};
