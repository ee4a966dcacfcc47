// SPDX-License-Identifier: Apache-2.0
// What everyone who signs with a scheme of the museum has to say aloud.
#pragma once

namespace museum::broken {

class Acknowledgement {
 public:
  // The only way to make one.
  static constexpr Acknowledgement that_this_scheme_is_broken_or_unreviewed_and_protects_nothing() { return Acknowledgement(0); }

 private:
  explicit constexpr Acknowledgement(int) {}
};

}  // namespace museum::broken
