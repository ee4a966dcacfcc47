// SPDX-License-Identifier: Apache-2.0
//
// The input is
//   1 byte   parameter set
//   1 byte   which byte of the signature is changed for the second verification
//   1 byte   by what (0: nothing is)
//   secret key, randomness (padded with zeros), and the rest is the message
// Every backend that this machine can run must give the bytes that the portable one gives, with plain and with expanded keys.
#include <aioli/aioli.h>
#include <aioli/research.h>

#include <string>

#include "fuzz.hpp"

namespace {

constexpr size_t header_bytes = 3;

fuzz::Bytes take(const uint8_t *&data, size_t &size, size_t n) {
  fuzz::Bytes bytes(n);
  const size_t have = std::min(n, size);
  std::copy(data, data + have, bytes.begin());
  data += have;
  size -= have;
  return bytes;
}

// Hands out given bytes, once.
int give(void *context, uint8_t *out, size_t n) {
  const fuzz::Bytes &bytes = *static_cast<const fuzz::Bytes *>(context);
  if (n != bytes.size()) return -1;
  std::copy(bytes.begin(), bytes.end(), out);
  return 0;
}

struct Outcome {
  aioli_status keys, signed_, signed_expanded, verified[2][2];
  fuzz::Bytes pk, sk, sig, sig_expanded;
  bool operator==(const Outcome &) const = default;
};

struct Case {
  const aioli_alg *alg;
  size_t changed;
  uint8_t by;
  fuzz::Bytes seed, R, msg;
};

Outcome run(const Case &c) {
  Outcome out = {};
  out.pk.resize(aioli_public_key_bytes(c.alg));
  out.sk.resize(aioli_secret_key_bytes(c.alg));
  out.sig.resize(aioli_signature_bytes(c.alg));
  out.sig_expanded.resize(out.sig.size());
  out.keys = aioli_keypair_from_seed(c.alg, out.pk.data(), out.pk.size(), out.sk.data(), out.sk.size(), c.seed.data(),
                                     c.seed.size(), nullptr);
  fuzz::Bytes R = c.R;
  const aioli_env env = {give, &R, nullptr, 0};
  out.signed_ = aioli_sign(c.alg, out.sig.data(), out.sig.size(), c.msg.data(), c.msg.size(), out.sk.data(), out.sk.size(), &env);
  aioli_signer *signer = nullptr;
  aioli_verifier *verifier = nullptr;
  FUZZ_CHECK(aioli_signer_new(&signer, c.alg, out.sk.data(), out.sk.size()) == AIOLI_OK);
  FUZZ_CHECK(aioli_verifier_new(&verifier, c.alg, out.pk.data(), out.pk.size()) == AIOLI_OK);
  out.signed_expanded =
      aioli_signer_sign(signer, out.sig_expanded.data(), out.sig_expanded.size(), c.msg.data(), c.msg.size(), &env);
  fuzz::Bytes sig = out.sig;
  for (int changed = 0; changed < 2; changed++) {
    if (changed == 1) sig[c.changed % sig.size()] ^= c.by;
    out.verified[changed][0] =
        aioli_verify(c.alg, sig.data(), sig.size(), c.msg.data(), c.msg.size(), out.pk.data(), out.pk.size(), nullptr);
    out.verified[changed][1] = aioli_verifier_verify(verifier, sig.data(), sig.size(), c.msg.data(), c.msg.size(), nullptr);
  }
  aioli_signer_free(signer);
  aioli_verifier_free(verifier);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < header_bytes) return 0;
  Case c = {fuzz::algs()[data[0] % fuzz::algs().size()], data[1], data[2], {}, {}, {}};
  data += header_bytes;
  size -= header_bytes;
  c.seed = take(data, size, aioli_seed_bytes(c.alg));
  c.R = take(data, size, aioli_randomness_bytes(c.alg));
  c.msg = take(data, size, size);

  FUZZ_CHECK(aioli_backend_use("portable") == AIOLI_OK);
  const Outcome expected = run(c);
  FUZZ_CHECK(expected.keys == AIOLI_OK && expected.signed_ == AIOLI_OK && expected.sig_expanded == expected.sig);
  FUZZ_CHECK(expected.verified[0][0] == AIOLI_OK && expected.verified[0][1] == AIOLI_OK);
  FUZZ_CHECK(expected.verified[1][0] == expected.verified[1][1]);
  for (size_t b = 0; b < aioli_backend_count(); b++) {
    if (!aioli_backend_usable(b)) continue;
    FUZZ_CHECK(aioli_backend_use(aioli_backend_name(b)) == AIOLI_OK);
    FUZZ_CHECK(run(c) == expected);
  }
  FUZZ_CHECK(aioli_backend_use(nullptr) == AIOLI_OK);
  return 0;
}

std::vector<fuzz::Bytes> fuzz::seeds() {
  std::vector<Bytes> all;
  for (size_t i = 0; i < algs().size(); i++) {
    Bytes input = {uint8_t(i), uint8_t(40 * i), uint8_t(i % 3)};
    for (int n = 0; n < 100; n++) input.push_back(uint8_t(37 * n + int(i)));
    all.push_back(input);
  }
  return all;
}
