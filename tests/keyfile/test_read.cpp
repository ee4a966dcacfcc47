// SPDX-License-Identifier: Apache-2.0
//
// Every form in the wild is read, and nothing else.
#include <fstream>
#include <iterator>

#include "key_fixture.hpp"

using namespace keyfile_test;

namespace {

const char *const some_sets[] = {"MAYO-1", "MAYO-2-r2", "MAYO-3", "MAYO-5-r1b"};

template <class F> void for_some_sets(F f) {
  for (const char *name : some_sets) {
    CAPTURE(name);
    f(key_pair(name));
  }
}

Bytes changed(Bytes b, size_t at, uint8_t mask = 1) {
  b[at] ^= mask;
  return b;
}
Bytes first(const Bytes &b, size_t n) { return Bytes(b.begin(), b.begin() + long(n)); }

int count_of_generator_calls = 0;
int counting_rng(void *, uint8_t *out, size_t n) {
  count_of_generator_calls++;
  std::memset(out, 0, n);
  return 0;
}

}  // namespace

TEST_SUITE_BEGIN("reading");

TEST_CASE("public keys: raw and wrapped, all sets") {
  for (size_t i = 0; i < sets().size(); i++) {
    const KeyPair &k = key_pair(sets()[i]);
    CAPTURE(k.name);
    CHECK(is_public_key(decode(public_raw(k).der()), k));
    CHECK(is_public_key(decode(public_wrapped(k).der()), k));
    CHECK(is_public_key(decode(pem("PUBLIC KEY", base64(public_wrapped(k).der()))), k));
  }
}

TEST_CASE("secret keys: five forms, two versions, with and without attributes, all sets") {
  for (size_t i = 0; i < sets().size(); i++) {
    const KeyPair &k = key_pair(sets()[i]);
    CAPTURE(k.name);
    for (const Node &form : secret_forms(k)) {
      CHECK(is_secret_key(decode(form.der()), k));
      CHECK(is_secret_key(decode(pem("PRIVATE KEY", base64(form.der()))), k));
      CHECK(is_secret_key(decode(with_attributes(form).der()), k));
      CHECK(is_secret_key(decode(with_public(form, k.pk).der()), k));
      CHECK(is_secret_key(decode(with_public(with_attributes(form), k.pk).der()), k));
      CHECK(is_secret_key(decode(pem("PRIVATE KEY", base64(with_public(with_attributes(form), k.pk).der()))), k));
    }
    Node wrapped = with_public(secret_seed(k), octet_string(k.pk));
    CHECK(is_secret_key(decode(wrapped.der()), k));
  }
}

TEST_CASE("files that other programs wrote") {
  // MAYO-1 of round 2, from known seeds: pq-mayo 0.6.0 (Rust) from 00 01 .. 17, Bouncy Castle 1.86 (Java) from 40 41 .. 57.
  const auto contents = [](const std::string &name) {
    std::ifstream in(KEYFILE_WILD "/" + name, std::ios::binary);
    const Bytes file{std::istreambuf_iterator<char>(in), {}};
    REQUIRE(!file.empty());
    return file;
  };
  struct Program {
    const char *name;
    uint8_t first;
  };
  for (const Program &program : {Program{"pq-mayo-0.6.0", 0x00}, Program{"bouncycastle-1.86", 0x40}}) {
    CAPTURE(program.name);
    KeyPair k = key_pair("MAYO-1-r2");
    for (size_t i = 0; i < k.sk.size(); i++) k.sk[i] = uint8_t(program.first + i);
    REQUIRE(aioli_public_from_secret(k.alg, k.pk.data(), k.pk.size(), k.sk.data(), k.sk.size(), nullptr) == AIOLI_OK);
    CHECK(is_secret_key(decode(contents(program.name + std::string(".key"))), k));
    CHECK(is_public_key(decode(contents(program.name + std::string(".pub"))), k));
  }
}

TEST_CASE("a public key that is not the secret key's is a mismatch, wherever it stands") {
  for_some_sets([](const KeyPair &k) {
    for (size_t at : {size_t(0), size_t(15), size_t(16), k.pk.size() / 2, k.pk.size() - 1}) {
      KeyPair wrong = k;
      wrong.pk = changed(k.pk, at, 0x10);
      CHECK(status_of(secret_octet_string_both(wrong).der()) == AIOLI_ERR_MISMATCH);
      CHECK(status_of(secret_bare_both(wrong).der()) == AIOLI_ERR_MISMATCH);
      CHECK(status_of(pem("PRIVATE KEY", base64(secret_bare_both(wrong).der()))) == AIOLI_ERR_MISMATCH);
      CHECK(status_of(with_public(secret_seed(k), wrong.pk).der()) == AIOLI_ERR_MISMATCH);
      CHECK(status_of(with_public(secret_bare_both(k), wrong.pk).der()) == AIOLI_ERR_MISMATCH);
      CHECK(status_of(with_public(secret_bare_both(wrong), k.pk).der()) == AIOLI_ERR_MISMATCH);
    }
    KeyPair other = k;
    other.sk = changed(k.sk, 3);
    CHECK(status_of(secret_bare_both(other).der()) == AIOLI_ERR_MISMATCH);
    CHECK(status_of(secret_bare(other).der()) == AIOLI_OK);
  });
}

