// SPDX-License-Identifier: Apache-2.0
#include "drbg.hpp"

#include "failure.hpp"

#include <algorithm>
#include <cstring>

namespace aioli::cli {

NistDrbg::NistDrbg(std::span<const uint8_t, kSeedBytes> seed) : aes_(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free) {
  if (!aes_) throw Failure("out of memory");
  set_key(std::array<uint8_t, 32>{});
  update(seed);
}

void NistDrbg::set_key(std::span<const uint8_t, 32> key) {
  if (EVP_EncryptInit_ex(aes_.get(), EVP_aes_256_ecb(), nullptr, key.data(), nullptr) != 1 ||
      EVP_CIPHER_CTX_set_padding(aes_.get(), 0) != 1) {
    throw Failure("libcrypto has no AES-256");
  }
}

NistDrbg::Block NistDrbg::next_block() {
  for (size_t i = counter_.size(); i-- > 0;) {
    if (++counter_[i] != 0) break;
  }
  Block block;
  int n = 0;
  if (EVP_EncryptUpdate(aes_.get(), block.data(), &n, counter_.data(), static_cast<int>(counter_.size())) != 1) {
    throw Failure("libcrypto's AES-256 failed");
  }
  return block;
}

void NistDrbg::update(std::span<const uint8_t, kSeedBytes> data) {
  std::array<uint8_t, kSeedBytes> state;
  for (size_t i = 0; i < state.size(); i += 16) {
    const Block block = next_block();
    std::copy(block.begin(), block.end(), state.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (size_t i = 0; i < state.size(); i++) state[i] ^= data[i];
  set_key(std::span<const uint8_t, 32>(state.data(), 32));
  std::copy(state.begin() + 32, state.end(), counter_.begin());
}

void NistDrbg::generate(std::span<uint8_t> out) {
  while (!out.empty()) {
    const Block block = next_block();
    const size_t n = std::min(block.size(), out.size());
    std::memcpy(out.data(), block.data(), n);
    out = out.subspan(n);
  }
  update(std::array<uint8_t, kSeedBytes>{});
}

int NistDrbg::rng(void *self, uint8_t *out, size_t n) {
  try {
    static_cast<NistDrbg *>(self)->generate({out, n});
    return 0;
  } catch (const Failure &) {  // must not pass through the C interface
    return -1;
  }
}

}  // namespace aioli::cli
