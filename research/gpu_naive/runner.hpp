// SPDX-License-Identifier: Apache-2.0
// Loads naive.cu's code for one set and runs a whole batch at a time, one algorithm for each thread; through the driver as
// libaioli_cuda does.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/host/driver.hpp"
#include "gpu/yardstick.hpp"
#include "gpu_naive/naive.hpp"

namespace naive {

using gpu_bench::Operation, gpu_bench::Rows;

class Runner : public gpu_bench::Yardstick {
 public:
  // `image`: PTX or machine code; `identifier`: MAYO_1.  A failure is an exception with CUDA's name for it.
  Runner(uint32_t ordinal, const std::string &image, const std::string &identifier);
  ~Runner() override;
  Runner(const Runner &) = delete;

  uint32_t most_rows(Operation op) override;
  double run(Operation op, Rows &rows) override;

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
