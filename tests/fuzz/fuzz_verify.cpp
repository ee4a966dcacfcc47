// SPDX-License-Identifier: Apache-2.0
//
// The input is
//   1 byte   parameter set
//   1 byte   0: the key has its exact length, otherwise that length plus this signed number
//   1 byte   the same for the signature
//   1 byte   where the message is cut in two for the streaming calls, and which of the calls are compared
//   key, signature, and the rest is the message
// All ways to verify must agree, on every length.
#include <aioli/aioli.h>

#include "fuzz.hpp"

namespace {

constexpr size_t header_bytes = 4;

size_t with_difference(size_t size, uint8_t difference) {
  const long changed = long(size) + int8_t(difference);
  return changed < 0 ? 0 : size_t(changed);
}

// Takes at most n bytes from the front of the input.
fuzz::Block take(const uint8_t *&data, size_t &size, size_t n) {
  n = std::min(n, size);
  fuzz::Block block(data, n);
  data += n;
  size -= n;
  return block;
}

aioli_hash hashed(const aioli_alg *alg, const fuzz::Block &msg, size_t cut) {
  aioli_hash h;
  FUZZ_CHECK(aioli_hash_init(&h, alg) == AIOLI_OK);
  FUZZ_CHECK(aioli_hash_update(&h, msg.data(), cut) == AIOLI_OK);
  FUZZ_CHECK(aioli_hash_update(&h, msg.data() + cut, msg.size() - cut) == AIOLI_OK);
  return h;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < header_bytes) return 0;
  const aioli_alg *alg = fuzz::algs()[data[0] % fuzz::algs().size()];
  const uint8_t pk_difference = data[1], sig_difference = data[2], cut_byte = data[3];
  data += header_bytes;
  size -= header_bytes;
  const fuzz::Block pk = take(data, size, with_difference(aioli_public_key_bytes(alg), pk_difference));
  const fuzz::Block sig = take(data, size, with_difference(aioli_signature_bytes(alg), sig_difference));
  const fuzz::Block msg = take(data, size, size);
  const size_t cut = msg.size() * cut_byte / 255;

  const aioli_status status = aioli_verify(alg, sig.data(), sig.size(), msg.data(), msg.size(), pk.data(), pk.size(), nullptr);
  const bool pk_fits = pk.size() == aioli_public_key_bytes(alg), sig_fits = sig.size() == aioli_signature_bytes(alg);
  if (pk_fits && sig_fits)
    FUZZ_CHECK(status == AIOLI_OK || status == AIOLI_ERR_SIGNATURE);
  else
    FUZZ_CHECK(status == AIOLI_ERR_LENGTH);

  fuzz::Block digest(aioli_digest_bytes(alg));
  aioli_hash h = hashed(alg, msg, cut);
  FUZZ_CHECK(aioli_hash_final(&h, digest.data(), digest.size()) == AIOLI_OK);
  h = hashed(alg, msg, cut);
  // A verification is slow under sanitizers: of the other two ways of a kind, each input takes one.
  const bool by_digest = (cut_byte & 1) != 0;
  FUZZ_CHECK((by_digest
                  ? aioli_verify_digest(alg, sig.data(), sig.size(), digest.data(), digest.size(), pk.data(), pk.size(), nullptr)
                  : aioli_verify_final(&h, sig.data(), sig.size(), pk.data(), pk.size(), nullptr)) == status);

  aioli_verifier *verifier = nullptr;
  const aioli_status made = aioli_verifier_new(&verifier, alg, pk.data(), pk.size());
  FUZZ_CHECK(made == (pk_fits ? AIOLI_OK : AIOLI_ERR_LENGTH));
  FUZZ_CHECK((verifier != nullptr) == (made == AIOLI_OK));
  if (verifier == nullptr) return 0;
  FUZZ_CHECK(aioli_verifier_alg(verifier) == alg);
  h = hashed(alg, msg, cut);
  aioli_status again = AIOLI_OK;
  switch (cut_byte >> 1 & 3) {
    case 0: again = aioli_verifier_verify_final(verifier, &h, sig.data(), sig.size(), nullptr); break;
    case 1: again = aioli_verifier_verify_digest(verifier, sig.data(), sig.size(), digest.data(), digest.size(), nullptr); break;
    default: again = aioli_verifier_verify(verifier, sig.data(), sig.size(), msg.data(), msg.size(), nullptr);
  }
  FUZZ_CHECK(again == status);
  aioli_verifier_free(verifier);
  return 0;
}

// For each set a valid signature, and one under a key of which a byte was changed.
std::vector<fuzz::Bytes> fuzz::seeds() {
  std::vector<Bytes> all;
  for (size_t i = 0; i < algs().size(); i++) {
    const aioli_alg *alg = algs()[i];
    const Bytes seed(aioli_seed_bytes(alg), uint8_t(i)), msg(3 * i, uint8_t('a' + i % 26));
    Bytes pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg)), sig(aioli_signature_bytes(alg));
    FUZZ_CHECK(aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) ==
               AIOLI_OK);
    FUZZ_CHECK(aioli_sign_deterministic(alg, sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(), nullptr) ==
               AIOLI_OK);
    FUZZ_CHECK(aioli_verify(alg, sig.data(), sig.size(), msg.data(), msg.size(), pk.data(), pk.size(), nullptr) == AIOLI_OK);
    Bytes input = {uint8_t(i), 0, 0, uint8_t(17 * i)};
    for (const Bytes &part : {pk, sig, msg}) input.insert(input.end(), part.begin(), part.end());
    all.push_back(input);
    input[header_bytes + 20] ^= 1;
    all.push_back(input);
  }
  return all;
}
