// SPDX-License-Identifier: Apache-2.0
// CUDA's driver, found when the program runs: nothing of CUDA is linked, and a machine without it is no error.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

using DevicePointer = unsigned long long;
using Context = struct ContextOfTheDriver *;
using Stream = struct StreamOfTheDriver *;
using Module = struct ModuleOfTheDriver *;
using Function = struct FunctionOfTheDriver *;

struct Driver {
#define AIOLI_DRIVER(field, symbol, parameters) int(*field) parameters;
#include "cuda/host/driver.def"
#undef AIOLI_DRIVER
  void *library;

  // Opens libcuda.so.1 and starts it.  Null, or why there is no driver: a name of CUDA's or a sentence, valid for ever.
  const char *open();
  void close();
  const char *name_of(int error) const;
};

// Of CUdevice_attribute and CUfunction_attribute.
enum Attribute : int {
  multiprocessors = 16,
  clock_kilohertz = 13,
  compute_major = 75,
  compute_minor = 76,
  second_level_cache_bytes = 38,
};
constexpr int function_shared_bytes = 8;
constexpr unsigned stream_non_blocking = 1;
constexpr int out_of_memory = 2;

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
