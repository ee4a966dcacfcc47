// SPDX-License-Identifier: Apache-2.0
#include "museum/symmetric/shake256.hpp"

#include "symmetric/shake256.hpp"

namespace museum {

std::vector<uint8_t> shake256(std::initializer_list<std::span<const uint8_t>> parts, size_t n) {
  std::vector<uint8_t> out(n);
  aioli::Shake256 h;
  h.init();
  for (const auto part : parts) h.absorb(part.data(), part.size());
  h.finish();
  h.squeeze(out.data(), n);
  return out;
}

}  // namespace museum
