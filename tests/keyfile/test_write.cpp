// SPDX-License-Identifier: Apache-2.0
//
// What is written, against files put together by hand, and read back.
#include <set>

#include "key_fixture.hpp"

using namespace keyfile_test;

namespace {

template <class F> void for_all_sets(F f) {
  REQUIRE(sets().size() == 19);
  for (const aioli_alg *alg : sets()) {
    const KeyPair &k = key_pair(alg);
    CAPTURE(k.name);
    f(k);
  }
}

}  // namespace

TEST_SUITE_BEGIN("writing");

TEST_CASE("every set has an identifier of its own; round 2 has those in use") {
  std::set<std::string> seen;
  for_all_sets([&](const KeyPair &k) {
    CHECK(seen.insert(k.oid).second);
    const bool uov = k.name.rfind("UOV-", 0) == 0, in_use = aioli_alg_round(k.alg) == 2 || k.name.rfind("UOV-Is", 0) == 0;
    CHECK(k.oid.rfind(!in_use ? "2.25." : uov ? "1.3.9999.9." : "1.3.9999.8.", 0) == 0);
  });
  CHECK(key_pair("MAYO-1-r2").oid == "1.3.9999.8.1.3");
  CHECK(key_pair("MAYO-2-r2").oid == "1.3.9999.8.2.3");
  CHECK(key_pair("MAYO-3-r2").oid == "1.3.9999.8.3.3");
  CHECK(key_pair("MAYO-5-r2").oid == "1.3.9999.8.5.3");
}

TEST_CASE("UOV of round 2: the identifiers of the Open Quantum Safe provider are written, Bouncy Castle's are read") {
  // There the sets count before the ways of writing keys, here the ways before the sets.
  const std::string sets[] = {"Is", "Ip", "III", "V"}, ways[] = {"", "-pkc", "-pkc-skc"};
  for (int set = 0; set < 4; set++)
    for (int way = 0; way < 3; way++) {
      const std::string name = "UOV-" + sets[set] + ways[way] + (set == 0 ? "" : "-r2");
      CAPTURE(name);
      const aioli_alg *alg = aioli_alg_by_name(name.c_str());
      REQUIRE(alg != nullptr);
      const std::string written = "1.3.9999.9." + std::to_string(4 * way + set + 1) + ".1",
                        other = "1.3.6.1.4.1.22554.2.14." + std::to_string(3 * set + way + 1);
      CHECK(aioli_key_oid(alg, nullptr) == written);
      for (const std::string &oid : {written, other}) {  // a public key of the right size, whatever is in it
        KeyPair k;
        k.alg = alg, k.name = name, k.oid = oid, k.pk.assign(aioli_public_key_bytes(alg), 7);
        const Decoded d = decode(public_raw(k).der());
        CHECK(d.status == AIOLI_OK);
        CHECK(d.alg == alg);
      }
    }
}

TEST_CASE("UOV: an expanded secret key is an OCTET STRING, and Bouncy Castle's identifiers are read") {
  const aioli_alg *alg = aioli_alg_by_name("UOV-Ip-pkc-r2");
  Bytes pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg)), seed(32, 9), back(sk.size());
  REQUIRE(aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) ==
          AIOLI_OK);
  for (const char *oid : {"1.3.9999.9.6.1", "1.3.6.1.4.1.22554.2.14.5"}) {
    const aioli_oid as[] = {{"UOV-Ip-pkc-r2", oid}, {nullptr, nullptr}};
    Bytes file(aioli_key_encoded_bytes_max(alg, AIOLI_KEY_SECRET, AIOLI_KEY_DER));
    size_t n = 0, back_bytes = 0;
    REQUIRE(aioli_key_encode(alg, AIOLI_KEY_SECRET, AIOLI_KEY_DER, file.data(), file.size(), &n, sk.data(), sk.size(), as) ==
            AIOLI_OK);
    CHECK(file[n - sk.size() - 5] == 0x04);  // the tag, and a length of three octets after 0x83

    const aioli_alg *found = nullptr;
    aioli_key_kind kind = AIOLI_KEY_PUBLIC;
    REQUIRE(aioli_key_decode(file.data(), n, &found, &kind, back.data(), back.size(), &back_bytes, nullptr, nullptr) == AIOLI_OK);
    CHECK(found == alg);
    CHECK(kind == AIOLI_KEY_SECRET);
    CHECK(back == sk);
  }
}

TEST_CASE("the algorithm of an identifier") {
  for_all_sets([](const KeyPair &k) { CHECK(aioli_alg_by_oid(k.oid.c_str()) == k.alg); });
  CHECK(aioli_alg_by_oid("1.3.6.1.4.1.22554.2.14.4") == aioli_alg_by_name("UOV-Ip-r2"));  // read, not written
  for (const char *none : {"1.2.3", "2.25", "", "x", "1.3.9999.8.1.3.1"}) CHECK(aioli_alg_by_oid(none) == nullptr);
  CHECK(aioli_alg_by_oid(nullptr) == nullptr);
}

