// SPDX-License-Identifier: Apache-2.0
// A signature scheme as this benchmark sees it, and what runs it under the harness of bench/.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/subject.hpp"

namespace museum::bench {

using Bytes = ::bench::Bytes;

struct Sizes {
  size_t public_key = 0, secret_key = 0, signature = 0;  // bytes
};
struct Scheme {
  std::string impl, name, backend;
  std::string status;  // in a word or two
  std::function<std::shared_ptr<void>(const Bytes &seed)>
      keygen;  // 32 bytes, or ignored; the pair in the form in which it is used again
  std::function<Bytes(void *pair, const Bytes &message)> sign;
  std::function<bool(void *pair, const Bytes &message, const Bytes &signature)> verify;
  std::function<Sizes(void *pair)> sizes;
};

std::vector<Scheme> museum_schemes();
std::vector<Scheme> aioli_schemes();    // the current sets of the library, through its C interface
std::vector<Scheme> openssl_schemes();  // Ed25519, ECDSA, RSA of libcrypto
std::string openssl_version();          // of the library that runs

// Key generation, signing and verification; each result is checked by what undoes it.  One key pair signs and verifies all
// messages, so that after the harness's first, untimed call it lies in the caches, as in most published figures.
class SchemeSubject : public ::bench::Subject {
 public:
  SchemeSubject(const Scheme &scheme, const ::bench::Keyring &keyring)
      : Subject(scheme.impl, scheme.backend, keyring), scheme_(scheme) {
    pair_ = scheme_.keygen(exercise(0).key->seed);
    for (size_t i = 0; i < exercises(); i++) signatures_.push_back(scheme_.sign(pair_.get(), exercise(i).message));
  }
  bool has(::bench::Op op) const override {
    return op == ::bench::Op::keygen || op == ::bench::Op::sign || op == ::bench::Op::verify;
  }
  void prepare(::bench::Op, size_t) override { made_.reset(), accepted_ = false, last_.clear(); }
  void call(::bench::Op op, size_t i) override {
    if (op == ::bench::Op::keygen) made_ = scheme_.keygen(exercise(i).key->seed);
    if (op == ::bench::Op::sign) last_ = scheme_.sign(pair_.get(), exercise(i).message);
    if (op == ::bench::Op::verify) accepted_ = scheme_.verify(pair_.get(), exercise(i).message, signatures_[i]);
  }
  void check(::bench::Op op, size_t i) override {
    const Bytes &message = exercise(i).message;
    const bool good = op == ::bench::Op::keygen ? scheme_.verify(made_.get(), message, scheme_.sign(made_.get(), message))
                      : op == ::bench::Op::sign ? scheme_.verify(pair_.get(), message, last_)
                                                : accepted_;
    if (!good) fail(op, i, "the signature does not verify");
    Bytes other = message;
    other[0] ^= 1;
    if (op == ::bench::Op::verify && scheme_.verify(pair_.get(), other, signatures_[i]))
      fail(op, i, "a wrong signature verifies");
  }
  const Bytes &signature() const override { return last_; }
  bool accepts(const Bytes &, const Bytes &, const Bytes &) override {
    throw std::logic_error("not an implementation to compare");
  }
  Sizes sizes() const { return scheme_.sizes(pair_.get()); }

 private:
  Scheme scheme_;
  std::shared_ptr<void> pair_;
  std::vector<Bytes> signatures_;
  std::shared_ptr<void> made_;
  Bytes last_;
  bool accepted_ = false;
};

// keygen(seed) -> Pair, sign(const Pair &, message) -> bytes, verify(const Pair &, message, signature) -> bool, sizes(const Pair
// &).
template <class Keygen, class Sign, class Verify, class GetSizes>
Scheme scheme(std::string impl, std::string name, std::string backend, std::string status, Keygen keygen, Sign sign,
              Verify verify, GetSizes sizes) {
  using Pair = decltype(keygen(Bytes()));
  return {std::move(impl),
          std::move(name),
          std::move(backend),
          std::move(status),
          [=](const Bytes &seed) -> std::shared_ptr<void> { return std::make_shared<Pair>(keygen(seed)); },
          [=](void *pair, const Bytes &message) { return sign(*static_cast<Pair *>(pair), message); },
          [=](void *pair, const Bytes &message, const Bytes &signature) {
            return verify(*static_cast<Pair *>(pair), message, signature);
          },
          [=](void *pair) { return sizes(*static_cast<Pair *>(pair)); }};
}

}  // namespace museum::bench
