// SPDX-License-Identifier: Apache-2.0
// The whole scheme in bit-sliced arithmetic, as something that the harness measures and checks.
#pragma once
#include "subject.hpp"
#include "way.hpp"

namespace nibbling {

class BitSlicedSubject final : public bench::Subject {
 public:
  // A keyring of the set with bit-sliced keys.
  BitSlicedSubject(const char *backend, const Set &set, const bench::Keyring &keyring)
      : Subject("bit-sliced", backend, keyring),
        set_(set),
        pk_(exercise(0).key->pk.size()),
        sk_(exercise(0).key->sk.size()),
        sig_(exercise(0).sig.size()),
        work_(set.scheme_bytes) {}

  bool has(bench::Op op) const override { return op == bench::Op::keygen || op == bench::Op::sign || op == bench::Op::verify; }
  const bench::Bytes &signature() const override { return sig_; }
  bool accepts(const bench::Bytes &sig, const bench::Bytes &m, const bench::Bytes &pk) override {
    return set_.verify(sig.data(), m.data(), m.size(), pk.data(), work_.data());
  }
  void prepare(bench::Op, size_t) override { done_ = false; }
  void call(bench::Op op, size_t i) override {
    const bench::Exercise &e = exercise(i);
    const bench::Bytes &m = e.message;
    if (op == bench::Op::keygen) {
      sk_ = e.key->seed;
      set_.keypair(pk_.data(), sk_.data(), work_.data());
      done_ = true;
    } else if (op == bench::Op::sign) {
      done_ = set_.sign(sig_.data(), m.data(), m.size(), e.key->sk.data(), e.randomness.data(), work_.data());
    } else {
      done_ = set_.verify(e.sig.data(), m.data(), m.size(), e.key->pk.data(), work_.data());
    }
  }
  void check(bench::Op op, size_t i) override {
    const bench::Exercise &e = exercise(i);
    if (!done_) fail(op, i, "the call failed");
    if (op == bench::Op::keygen && (pk_ != e.key->pk || sk_ != e.key->sk)) fail(op, i, "the key is not the library's");
    if (op == bench::Op::sign && sig_ != e.sig) fail(op, i, "the signature is not the library's");
  }

 private:
  const Set &set_;
  bench::Bytes pk_, sk_, sig_, work_;
  bool done_ = false;
};

}  // namespace nibbling
