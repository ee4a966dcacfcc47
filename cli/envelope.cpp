// SPDX-License-Identifier: Apache-2.0
#include "envelope.hpp"

#include "failure.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/proverr.h>
#include <openssl/x509.h>

#include <climits>
#include <memory>

namespace aioli::cli {
namespace {

// 16 MiB and about a quarter of a second.  libcrypto refuses more than 32 MiB when it decrypts, so p is what was raised: OWASP
// counts N = 2^14, p = 5 as equal to N = 2^17, p = 1.
constexpr uint64_t kScryptN = 1 << 14;
constexpr uint64_t kScryptR = 8;
constexpr uint64_t kScryptP = 5;
constexpr int kScryptSaltBytes = 16;

constexpr std::string_view kPemName = PEM_STRING_PKCS8;  // "ENCRYPTED PRIVATE KEY"

template <class T, void (*free_fn)(T *)> struct Deleter {
  void operator()(T *p) const { free_fn(p); }
};
template <class T, void (*free_fn)(T *)> using Owned = std::unique_ptr<T, Deleter<T, free_fn>>;

using Bio = Owned<BIO, BIO_free_all>;
using Sig = Owned<X509_SIG, X509_SIG_free>;
using Algorithm = Owned<X509_ALGOR, X509_ALGOR_free>;
using Pbe2 = Owned<PBE2PARAM, PBE2PARAM_free>;
using Scrypt = Owned<SCRYPT_PARAMS, SCRYPT_PARAMS_free>;
using Pbkdf2 = Owned<PBKDF2PARAM, PBKDF2PARAM_free>;

struct OpensslFree {
  void operator()(unsigned char *p) const { OPENSSL_free(p); }
};
using OpensslBytes = std::unique_ptr<unsigned char, OpensslFree>;

std::string name_of(const ASN1_OBJECT *object) {
  char text[128];
  const int n = OBJ_obj2txt(text, sizeof text, object, 0);
  return n > 0 ? std::string(text) : "unknown";
}

std::optional<uint64_t> value_of(const ASN1_INTEGER *integer) {
  uint64_t value = 0;
  if (integer == nullptr || ASN1_INTEGER_get_uint64(&value, integer) != 1) return std::nullopt;
  return value;
}
std::string number(const ASN1_INTEGER *integer) {
  const auto value = value_of(integer);
  return value ? std::to_string(*value) : "?";
}

std::string describe(const X509_ALGOR *algorithm) {
  const ASN1_OBJECT *object = nullptr;
  int type = 0;
  const void *parameter = nullptr;
  X509_ALGOR_get0(&object, &type, &parameter, algorithm);
  if (OBJ_obj2nid(object) != NID_pbes2 || type != V_ASN1_SEQUENCE) return name_of(object);
  const auto *packed = static_cast<const ASN1_STRING *>(parameter);
  const Pbe2 pbe2(static_cast<PBE2PARAM *>(ASN1_item_unpack(packed, ASN1_ITEM_rptr(PBE2PARAM))));
  if (!pbe2) return "PBES2, malformed";
  const ASN1_OBJECT *kdf = nullptr, *cipher = nullptr;
  X509_ALGOR_get0(&kdf, &type, &parameter, pbe2->keyfunc);
  std::string text = "PBES2, ";
  text += name_of(kdf);
  if (type == V_ASN1_SEQUENCE) {
    packed = static_cast<const ASN1_STRING *>(parameter);
    if (OBJ_obj2nid(kdf) == NID_id_scrypt) {
      const Scrypt scrypt(static_cast<SCRYPT_PARAMS *>(ASN1_item_unpack(packed, ASN1_ITEM_rptr(SCRYPT_PARAMS))));
      if (scrypt) {
        text += " (N = " + number(scrypt->costParameter) + ", r = " + number(scrypt->blockSize) +
                ", p = " + number(scrypt->parallelizationParameter) + ")";
      }
    } else if (OBJ_obj2nid(kdf) == NID_id_pbkdf2) {
      const Pbkdf2 pbkdf2(static_cast<PBKDF2PARAM *>(ASN1_item_unpack(packed, ASN1_ITEM_rptr(PBKDF2PARAM))));
      if (pbkdf2) text += " (" + number(pbkdf2->iter) + " iterations)";
    }
  }
  X509_ALGOR_get0(&cipher, &type, &parameter, pbe2->encryption);
  return text + ", " + name_of(cipher);
}

// How much work it is to open the envelope, in rounds of PBKDF2 or in steps of scrypt, against the most that we do: some ten
// seconds.  A file must not keep a program busy for years.
constexpr uint64_t kMostIterations = 10'000'000;
constexpr uint64_t kMostScryptWork = uint64_t{1} << 24;  // N r p; ours is 655360

std::string too_much_work(const X509_ALGOR *algorithm) {
  const auto too_many = [](const ASN1_INTEGER *iterations) -> std::string {
    const auto n = value_of(iterations);
    if (n && *n <= kMostIterations) return {};
    return "it asks for " + number(iterations) + " iterations, and more than " + std::to_string(kMostIterations) +
           " are not done";
  };
  const ASN1_OBJECT *object = nullptr;
  int type = 0;
  const void *parameter = nullptr;
  X509_ALGOR_get0(&object, &type, &parameter, algorithm);
  if (type != V_ASN1_SEQUENCE) return {};
  const auto *packed = static_cast<const ASN1_STRING *>(parameter);
  if (OBJ_obj2nid(object) != NID_pbes2) {  // schemes of PKCS #5 v1.5 and PKCS #12
    const Owned<PBEPARAM, PBEPARAM_free> old(static_cast<PBEPARAM *>(ASN1_item_unpack(packed, ASN1_ITEM_rptr(PBEPARAM))));
    return old ? too_many(old->iter) : std::string();
  }
  const Pbe2 pbe2(static_cast<PBE2PARAM *>(ASN1_item_unpack(packed, ASN1_ITEM_rptr(PBE2PARAM))));
  if (!pbe2) return {};
  X509_ALGOR_get0(&object, &type, &parameter, pbe2->keyfunc);
  if (type != V_ASN1_SEQUENCE) return {};
  packed = static_cast<const ASN1_STRING *>(parameter);
  if (OBJ_obj2nid(object) == NID_id_pbkdf2) {
    const Pbkdf2 pbkdf2(static_cast<PBKDF2PARAM *>(ASN1_item_unpack(packed, ASN1_ITEM_rptr(PBKDF2PARAM))));
    return pbkdf2 ? too_many(pbkdf2->iter) : std::string();
  }
  if (OBJ_obj2nid(object) == NID_id_scrypt) {
    const Scrypt scrypt(static_cast<SCRYPT_PARAMS *>(ASN1_item_unpack(packed, ASN1_ITEM_rptr(SCRYPT_PARAMS))));
    if (!scrypt) return {};
    const auto N = value_of(scrypt->costParameter), r = value_of(scrypt->blockSize),
               p = value_of(scrypt->parallelizationParameter);
    constexpr uint64_t each = kMostScryptWork;  // so that no product overflows
    const bool bounded =
        N && r && p && *N <= each && *r <= each / (*N + 1) + 1 && *p <= each && *N * *r <= each && *N * *r * *p <= each;
    if (!bounded)
      return "it asks for more work than is done here (scrypt with N r p above " + std::to_string(kMostScryptWork) + ")";
  }
  return {};
}

Sig parse(std::span<const uint8_t> der) {
  if (der.size() > LONG_MAX) return nullptr;
  const unsigned char *at = der.data();
  Sig sig(d2i_X509_SIG(nullptr, &at, static_cast<long>(der.size())));
  const bool whole = sig && at == der.data() + der.size();
  ERR_clear_error();
  return whole ? std::move(sig) : nullptr;
}

}  // namespace

std::optional<Envelope> find_envelope(std::span<const uint8_t> content) {
  Envelope envelope;
  const std::string_view text(reinterpret_cast<const char *>(content.data()), content.size());
  const std::string begin = "-----BEGIN " + std::string(kPemName) + "-----";
  const bool pem = text.starts_with(begin) || text.find("\n" + begin) != std::string_view::npos;
  if (pem) {
    const Bio bio(BIO_new_mem_buf(content.data(), static_cast<int>(content.size())));
    char *name = nullptr, *header = nullptr;
    unsigned char *data = nullptr;
    long n = 0;
    const bool read = bio && PEM_read_bio(bio.get(), &name, &header, &data, &n) == 1;
    const bool right = read && name == kPemName && header[0] == '\0';
    if (right) envelope.der.assign(data, data + n);
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
    ERR_clear_error();
    if (!right) throw Failure("the PEM text of the encrypted key is damaged");
  }
  const Sig sig = parse(pem ? envelope.der : content);
  if (!sig) {
    if (pem) throw Failure("the encrypted key is not a correct EncryptedPrivateKeyInfo");
    return std::nullopt;
  }
  // Not before it is known to be encrypted: nobody wipes this copy.
  if (!pem) envelope.der.assign(content.begin(), content.end());
  const X509_ALGOR *algorithm = nullptr;
  X509_SIG_get0(sig.get(), &algorithm, nullptr);
  envelope.scheme = describe(algorithm);
  ERR_clear_error();
  return envelope;
}

std::optional<SecretBytes> open_envelope(const Envelope &envelope, const SecretBytes &passphrase) {
  const Sig sig = parse(envelope.der);
  if (!sig) throw Failure("the encrypted key is not a correct EncryptedPrivateKeyInfo");
  const X509_ALGOR *algorithm = nullptr;
  const ASN1_OCTET_STRING *sealed = nullptr;
  X509_SIG_get0(sig.get(), &algorithm, &sealed);
  const std::string problem = too_much_work(algorithm);
  ERR_clear_error();
  if (!problem.empty()) throw Failure("the encryption of the key is not undone (" + envelope.scheme + "): " + problem);
  unsigned char *plain = nullptr;
  int n = 0;
  PKCS12_pbe_crypt(algorithm, passphrase.text(), static_cast<int>(passphrase.size()), ASN1_STRING_get0_data(sealed),
                   ASN1_STRING_length(sealed), &plain, &n, 0);
  if (plain == nullptr) {
    // The last block of CBC is where a wrong passphrase shows; anything else is a scheme that cannot be used.
    const unsigned long error = ERR_peek_error();
    bool wrong_passphrase = false;
    for (unsigned long e = ERR_get_error(); e != 0; e = ERR_get_error()) {
      wrong_passphrase |= ERR_GET_LIB(e) == ERR_LIB_PROV && ERR_GET_REASON(e) == PROV_R_BAD_DECRYPT;
    }
    if (wrong_passphrase) return std::nullopt;
    const char *why = ERR_reason_error_string(error);
    throw Failure("the encryption of the key cannot be undone here (" + envelope.scheme + "): " + (why ? why : "unknown reason"));
  }
  SecretBytes info = SecretBytes::copy_of(plain, static_cast<size_t>(n));
  OPENSSL_clear_free(plain, static_cast<size_t>(n));
  return info;
}

std::string seal_envelope(std::span<const uint8_t> private_key_info, const SecretBytes &passphrase, bool pem) {
  const auto need = [](bool good) {
    if (good) return;
    const char *why = ERR_reason_error_string(ERR_get_error());
    throw Failure(std::string("cannot encrypt the secret key: ") + (why ? why : "libcrypto failed"));
  };
  const Algorithm algorithm(
      PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), nullptr, kScryptSaltBytes, nullptr, kScryptN, kScryptR, kScryptP));
  need(algorithm != nullptr);
  unsigned char *raw = nullptr;
  int n = 0;
  PKCS12_pbe_crypt(algorithm.get(), passphrase.text(), static_cast<int>(passphrase.size()), private_key_info.data(),
                   static_cast<int>(private_key_info.size()), &raw, &n, 1);
  OpensslBytes sealed(raw);
  need(sealed != nullptr);

  const Sig sig(X509_SIG_new());
  need(sig != nullptr);
  X509_ALGOR *inner = nullptr;
  ASN1_OCTET_STRING *octets = nullptr;
  X509_SIG_getm(sig.get(), &inner, &octets);
  need(X509_ALGOR_copy(inner, algorithm.get()) == 1);
  ASN1_STRING_set0(octets, sealed.release(), n);

  const Bio bio(BIO_new(BIO_s_mem()));
  need(bio && (pem ? PEM_write_bio_PKCS8(bio.get(), sig.get()) : i2d_PKCS8_bio(bio.get(), sig.get())) == 1);
  char *text = nullptr;
  const long length = BIO_get_mem_data(bio.get(), &text);
  return std::string(text, static_cast<size_t>(length));
}

}  // namespace aioli::cli
