// SPDX-License-Identifier: Apache-2.0
// Small conversions between bytes and text.
#ifndef AIOLI_CLI_TEXT_HPP
#define AIOLI_CLI_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aioli::cli {

std::string hex_lower(std::span<const uint8_t> bytes);
std::string hex_upper(std::span<const uint8_t> bytes);

// Decodes exactly out.size() bytes; either case.  False, with `out` zeroed, for another length or another character.
bool hex_decode(std::string_view hex, std::span<uint8_t> out);

// RFC 4648 with padding, without line breaks.
std::string base64_encode(std::span<const uint8_t> bytes);
// Strict: padding is required and unused bits must be zero, so that each byte string has one encoding.
std::optional<std::vector<uint8_t>> base64_decode(std::string_view text);

// True if `text` is UTF-8 that is safe to show on a terminal: no control characters, no line or paragraph separators, and none of
// the bidirectional overrides, with which a text can be displayed in another order than it is read.
bool is_printable_utf8(std::string_view text);

// `text` with every byte that is_printable_utf8 would object to replaced by '?', for names of files in messages.
std::string printable(std::string_view text);

}  // namespace aioli::cli
#endif
