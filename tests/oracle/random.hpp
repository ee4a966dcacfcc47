// SPDX-License-Identifier: Apache-2.0
// Random test data, the same on every machine and in every run.  The environment variable AIOLI_TEST_SEED (a number) tries
// others.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace oracle {

using Bytes = std::vector<uint8_t>;

class Random {  // splitmix64
 public:
  explicit Random(uint64_t stream) : state_(stream * 0x9e3779b97f4a7c15) {
    if (const char *seed = std::getenv("AIOLI_TEST_SEED")) state_ ^= std::strtoull(seed, nullptr, 0) * 0xd1342543de82ef95;
  }
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  int below(int n) { return int((next() >> 32) * uint64_t(n) >> 32); }
  int between(int low, int high) { return low + below(high - low + 1); }
  uint8_t byte() { return uint8_t(next() >> 56); }
  uint8_t element() { return uint8_t(next() >> 60); }
  uint8_t nonzero_element() { return uint8_t(1 + below(15)); }
  Bytes bytes(size_t n) {
    Bytes b(n);
    for (auto &x : b) x = byte();
    return b;
  }

 private:
  uint64_t state_;
};

}  // namespace oracle
