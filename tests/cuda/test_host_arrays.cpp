// SPDX-License-Identifier: Apache-2.0
// Verification of rows that are in a device's memory already, with one key and with many, at odd strides.
#include <cstring>

#include "cuda/host/driver.hpp"
#include "host.hpp"

using namespace test;
using namespace aioli::cuda;

namespace {

// Memory of the first device, as another user of the driver has it.
struct OnDevice {
  OnDevice() {
    if (driver.open() != nullptr || driver.retain_context(&context, 0) != 0 || driver.push_context(context) != 0 ||
        driver.create_stream(&stream, stream_non_blocking) != 0)
      abort();
  }
  ~OnDevice() {
    for (DevicePointer p : memory) (void)driver.free(p);
    for (void *p : pinned) (void)driver.free_pinned(p);
    (void)driver.destroy_stream(stream);
    Context popped;
    (void)driver.pop_context(&popped);
    (void)driver.release_context(0);
  }
  uint8_t *put(const Buffer &bytes) {
    DevicePointer p = 0;
    if (driver.allocate(&p, bytes.size()) != 0 || driver.to_device(p, stage(bytes), bytes.size(), stream) != 0 ||
        driver.wait(stream) != 0)
      abort();
    memory.push_back(p);
    return reinterpret_cast<uint8_t *>(uintptr_t(p));
  }
  Buffer get(const uint8_t *from, size_t n) {
    Buffer bytes(n);
    void *there = stage(bytes);
    if (driver.to_host(there, DevicePointer(reinterpret_cast<uintptr_t>(from)), n, stream) != 0 || driver.wait(stream) != 0)
      abort();
    std::memcpy(bytes.data(), there, n);
    return bytes;
  }
  void *stage(const Buffer &bytes) {
    void *p = nullptr;
    if (driver.allocate_pinned(&p, bytes.size(), 0) != 0) abort();
    pinned.push_back(p);
    std::memcpy(p, bytes.data(), bytes.size());
    return p;
  }
  Driver driver;
  Context context;
  Stream stream;
  std::vector<DevicePointer> memory;
  std::vector<void *> pinned;
};

struct Arrays {
  Buffer sigs, digests, pks, expected;
  aioli_cuda_verify_arrays on_device = {};

  Arrays(OnDevice &device, const aioli_alg *alg, size_t count, size_t keys) {
    const uint32_t sig_stride = uint32_t(aioli_signature_bytes(alg)) + 3, digest_stride = uint32_t(aioli_digest_bytes(alg)) + 5,
                   pk_stride = uint32_t(aioli_public_key_bytes(alg)) + 1;
    std::vector<Key> made;
    for (size_t i = 0; i < keys; i++) made.emplace_back(alg, uint8_t(i + 1));
    sigs.resize(count * sig_stride), digests.resize(count * digest_stride), pks.resize(keys * pk_stride);
    for (size_t i = 0; i < keys; i++) std::copy(made[i].pk.begin(), made[i].pk.end(), &pks[i * pk_stride]);
    for (size_t i = 0; i < count; i++) {
      const Buffer msg = pattern(20, uint8_t(i));
      const uint8_t *msgs[] = {msg.data()};
      const size_t msg_bytes[] = {msg.size()};
      if (aioli_digest_batch(alg, &digests[i * digest_stride], digest_stride, msgs, msg_bytes, 1) != AIOLI_OK) abort();
      const Buffer sig = made[i % keys].sign(msg);
      std::copy(sig.begin(), sig.end(), &sigs[i * sig_stride]);
      expected.push_back(i % 3 != 1);
      if (i % 3 == 1) sigs[i * sig_stride + i % sig.size()] ^= 16;
    }
    on_device = {sizeof on_device,
                 count,
                 device.put(Buffer(count, 7)),
                 device.put(sigs),
                 device.put(digests),
                 device.put(pks),
                 sig_stride,
                 digest_stride,
                 keys == 1 ? 0 : pk_stride,
                 0};
  }
};

}  // namespace

TEST_CASE("rows on a device, of one key, of one key with tables, and of a key each") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  for (const auto &[count, keys] : {std::pair{size_t{5}, size_t{1}}, {size_t{260}, size_t{1}}, {size_t{90}, size_t{90}}}) {
    CAPTURE(count);
    const Machine machine;
    const Cuda cuda(0, size_t{24} << 20);  // several waves
    OnDevice device;
    const Arrays arrays(device, alg, count, keys);
    REQUIRE(aioli_cuda_verify_on_device(cuda.c, alg, &arrays.on_device) == AIOLI_OK);
    CHECK(device.get(arrays.on_device.verdict, count) == arrays.expected);
    CHECK((AIOLI_CONTROL(fake_launches)("verify_tables") > 0) == (count == 260));
  }
  CHECK(nothing_left());
}

TEST_CASE("arrays that cannot be are refused") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  OnDevice device;
  const Arrays good(device, alg, 3, 1);
  const auto status_of = [&](auto change) {
    aioli_cuda_verify_arrays arrays = good.on_device;
    change(arrays);
    return aioli_cuda_verify_on_device(cuda.c, alg, &arrays);
  };
  CHECK(status_of([](auto &) {}) == AIOLI_OK);
  CHECK(status_of([](auto &a) { a.bytes--; }) == AIOLI_ERR_ARGUMENT);
  CHECK(status_of([](auto &a) { a.sig = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(status_of([](auto &a) { a.count = 0, a.sig = nullptr; }) == AIOLI_OK);
  CHECK(status_of([](auto &a) { a.sig_stride -= 4; }) == AIOLI_ERR_LENGTH);
  CHECK(status_of([](auto &a) { a.digest_stride -= 6; }) == AIOLI_ERR_LENGTH);
  CHECK(status_of([](auto &a) { a.pk_stride = 1; }) == AIOLI_ERR_LENGTH);
  CHECK(status_of([](auto &a) { a.device = 1; }) == AIOLI_ERR_NO_DEVICE);
  CHECK(aioli_cuda_verify_on_device(cuda.c, alg, nullptr) == AIOLI_ERR_ARGUMENT);
  AIOLI_CONTROL(fake_fail)(5, 700, true);
  CHECK(status_of([](auto &) {}) == AIOLI_ERR_DEVICE);
  AIOLI_CONTROL(fake_fail)(0, 0, false);
}
