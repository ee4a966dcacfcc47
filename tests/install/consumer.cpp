// SPDX-License-Identifier: Apache-2.0
// A C++ program of a stranger: signs a message that comes in pieces with an expanded key, in the classes it likes.
#include <aioli/aioli.h>
#include <aioli/keyfile.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void must(aioli_status status) {
  if (status != AIOLI_OK) throw std::runtime_error(aioli_status_text(status));
}

struct Free {
  void operator()(aioli_signer *s) const { aioli_signer_free(s); }
  void operator()(aioli_verifier *v) const { aioli_verifier_free(v); }
};

const uint8_t *bytes(const std::string &s) { return reinterpret_cast<const uint8_t *>(s.data()); }

}  // namespace

int main() try {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  if (alg == nullptr) throw std::runtime_error("there is no MAYO-2");
  std::vector<uint8_t> pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg)), sig(aioli_signature_bytes(alg));
  must(aioli_keypair(alg, pk.data(), pk.size(), sk.data(), sk.size(), nullptr));

  aioli_signer *raw_signer = nullptr;
  must(aioli_signer_new(&raw_signer, alg, sk.data(), sk.size()));
  const std::unique_ptr<aioli_signer, Free> signer(raw_signer);
  aioli_verifier *raw_verifier = nullptr;
  must(aioli_verifier_new(&raw_verifier, alg, pk.data(), pk.size()));
  const std::unique_ptr<aioli_verifier, Free> verifier(raw_verifier);

  const std::string first = "a message ", second = "in two pieces", whole = first + second;
  aioli_hash h;
  must(aioli_hash_init(&h, alg));
  must(aioli_hash_update(&h, bytes(first), first.size()));
  must(aioli_hash_update(&h, bytes(second), second.size()));
  must(aioli_signer_sign_final(signer.get(), &h, sig.data(), sig.size(), nullptr));

  must(aioli_verifier_verify(verifier.get(), sig.data(), sig.size(), bytes(whole), whole.size(), nullptr));
  must(aioli_verify(alg, sig.data(), sig.size(), bytes(whole), whole.size(), pk.data(), pk.size(), nullptr));
  sig[sig.size() / 2] ^= 1;
  if (aioli_verifier_verify(verifier.get(), sig.data(), sig.size(), bytes(whole), whole.size(), nullptr) != AIOLI_ERR_SIGNATURE)
    throw std::runtime_error("a changed signature is not refused");
  std::printf("aioli %s from C++: signed in pieces, verified whole\n", aioli_version());
  return 0;
} catch (const std::exception &error) {
  std::printf("failed: %s\n", error.what());
  return 1;
}