TEST_CASE("an identifier with a 128-bit arc, octet by octet") {
  // 2.25 is one octet, 105.  727e80fa-8117-4fe7-b8fd-690e60038fbb in 19 groups of seven bits, the first of two bits (01).
  const Bytes expected = {0x06, 0x14, 0x69, 0x81, 0xe4, 0xfe, 0xc0, 0xbe, 0xd0, 0x91, 0xba,
                          0xbf, 0xcf, 0xb8, 0xfe, 0xda, 0xa1, 0xe6, 0x80, 0x8e, 0x9f, 0x3b};
  const uint8_t uuid[16] = {0x72, 0x7e, 0x80, 0xfa, 0x81, 0x17, 0x4f, 0xe7, 0xb8, 0xfd, 0x69, 0x0e, 0x60, 0x03, 0x8f, 0xbb};
  Bytes groups(19);
  for (int bit = 0; bit < 128; bit++)
    if (uuid[15 - bit / 8] >> (bit % 8) & 1) groups[size_t(18 - bit / 7)] |= uint8_t(1 << (bit % 7));
  for (size_t i = 0; i < 18; i++) groups[i] |= 0x80;
  CHECK(Bytes{0x06, 0x14, 0x69} + groups == expected);
  const Bytes der = encoded(key_pair("MAYO-1"), AIOLI_KEY_SECRET, AIOLI_KEY_DER);
  CHECK(Bytes(der.begin() + 7, der.begin() + 29) == expected);
}

TEST_CASE("DER is exactly the one form that is written") {
  for_all_sets([](const KeyPair &k) {
    CHECK(encoded(k, AIOLI_KEY_PUBLIC, AIOLI_KEY_DER) == public_raw(k).der());
    CHECK(encoded(k, AIOLI_KEY_SECRET, AIOLI_KEY_DER) == secret_seed(k).der());
  });
}

TEST_CASE("PEM is the same in base64, 64 characters to the line") {
  for_all_sets([](const KeyPair &k) {
    CHECK(encoded(k, AIOLI_KEY_PUBLIC, AIOLI_KEY_PEM) == bytes_of(pem("PUBLIC KEY", base64(public_raw(k).der()))));
    CHECK(encoded(k, AIOLI_KEY_SECRET, AIOLI_KEY_PEM) == bytes_of(pem("PRIVATE KEY", base64(secret_seed(k).der()))));
  });
}

TEST_CASE("what is written is read back") {
  for_all_sets([](const KeyPair &k) {
    for (aioli_key_encoding encoding : {AIOLI_KEY_DER, AIOLI_KEY_PEM}) {
      CHECK(is_public_key(decode(encoded(k, AIOLI_KEY_PUBLIC, encoding)), k));
      CHECK(is_secret_key(decode(encoded(k, AIOLI_KEY_SECRET, encoding)), k));
    }
  });
}

TEST_CASE("the output needs exactly the room that it takes") {
  for (const char *name : {"MAYO-1", "MAYO-5-r2"}) {
    const KeyPair &k = key_pair(name);
    for (aioli_key_kind kind : {AIOLI_KEY_PUBLIC, AIOLI_KEY_SECRET})
      for (aioli_key_encoding encoding : {AIOLI_KEY_DER, AIOLI_KEY_PEM}) {
        const Bytes whole = encoded(k, kind, encoding), &raw = kind == AIOLI_KEY_SECRET ? k.sk : k.pk;
        for (size_t capacity = 0; capacity <= whole.size(); capacity++) {
          std::unique_ptr<uint8_t[]> out(new uint8_t[capacity]);
          std::fill_n(out.get(), capacity, uint8_t(0xa5));
          size_t n = 99;
          const aioli_status status =
              aioli_key_encode(k.alg, kind, encoding, out.get(), capacity, &n, raw.data(), raw.size(), nullptr);
          const bool fits = capacity == whole.size();
          REQUIRE(status == (fits ? AIOLI_OK : AIOLI_ERR_BUFFER));
          REQUIRE(n == (fits ? whole.size() : 0));
          REQUIRE(Bytes(out.get(), out.get() + capacity) == (fits ? whole : Bytes(capacity, 0)));
        }
      }
  }
}

