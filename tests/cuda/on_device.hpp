// SPDX-License-Identifier: Apache-2.0
// Rows in the memory of a device, pretended or real, as another user of the driver has them, and what the processor says of them.
#pragma once
#include <cstring>

#include "cuda/host/driver.hpp"
#include "host.hpp"

namespace test {

using namespace aioli::cuda;

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
      expected.push_back(i % 3 != 2);
      if (i % 3 == 2) sigs[i * sig_stride + i % sig.size()] ^= 16;
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

// Rows to sign, with strides of their own, and what the processor makes of them.
struct SignArrays {
  static constexpr uint32_t gap = 5;
  Buffer sigs, sks, Rs;
  std::vector<Buffer> expected;
  uint32_t sig_bytes, sk_bytes, R_bytes;
  aioli_cuda_sign_arrays on_device = {};

  SignArrays(OnDevice &device, const aioli_alg *alg, size_t count, size_t keys)
      : sig_bytes(uint32_t(aioli_signature_bytes(alg))),
        sk_bytes(uint32_t(aioli_secret_key_bytes(alg))),
        R_bytes(uint32_t(aioli_randomness_bytes(alg))) {
    const uint32_t digest_bytes = uint32_t(aioli_digest_bytes(alg)), digest_stride = digest_bytes + 1, sk_stride = sk_bytes + 2,
                   R_stride = R_bytes + 3;
    Buffer digests(count * digest_stride);
    sigs.assign(count * (sig_bytes + gap), 0xee), sks.resize(keys * sk_stride), Rs.resize(count * R_stride);
    std::vector<Key> made;
    for (size_t i = 0; i < keys; i++) {
      made.emplace_back(alg, uint8_t(i + 1));
      std::copy(made[i].sk.begin(), made[i].sk.end(), &sks[i * sk_stride]);
    }
    for (size_t i = 0; i < count; i++) {
      const Buffer msg = pattern(20 + i, uint8_t(i)), R = pattern(R_bytes, uint8_t(3 * i + 1)), &sk = made[i % keys].sk;
      const uint8_t *msgs[] = {msg.data()};
      const size_t msg_bytes[] = {msg.size()};
      if (aioli_digest_batch(alg, &digests[i * digest_stride], digest_stride, msgs, msg_bytes, 1) != AIOLI_OK) abort();
      std::copy(R.begin(), R.end(), &Rs[i * R_stride]);
      Buffer sig(sig_bytes);
      if (aioli_sign_with_randomness(alg, sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(), R.data(),
                                     R.size(), nullptr) != AIOLI_OK)
        abort();
      expected.push_back(sig);
    }
    on_device = {sizeof on_device,
                 count,
                 device.put(sigs),
                 device.put(digests),
                 device.put(Rs),
                 device.put(sks),
                 sig_bytes + gap,
                 digest_stride,
                 R_stride,
                 keys == 1 ? 0 : sk_stride,
                 0,
                 0};
  }
  // What was between the signatures is there still.
  std::vector<Buffer> signatures(OnDevice &device) const {
    const Buffer all = device.get(on_device.sig, sigs.size());
    std::vector<Buffer> each;
    for (size_t i = 0; i < on_device.count; i++) {
      const auto at = all.begin() + long(i * (sig_bytes + gap));
      each.emplace_back(at, at + sig_bytes);
      CHECK(std::all_of(at + sig_bytes, at + sig_bytes + gap, [](uint8_t b) { return b == 0xee; }));
    }
    return each;
  }
};

}  // namespace test
