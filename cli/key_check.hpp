// SPDX-License-Identifier: Apache-2.0
// A check value inside of encrypted keys.  CBC authenticates nothing: who may write to the file can turn bits of the identifier
// over, and a key of one set would be read as the same seed of another, which gives it away (SECURITY.md).  So a PrivateKeyInfo
// gets an attribute with
//   HMAC-SHA-256(key: the secret key, data: "aioli key check" || 00 || name of the set)
// before it is encrypted.  It binds set and key; nobody can compute it for another pair without the key.
#ifndef AIOLI_CLI_KEY_CHECK_HPP
#define AIOLI_CLI_KEY_CHECK_HPP

#include "secret.hpp"

#include <aioli/aioli.h>

#include <span>

namespace aioli::cli {

// `private_key_info`, DER of a key of this set, with the attribute.
SecretBytes with_check_value(std::span<const uint8_t> private_key_info, const aioli_alg *alg,
                             std::span<const uint8_t> secret_key);

enum class CheckValue { absent, right, wrong };
CheckValue check_value_of(std::span<const uint8_t> private_key_info, const aioli_alg *alg, std::span<const uint8_t> secret_key);

}  // namespace aioli::cli
#endif
