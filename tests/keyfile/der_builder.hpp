// SPDX-License-Identifier: Apache-2.0
//
// Key files put together by hand, independently of src/keyfile: DER as a tree in which every node can be spoilt, and PEM.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace keyfile_test {

using Bytes = std::vector<uint8_t>;

inline Bytes operator+(Bytes a, const Bytes &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// How the length of one node is written wrongly.
enum class Spoilt {
  none,
  one_more,  // the length says one more than there is
  one_less,
  zero,
  long_form,      // one length octet more than needed
  longer_form,    // two more
  indefinite,     // 80 ... 00 00
  reserved,       // ff
  huge_32,        // 2^32 - 1
  huge_64,        // 2^64 - 1
  huge_72,        // 2^72 - 1
  overflow_32,    // 2^32 too many, which 32 bits cannot hold
  overflow_64,    // 2^64 too many
  trailing_zero,  // a zero octet behind the content, counted by the length
  trailing_null,  // a NULL element behind the content, counted
  tag_plus_one,
  tag_class,        // the same tag number in another class
  tag_constructed,  // the other of primitive and constructed
  high_tag,         // tag number in the multi-byte form
  count
};

// What a node is to the reader.
enum class Role {
  structure,
  identifier,        // of the algorithm
  attribute_type,    // any identifier will do
  attribute_value,   // anything will do
  attribute_values,  // any number of them
  key                // the element that holds nothing but key material
};

struct Node {
  uint8_t tag = 0;
  Bytes content;  // before the nodes below
  std::vector<Node> below;
  Role role = Role::structure;
  Spoilt spoilt = Spoilt::none;

  // `in_key`, if given, tells for each byte whether it is key material.
  Bytes der(std::vector<bool> *in_key = nullptr) const {
    Bytes body = content;
    std::vector<bool> body_in_key(content.size(), role == Role::key);
    for (const Node &n : below) {
      std::vector<bool> below_in_key;
      body = body + n.der(&below_in_key);
      body_in_key.insert(body_in_key.end(), below_in_key.begin(), below_in_key.end());
    }
    if (spoilt == Spoilt::trailing_zero) body = body + Bytes{0};
    if (spoilt == Spoilt::trailing_null) body = body + Bytes{5, 0};
    Bytes out{tag};
    if (spoilt == Spoilt::tag_plus_one) out[0]++;
    if (spoilt == Spoilt::tag_class) out[0] ^= 0x40;
    if (spoilt == Spoilt::tag_constructed) out[0] ^= 0x20;
    if (spoilt == Spoilt::high_tag) out = {uint8_t(tag | 0x1f), uint8_t(tag & 0x1f)};
    size_t n = body.size();
    if (spoilt == Spoilt::one_more) n++;
    if (spoilt == Spoilt::one_less) n--;
    if (spoilt == Spoilt::zero) n = 0;
    Bytes octets;
    for (size_t rest = n; rest != 0; rest >>= 8) octets.insert(octets.begin(), uint8_t(rest));
    if (spoilt == Spoilt::long_form && n >= 0x80) octets.insert(octets.begin(), 0);
    for (const auto &[way, width] : {std::pair{Spoilt::overflow_32, 4}, {Spoilt::overflow_64, 8}})
      if (spoilt == way) {
        octets.insert(octets.begin(), size_t(width) - octets.size(), 0);
        octets.insert(octets.begin(), 1);
      }
    if (spoilt == Spoilt::longer_form) octets.insert(octets.begin(), 2, 0);
    const bool long_form = n >= 0x80 || octets.size() > 1 || spoilt == Spoilt::long_form;
    if (spoilt == Spoilt::indefinite) {
      out.push_back(0x80);
      body = body + Bytes{0, 0};
    } else if (spoilt == Spoilt::reserved) {
      out.push_back(0xff);
    } else if (spoilt == Spoilt::huge_32 || spoilt == Spoilt::huge_64 || spoilt == Spoilt::huge_72) {
      const size_t width = spoilt == Spoilt::huge_32 ? 4 : spoilt == Spoilt::huge_64 ? 8 : 9;
      out.push_back(uint8_t(0x80 + width));
      out = out + Bytes(width, 0xff);
    } else if (long_form) {
      out.push_back(uint8_t(0x80 + octets.size()));
      out = out + octets;
    } else {
      out.push_back(uint8_t(n));
    }
    if (in_key != nullptr) {
      *in_key = std::vector<bool>(out.size(), false);
      in_key->insert(in_key->end(), body_in_key.begin(), body_in_key.end());
    }
    return out + body;
  }

  // All nodes of the tree, this one first.
  void collect(std::vector<Node *> &all) {
    all.push_back(this);
    for (Node &n : below) n.collect(all);
  }
};

inline Node leaf(uint8_t tag, Bytes content, Role role = Role::structure) { return {tag, std::move(content), {}, role, {}}; }
inline Node holder(uint8_t tag, std::vector<Node> below) { return {tag, {}, std::move(below), Role::structure, {}}; }

inline Node integer(uint8_t value) { return leaf(0x02, {value}); }
inline Node octet_string(Bytes content) { return leaf(0x04, std::move(content), Role::key); }
inline Node octet_string(Node inside) { return holder(0x04, {std::move(inside)}); }
inline Node null() { return leaf(0x05, {}); }
inline Node sequence(std::vector<Node> below) { return holder(0x30, std::move(below)); }
inline Node bit_string(Bytes content, uint8_t tag = 0x03, uint8_t unused = 0) {
  return leaf(tag, Bytes{unused} + content, Role::key);
}
inline Node bit_string(Node inside, uint8_t tag = 0x03) { return {tag, {0}, {std::move(inside)}, Role::structure, {}}; }

// The content octets of a dotted-decimal identifier; a second implementation, by schoolbook division of the decimal digits.
inline Bytes oid_octets(const std::string &dotted) {
  std::vector<std::string> arcs(1);
  for (char c : dotted) {
    if (c == '.')
      arcs.emplace_back();
    else
      arcs.back().push_back(c);
  }
  // first * 40 + second; our seconds are small
  arcs[1] = std::to_string(std::stoi(arcs[0]) * 40 + std::stoi(arcs[1]));
  Bytes out;
  for (size_t i = 1; i < arcs.size(); i++) {
    std::string rest = arcs[i];
    Bytes arc;
    do {
      unsigned remainder = 0;
      std::string quotient;
      for (char c : rest) {
        const unsigned part = remainder * 10 + unsigned(c - '0');
        if (!quotient.empty() || part >= 128) quotient.push_back(char('0' + part / 128));
        remainder = part % 128;
      }
      arc.insert(arc.begin(), uint8_t(remainder | (arc.empty() ? 0 : 0x80)));
      rest = quotient;
    } while (!rest.empty());
    out = out + arc;
  }
  return out;
}

inline Node oid(const std::string &dotted, Role role = Role::identifier) { return leaf(0x06, oid_octets(dotted), role); }
inline Node algorithm(const std::string &dotted) { return sequence({oid(dotted)}); }

inline std::string base64(const Bytes &data) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < data.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = i; j < i + 3; j++) group = group << 8 | (j < data.size() ? data[j] : 0);
    for (size_t j = 0; j < 4; j++) out.push_back(i + j <= data.size() ? alphabet[group >> (18 - 6 * j) & 63] : '=');
  }
  return out;
}

inline std::string pem(const std::string &label, const std::string &body, size_t line = 64, const std::string &end = "\n") {
  std::string out = "-----BEGIN " + label + "-----" + end;
  for (size_t i = 0; i < body.size(); i += line) out += body.substr(i, line) + end;
  return out + "-----END " + label + "-----" + end;
}

inline Bytes bytes_of(const std::string &text) { return {text.begin(), text.end()}; }

}  // namespace keyfile_test
