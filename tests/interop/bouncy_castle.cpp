// SPDX-License-Identifier: Apache-2.0
//
// Our part of the comparison with Bouncy Castle; BouncyCastle.java has the other, bouncy_castle.sh runs them in turn.
//
//   bouncy_castle give DIR   writes into DIR the file `sets`, lines of our name and theirs, and for each SET what the other side
//                            is to read:
//                            SET.seed, SET.R, SET.msg   what keys and signatures are made of, and the message
//                            SET.pub, SET.key, SET.sig  our pair of it, as DER under the identifiers that they know, and our
//                                                       signature
//   bouncy_castle take DIR   reads what they wrote: SET.same.{pub,key}, their pair from the same seed, and
//                            SET.fresh.{pub,key,sig}
//
// Exit status 1 with a line for each thing that is not as it should be.
#include <aioli/aioli.h>
#include <aioli/keyfile.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

struct Set {
  const char *ours, *theirs, *oid;
};
constexpr Set sets[] = {
    {"MAYO-1-r2", "mayo-1", "1.3.9999.8.1.3"},
    {"MAYO-2-r2", "mayo-2", "1.3.9999.8.2.3"},
    {"MAYO-3-r2", "mayo-3", "1.3.9999.8.3.3"},
    {"MAYO-5-r2", "mayo-5", "1.3.9999.8.5.3"},
    {"UOV-Is", "uov-is", "1.3.6.1.4.1.22554.2.14.1"},
    {"UOV-Is-pkc", "uov-is-pkc", "1.3.6.1.4.1.22554.2.14.2"},
    {"UOV-Is-pkc-skc", "uov-is-pkc-skc", "1.3.6.1.4.1.22554.2.14.3"},
    {"UOV-Ip-r2", "uov-ip", "1.3.6.1.4.1.22554.2.14.4"},
    {"UOV-Ip-pkc-r2", "uov-ip-pkc", "1.3.6.1.4.1.22554.2.14.5"},
    {"UOV-Ip-pkc-skc-r2", "uov-ip-pkc-skc", "1.3.6.1.4.1.22554.2.14.6"},
    {"UOV-III-r2", "uov-iii", "1.3.6.1.4.1.22554.2.14.7"},
    {"UOV-III-pkc-r2", "uov-iii-pkc", "1.3.6.1.4.1.22554.2.14.8"},
    {"UOV-III-pkc-skc-r2", "uov-iii-pkc-skc", "1.3.6.1.4.1.22554.2.14.9"},
    {"UOV-V-r2", "uov-v", "1.3.6.1.4.1.22554.2.14.10"},
    {"UOV-V-pkc-r2", "uov-v-pkc", "1.3.6.1.4.1.22554.2.14.11"},
    {"UOV-V-pkc-skc-r2", "uov-v-pkc-skc", "1.3.6.1.4.1.22554.2.14.12"},
};

int failures = 0;

void expect(bool condition, const Set &set, const char *what) {
  if (condition) return;
  std::printf("aioli, %s: %s\n", set.ours, what);
  failures++;
}

void must(aioli_status status, const Set &set, const char *what) {
  if (status != AIOLI_OK) throw std::runtime_error(std::string(set.ours) + ", " + what + ": " + aioli_status_text(status));
}

struct Folder {
  std::string path;
  void write(const std::string &name, const Bytes &bytes) const {
    std::ofstream out(path + "/" + name, std::ios::binary);
    out.write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
    if (!out.flush()) throw std::runtime_error("cannot write " + path + "/" + name);
  }
  Bytes read(const std::string &name) const {
    std::ifstream in(path + "/" + name, std::ios::binary);
    Bytes bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.empty()) throw std::runtime_error("cannot read " + path + "/" + name);
    return bytes;
  }
};

// Everything about one set that is the same on both sides.
struct Inputs {
  const aioli_alg *alg;
  Bytes seed, R, message, pk, sk;
  explicit Inputs(const Set &set) : alg(aioli_alg_by_name(set.ours)) {
    if (!alg) throw std::runtime_error(std::string("there is no set ") + set.ours);
    seed.resize(aioli_seed_bytes(alg)), R.resize(aioli_randomness_bytes(alg)), message.resize(200);
    for (size_t i = 0; i < seed.size(); i++) seed[i] = uint8_t(29 * i + 1);
    for (size_t i = 0; i < R.size(); i++) R[i] = uint8_t(31 * i + 2);
    for (size_t i = 0; i < message.size(); i++) message[i] = uint8_t(37 * i + 3);
    pk.resize(aioli_public_key_bytes(alg)), sk.resize(aioli_secret_key_bytes(alg));
    must(aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr), set,
         "make a key");
  }
};

