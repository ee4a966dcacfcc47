// SPDX-License-Identifier: Apache-2.0
#include "ours.hpp"

#include <algorithm>
#include <cstdlib>

namespace bench {

namespace {

constexpr const char *backend_variable = "AIOLI_BACKEND";

// The library may read the variable when it is loaded, at its first call or at each call: it is set before all of them.
const std::string &choose(const std::string &backend, const std::string &path) {
  if (backend.empty())
    unsetenv(backend_variable);
  else
    setenv(backend_variable, backend.c_str(), 1);
  return path;
}

int draw_from_tape(void *, uint8_t *out, size_t n) { return Tape::draw(out, n) ? 0 : -1; }

class OurSubject final : public Subject {
 public:
  OurSubject(const Aioli &aioli, const Keyring &keyring)
      : Subject(aioli.impl(), aioli.backend(), keyring),
        a_(aioli),
        alg_(aioli.alg(keyring.set)),
        pk_(a_.public_key_bytes_(alg_)),
        sk_(a_.secret_key_bytes_(alg_)),
        sig_(a_.signature_bytes_(alg_)),
        signer_memory_(a_.signer_bytes_(alg_)),
        verifier_memory_(a_.verifier_bytes_(alg_)) {
    size_t most = 0;
    for (aioli_op op : {AIOLI_OP_KEYPAIR, AIOLI_OP_SIGN, AIOLI_OP_VERIFY, AIOLI_OP_SIGNER_INIT, AIOLI_OP_SIGNER_SIGN,
                        AIOLI_OP_VERIFIER_INIT, AIOLI_OP_VERIFIER_VERIFY})
      most = std::max(most, a_.workspace_bytes_(alg_, op));
    workspace_.resize(most);
    env_ = {draw_from_tape, nullptr, workspace_.data(), workspace_.size()};
  }

  bool has(Op) const override { return true; }

  const Bytes &signature() const override { return sig_; }

  bool accepts(const Bytes &sig, const Bytes &m, const Bytes &pk) override {
    a_.select();
    const aioli_status s = a_.verify_(alg_, sig.data(), sig.size(), m.data(), m.size(), pk.data(), pk.size(), &env_);
    if (s != AIOLI_OK && s != AIOLI_ERR_SIGNATURE) throw std::runtime_error(set() + ", verify: " + a_.status_text_(s));
    return s == AIOLI_OK;
  }

  void prepare(Op op, size_t i) override {
    a_.select();
    const Exercise &e = exercise(i);
    switch (op) {
      case Op::keygen: Tape::load(e.key->seed); break;
      case Op::sign: Tape::load(e.randomness); break;
      case Op::sign_expanded:
        Tape::load(e.randomness);
        need_signer();
        break;
      case Op::verify_expanded: need_verifier(); break;
      case Op::expand_sk:
        a_.signer_wipe_(signer_);
        signer_ = nullptr;
        break;
      case Op::expand_pk: verifier_ = nullptr; break;
      case Op::verify: break;
    }
    status_ = AIOLI_ERR_STATE;
  }

  void call(Op op, size_t i) override {
    const Exercise &e = exercise(i);
    const Bytes &m = e.message;
    switch (op) {
      case Op::keygen: status_ = a_.keypair_(alg_, pk_.data(), pk_.size(), sk_.data(), sk_.size(), &env_); break;
      case Op::expand_sk: status_ = expand_sk(); break;
      case Op::expand_pk: status_ = expand_pk(); break;
      case Op::sign:
        status_ = a_.sign_(alg_, sig_.data(), sig_.size(), m.data(), m.size(), e.key->sk.data(), e.key->sk.size(), &env_);
        break;
      case Op::sign_expanded: status_ = a_.signer_sign_(signer_, sig_.data(), sig_.size(), m.data(), m.size(), &env_); break;
      case Op::verify:
        status_ = a_.verify_(alg_, e.sig.data(), e.sig.size(), m.data(), m.size(), e.key->pk.data(), e.key->pk.size(), &env_);
        break;
      case Op::verify_expanded:
        status_ = a_.verifier_verify_(verifier_, e.sig_first.data(), e.sig_first.size(), m.data(), m.size(), &env_);
        break;
    }
  }

  void check(Op op, size_t i) override {
    if (status_ != AIOLI_OK) fail(op, i, a_.status_text_(status_));
    const Exercise &e = exercise(i);
    const Bytes &m = e.message;
    switch (op) {
      case Op::keygen:
        if (pk_ != e.key->pk || sk_ != e.key->sk) fail(op, i, "the key pair is not the one that belongs to this seed");
        if (!Tape::used_up()) fail(op, i, "drew another amount of randomness than one seed");
        break;
      case Op::sign:
      case Op::sign_expanded:
        if (sig_ != (op == Op::sign ? e.sig : e.sig_first)) fail(op, i, "the signature is not the right one");
        if (!Tape::used_up()) fail(op, i, "drew another amount of randomness than one R");
        break;
      case Op::expand_sk:
        Tape::load(e.randomness);
        if (a_.signer_sign_(signer_, sig_.data(), sig_.size(), m.data(), m.size(), &env_) != AIOLI_OK || sig_ != e.sig_first)
          fail(op, i, "the expanded key does not sign as the key does");
        break;
      case Op::expand_pk:
        if (a_.verifier_verify_(verifier_, e.sig_first.data(), e.sig_first.size(), m.data(), m.size(), &env_) != AIOLI_OK)
          fail(op, i, "the expanded key refuses a good signature");
        break;
      case Op::verify:
      case Op::verify_expanded: break;
    }
  }

