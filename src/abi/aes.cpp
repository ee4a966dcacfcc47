// SPDX-License-Identifier: Apache-2.0
// The AES of a backend, for kernels of other backends (backend/aes128_active.hpp); compiled for each backend, with its flags.
#include AIOLI_BACKEND_HEADER
#include "backend/aes128_active.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

extern const AesOfBackend aes;
constinit const AesOfBackend aes = aes_of_backend<LentAes>;

}  // namespace AIOLI_ISA
}  // namespace aioli