TEST_CASE("UOV: a secret key that is no seed is read in all forms, at its exact length, and its public key compared") {
  for (const char *name : {"UOV-Is-pkc", "UOV-Ip"}) {
    CAPTURE(name);
    KeyPair k;
    k.alg = aioli_alg_by_name(name), k.name = name, k.oid = aioli_key_oid(k.alg, nullptr);
    k.sk.resize(aioli_secret_key_bytes(k.alg)), k.pk.resize(aioli_public_key_bytes(k.alg));
    const Bytes seed(aioli_seed_bytes(k.alg), 0x37);
    REQUIRE(aioli_keypair_from_seed(k.alg, k.pk.data(), k.pk.size(), k.sk.data(), k.sk.size(), seed.data(), seed.size(),
                                    nullptr) == AIOLI_OK);
    for (const Node &file : secret_forms(k)) CHECK(is_secret_key(decode(file.der()), k));
    CHECK(is_secret_key(decode(with_public(secret_octet_string(k), k.pk).der()), k));
    CHECK(is_secret_key(decode(pem("PRIVATE KEY", base64(secret_octet_string(k).der()))), k));
    CHECK(is_public_key(decode(public_raw(k).der()), k));
    CHECK(is_public_key(decode(public_wrapped(k).der()), k));
    for (size_t at : {size_t(0), k.pk.size() / 2, k.pk.size() - 1}) {
      KeyPair wrong = k;
      wrong.pk = changed(k.pk, at, 0x10);
      CHECK(status_of(secret_octet_string_both(wrong).der()) == AIOLI_ERR_MISMATCH);
      CHECK(status_of(secret_bare_both(wrong).der()) == AIOLI_ERR_MISMATCH);
      CHECK(status_of(with_public(secret_octet_string(k), wrong.pk).der()) == AIOLI_ERR_MISMATCH);
    }
    for (size_t n : {seed.size(), k.sk.size() - 1, k.sk.size() + 1, k.sk.size() + k.pk.size() + 1}) {
      CAPTURE(n);
      KeyPair wrong = k;
      wrong.sk.resize(n);
      CHECK(status_of(secret_octet_string(wrong).der()) == AIOLI_ERR_LENGTH);
    }
    for (size_t n : {k.pk.size() - 1, k.pk.size() + 1}) {
      CAPTURE(n);
      KeyPair wrong = k;
      wrong.pk.resize(n);
      CHECK(status_of(public_raw(wrong).der()) == AIOLI_ERR_LENGTH);
      CHECK(status_of(with_public(secret_octet_string(k), wrong.pk).der()) == AIOLI_ERR_LENGTH);
    }
  }
}

TEST_CASE("UOV: an expanded secret key is that of its seed, in every bit") {
  for (const char *name : {"UOV-Ip", "UOV-Ip-pkc", "UOV-Is"}) {
    CAPTURE(name);
    KeyPair k;
    k.alg = aioli_alg_by_name(name), k.name = name, k.oid = aioli_key_oid(k.alg, nullptr);
    k.sk.resize(aioli_secret_key_bytes(k.alg)), k.pk.resize(aioli_public_key_bytes(k.alg));
    const Bytes seed(aioli_seed_bytes(k.alg), 0x73);
    REQUIRE(aioli_keypair_from_seed(k.alg, k.pk.data(), k.pk.size(), k.sk.data(), k.sk.size(), seed.data(), seed.size(),
                                    nullptr) == AIOLI_OK);
    // Around each border of its parts (seed, O, P1, S) by steps of a prime, and the last bytes.
    int refused = 0;
    for (size_t at = 0; at < k.sk.size(); at += at < 64 ? 1 : at + 8 >= k.sk.size() ? 1 : 2411) {
      KeyPair bad = k;
      bad.sk[at] ^= uint8_t(1 << (at % 8));
      CAPTURE(at);
      CHECK(status_of(secret_octet_string(bad).der()) == AIOLI_ERR_MISMATCH);
      refused++;
      if (at % 5 == 0) {
        CHECK(status_of(secret_bare(bad).der()) == AIOLI_ERR_MISMATCH);
        CHECK(status_of(with_public(secret_octet_string(bad), k.pk).der()) == AIOLI_ERR_MISMATCH);
        CHECK(status_of(pem("PRIVATE KEY", base64(secret_octet_string_both(bad).der()))) == AIOLI_ERR_MISMATCH);
      }
    }
    KeyPair last = k;
    last.sk.back() ^= 0x80;
    CHECK(status_of(secret_octet_string(last).der()) == AIOLI_ERR_MISMATCH);
    CHECK(refused > 150);
    // All of O from another seed: a whole key, but not this seed's.
    KeyPair other = k;
    Bytes other_pk(k.pk.size()), other_seed(seed.size(), 0x11);
    REQUIRE(aioli_keypair_from_seed(k.alg, other_pk.data(), other_pk.size(), other.sk.data(), other.sk.size(), other_seed.data(),
                                    other_seed.size(), nullptr) == AIOLI_OK);
    std::copy(seed.begin(), seed.end(), other.sk.begin());
    CHECK(status_of(secret_octet_string(other).der()) == AIOLI_ERR_MISMATCH);
  }
}

TEST_CASE("UOV: the check works in the caller's memory") {
  const aioli_alg *alg = aioli_alg_by_name("UOV-Ip");
  Bytes pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg)), seed(aioli_seed_bytes(alg), 5);
  REQUIRE(aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) ==
          AIOLI_OK);
  const KeyPair k = {alg, "UOV-Ip", aioli_key_oid(alg, nullptr), sk, pk};
  Bytes workspace(aioli_workspace_bytes(alg, AIOLI_OP_KEYPAIR));
  aioli_env env = {counting_rng, nullptr, workspace.data(), workspace.size()};
  const Bytes file = secret_octet_string(k).der();
  CHECK(is_secret_key(decode(file, nullptr, sk.size(), &env), k));
  env.workspace_bytes = 64;
  CHECK(decode(file, nullptr, sk.size(), &env).status == AIOLI_ERR_BUFFER);
}

