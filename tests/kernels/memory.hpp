// SPDX-License-Identifier: Apache-2.0
// Memory as the interface hands it down to a scheme: aligned, and full of garbage.
#pragma once
#include "base/workspace.hpp"
#include "oracle/random.hpp"

namespace kernels {

class Memory {
 public:
  explicit Memory(size_t n) : bytes_(n + aioli::workspace_alignment, 0xa5) {}
  void *get() { return aioli::align_up(bytes_.data()); }

 private:
  oracle::Bytes bytes_;
};

// The working memory of one call, in such memory.
template <class Work> class WorkOf {
 public:
  WorkOf() : memory_(aioli::workspace_bytes<Work>()), work_(memory_.get()) {}
  Work &operator*() { return *work_; }

 private:
  Memory memory_;
  aioli::Scratch<Work> work_;
};

}  // namespace kernels
