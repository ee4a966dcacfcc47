// SPDX-License-Identifier: Apache-2.0
// What the shim promises to see: planted faults in small kernels, and each barrier of the real ones left out in turn.
#include <doctest/doctest.h>

#include "shim/dialect.hpp"

#include "device.hpp"

using test::Buffer, test::Device, test::Path;
namespace shim = aioli::shim;

namespace {

constexpr uint32_t threads = 96;

shim::Launch small(uint64_t seed, size_t shared_bytes = 4 * threads) {
  shim::Launch launch;
  launch.block.x = threads;
  launch.shared_bytes = shared_bytes;
  launch.seed = seed;
  return launch;
}
// A block turns an array round by way of shared memory.
void reverse(uint32_t *out, bool barrier) {
  uint32_t *shared = static_cast<uint32_t *>(shim::shared_memory());
  shared[threadIdx.x] = 7 * threadIdx.x;
  if (barrier) __syncthreads();
  out[threadIdx.x] = shared[threads - 1 - threadIdx.x];
}
bool reversed(const std::vector<uint32_t> &out) {
  for (uint32_t i = 0; i < threads; i++)
    if (out[i] != 7 * (threads - 1 - i)) return false;
  return true;
}

}  // namespace

TEST_CASE("a missing barrier shows in every order of threads") {
  for (uint64_t seed = 0; seed < 20; seed++) {
    std::vector<uint32_t> out(threads);
    CHECK(shim::run(small(seed), [&] { reverse(out.data(), true); }) == "");
    CHECK(reversed(out));
    CHECK(shim::run(small(seed), [&] { reverse(out.data(), false); }) == "");
    CHECK(!reversed(out));
  }
}

TEST_CASE("what lanes of one warp tell each other needs a barrier too") {
  int right[2] = {};
  for (uint64_t seed = 0; seed < 20; seed++)
    for (const bool barrier : {false, true}) {
      std::vector<uint32_t> out(threads);
      const auto kernel = [&] {
        uint32_t *shared = static_cast<uint32_t *>(shim::shared_memory());
        shared[threadIdx.x] = threadIdx.x;
        if (barrier) __syncwarp();
        out[threadIdx.x] = shared[threadIdx.x ^ 1];
      };
      CHECK(shim::run(small(seed), kernel) == "");
      bool all = true;
      for (uint32_t i = 0; i < threads; i++) all = all && out[i] == (i ^ 1);
      right[barrier] += all;
    }
  CHECK(right[0] == 0);
  CHECK(right[1] == 20);
}

TEST_CASE("a race between warps comes out differently in different orders") {
  std::vector<uint32_t> last;
  for (uint64_t seed = 0; seed < 20; seed++) {
    uint32_t word = 0;
    CHECK(shim::run(small(seed), [&] { word = threadIdx.x; }) == "");
    last.push_back(word);
  }
  CHECK(std::vector<uint32_t>(last.size(), last[0]) != last);
}

TEST_CASE("threads that wait at two places end the launch, and both lines are named") {
  int here = 0;
  const auto barriers = [&] {
    here = __LINE__;
    if (threadIdx.x < 40)
      __syncthreads();
    else
      __syncthreads();
  };
  std::string error = shim::run(small(1), barriers);
  CHECK(error.find(":" + std::to_string(here + 2)) != std::string::npos);
  CHECK(error.find(":" + std::to_string(here + 4)) != std::string::npos);
  const auto warps = [&] {  // whole warps, each at a place of its own
    if (threadIdx.x < 32)
      __syncthreads();
    else
      __syncthreads();
  };
  CHECK(shim::run(small(1), warps) != "");
  const auto shuffles = [&] {
    uint32_t w = threadIdx.x;
    if (threadIdx.x % 32 < 7) w = __shfl_sync(0xffffffff, w, 0);
    (void)w;
  };
  CHECK(shim::run(small(1), shuffles) != "");
  const auto returned = [&] {
    if (threadIdx.x >= 32) __syncthreads();
  };
  CHECK(shim::run(small(1), returned) != "");
}

TEST_CASE("launches that no GPU takes are refused") {
  CHECK(shim::run(small(0, 228 * 1024), [] {}) != "");
  shim::Launch launch = small(0, 100 * 1024);
  CHECK(shim::run(launch, [] {}) == "");
  launch.shared_limit = 99 * 1024;
  CHECK(shim::run(launch, [] {}) != "");
  launch = small(0);
  launch.block.x = 1025;
  CHECK(shim::run(launch, [] {}) != "");
}