TEST_CASE("the key does not go where the file is") {
  const KeyPair &k = key_pair("MAYO-1");
  Bytes file = public_raw(k).der();
  const Bytes before = file;
  for (long shift : {0L, 1L, long(file.size()) - 1}) {
    file = before;
    file.resize(3 * before.size());
    const aioli_alg *alg;
    aioli_key_kind kind;
    size_t n;
    CHECK(aioli_key_decode(file.data(), before.size(), &alg, &kind, file.data() + shift, k.pk.size(), &n, nullptr, nullptr) ==
          AIOLI_ERR_ARGUMENT);
    CHECK(n == 0);
  }
  Bytes key(k.pk);
  key.resize(3000);
  size_t n;
  CHECK(aioli_key_encode(k.alg, AIOLI_KEY_PUBLIC, AIOLI_KEY_DER, key.data() + 5, 2000, &n, key.data(), k.pk.size(), nullptr) ==
        AIOLI_ERR_ARGUMENT);
}

TEST_CASE("a file that is malformed behind a wrong public key is malformed") {
  KeyPair k = key_pair("MAYO-1");
  k.pk[0] ^= 1;
  CHECK(status_of(secret_bare_both(k).der() + Bytes{0}) == AIOLI_ERR_FORMAT);
}

TEST_CASE("the comparison works in the caller's memory, and says so when it is too small") {
  const KeyPair &k = key_pair("MAYO-3-r2");
  Bytes workspace(aioli_workspace_bytes(k.alg, AIOLI_OP_KEYPAIR));
  aioli_env env = {counting_rng, nullptr, workspace.data(), workspace.size()};
  const Bytes file = with_public(secret_seed(k), k.pk).der();
  CHECK(is_secret_key(decode(file, nullptr, k.sk.size(), &env), k));
  env.workspace_bytes = 64;
  CHECK(decode(file, nullptr, k.sk.size(), &env).status == AIOLI_ERR_BUFFER);
  // Without a public key there is nothing to compute.
  env.workspace_bytes = 0;
  CHECK(is_secret_key(decode(secret_seed(k).der(), nullptr, k.sk.size(), &env), k));
  CHECK(count_of_generator_calls == 0);
}

TEST_CASE("the key needs exactly the room that it takes") {
  for_some_sets([](const KeyPair &k) {
    CHECK(is_public_key(decode(public_wrapped(k).der(), nullptr, k.pk.size()), k));
    CHECK(decode(public_wrapped(k).der(), nullptr, k.pk.size() - 1).status == AIOLI_ERR_BUFFER);
    CHECK(is_secret_key(decode(secret_bare_both(k).der(), nullptr, k.sk.size()), k));
    CHECK(decode(secret_bare_both(k).der(), nullptr, k.sk.size() - 1).status == AIOLI_ERR_BUFFER);
    CHECK(decode(secret_seed(k).der(), nullptr, 0).status == AIOLI_ERR_BUFFER);
  });
}

TEST_CASE("wrong arguments of the reader") {
  const Bytes file = public_raw(key_pair("MAYO-1")).der();
  Bytes key(AIOLI_MAX_PUBLIC_KEY_BYTES);
  const aioli_alg *alg;
  aioli_key_kind kind;
  size_t n;
  const auto check = [&](const uint8_t *in, const aioli_alg **a, aioli_key_kind *k, uint8_t *o, size_t *size) {
    std::fill(key.begin(), key.end(), uint8_t(0xa5));
    alg = key_pair("MAYO-1").alg;
    kind = AIOLI_KEY_SECRET;
    n = 99;
    CHECK(aioli_key_decode(in, file.size(), a, k, o, key.size(), size, nullptr, nullptr) == AIOLI_ERR_ARGUMENT);
    if (a != nullptr) CHECK(alg == nullptr);
    if (k != nullptr) CHECK(int(kind) == 0);
    if (o != nullptr) CHECK(key == Bytes(key.size(), 0));
    if (size != nullptr) CHECK(n == 0);
  };
  check(nullptr, &alg, &kind, key.data(), &n);
  check(file.data(), nullptr, &kind, key.data(), &n);
  check(file.data(), &alg, nullptr, key.data(), &n);
  check(file.data(), &alg, &kind, nullptr, &n);
  check(file.data(), &alg, &kind, key.data(), nullptr);
}

// ---- the wrong size, the wrong algorithm ------------------------------------------------------------------------------------

TEST_CASE("keys of a wrong size in well-formed files") {
  for_some_sets([](const KeyPair &k) {
    // Bare keys must not begin like an element, or they are taken for one.
    const Bytes more = Bytes{0x11} + k.sk + k.pk + k.pk;
    for (size_t n : {size_t(0), size_t(1), size_t(16), k.pk.size() - 1, k.pk.size() + 1, k.pk.size() + 4, 2 * k.pk.size()}) {
      CAPTURE(n);
      CHECK(status_of(sequence({algorithm(k.oid), bit_string(first(more, n))}).der()) == AIOLI_ERR_LENGTH);
      CHECK(status_of(sequence({algorithm(k.oid), bit_string(octet_string(first(more, n)))}).der()) == AIOLI_ERR_LENGTH);
      CHECK(status_of(with_public(secret_seed(k), first(more, n)).der()) == AIOLI_ERR_LENGTH);
    }
    const size_t both = k.sk.size() + k.pk.size();
    for (size_t n :
         {size_t(0), size_t(1), k.sk.size() - 1, k.sk.size() + 1, k.pk.size(), both - 1, both + 1, both + k.pk.size()}) {
      CAPTURE(n);
      CHECK(status_of(secret_with(k, octet_string(first(more, n))).der()) == AIOLI_ERR_LENGTH);
      CHECK(status_of(secret_with(k, octet_string(octet_string(first(more, n)))).der()) == AIOLI_ERR_LENGTH);
      CHECK(status_of(secret_with(k, octet_string(leaf(0x80, first(more, n)))).der()) == AIOLI_ERR_LENGTH);
    }
    // [0] is for the seed alone.
    CHECK(status_of(secret_with(k, octet_string(leaf(0x80, k.sk + k.pk))).der()) == AIOLI_ERR_LENGTH);
  });
}

