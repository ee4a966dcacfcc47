// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 without the driver's functions, as good as none.
#include <aioli/cuda.h>
#include <doctest/doctest.h>

#include <string>

#include "batch_rows.hpp"

using namespace test;

TEST_CASE("no driver is no error but where a device is needed") {
  CHECK(aioli_cuda_device_count() == 0);
  REQUIRE(aioli_cuda_why_no_device() != nullptr);
  CHECK(std::string(aioli_cuda_why_no_device()).find("libcuda.so.1 has no cu") == 0);
  aioli_cuda_device d;
  CHECK(aioli_cuda_device_at(&d, 0) == AIOLI_ERR_NO_DEVICE);
  aioli_cuda *c = nullptr;
  CHECK(aioli_cuda_new(&c, nullptr) == AIOLI_ERR_NO_DEVICE);
  CHECK(c == nullptr);
}

TEST_CASE("with a fallback everything is done by the processor") {
  aioli_cuda_options options = AIOLI_CUDA_OPTIONS_INIT;
  options.flags = AIOLI_CUDA_FALLBACK;
  aioli_cuda *c = nullptr;
  REQUIRE(aioli_cuda_new(&c, &options) == AIOLI_OK);
  CHECK(aioli_cuda_devices(c) == 0);
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const VerifyBatch batch(alg, 30, true, 1, [](size_t i) { return 1 + i % 3; });
  std::vector<aioli_verify_row> views;
  for (const VerifyRow &row : batch.rows) views.push_back(row.row());
  Statuses statuses(views.size());
  CHECK(aioli_cuda_verify_batch(c, alg, statuses.data(), views.data(), views.size(), nullptr) == first_error(batch.expected));
  CHECK(statuses == batch.expected);

  const Key key(alg);
  const Buffer msg = pattern(20, 1);
  Buffer sig(aioli_signature_bytes(alg));
  const aioli_sign_row row = {sig.data(), sig.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size()};
  aioli_batch_options deterministic = AIOLI_BATCH_OPTIONS_INIT;
  deterministic.rng = aioli_rng_zero;
  aioli_status status;
  CHECK(aioli_cuda_sign_batch(c, alg, &status, &row, 1, &deterministic) == AIOLI_OK);
  CHECK(sig == key.sign(msg));
  aioli_cuda_free(c);
}
