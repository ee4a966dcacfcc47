// SPDX-License-Identifier: Apache-2.0
// What the C interface sees of one parameter set on one backend: sizes and functions over raw bytes.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace aioli {

struct SetSizes {
  int round, category;
  size_t public_key, secret_key, seed, signature, randomness, digest;
  bool digest_is_state;  // the digest of a message is what SHAKE256 remembers of it (Shake256On::save), not its hash
};

// Lengths are checked and memory is aligned to workspace_alignment and large enough when these are called.  `work` is
// workspace[op] bytes, op as in aioli_op; `key` an expanded key of the same set, made by any backend.  What the build leaves out
// (AIOLI_OPERATIONS) has a workspace of no bytes and no function.
struct Instance {
  SetSizes sizes;
  size_t workspace[7];
  size_t signing_key, verifying_key;
  // From a seed, which is also how a secret key begins, and may be where sk is; sk may be null: not wanted.
  void (*keypair)(uint8_t *pk, uint8_t *sk, const uint8_t *seed, void *work);
  bool (*sign)(uint8_t *sig, const uint8_t *digest, const uint8_t *sk, const uint8_t *R, void *work);
  bool (*verify)(const uint8_t *sig, const uint8_t *digest, const uint8_t *pk, void *work);
  void (*expand_secret)(void *key, const uint8_t *sk, void *work);
  bool (*sign_expanded)(uint8_t *sig, const uint8_t *digest, const void *key, const uint8_t *R, void *work);
  void (*expand_public)(void *key, const uint8_t *pk, void *work);
  bool (*verify_expanded)(const uint8_t *sig, const uint8_t *digest, const void *key, void *work);
};

// digests + i * stride = SHAKE256(msgs[i], digest_bytes), digest_bytes <= 136.
using DigestMany = void(uint8_t *digests, size_t stride, size_t digest_bytes, const uint8_t *const *msgs, const size_t *msg_bytes,
                        size_t count);

// Keccak-f[1600]; symmetric/shake256.hpp.
using KeccakPermutation = void(uint64_t state[25]);

enum {
  set_count = 0
#define AIOLI_SET(...) +1
#include "abi/registry.def"
#undef AIOLI_SET
};

// What a backend has; abi/backend.cpp.
struct KernelsOfBackend {
  const Instance *instances[set_count];  // in the order of registry.def; null: not served
  DigestMany *digest_many;               // null if the build leaves it out
  KeccakPermutation *keccak_f1600;
  void (*clear_registers)();  // those that its instructions reach
};

}  // namespace aioli
