// SPDX-License-Identifier: Apache-2.0
// What the tests of the C interface share: byte strings of exact size, names of sets, backends one after another.
#pragma once
#include <aioli/aioli.h>
#include <aioli/research.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace test {

using Buffer = std::vector<uint8_t>;

inline std::vector<const aioli_alg *> every_alg() {
  std::vector<const aioli_alg *> algs;
  for (size_t i = 0; i < aioli_alg_count(); i++) algs.push_back(aioli_alg_at(i));
  return algs;
}

// All but UOV's of categories 3 and 5, whose keys are megabytes: they are the same code, and the known answers are for all.
inline std::vector<const aioli_alg *> all_algs() {
  std::vector<const aioli_alg *> algs;
  for (const aioli_alg *alg : every_alg())
    if (std::string(aioli_alg_name(alg)).substr(0, 4) != "UOV-" || aioli_alg_category(alg) == 1) algs.push_back(alg);
  return algs;
}

// For tests that go by MAYO's own structure: what is hashed and how, the seed as secret key, what is promised of memory.
inline std::vector<const aioli_alg *> mayo_algs() {
  std::vector<const aioli_alg *> algs;
  for (const aioli_alg *alg : every_alg())
    if (std::string(aioli_alg_name(alg)).substr(0, 5) == "MAYO-") algs.push_back(alg);
  return algs;
}

inline Buffer pattern(size_t n, uint8_t start) {
  Buffer b(n);
  for (size_t i = 0; i < n; i++) b[i] = uint8_t(start + 7 * i + (i >> 8));
  return b;
}

// What signatures of a message are of.  Aborts the test program if the library fails.
inline Buffer digest_of(const aioli_alg *alg, const Buffer &msg) {
  aioli_hash h;
  Buffer digest(aioli_digest_bytes(alg));
  if (aioli_hash_init(&h, alg) != AIOLI_OK || aioli_hash_update(&h, msg.data(), msg.size()) != AIOLI_OK ||
      aioli_hash_final(&h, digest.data(), digest.size()) != AIOLI_OK)
    abort();
  return digest;
}

inline bool all_zero(const Buffer &b) {
  for (uint8_t x : b)
    if (x != 0) return false;
  return true;
}

// Runs f once under every backend that this processor has; then goes back to the default.
inline void each_backend(const std::function<void(const std::string &)> &f) {
  for (size_t i = 0; i < aioli_backend_count(); i++) {
    if (!aioli_backend_usable(i)) continue;
    if (aioli_backend_use(aioli_backend_name(i)) != AIOLI_OK) continue;
    f(aioli_backend_name(i));
  }
  (void)!aioli_backend_use(nullptr);
}

struct Key {
  const aioli_alg *alg;
  Buffer pk, sk;
  // Aborts the test program if the library fails: nothing sensible can follow.
  explicit Key(const aioli_alg *a, uint8_t start = 1) : alg(a), pk(aioli_public_key_bytes(a)), sk(aioli_secret_key_bytes(a)) {
    const Buffer seed = pattern(aioli_seed_bytes(a), start);
    if (aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) != AIOLI_OK)
      abort();
  }
  Buffer sign(const Buffer &msg) const {
    Buffer sig(aioli_signature_bytes(alg));
    if (aioli_sign_deterministic(alg, sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(), nullptr) != AIOLI_OK)
      abort();
    return sig;
  }
  aioli_status verify(const Buffer &sig, const Buffer &msg) const {
    return aioli_verify(alg, sig.data(), sig.size(), msg.data(), msg.size(), pk.data(), pk.size(), nullptr);
  }
};

}  // namespace test
