// SPDX-License-Identifier: Apache-2.0
// MAYO on a GPU in the way of the first published port (the approach, none of its code): the portable backend as it is, compiled for the
// device, one algorithm for each thread.  The yardstick for libaioli_cuda; never installed.
//
// The library's headers know nothing of devices, so clang, which can, is told that every function is for both sides.  Their asm statements
// are empty and hide values from the compiler; a GPU does not know their constraints, and a yardstick needs no hiding.
#define __volatile__
#define __asm__(...)
#define AIOLI_ISA naive
#define AIOLI_BACKEND_portable
#pragma clang force_cuda_host_device begin
#include "backend/select.hpp"
#include "base/workspace.hpp"
#include "gpu_naive/naive.hpp"
#include "scheme/mayo.hpp"
#include "symmetric/aes128_portable.cpp"
#include "symmetric/keccak.cpp"
#pragma clang force_cuda_host_device end

namespace aioli::inline AIOLI_ISA {
namespace {
template <class P> struct Naive {
  using S = Mayo<P, Kernels<P>>;
  using W = typename S::Work;

  template <class T> static __attribute__((device)) T &work(const NaiveArguments &a, unsigned row) {
    return *reinterpret_cast<T *>(a.work + uint64_t(row) * a.work_stride);
  }
  static __attribute__((device)) void keypair(const NaiveArguments &a, unsigned row) {
    S::keypair(a.pk + uint64_t(row) * P::public_key_bytes, a.sk + uint64_t(row) * P::secret_key_bytes,
               work<typename W::Keypair>(a, row));
  }
  static __attribute__((device)) void sign(const NaiveArguments &a, unsigned row) {
    a.ok[row] = S::sign(a.sig + uint64_t(row) * P::signature_bytes, a.digest + uint64_t(row) * P::digest_bytes,
                        a.sk + uint64_t(row) * P::secret_key_bytes, a.R + uint64_t(row) * P::R_bytes, work<typename W::Sign>(a, row));
  }
  static __attribute__((device)) void verify(const NaiveArguments &a, unsigned row) {
    a.ok[row] = S::verify(a.sig + uint64_t(row) * P::signature_bytes, a.digest + uint64_t(row) * P::digest_bytes,
                          a.pk + uint64_t(row) * P::public_key_bytes, work<typename W::Verify>(a, row));
  }
  static constexpr uint64_t bytes[3] = {sizeof(typename W::Keypair), sizeof(typename W::Sign), sizeof(typename W::Verify)};
};
}  // namespace
}  // namespace aioli::inline AIOLI_ISA

#define NAIVE_KERNEL(operation, identifier, params)                                                                        \
  extern "C" __attribute__((global)) void naive_##operation##_##identifier(const aioli::NaiveArguments arguments) {        \
    const unsigned row = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();    \
    if (row < arguments.count) aioli::Naive<aioli::params>::operation(arguments, row);                                     \
  }
// The bytes of working memory of one thread: of keypair, sign and verify.
#define NAIVE_SET(identifier, params)         \
  NAIVE_KERNEL(keypair, identifier, params)   \
  NAIVE_KERNEL(sign, identifier, params)      \
  NAIVE_KERNEL(verify, identifier, params)    \
  extern "C" __attribute__((global)) void naive_bytes_##identifier(uint64_t *bytes) { \
    for (int i = 0; i < 3; i++) bytes[i] = aioli::Naive<aioli::params>::bytes[i];     \
  }
NAIVE_SET(MAYO_1, Mayo1)
