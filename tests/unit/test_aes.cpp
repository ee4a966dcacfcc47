// SPDX-License-Identifier: Apache-2.0
// AES-128 against published examples: first the tests' own AES, with which the keystreams of all backends are compared (kernels),
// then the portable one.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "oracle/aes.hpp"
#include "symmetric/aes128_ctr.hpp"

namespace {

oracle::Bytes bytes_of(const std::string &hex) {
  oracle::Bytes b;
  for (size_t i = 0; i < hex.size(); i += 2) b.push_back(uint8_t(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return b;
}

struct Example {
  const char *from, *key, *in, *out;
};
const char *const key_38a = "2b7e151628aed2a6abf7158809cf4f3c";
const Example examples[] = {
    {"FIPS 197, appendix B", key_38a, "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
    {"FIPS 197, appendix C.1", "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
     "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"SP 800-38A, F.1.1, block 1", key_38a, "6bc1bee22e409f96e93d7e117393172a", "3ad77bb40d7a3660a89ecaf32466ef97"},
    {"SP 800-38A, F.1.1, block 2", key_38a, "ae2d8a571e03ac9c9eb76fac45af8e51", "f5d3d58503b9699de785895a96fdbaaf"},
    {"SP 800-38A, F.1.1, block 3", key_38a, "30c81c46a35ce411e5fbc1191a0a52ef", "43b1cd7f598ece23881b00e3ed030688"},
    {"SP 800-38A, F.1.1, block 4", key_38a, "f69f2445df4f9b17ad2b417be66c3710", "7b0c785e27e8ad3f8223207104725dd4"},
    {"SP 800-38A, F.5.1, counter 1", key_38a, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "ec8cdf7398607cb0f2d21675ea9ea1e4"},
    {"SP 800-38A, F.5.1, counter 2", key_38a, "f0f1f2f3f4f5f6f7f8f9fafbfcfdff00", "362b7c3c6773516318a077d7fc5073ae"},
    {"SP 800-38A, F.5.1, counter 3", key_38a, "f0f1f2f3f4f5f6f7f8f9fafbfcfdff01", "6a2cc3787889374fbeb4c81b17ba6c44"},
    {"SP 800-38A, F.5.1, counter 4", key_38a, "f0f1f2f3f4f5f6f7f8f9fafbfcfdff02", "e89c399ff0f198c6d40a31db156cabfe"},
};

}  // namespace

TEST_CASE("the tests' own AES agrees with the standards") {
  for (const Example &e : examples) {
    INFO(e.from);
    oracle::Aes128::Block in;
    std::memcpy(in.data(), bytes_of(e.in).data(), 16);
    const oracle::Aes128::Block out = oracle::Aes128(bytes_of(e.key).data()).encrypt(in);
    CHECK(oracle::Bytes(out.begin(), out.end()) == bytes_of(e.out));
  }
}

// Block c of a keystream is the encryption of IV xor c; so every block of every batch can be made to give a published answer.
TEST_CASE("the portable AES agrees with the standards, at every place of a batch") {
  constexpr int batch = aioli::Aes128Portable::batch;
  for (const Example &e : examples) {
    INFO(e.from);
    for (uint32_t first : {uint32_t(0), uint32_t(batch), uint32_t(0x12345670), uint32_t(0) - batch})
      for (int i = 0; i < batch; i++) {
        const uint32_t c = first + uint32_t(i);
        oracle::Bytes iv = bytes_of(e.in), out(16 * batch);
        for (size_t b = 0; b < 4; b++) iv[12 + b] = uint8_t(iv[12 + b] ^ c >> (24 - 8 * b));
        aioli::Aes128Portable aes;
        aes.init(bytes_of(e.key).data(), iv.data());
        aes.keystream(out.data(), first, batch);
        CHECK(oracle::Bytes(out.begin() + 16 * i, out.begin() + 16 * i + 16) == bytes_of(e.out));
      }
  }
}
