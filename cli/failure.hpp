// SPDX-License-Identifier: Apache-2.0
// How the command line reports that something went wrong.
#ifndef AIOLI_CLI_FAILURE_HPP
#define AIOLI_CLI_FAILURE_HPP

#include <aioli/aioli.h>

#include <stdexcept>
#include <string>

namespace aioli::cli {

// What the process returns.  Scripts depend on these three.
enum ExitStatus : int {
  kExitOk = 0,       // done; for verify: the signature is valid
  kExitInvalid = 1,  // verify: the signature is not valid; selftest: a known answer came out wrong
  kExitFailure = 2,  // usage, input or system error: nothing was decided
};

// Ends the command with kExitFailure.  The text says what was wrong and, where there is one, what to do.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws, with the status in words, unless all is well.
void check(aioli_status status, const std::string &doing);

// Throws if there is no such backend or this processor cannot run it.
void require_backend(const std::string &name);
// The same of the one that AIOLI_BACKEND names, if it does.  Before every command: those that compute nothing would not notice.
void require_backend_of_environment();

}  // namespace aioli::cli
#endif
