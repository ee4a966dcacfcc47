// SPDX-License-Identifier: Apache-2.0
//
// What every harness defines, and what it may use.  A harness is a file fuzz_NAME.cpp with the two functions below; it is linked
// with libFuzzer (AIOLI_FUZZ=ON) or with standalone_main.cpp, and needs nothing else.
#pragma once
#include <aioli/aioli.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace fuzz {

using Bytes = std::vector<uint8_t>;

// Good inputs to start from.
std::vector<Bytes> seeds();

// The sets that inputs choose from: those whose public keys are not so large that few inputs a second would be tried.
inline std::vector<const aioli_alg *> algs() {
  std::vector<const aioli_alg *> chosen;
  for (size_t i = 0; i < aioli_alg_count(); i++)
    if (aioli_public_key_bytes(aioli_alg_at(i)) <= 70000) chosen.push_back(aioli_alg_at(i));
  return chosen;
}

// A heap block of exactly n bytes: a sanitizer sees the first byte too far.
class Block {
 public:
  explicit Block(size_t n, uint8_t fill = 0xa5) : p_(new uint8_t[n]), n_(n) { std::memset(p_.get(), fill, n); }
  Block(const uint8_t *from, size_t n) : p_(new uint8_t[n]), n_(n) {
    if (n != 0) std::memcpy(p_.get(), from, n);
  }
  uint8_t *data() { return p_.get(); }
  const uint8_t *data() const { return p_.get(); }
  size_t size() const { return n_; }
  bool all(uint8_t value, size_t from = 0) const {
    for (size_t i = from; i < n_; i++)
      if (p_[i] != value) return false;
    return true;
  }
  bool starts_with(const Block &other) const { return other.n_ <= n_ && std::memcmp(p_.get(), other.p_.get(), other.n_) == 0; }

 private:
  std::unique_ptr<uint8_t[]> p_;
  size_t n_;
};

[[noreturn]] inline void fail(const char *what, const char *file, int line) {
  std::fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
  std::abort();
}

}  // namespace fuzz

#define FUZZ_CHECK(condition) ((condition) ? void(0) : fuzz::fail(#condition, __FILE__, __LINE__))
