// SPDX-License-Identifier: Apache-2.0
//
// Our part of the comparison with other implementations; each peer has a program of its own (BouncyCastle.java, liboqs.py,
// liboqs_js.mjs, rust/), and matrix.py runs them in turn.  DIR/sets has lines of our name, theirs, and the identifier that they
// use in files, or -.
//
//   exchange give DIR   writes into DIR for each SET what the other side is to read:
//                       SET.seed, SET.R, SET.msg  what keys and signatures are made of, and the message
//                       SET.pk, SET.sk, SET.sig   our pair of it, and our signature with it
//                       SET.pub, SET.key          the pair as DER, as we write it, under their identifier
//   exchange take DIR   reads what they wrote: SET.fresh.{pk,sk,sig}, a pair and a signature of theirs; SET.fresh.{pub,key}, the
//                       same pair as their files; SET.same.{pub,key}, their files of our pair.  Files are left out by peers
//                       that have none.
//
// Prints a line for each check, as the peers do: set, check, pass or fail, what failed; with tabs between.  Exit status 1 when
// the comparison could not be made.
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
  std::string ours, theirs, oid;
};

void report(const Set &set, const char *check, const std::string &wrong) {
  std::printf("%s\t%s\t%s\t%s\n", set.ours.c_str(), check, wrong.empty() ? "pass" : "fail", wrong.c_str());
}

void must(aioli_status status, const Set &set, const char *what) {
  if (status != AIOLI_OK) throw std::runtime_error(set.ours + ", " + what + ": " + aioli_status_text(status));
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
  bool has(const std::string &name) const { return std::ifstream(path + "/" + name).good(); }
  std::vector<Set> sets() const {
    std::ifstream in(path + "/sets");
    std::vector<Set> list;
    for (Set set; in >> set.ours >> set.theirs >> set.oid;) list.push_back(set);
    if (list.empty()) throw std::runtime_error("no sets in " + path);
    return list;
  }
};

