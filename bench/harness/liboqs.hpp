// SPDX-License-Identifier: Apache-2.0
//
// A peer: MAYO and UOV of round 2 as liboqs 0.13 has them; and, for scale, its ML-DSA-44.
#pragma once

#include "library.hpp"
#include "subject.hpp"

namespace bench {

class Liboqs {
 public:
  // variant: what to call this build of liboqs ("ref", "avx2" ...).
  Liboqs(const std::string &variant, const std::string &path);

  const std::string &variant() const { return variant_; }
  // The library's version and, if build.txt stands beside it, how it was built.
  std::string description() const;
  static constexpr const char *for_scale = "ML-DSA-44";
  // Keys and signatures of ML-DSA-44, the same whichever build makes them.
  Keyring make_keyring(size_t exercises) const;
  // Null if liboqs has no such set, or this build has it no differently than another (AES instructions mean nothing to ML-DSA).
  std::unique_ptr<Subject> subject(const Keyring &keyring) const;

 private:
  std::string variant_;
  Library library_;
};

}  // namespace bench
