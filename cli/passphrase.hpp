// SPDX-License-Identifier: Apache-2.0
#ifndef AIOLI_CLI_PASSPHRASE_HPP
#define AIOLI_CLI_PASSPHRASE_HPP

#include "secret.hpp"

#include <string>

namespace aioli::cli {

// Where a passphrase comes from: the first line of a file, an environment variable, or else the terminal.
struct PassphraseSource {
  std::string file;
  std::string variable;
  bool given() const { return !file.empty() || !variable.empty(); }
};

// `shown` names the key in the prompt.  A new passphrase is asked for twice.  The terminal is /dev/tty, without echo.
SecretBytes read_passphrase(const PassphraseSource &source, const std::string &shown, bool is_new);

}  // namespace aioli::cli
#endif
