// SPDX-License-Identifier: Apache-2.0
// Processor features, asked for as the sets that backends need.
#pragma once
#include "base/isa.hpp"

namespace aioli {
// AES and SSE2 instructions (x86).
bool cpu_has_aes();
// The same, AVX2, and an operating system that saves its registers.
bool cpu_has_avx2_aes();
}  // namespace aioli
