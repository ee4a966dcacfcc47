// SPDX-License-Identifier: Apache-2.0
//
// The base64 alphabet, one digit at a time, by arithmetic on masks: a private key passes through here, so neither a table index
// nor a branch may depend on the value of a digit.  Whether a character is a digit at all is public (it is the layout of the
// text).
#pragma once

#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace keyfile {

// Characters first .. last stand for the digits value, value + 1, ...
struct DigitRange {
  uint32_t first, last, value;
};
inline constexpr DigitRange digit_ranges[5] = {{'A', 'Z', 0}, {'a', 'z', 26}, {'0', '9', 52}, {'+', '+', 62}, {'/', '/', 63}};
inline constexpr uint32_t no_digit = 64;

// All ones if low <= x <= high, otherwise 0.  All three below 2^31.
inline uint32_t between(uint32_t x, uint32_t low, uint32_t high) {
  return uint32_t(mask_of_bit((less(x, low) | less(high, x)) ^ 1));
}

// The digit 0..63 that a character stands for, or no_digit.
inline uint32_t digit_of(uint8_t character) {
  uint32_t c = character, digit = 0, found = 0;
  for (const DigitRange &r : digit_ranges) {
    const uint32_t in = between(c, r.first, r.last);
    digit |= in & (c - r.first + r.value);
    found |= in;
  }
  return digit | (~found & no_digit);
}

// The character of a digit 0..63.
inline uint8_t character_of(uint32_t digit) {
  uint32_t c = 0;
  for (const DigitRange &r : digit_ranges) {
    const uint32_t in = between(digit, r.value, r.value + (r.last - r.first));
    c |= in & (digit - r.value + r.first);
  }
  return uint8_t(c);
}

}  // namespace keyfile
}  // namespace AIOLI_ISA
}  // namespace aioli