TEST_CASE("shared memory by addresses, and no further than it goes") {
  shim::Launch launch = small(5);
  launch.shared_base = 640;
  const auto loads = [&](uint32_t beyond) {
    return shim::run(launch, [=] {
      uint32_t *shared = static_cast<uint32_t *>(shim::shared_memory());
      shared[threadIdx.x] = threadIdx.x;
      const uint32_t at = shim::shared_address(shared + threadIdx.x);
      if (at != 640 + 4 * threadIdx.x || *shim::shared_word(at) != threadIdx.x) abort();
      (void)*shim::shared_word(at + beyond);
    });
  };
  CHECK(loads(0) == "");
  CHECK(loads(4).find("thread 95") != std::string::npos);
  CHECK(loads(2) != "");
  CHECK(loads(uint32_t(-4)).find("thread 0") != std::string::npos);
}

TEST_CASE("what blocks leave in shared memory") {
  for (const bool clears : {false, true}) {
    bool leaves = false;
    shim::Launch launch = small(1);
    launch.leaves_shared = &leaves;
    CHECK(shim::run(launch, [&] {
            uint32_t *shared = static_cast<uint32_t *>(shim::shared_memory());
            if (clears || threadIdx.x != 70) shared[threadIdx.x] = 0;
          }) == "");
    CHECK(leaves == !clears);
  }
}

TEST_CASE("what lanes and warps exchange") {
  std::vector<uint32_t> out(threads), votes(threads), sums(threads);
  uint32_t total = 0;
  CHECK(shim::run(small(3), [&] {
          const uint32_t lane = threadIdx.x % 32;
          out[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 31 - lane);
          votes[threadIdx.x] = __ballot_sync(0xffffffff, lane % 3 == 0);
          sums[threadIdx.x] = __reduce_xor_sync(0xffffffff, 1u << lane);
          atomicAdd(&total, threadIdx.x);
        }) == "");
  for (uint32_t i = 0; i < threads; i++) {
    CHECK(out[i] == i / 32 * 32 + 31 - i % 32);
    CHECK(votes[i] == 0x49249249);
    CHECK(sums[i] == 0xffffffff);
  }
  CHECK(total == threads * (threads - 1) / 2);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x7420) == 0x77442200);
  CHECK(__funnelshift_l(0x80000000, 1, 1) == 3);
  CHECK(__funnelshift_r(0x80000000, 1, 31) == 3);
}

// Everything that the kernels do, for sets whose m-vectors are whole words and others; each barrier left out must change an
// answer, or end the launch, in one of a few orders of threads.
TEST_CASE("no barrier of the kernels can be left out unseen") {
  size_t barriers = 0;
  for (const auto &set : test::device_sets()) {
    const std::string name = set.name;
    if (name != "MAYO-2" && name != "MAYO-3") continue;
    const auto answers = [&](Device &device) {
      const Buffer seeds = test::pattern(set.layout.seed_sk_bytes, 9);
      const Buffer pk = device.keygen(seeds);
      const auto secret = device.expand_secret(seeds);
      const std::vector<Buffer> messages = {test::pattern(50, 1), test::pattern(3, 2)};
      Buffer all = device.sign(secret, {}, messages, test::pattern(2 * set.layout.R_bytes, 5));
      const auto expanded = device.expand_public(pk);
      for (const Path path : {Path::masked, Path::tables})
        for (uint8_t verdict : device.verify(expanded, {}, all, messages, path)) all.push_back(verdict);
      all.insert(all.end(), pk.begin(), pk.end());
      return all;
    };
    std::vector<shim::Barrier> met;
    Device whole(set);
    whole.met = &met;
    const Buffer expected = answers(whole);
    for (const shim::Barrier &barrier : met) {
      CAPTURE(name);
      CAPTURE(barrier.file);
      CAPTURE(barrier.line);
      bool seen = false;
      for (uint64_t seed = 1; seed <= 400 && !seen; seed += 100) {
        Device device(set);
        device.seed = seed;
        device.without = &barrier;
        try {
          seen = answers(device) != expected;
        } catch (const std::exception &) {
          seen = true;
        }
      }
      CHECK(seen);
      barriers++;
    }
  }
  CHECK(barriers >= 24);
}
