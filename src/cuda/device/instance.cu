// SPDX-License-Identifier: Apache-2.0
// The kernels of one set.  AIOLI_INSTANCE is a row of abi/registry.def in parentheses, (MAYO_1, "MAYO-1", mayo, 3, MayoExpanded,
// Mayo1); nvcc makes machine code of it, and an ordinary compiler, after tests/cuda/shim/dialect.hpp, the same for the CPU.
#include "cuda/device/aes.cuh"
#include "cuda/device/hash.cuh"
#include "cuda/device/multiply.cuh"
#include "cuda/device/solve.cuh"
#include "cuda/device/sums.cuh"
#include "cuda/device/tables.cuh"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {
namespace {
#define AIOLI_PARAMETERS_OF(identifier, name, family, round, scheme, params) params
#define AIOLI_IDENTIFIER_OF(identifier, name, family, round, scheme, params) identifier
#define AIOLI_EXPANDED(macro, arguments) macro arguments
using Set = AIOLI_EXPANDED(AIOLI_PARAMETERS_OF, AIOLI_INSTANCE);
}  // namespace
}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli

#define AIOLI_JOIN_(step, set) aioli_##step##_##set
#define AIOLI_JOIN(step, set) AIOLI_JOIN_(step, set)
#define AIOLI_ENTRY(step, Args, blocks, ...)                                                                              \
  extern "C" __global__ void __launch_bounds__(aioli::cuda::shape_of<aioli::cuda::Set>(aioli::cuda::step_##step).threads, \
                                               blocks)                                                                    \
      AIOLI_JOIN(step, AIOLI_EXPANDED(AIOLI_IDENTIFIER_OF, AIOLI_INSTANCE))(const aioli::cuda::Args args) {               \
    using namespace aioli::cuda;                                                                                          \
    __VA_ARGS__(args);                                                                                                    \
  }

// The last number: how many blocks a multiprocessor is to hold at least, which bounds the registers of a thread.
AIOLI_ENTRY(hash_messages, HashMessagesArgs, 2, Hashes<Set>::messages)
AIOLI_ENTRY(hash_targets, HashTargetsArgs, 2, Hashes<Set>::targets)
AIOLI_ENTRY(schedule_keys, ScheduleKeysArgs, 2, Streams<Set>::schedule)
AIOLI_ENTRY(expand, ExpandArgs, 1, Streams<Set>::expand)
AIOLI_ENTRY(unpack_oil, UnpackOilArgs, 2, Streams<Set>::unpack_oil)
AIOLI_ENTRY(verify_times, VerifyTimesArgs, 2, Times<Set>::verify)
AIOLI_ENTRY(verify_indices, VerifyIndicesArgs, 2, Tables<Set>::indices)
AIOLI_ENTRY(verify_tables, VerifyTablesArgs, 1, Tables<Set>::products)
AIOLI_ENTRY(verify_sums, VerifySumsArgs, 2, SquareSums<Set>::verify)
AIOLI_ENTRY(expand_seeds, ExpandSeedsArgs, 2, Hashes<Set>::seeds)
AIOLI_ENTRY(keygen_times, KeygenTimesArgs, 2, Times<Set>::keygen)
AIOLI_ENTRY(keygen_sums, KeygenSumsArgs, 2, SquareSums<Set>::keygen)
AIOLI_ENTRY(linear_forms, LinearFormsArgs, 2, Times<Set>::linear_forms)
AIOLI_ENTRY(sign_salts, SignSaltsArgs, 2, Hashes<Set>::salts)
AIOLI_ENTRY(sign_oil_terms, SignOilTermsArgs, 2, Times<Set>::oil_terms)
AIOLI_ENTRY(sign_vinegar, SignVinegarArgs, 2, Hashes<Set>::vinegar)
AIOLI_ENTRY(sign_times, SignTimesArgs, 2, Times<Set>::sign)
AIOLI_ENTRY(sign_sums, SignSumsArgs, 2, SquareSums<Set>::sign)
AIOLI_ENTRY(sign_solve, SignSolveArgs, 2, Solve<Set>::sign)
