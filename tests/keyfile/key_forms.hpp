// SPDX-License-Identifier: Apache-2.0
//
// All forms of key files that are read, as trees.
#pragma once
#include <aioli/keyfile.h>

#include "der_builder.hpp"

namespace keyfile_test {

struct KeyPair {
  const aioli_alg *alg;
  std::string name, oid;
  Bytes sk, pk;
};

inline Node public_raw(const KeyPair &k) { return sequence({algorithm(k.oid), bit_string(k.pk)}); }
inline Node public_wrapped(const KeyPair &k) { return sequence({algorithm(k.oid), bit_string(octet_string(k.pk))}); }

inline Node secret_with(const KeyPair &k, Node private_key) {
  return sequence({integer(0), algorithm(k.oid), std::move(private_key)});
}
inline Node secret_seed(const KeyPair &k) { return secret_with(k, octet_string(leaf(0x80, k.sk, Role::key))); }
inline Node secret_octet_string(const KeyPair &k) { return secret_with(k, octet_string(octet_string(k.sk))); }
inline Node secret_octet_string_both(const KeyPair &k) { return secret_with(k, octet_string(octet_string(k.sk + k.pk))); }
inline Node secret_bare(const KeyPair &k) { return secret_with(k, octet_string(k.sk)); }
inline Node secret_bare_both(const KeyPair &k) { return secret_with(k, octet_string(k.sk + k.pk)); }

inline std::vector<Node> secret_forms(const KeyPair &k) {
  return {secret_seed(k), secret_octet_string(k), secret_octet_string_both(k), secret_bare(k), secret_bare_both(k)};
}

// The same as version 2 of the structure, with the public key.
template <class Raw_or_wrapped> Node with_public(Node file, Raw_or_wrapped pk) {
  file.below[0] = integer(1);
  file.below.push_back(bit_string(pk, 0x81));
  return file;
}

// friendlyName (1.2.840.113549.1.9.20) and localKeyID (.21).
inline Node attributes() {
  const auto attribute = [](const char *type, Node value) {
    value.role = Role::attribute_value;
    return sequence({oid(type, Role::attribute_type), Node{0x31, {}, {value}, Role::attribute_values, {}}});
  };
  return holder(0xa0, {attribute("1.2.840.113549.1.9.20", leaf(0x0c, bytes_of("aioli"))),
                       attribute("1.2.840.113549.1.9.21", octet_string(Bytes{1, 2}))});
}
inline Node with_attributes(Node file) {
  file.below.insert(file.below.begin() + 3, attributes());
  return file;
}

}  // namespace keyfile_test
