// SPDX-License-Identifier: Apache-2.0
// The known answers of one historic scheme: `museum_kat NAME RECORDS DIGEST`.  RECORDS is "first" (record 0 without the file's
// header, as PQClean digests it) or "all" (the whole response file of a hundred records).  Each record's signature must also
// verify, a changed one must not.
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "museum/schemes/gui.hpp"
#include "museum/schemes/hmfev.hpp"
#include "museum/schemes/mqdss.hpp"
#include "museum/schemes/rainbow.hpp"

using namespace museum;

static constexpr auto acknowledged = broken::Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing();

struct Answer {
  Bytes pk, sk, signature;
};
struct Scheme {
  std::string name, header;
  bool signature_first;  // in the signed message
  std::function<Answer(CtrDrbg &, View message)> make;
  std::function<bool(const Answer &, View message)> verify;
  std::function<Bytes(const Answer &, View message)> sign_again;  // from the encoded key
};

template <class F> static void add_rainbow(std::vector<Scheme> &all, const broken::rainbow::Parameters &p, bool classic_only) {
  const broken::rainbow::Rainbow<F> scheme(p);
  const std::string header = "# RAINBOW(" + std::to_string(int(F::q)) + "," + std::to_string(p.v1) + "," + std::to_string(p.o1) +
                             "," + std::to_string(p.o2) + ") - ";
  all.push_back({p.name + std::string("-classic"), header + "classic", false,
                 [=](CtrDrbg &random, View message) {
                   const auto key = scheme.keygen_classic(random(32));
                   return Answer{scheme.encode(key.public_map), scheme.encode(key.secret),
                                 scheme.sign(key.secret, message, acknowledged)};
                 },
                 [=](const Answer &a, View message) { return scheme.verify(scheme.decode_public(a.pk), message, a.signature); },
                 [=](const Answer &a, View message) { return scheme.sign(scheme.decode_secret(a.sk), message, acknowledged); }});
  if (classic_only) return;
  for (const bool compressed : {false, true}) {
    const std::string variant = compressed ? "compressed" : "circumzenithal";
    all.push_back({p.name + ("-" + variant), header + variant, false,
                   [=](CtrDrbg &random, View message) {
                     const Bytes sk_seed = random(32), pk_seed = random(32);
                     const auto key = scheme.keygen_circumzenithal(sk_seed, pk_seed);
                     Bytes sk = pk_seed;
                     append(sk, sk_seed);
                     return Answer{key.public_key, compressed ? sk : scheme.encode(key.secret),
                                   scheme.sign(key.secret, message, acknowledged)};
                   },
                   [=](const Answer &a, View message) { return scheme.verify(scheme.expand_public(a.pk), message, a.signature); },
                   [=](const Answer &a, View message) {
                     const auto key = compressed ? scheme.expand_secret(a.sk) : scheme.decode_secret(a.sk);
                     return scheme.sign(key, message, acknowledged);
                   }});
  }
}

// Reconstructions: answers of our own.  The secret key is its seed.
template <class S> static void add_reconstruction(std::vector<Scheme> &all, const std::string &name) {
  const auto scheme = std::make_shared<S>();
  const auto verify = [=](const Answer &a, View message) { return S::verify(S::decode_public(a.pk), message, a.signature); };
  all.push_back(
      {name, "# " + name + ", not official", false,
       [=](CtrDrbg &random, View message) {
         const Bytes seed = random(32);
         const auto pair = scheme->keygen(seed);
         return Answer{S::encode(pair.public_map), seed, scheme->sign(pair.secret, message, acknowledged)};
       },
       verify, [=](const Answer &a, View message) { return scheme->sign(scheme->keygen(a.sk).secret, message, acknowledged); }});
}

