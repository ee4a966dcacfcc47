// SPDX-License-Identifier: Apache-2.0
#include "keys.hpp"

#include "envelope.hpp"
#include "failure.hpp"
#include "key_check.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <openssl/evp.h>

#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <memory>

namespace aioli::cli {
namespace {

bool is_dotted_oid(std::string_view oid) {
  size_t arcs = 0;
  while (true) {
    const size_t dot = oid.find('.');
    const std::string_view arc = oid.substr(0, dot);
    const bool digits = !arc.empty() && std::all_of(arc.begin(), arc.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || (arc.size() > 1 && arc[0] == '0')) return false;
    arcs++;
    if (dot == std::string_view::npos) return arcs >= 2;
    oid.remove_prefix(dot + 1);
  }
}

std::string folded(std::string_view name) {
  std::string plain;
  for (char c : name) {
    if (c != '-' && c != '_' && c != ' ') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

std::string key_problem(aioli_status status) {
  switch (status) {
    case AIOLI_ERR_FORMAT: return "it is neither a public key (SubjectPublicKeyInfo) nor a secret key (PKCS#8), in PEM or DER";
    case AIOLI_ERR_OID:
      return "it is a key of an algorithm that is not known here (--oid NAME=DOTTED teaches another object identifier)";
    case AIOLI_ERR_MISMATCH: return "its parts do not belong together: the file was changed or damaged, and must not be used";
    case AIOLI_ERR_LENGTH:
      return "the key does not have the length of its algorithm: the file is damaged, or from another version of the algorithm";
    default: return aioli_status_text(status);
  }
}

}  // namespace

OidTable::OidTable(const std::vector<std::string> &options, bool of_another_set) {
  for (const std::string &option : options) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos) throw Failure("--oid " + printable(option) + ": expected NAME=DOTTED, as in MAYO-1=1.2.3.4");
    const std::string name = option.substr(0, equals), oid = option.substr(equals + 1);
    algorithm_by_name(name);
    if (!is_dotted_oid(oid))
      throw Failure("--oid " + printable(option) + ": the object identifier is not in dotted decimal form");
    if (const aioli_alg *owner = aioli_alg_by_oid(oid.c_str());
        owner != nullptr && name != aioli_alg_name(owner) && !of_another_set) {
      throw Failure(
          "--oid " + printable(option) + ": this is the identifier of " + aioli_alg_name(owner) +
          ", whose keys would be read as keys of " + name +
          "; one seed under two sets can give the key away.  If no such key can come along: --allow-oid-of-another-set");
    }
    texts_.emplace_back(name, oid);
  }
  for (const auto &[name, oid] : texts_) entries_.push_back({name.c_str(), oid.c_str()});
  entries_.push_back({nullptr, nullptr});
}

const aioli_alg *algorithm_by_name(const std::string &name) {
  if (const aioli_alg *alg = aioli_alg_by_name(name.c_str())) return alg;
  std::string message = "there is no algorithm \"" + printable(name) + "\"";
  for (const aioli_alg *alg : all_algorithms()) {
    const std::string known = aioli_alg_name(alg);
    if (folded(known) == folded(name)) throw Failure(message + ": did you mean " + known + "?");
  }
  throw Failure(message + ": `aioli list` shows those there are");
}

std::vector<const aioli_alg *> all_algorithms() {
  std::vector<const aioli_alg *> all;
  all.reserve(aioli_alg_count());
  for (size_t i = 0; i < aioli_alg_count(); i++) all.push_back(aioli_alg_at(i));
  return all;
}

Key decode_key(std::span<const uint8_t> content, const std::string &shown, const OidTable &oids,
               const PassphraseSource &passphrase) {
  Key key;
  key.shown = shown;
  SecretBytes opened;
  if (content.empty()) throw Failure("the key file " + shown + " is empty");
  std::optional<Envelope> envelope;
  try {
    envelope = find_envelope(content);
  } catch (const Failure &failure) {
    throw Failure("cannot use the key file " + shown + ": " + failure.what());
  }
  if (envelope) {
    key.encryption = envelope->scheme;
    auto info = open_envelope(*envelope, read_passphrase(passphrase, shown, false));
    if (!info) throw Failure("wrong passphrase for " + shown + ", or the file is damaged");
    opened = std::move(*info);
    content = opened.view();
  }
  key.bytes = SecretBytes(std::max<size_t>(AIOLI_MAX_PUBLIC_KEY_BYTES, AIOLI_MAX_SECRET_KEY_BYTES));
  size_t n = 0;
  const aioli_status status = aioli_key_decode(content.data(), content.size(), &key.alg, &key.kind, key.bytes.data(),
                                               key.bytes.capacity(), &n, oids.entries(), nullptr);
  if (status == AIOLI_ERR_FORMAT && envelope) throw Failure("wrong passphrase for " + shown + ", or the file is damaged");
  if (status != AIOLI_OK) throw Failure("cannot use the key file " + shown + ": " + key_problem(status));
  key.bytes.set_size(n);
  if (envelope && key.kind == AIOLI_KEY_SECRET) {
    const CheckValue value = check_value_of(content, key.alg, key.bytes.view());
    if (value == CheckValue::wrong) throw Failure("cannot use the key file " + shown + ": it was changed after it was encrypted");
    key.checked = value == CheckValue::right;
  }
  return key;
}

Key load_key(const std::string &path, aioli_key_kind wanted, const OidTable &oids, const PassphraseSource &passphrase) {
  Input input(path, "the key");
  const SecretBytes content = read_small(input, kKeyFileMaxBytes, "a key file");
  Key key = decode_key(content.view(), input.shown(), oids, passphrase);
  if (key.kind != wanted) {
    throw Failure(wanted == AIOLI_KEY_SECRET
                      ? key.shown + " is a public key: signing needs the secret key (the .key file)"
                      : key.shown +
                            " is a secret key: verifying needs the public key (the .pub file), and the secret key should "
                            "stay where it is");
  }
  if (key.kind == AIOLI_KEY_SECRET && key.encryption.empty() && input.others_may_read()) {
    warn("the secret key " + key.shown + " can be read by others: chmod 600 it");
  }
  return key;
}

std::vector<uint8_t> public_key_of(const Key &key) {
  if (key.kind == AIOLI_KEY_PUBLIC) return {key.bytes.data(), key.bytes.data() + key.bytes.size()};
  std::vector<uint8_t> public_key(aioli_public_key_bytes(key.alg));
  check(aioli_public_from_secret(key.alg, public_key.data(), public_key.size(), key.bytes.data(), key.bytes.size(), nullptr),
        "cannot compute the public key of " + key.shown);
  return public_key;
}

Fingerprint fingerprint_of(const aioli_alg *alg, std::span<const uint8_t> public_key) {
  std::string named = aioli_alg_name(alg);
  named += '\0';
  Fingerprint fingerprint;
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX *)> hash(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!hash || EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr) != 1 ||
      EVP_DigestUpdate(hash.get(), named.data(), named.size()) != 1 ||
      EVP_DigestUpdate(hash.get(), public_key.data(), public_key.size()) != 1 ||
      EVP_DigestFinal_ex(hash.get(), fingerprint.data(), nullptr) != 1) {
    throw Failure("libcrypto has no SHA-256");
  }
  return fingerprint;
}

SecretBytes encode_key(const aioli_alg *alg, aioli_key_kind kind, aioli_key_encoding encoding, std::span<const uint8_t> key,
                       const OidTable &oids) {
  SecretBytes encoded(aioli_key_encoded_bytes_max(alg, kind, encoding));
  size_t n = 0;
  check(aioli_key_encode(alg, kind, encoding, encoded.data(), encoded.capacity(), &n, key.data(), key.size(), oids.entries()),
        "cannot encode the key");
  encoded.set_size(n);
  return encoded;
}

SecretBytes seal_key(const aioli_alg *alg, aioli_key_encoding encoding, std::span<const uint8_t> key, const OidTable &oids,
                     const SecretBytes &passphrase) {
  const SecretBytes plain = encode_key(alg, AIOLI_KEY_SECRET, AIOLI_KEY_DER, key, oids);
  const std::string sealed =
      seal_envelope(with_check_value(plain.view(), alg, key).view(), passphrase, encoding == AIOLI_KEY_PEM);
  return SecretBytes::copy_of(sealed.data(), sealed.size());
}

void forbid_core_dumps() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)  // the leak checker must be able to trace its own process
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

}  // namespace aioli::cli
