// SPDX-License-Identifier: Apache-2.0
// SHAKE256 of the core, on vectors of bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace museum {

// The first n bytes of SHAKE256 of the parts, one after the other.
std::vector<uint8_t> shake256(std::initializer_list<std::span<const uint8_t>> parts, size_t n);

// What of a message stands beside a key's seed where something is drawn for its signature.  The streams of the key itself are
// seed and two bytes; a message is as long as its author likes, its digest never two bytes.
inline std::vector<uint8_t> digest_beside_seed(std::span<const uint8_t> message) { return shake256({message}, 32); }

}  // namespace museum
