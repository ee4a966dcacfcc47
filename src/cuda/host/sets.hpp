// SPDX-License-Identifier: Apache-2.0
// The sets that a device can do, and the machine code of each.
#pragma once
#include <aioli/aioli.h>

#include "cuda/device/kernels.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

struct Set {
  const char *name, *identifier;  // "MAYO-1", "MAYO_1"
  SetLayout layout;
  const unsigned char *image;  // for cuModuleLoadData
};

inline constexpr int most_sets = 16;
inline constexpr int most_entry_bytes = 64;

// Null if devices cannot do this set; else also its number, from 0.
const Set *find_set(const aioli_alg *alg, int *number);

// The name of a kernel's entry point: aioli_<step>_<SET>.
void entry_name(char (&name)[most_entry_bytes], const Set &set, Step step);

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
