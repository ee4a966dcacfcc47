// SPDX-License-Identifier: Apache-2.0
#ifndef AIOLI_CLI_OPERATIONS_HPP
#define AIOLI_CLI_OPERATIONS_HPP

#include <aioli/aioli.h>

namespace aioli::cli {

// The operations that have a workspace of their own, by the names that --json shows.
struct Operation {
  const char *name;
  aioli_op op;
};
inline constexpr Operation kOperations[] = {
    {"keypair", AIOLI_OP_KEYPAIR},
    {"sign", AIOLI_OP_SIGN},
    {"verify", AIOLI_OP_VERIFY},
    {"signer_init", AIOLI_OP_SIGNER_INIT},
    {"signer_sign", AIOLI_OP_SIGNER_SIGN},
    {"verifier_init", AIOLI_OP_VERIFIER_INIT},
    {"verifier_verify", AIOLI_OP_VERIFIER_VERIFY},
};

}  // namespace aioli::cli
#endif
