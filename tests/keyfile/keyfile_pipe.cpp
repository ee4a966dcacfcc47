// SPDX-License-Identifier: Apache-2.0
//
// The key-file calls as a filter, for tests in other languages.  One request per line, one answer per line:
//   list                          NAME OID SK_BYTES PK_BYTES, and so on for all sets, in one line
//   public NAME SK_HEX            STATUS PK_HEX
//   encode NAME KIND ENCODING KEY_HEX   STATUS FILE_HEX
//   decode FILE_HEX               STATUS NAME KIND KEY_HEX
// KIND and ENCODING are the numbers of the C interface, STATUS is its status; what there is none of is "-".
#include <aioli/keyfile.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

[[noreturn]] void fail(const std::string &why) {
  std::cerr << "keyfile_pipe: " << why << "\n";
  std::exit(2);
}

Bytes from_hex(const std::string &hex) {
  if (hex == "-") return {};
  if (hex.size() % 2 != 0) fail("odd number of hex digits");
  Bytes out(hex.size() / 2);
  for (size_t i = 0; i < out.size(); i++) {
    size_t used = 0;
    out[i] = uint8_t(std::stoi(hex.substr(2 * i, 2), &used, 16));
    if (used != 2) fail("no hex digits: " + hex.substr(2 * i, 2));
  }
  return out;
}

std::string to_hex(const uint8_t *p, size_t n) {
  static const char digits[] = "0123456789abcdef";
  std::string out;
  for (size_t i = 0; i < n; i++) out += {digits[p[i] >> 4], digits[p[i] & 15]};
  return n == 0 ? "-" : out;
}

const aioli_alg *algorithm(const std::string &name) {
  const aioli_alg *alg = aioli_alg_by_name(name.c_str());
  if (alg == nullptr) fail("no such set: " + name);
  return alg;
}

std::string answer(std::istringstream &request) {
  std::ostringstream out;
  std::string what, name, hex;
  int kind = 0, encoding = 0;
  request >> what;
  if (what == "list") {
    for (size_t i = 0; i < aioli_alg_count(); i++) {
      const aioli_alg *a = aioli_alg_at(i);
      if (aioli_public_key_bytes(a) > 10000) continue;  // UOV's files differ by nothing but their size
      out << (i ? " " : "") << aioli_alg_name(a) << " " << aioli_key_oid(a, nullptr) << " " << aioli_secret_key_bytes(a) << " "
          << aioli_public_key_bytes(a);
    }
  } else if (what == "public" && request >> name >> hex) {
    const Bytes sk = from_hex(hex);
    Bytes pk(aioli_public_key_bytes(algorithm(name)));
    const aioli_status status = aioli_public_from_secret(algorithm(name), pk.data(), pk.size(), sk.data(), sk.size(), nullptr);
    out << status << " " << to_hex(pk.data(), pk.size());
  } else if (what == "encode" && request >> name >> kind >> encoding >> hex) {
    const aioli_alg *alg = algorithm(name);
    const Bytes key = from_hex(hex);
    Bytes file(aioli_key_encoded_bytes_max(alg, aioli_key_kind(kind), aioli_key_encoding(encoding)));
    size_t n = 0;
    const aioli_status status = aioli_key_encode(alg, aioli_key_kind(kind), aioli_key_encoding(encoding), file.data(),
                                                 file.size(), &n, key.data(), key.size(), nullptr);
    out << status << " " << to_hex(file.data(), n);
  } else if (what == "decode" && request >> hex) {
    const Bytes file = from_hex(hex);
    static const uint8_t nothing = 0;
    Bytes key(AIOLI_MAX_PUBLIC_KEY_BYTES);
    const aioli_alg *alg = nullptr;
    aioli_key_kind found = AIOLI_KEY_PUBLIC;
    size_t n = 0;
    const aioli_status status = aioli_key_decode(file.empty() ? &nothing : file.data(), file.size(), &alg, &found, key.data(),
                                                 key.size(), &n, nullptr, nullptr);
    out << status << " " << (alg != nullptr ? aioli_alg_name(alg) : "-") << " " << found << " " << to_hex(key.data(), n);
  } else {
    fail("not understood: " + request.str().substr(0, 60));
  }
  return out.str();
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream request(line);
    std::cout << answer(request) << std::endl;
  }
}
