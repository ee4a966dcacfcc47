// SPDX-License-Identifier: Apache-2.0
//
// The PEM frame of a key: one block, nothing but blank lines around it.  Lines end in LF or CRLF and may have any length; base64
// must be whole and canonical (padded, no stray bits, no spaces, no empty lines, no headers).
#pragma once

#include "keyfile/base64.hpp"
#include "keyfile/der_reader.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace keyfile {

inline constexpr size_t pem_line = 64;  // characters per line, as everybody writes them
inline constexpr char public_label[] = "PUBLIC KEY-----";
inline constexpr char secret_label[] = "PRIVATE KEY-----";
inline constexpr char pem_begin[] = "-----BEGIN ";
inline constexpr char pem_end[] = "-----END ";

// A piece of public text that is read from the front.
struct Text {
  const uint8_t *at;
  size_t left;

  bool skip(uint8_t c) {
    if (left == 0 || *at != c) return false;
    at++;
    left--;
    return true;
  }
  bool skip(const char *word) {
    Text t = *this;
    for (; *word != 0; word++)
      if (!t.skip(uint8_t(*word))) return false;
    *this = t;
    return true;
  }
  bool skip_line_end() { return skip("\r\n") || skip('\n'); }
  void skip_blank() {
    while (skip(' ') || skip('\t') || skip('\r') || skip('\n')) {}
  }
};

inline constexpr char encrypted_label[] = "ENCRYPTED PRIVATE KEY-----";

// Whether a text claims to be a key under a passphrase.
inline bool is_encrypted_pem(const uint8_t *in, size_t in_bytes) {
  Text t{in, in_bytes};
  t.skip_blank();
  return t.skip(pem_begin) && t.skip(encrypted_label);
}

// Checks a PEM text from end to end; `body` then is its DER and `secret` tells which of the two labels it has.
inline bool open_pem(const uint8_t *in, size_t in_bytes, DerReader &body, bool &secret) {
  Text t{in, in_bytes};
  t.skip_blank();
  if (!t.skip(pem_begin)) return false;
  secret = t.skip(secret_label);
  if (!secret && !t.skip(public_label)) return false;
  if (!t.skip_line_end()) return false;

  const uint8_t *const text = t.at;
  size_t digits = 0, padding = 0, in_line = 0;
  uint32_t last = 0;
  for (;;) {
    if (t.left == 0) return false;
    const uint32_t d = digit_of(*t.at);
    if (reveal(d != no_digit)) {  // the layout of the text is public
      if (padding != 0) return false;
      last = d;
      digits++;
      in_line++;
      t.at++;
      t.left--;
    } else if (t.skip('=')) {
      padding++;
      in_line++;
    } else if (in_line != 0 && t.skip_line_end()) {
      in_line = 0;
    } else {
      break;
    }
  }
  if (in_line != 0 || padding > 2 || (digits + padding) % 4 != 0) return false;
  const uint32_t stray = padding == 2 ? 15 : padding == 1 ? 3 : 0;
  if (reveal(last & stray) != 0) return false;  // bits of the last digit that carry nothing of the key

  if (!t.skip(pem_end) || !t.skip(secret ? secret_label : public_label)) return false;
  t.skip_blank();
  if (t.left != 0) return false;
  body = DerReader(Cursor(text, true), (digits + padding) / 4 * 3 - padding);
  return true;
}

}  // namespace keyfile
}  // namespace AIOLI_ISA
}  // namespace aioli