TEST_CASE("seeds and keys that begin like an element") {
  KeyPair k = key_pair("MAYO-1");
  for (Bytes start : {Bytes{0x04, 0x16}, Bytes{0x80, 0x16}, Bytes{0x30, 0x16}, Bytes{0x04, 0x18}, Bytes{0x80, 0xff}}) {
    std::copy(start.begin(), start.end(), k.sk.begin());
    REQUIRE(aioli_public_from_secret(k.alg, k.pk.data(), k.pk.size(), k.sk.data(), k.sk.size(), nullptr) == AIOLI_OK);
    for (const Node &form : secret_forms(k)) CHECK(is_secret_key(decode(form.der()), k));
  }
  for (Bytes start : {Bytes{0x04, 0x82, 0x05, 0xac}, Bytes{0x04, 0x82, 0x05, 0xb0}, Bytes{0x30, 0x00}}) {
    std::copy(start.begin(), start.end(), k.pk.begin());
    CHECK(is_public_key(decode(public_raw(k).der()), k));
    CHECK(is_public_key(decode(public_wrapped(k).der()), k));
  }
}

TEST_CASE("forms of other algorithms are not taken for ours") {
  const KeyPair &k = key_pair("MAYO-2");
  CHECK(status_of(secret_with(k, octet_string(sequence({octet_string(k.sk), octet_string(k.sk)}))).der()) == AIOLI_ERR_FORMAT);
  CHECK(status_of(secret_with(k, octet_string(leaf(0x81, k.sk))).der()) == AIOLI_ERR_LENGTH);
  CHECK(status_of(secret_with(k, octet_string(holder(0xa0, {octet_string(k.sk)}))).der()) == AIOLI_ERR_LENGTH);
  CHECK(status_of(secret_with(k, octet_string(octet_string(octet_string(k.sk)))).der()) == AIOLI_ERR_LENGTH);
}

TEST_CASE("a key under another set's identifier") {
  for (size_t i = 0; i < sets().size(); i++)
    for (size_t j = 0; j < sets().size(); j++) {
      const KeyPair &a = key_pair(sets()[i]), &b = key_pair(sets()[j]);
      KeyPair mixed = a;
      mixed.oid = b.oid;
      CAPTURE(a.name);
      CAPTURE(b.name);
      // Where the sizes are equal, nothing in the file tells the sets apart but the identifier.
      const bool same_pk = a.pk.size() == b.pk.size(), same_sk = a.sk.size() == b.sk.size();
      CHECK(status_of(public_raw(mixed).der()) == (same_pk ? AIOLI_OK : AIOLI_ERR_LENGTH));
      CHECK(status_of(secret_seed(mixed).der()) == (same_sk ? AIOLI_OK : AIOLI_ERR_LENGTH));
      if (same_pk) CHECK(decode(public_raw(mixed).der()).alg == b.alg);
    }
}

