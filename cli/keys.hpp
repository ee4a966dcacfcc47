// SPDX-License-Identifier: Apache-2.0
// Keys as the commands use them.
#ifndef AIOLI_CLI_KEYS_HPP
#define AIOLI_CLI_KEYS_HPP

#include "files.hpp"
#include "passphrase.hpp"
#include "secret.hpp"
#include "sigfile.hpp"

#include <aioli/aioli.h>
#include <aioli/keyfile.h>

#include <string>
#include <vector>

namespace aioli::cli {

// No key file of any algorithm and encoding comes near it: not in base64, and not a secret key with its public key twice.
inline constexpr size_t kKeyFileMaxBytes = 2 * (AIOLI_MAX_SECRET_KEY_BYTES + 2 * AIOLI_MAX_PUBLIC_KEY_BYTES);

// The values of --oid NAME=DOTTED, in the form of the C interface.
class OidTable {
 public:
  // `of_another_set`: an entry may give a set the identifier that stands for another one.
  explicit OidTable(const std::vector<std::string> &options, bool of_another_set = false);
  OidTable(const OidTable &) = delete;
  const aioli_oid *entries() const { return entries_.data(); }

 private:
  std::vector<std::pair<std::string, std::string>> texts_;
  std::vector<aioli_oid> entries_;  // points into texts_
};

// Throws with a list or a suggestion if there is no such algorithm.
const aioli_alg *algorithm_by_name(const std::string &name);
std::vector<const aioli_alg *> all_algorithms();

struct Key {
  const aioli_alg *alg = nullptr;
  aioli_key_kind kind = AIOLI_KEY_PUBLIC;
  SecretBytes bytes;
  std::string encryption;  // of the file it came from; empty if it was not encrypted
  bool checked = false;    // an encrypted one had a check value (key_check.hpp), which was right
  std::string shown;       // name of the file
};

// Reads a key in any form.  `wanted` is what the command needs; the other kind is a Failure that says what to give.
Key load_key(const std::string &path, aioli_key_kind wanted, const OidTable &oids, const PassphraseSource &passphrase);
// The same for content that was already read.
Key decode_key(std::span<const uint8_t> content, const std::string &shown, const OidTable &oids,
               const PassphraseSource &passphrase);

std::vector<uint8_t> public_key_of(const Key &key);
Fingerprint fingerprint_of(const aioli_alg *alg, std::span<const uint8_t> public_key);

SecretBytes encode_key(const aioli_alg *alg, aioli_key_kind kind, aioli_key_encoding encoding, std::span<const uint8_t> key,
                       const OidTable &oids);
// A secret key under a passphrase, with a check value.
SecretBytes seal_key(const aioli_alg *alg, aioli_key_encoding encoding, std::span<const uint8_t> key, const OidTable &oids,
                     const SecretBytes &passphrase);

// Keeps secrets out of core files and out of reach of debuggers of the same user.
void forbid_core_dumps();

}  // namespace aioli::cli
#endif
