// SPDX-License-Identifier: Apache-2.0
// Digests of many messages on one backend; compiled for each of them, with its flags.
#include "abi/instance.hpp"
#include "backend/select.hpp"
#include "base/registers.hpp"
#include "symmetric/keccak_wide.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

DigestMany digest_many;
void digest_many(uint8_t *digests, size_t stride, size_t digest_bytes, const uint8_t *const *msgs, const size_t *msg_bytes,
                 size_t count) {
  shake256_many<KeccakWords>(digests, stride, digest_bytes, msgs, msg_bytes, count);
  clear_vector_registers();  // a message may be secret
}

}  // namespace AIOLI_ISA
}  // namespace aioli
