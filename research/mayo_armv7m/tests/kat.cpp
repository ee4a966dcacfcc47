// SPDX-License-Identifier: Apache-2.0
// One record of mayo_armv7m.json: kat NAME COUNT SEED MLEN DRAWN ATTEMPTS PK SK SIG.
//   - the key pair has the published digests;
//   - the published signature verifies;
//   - with the published solver in place of ours, signing gives its bytes and draws as much randomness in as many attempts;
//   - ours gives the same bytes if the published solver needed one attempt, else another signature, in the first attempt, which
//     verifies.
#include <cstdio>
#include <cstdlib>

#include "backend/portable/kernels.hpp"
#include "base/workspace.hpp"
#include "published_solver.hpp"
#include "stream.hpp"

using test::Buffer, test::Environment, test::Stream;

namespace {

int failures = 0;
void expect(bool good, const char *what) {
  if (!good) std::printf("WRONG: %s\n", what), failures++;
}

Buffer from_hex(const std::string &hex) {
  Buffer b;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) b.push_back(uint8_t(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return b;
}
Buffer digest(const Buffer &data) {
  Buffer d(32);
  aioli::shake256(d.data(), d.size(), aioli::View{data.data(), data.size()});
  return d;
}

template <class P> Buffer sign_as_published(const Buffer &msg, const Buffer &sk, Stream &stream) {
  using Scheme = aioli::armv7m::Mayo<P, aioli::PortableKernels<P>, aioli::PortableKernels<P>, test::PublishedSolver<P>>;
  Buffer sig(P::signature_bytes), memory(aioli::workspace_bytes<typename Scheme::Work::Sign>());
  aioli::Scratch<typename Scheme::Work::Sign> work(memory.data());
  const auto outcome = Scheme::sign(sig.data(), {msg.data(), msg.size()}, sk.data(), {Stream::rng, &stream}, *work);
  expect(outcome == aioli::armv7m::Outcome::done, "signing with the published solver");
  return sig;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 10) return std::puts("usage: kat NAME COUNT SEED MLEN DRAWN ATTEMPTS PK SK SIG"), 2;
  const std::string name = argv[1];
  const aioli_armv7m_set *set = test::variant(name);
  if (set == nullptr) return std::printf("no set %s\n", name.c_str()), 2;
  const Buffer seed = from_hex(argv[3]), published = from_hex(argv[9]);
  Buffer msg(size_t(std::stoi(argv[4])));
  for (size_t j = 0; j < msg.size(); j++) msg[j] = uint8_t(7 * j + size_t(std::stoi(argv[2])));
  const size_t drawn = size_t(std::stoi(argv[5])), attempts = size_t(std::stoi(argv[6]));
  const auto verify = [&](const Buffer &pk, const Buffer &sig) {
    return aioli_armv7m_verify(set, sig.data(), sig.size(), msg.data(), msg.size(), pk.data(), pk.size(),
                               Environment(set, AIOLI_OP_VERIFY)) == AIOLI_OK;
  };

  Stream ours(seed);
  Buffer pk(aioli_armv7m_public_key_bytes(set)), sk(aioli_armv7m_secret_key_bytes(set)), sig(aioli_armv7m_signature_bytes(set));
  expect(aioli_armv7m_keypair(set, pk.data(), pk.size(), sk.data(), sk.size(),
                              Environment(set, AIOLI_OP_KEYPAIR, Stream::rng, &ours)) == AIOLI_OK,
         "making keys");
  expect(digest(pk) == from_hex(argv[7]), "the public key");
  expect(digest(sk) == from_hex(argv[8]), "the secret key");
  expect(verify(pk, published), "the published signature does not verify");

  Stream theirs = ours;
  const Buffer again = name == "MAYO-armv7m-orig-1"  ? sign_as_published<aioli::armv7m::Orig1>(msg, sk, theirs)
                       : name == "MAYO-armv7m-new-1" ? sign_as_published<aioli::armv7m::New1>(msg, sk, theirs)
                                                     : sign_as_published<aioli::armv7m::New1K14>(msg, sk, theirs);
  expect(again == published, "the signature with the published solver");
  expect(theirs.drawn == drawn, "the randomness that the published solver used");

  expect(aioli_armv7m_sign(set, sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(),
                           Environment(set, AIOLI_OP_SIGN, Stream::rng, &ours)) == AIOLI_OK,
         "signing");
  expect((drawn - 32) % attempts == 0 && ours.drawn == 32 + (drawn - 32) / attempts, "more than one attempt");
  expect((sig == published) == (attempts == 1), "our signature");
  expect(verify(pk, sig), "our signature does not verify");
  if (failures == 0) std::printf("%s, record %s: as published\n", name.c_str(), argv[2]);
  return failures != 0;
}
