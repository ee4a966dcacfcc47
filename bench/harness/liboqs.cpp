// SPDX-License-Identifier: Apache-2.0
#include "liboqs.hpp"

#include <fstream>

namespace bench {

namespace {

void randombytes_from_tape(uint8_t *out, size_t n) { (void)Tape::draw(out, n); }

constexpr int oqs_success = 0;

class LiboqsSubject final : public Subject {
 public:
  LiboqsSubject(const std::string &variant, const Library &lib, const std::string &prefix, const Keyring &keyring)
      : Subject("liboqs", variant, keyring),
        keypair_(lib.function<decltype(keypair_)>((prefix + "keypair").c_str())),
        sign_(lib.function<decltype(sign_)>((prefix + "sign").c_str())),
        verify_(lib.function<decltype(verify_)>((prefix + "verify").c_str())),
        pk_(exercise(0).key->pk.size()),
        sk_(exercise(0).key->sk.size()),
        sig_(exercise(0).sig.size()) {}

  // Its interface has no expanded keys.
  bool has(Op op) const override { return op == Op::keygen || op == Op::sign || op == Op::verify; }

  const Bytes &signature() const override { return sig_; }

  bool accepts(const Bytes &sig, const Bytes &m, const Bytes &pk) override {
    return verify_(m.data(), m.size(), sig.data(), sig.size(), pk.data()) == oqs_success;
  }

  void prepare(Op op, size_t i) override {
    if (op == Op::keygen) Tape::load(exercise(i).key->seed);
    if (op == Op::sign) Tape::load(exercise(i).randomness);
    status_ = -1;
    sig_bytes_ = 0;
  }

  void call(Op op, size_t i) override {
    const Exercise &e = exercise(i);
    const Bytes &m = e.message;
    switch (op) {
      case Op::keygen: status_ = keypair_(pk_.data(), sk_.data()); break;
      case Op::sign: status_ = sign_(sig_.data(), &sig_bytes_, m.data(), m.size(), e.key->sk.data()); break;
      case Op::verify: status_ = verify_(m.data(), m.size(), e.sig.data(), e.sig.size(), e.key->pk.data()); break;
      default: fail(op, i, "liboqs has no such operation");
    }
  }

  void check(Op op, size_t i) override {
    if (status_ != oqs_success) fail(op, i, op == Op::verify ? "refuses a good signature" : "the call failed");
    const Exercise &e = exercise(i);
    if (op == Op::keygen && (pk_ != e.key->pk || sk_ != e.key->sk))
      fail(op, i, "its key pair is not the one that belongs to this seed");
    if (op == Op::sign && (sig_bytes_ != sig_.size() || sig_ != e.sig))
      fail(op, i, "its signature is not the one that belongs to this randomness");
    if (op != Op::verify && !Tape::used_up()) fail(op, i, "drew another amount of randomness than it should");
  }

