// SPDX-License-Identifier: Apache-2.0
//
// Strict DER, read by template: the caller says what must come next and gets it or a refusal.  Lengths are definite and minimal,
// tags have one byte, an element never reaches past the one that holds it.
#pragma once

#include "keyfile/cursor.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace keyfile {

enum Tag : uint8_t {
  tag_integer = 0x02,
  tag_bit_string = 0x03,
  tag_octet_string = 0x04,
  tag_object_identifier = 0x06,
  tag_sequence = 0x30,
  tag_set = 0x31,
  tag_context_0 = 0x80,              // [0] IMPLICIT of a primitive type
  tag_context_1 = 0x81,              // [1] IMPLICIT of a primitive type
  tag_context_0_constructed = 0xa0,  // [0] IMPLICIT of a constructed type
};

// The content of an element (or a whole file): a position and how many bytes belong to it.
class DerReader {
 public:
  DerReader() = default;
  DerReader(const Cursor &at, size_t n) : at_(at), left_(n) {}

  size_t left() const { return left_; }
  bool done() const { return left_ == 0; }

  // The next byte without taking it, which is the next element's tag; 0 (the tag of nothing) at the end.
  uint8_t tag() const { return done() ? 0 : Cursor(at_).take(); }

  // Takes one byte; false at the end.
  bool byte(uint8_t &b) {
    if (done()) return false;
    b = at_.take();
    left_--;
    return true;
  }

  // Takes n bytes, which must be there.
  void bytes(uint8_t *out, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = at_.take();
    left_ -= n;
  }

  // Takes the first n bytes, which must be there, as a part of their own.
  DerReader split(size_t n) {
    const DerReader front(at_, n);
    at_.skip(n);
    left_ -= n;
    return front;
  }

  // Takes one element of this tag; false if the next one is another or malformed, and the reader is then of no further use.
  bool element(uint8_t wanted, DerReader &content) {
    uint8_t t;
    size_t n;
    if (!byte(t) || t != wanted || !length(n) || n > left_) return false;
    content = split(n);
    return true;
  }

  // Takes one element of any tag of one byte.
  bool any(DerReader &content) {
    const uint8_t t = tag();
    return t != 0 && (t & 0x1f) != 0x1f && element(t, content);
  }

 private:
  bool length(size_t &n) {
    uint8_t b;
    if (!byte(b)) return false;
    n = b;
    if (b < 0x80) return true;
    const unsigned octets = b & 0x7f;
    if (octets > sizeof n) return false;  // longer than memory
    n = 0;
    for (unsigned i = 0; i < octets; i++) {
      if (!byte(b) || (i == 0 && b == 0)) return false;
      n = n << 8 | b;
    }
    return n >= 0x80;  // which the indefinite form, without octets, never is
  }

  Cursor at_;
  size_t left_ = 0;
};

}  // namespace keyfile
}  // namespace AIOLI_ISA
}  // namespace aioli
