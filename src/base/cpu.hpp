// SPDX-License-Identifier: Apache-2.0
// Processor features, asked for as the sets that backends need.
#pragma once
#include "base/isa.hpp"

namespace aioli {
// AES and SSE2 instructions (x86).
bool cpu_has_aes();
}  // namespace aioli
