// SPDX-License-Identifier: Apache-2.0
// Loads naive.cu's code for one set and runs a whole batch at a time, one algorithm for each thread; through the driver as libaioli_cuda does.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/host/driver.hpp"
#include "gpu_naive/naive.hpp"

namespace naive {

enum Operation { keypair, sign, verify };

// What a batch needs; row after row without gaps.  Empty arrays are not copied.
struct Rows {
  uint32_t count = 0;
  std::vector<uint8_t> pk, sk, sig, R, digest, ok;
};

class Runner {
 public:
  // `image`: PTX or machine code; `identifier`: MAYO_1.  A failure is an exception with CUDA's name for it.
  Runner(uint32_t ordinal, const std::string &image, const std::string &identifier);
  ~Runner();
  Runner(const Runner &) = delete;

  // How many threads the device has memory for.
  uint32_t most_rows(Operation op);
  // Seconds, copies to and from the device included.
  double run(Operation op, Rows &rows);

 private:
  void check(int error, const char *call) const;
  template <class T> void upload(T *&to, const std::vector<uint8_t> &from);
  aioli::cuda::DevicePointer allocate(size_t bytes);
  void free_all();

  aioli::cuda::Driver driver_;
  aioli::cuda::Context context_ = nullptr;
  aioli::cuda::Module module_ = nullptr;
  aioli::cuda::Function functions_[3];
  aioli::cuda::Stream stream_ = nullptr;
  int device_ = 0;
  uint64_t bytes_[3] = {};
  std::vector<aioli::cuda::DevicePointer> allocations_;
  std::vector<void *> pinned_;
};

}  // namespace naive
