// SPDX-License-Identifier: Apache-2.0
#include "museum/symmetric/sha2.hpp"

#include <openssl/evp.h>

#include <stdexcept>

namespace museum {

static void require(int result) {
  if (result != 1) throw std::runtime_error("libcrypto: SHA-2 failed");
}

void Hasher::Free::operator()(evp_md_ctx_st *context) const { EVP_MD_CTX_free(context); }
Hasher::Hasher(Sha2 which) : context_(EVP_MD_CTX_new()) {
  const EVP_MD *md = which == Sha2::sha256 ? EVP_sha256() : which == Sha2::sha384 ? EVP_sha384() : EVP_sha512();
  require(context_ != nullptr && EVP_DigestInit_ex(context_.get(), md, nullptr));
}
void Hasher::add(std::span<const uint8_t> data) { require(EVP_DigestUpdate(context_.get(), data.data(), data.size())); }
void Hasher::add(const std::string &text) { require(EVP_DigestUpdate(context_.get(), text.data(), text.size())); }
std::vector<uint8_t> Hasher::digest() {
  std::vector<uint8_t> out(EVP_MAX_MD_SIZE);
  unsigned n = 0;
  require(EVP_DigestFinal_ex(context_.get(), out.data(), &n));
  out.resize(n);
  return out;
}

std::vector<uint8_t> sha2(Sha2 which, std::initializer_list<std::span<const uint8_t>> parts) {
  Hasher h(which);
  for (const auto part : parts) h.add(part);
  return h.digest();
}

}  // namespace museum
