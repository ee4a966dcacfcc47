// SPDX-License-Identifier: Apache-2.0
// The interface of NIST's call with a set of UOV, whose signed messages begin with the message.
#include <aioli/aioli.h>
#include <aioli/nistapi.h>

#include <cstdio>
#include <cstring>
#include <vector>

static int failures = 0;
static void expect(bool good, const char *what) {
  if (!good) std::printf("FAILED: %s\n", what), failures++;
}

int main() {
  const aioli_alg *alg = aioli_alg_by_name("UOV-Ip-pkc-skc");
  const size_t n = aioli_signature_bytes(alg);
  std::vector<unsigned char> pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg));
  expect(crypto_sign_keypair(pk.data(), sk.data()) == 0, "keys");
  const unsigned char m[] = "message first";
  std::vector<unsigned char> sm(sizeof m + n), out(sm.size());
  unsigned long long smlen = 0, mlen = 0;
  expect(crypto_sign(sm.data(), &smlen, m, sizeof m, sk.data()) == 0 && smlen == sm.size(), "signing");
  expect(std::memcmp(sm.data(), m, sizeof m) == 0, "the message does not come first");
  expect(aioli_verify(alg, sm.data() + sizeof m, n, m, sizeof m, pk.data(), pk.size(), nullptr) == AIOLI_OK,
         "the signature behind it");
  expect(crypto_sign_open(out.data(), &mlen, sm.data(), smlen, pk.data()) == 0 && mlen == sizeof m, "opening");
  expect(std::memcmp(out.data(), m, sizeof m) == 0, "the message that was opened");
  std::vector<unsigned char> place(sm.begin(), sm.end());  // in place
  expect(crypto_sign(place.data(), &smlen, place.data(), sizeof m, sk.data()) == 0, "signing in place");
  expect(crypto_sign_open(place.data(), &mlen, place.data(), smlen, pk.data()) == 0 && std::memcmp(place.data(), m, mlen) == 0,
         "opening in place");
  sm[2] ^= 1;
  expect(crypto_sign_open(out.data(), &mlen, sm.data(), smlen, pk.data()) == AIOLI_ERR_SIGNATURE && mlen == 0 && out[0] == 0,
         "a changed message");
  expect(crypto_sign_open(out.data(), &mlen, sm.data(), n - 1, pk.data()) == AIOLI_ERR_LENGTH, "a short one");
  return failures != 0;
}
