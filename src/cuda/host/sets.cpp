// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/sets.hpp"

#include <string.h>

// cuda_sets.def is written by CMakeLists.txt, AIOLI_CUDA_SET(identifier, "name", params) for each set that has kernels, and so is
// a file with the image of each.
#define AIOLI_CUDA_SET(identifier, name, params) extern "C" const unsigned char aioli_cuda_image_##identifier[];
#include "cuda_sets.def"
#undef AIOLI_CUDA_SET

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {
namespace {

const Set sets[] = {
#define AIOLI_CUDA_SET(identifier, name, params) {name, #identifier, set_layout<params>(), aioli_cuda_image_##identifier},
#include "cuda_sets.def"
#undef AIOLI_CUDA_SET
};
constexpr int set_count = int(sizeof sets / sizeof *sets);
static_assert(set_count <= most_sets);

constexpr const char *step_names[] = {
#define AIOLI_KERNEL(step, args) #step,
#include "cuda/device/kernels.def"
#undef AIOLI_KERNEL
};

}  // namespace

const Set *find_set(const aioli_alg *alg, int *number) {
  for (int i = 0; i < set_count; i++)
    if (strcmp(sets[i].name, aioli_alg_name(alg)) == 0) {
      *number = i;
      return &sets[i];
    }
  return nullptr;
}

void entry_name(char (&name)[most_entry_bytes], const Set &set, Step step) {
  const char *parts[] = {"aioli_", step_names[step], "_", set.identifier};
  int n = 0;
  for (const char *part : parts)
    for (; *part != 0 && n < most_entry_bytes - 1; part++) name[n++] = *part;
  name[n] = 0;
}

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
