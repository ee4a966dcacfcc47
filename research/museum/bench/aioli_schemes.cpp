// SPDX-License-Identifier: Apache-2.0
// Current sets of the library for comparison, through its C interface: once with the keys as they are stored, once expanded.
#include <aioli/aioli.h>

#include <stdexcept>

#include "museum/bench/scheme.hpp"

namespace museum::bench {

static void require(aioli_status status) {
  if (status != AIOLI_OK) throw std::runtime_error(std::string("aioli: ") + aioli_status_text(status));
}

namespace {

struct Signer {
  void operator()(aioli_signer *p) const { aioli_signer_free(p); }
};
struct Verifier {
  void operator()(aioli_verifier *p) const { aioli_verifier_free(p); }
};
struct Stored {
  Bytes pk, sk;
};
struct Expanded {
  std::unique_ptr<aioli_signer, Signer> signer;
  std::unique_ptr<aioli_verifier, Verifier> verifier;
};

Stored stored(const aioli_alg *alg) {
  Stored pair{Bytes(aioli_public_key_bytes(alg)), Bytes(aioli_secret_key_bytes(alg))};
  require(aioli_keypair(alg, pair.pk.data(), pair.pk.size(), pair.sk.data(), pair.sk.size(), nullptr));
  return pair;
}

}  // namespace

std::vector<Scheme> aioli_schemes() {
  std::vector<Scheme> all;
  for (size_t i = 0; i < aioli_alg_count(); i++) {
    const aioli_alg *alg = aioli_alg_at(i);
    const std::string name = aioli_alg_name(alg);
    if (name.find("-r1") != name.npos || name.find("-r2") != name.npos) continue;  // superseded
    all.push_back(scheme(
        "aioli", name, aioli_backend_active(), "candidate", [=](const Bytes &) { return stored(alg); },
        [=](const Stored &pair, const Bytes &message) {
          Bytes signature(aioli_signature_bytes(alg));
          require(aioli_sign(alg, signature.data(), signature.size(), message.data(), message.size(), pair.sk.data(),
                             pair.sk.size(), nullptr));
          return signature;
        },
        [=](const Stored &pair, const Bytes &message, const Bytes &signature) {
          return aioli_verify(alg, signature.data(), signature.size(), message.data(), message.size(), pair.pk.data(),
                              pair.pk.size(), nullptr) == AIOLI_OK;
        },
        [=](const Stored &) {
          return Sizes{aioli_public_key_bytes(alg), aioli_secret_key_bytes(alg), aioli_signature_bytes(alg)};
        }));
    if (name.find("-pkc") != name.npos) continue;  // expands to what the classic keys expand to
    all.push_back(scheme(
        "aioli", name + ", expanded keys", aioli_backend_active(), "candidate",
        [=](const Bytes &) {
          const Stored pair = stored(alg);
          aioli_signer *signer = nullptr;
          aioli_verifier *verifier = nullptr;
          require(aioli_signer_new(&signer, alg, pair.sk.data(), pair.sk.size()));
          Expanded expanded{std::unique_ptr<aioli_signer, Signer>(signer), {}};
          require(aioli_verifier_new(&verifier, alg, pair.pk.data(), pair.pk.size()));
          expanded.verifier.reset(verifier);
          return expanded;
        },
        [=](const Expanded &pair, const Bytes &message) {
          Bytes signature(aioli_signature_bytes(alg));
          require(
              aioli_signer_sign(pair.signer.get(), signature.data(), signature.size(), message.data(), message.size(), nullptr));
          return signature;
        },
        [=](const Expanded &pair, const Bytes &message, const Bytes &signature) {
          return aioli_verifier_verify(pair.verifier.get(), signature.data(), signature.size(), message.data(), message.size(),
                                       nullptr) == AIOLI_OK;
        },
        [=](const Expanded &) { return Sizes{aioli_verifier_bytes(alg), aioli_signer_bytes(alg), aioli_signature_bytes(alg)}; }));
  }
  return all;
}

}  // namespace museum::bench
