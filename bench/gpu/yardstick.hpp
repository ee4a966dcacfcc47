// SPDX-License-Identifier: Apache-2.0
// Another implementation on the same device, which runs whole batches.  A program that is linked with one compares itself with
// it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpu_bench {

enum Operation { keypair, sign, verify };

// What a batch needs; row after row without gaps.  Empty arrays are not copied.
struct Rows {
  uint32_t count = 0;
  std::vector<uint8_t> pk, sk, sig, R, digest, ok;
};

class Yardstick {
 public:
  virtual ~Yardstick() = default;
  // How many rows the device has memory for.
  virtual uint32_t most_rows(Operation op) = 0;
  // Seconds, copies to and from the device included.
  virtual double run(Operation op, Rows &rows) = 0;
};

// Set by whoever has one, before main.  `image`: what is loaded into the device; `identifier`: MAYO_1.
using OpenYardstick = std::unique_ptr<Yardstick> (*)(uint32_t device, const std::string &image, const std::string &identifier);
extern OpenYardstick open_yardstick;

}  // namespace gpu_bench
