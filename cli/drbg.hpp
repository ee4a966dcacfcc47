// SPDX-License-Identifier: Apache-2.0
#ifndef AIOLI_CLI_DRBG_HPP
#define AIOLI_CLI_DRBG_HPP

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace aioli::cli {

// CTR_DRBG of NIST SP 800-90A with AES-256, without derivation function and without reseeding: the generator that makes NIST's
// known-answer files.  Each request ends with an update, so the boundaries between requests matter.
class NistDrbg {
 public:
  static constexpr size_t kSeedBytes = 48;

  explicit NistDrbg(std::span<const uint8_t, kSeedBytes> seed);
  void generate(std::span<uint8_t> out);
  // As aioli_env.rng, with the NistDrbg as context.
  static int rng(void *self, uint8_t *out, size_t n);

 private:
  using Block = std::array<uint8_t, 16>;
  void set_key(std::span<const uint8_t, 32> key);
  Block next_block();
  void update(std::span<const uint8_t, kSeedBytes> data);

  std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX *)> aes_;
  Block counter_{};
};

}  // namespace aioli::cli
#endif
