// SPDX-License-Identifier: Apache-2.0
// NIST's own procedure through its own interface: record 0 of MAYO-1, with NIST's generator as the program's randombytes.
#include <aioli/nistapi.h>

#include <cstdio>
#include <cstring>

#include "../../cli/drbg.hpp"
#include "../kat/sha256.hpp"
#include "support.hpp"

static aioli::cli::NistDrbg *generator;
static bool generator_fails;

extern "C" int randombytes(unsigned char *x, unsigned long long n) {
  if (generator_fails) return -1;
  generator->generate({x, size_t(n)});
  return 0;
}

static std::string hex(const uint8_t *p, size_t n) {
  std::string s;
  for (size_t i = 0; i < n; i++) s += "0123456789ABCDEF"[p[i] >> 4], s += "0123456789ABCDEF"[p[i] & 15];
  return s;
}

#define REQUIRE(condition) \
  if (!(condition)) return std::printf("line %d: %s\n", __LINE__, #condition), 1

int main() {
  uint8_t outer_seed[48], seed[48], msg[33];
  for (int i = 0; i < 48; i++) outer_seed[i] = uint8_t(i);
  aioli::cli::NistDrbg outer(outer_seed);
  outer.generate(seed);
  outer.generate(msg);
  aioli::cli::NistDrbg inner(seed);
  generator = &inner;
  test::Buffer pk(AIOLI_MAYO_1_PUBLIC_KEY_BYTES), sk(AIOLI_MAYO_1_SECRET_KEY_BYTES), sm(AIOLI_MAYO_1_SIGNATURE_BYTES + 33),
      m(sm.size(), 1);
  unsigned long long smlen = 0, mlen = 1;
  REQUIRE(crypto_sign_keypair(pk.data(), sk.data()) == 0);
  REQUIRE(crypto_sign(sm.data(), &smlen, msg, 33, sk.data()) == 0 && smlen == sm.size());
  const std::string record = "count = 0\nseed = " + hex(seed, 48) + "\nmlen = 33\nmsg = " + hex(msg, 33) +
                             "\npk = " + hex(pk.data(), pk.size()) + "\nsk = " + hex(sk.data(), sk.size()) +
                             "\nsmlen = " + std::to_string(smlen) + "\nsm = " + hex(sm.data(), sm.size()) + "\n";
  REQUIRE(test::sha256_hex(record) == "860cb113d7f5d7c8cb34d8f2a4845eea3480d6a0add3c8aada3186061c9e1288");
  REQUIRE(crypto_sign_open(m.data(), &mlen, sm.data(), smlen, pk.data()) == 0 && mlen == 33 &&
          std::memcmp(m.data(), msg, 33) == 0);
  sm[0] ^= 1;
  REQUIRE(crypto_sign_open(m.data(), &mlen, sm.data(), smlen, pk.data()) == AIOLI_ERR_SIGNATURE && mlen == 0);
  REQUIRE(m[0] == 0 && m[32] == 0);
  REQUIRE(crypto_sign_open(m.data(), &mlen, sm.data(), AIOLI_MAYO_1_SIGNATURE_BYTES - 1, pk.data()) == AIOLI_ERR_LENGTH);
  generator_fails = true;
  REQUIRE(crypto_sign_keypair(pk.data(), sk.data()) == AIOLI_ERR_RNG && test::all_zero(pk) && test::all_zero(sk));
  REQUIRE(crypto_sign(sm.data(), &smlen, msg, 33, sk.data()) == AIOLI_ERR_RNG && smlen == 0 && test::all_zero(sm));
  std::puts("the NIST interface gives the published record");
  return 0;
}
