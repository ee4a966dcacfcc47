// SPDX-License-Identifier: Apache-2.0
// The known answers of one set, named on the command line, under every backend: a hundred records through the C interface, with
// streamed and with stored keys, their SHA-256 compared with the committed digests.  `kat NAME DIGEST_OF_RECORD_0 DIGEST_OF_ALL
// [HEADER]`: with a header line, the digest is that of a whole file, every record followed by a blank line, and messages come
// before their signatures (UOV).  AIOLI_KAT_QUICK: record 0 only, for slow machines; AIOLI_KAT_FASTEST: the hundred, on the
// default backend only.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../../cli/drbg.hpp"
#include "sha256.hpp"
#include "support.hpp"

using test::Buffer;

static std::string hex(const Buffer &b) {
  std::string s;
  s.reserve(2 * b.size());
  for (uint8_t x : b) s += "0123456789ABCDEF"[x >> 4], s += "0123456789ABCDEF"[x & 15];
  return s;
}

static void require(aioli_status status, const char *what, int count) {
  if (status == AIOLI_OK) return;
  std::printf("record %d: %s: %s\n", count, what, aioli_status_text(status));
  std::exit(1);
}

struct Answers {
  std::string first, all;
};

// With stored keys: signer and verifier objects instead of the compact keys.
static Answers answers(const aioli_alg *alg, bool stored, int records, const char *header) {
  uint8_t outer_seed[48];
  for (int i = 0; i < 48; i++) outer_seed[i] = uint8_t(i);
  aioli::cli::NistDrbg outer(outer_seed);
  Answers a;
  test::Sha256 all;
  if (header != nullptr) all.add(std::string(header) + "\n\n");
  for (int count = 0; count < records; count++) {
    Buffer seed(48), msg(33 * (size_t(count) + 1));
    outer.generate(seed);
    outer.generate(msg);
    aioli::cli::NistDrbg inner{std::span(seed).first<48>()};
    aioli_env env = {};
    env.rng = aioli::cli::NistDrbg::rng;
    env.rng_context = &inner;
    Buffer pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg)), sig(aioli_signature_bytes(alg));
    require(aioli_keypair(alg, pk.data(), pk.size(), sk.data(), sk.size(), &env), "keypair", count);
    if (stored) {
      aioli_signer *signer = nullptr;
      aioli_verifier *verifier = nullptr;
      require(aioli_signer_new(&signer, alg, sk.data(), sk.size()), "signer", count);
      require(aioli_verifier_new(&verifier, alg, pk.data(), pk.size()), "verifier", count);
      require(aioli_signer_sign(signer, sig.data(), sig.size(), msg.data(), msg.size(), &env), "sign", count);
      require(aioli_verifier_verify(verifier, sig.data(), sig.size(), msg.data(), msg.size(), nullptr), "verify", count);
      aioli_signer_free(signer);
      aioli_verifier_free(verifier);
    } else {
      require(aioli_sign(alg, sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(), &env), "sign", count);
      require(aioli_verify(alg, sig.data(), sig.size(), msg.data(), msg.size(), pk.data(), pk.size(), nullptr), "verify", count);
    }
    Buffer sm = header != nullptr ? msg : sig;
    const Buffer &second = header != nullptr ? sig : msg;
    sm.insert(sm.end(), second.begin(), second.end());
    std::string r = "count = " + std::to_string(count) + "\nseed = " + hex(seed) + "\nmlen = " + std::to_string(msg.size()) +
                    "\nmsg = " + hex(msg) + "\npk = " + hex(pk) + "\nsk = " + hex(sk) + "\nsmlen = " + std::to_string(sm.size()) +
                    "\nsm = " + hex(sm) + "\n";
    if (count == 0) a.first = test::sha256_hex(r);
    if (count > 0 && header == nullptr) all.add("\n");
    all.add(r);
    if (header != nullptr) all.add("\n");
  }
  a.all = all.hex();
  return a;
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5) return std::puts("usage: kat NAME DIGEST_OF_RECORD_0 DIGEST_OF_ALL_100 [HEADER]"), 2;
  const aioli_alg *alg = aioli_alg_by_name(argv[1]);
  if (alg == nullptr) return std::printf("no algorithm %s\n", argv[1]), 2;
  if (test::sha256_hex("abc") != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    return std::puts("SHA-256 is wrong"), 2;
  const bool quick = std::getenv("AIOLI_KAT_QUICK") != nullptr;
  int bad = 0;
  const auto compare = [&](const std::string &backend, bool stored) {
    const Answers a = answers(alg, stored, quick ? 1 : 100, argc == 5 ? argv[4] : nullptr);
    const bool good = a.first == argv[2] && (quick || a.all == argv[3]);
    std::printf("%s, %s, %s keys: %s\n", argv[1], backend.c_str(), stored ? "stored" : "streamed",
                good ? "as published" : "WRONG");
    bad += !good;
  };
  if (!quick && std::getenv("AIOLI_KAT_FASTEST") != nullptr)
    compare(aioli_backend_active(), false);
  else
    test::each_backend([&](const std::string &backend) {
      for (const bool stored : {false, true}) compare(backend, stored);
    });
  return bad != 0;
}