 private:
  int (*keypair_)(uint8_t *pk, uint8_t *sk);
  int (*sign_)(uint8_t *sig, size_t *sig_bytes, const uint8_t *m, size_t m_bytes, const uint8_t *sk);
  int (*verify_)(const uint8_t *m, size_t m_bytes, const uint8_t *sig, size_t sig_bytes, const uint8_t *pk);
  Bytes pk_, sk_, sig_;
  size_t sig_bytes_ = 0;
  int status_ = -1;
};

}  // namespace

Liboqs::Liboqs(const std::string &variant, const std::string &path) : variant_(variant), library_(path) {
  library_.function<void (*)()>("OQS_init")();
  library_.function<void (*)(void (*)(uint8_t *, size_t))>("OQS_randombytes_custom_algorithm")(randombytes_from_tape);
}

std::string Liboqs::description() const {
  const std::string version = library_.function<const char *(*)()>("OQS_version")();
  std::string line;
  std::ifstream in(library_.path().substr(0, library_.path().find_last_of('/') + 1) + "build.txt");
  if (in && std::getline(in, line) && !line.empty()) return line;
  return "liboqs " + version;
}

namespace {

// The beginning of OQS_SIG.
struct Lengths {
  const char *method_name, *alg_version;
  uint8_t level;
  bool euf_cma, suf_cma, context;
  size_t pk, sk, sig;
};

Lengths lengths(const Library &library, const std::string &algorithm) {
  const auto *l = reinterpret_cast<const Lengths *>(library.function<void *(*)(const char *)>("OQS_SIG_new")(algorithm.c_str()));
  if (!l) throw std::runtime_error(library.path() + " was built without " + algorithm);
  const Lengths copy = *l;
  library.function<void (*)(void *)>("OQS_SIG_free")(const_cast<Lengths *>(l));
  return copy;
}

constexpr const char *ml_dsa_prefix = "OQS_SIG_ml_dsa_44_";

}  // namespace

Keyring Liboqs::make_keyring(size_t exercises) const {
  const Lengths l = lengths(library_, for_scale);
  Keyring ring{for_scale, {}};
  uint64_t state = 0;
  for (size_t i = 0; i < exercises; i++) {
    Exercise e;
    KeyPair key{test_bytes(state, 32), Bytes(l.sk), Bytes(l.pk)};
    e.message = test_bytes(state, 32);
    e.randomness = test_bytes(state, 32);
    e.sig.resize(l.sig);
    const auto call = [&](const char *name) { return std::string(ml_dsa_prefix) + name; };
    size_t n = 0;
    Tape::load(key.seed);
    if (library_.function<int (*)(uint8_t *, uint8_t *)>(call("keypair").c_str())(key.pk.data(), key.sk.data()) != oqs_success)
      throw std::runtime_error("liboqs cannot make a key of ML-DSA-44");
    Tape::load(e.randomness);
    if (library_.function<int (*)(uint8_t *, size_t *, const uint8_t *, size_t, const uint8_t *)>(call("sign").c_str())(
            e.sig.data(), &n, e.message.data(), e.message.size(), key.sk.data()) != oqs_success ||
        n != l.sig || !Tape::used_up())
      throw std::runtime_error("liboqs cannot sign with ML-DSA-44");
    e.key = std::make_shared<const KeyPair>(std::move(key));
    ring.exercises.push_back(std::move(e));
  }
  return ring;
}

std::unique_ptr<Subject> Liboqs::subject(const Keyring &keyring) const {
  std::string prefix, algorithm;
  for (const std::string n : {"1", "2", "3", "5"})
    if (keyring.set == "MAYO-" + n + "-r2") prefix = "OQS_SIG_mayo_" + n + "_", algorithm = "MAYO-" + n;
  for (const std::string n : {"Is", "Ip", "III", "V"})
    for (const auto &[form, name] : {std::pair<std::string, std::string>{"", ""}, {"-pkc", "_pkc"}, {"-pkc-skc", "_pkc_skc"}})
      if (keyring.set == "UOV-" + n + form + (n == "Is" ? "" : "-r2"))  // Is is the same in rounds 2 and 3
        prefix = "OQS_SIG_uov_ov_" + n + name + "_", algorithm = "OV-" + n + form;
  if (keyring.set == for_scale && variant_ != "ref+aesni") prefix = ml_dsa_prefix, algorithm = for_scale;
  if (prefix.empty()) return nullptr;
  // liboqs writes buffers whose sizes it knows itself: compare them with ours before it may do so.
  const Lengths l = lengths(library_, algorithm);
  const Exercise &e = keyring.exercises.at(0);
  if (l.pk != e.key->pk.size() || l.sk != e.key->sk.size() || l.sig != e.sig.size())
    throw std::runtime_error("liboqs (" + variant_ + "): key or signature sizes of " + keyring.set + " differ from ours");
  return std::make_unique<LiboqsSubject>(variant_, library_, prefix, keyring);
}

}  // namespace bench
