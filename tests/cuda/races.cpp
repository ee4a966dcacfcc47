// SPDX-License-Identifier: Apache-2.0
// Under ThreadSanitizer, to which each thread of a block is a thread and only barriers and exchanges order them: all kernels of
// one set without a report; or, `cuda_races planted`, a small kernel that lacks a barrier, which has to be reported.
#include <cstdio>

#include "shim/dialect.hpp"

#include "device.hpp"

using test::Buffer;

static int planted() {
  aioli::shim::Launch launch;
  launch.block.x = 64;
  launch.shared_bytes = 4 * 64;
  uint32_t sum = 0;
  const std::string error = aioli::shim::run(launch, [&] {
    uint32_t *shared = static_cast<uint32_t *>(aioli::shim::shared_memory());
    shared[threadIdx.x] = threadIdx.x;
    atomicAdd(&sum, shared[63 - threadIdx.x]);
  });
  std::printf("ran to its end%s\n", error.c_str());
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && std::string(argv[1]) == "planted") return planted();
  for (const auto &set : test::device_sets()) {
    test::Device device(set);
    const Buffer seeds = test::pattern(set.layout.seed_sk_bytes, 9), pk = device.keygen(seeds);
    const auto secret = device.expand_secret(seeds);
    const std::vector<Buffer> messages = {test::pattern(50, 1), test::pattern(3, 2)};
    const Buffer signatures = device.sign(secret, {}, messages, test::pattern(2 * set.layout.R_bytes, 5));
    const auto expanded = device.expand_public(pk);
    for (const auto path : {test::Path::masked, test::Path::tables})
      for (uint8_t verdict : device.verify(expanded, {}, signatures, messages, path))
        if (verdict != 1) return std::printf("%s: a signature is not accepted\n", set.name), 1;
    std::printf("%s: no race\n", set.name);
  }
  return 0;
}
