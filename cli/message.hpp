// SPDX-License-Identifier: Apache-2.0
#ifndef AIOLI_CLI_MESSAGE_HPP
#define AIOLI_CLI_MESSAGE_HPP

#include "files.hpp"

#include <aioli/aioli.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace aioli::cli {

struct MessageDigest {
  std::vector<uint8_t> bytes;  // aioli_digest_bytes(alg)
  uint64_t message_bytes = 0;  // of the file alone
};

// The digest of prefix || file, in constant memory, with a progress bar on a terminal if it takes more than a second.
// `refused_start`: if not empty, a file that starts with it is a Failure.
MessageDigest digest_message(const aioli_alg *alg, std::string_view prefix, Input &file, std::string_view refused_start);

// The same of a message in memory.
MessageDigest digest_message(const aioli_alg *alg, std::string_view prefix, std::string_view message);

}  // namespace aioli::cli
#endif
