// SPDX-License-Identifier: Apache-2.0
// Devices and contexts: which there are, which are taken, what is given back.
#include "host.hpp"

using namespace test;

TEST_CASE("devices are counted and described") {
  const Machine machine(2, size_t{1} << 24);
  CHECK(aioli_cuda_device_count() == 2);
  CHECK(aioli_cuda_why_no_device() == nullptr);
  aioli_cuda_device d;
  REQUIRE(aioli_cuda_device_at(&d, 1) == AIOLI_OK);
  CHECK(std::string(d.name) == "fake device 1");
  CHECK(d.memory_bytes == size_t{1} << 24);
  CHECK(d.compute_capability == 90);
  CHECK(d.multiprocessors == 5);
  CHECK(d.driver_version == 13000);
  CHECK(aioli_cuda_device_at(&d, 2) == AIOLI_ERR_NO_DEVICE);
  CHECK(d.name[0] == 0);
  CHECK(aioli_cuda_device_at(nullptr, 0) == AIOLI_ERR_ARGUMENT);
}

TEST_CASE("a machine without devices has a driver that says so") {
  const Machine machine(0);
  CHECK(aioli_cuda_device_count() == 0);
  CHECK(aioli_cuda_why_no_device() != nullptr);
  aioli_cuda *c = nullptr;
  CHECK(aioli_cuda_new(&c, nullptr) == AIOLI_ERR_NO_DEVICE);
  CHECK(c == nullptr);
  aioli_cuda_device d;
  CHECK(aioli_cuda_device_at(&d, 0) == AIOLI_ERR_NO_DEVICE);
  const Cuda cuda(AIOLI_CUDA_FALLBACK);
  CHECK(cuda.status == AIOLI_OK);
  CHECK(aioli_cuda_devices(cuda.c) == 0);
  CHECK(aioli_cuda_error(cuda.c) == nullptr);
}

TEST_CASE("contexts take the devices that are asked for, and give all back") {
  {
    const Machine machine(3);
    const uint32_t some[] = {2, 0}, twice[] = {1, 1}, missing[] = {1, 7};
    aioli_cuda_options options = AIOLI_CUDA_OPTIONS_INIT;
    aioli_cuda *c = nullptr;
    options.devices = some;
    CHECK(aioli_cuda_new(&c, &options) == AIOLI_ERR_ARGUMENT);  // a list of no length
    options.device_count = 2;
    REQUIRE(aioli_cuda_new(&c, &options) == AIOLI_OK);
    CHECK(aioli_cuda_devices(c) == 2);
    CHECK(use().contexts == 2);
    aioli_cuda_free(c);
    CHECK(nothing_left());
    options.devices = twice;
    CHECK(aioli_cuda_new(&c, &options) == AIOLI_ERR_ARGUMENT);
    options.devices = missing;
    CHECK(aioli_cuda_new(&c, &options) == AIOLI_ERR_NO_DEVICE);
    CHECK(nothing_left());
    options.flags = AIOLI_CUDA_FALLBACK;
    REQUIRE(aioli_cuda_new(&c, &options) == AIOLI_OK);
    CHECK(aioli_cuda_devices(c) == 1);
    aioli_cuda_free(c);
  }
  aioli_cuda_free(nullptr);
  CHECK(aioli_cuda_devices(nullptr) == 0);
  CHECK(aioli_cuda_error(nullptr) == nullptr);
  CHECK(nothing_left());
}

TEST_CASE("options of another version") {
  const Machine machine;
  struct {
    aioli_cuda_options options = AIOLI_CUDA_OPTIONS_INIT;
    size_t later = 0;
  } longer;
  aioli_cuda *c = nullptr;
  longer.options.bytes = sizeof longer;
  REQUIRE(aioli_cuda_new(&c, &longer.options) == AIOLI_OK);
  aioli_cuda_free(c);
  longer.later = 1;
  CHECK(aioli_cuda_new(&c, &longer.options) == AIOLI_ERR_ARGUMENT);
  aioli_cuda_options options = AIOLI_CUDA_OPTIONS_INIT;
  options.bytes--;
  CHECK(aioli_cuda_new(&c, &options) == AIOLI_ERR_ARGUMENT);
  options = AIOLI_CUDA_OPTIONS_INIT;
  options.flags = 128;
  CHECK(aioli_cuda_new(&c, &options) == AIOLI_ERR_ARGUMENT);
  options.flags = 0;
  options.least_rows = 10;  // without a fallback small batches would have nowhere to go
  CHECK(aioli_cuda_new(&c, &options) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_cuda_new(nullptr, nullptr) == AIOLI_ERR_ARGUMENT);
}

TEST_CASE("small batches stay on the processor if asked for") {
  const Machine machine;
  aioli_cuda_options options = AIOLI_CUDA_OPTIONS_INIT;
  options.flags = AIOLI_CUDA_FALLBACK;
  options.least_rows = 10;
  aioli_cuda *c = nullptr;
  REQUIRE(aioli_cuda_new(&c, &options) == AIOLI_OK);
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  for (const size_t rows : {size_t{9}, size_t{10}}) {
    const VerifyBatch batch(alg, rows, false, 1, [](size_t) { return 1; });
    aioli_status result;
    CHECK(verify(c, alg, batch, nullptr, &result) == batch.expected);
    CHECK((AIOLI_CONTROL(fake_launches)("verify") > 0) == (rows == 10));
  }
  aioli_cuda_free(c);
}

TEST_CASE("when the first of two devices cannot be had, the second does the work") {
  const Machine machine(2);
  AIOLI_CONTROL(fake_fail)(3, 700, false);  // after the driver is opened and its devices are counted
  const Cuda cuda(AIOLI_CUDA_FALLBACK);
  CHECK(AIOLI_CONTROL(fake_failed)() == std::string("cuDeviceGet"));
  REQUIRE(aioli_cuda_devices(cuda.c) == 1);
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const VerifyBatch batch(alg, 9, true, 1, [](size_t) { return 1; });
  aioli_status result;
  CHECK(verify(cuda.c, alg, batch, nullptr, &result) == batch.expected);
  CHECK(AIOLI_CONTROL(fake_launches)("verify") > 0);
}
