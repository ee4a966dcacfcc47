// SPDX-License-Identifier: Apache-2.0
// The generator of NIST's known-answer files, which Rainbow also uses inside: CTR_DRBG (SP 800-90A) with AES-256, without
// derivation function and without personalisation, on libcrypto's AES.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct evp_cipher_ctx_st;

namespace museum {

class CtrDrbg {
 public:
  // 48 bytes.  Throws std::runtime_error if libcrypto fails.
  explicit CtrDrbg(std::span<const uint8_t, 48> seed);
  // One request: n bytes, and what is left of the last block is thrown away.
  std::vector<uint8_t> operator()(size_t n);

 private:
  std::vector<uint8_t> stream(size_t n);
  void update(std::span<const uint8_t, 48> data);
  struct Free {
    void operator()(evp_cipher_ctx_st *context) const;
  };
  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
  std::array<uint8_t, 32> key_{};
  std::array<uint8_t, 16> counter_{};  // big-endian; the last block that was used
};

}  // namespace museum
