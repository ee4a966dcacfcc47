// SPDX-License-Identifier: Apache-2.0
// PKCS#8 EncryptedPrivateKeyInfo (RFC 5958, RFC 8018): a secret key under a passphrase, as `openssl pkcs8` writes and reads it.
#ifndef AIOLI_CLI_ENVELOPE_HPP
#define AIOLI_CLI_ENVELOPE_HPP

#include "secret.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aioli::cli {

// An encrypted key, not opened.
struct Envelope {
  std::vector<uint8_t> der;
  std::string scheme;  // for people: "PBES2, scrypt (N = 16384, r = 8, p = 5), AES-256-CBC"
};

// Nothing if `content` is not an encrypted key in PEM or DER; a Failure if it claims to be one and is malformed.
std::optional<Envelope> find_envelope(std::span<const uint8_t> content);

// The PrivateKeyInfo inside, or nothing if the passphrase does not fit.  CBC has no authentication: about one wrong passphrase in
// 256 gives bytes that are not a key, and the caller's parser is what notices.
std::optional<SecretBytes> open_envelope(const Envelope &envelope, const SecretBytes &passphrase);

// PBES2 with scrypt and AES-256-CBC.  The result is public.
std::string seal_envelope(std::span<const uint8_t> private_key_info, const SecretBytes &passphrase, bool pem);

}  // namespace aioli::cli
#endif
