// SPDX-License-Identifier: Apache-2.0
// What one backend exports: its instances, and digests of many messages; compiled for each backend that has kernels, with its
// flags.
#include AIOLI_BACKEND_HEADER
#include "abi/families.hpp"
#include "abi/instance.hpp"
#include "base/registers.hpp"
#include "symmetric/keccak_wide.hpp"

namespace aioli {
namespace {
namespace served_by {
#define AIOLI_BACKEND(identifier, kernels, families, rounds, ...) \
  [[maybe_unused]] constexpr Served identifier = {families, rounds};
#include "backend/backends.def"
#undef AIOLI_BACKEND
}  // namespace served_by
}  // namespace

inline namespace AIOLI_ISA {

#define AIOLI_SET(identifier, ...) extern const Instance instance_##identifier;
#include "abi/registry.def"
#undef AIOLI_SET

#if !defined(AIOLI_WITHOUT_DIGESTS)
static DigestMany digest_many;
static void digest_many(uint8_t *digests, size_t stride, size_t digest_bytes, const uint8_t *const *msgs, const size_t *msg_bytes,
                        size_t count) {
  shake256_many<KeccakWords>(digests, stride, digest_bytes, msgs, msg_bytes, count);
}
#else
static constexpr DigestMany *digest_many = nullptr;
#endif

extern const KernelsOfBackend kernels;
constinit const KernelsOfBackend kernels = {{
#define AIOLI_SET(identifier, name, family, round, ...) \
  served_by::AIOLI_ISA.has(family, round) ? &instance_##identifier : nullptr,
#include "abi/registry.def"
#undef AIOLI_SET
                                            },
                                            digest_many,
                                            keccak_f1600,
                                            clear_vector_registers};

}  // namespace AIOLI_ISA
}  // namespace aioli
