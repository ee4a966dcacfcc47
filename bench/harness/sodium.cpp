// SPDX-License-Identifier: Apache-2.0
#include "sodium.hpp"

namespace bench {

namespace {

constexpr size_t seed_bytes = 32, pk_bytes = 32, sk_bytes = 64, sig_bytes = 64;  // of Ed25519

class SodiumSubject final : public Subject {
 public:
  SodiumSubject(const Library &lib, const Keyring &keyring)
      : Subject("libsodium", "C", keyring),
        keypair_(lib.function<decltype(keypair_)>("crypto_sign_seed_keypair")),
        sign_(lib.function<decltype(sign_)>("crypto_sign_detached")),
        verify_(lib.function<decltype(verify_)>("crypto_sign_verify_detached")) {}

  bool has(Op op) const override { return op == Op::keygen || op == Op::sign || op == Op::verify; }
  const Bytes &signature() const override { return sig_; }
  bool accepts(const Bytes &sig, const Bytes &m, const Bytes &pk) override {
    return verify_(sig.data(), m.data(), m.size(), pk.data()) == 0;
  }

  void prepare(Op, size_t) override { status_ = -1; }
  void call(Op op, size_t i) override {
    const Exercise &e = exercise(i);
    switch (op) {
      case Op::keygen: status_ = keypair_(pk_.data(), sk_.data(), e.key->seed.data()); break;
      case Op::sign: status_ = sign_(sig_.data(), nullptr, e.message.data(), e.message.size(), e.key->sk.data()); break;
      case Op::verify: status_ = verify_(e.sig.data(), e.message.data(), e.message.size(), e.key->pk.data()); break;
      default: fail(op, i, "libsodium has no such operation");
    }
  }
  void check(Op op, size_t i) override {
    if (status_ != 0) fail(op, i, "the call failed");
    const Exercise &e = exercise(i);
    if (op == Op::keygen && (pk_ != e.key->pk || sk_ != e.key->sk))
      fail(op, i, "the key pair is not the one that belongs to this seed");
    if (op == Op::sign && sig_ != e.sig) fail(op, i, "the signature is not the right one");
  }

 private:
  int (*keypair_)(uint8_t *pk, uint8_t *sk, const uint8_t *seed);
  int (*sign_)(uint8_t *sig, unsigned long long *n, const uint8_t *m, unsigned long long m_bytes, const uint8_t *sk);
  int (*verify_)(const uint8_t *sig, const uint8_t *m, unsigned long long m_bytes, const uint8_t *pk);
  Bytes pk_ = Bytes(pk_bytes), sk_ = Bytes(sk_bytes), sig_ = Bytes(sig_bytes);
  int status_ = -1;
};

}  // namespace

Sodium::Sodium(const std::string &path) : library_(path) {
  if (library_.function<int (*)()>("sodium_init")() < 0) throw std::runtime_error(path + ": sodium_init failed");
}

std::string Sodium::description() const {
  return std::string("libsodium ") + library_.function<const char *(*)()>("sodium_version_string")() +
         ", as the system packages it; Ed25519 in C";
}

Keyring Sodium::make_keyring(size_t exercises) const {
  Keyring ring{set, {}};
  uint64_t state = 0;
  for (size_t i = 0; i < exercises; i++) {
    Exercise e;
    KeyPair key{test_bytes(state, seed_bytes), Bytes(sk_bytes), Bytes(pk_bytes)};
    e.message = test_bytes(state, 32);
    e.sig.resize(sig_bytes);
    const bool done =
        library_.function<int (*)(uint8_t *, uint8_t *, const uint8_t *)>("crypto_sign_seed_keypair")(
            key.pk.data(), key.sk.data(), key.seed.data()) == 0 &&
        library_.function<int (*)(uint8_t *, unsigned long long *, const uint8_t *, unsigned long long, const uint8_t *)>(
            "crypto_sign_detached")(e.sig.data(), nullptr, e.message.data(), e.message.size(), key.sk.data()) == 0;
    if (!done) throw std::runtime_error("libsodium cannot make a key or a signature");
    e.key = std::make_shared<const KeyPair>(std::move(key));
    ring.exercises.push_back(std::move(e));
  }
  return ring;
}

std::unique_ptr<Subject> Sodium::subject(const Keyring &keyring) const {
  if (keyring.set != set) return nullptr;
  return std::make_unique<SodiumSubject>(library_, keyring);
}

}  // namespace bench
