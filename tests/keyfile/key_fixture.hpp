// SPDX-License-Identifier: Apache-2.0
//
// One key pair per parameter set, and aioli_key_decode and aioli_key_encode called so that nothing they do wrong goes unseen.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "key_forms.hpp"

namespace keyfile_test {

// All sets whose secret key is a seed, but for the largest of UOV.
inline std::vector<const aioli_alg *> sets() {
  std::vector<const aioli_alg *> found;
  for (size_t i = 0; i < aioli_alg_count(); i++) {
    const aioli_alg *alg = aioli_alg_at(i);
    if (aioli_secret_key_bytes(alg) == aioli_seed_bytes(alg) && aioli_public_key_bytes(alg) <= 70000) found.push_back(alg);
  }
  return found;
}

inline const KeyPair &key_pair(const aioli_alg *alg) {
  static std::map<const aioli_alg *, KeyPair> pairs;
  KeyPair &k = pairs[alg];
  if (k.alg == nullptr) {
    k = {alg, aioli_alg_name(alg), aioli_key_oid(alg, nullptr), Bytes(aioli_secret_key_bytes(alg)),
         Bytes(aioli_public_key_bytes(alg))};
    for (size_t i = 0; i < k.sk.size(); i++) k.sk[i] = uint8_t(0xb7 * i + k.name.size() + 3);
    REQUIRE(aioli_public_from_secret(alg, k.pk.data(), k.pk.size(), k.sk.data(), k.sk.size(), nullptr) == AIOLI_OK);
  }
  return k;
}
inline const KeyPair &key_pair(const char *name) {
  const aioli_alg *alg = aioli_alg_by_name(name);
  REQUIRE(alg != nullptr);
  return key_pair(alg);
}

struct Decoded {
  aioli_status status;
  const aioli_alg *alg;
  aioli_key_kind kind;
  Bytes key;
};

// Input and output lie in heap blocks of their exact sizes, so that a sanitizer sees a step too far.  After an error all outputs
// must be zero; after success nothing behind the key may have been touched.
inline constexpr size_t enough = SIZE_MAX;  // no key is longer than its file
inline Decoded decode(const Bytes &file, const aioli_oid *overrides = nullptr, size_t capacity = enough,
                      const aioli_env *env = nullptr) {
  if (capacity == enough) capacity = file.size() + 64;
  std::unique_ptr<uint8_t[]> in(new uint8_t[file.size()]), key(new uint8_t[capacity]);
  std::copy(file.begin(), file.end(), in.get());
  std::fill_n(key.get(), capacity, uint8_t(0xa5));
  static const int nowhere = 0;
  Decoded d{AIOLI_OK, reinterpret_cast<const aioli_alg *>(&nowhere), AIOLI_KEY_SECRET, {}};
  size_t key_bytes = 12345;
  d.status = aioli_key_decode(in.get(), file.size(), &d.alg, &d.kind, key.get(), capacity, &key_bytes, overrides, env);
  const auto filled_with = [&](size_t from, uint8_t value) {
    return std::all_of(key.get() + from, key.get() + capacity, [&](uint8_t b) { return b == value; });
  };
  if (d.status == AIOLI_OK) {
    REQUIRE(key_bytes <= capacity);
    REQUIRE(filled_with(key_bytes, 0xa5));
    d.key.assign(key.get(), key.get() + key_bytes);
  } else {
    REQUIRE(d.alg == nullptr);
    REQUIRE(int(d.kind) == 0);
    REQUIRE(key_bytes == 0);
    REQUIRE(filled_with(0, 0));
  }
  return d;
}
inline Decoded decode(const std::string &text) { return decode(bytes_of(text)); }

inline aioli_status status_of(const Bytes &file) { return decode(file).status; }
inline aioli_status status_of(const std::string &text) { return decode(text).status; }

inline bool is_public_key(const Decoded &d, const KeyPair &k) {
  return d.status == AIOLI_OK && d.alg == k.alg && d.kind == AIOLI_KEY_PUBLIC && d.key == k.pk;
}
inline bool is_secret_key(const Decoded &d, const KeyPair &k) {
  return d.status == AIOLI_OK && d.alg == k.alg && d.kind == AIOLI_KEY_SECRET && d.key == k.sk;
}

// The encoded key; nothing behind it may have been touched.
inline Bytes encoded(const KeyPair &k, aioli_key_kind kind, aioli_key_encoding encoding, const aioli_oid *overrides = nullptr) {
  const Bytes &raw = kind == AIOLI_KEY_SECRET ? k.sk : k.pk;
  Bytes out(aioli_key_encoded_bytes_max(k.alg, kind, encoding), 0xa5);
  size_t n = 0;
  REQUIRE(aioli_key_encode(k.alg, kind, encoding, out.data(), out.size(), &n, raw.data(), raw.size(), overrides) == AIOLI_OK);
  REQUIRE(n <= out.size());
  REQUIRE(std::all_of(out.begin() + long(n), out.end(), [](uint8_t b) { return b == 0xa5; }));
  out.resize(n);
  return out;
}

}  // namespace keyfile_test
