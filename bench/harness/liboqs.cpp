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
        pk_(exercise(0).pk.size()),
        sk_(exercise(0).seed.size()),
        sig_(exercise(0).sig.size()) {}

  // Its interface has no expanded keys.
  bool has(Op op) const override { return op == Op::keygen || op == Op::sign || op == Op::verify; }

  const Bytes &signature() const override { return sig_; }

  bool accepts(const Bytes &sig, const Bytes &m, const Bytes &pk) override {
    return verify_(m.data(), m.size(), sig.data(), sig.size(), pk.data()) == oqs_success;
  }

  void prepare(Op op, size_t i) override {
    if (op == Op::keygen) Tape::load(exercise(i).seed);
    if (op == Op::sign) Tape::load(exercise(i).randomness);
    status_ = -1;
    sig_bytes_ = 0;
  }

  void call(Op op, size_t i) override {
    const Exercise &e = exercise(i);
    const Bytes &m = e.message;
    switch (op) {
      case Op::keygen: status_ = keypair_(pk_.data(), sk_.data()); break;
      case Op::sign: status_ = sign_(sig_.data(), &sig_bytes_, m.data(), m.size(), e.seed.data()); break;
      case Op::verify: status_ = verify_(m.data(), m.size(), e.sig.data(), e.sig.size(), e.pk.data()); break;
      default: fail(op, i, "liboqs has no such operation");
    }
  }

  void check(Op op, size_t i) override {
    if (status_ != oqs_success) fail(op, i, op == Op::verify ? "refuses a signature of ours" : "the call failed");
    const Exercise &e = exercise(i);
    if (op == Op::keygen && (pk_ != e.pk || sk_ != e.seed)) fail(op, i, "its key pair differs from ours of the same seed");
    if (op == Op::sign && (sig_bytes_ != sig_.size() || sig_ != e.sig))
      fail(op, i, "its signature differs from ours of the same R");
    if (op != Op::verify && !Tape::used_up()) fail(op, i, "drew another amount of randomness than we do");
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

std::unique_ptr<Subject> Liboqs::subject(const Keyring &keyring) const {
  for (const char *n : {"1", "2", "3", "5"})
    if (keyring.set == std::string("MAYO-") + n + "-r2") {
      const std::string prefix = std::string("OQS_SIG_mayo_") + n;
      // liboqs writes buffers whose sizes it knows itself: compare them with ours before it may do so.  The struct is the
      // beginning of its OQS_SIG.
      struct Lengths {
        const char *method_name, *alg_version;
        uint8_t level;
        bool euf_cma, suf_cma, context;
        size_t pk, sk, sig;
      };
      const auto *l = reinterpret_cast<const Lengths *>(
          library_.function<void *(*)(const char *)>("OQS_SIG_new")((std::string("MAYO-") + n).c_str()));
      const Exercise &e = keyring.exercises.at(0);
      if (!l || l->pk != e.pk.size() || l->sk != e.seed.size() || l->sig != e.sig.size())
        throw std::runtime_error("liboqs (" + variant_ + "): key or signature sizes of " + keyring.set + " differ from ours");
      library_.function<void (*)(void *)>("OQS_SIG_free")(const_cast<Lengths *>(l));
      return std::make_unique<LiboqsSubject>(variant_, library_, prefix + "_", keyring);
    }
  return nullptr;
}

}  // namespace bench
