// SPDX-License-Identifier: Apache-2.0
//
// Gives a libFuzzer binary the option --write-seeds=DIRECTORY (libFuzzer itself ignores options that begin with two dashes).
#include "write_seeds.hpp"

extern "C" int LLVMFuzzerInitialize(int *count, char ***arguments) {
  for (int i = 1; i < *count; i++)
    if (const char *directory = fuzz::seeds_directory((*arguments)[i])) {
      fuzz::write_seeds(directory);
      std::exit(0);
    }
  return 0;
}
