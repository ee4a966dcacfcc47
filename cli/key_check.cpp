// SPDX-License-Identifier: Apache-2.0
#include "key_check.hpp"

#include "failure.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <string>

namespace aioli::cli {
namespace {

// Of our own, from a random UUID (ITU-T X.667).  Its value is one OCTET STRING.
constexpr char kAttributeOid[] = "2.25.200908490181738360212580098351516106896";

using Value = std::array<uint8_t, 32>;
using Info = std::unique_ptr<PKCS8_PRIV_KEY_INFO, void (*)(PKCS8_PRIV_KEY_INFO *)>;
using Object = std::unique_ptr<ASN1_OBJECT, void (*)(ASN1_OBJECT *)>;

Failure failed() { return Failure("cannot make the check value of the secret key: libcrypto failed"); }

Value check_value(const aioli_alg *alg, std::span<const uint8_t> secret_key) {
  std::string data = "aioli key check";
  data += '\0';
  data += aioli_alg_name(alg);
  Value value;
  unsigned n = 0;
  if (HMAC(EVP_sha256(), secret_key.data(), static_cast<int>(secret_key.size()), reinterpret_cast<const uint8_t *>(data.data()),
           data.size(), value.data(), &n) == nullptr ||
      n != value.size())
    throw failed();
  return value;
}

Info parse(std::span<const uint8_t> der) {
  const uint8_t *at = der.data();
  return {d2i_PKCS8_PRIV_KEY_INFO(nullptr, &at, static_cast<long>(der.size())), PKCS8_PRIV_KEY_INFO_free};
}

}  // namespace

SecretBytes with_check_value(std::span<const uint8_t> private_key_info, const aioli_alg *alg,
                             std::span<const uint8_t> secret_key) {
  const Value value = check_value(alg, secret_key);
  const Info info = parse(private_key_info);
  const Object oid(OBJ_txt2obj(kAttributeOid, 1), ASN1_OBJECT_free);
  if (!info || !oid ||
      PKCS8_pkey_add1_attr_by_OBJ(info.get(), oid.get(), V_ASN1_OCTET_STRING, value.data(), static_cast<int>(value.size())) != 1)
    throw failed();
  unsigned char *der = nullptr;
  const int n = i2d_PKCS8_PRIV_KEY_INFO(info.get(), &der);
  if (n <= 0) throw failed();
  SecretBytes made = SecretBytes::copy_of(der, static_cast<size_t>(n));
  OPENSSL_clear_free(der, static_cast<size_t>(n));
  return made;
}

CheckValue check_value_of(std::span<const uint8_t> private_key_info, const aioli_alg *alg, std::span<const uint8_t> secret_key) {
  const Info info = parse(private_key_info);
  const Object oid(OBJ_txt2obj(kAttributeOid, 1), ASN1_OBJECT_free);
  const STACK_OF(X509_ATTRIBUTE) *attributes = info ? PKCS8_pkey_get0_attrs(info.get()) : nullptr;
  ERR_clear_error();
  const int at = attributes != nullptr ? X509at_get_attr_by_OBJ(attributes, oid.get(), -1) : -1;
  // Other attributes alone are refused: ours could have been turned into one of them.
  if (at < 0) return attributes == nullptr || X509at_get_attr_count(attributes) == 0 ? CheckValue::absent : CheckValue::wrong;
  X509_ATTRIBUTE *attribute = X509at_get_attr(attributes, at);
  const auto *octets =
      static_cast<const ASN1_OCTET_STRING *>(X509_ATTRIBUTE_get0_data(attribute, 0, V_ASN1_OCTET_STRING, nullptr));
  ERR_clear_error();
  const Value value = check_value(alg, secret_key);
  const bool right = X509_ATTRIBUTE_count(attribute) == 1 && octets != nullptr &&
                     static_cast<size_t>(ASN1_STRING_length(octets)) == value.size() &&
                     CRYPTO_memcmp(ASN1_STRING_get0_data(octets), value.data(), value.size()) == 0;
  return right ? CheckValue::right : CheckValue::wrong;
}

}  // namespace aioli::cli
