// SPDX-License-Identifier: Apache-2.0
// SHA-2 of libcrypto.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct evp_md_ctx_st;

namespace museum {

enum class Sha2 { sha256, sha384, sha512 };

// Incremental.  Throws std::runtime_error if libcrypto fails.
class Hasher {
 public:
  explicit Hasher(Sha2 which);
  void add(std::span<const uint8_t> data);
  void add(const std::string &text);
  std::vector<uint8_t> digest();  // once

 private:
  struct Free {
    void operator()(evp_md_ctx_st *context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::vector<uint8_t> sha2(Sha2 which, std::initializer_list<std::span<const uint8_t>> parts);

}  // namespace museum