TEST_CASE("a well-formed file of an unknown algorithm is just that") {
  const Node rsa = sequence({sequence({oid("1.2.840.113549.1.1.1"), null()}), bit_string(Bytes(270, 1))});
  CHECK(status_of(rsa.der()) == AIOLI_ERR_OID);
  CHECK(status_of(pem("PUBLIC KEY", base64(rsa.der()))) == AIOLI_ERR_OID);
  const Node ec = sequence({sequence({oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7")}), bit_string(Bytes(65, 4))});
  CHECK(status_of(ec.der()) == AIOLI_ERR_OID);
  const Node ed25519 = sequence({integer(0), algorithm("1.3.101.112"), octet_string(octet_string(Bytes(32, 9)))});
  CHECK(status_of(ed25519.der()) == AIOLI_ERR_OID);
  CHECK(status_of(with_public(with_attributes(ed25519), Bytes(32, 8)).der()) == AIOLI_ERR_OID);
  // Neighbours of ours: a hybrid, round 1's, a prefix, a continuation.
  for (const char *near : {"1.3.9999.8.1.4", "1.3.9999.8.1.1", "1.3.9999.8.1", "1.3.9999.8.1.3.1", "2.25", "2.25.0"}) {
    KeyPair k = key_pair("MAYO-1-r2");
    k.oid = near;
    CHECK(status_of(public_raw(k).der()) == AIOLI_ERR_OID);
    CHECK(status_of(secret_bare(k).der()) == AIOLI_ERR_OID);
  }
  // Longer than any that we keep.
  Node very_long = sequence({sequence({leaf(0x06, Bytes{0x2a} + Bytes(200, 0x81) + Bytes{1})}), bit_string(Bytes(8, 1))});
  CHECK(status_of(very_long.der()) == AIOLI_ERR_OID);
}

TEST_CASE("a key under a passphrase is just that") {
  const Node sealed = sequence({sequence({oid("1.2.840.113549.1.5.13"), sequence({})}), octet_string(Bytes(48, 7))});
  CHECK(status_of(sealed.der()) == AIOLI_ERR_ENCRYPTED);
  CHECK(status_of(pem("ENCRYPTED PRIVATE KEY", base64(sealed.der()))) == AIOLI_ERR_ENCRYPTED);
  CHECK(status_of("\n\n" + pem("ENCRYPTED PRIVATE KEY", base64(sealed.der()))) == AIOLI_ERR_ENCRYPTED);
  CHECK(status_of(sealed.der() + Bytes{0}) == AIOLI_ERR_FORMAT);
  CHECK(status_of(pem("PRIVATE KEY", base64(sealed.der()))) == AIOLI_ERR_FORMAT);
  CHECK(status_of(sequence({octet_string(Bytes(48, 7))}).der()) == AIOLI_ERR_FORMAT);
}

TEST_CASE("algorithm parameters are refused, NULL included") {
  const KeyPair &k = key_pair("MAYO-1");
  for (const Node &parameters : {null(), octet_string(Bytes{}), sequence({})}) {
    CHECK(status_of(sequence({sequence({oid(k.oid), parameters}), bit_string(k.pk)}).der()) == AIOLI_ERR_FORMAT);
    CHECK(status_of(sequence({integer(0), sequence({oid(k.oid), parameters}), octet_string(k.sk)}).der()) == AIOLI_ERR_FORMAT);
  }
}

TEST_SUITE_END();
TEST_SUITE_BEGIN("spoiling");

// ---- malformed DER ----------------------------------------------------------------------------------------------------------

namespace {

// A file of each shape: all elements that a template names occur.
std::vector<Node> shapes() {
  const KeyPair &k = key_pair("MAYO-1");
  std::vector<Node> all = secret_forms(k);
  all.push_back(public_raw(k));
  all.push_back(public_wrapped(k));
  all.push_back(with_public(with_attributes(secret_seed(k)), k.pk));
  all.push_back(with_public(secret_octet_string_both(k), octet_string(k.pk)));
  return all;
}

bool is_malformed(aioli_status s) { return s == AIOLI_ERR_FORMAT; }

}  // namespace

TEST_CASE("each truncation, and each byte more") {
  for (const Node &shape : shapes()) {
    const Bytes file = shape.der();
    REQUIRE(status_of(file) == AIOLI_OK);
    for (size_t n = 0; n < file.size(); n++) {
      CAPTURE(n);
      REQUIRE(is_malformed(status_of(first(file, n))));
    }
    for (int b = 0; b < 256; b++) REQUIRE(is_malformed(status_of(file + Bytes{uint8_t(b)})));
    REQUIRE(is_malformed(status_of(file + file)));
    REQUIRE(is_malformed(status_of(file + Bytes(1000, 0))));
  }
}

TEST_CASE("each element spoilt in each way") {
  int spoilt = 0;
  for (const Node &shape : shapes()) {
    Node file = shape;
    std::vector<Node *> nodes;
    file.collect(nodes);
    for (Node *node : nodes)
      for (int i = 1; i < int(Spoilt::count); i++) {
        const Spoilt way = node->spoilt = Spoilt(i);
        const Bytes bytes = file.der();
        node->spoilt = Spoilt::none;
        if (bytes == file.der()) continue;  // some ways do not change some nodes
        spoilt++;
        CAPTURE(int(node->tag));
        CAPTURE(int(node->role));
        CAPTURE(i);
        const aioli_status status = status_of(bytes);
        const bool other_tag = way == Spoilt::tag_plus_one || way == Spoilt::tag_class || way == Spoilt::tag_constructed;
        const bool more = way == Spoilt::trailing_zero || way == Spoilt::trailing_null;
        const bool holds_key = node->role == Role::key || (!node->below.empty() && node->below[0].role == Role::key);
        if (node->role == Role::attribute_value && (other_tag || more)) {
          CHECK(status == AIOLI_OK);
        } else if (node->role == Role::attribute_type && more) {
          CHECK(status == AIOLI_OK);
        } else if (node->role == Role::attribute_values && way == Spoilt::trailing_null) {
          CHECK(status == AIOLI_OK);
        } else if (node->role == Role::identifier && more) {
          CHECK(status == AIOLI_ERR_OID);
        } else if (holds_key && (other_tag || more || way == Spoilt::high_tag)) {
          // What is no element of a known kind in the place of a key is a key of a wrong size.
          CHECK((status == AIOLI_ERR_LENGTH || status == AIOLI_ERR_FORMAT));
        } else {
          CHECK(status == AIOLI_ERR_FORMAT);
        }
      }
  }
  CHECK(spoilt > 1000);
}

TEST_CASE("versions") {
  const KeyPair &k = key_pair("MAYO-1");
  const Node good = secret_seed(k), good_v2 = with_public(good, k.pk);
  const auto with_version = [](Node file, Bytes content) {
    file.below[0] = leaf(0x02, content);
    return status_of(file.der());
  };
  CHECK(with_version(good, {0}) == AIOLI_OK);
  CHECK(with_version(good_v2, {1}) == AIOLI_OK);
  CHECK(with_version(good, {1}) == AIOLI_ERR_FORMAT);     // version 2 without a public key
  CHECK(with_version(good_v2, {0}) == AIOLI_ERR_FORMAT);  // a public key in version 1
  for (int v = 2; v < 256; v++) {                         // from 128 on: negative
    CHECK(with_version(good, {uint8_t(v)}) == AIOLI_ERR_FORMAT);
    CHECK(with_version(good_v2, {uint8_t(v)}) == AIOLI_ERR_FORMAT);
  }
  for (const Bytes &bad :
       {Bytes{}, Bytes{0, 0}, Bytes{0, 1}, Bytes{1, 0}, Bytes{0xff, 0xff}, Bytes(9, 0), Bytes{0, 0, 0, 0, 1}}) {
    CHECK(with_version(good, bad) == AIOLI_ERR_FORMAT);
    CHECK(with_version(good_v2, bad) == AIOLI_ERR_FORMAT);
  }
}

TEST_CASE("bit strings of whole octets only") {
  const KeyPair &k = key_pair("MAYO-1");
  for (int unused = 1; unused < 256; unused++) {
    CHECK(status_of(sequence({algorithm(k.oid), bit_string(k.pk, 0x03, uint8_t(unused))}).der()) == AIOLI_ERR_FORMAT);
    Node v2 = with_public(secret_seed(k), k.pk);
    v2.below.back() = bit_string(k.pk, 0x81, uint8_t(unused));
    CHECK(status_of(v2.der()) == AIOLI_ERR_FORMAT);
  }
  CHECK(status_of(sequence({algorithm(k.oid), leaf(0x03, {})}).der()) == AIOLI_ERR_FORMAT);
  // Constructed, as BER would allow.
  CHECK(status_of(sequence({algorithm(k.oid), holder(0x23, {bit_string(k.pk)})}).der()) == AIOLI_ERR_FORMAT);
  CHECK(status_of(secret_with(k, holder(0x24, {octet_string(k.sk)})).der()) == AIOLI_ERR_FORMAT);
}

TEST_CASE("identifiers that are none") {
  const KeyPair &k = key_pair("MAYO-1");
  const Bytes good = oid_octets(k.oid);
  Bytes padded = good;
  padded.insert(padded.begin() + 1, 0x80);
  for (const Bytes &bad : {Bytes{}, Bytes{0x80}, Bytes{0x81}, Bytes{0x80, 0x01}, first(good, good.size() - 1), good + Bytes{0x80},
                           good + Bytes{0x80, 0x01}, padded, Bytes(100, 0xff)}) {
    CHECK(status_of(sequence({sequence({leaf(0x06, bad)}), bit_string(k.pk)}).der()) == AIOLI_ERR_FORMAT);
    CHECK(status_of(sequence({integer(0), sequence({leaf(0x06, bad)}), octet_string(k.sk)}).der()) == AIOLI_ERR_FORMAT);
  }
}

TEST_CASE("attributes must be attributes") {
  const KeyPair &k = key_pair("MAYO-1");
  const auto status_with = [&](Node a) {
    Node file = secret_seed(k);
    file.below.push_back(std::move(a));
    return status_of(file.der());
  };
  const Node type = oid("1.2.3"), value = holder(0x31, {null()});
  CHECK(status_with(holder(0xa0, {})) == AIOLI_OK);
  CHECK(status_with(holder(0xa0, {sequence({type, value})})) == AIOLI_OK);
  for (const Node &bad :
       {type, value, sequence({}), sequence({type}), sequence({value}), sequence({value, type}),
        sequence({type, holder(0x31, {})}), sequence({type, value, value}), sequence({type, null()}),
        sequence({leaf(0x06, {}), value}), sequence({type, leaf(0x31, {0, 0})}), sequence({type, leaf(0x31, {5})})})
    CHECK(status_with(holder(0xa0, {bad})) == AIOLI_ERR_FORMAT);
  CHECK(status_with(leaf(0x80, {})) == AIOLI_ERR_FORMAT);
  CHECK(status_with(holder(0xa2, {})) == AIOLI_ERR_FORMAT);
  CHECK(status_with(null()) == AIOLI_ERR_FORMAT);
  // Once, and before the public key.
  Node twice = with_attributes(with_attributes(secret_seed(k)));
  CHECK(status_of(twice.der()) == AIOLI_ERR_FORMAT);
  Node behind = with_public(secret_seed(k), k.pk);
  behind.below.push_back(attributes());
  CHECK(status_of(behind.der()) == AIOLI_ERR_FORMAT);
  // A public key as [1] EXPLICIT, as some old writers had it.
  Node explicit_tag = with_public(secret_seed(k), k.pk);
  explicit_tag.below.back() = holder(0xa1, {bit_string(k.pk)});
  CHECK(status_of(explicit_tag.der()) == AIOLI_ERR_FORMAT);
}

TEST_CASE("files that are nothing at all") {
  CHECK(status_of(Bytes{}) == AIOLI_ERR_FORMAT);
  for (int b = 0; b < 256; b++) {
    CHECK(status_of(Bytes{uint8_t(b)}) == AIOLI_ERR_FORMAT);
    for (size_t n : {2, 3, 4, 100, 1500}) CHECK(status_of(Bytes(n, uint8_t(b))) == AIOLI_ERR_FORMAT);
  }
  CHECK(status_of(sequence({}).der()) == AIOLI_ERR_FORMAT);
  CHECK(status_of(sequence({null(), null()}).der()) == AIOLI_ERR_FORMAT);
}

// ---- every byte changed -----------------------------------------------------------------------------------------------------

// The masks that a byte is changed by: all of them, or where machines are emulated each bit alone and all at once.
static int next_mask(int mask) {
#if defined(KEYFILE_SLOW_MACHINE)
  return mask == 128 ? 255 : mask == 255 ? 256 : 2 * mask;
#else
  return mask + 1;
#endif
}

TEST_CASE("every byte of the written forms changed in every way: refused, or another key") {
  for (const char *name : {"MAYO-1", "MAYO-2-r2"}) {
    const KeyPair &k = key_pair(name);
    for (aioli_key_kind kind : {AIOLI_KEY_PUBLIC, AIOLI_KEY_SECRET}) {
      const Bytes file = encoded(k, kind, AIOLI_KEY_DER);
      const Decoded good = decode(file);
      const size_t seed_tag = file.size() - k.sk.size() - 2;
      for (size_t at = 0; at < file.size(); at++) {
        // Keys proper are free bytes: a few masks do.
        const bool in_key = kind == AIOLI_KEY_PUBLIC && at > 60;
        for (int mask = 1; mask < 256; mask = in_key ? mask * 2 : next_mask(mask)) {
          const Bytes other = changed(file, at, uint8_t(mask));
          const Decoded d = decode(other);
          if (d.status != AIOLI_OK) continue;
          const bool same_key = d.alg == good.alg && d.kind == good.kind && d.key == good.key;
          // The one choice: [0] or OCTET STRING around the seed.
          const bool other_form = kind == AIOLI_KEY_SECRET && at == seed_tag && other[at] == 0x04;
          CAPTURE(at);
          CAPTURE(mask);
          REQUIRE(same_key == other_form);
        }
      }
    }
  }
}

TEST_CASE("every byte of every shape changed: outputs zero on error, headers never forgiving") {
  for (const Node &shape : shapes()) {
    std::vector<bool> in_key;
    const Bytes file = shape.der(&in_key);
    const Decoded good = decode(file);
    for (size_t at = 0; at < file.size(); at++) {
      CAPTURE(at);
      if (in_key[at]) {  // one bit of each: behind many of them stands a key generation
        const Decoded d = decode(changed(file, at, uint8_t(1 << (at % 8))));
        REQUIRE((d.status == AIOLI_ERR_MISMATCH || d.status == AIOLI_ERR_FORMAT || (d.status == AIOLI_OK && d.key != good.key)));
        continue;
      }
      for (int mask = 1; mask < 256; mask = next_mask(mask)) {
        const Decoded d = decode(changed(file, at, uint8_t(mask)));
        REQUIRE(d.status != AIOLI_ERR_MISMATCH);
        if (d.status == AIOLI_OK) REQUIRE(d.kind == good.kind);
      }
    }
  }
}

TEST_SUITE_END();
TEST_SUITE_BEGIN("pem");

// ---- PEM --------------------------------------------------------------------------------------------------------------------

TEST_CASE("PEM: what is read") {
  const KeyPair &k = key_pair("MAYO-2");
  const std::string body = base64(public_raw(k).der());
  const std::string secret = base64(secret_seed(k).der());
  CHECK(is_public_key(decode(pem("PUBLIC KEY", body, 64, "\r\n")), k));
  for (size_t line : {1, 2, 3, 4, 63, 64, 65, 76, 1000000}) CHECK(is_public_key(decode(pem("PUBLIC KEY", body, line)), k));
  for (size_t line : {1, 5, 64, 76, 1000000}) CHECK(is_secret_key(decode(pem("PRIVATE KEY", secret, line, "\r\n")), k));
  const std::string text = pem("PUBLIC KEY", body);
  CHECK(is_public_key(decode(text.substr(0, text.size() - 1)), k));  // no last line end
  CHECK(is_public_key(decode("\n \t\r\n" + text + "\n\n \t\r\n"), k));
}

TEST_CASE("PEM: what is not read") {
  const KeyPair &k = key_pair("MAYO-2");
  const std::string body = base64(public_raw(k).der()), secret = base64(secret_seed(k).der());
  const std::string good = pem("PUBLIC KEY", body);
  REQUIRE(status_of(good) == AIOLI_OK);
  const auto with = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  const std::string line2 = "\n" + body.substr(64, 8);
  const std::string cases[] = {
      // labels
      pem("PRIVATE KEY", body),
      pem("PUBLIC KEY", secret),
      pem("MAYO PUBLIC KEY", body),
      pem("CERTIFICATE", body),
      pem("RSA PUBLIC KEY", body),
      pem("public key", body),
      pem("", body),
      with("END PUBLIC", "END PRIVATE"),
      with("BEGIN PUBLIC KEY-----", "BEGIN PUBLIC KEY----"),
      with("-----BEGIN", "----BEGIN"),
      with("-----BEGIN", "------BEGIN"),
      with("BEGIN PUBLIC", "BEGIN  PUBLIC"),
      with("-----BEGIN PUBLIC KEY-----\n", "-----BEGIN PUBLIC KEY-----"),
      with("KEY-----\n", "KEY----- \n"),
      with("KEY-----\n", "KEY-----\r"),
      with("END PUBLIC KEY-----", "END PUBLIC KEY----"),
      with("\n-----END", "\n----END"),
      with("\n-----END", "-----END"),
      with("\n-----END", "\n\n-----END"),
      with("\n-----END", "\n -----END"),
      // no end, no body, nothing
      good.substr(0, good.find("-----END")),
      with("-----END PUBLIC KEY-----\n", "-----END"),
      pem("PUBLIC KEY", ""),
      "-----BEGIN PUBLIC KEY-----",
      "-----BEGIN PUBLIC KEY-----\n",
      "-----BEGIN ",
      "-----",
      "\n",
      " ",
      // around it
      "key of somebody\n" + good,
      good + "junk\n",
      good + good,
      good + pem("PRIVATE KEY", secret),
      std::string(1, '\0') + good,
      good + std::string(1, '\0'),
      "\xef\xbb\xbf" + good,
      good + "\f",
      // base64
      with(line2, "\n" + body.substr(64, 4) + " " + body.substr(68, 4)),
      with(line2, "\n\n" + body.substr(64, 8)),
      with(line2, "\r" + body.substr(64, 8)),
      with(line2, "\r\r\n" + body.substr(64, 8)),
      with(line2, "\n-" + body.substr(65, 7)),
      with(line2, "\n_" + body.substr(65, 7)),
      with(line2, "\n*" + body.substr(65, 7)),
      with(line2, "\n=" + body.substr(65, 7)),
      with(line2, "\n" + body.substr(65, 7)),
      with(line2, "\nA" + body.substr(64, 8)),
      with(line2, "\nAAAA" + body.substr(64, 8)),
      with(line2, "\n" + body.substr(68, 4)),
      with(line2, " \n" + body.substr(64, 8)),
      with(line2, "\n\t" + body.substr(64, 8)),
      with(line2, "\n" + std::string(1, '\0') + body.substr(65, 7)),
      with(line2, "\n\x80" + body.substr(65, 7)),
      with(line2, "\n\xff" + body.substr(65, 7)),
      // headers, as the old encrypted files have
      with("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\n\n"),
      with("KEY-----\n", "KEY-----\n\n"),
  };
  for (const std::string &text : cases) {
    CAPTURE(text);
    CHECK(status_of(text) == AIOLI_ERR_FORMAT);
  }
}

TEST_CASE("PEM: padding is whole and carries no bits") {
  // Three files whose bodies end in zero, one and two '='.
  int seen[3] = {};
  for (const char *name : {"MAYO-1", "MAYO-1-r2", "MAYO-2-r2", "MAYO-3", "MAYO-5", "MAYO-5-r2", "MAYO-2"})
    for (const Node &form : {public_raw(key_pair(name)), secret_seed(key_pair(name)), public_wrapped(key_pair(name))}) {
      const char *const label = form.below[0].tag == 0x02 ? "PRIVATE KEY" : "PUBLIC KEY";
      const std::string body = base64(form.der());
      const size_t padding = 3 - (form.der().size() + 2) % 3 - 1;
      seen[padding]++;
      CAPTURE(padding);
      REQUIRE(body.size() - body.find_last_not_of('=') - 1 == padding);
      CHECK(status_of(pem(label, body)) == AIOLI_OK);
      CHECK(status_of(pem(label, body + "=")) == AIOLI_ERR_FORMAT);
      CHECK(status_of(pem(label, body + "==")) == AIOLI_ERR_FORMAT);
      CHECK(status_of(pem(label, body + "====")) == AIOLI_ERR_FORMAT);
      CHECK(status_of(pem(label, body + "A===")) == AIOLI_ERR_FORMAT);
      CHECK(status_of(pem(label, body + "AAAA")) == AIOLI_ERR_FORMAT);
      if (padding != 0) CHECK(status_of(pem(label, body.substr(0, body.size() - 1))) == AIOLI_ERR_FORMAT);
      if (padding == 2) CHECK(status_of(pem(label, body.substr(0, body.size() - 2))) == AIOLI_ERR_FORMAT);
      if (padding != 0)
        CHECK(status_of(pem(label, body.substr(0, body.size() - padding) + std::string(padding, 'A'))) == AIOLI_ERR_FORMAT);
      // The last digit's other values: each changes stray bits (refused) or the key.
      static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      const size_t last = body.size() - padding - 1, digit = alphabet.find(body[last]);
      const size_t step = padding == 2 ? 16 : padding == 1 ? 4 : 1;
      for (size_t other = 0; other < 64; other++) {
        std::string text = body;
        text[last] = alphabet[other];
        const Decoded d = decode(pem(label, text));
        CHECK(d.status == (other % step == 0 ? AIOLI_OK : AIOLI_ERR_FORMAT));
        if (d.status == AIOLI_OK) CHECK((d.key == decode(form.der()).key) == (other == digit));
      }
    }
  for (int n : seen) CHECK(n > 0);
}

TEST_CASE("PEM: a padding character is no digit") {
  // One byte too many, and one zero digit inside written as padding: the count of bytes would come out right.
  int tried = 0;
  for (size_t i = 0; i < sets().size(); i++) {
    const Bytes der = public_raw(key_pair(sets()[i])).der();
    if (der.size() % 3 != 2) continue;
    std::string body = base64(der + Bytes{0});
    REQUIRE(body.find('=') == std::string::npos);
    for (size_t at = body.find('A'); at < body.size() - 4; at = body.find('A', at + 1)) {
      std::string text = body;
      text[at] = '=';
      CHECK(status_of(pem("PUBLIC KEY", text)) == AIOLI_ERR_FORMAT);
      tried++;
    }
  }
  CHECK(tried > 0);
}

TEST_CASE("PEM: every digit value in every place of a group, through the reader and the writer") {
  KeyPair k = key_pair("MAYO-5");
  for (int b = 0; b < 256; b++) {
    for (size_t i = 0; i < k.sk.size(); i++) k.sk[i] = uint8_t(b + 5 * int(i));
    const Bytes text = encoded(k, AIOLI_KEY_SECRET, AIOLI_KEY_PEM);
    CHECK(text == bytes_of(pem("PRIVATE KEY", base64(secret_seed(k).der()))));
    CHECK(is_secret_key(decode(text), k));
  }
}

TEST_CASE("PEM: each truncation, and every character changed to every byte") {
  const KeyPair &k = key_pair("MAYO-1");
  const Bytes text = encoded(k, AIOLI_KEY_SECRET, AIOLI_KEY_PEM);
  const Decoded good = decode(text);
  for (size_t n = 0; n + 1 < text.size(); n++) CHECK(status_of(first(text, n)) == AIOLI_ERR_FORMAT);
  for (size_t at = 0; at + 1 < text.size(); at++)
    for (int mask = 1; mask < 256; mask++) {
      const Decoded d = decode(changed(text, at, uint8_t(mask)));
      if (d.status != AIOLI_OK) continue;
      CAPTURE(at);
      CAPTURE(mask);
      // [0] to OCTET STRING around the seed, as above: the only change of a form that keeps the key.
      if (d.key == good.key)
        CHECK(secret_octet_string(k).der() == [&] {
          Bytes der = secret_seed(k).der();
          der[der.size() - k.sk.size() - 2] = 0x04;
          return der;
        }());
      REQUIRE((d.key != good.key || d.alg != good.alg) != (at < 60));
    }
}

TEST_SUITE_END();
