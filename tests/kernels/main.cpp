// SPDX-License-Identifier: Apache-2.0
// The checks of one backend, the adapters'.  Exit status 77 if this processor cannot run it: ctest then says that it was skipped.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>

#include "base/cpu.hpp"
#include "kernels/adapter.hpp"

namespace {

bool usable(const char *backend) {
  using namespace aioli;
#define AIOLI_BACKEND(identifier, kernels, families, rounds, expression, flags) \
  if (std::strcmp(backend, #identifier) == 0) return expression;
#include "backend/backends.def"
#undef AIOLI_BACKEND
  return true;  // the tests' own
}

}  // namespace

int main(int argc, char **argv) {
  if (!usable(kernels::backend())) {
    std::fprintf(stderr, "this processor cannot run the backend %s\n", kernels::backend());
    return 77;
  }
  return doctest::Context(argc, argv).run();
}

TEST_CASE("there is something to test") {
  CHECK(kernels::sets().count >= 2);
  for (const kernels::Set *s : kernels::sets()) CHECK(s->block >= 1);
  for (const kernels::Aes *a : kernels::streams()) CHECK(a->batch >= 1);
}