Bytes encoded(const Set &set, const aioli_alg *alg, aioli_key_kind kind, const Bytes &key) {
  const aioli_oid theirs[] = {{set.ours, set.oid}, {nullptr, nullptr}};
  Bytes file(aioli_key_encoded_bytes_max(alg, kind, AIOLI_KEY_DER) + 64);
  size_t n = 0;
  must(aioli_key_encode(alg, kind, AIOLI_KEY_DER, file.data(), file.size(), &n, key.data(), key.size(), theirs), set,
       "write a key file");
  file.resize(n);
  return file;
}

// A key file of theirs, by the library's own table of identifiers.
Bytes decoded(const Set &set, const aioli_alg *alg, aioli_key_kind kind, const Bytes &file) {
  Bytes key(AIOLI_MAX_PUBLIC_KEY_BYTES);
  const aioli_alg *found = nullptr;
  aioli_key_kind found_kind{};
  size_t n = 0;
  must(aioli_key_decode(file.data(), file.size(), &found, &found_kind, key.data(), key.size(), &n, nullptr, nullptr), set,
       "read a key file");
  expect(found == alg, set, "a key file is taken for one of another set");
  expect(found_kind == kind, set, "a key file is taken for one of the other kind");
  key.resize(n);
  return key;
}

void give(const Folder &dir) {
  std::string list;
  for (const Set &set : sets) {
    const Inputs in(set);
    Bytes sig(aioli_signature_bytes(in.alg));
    must(aioli_sign_with_randomness(in.alg, sig.data(), sig.size(), in.message.data(), in.message.size(), in.sk.data(),
                                    in.sk.size(), in.R.data(), in.R.size(), nullptr),
         set, "sign");
    const std::string name = set.ours;
    dir.write(name + ".seed", in.seed), dir.write(name + ".R", in.R), dir.write(name + ".msg", in.message);
    dir.write(name + ".pub", encoded(set, in.alg, AIOLI_KEY_PUBLIC, in.pk));
    dir.write(name + ".key", encoded(set, in.alg, AIOLI_KEY_SECRET, in.sk));
    dir.write(name + ".sig", sig);
    list += name + " " + set.theirs + "\n";
  }
  dir.write("sets", Bytes(list.begin(), list.end()));
}

void take(const Folder &dir) {
  size_t taken = 0;
  for (const Set &set : sets) {
    const Inputs in(set);
    const std::string name = set.ours;
    expect(decoded(set, in.alg, AIOLI_KEY_PUBLIC, dir.read(name + ".same.pub")) == in.pk, set, "their public key is another");
    expect(decoded(set, in.alg, AIOLI_KEY_SECRET, dir.read(name + ".same.key")) == in.sk, set, "their secret key is another");

    const Bytes pk = decoded(set, in.alg, AIOLI_KEY_PUBLIC, dir.read(name + ".fresh.pub"));
    const Bytes sk = decoded(set, in.alg, AIOLI_KEY_SECRET, dir.read(name + ".fresh.key"));
    Bytes sig = dir.read(name + ".fresh.sig"), message = in.message, again(pk.size()), ours(aioli_signature_bytes(in.alg));
    const auto verdict = [&](const Bytes &s) {
      return aioli_verify(in.alg, s.data(), s.size(), message.data(), message.size(), pk.data(), pk.size(), nullptr);
    };
    must(aioli_public_from_secret(in.alg, again.data(), again.size(), sk.data(), sk.size(), nullptr), set, "make a public key");
    expect(again == pk, set, "their public key does not belong to their secret key");
    expect(verdict(sig) == AIOLI_OK, set, "we refuse their signature");
    must(aioli_sign(in.alg, ours.data(), ours.size(), message.data(), message.size(), sk.data(), sk.size(), nullptr), set,
         "sign with their key");
    expect(verdict(ours) == AIOLI_OK, set, "we refuse our own signature with their key");
    message[3] ^= 1;
    expect(verdict(sig) == AIOLI_ERR_SIGNATURE, set, "we accept their signature of another message");
    message[3] ^= 1;
    for (const size_t at : {size_t(3), sig.size() - 1}) {
      sig[at] ^= 1;
      expect(verdict(sig) == AIOLI_ERR_SIGNATURE, set, "we accept a changed signature of theirs");
      sig[at] ^= 1;
    }
    taken++;
  }
  std::printf("aioli: %zu sets, %d failures\n", taken, failures);
}

}  // namespace

int main(int argc, char **argv) {
  try {
    if (argc == 3 && !std::strcmp(argv[1], "give"))
      give({argv[2]});
    else if (argc == 3 && !std::strcmp(argv[1], "take"))
      take({argv[2]});
    else
      throw std::runtime_error("usage: bouncy_castle give|take DIR");
  } catch (const std::exception &e) {
    std::fprintf(stderr, "bouncy_castle: %s\n", e.what());
    return 1;
  }
  return failures ? 1 : 0;
}
