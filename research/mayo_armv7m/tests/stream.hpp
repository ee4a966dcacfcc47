// SPDX-License-Identifier: Apache-2.0
// The randomness of the variant's known answers, and an environment with a workspace of exactly the size asked for.
#pragma once
#include <aioli/mayo_armv7m.h>

#include "support.hpp"
#include "symmetric/shake256.hpp"

namespace test {

// SHAKE256(seed), drawn in order.
class Stream {
 public:
  explicit Stream(const Buffer &seed) { h_.init(), h_.absorb(seed.data(), seed.size()), h_.finish(); }
  void draw(uint8_t *out, size_t n) { h_.squeeze(out, n), drawn += n; }
  static int rng(void *context, uint8_t *out, size_t n) { return static_cast<Stream *>(context)->draw(out, n), 0; }
  size_t drawn = 0;

 private:
  aioli::Shake256 h_;
};

struct Environment {
  aioli_env env = {};
  Buffer memory;
  Environment(const aioli_armv7m_set *set, aioli_op op, aioli_rng_fn rng = aioli_rng_system, void *context = nullptr)
      : memory(aioli_armv7m_workspace_bytes(set, op)) {
    env = {rng, context, memory.data(), memory.size()};
  }
  operator const aioli_env *() const { return &env; }
};

inline const aioli_armv7m_set *variant(const std::string &name) {
  for (size_t i = 0; i < aioli_armv7m_count(); i++)
    if (aioli_armv7m_name(aioli_armv7m_at(i)) == name) return aioli_armv7m_at(i);
  return nullptr;
}

}  // namespace test
