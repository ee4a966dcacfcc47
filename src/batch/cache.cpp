// SPDX-License-Identifier: Apache-2.0
#include "batch/cache.hpp"

#include <stdlib.h>

#include "base/bytes.hpp"
#include "base/workspace.hpp"
#include "batch/locked.hpp"
#include "batch/memory.hpp"

using namespace aioli;

namespace {
constexpr size_t least_key_bytes = 64 * 1024;  // about what the smallest expanded key takes

// A power of two.
size_t places_for(size_t most_bytes) {
  size_t places = 16;
  while (places < most_bytes / least_key_bytes && places < (size_t{1} << 24)) places *= 2;
  return places;
}

size_t entry_bytes(const aioli_alg *alg) { return sizeof(CachedKey) + aioli_public_key_bytes(alg) + aioli_verifier_bytes(alg); }
}  // namespace

VerifierCache::VerifierCache(size_t most_bytes, uint64_t seed)
    : most_bytes_(most_bytes), places_(places_for(most_bytes)), fingerprint_(seed), buckets_(places_), seen_(places_ * ways) {
  has_lock_ = pthread_mutex_init(&lock_, nullptr) == 0;
  if (!sound()) return;
  for (size_t i = 0; i < places_; i++) buckets_.at[i] = nullptr;
  for (size_t i = 0; i < places_ * ways; i++) seen_.at[i] = 0;
}

VerifierCache::~VerifierCache() {
  while (newest_ != nullptr) {
    CachedKey *const entry = newest_;
    newest_ = entry->older;
    free(entry);
  }
  if (has_lock_) pthread_mutex_destroy(&lock_);
}

void VerifierCache::to_newest(CachedKey *entry) {
  if (entry == newest_) return;
  (entry->newer != nullptr ? entry->newer->older : newest_) = entry->older;
  (entry->older != nullptr ? entry->older->newer : oldest_) = entry->newer;
  entry->newer = nullptr;
  entry->older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = entry;
  newest_ = entry;
}

void VerifierCache::unlink(CachedKey *entry) {
  CachedKey **at = &buckets_.at[bucket(entry->tag)];
  while (*at != entry) at = &(*at)->next;
  *at = entry->next;
  (entry->newer != nullptr ? entry->newer->older : newest_) = entry->older;
  (entry->older != nullptr ? entry->older->newer : oldest_) = entry->newer;
  counts_.keys--;
  counts_.bytes -= entry->bytes;
}

// A new entry, whose key is yet to be made; null if there is no room.
CachedKey *VerifierCache::reserve(const aioli_alg *alg, uint64_t tag) {
  const size_t bytes = entry_bytes(alg);
  if (bytes > most_bytes_) return nullptr;
  CachedKey *entry = nullptr;
  for (CachedKey *old = oldest_; old != nullptr && counts_.bytes > most_bytes_ - bytes;) {
    CachedKey *const next = old->newer;
    if (old->users == 0) {
      unlink(old);
      counts_.evictions++;
      if (entry == nullptr && old->bytes == bytes)
        entry = old;  // its memory serves again, which saves the system's clearing it
      else
        free(old);
    }
    old = next;
  }
  if (counts_.bytes > most_bytes_ - bytes) {
    free(entry);
    return nullptr;
  }
  if (entry == nullptr) entry = reinterpret_cast<CachedKey *>(allocate<uint8_t>(bytes));
  if (entry == nullptr) return nullptr;
  CachedKey *&first = buckets_.at[bucket(tag)];
  *entry = {first, nullptr, newest_, tag, alg, nullptr, 1, bytes};
  first = entry;
  (newest_ != nullptr ? newest_->newer : oldest_) = entry;
  newest_ = entry;
  counts_.keys++;
  counts_.bytes += bytes;
  return entry;
}

// Whether this key was missed within the last `keys` misses; remembers this one.
bool VerifierCache::seen_again(uint64_t tag, size_t keys) {
  const uint64_t low = 0xffffffff, now = (tag & ~low) | (counts_.misses & low);
  uint64_t *const set = &seen_.at[bucket(tag) * ways];
  size_t at = 0;
  while (at < ways - 1 && ((set[at] ^ tag) & ~low) != 0) at++;
  const bool again = ((set[at] ^ tag) & ~low) == 0 && ((now - set[at]) & low) <= keys;
  for (; at > 0; at--) set[at] = set[at - 1];
  set[0] = now;
  return again;
}

CachedKey *VerifierCache::acquire(const aioli_alg *alg, const uint8_t *pk, const aioli_env *env) {
  const size_t pk_bytes = aioli_public_key_bytes(alg);
  // An odd factor merges no two, and brings all bits up to where the places are taken from.
  const uint64_t tag = fingerprint_.of(pk, pk_bytes) * 0x9e3779b97f4a7c15;
  CachedKey *entry;
  {
    const Locked locked(lock_);
    entry = buckets_.at[bucket(tag)];
    while (entry != nullptr && (entry->tag != tag || entry->alg != alg)) entry = entry->next;
    if (entry != nullptr && entry->key != nullptr) {
      counts_.hits++;
      entry->users++;
      to_newest(entry);
    } else {
      counts_.misses++;
      const bool again = seen_again(tag, most_bytes_ / entry_bytes(alg));
      if (entry != nullptr || !again) return nullptr;  // another thread is making it, or its first time
      entry = reserve(alg, tag);
      if (entry == nullptr) return nullptr;
      counts_.expansions++;
    }
  }
  if (entry->key != nullptr) {
    // A fingerprint decides nothing.
    if (__builtin_memcmp(entry->pk(), pk, pk_bytes) == 0) return entry;
    release(entry);
    return nullptr;
  }
  aioli_verifier *key = nullptr;
  copy_long(entry->pk(), pk, pk_bytes);
  const aioli_status status =
      aioli_verifier_init(&key, entry->pk() + pk_bytes, aioli_verifier_bytes(alg), alg, pk, pk_bytes, env);
  const Locked locked(lock_);
  if (status == AIOLI_OK) {
    entry->key = key;
    return entry;
  }
  unlink(entry);
  free(entry);
  return nullptr;
}

void VerifierCache::release(CachedKey *entry) {
  const Locked locked(lock_);
  entry->users--;
}

void VerifierCache::look(aioli_verifier_cache_counts &counts) {
  const Locked locked(lock_);
  counts = counts_;
}

aioli_status aioli_verifier_cache_new(aioli_verifier_cache **cache, size_t bytes) {
  if (cache == nullptr) return AIOLI_ERR_ARGUMENT;
  *cache = nullptr;
  uint64_t seed = 0;
  if (aioli_rng_system(nullptr, reinterpret_cast<uint8_t *>(&seed), sizeof seed) != 0) return AIOLI_ERR_RNG;
  void *const memory = malloc(sizeof(aioli_verifier_cache));
  if (memory == nullptr) return AIOLI_ERR_MEMORY;
  aioli_verifier_cache *const made = new (Place{memory}) aioli_verifier_cache{{bytes, seed}};
  if (!made->cache.sound()) {
    aioli_verifier_cache_free(made);
    return AIOLI_ERR_MEMORY;
  }
  *cache = made;
  return AIOLI_OK;
}

void aioli_verifier_cache_free(aioli_verifier_cache *cache) {
  if (cache == nullptr) return;
  cache->cache.~VerifierCache();
  free(cache);
}

void aioli_verifier_cache_look(aioli_verifier_cache *cache, aioli_verifier_cache_counts *counts) {
  if (counts == nullptr) return;
  *counts = {};
  if (cache != nullptr) cache->cache.look(*counts);
}
