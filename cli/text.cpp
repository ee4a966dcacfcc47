// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>

namespace aioli::cli {
namespace {

constexpr char kLowerDigits[] = "0123456789abcdef";
constexpr char kUpperDigits[] = "0123456789ABCDEF";
constexpr char kBase64Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string hex(std::span<const uint8_t> bytes, const char *digits) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (uint8_t b : bytes) {
    text += digits[b >> 4];
    text += digits[b & 15];
  }
  return text;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

// Length of the printable character that `text` starts with; 0 if it starts with anything else.
size_t printable_prefix(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const size_t length = first >= 0xf0 && first <= 0xf4  ? 4
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xc2 && first < 0xe0 ? 2
                                                        : 0;
  if (length == 0 || text.size() < length) return 0;
  uint32_t point = first & (0x7f >> length);
  for (size_t i = 1; i < length; i++) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool not_scalar = point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff);
  const bool control = point < 0xa0 || point == 0x2028 || point == 0x2029 || point == 0xfeff;
  const bool bidirectional = point == 0x061c || point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e) ||
                             (point >= 0x2066 && point <= 0x2069);
  return overlong || not_scalar || control || bidirectional ? 0 : length;
}

}  // namespace

std::string hex_lower(std::span<const uint8_t> bytes) { return hex(bytes, kLowerDigits); }
std::string hex_upper(std::span<const uint8_t> bytes) { return hex(bytes, kUpperDigits); }

bool hex_decode(std::string_view text, std::span<uint8_t> out) {
  bool good = text.size() == 2 * out.size();
  for (size_t i = 0; good && i < out.size(); i++) {
    const int high = hex_value(text[2 * i]), low = hex_value(text[2 * i + 1]);
    good = high >= 0 && low >= 0;
    if (good) out[i] = static_cast<uint8_t>(high << 4 | low);
  }
  if (!good) std::fill(out.begin(), out.end(), uint8_t{0});
  return good;
}

std::string base64_encode(std::span<const uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = uint32_t{bytes[i]} << 16;
    if (n > 1) group |= uint32_t{bytes[i + 1]} << 8;
    if (n > 2) group |= bytes[i + 2];
    text += kBase64Digits[group >> 18];
    text += kBase64Digits[group >> 12 & 63];
    text += n > 1 ? kBase64Digits[group >> 6 & 63] : '=';
    text += n > 2 ? kBase64Digits[group & 63] : '=';
  }
  return text;
}

std::optional<std::vector<uint8_t>> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const size_t digits = last && text[i + 3] == '=' ? (text[i + 2] == '=' ? 2 : 3) : 4;
    uint32_t group = 0;
    for (size_t j = 0; j < 4; j++) {
      const int value = j < digits ? base64_value(text[i + j]) : 0;
      if (value < 0) return std::nullopt;
      group = group << 6 | static_cast<uint32_t>(value);
    }
    const uint32_t unused = digits == 2 ? 0xffff : digits == 3 ? 0xff : 0;
    if ((group & unused) != 0) return std::nullopt;
    bytes.push_back(static_cast<uint8_t>(group >> 16));
    if (digits > 2) bytes.push_back(static_cast<uint8_t>(group >> 8));
    if (digits > 3) bytes.push_back(static_cast<uint8_t>(group));
  }
  return bytes;
}

bool is_printable_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t n = printable_prefix(text);
    if (n == 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const size_t n = printable_prefix(text);
    if (n == 0) {
      shown += '?';
    } else {
      shown += text.substr(0, n);
    }
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return shown;
}

}  // namespace aioli::cli