TEST_CASE("wrong arguments of the writer") {
  const KeyPair &k = key_pair("MAYO-2");
  Bytes out(aioli_key_encoded_bytes_max(k.alg, AIOLI_KEY_PUBLIC, AIOLI_KEY_PEM));
  size_t n;
  const auto check = [&](aioli_status expected, const aioli_alg *alg, int kind, int encoding, uint8_t *o, size_t *size,
                         const uint8_t *key, size_t key_bytes, const aioli_oid *overrides) {
    std::fill(out.begin(), out.end(), uint8_t(0xa5));
    n = 99;
    CHECK(aioli_key_encode(alg, aioli_key_kind(kind), aioli_key_encoding(encoding), o, out.size(), size, key, key_bytes,
                           overrides) == expected);
    if (o != nullptr) CHECK(out == Bytes(out.size(), 0));
    if (size != nullptr) CHECK(n == 0);
  };
  check(AIOLI_ERR_ARGUMENT, nullptr, 0, 0, out.data(), &n, k.pk.data(), k.pk.size(), nullptr);
  check(AIOLI_ERR_ARGUMENT, k.alg, 2, 0, out.data(), &n, k.pk.data(), k.pk.size(), nullptr);
  check(AIOLI_ERR_ARGUMENT, k.alg, -1, 0, out.data(), &n, k.pk.data(), k.pk.size(), nullptr);
  check(AIOLI_ERR_ARGUMENT, k.alg, 0, 2, out.data(), &n, k.pk.data(), k.pk.size(), nullptr);
  check(AIOLI_ERR_ARGUMENT, k.alg, 0, 0, nullptr, &n, k.pk.data(), k.pk.size(), nullptr);
  check(AIOLI_ERR_ARGUMENT, k.alg, 0, 0, out.data(), nullptr, k.pk.data(), k.pk.size(), nullptr);
  check(AIOLI_ERR_ARGUMENT, k.alg, 0, 0, out.data(), &n, nullptr, k.pk.size(), nullptr);
  for (size_t wrong : {size_t(0), k.pk.size() - 1, k.pk.size() + 1, k.sk.size()})
    check(AIOLI_ERR_LENGTH, k.alg, AIOLI_KEY_PUBLIC, 0, out.data(), &n, k.pk.data(), wrong, nullptr);
  for (size_t wrong : {size_t(0), k.sk.size() - 1, k.sk.size() + 1, k.pk.size()})
    check(AIOLI_ERR_LENGTH, k.alg, AIOLI_KEY_SECRET, 0, out.data(), &n, k.pk.data(), wrong, nullptr);

  CHECK(aioli_key_encoded_bytes_max(nullptr, AIOLI_KEY_PUBLIC, AIOLI_KEY_DER) == 0);
  CHECK(aioli_key_encoded_bytes_max(k.alg, aioli_key_kind(2), AIOLI_KEY_DER) == 0);
  CHECK(aioli_key_encoded_bytes_max(k.alg, AIOLI_KEY_PUBLIC, aioli_key_encoding(2)) == 0);
}

// ---- identifiers of the caller ----------------------------------------------------------------------------------------------

TEST_CASE("a caller's identifier is written first and read, and the built-in one is read still") {
  const KeyPair &k = key_pair("MAYO-3");
  const aioli_oid table[] = {{"MAYO-3", "1.3.9999.8.3.5"}, {"MAYO-3", "2.999.1"}, {nullptr, nullptr}};
  CHECK(aioli_key_oid(k.alg, table) == std::string("1.3.9999.8.3.5"));
  CHECK(aioli_key_oid(key_pair("MAYO-1").alg, table) == key_pair("MAYO-1").oid);
  for (aioli_key_kind kind : {AIOLI_KEY_PUBLIC, AIOLI_KEY_SECRET}) {
    const Bytes file = encoded(k, kind, AIOLI_KEY_DER, table);
    CHECK(decode(file, table).alg == k.alg);
    CHECK(status_of(file) == AIOLI_ERR_OID);
    CHECK(decode(encoded(k, kind, AIOLI_KEY_DER), table).alg == k.alg);
  }
  KeyPair second = k;
  second.oid = "2.999.1";
  CHECK(is_public_key(decode(public_raw(second).der(), table), k));
}

TEST_CASE("a caller's entry wins over the built-in table") {
  // Round 3's keys under round 2's identifier: the sizes differ, so the choice shows.
  const aioli_oid table[] = {{"MAYO-1", "1.3.9999.8.1.3"}, {nullptr, nullptr}};
  KeyPair k = key_pair("MAYO-1");
  k.oid = "1.3.9999.8.1.3";
  CHECK(is_public_key(decode(public_raw(k).der(), table), k));
  CHECK(status_of(public_raw(k).der()) == AIOLI_ERR_LENGTH);
}

