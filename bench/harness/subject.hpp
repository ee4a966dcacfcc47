// SPDX-License-Identifier: Apache-2.0
//
// What can be measured: a Subject is one implementation of one parameter set that performs operations on given inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

using Bytes = std::vector<uint8_t>;

enum class Op { keygen, expand_sk, expand_pk, sign, sign_expanded, verify, verify_expanded };
inline constexpr Op all_ops[] = {Op::keygen,    Op::expand_sk, Op::sign,           Op::sign_expanded,
                                 Op::expand_pk, Op::verify,    Op::verify_expanded};
const char *op_name(Op op);
// Throws std::invalid_argument.
Op op_by_name(const std::string &name);

struct KeyPair {
  Bytes seed, sk, pk;  // what it is made of, and the pair; MAYO's secret key is the seed itself
};

// Fixed inputs and their right answers, so that each measured call can be checked byte for byte, whoever made it.
struct Exercise {
  std::shared_ptr<const KeyPair> key;  // exercises may share it
  Bytes message, randomness;           // randomness: what signing draws (R)
  Bytes sig;                           // of message under key
  Bytes sig_first;                     // of message under the first exercise's key: for expanded keys, which serve many messages
};

// Expanding bytes without a cryptographic claim: reproducible test data.
Bytes test_bytes(uint64_t &state, size_t n);

struct Keyring {
  std::string set;
  std::vector<Exercise> exercises;
};

// The only source of randomness of measured code: hands out a given string once.  Both sides draw from it, so that neither is
// measured with a system call in it and both compute the same.
class Tape {
 public:
  static void load(const Bytes &bytes);
  // Fills out[0..n); false (and zeros) if fewer than n bytes are left.
  static bool draw(uint8_t *out, size_t n);
  // True if the tape was read exactly to its end.
  static bool used_up();
};

// One implementation of one parameter set.  Each measurement is prepare (not timed), call (timed), check (not timed), with i the
// number of the exercise.
class Subject {
 public:
  Subject(std::string impl, std::string backend, const Keyring &keyring)
      : impl_(std::move(impl)), backend_(std::move(backend)), keyring_(keyring) {}
  virtual ~Subject() = default;
  Subject(const Subject &) = delete;
  Subject &operator=(const Subject &) = delete;

  const std::string &impl() const { return impl_; }
  const std::string &backend() const { return backend_; }
  const std::string &set() const { return keyring_.set; }
  size_t exercises() const { return keyring_.exercises.size(); }
  const Exercise &exercise(size_t i) const { return keyring_.exercises[i]; }

  virtual bool has(Op op) const = 0;
  virtual void prepare(Op op, size_t i) = 0;
  virtual void call(Op op, size_t i) = 0;
  // Throws std::runtime_error if the call failed or its output is not the right one.
  virtual void check(Op op, size_t i) = 0;

  // The signature that the last call of a signing operation made.
  virtual const Bytes &signature() const = 0;
  // Whether this implementation accepts the signature; throws if it cannot tell.
  virtual bool accepts(const Bytes &sig, const Bytes &message, const Bytes &pk) = 0;

 protected:
  [[noreturn]] void fail(Op op, size_t i, const std::string &what) const {
    throw std::runtime_error(impl_ + " (" + backend_ + "), " + set() + ", " + op_name(op) + ", exercise " + std::to_string(i) +
                             ": " + what);
  }

 private:
  std::string impl_, backend_;
  const Keyring &keyring_;
};

}  // namespace bench
