// SPDX-License-Identifier: Apache-2.0
// The AES instructions of x86.
#pragma once
#include "symmetric/aes128_ni.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

using LentAes = Aes128Ni;

}  // namespace AIOLI_ISA
}  // namespace aioli