TEST_CASE("identifiers of any arcs") {
  KeyPair k = key_pair("MAYO-1");
  for (const char *dotted :
       {"0.0", "0.39", "1.0", "1.39.0", "2.0", "2.39", "2.40", "2.47", "2.48", "2.175", "2.176", "2.999.3",
        "1.2.840.113549.1.1.1", "2.5.4294967295", "2.5.4294967296", "2.5.18446744073709551615", "2.5.18446744073709551616",
        "2.25.340282366920938463463374607431768211455", "1.3.127.128.16383.16384.0.1"}) {
    CAPTURE(dotted);
    const aioli_oid table[] = {{"MAYO-1", dotted}, {nullptr, nullptr}};
    k.oid = dotted;
    CHECK(encoded(k, AIOLI_KEY_PUBLIC, AIOLI_KEY_DER, table) == public_raw(k).der());
    CHECK(is_public_key(decode(public_raw(k).der(), table), k));
  }
}

TEST_CASE("tables that are wrong are refused, by writer and reader alike") {
  const KeyPair &k = key_pair("MAYO-1");
  const Bytes file = encoded(k, AIOLI_KEY_SECRET, AIOLI_KEY_DER);
  const std::string arc64 = "1.2." + std::string(140, '9'), first_arc64 = "2." + std::string(140, '9');  // more than 64 octets
  struct Case {
    aioli_oid entry;
    aioli_status expected;
  };
  std::vector<Case> cases = {
      {{"MAYO-4", "1.2.3"}, AIOLI_ERR_ALGORITHM},      {{"mayo-1", "1.2.3"}, AIOLI_ERR_ALGORITHM},
      {{"MAYO-1", nullptr}, AIOLI_ERR_ARGUMENT},       {{nullptr, "1.2.3"}, AIOLI_ERR_ARGUMENT},
      {{"MAYO-1", arc64.c_str()}, AIOLI_ERR_ARGUMENT}, {{"MAYO-1", first_arc64.c_str()}, AIOLI_ERR_ARGUMENT}};
  for (const char *bad : {"",       "1",    "1.",   ".1",   "1..2", "1.2.", "3.1",  "0.40",  "1.40", "1.400", "1.02",
                          "1.2.00", "01.2", "1.2a", "1.2 ", " 1.2", "-1.2", "1.-2", "1.2,3", "12.3", "a.b"})
    cases.push_back({{"MAYO-1", bad}, AIOLI_ERR_ARGUMENT});
  for (const Case &c : cases) {
    CAPTURE(c.entry.algorithm);
    CAPTURE(c.entry.oid);
    const aioli_oid table[] = {{"MAYO-2", "1.2.3.4"}, c.entry, {nullptr, nullptr}};
    CHECK(decode(file, table).status == c.expected);
    Bytes out(aioli_key_encoded_bytes_max(k.alg, AIOLI_KEY_SECRET, AIOLI_KEY_PEM), 0xa5);
    size_t n = 99;
    CHECK(aioli_key_encode(k.alg, AIOLI_KEY_SECRET, AIOLI_KEY_PEM, out.data(), out.size(), &n, k.sk.data(), k.sk.size(), table) ==
          c.expected);
    CHECK(n == 0);
    CHECK(out == Bytes(out.size(), 0));
  }
  CHECK(aioli_key_oid(nullptr, nullptr) == std::string());
}

TEST_CASE("the bound on sizes holds for the longest identifier") {
  // 64 octets: one for 1.2, and an arc of 63 times seven bits.
  std::string arc = "1";
  for (int bit = 0; bit < 440; bit++) {
    unsigned carry = 0;
    for (size_t i = arc.size(); i-- > 0;) {
      const unsigned d = 2 * unsigned(arc[i] - '0') + carry;
      arc[i] = char('0' + d % 10);
      carry = d / 10;
    }
    if (carry != 0) arc.insert(arc.begin(), char('0' + carry));
  }
  const std::string longest = "1.2." + arc, too_long = "1.2." + arc + "0";
  CHECK(oid_octets(longest).size() == 64);
  const aioli_oid table[] = {{"MAYO-5", longest.c_str()}, {nullptr, nullptr}};
  for (aioli_key_kind kind : {AIOLI_KEY_PUBLIC, AIOLI_KEY_SECRET})
    for (aioli_key_encoding encoding : {AIOLI_KEY_DER, AIOLI_KEY_PEM}) {
      const KeyPair &k = key_pair("MAYO-5");
      const Bytes file = encoded(k, kind, encoding, table);
      CHECK(file.size() == aioli_key_encoded_bytes_max(k.alg, kind, encoding));
      CHECK(decode(file, table).alg == k.alg);
    }
  const aioli_oid longer[] = {{"MAYO-5", too_long.c_str()}, {nullptr, nullptr}};
  CHECK(decode(encoded(key_pair("MAYO-5"), AIOLI_KEY_SECRET, AIOLI_KEY_DER), longer).status == AIOLI_ERR_ARGUMENT);
}

TEST_SUITE_END();
