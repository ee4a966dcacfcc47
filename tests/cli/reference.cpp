// SPDX-License-Identifier: Apache-2.0
// reference sign ALG SECRET-KEY-HEX           message on standard input, bare deterministic signature on standard output
// reference verify ALG PUBLIC-KEY-HEX SIG-HEX message on standard input; exit status 0 valid, 1 not valid, 3 anything else
// reference public ALG SECRET-KEY-HEX         public key in hex on standard output
#include <aioli/aioli.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "reference: %s\n", what.c_str());
  std::exit(3);
}

void need(aioli_status status) {
  if (status != AIOLI_OK) fail(aioli_status_text(status));
}

Bytes from_hex(const std::string &hex) {
  if (hex.size() % 2 != 0) fail("odd number of digits");
  Bytes bytes;
  for (size_t i = 0; i < hex.size(); i += 2) bytes.push_back(uint8_t(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

Bytes standard_input() { return Bytes(std::istreambuf_iterator<char>(std::cin), {}); }

}  // namespace

int main(int count, char **arguments) {
  if (count < 4) fail("too few arguments");
  const std::string command = arguments[1];
  const aioli_alg *alg = aioli_alg_by_name(arguments[2]);
  if (alg == nullptr) fail("no such algorithm");
  const Bytes key = from_hex(arguments[3]);
  if (command == "sign") {
    const Bytes message = standard_input();
    Bytes signature(aioli_signature_bytes(alg));
    need(aioli_sign_deterministic(alg, signature.data(), signature.size(), message.data(), message.size(), key.data(), key.size(),
                                  nullptr));
    if (std::fwrite(signature.data(), 1, signature.size(), stdout) != signature.size() || std::fflush(stdout) != 0)
      fail("stdout");
    return 0;
  }
  if (command == "verify" && count == 5) {
    const Bytes message = standard_input(), signature = from_hex(arguments[4]);
    const aioli_status status =
        aioli_verify(alg, signature.data(), signature.size(), message.data(), message.size(), key.data(), key.size(), nullptr);
    if (status == AIOLI_ERR_SIGNATURE) return 1;
    need(status);
    return 0;
  }
  if (command == "public") {
    Bytes public_key(aioli_public_key_bytes(alg));
    need(aioli_public_from_secret(alg, public_key.data(), public_key.size(), key.data(), key.size(), nullptr));
    for (uint8_t byte : public_key) std::printf("%02x", byte);
    return std::fflush(stdout) == 0 ? 0 : 3;
  }
  fail("unknown command");
}
