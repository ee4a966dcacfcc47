// SPDX-License-Identifier: Apache-2.0
// What most people use, from libcrypto: keys in memory, as its users keep them.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <stdexcept>

#include "museum/bench/scheme.hpp"

namespace museum::bench {

namespace {

struct FreeKey {
  void operator()(EVP_PKEY *p) const { EVP_PKEY_free(p); }
};
struct FreeContext {
  void operator()(EVP_MD_CTX *p) const { EVP_MD_CTX_free(p); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

void require(bool good) {
  if (!good) throw std::runtime_error("libcrypto failed");
}

// md: null for Ed25519, which hashes by itself.
Scheme openssl_scheme(const std::string &name, const EVP_MD *md, std::function<EVP_PKEY *()> make) {
  return scheme(
      "OpenSSL", name, openssl_version(), "in use",
      [=](const Bytes &) {
        Key key(make());
        require(key != nullptr);
        return key;
      },
      [=](const Key &key, const Bytes &message) {
        const Context context(EVP_MD_CTX_new());
        size_t n = 0;
        require(context && EVP_DigestSignInit(context.get(), nullptr, md, nullptr, key.get()) == 1);
        require(EVP_DigestSign(context.get(), nullptr, &n, message.data(), message.size()) == 1);
        Bytes signature(n);
        require(EVP_DigestSign(context.get(), signature.data(), &n, message.data(), message.size()) == 1);
        signature.resize(n);
        return signature;
      },
      [=](const Key &key, const Bytes &message, const Bytes &signature) {
        const Context context(EVP_MD_CTX_new());
        require(context && EVP_DigestVerifyInit(context.get(), nullptr, md, nullptr, key.get()) == 1);
        return EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(), message.size()) == 1;
      },
      [=](const Key &key) {  // keys as DER files, the longest signature
        return Sizes{size_t(i2d_PUBKEY(key.get(), nullptr)), size_t(i2d_PrivateKey(key.get(), nullptr)),
                     size_t(EVP_PKEY_get_size(key.get()))};
      });
}

}  // namespace

std::string openssl_version() { return OpenSSL_version(OPENSSL_VERSION); }

std::vector<Scheme> openssl_schemes() {
  return {openssl_scheme("Ed25519", nullptr, [] { return EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"); }),
          openssl_scheme("ECDSA P-256", EVP_sha256(), [] { return EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"); }),
          openssl_scheme("RSA-2048", EVP_sha256(), [] { return EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", size_t(2048)); }),
          openssl_scheme("RSA-3072", EVP_sha256(), [] { return EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", size_t(3072)); })};
}

}  // namespace museum::bench