static std::vector<Scheme> schemes() {
  std::vector<Scheme> all;
  add_rainbow<field::TowerGf16>(all, broken::rainbow::Ia_round_2, true);
  add_rainbow<field::TowerGf16>(all, broken::rainbow::I, false);
  add_rainbow<field::TowerGf256>(all, broken::rainbow::III, false);
  add_rainbow<field::TowerGf256>(all, broken::rainbow::V, false);
  namespace mqdss = broken::mqdss;
  for (const auto &p : {mqdss::mqdss_48_135, mqdss::mqdss_48_184, mqdss::mqdss_64_202, mqdss::mqdss_64_277}) {
    const mqdss::Mqdss scheme(p);
    all.push_back({p.name, "# MQDSS", true,
                   [=](CtrDrbg &random, View message) {
                     const Bytes sk = random(scheme.secret_key_bytes());
                     return Answer{scheme.public_key(sk), sk, scheme.sign(sk, message, acknowledged)};
                   },
                   [=](const Answer &a, View message) { return scheme.verify(a.pk, message, a.signature); },
                   [=](const Answer &a, View message) { return scheme.sign(a.sk, message, acknowledged); }});
  }
  add_reconstruction<broken::gui::Gui240>(all, "Gui-2-240-9-16-16-3-ours");
  add_reconstruction<broken::gui::Gui120>(all, "Gui-4-120-17-8-8-2-ours");
  add_reconstruction<broken::gui::Gui96>(all, "Gui-2-96-5-6-6-3-ours");
  add_reconstruction<broken::hmfev::Hmfev256>(all, "HmFEv-256-15-3-16-ours");
  return all;
}

static std::string hex(View bytes, const char *digits = "0123456789ABCDEF") {
  std::string s;
  for (const uint8_t b : bytes) s += digits[b >> 4], s += digits[b & 15];
  return s;
}

int main(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "", records = argc > 2 ? argv[2] : "", expected = argc > 3 ? argv[3] : "";
  const auto all = schemes();
  const auto scheme = std::find_if(all.begin(), all.end(), [&](const Scheme &s) { return s.name == name; });
  if (argc != 4 || scheme == all.end() || (records != "first" && records != "all")) {
    std::puts("usage: museum_kat NAME first|all DIGEST; names:");
    for (const auto &s : all) std::printf("  %s\n", s.name.c_str());
    return 2;
  }
  Bytes start(48);
  for (size_t i = 0; i < 48; i++) start[i] = uint8_t(i);
  CtrDrbg outer{std::span<const uint8_t, 48>(start)};
  Hasher digest(Sha2::sha256);
  if (records == "all") digest.add(scheme->header + "\n\n");
  for (size_t count = 0; count < (records == "all" ? 100 : 1); count++) {
    const Bytes seed = outer(48), message = outer(33 * (count + 1));
    CtrDrbg inner{std::span<const uint8_t, 48>(seed)};
    Answer a = scheme->make(inner, message);
    Bytes signed_message = scheme->signature_first ? a.signature : message;
    append(signed_message, scheme->signature_first ? message : a.signature);
    digest.add("count = " + std::to_string(count) + "\nseed = " + hex(seed) + "\nmlen = " + std::to_string(message.size()) +
               "\nmsg = " + hex(message) + "\npk = " + hex(a.pk) + "\nsk = " + hex(a.sk) + "\nsmlen = " +
               std::to_string(signed_message.size()) + "\nsm = " + hex(signed_message) + (records == "all" ? "\n\n" : "\n"));
    if (count > 2) continue;  // the file tells the rest
    bool good = scheme->verify(a, message) && scheme->sign_again(a, message) == a.signature;
    for (const size_t at : {size_t(0), a.signature.size() / 2, a.signature.size() - 1}) {
      Answer changed = a;
      changed.signature[at] ^= 1;
      good = good && !scheme->verify(changed, message);
    }
    Bytes longer = message;
    longer.push_back(0);
    Answer shorter = a;
    shorter.signature.pop_back();
    good = good && !scheme->verify(a, longer) && !scheme->verify(shorter, message);
    if (!good) return std::printf("record %zu: verification is wrong\n", count), 1;
  }
  const std::string got = hex(digest.digest(), "0123456789abcdef");
  std::printf("%s, %s: %s\n", name.c_str(), records.c_str(), got == expected ? "as published" : ("WRONG: " + got).c_str());
  return got != expected;
}
