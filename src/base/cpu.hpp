// SPDX-License-Identifier: Apache-2.0
// Processor features, asked for as the sets that backends need.
#pragma once
#include "base/isa.hpp"

namespace aioli {
// AES and SSE2 instructions (x86).
bool cpu_has_aes();
// The same, AVX2, BMI1 and BMI2, and an operating system that saves its registers.
bool cpu_has_avx2_aes();
// The same and VAES.
bool cpu_has_avx2_vaes();
// The same and GFNI.
bool cpu_has_gfni();
// The same, AVX-512 (F, BW, DQ, VL, VBMI), and an operating system that saves its registers.
bool cpu_has_avx512();
// The AES instructions of ARMv8.
bool cpu_has_arm_aes();
// The same, and EOR3, BCAX, RAX1 and XAR (FEAT_SHA3).
bool cpu_has_arm_sha3();
}  // namespace aioli
