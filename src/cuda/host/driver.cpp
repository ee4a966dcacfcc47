// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/driver.hpp"

#include <dlfcn.h>

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {
namespace {
template <class F> bool find(F &function, void *library, const char *symbol) {
  function = reinterpret_cast<F>(dlsym(library, symbol));
  return function != nullptr;
}
}  // namespace

const char *Driver::open() {
  *this = {};
  library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return "there is no libcuda.so.1";
  const char *why = nullptr;
#define AIOLI_DRIVER(field, symbol, parameters) \
  if (why == nullptr && !find(field, library, #symbol)) why = "libcuda.so.1 has no " #symbol;
#include "cuda/host/driver.def"
#undef AIOLI_DRIVER
  if (why == nullptr) {
    const int error = init(0);
    if (error != 0) why = name_of(error);
  }
  if (why != nullptr) close();
  return why;
}

// The library itself stays: CUDA's threads may still run in it, and what it said stays valid.
void Driver::close() { *this = {}; }

const char *Driver::name_of(int error) const {
  const char *name = nullptr;
  return error_name != nullptr && error_name(error, &name) == 0 && name != nullptr ? name : "an error that CUDA has no name for";
}

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
