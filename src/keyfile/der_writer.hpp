// SPDX-License-Identifier: Apache-2.0
//
// Writes DER, as it is or as the body of a PEM text.  Lengths come first in DER, so sizes are computed before anything is
// written.
#pragma once

#include "base/secret.hpp"
#include "keyfile/base64.hpp"
#include "keyfile/pem.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace keyfile {

inline size_t length_octets(size_t n) {
  size_t more = 0;
  for (size_t rest = n; n >= 0x80 && rest != 0; rest >>= 8) more++;
  return 1 + more;
}
// The size of an element with n bytes of content.
inline size_t element_bytes(size_t n) { return 1 + length_octets(n) + n; }

// The size of a PEM body that holds n bytes, line ends included.
inline size_t pem_body_bytes(size_t n) {
  const size_t characters = (n + 2) / 3 * 4;
  return characters + (characters + pem_line - 1) / pem_line;
}

// The destination must have room: the caller has computed the size.
class DerWriter {
 public:
  DerWriter(uint8_t *out, bool base64) : out_(out), base64_(base64) {}
  DerWriter(const DerWriter &) = delete;
  DerWriter &operator=(const DerWriter &) = delete;
  ~DerWriter() { wipe(&group_, sizeof group_); }

  void text(const char *s) {
    for (; *s != 0; s++) *out_++ = uint8_t(*s);
  }
  void byte(uint8_t b) {
    if (!base64_) {
      *out_++ = b;
      return;
    }
    group_ = group_ << 8 | b;
    if (++held_ == 3) put_group(4);
  }
  void bytes(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++) byte(p[i]);
  }
  // Tag and length of an element with n bytes of content.
  void header(uint8_t tag, size_t n) {
    byte(tag);
    const size_t octets = length_octets(n);
    if (octets > 1) byte(uint8_t(0x80 | (octets - 1)));
    for (size_t i = octets > 1 ? octets - 1 : 1; i-- > 0;) byte(uint8_t(n >> (8 * i)));
  }
  // Ends a PEM body: padding and the last line's end.
  void end_body() {
    if (held_ != 0) {
      const unsigned digits = held_ + 1;
      group_ <<= 8 * (3 - held_);
      put_group(digits);
    }
    if (in_line_ != 0) *out_++ = '\n';
  }
  uint8_t *position() const { return out_; }

 private:
  void put_group(unsigned digits) {
    for (unsigned i = 0; i < 4; i++) *out_++ = i < digits ? character_of(group_ >> (18 - 6 * i) & 63) : uint8_t('=');
    group_ = 0;
    held_ = 0;
    in_line_ += 4;
    if (in_line_ == pem_line) {
      *out_++ = '\n';
      in_line_ = 0;
    }
  }

  uint8_t *out_;
  bool base64_;
  unsigned held_ = 0;   // bytes in group_
  size_t in_line_ = 0;  // characters in the line so far
  uint32_t group_ = 0;
};

}  // namespace keyfile
}  // namespace AIOLI_ISA
}  // namespace aioli
