// SPDX-License-Identifier: Apache-2.0
//
// A position in a key file's DER, which is either there as it is or is the base64 body of a PEM text, decoded while it is read:
// no buffer ever holds a whole decoded file, and secret bytes go straight to where the caller wants them.
#pragma once

#include "base/secret.hpp"
#include "keyfile/base64.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace keyfile {

// Copies are independent positions.
class Cursor {
 public:
  Cursor() = default;
  // DER at `in`; with `base64`, valid base64 text at `in` (see open_pem).  Whoever holds a cursor knows how far it may go.
  Cursor(const uint8_t *in, bool base64) : next_(in), base64_(base64) {}
  Cursor(const Cursor &) = default;
  Cursor &operator=(const Cursor &) = default;
  ~Cursor() { wipe(group_, sizeof group_); }

  uint8_t take() {
    if (!base64_) return *next_++;
    if (held_ == 0) load_group();
    return group_[3 - held_--];
  }
  void skip(size_t n) {
    if (!base64_)
      next_ += n;
    else
      while (n-- > 0) take();
  }

 private:
  // Four digits make three bytes.  Padding counts as zero digits: the bytes that it would make are never taken.
  void load_group() {
    uint32_t bits = 0;
    for (int digits = 0; digits < 4;) {
      const uint8_t c = *next_++;
      const uint32_t d = digit_of(c);
      if (reveal(d != no_digit)) {    // the layout of the text is public
        bits = bits << 6 | (d & 63);  // no other bit can be set; so constant-time checkers know it, too
        digits++;
      } else if (c == '=') {
        bits <<= 6;
        digits++;
      }
    }
    group_[0] = uint8_t(bits >> 16);
    group_[1] = uint8_t(bits >> 8);
    group_[2] = uint8_t(bits);
    held_ = 3;
  }

  const uint8_t *next_ = nullptr;
  bool base64_ = false;
  uint8_t held_ = 0;  // bytes of group_ not yet taken
  uint8_t group_[3] = {};
};

}  // namespace keyfile
}  // namespace AIOLI_ISA
}  // namespace aioli
