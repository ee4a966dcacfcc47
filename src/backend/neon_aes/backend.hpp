// SPDX-License-Identifier: Apache-2.0
// The AES instructions of ARMv8.
#pragma once
#include "symmetric/aes128_arm.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Arm<AesByInstructions>;

}  // namespace AIOLI_ISA
}  // namespace aioli
