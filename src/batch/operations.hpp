// SPDX-License-Identifier: Apache-2.0
// What a batch may consist of: for each operation its rows, and how one of them is done, with an expanded key or without.
#pragma once
#include <aioli/batch.h>

#include "base/ranges.hpp"
#include "base/workspace.hpp"
#include "batch/grouping.hpp"

namespace aioli {

// Enough for each of the operations, and so that two such beside each other share no cache line.
inline size_t workspace_of(const aioli_alg *alg, aioli_op a, aioli_op b, aioli_op c) {
  const aioli_op ops[] = {a, b, c};
  size_t most = 0;
  for (const aioli_op op : ops)
    if (aioli_workspace_bytes(alg, op) > most) most = aioli_workspace_bytes(alg, op);
  return (most + 127) / 64 * 64;
}

// How much memory an expanded key takes; none is made where it would be but a copy of the key (of UOV, classic).
inline size_t unless_copy(size_t object_bytes, size_t key_bytes) { return object_bytes > key_bytes + 256 ? object_bytes : 0; }

inline bool missing(const void *p, size_t n) { return p == nullptr && n > 0; }

template <size_t N> struct Ranges {
  Range of[N];
};

struct Verify {
  using Row = aioli_verify_row;
  using Key = aioli_verifier;
  using Tagger = Fingerprint;
  static constexpr uint32_t flags = AIOLI_BATCH_DIGESTS;
  static constexpr bool has_messages = true;
  static constexpr bool secret = false, tags_need_seed = true, may_cache = true;
  // The smallest group that gains by an expanded key: expansion takes 1.0 to 1.3 times what it saves in each verification.
  static constexpr size_t worth = 2;

  const aioli_alg *alg;
  bool digests;

  size_t workspace_bytes() const { return workspace_of(alg, AIOLI_OP_VERIFY, AIOLI_OP_VERIFIER_INIT, AIOLI_OP_VERIFIER_VERIFY); }
  size_t expanded_bytes() const { return unless_copy(aioli_verifier_bytes(alg), aioli_public_key_bytes(alg)); }
  size_t random_bytes() const { return 0; }
  bool draws(const Row &) const { return false; }
  bool has_key(const Row &row) const { return row.pk != nullptr && row.pk_bytes == aioli_public_key_bytes(alg); }
  // Whether the one-shot call would get as far as to use the message's digest.
  bool hashes(const Row &r) const {
    return !missing(r.msg, r.msg_bytes) && r.sig != nullptr && r.sig_bytes == aioli_signature_bytes(alg) && has_key(r);
  }

  static const uint8_t *key(const Row &row) { return row.pk; }
  static size_t key_bytes(const Row &row) { return row.pk_bytes; }
  uint64_t tag(const Fingerprint &fingerprint, const Row &row) const {
    return has_key(row) ? fingerprint.of(row.pk, row.pk_bytes) : Grouping::alone;
  }
  // Of two rows with equal tags.
  static bool same_key(const Row &a, const Row &b) { return a.pk == b.pk || __builtin_memcmp(a.pk, b.pk, a.pk_bytes) == 0; }

  aioli_status expand(Key **key, void *memory, size_t bytes, const Row &row, const aioli_env *env) const {
    return aioli_verifier_init(key, memory, bytes, alg, row.pk, row.pk_bytes, env);
  }
  aioli_status with_key(const Key *key, const Row &r, const aioli_env *env) const {
    if (digests) return aioli_verifier_verify_digest(key, r.sig, r.sig_bytes, r.msg, r.msg_bytes, env);
    return aioli_verifier_verify(key, r.sig, r.sig_bytes, r.msg, r.msg_bytes, env);
  }
  aioli_status alone(const Row &r, const aioli_env *env) const {
    if (digests) return aioli_verify_digest(alg, r.sig, r.sig_bytes, r.msg, r.msg_bytes, r.pk, r.pk_bytes, env);
    return aioli_verify(alg, r.sig, r.sig_bytes, r.msg, r.msg_bytes, r.pk, r.pk_bytes, env);
  }
  void refuse(const Row &) const {}

  // What a call may write for a row, and what it reads if the row's own arguments are right.
  static constexpr size_t most_outputs = 0;
  Ranges<3> inputs(const Row &r) const {
    if (!hashes(r)) return {};
    return {{{r.sig, r.sig_bytes}, {r.msg, r.msg_bytes}, {r.pk, r.pk_bytes}}};
  }
};

// Secret keys are told apart by where they lie: a table of their contents would be looked up by secrets.
struct Sign {
  using Row = aioli_sign_row;
  using Key = aioli_signer;
  struct Tagger {
    explicit Tagger(uint64_t) {}
  };
  static constexpr uint32_t flags = AIOLI_BATCH_DIGESTS;
  static constexpr bool has_messages = true;
  static constexpr bool secret = true, tags_need_seed = false, may_cache = false;
  // Expansion takes 2.1 to 2.2 times what it saves in each signature with avx2, 1.2 times with portable code.
  static constexpr size_t worth = 3;

  const aioli_alg *alg;
  bool digests;

  size_t workspace_bytes() const { return workspace_of(alg, AIOLI_OP_SIGN, AIOLI_OP_SIGNER_INIT, AIOLI_OP_SIGNER_SIGN); }
  size_t expanded_bytes() const { return unless_copy(aioli_signer_bytes(alg), aioli_secret_key_bytes(alg)); }
  size_t random_bytes() const { return aioli_randomness_bytes(alg); }
  // Whether the one-shot call would get as far as to draw.
  bool draws(const Row &r) const {
    const bool message = digests ? r.msg != nullptr && r.msg_bytes == aioli_digest_bytes(alg) : !missing(r.msg, r.msg_bytes);
    return message && r.sig != nullptr && r.sig_bytes == aioli_signature_bytes(alg) && has_key(r) &&
           apart({r.sig, r.sig_bytes}, Range{r.msg, r.msg_bytes}, Range{r.sk, r.sk_bytes});
  }
  // As for verification.
  bool hashes(const Row &r) const { return draws(r); }

