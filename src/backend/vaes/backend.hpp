// SPDX-License-Identifier: Apache-2.0
// Two AES blocks to an instruction.
#pragma once
#include "symmetric/aes128_vaes.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Vaes<Blocks2>;

}  // namespace AIOLI_ISA
}  // namespace aioli
