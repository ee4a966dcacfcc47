// SPDX-License-Identifier: Apache-2.0
//
// The input is a key file.  What is read must be a key of its algorithm, and must survive being written and read again; what is
// refused must leave zeroes.
#include <aioli/keyfile.h>

#include "../keyfile/key_forms.hpp"
#include "fuzz.hpp"

namespace {

struct Decoded {
  aioli_status status;
  const aioli_alg *alg;
  aioli_key_kind kind;
  size_t key_bytes;
};

Decoded decode(const fuzz::Block &file, fuzz::Block &key) {
  Decoded d = {AIOLI_OK, aioli_alg_at(0), AIOLI_KEY_SECRET, 1};
  d.status = aioli_key_decode(file.data(), file.size(), &d.alg, &d.kind, key.data(), key.size(), &d.key_bytes, nullptr, nullptr);
  if (d.status != AIOLI_OK) FUZZ_CHECK(d.alg == nullptr && d.kind == AIOLI_KEY_PUBLIC && d.key_bytes == 0 && key.all(0));
  return d;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz::Block file(data, size);
  fuzz::Block key(size + 64);  // no key is longer than its file
  const Decoded d = decode(file, key);
  if (d.status != AIOLI_OK) {
    FUZZ_CHECK(d.status == AIOLI_ERR_FORMAT || d.status == AIOLI_ERR_ENCRYPTED || d.status == AIOLI_ERR_OID ||
               d.status == AIOLI_ERR_LENGTH || d.status == AIOLI_ERR_MISMATCH);
    return 0;
  }
  FUZZ_CHECK(d.alg != nullptr && key.all(0xa5, d.key_bytes));
  FUZZ_CHECK(d.key_bytes == (d.kind == AIOLI_KEY_SECRET ? aioli_secret_key_bytes(d.alg) : aioli_public_key_bytes(d.alg)));
  const fuzz::Block raw(key.data(), d.key_bytes);

  // Room for one byte less is too little.
  fuzz::Block small(d.key_bytes - 1);
  FUZZ_CHECK(decode(file, small).status == AIOLI_ERR_BUFFER);

  for (aioli_key_encoding encoding : {AIOLI_KEY_DER, AIOLI_KEY_PEM}) {
    fuzz::Block out(aioli_key_encoded_bytes_max(d.alg, d.kind, encoding));
    size_t n = 0;
    FUZZ_CHECK(aioli_key_encode(d.alg, d.kind, encoding, out.data(), out.size(), &n, raw.data(), raw.size(), nullptr) ==
               AIOLI_OK);
    FUZZ_CHECK(n <= out.size() && out.all(0xa5, n));
    fuzz::Block again(d.key_bytes);
    const Decoded e = decode(fuzz::Block(out.data(), n), again);
    FUZZ_CHECK(e.status == AIOLI_OK && e.alg == d.alg && e.kind == d.kind && e.key_bytes == d.key_bytes &&
               again.starts_with(raw));
  }
  return 0;
}

std::vector<fuzz::Bytes> fuzz::seeds() {
  using namespace keyfile_test;
  std::vector<Bytes> all;
  const auto add = [&](const char *label, const Node &file) {
    all.push_back(file.der());
    all.push_back(bytes_of(pem(label, base64(file.der()))));
  };
  for (const char *name : {"MAYO-1", "MAYO-1-r2", "MAYO-1-r1b", "MAYO-5", "UOV-Ip-pkc-skc"}) {
    const aioli_alg *alg = aioli_alg_by_name(name);
    if (alg == nullptr) continue;  // a build with the sets of round 3 only
    KeyPair k{alg, name, aioli_key_oid(alg, nullptr), Bytes(aioli_secret_key_bytes(alg), 7), Bytes(aioli_public_key_bytes(alg))};
    FUZZ_CHECK(aioli_public_from_secret(alg, k.pk.data(), k.pk.size(), k.sk.data(), k.sk.size(), nullptr) == AIOLI_OK);
    add("PUBLIC KEY", public_raw(k));
    add("PUBLIC KEY", public_wrapped(k));
    for (const Node &form : secret_forms(k)) add("PRIVATE KEY", form);
    add("PRIVATE KEY", with_attributes(secret_seed(k)));
    add("PRIVATE KEY", with_public(secret_seed(k), k.pk));
    add("PRIVATE KEY", with_public(with_attributes(secret_octet_string(k)), octet_string(k.pk)));
  }
  return all;
}
