// SPDX-License-Identifier: Apache-2.0
// The checks of one backend, the adapters'.
#include <doctest/doctest.h>

#include "kernels/adapter.hpp"
#include "kernels/harness.hpp"

int main(int argc, char **argv) {
  return kernels::run(kernels::backend(),
                      [&] { kernels::expect(doctest::Context(argc, argv).run() == 0, "doctest", "see above"); });
}

TEST_CASE("there is something to test") {
  CHECK(kernels::sets().count >= 2);
  for (const kernels::Set *s : kernels::sets()) CHECK(s->block >= 1);
  for (const kernels::Aes *a : kernels::streams()) CHECK(a->batch >= 1);
}