 private:
  // Expanded keys are made of the first exercise's key only: their use is many messages under one key.
  aioli_status expand_sk() {
    const Bytes &sk = exercise(0).key->sk;
    return a_.signer_init_(&signer_, signer_memory_.data(), signer_memory_.size(), alg_, sk.data(), sk.size(), &env_);
  }
  aioli_status expand_pk() {
    const Bytes &pk = exercise(0).key->pk;
    return a_.verifier_init_(&verifier_, verifier_memory_.data(), verifier_memory_.size(), alg_, pk.data(), pk.size(), &env_);
  }
  void need_signer() {
    if (signer_) return;
    const aioli_status s = expand_sk();
    if (s != AIOLI_OK) fail(Op::expand_sk, 0, a_.status_text_(s));
  }
  void need_verifier() {
    if (verifier_) return;
    const aioli_status s = expand_pk();
    if (s != AIOLI_OK) fail(Op::expand_pk, 0, a_.status_text_(s));
  }

  const Aioli &a_;
  const aioli_alg *alg_;
  Bytes pk_, sk_, sig_, signer_memory_, verifier_memory_, workspace_;
  aioli_env env_{};
  aioli_signer *signer_ = nullptr;
  aioli_verifier *verifier_ = nullptr;
  aioli_status status_ = AIOLI_ERR_STATE;
};

}  // namespace

#define AIOLI_BENCH_FUNCTION(name) name##_ = library.function<decltype(name##_)>("aioli_" #name);

Aioli::Aioli(const std::string &path, const std::string &backend, std::string impl)
    : library(choose(backend, path)), backend_(backend), impl_(std::move(impl)) {
  AIOLI_BENCH_FUNCTIONS
  if (backend_.empty()) return;
  const char *active = backend_active_();
  if (!active || backend_ != active)
    throw std::runtime_error("asked for backend '" + backend_ + "', the library would run '" + (active ? active : "none") + "'");
}

#undef AIOLI_BENCH_FUNCTION

std::vector<std::string> Aioli::usable_backends(const std::string &path) {
  const Aioli a(path, "");
  std::vector<std::string> names;
  for (size_t i = 0; i < a.backend_count_(); i++)
    if (a.backend_usable_(i)) names.emplace_back(a.backend_name_(i));
  return names;
}

std::vector<std::string> Aioli::sets(const std::string &path) {
  const Aioli a(path, "");
  std::vector<std::string> names;
  for (size_t i = 0; i < a.alg_count_(); i++) names.emplace_back(a.alg_name_(a.alg_at_(i)));
  return names;
}

void Aioli::select() const { choose(backend_, library.path()); }

const aioli_alg *Aioli::alg(const std::string &set) const {
  const aioli_alg *alg = alg_by_name_(set.c_str());
  if (!alg) throw std::runtime_error(library.path() + " knows no parameter set '" + set + "'");
  return alg;
}

Keyring Aioli::make_keyring(const std::string &set, size_t exercises, size_t keys) const {
  select();
  const aioli_alg *a = alg(set);
  const auto must = [&](aioli_status s, const char *what) {
    if (s != AIOLI_OK) throw std::runtime_error(set + ": cannot " + what + ": " + status_text_(s));
  };
  Keyring ring{set, {}};
  uint64_t state = 0;
  for (size_t i = 0; i < exercises; i++) {
    Exercise e;
    const Bytes seed = test_bytes(state, seed_bytes_(a));
    e.message = test_bytes(state, 32);
    e.randomness = test_bytes(state, randomness_bytes_(a));
    e.sig.resize(signature_bytes_(a));
    e.sig_first.resize(signature_bytes_(a));
    if (i < keys) {
      KeyPair key{seed, Bytes(secret_key_bytes_(a)), Bytes(public_key_bytes_(a))};
      must(keypair_from_seed_(a, key.pk.data(), key.pk.size(), key.sk.data(), key.sk.size(), seed.data(), seed.size(), nullptr),
           "make a key");
      e.key = std::make_shared<const KeyPair>(std::move(key));
    } else {
      e.key = ring.exercises[i % keys].key;
    }
    const Bytes &first = i == 0 ? e.key->sk : ring.exercises[0].key->sk;
    const auto sign = [&](Bytes &sig, const Bytes &key) {
      return sign_with_randomness_(a, sig.data(), sig.size(), e.message.data(), e.message.size(), key.data(), key.size(),
                                   e.randomness.data(), e.randomness.size(), nullptr);
    };
    must(sign(e.sig, e.key->sk), "sign");
    must(sign(e.sig_first, first), "sign");
    ring.exercises.push_back(std::move(e));
  }
  return ring;
}

std::unique_ptr<Subject> Aioli::subject(const Keyring &keyring) const { return std::make_unique<OurSubject>(*this, keyring); }

}  // namespace bench
