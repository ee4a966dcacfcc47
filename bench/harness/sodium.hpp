// SPDX-License-Identifier: Apache-2.0
//
// A peer for scale: Ed25519 as libsodium has it.
#pragma once

#include "library.hpp"
#include "subject.hpp"

namespace bench {

class Sodium {
 public:
  // The run-time library, libsodium.so.23 or later; needs no headers.
  explicit Sodium(const std::string &path);

  static constexpr const char *set = "Ed25519";
  std::string description() const;
  Keyring make_keyring(size_t exercises) const;
  std::unique_ptr<Subject> subject(const Keyring &keyring) const;

 private:
  Library library_;
};

}  // namespace bench