// Everything about one set that is the same on both sides.
struct Inputs {
  const aioli_alg *alg;
  Bytes seed, R, message, pk, sk;
  explicit Inputs(const Set &set) : alg(aioli_alg_by_name(set.ours.c_str())) {
    if (!alg) throw std::runtime_error("there is no set " + set.ours);
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
  const aioli_oid theirs[] = {{set.ours.c_str(), set.oid.c_str()}, {nullptr, nullptr}};
  Bytes file(aioli_key_encoded_bytes_max(alg, kind, AIOLI_KEY_DER) + 64);
  size_t n = 0;
  must(aioli_key_encode(alg, kind, AIOLI_KEY_DER, file.data(), file.size(), &n, key.data(), key.size(),
                        set.oid == "-" ? nullptr : theirs),
       set, "write a key file");
  file.resize(n);
  return file;
}

// What is wrong with a key file of theirs, read by the library's own table of identifiers; empty: it holds the key.
std::string difference(const aioli_alg *alg, aioli_key_kind kind, const Bytes &file, const Bytes &expected) {
  Bytes key(AIOLI_MAX_PUBLIC_KEY_BYTES);
  const aioli_alg *found = nullptr;
  aioli_key_kind found_kind{};
  size_t n = 0;
  const aioli_status status =
      aioli_key_decode(file.data(), file.size(), &found, &found_kind, key.data(), key.size(), &n, nullptr, nullptr);
  if (status != AIOLI_OK) return aioli_status_text(status);
  if (found != alg) return "taken for a key of another set";
  if (found_kind != kind) return "taken for a key of the other kind";
  key.resize(n);
  return key == expected ? "" : "another key";
}

void give(const Folder &dir) {
  for (const Set &set : dir.sets()) {
    const Inputs in(set);
    Bytes sig(aioli_signature_bytes(in.alg));
    must(aioli_sign_with_randomness(in.alg, sig.data(), sig.size(), in.message.data(), in.message.size(), in.sk.data(),
                                    in.sk.size(), in.R.data(), in.R.size(), nullptr),
         set, "sign");
    const std::string &name = set.ours;
    dir.write(name + ".seed", in.seed), dir.write(name + ".R", in.R), dir.write(name + ".msg", in.message);
    dir.write(name + ".pk", in.pk), dir.write(name + ".sk", in.sk), dir.write(name + ".sig", sig);
    dir.write(name + ".pub", encoded(set, in.alg, AIOLI_KEY_PUBLIC, in.pk));
    dir.write(name + ".key", encoded(set, in.alg, AIOLI_KEY_SECRET, in.sk));
  }
}

// Our verdict on a signature of theirs, and on changed ones.
void take_signature(const Folder &dir, const Set &set, const Inputs &in, const Bytes &pk) {
  Bytes sig = dir.read(set.ours + ".fresh.sig"), message = in.message;
  const auto verdict = [&](size_t sig_bytes) {
    return aioli_verify(in.alg, sig.data(), sig_bytes, message.data(), message.size(), pk.data(), pk.size(), nullptr);
  };
  report(set, "we verify", verdict(sig.size()) == AIOLI_OK ? "" : "we refuse their signature");
  std::string wrong;
  message[3] ^= 1;
  if (verdict(sig.size()) != AIOLI_ERR_SIGNATURE) wrong += "we accept their signature of another message; ";
  message[3] ^= 1;
  for (const size_t at : {size_t(3), sig.size() - 1}) {
    sig[at] ^= 1;
    if (verdict(sig.size()) != AIOLI_ERR_SIGNATURE) wrong += "we accept a changed signature; ";
    sig[at] ^= 1;
  }
  if (verdict(sig.size() - 1) != AIOLI_ERR_LENGTH) wrong += "we accept a shorter signature; ";
  sig.push_back(0);
  if (verdict(sig.size()) != AIOLI_ERR_LENGTH) wrong += "we accept a longer signature; ";
  report(set, "we refuse", wrong);
}

// A pair of theirs: the halves belong together, and what we sign with it verifies.
void take_pair(const Set &set, const Inputs &in, const Bytes &pk, const Bytes &sk) {
  Bytes again(pk.size()), sig(aioli_signature_bytes(in.alg));
  std::string wrong;
  if (aioli_public_from_secret(in.alg, again.data(), again.size(), sk.data(), sk.size(), nullptr) != AIOLI_OK || again != pk)
    wrong = "their public key does not belong to their secret key";
  else if (aioli_sign(in.alg, sig.data(), sig.size(), in.message.data(), in.message.size(), sk.data(), sk.size(), nullptr) !=
               AIOLI_OK ||
           aioli_verify(in.alg, sig.data(), sig.size(), in.message.data(), in.message.size(), pk.data(), pk.size(), nullptr) !=
               AIOLI_OK)
    wrong = "we cannot sign with their key";
  report(set, "their pair", wrong);
}

void take(const Folder &dir) {
  for (const Set &set : dir.sets()) {
    const Inputs in(set);
    const std::string &name = set.ours;
    if (dir.has(name + ".fresh.pk")) {
      const Bytes pk = dir.read(name + ".fresh.pk"), sk = dir.read(name + ".fresh.sk");
      take_pair(set, in, pk, sk);
      take_signature(dir, set, in, pk);
      const struct {
        const char *check, *suffix;
        aioli_key_kind kind;
        const Bytes &ours, &theirs;
      } files[] = {{"their public file", ".pub", AIOLI_KEY_PUBLIC, in.pk, pk},
                   {"their secret file", ".key", AIOLI_KEY_SECRET, in.sk, sk}};
      for (const auto &file : files) {
        if (!dir.has(name + ".fresh" + file.suffix)) continue;
        const std::string wrong = difference(in.alg, file.kind, dir.read(name + ".same" + file.suffix), file.ours);
        report(set, file.check,
               wrong.empty() ? difference(in.alg, file.kind, dir.read(name + ".fresh" + file.suffix), file.theirs) : wrong);
      }
    }
  }
}

}  // namespace

int main(int argc, char **argv) {
  try {
    if (argc == 3 && !std::strcmp(argv[1], "give"))
      give({argv[2]});
    else if (argc == 3 && !std::strcmp(argv[1], "take"))
      take({argv[2]});
    else
      throw std::runtime_error("usage: exchange give|take DIR");
  } catch (const std::exception &e) {
    std::fprintf(stderr, "exchange: %s\n", e.what());
    return 1;
  }
  return 0;
}
