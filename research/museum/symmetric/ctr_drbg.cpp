// SPDX-License-Identifier: Apache-2.0
#include "museum/symmetric/ctr_drbg.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <stdexcept>

namespace museum {

static void require(int result) {
  if (result != 1) throw std::runtime_error("libcrypto: AES-256 failed");
}

void CtrDrbg::Free::operator()(evp_cipher_ctx_st *context) const { EVP_CIPHER_CTX_free(context); }

CtrDrbg::CtrDrbg(std::span<const uint8_t, 48> seed) : context_(EVP_CIPHER_CTX_new()) {
  require(context_ != nullptr);
  update(seed);
}

std::vector<uint8_t> CtrDrbg::operator()(size_t n) {
  std::vector<uint8_t> out = stream(n);
  static constexpr std::array<uint8_t, 48> nothing{};
  update(nothing);
  return out;
}

std::vector<uint8_t> CtrDrbg::stream(size_t n) {
  const auto advance = [this](size_t blocks) {
    for (int i = 15; i >= 0 && blocks > 0; i--, blocks >>= 8) {
      blocks += counter_[size_t(i)];
      counter_[size_t(i)] = uint8_t(blocks);
    }
  };
  advance(1);
  std::vector<uint8_t> out(n);
  require(EVP_EncryptInit_ex(context_.get(), EVP_aes_256_ctr(), nullptr, key_.data(), counter_.data()));
  for (size_t at = 0; at < n;) {  // libcrypto counts in ints
    const int now = int(std::min(n - at, size_t(1) << 30));
    int written = 0;
    require(EVP_EncryptUpdate(context_.get(), out.data() + at, &written, out.data() + at, now));
    at += size_t(written);
  }
  if (const size_t blocks = (n + 15) / 16; blocks > 1) advance(blocks - 1);
  return out;
}

void CtrDrbg::update(std::span<const uint8_t, 48> data) {
  const std::vector<uint8_t> t = stream(48);
  for (size_t i = 0; i < 48; i++) (i < 32 ? key_[i] : counter_[i - 32]) = uint8_t(t[i] ^ data[i]);
}

}  // namespace museum
