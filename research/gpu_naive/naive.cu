// SPDX-License-Identifier: Apache-2.0
// MAYO on a GPU in the way of the first published port (the approach, none of its code): the portable backend as it is, compiled
// for the device, one algorithm for each thread.  The yardstick for libaioli_cuda; never installed.
//
// The library's headers know nothing of devices, so clang, which can, is told that every function is for both sides.  Their asm
// statements are empty and hide values from the compiler; a GPU does not know their constraints, and a yardstick needs no hiding.
//
// NAIVE_IDENTIFIER and NAIVE_PARAMETERS are a set's in abi/registry.def.
#define __volatile__
#define __asm__(...)
#define AIOLI_ISA naive
#define AIOLI_BACKEND_HEADER "backend/portable/backend.hpp"
#pragma clang force_cuda_host_device begin
#include AIOLI_BACKEND_HEADER
#include "base/workspace.hpp"
#include "gpu_naive/naive.hpp"
#include "scheme/mayo.hpp"
#include "symmetric/aes128_portable.cpp"
#include "symmetric/keccak.cpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace {

using P = NAIVE_PARAMETERS;
using S = Mayo<P, Kernels<P>>;
using W = typename S::Work;

uint8_t *at(uint8_t *array, uint32_t row, int bytes) { return array + uint64_t(row) * uint64_t(bytes); }
const uint8_t *at(const uint8_t *array, uint32_t row, int bytes) { return array + uint64_t(row) * uint64_t(bytes); }

void keypair(const NaiveArguments &a, uint32_t row) {
  Scratch<typename W::Keypair> w(a.work + row * a.work_stride);
  S::keypair(at(a.pk, row, P::public_key_bytes), at(a.sk, row, P::secret_key_bytes), *w);
  a.ok[row] = 1;
}
void sign(const NaiveArguments &a, uint32_t row) {
  Scratch<typename W::Sign> w(a.work + row * a.work_stride);
  a.ok[row] = S::sign(at(a.sig, row, P::signature_bytes), at(a.digest, row, P::digest_bytes), at(a.sk, row, P::secret_key_bytes),
                      at(a.R, row, P::R_bytes), *w);
}
void verify(const NaiveArguments &a, uint32_t row) {
  Scratch<typename W::Verify> w(a.work + row * a.work_stride);
  a.ok[row] = S::verify(at(a.sig, row, P::signature_bytes), at(a.digest, row, P::digest_bytes),
                        at(a.pk, row, P::public_key_bytes), *w);
}

}  // namespace
}  // namespace AIOLI_ISA
}  // namespace aioli
#pragma clang force_cuda_host_device end

#define NAIVE_JOIN_(operation, identifier) naive_##operation##_##identifier
#define NAIVE_JOIN(operation, identifier) NAIVE_JOIN_(operation, identifier)
#define NAIVE_KERNEL(operation)                                                                                                  \
  extern "C" __attribute__((global)) void NAIVE_JOIN(operation, NAIVE_IDENTIFIER)(const aioli::NaiveArguments arguments) {       \
    const uint32_t row = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();          \
    if (row < arguments.count) aioli::operation(arguments, row);                                                                 \
  }
NAIVE_KERNEL(keypair)
NAIVE_KERNEL(sign)
NAIVE_KERNEL(verify)

// How much working memory a thread needs, of keypair, sign and verify.
extern "C" __attribute__((global)) void NAIVE_JOIN(bytes, NAIVE_IDENTIFIER)(const aioli::NaiveArguments arguments) {
  uint64_t *bytes = reinterpret_cast<uint64_t *>(arguments.work);
  bytes[0] = aioli::workspace_bytes<typename aioli::W::Keypair>();
  bytes[1] = aioli::workspace_bytes<typename aioli::W::Sign>();
  bytes[2] = aioli::workspace_bytes<typename aioli::W::Verify>();
}
