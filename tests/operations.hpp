// SPDX-License-Identifier: Apache-2.0
// Every operation that takes a workspace, of one key and one message: same call, other environment.
#pragma once
#include <algorithm>
#include <cstdlib>

#include "support.hpp"

namespace test {

constexpr aioli_op all_operations[] = {AIOLI_OP_KEYPAIR,        AIOLI_OP_SIGN,        AIOLI_OP_VERIFY,
                                       AIOLI_OP_SIGNER_INIT,    AIOLI_OP_SIGNER_SIGN, AIOLI_OP_VERIFIER_INIT,
                                       AIOLI_OP_VERIFIER_VERIFY};
constexpr const char *operation_names[] = {"keypair",     "sign",          "verify",         "signer init",
                                           "signer sign", "verifier init", "verifier verify"};

// The expanded keys are made by the backend that runs during construction.
class Operations {
 public:
  explicit Operations(const aioli_alg *alg)
      : key(alg),
        message(pattern(100, 1)),
        signature(key.sign(message)),
        signer_(aioli_signer_bytes(alg)),
        verifier_(aioli_verifier_bytes(alg)),
        made_(std::max(signer_.size(), verifier_.size())) {
    if (aioli_signer_init(&signer, signer_.data(), signer_.size(), alg, key.sk.data(), key.sk.size(), nullptr) != AIOLI_OK ||
        aioli_verifier_init(&verifier, verifier_.data(), verifier_.size(), alg, key.pk.data(), key.pk.size(), nullptr) !=
            AIOLI_OK)
      abort();
  }
  Operations(const Operations &) = delete;

  // Signs with R = 0 if env says so.  What was put out is then in `out`; of an expanded key, if one was made, all bytes behind
  // its header.
  aioli_status run(aioli_op op, const aioli_env &env) {
    const aioli_alg *alg = key.alg;
    const uint8_t *m = message.data(), *sk = key.sk.data(), *pk = key.pk.data();
    const size_t m_n = message.size(), sk_n = key.sk.size(), pk_n = key.pk.size(), n = signature.size();
    out.clear();
    switch (op) {
      case AIOLI_OP_KEYPAIR: out.assign(pk_n, 1); return aioli_public_from_secret(alg, out.data(), pk_n, sk, sk_n, &env);
      case AIOLI_OP_SIGN: out.assign(n, 1); return aioli_sign(alg, out.data(), n, m, m_n, sk, sk_n, &env);
      case AIOLI_OP_VERIFY: return aioli_verify(alg, signature.data(), n, m, m_n, pk, pk_n, &env);
      case AIOLI_OP_SIGNER_INIT: {
        aioli_signer *made = signer;
        std::fill(made_.begin(), made_.end(), uint8_t(1));
        const aioli_status status = aioli_signer_init(&made, made_.data(), signer_.size(), alg, sk, sk_n, &env);
        return expanded(status, made, signer_.size());
      }
      case AIOLI_OP_SIGNER_SIGN: out.assign(n, 1); return aioli_signer_sign(signer, out.data(), n, m, m_n, &env);
      case AIOLI_OP_VERIFIER_INIT: {
        aioli_verifier *made = verifier;
        std::fill(made_.begin(), made_.end(), uint8_t(1));
        const aioli_status status = aioli_verifier_init(&made, made_.data(), verifier_.size(), alg, pk, pk_n, &env);
        return expanded(status, made, verifier_.size());
      }
      case AIOLI_OP_VERIFIER_VERIFY: return aioli_verifier_verify(verifier, signature.data(), n, m, m_n, &env);
    }
    abort();
  }

  Key key;
  Buffer message, signature, out;
  aioli_signer *signer = nullptr;
  aioli_verifier *verifier = nullptr;

 private:
  static constexpr size_t header = 64, alignment = 64;

  aioli_status expanded(aioli_status status, const void *object, size_t stated) {
    if ((status == AIOLI_OK) != (object != nullptr)) abort();
    const uint8_t *p = static_cast<const uint8_t *>(object);
    if (p != nullptr) out.assign(p + header, p + stated - (alignment - 1));
    return status;
  }

  Buffer signer_, verifier_, made_;
};

}  // namespace test