  static const uint8_t *key(const Row &row) { return row.sk; }
  static size_t key_bytes(const Row &row) { return row.sk_bytes; }
  uint64_t tag(const Tagger &, const Row &row) const {
    return has_key(row) ? uint64_t(reinterpret_cast<uintptr_t>(row.sk)) : Grouping::alone;
  }
  static bool same_key(const Row &, const Row &) { return true; }

  aioli_status expand(Key **key, void *memory, size_t bytes, const Row &row, const aioli_env *env) const {
    return aioli_signer_init(key, memory, bytes, alg, row.sk, row.sk_bytes, env);
  }
  aioli_status with_key(const Key *key, const Row &r, const aioli_env *env) const {
    if (digests) return aioli_signer_sign_digest(key, r.sig, r.sig_bytes, r.msg, r.msg_bytes, env);
    return aioli_signer_sign(key, r.sig, r.sig_bytes, r.msg, r.msg_bytes, env);
  }
  aioli_status alone(const Row &r, const aioli_env *env) const {
    if (digests) return aioli_sign_digest(alg, r.sig, r.sig_bytes, r.msg, r.msg_bytes, r.sk, r.sk_bytes, env);
    return aioli_sign(alg, r.sig, r.sig_bytes, r.msg, r.msg_bytes, r.sk, r.sk_bytes, env);
  }
  void refuse(const Row &row) const {
    if (row.sig != nullptr) zero(row.sig, outputs(row).of[0].n);
  }

  static constexpr size_t most_outputs = 1;
  Ranges<1> outputs(const Row &r) const {
    return {{{r.sig, smaller(r.sig_bytes, alg != nullptr ? aioli_signature_bytes(alg) : AIOLI_MAX_SIGNATURE_BYTES)}}};
  }
  Ranges<2> inputs(const Row &r) const {
    if (!draws(r)) return {};
    return {{{r.msg, r.msg_bytes}, {r.sk, r.sk_bytes}}};
  }

 private:
  bool has_key(const Row &row) const { return row.sk != nullptr && row.sk_bytes == aioli_secret_key_bytes(alg); }
};

struct Keypair {
  using Row = aioli_keypair_row;
  using Key = void;
  struct Tagger {
    explicit Tagger(uint64_t) {}
  };
  static constexpr uint32_t flags = 0;
  static constexpr bool has_messages = false;
  static constexpr bool secret = true, tags_need_seed = false, may_cache = false;
  static constexpr size_t worth = 1;

  const aioli_alg *alg;
  bool digests;

  size_t workspace_bytes() const { return workspace_of(alg, AIOLI_OP_KEYPAIR, AIOLI_OP_KEYPAIR, AIOLI_OP_KEYPAIR); }
  size_t expanded_bytes() const { return 0; }  // none: every row stands alone
  size_t random_bytes() const { return aioli_seed_bytes(alg); }
  static bool has_seed(const Row &r) { return r.seed != nullptr || r.seed_bytes != 0; }
  bool draws(const Row &r) const {
    return !has_seed(r) && r.pk != nullptr && r.sk != nullptr && r.pk_bytes == aioli_public_key_bytes(alg) &&
           r.sk_bytes == aioli_secret_key_bytes(alg);
  }

  static const uint8_t *key(const Row &) { return nullptr; }
  static size_t key_bytes(const Row &) { return 0; }
  uint64_t tag(const Tagger &, const Row &) const { return Grouping::alone; }
  static bool same_key(const Row &, const Row &) { return false; }
  aioli_status expand(Key **, void *, size_t, const Row &, const aioli_env *) const { return AIOLI_ERR_STATE; }
  aioli_status with_key(const Key *, const Row &, const aioli_env *) const { return AIOLI_ERR_STATE; }

  aioli_status alone(const Row &r, const aioli_env *env) const {
    if (!has_seed(r)) return aioli_keypair(alg, r.pk, r.pk_bytes, r.sk, r.sk_bytes, env);
    return aioli_keypair_from_seed(alg, r.pk, r.pk_bytes, r.sk, r.sk_bytes, r.seed, r.seed_bytes, env);
  }
  void refuse(const Row &row) const {
    const Ranges<2> out = outputs(row);
    if (row.pk != nullptr) zero(row.pk, out.of[0].n);
    if (row.sk == nullptr) return;
    const size_t cleared = out.of[1].n, kept = row.sk != row.seed ? 0 : smaller(row.seed_bytes, cleared);
    zero(row.sk + kept, cleared - kept);
  }

  static constexpr size_t most_outputs = 2;
  Ranges<2> outputs(const Row &r) const {
    return {{{r.pk, smaller(r.pk_bytes, alg != nullptr ? aioli_public_key_bytes(alg) : AIOLI_MAX_PUBLIC_KEY_BYTES)},
             {r.sk, smaller(r.sk_bytes, alg != nullptr ? aioli_secret_key_bytes(alg) : AIOLI_MAX_SECRET_KEY_BYTES)}}};
  }
  Ranges<1> inputs(const Row &r) const { return {{{r.seed, smaller(r.seed_bytes, aioli_seed_bytes(alg))}}}; }
};

}  // namespace aioli
