// SPDX-License-Identifier: Apache-2.0
// Rows that are in a device's memory already: verified, signed and made keys of, with one key and with many, at odd strides.
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

namespace {

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

}  // namespace

TEST_CASE("rows on a device are signed, with one key and with a key each, restarts and all") {
  for (const char *name : {"MAYO-1", "MAYO-2"}) {  // of MAYO-1 one attempt in fifteen is singular
    const aioli_alg *alg = aioli_alg_by_name(name);
    for (const size_t keys : {size_t{1}, size_t{40}}) {
      CAPTURE(name);
      CAPTURE(keys);
      const Machine machine;
      const Cuda cuda(0, size_t{keys == 1 ? 1u : 12u} << 20);  // several waves
      OnDevice device;
      const SignArrays arrays(device, alg, 40, keys);
      AIOLI_CONTROL(fake_forget)();
      REQUIRE(aioli_cuda_sign_on_device(cuda.c, alg, &arrays.on_device) == AIOLI_OK);
      CHECK(arrays.signatures(device) == arrays.expected);
      CHECK(AIOLI_CONTROL(fake_launches)("sign_salts") > 1);
    }
  }
  CHECK(nothing_left());
}

TEST_CASE("signing on a device draws randomness if none is given, another for each row") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  OnDevice device;
  SignArrays arrays(device, alg, 4, 1);
  arrays.on_device.randomness = nullptr, arrays.on_device.randomness_stride = 0;
  REQUIRE(aioli_cuda_sign_on_device(cuda.c, alg, &arrays.on_device) == AIOLI_OK);
  const std::vector<Buffer> sigs = arrays.signatures(device);
  const Key key(alg, 1);
  for (size_t i = 0; i < 4; i++) {
    const Buffer msg = pattern(20 + i, uint8_t(i));
    CHECK(aioli_verify(alg, sigs[i].data(), sigs[i].size(), msg.data(), msg.size(), key.pk.data(), key.pk.size(), nullptr) ==
          AIOLI_OK);
    CHECK(sigs[i] != arrays.expected[i]);
  }
  CHECK(Buffer(sigs[0].end() - 16, sigs[0].end()) != Buffer(sigs[1].end() - 16, sigs[1].end()));  // salts
}

TEST_CASE("where not every row can be signed on a device, none is") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  for (const bool room : {true, false}) {
    CAPTURE(room);
    const Machine machine;
    const Cuda cuda(0, room ? 0 : 4096);
    OnDevice device;
    const SignArrays arrays(device, alg, 3, 1);
    AIOLI_CONTROL(fake_singular)(room);
    CHECK(aioli_cuda_sign_on_device(cuda.c, alg, &arrays.on_device) == (room ? AIOLI_ERR_NO_SOLUTION : AIOLI_ERR_MEMORY));
    AIOLI_CONTROL(fake_singular)(false);
    for (const Buffer &sig : arrays.signatures(device)) CHECK(all_zero(sig));
  }
}

TEST_CASE("public keys are made of secret keys on a device") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const size_t sk_bytes = aioli_secret_key_bytes(alg), pk_bytes = aioli_public_key_bytes(alg);
  constexpr size_t count = 70;
  const Machine machine;
  const Cuda cuda(0, size_t{24} << 20);
  OnDevice device;
  Buffer sks(count * (sk_bytes + 1)), expected(count * (pk_bytes + 3), 0xee);
  for (size_t i = 0; i < count; i++) {
    const Key key(alg, uint8_t(i));
    std::copy(key.sk.begin(), key.sk.end(), &sks[i * (sk_bytes + 1)]);
    std::copy(key.pk.begin(), key.pk.end(), &expected[i * (pk_bytes + 3)]);
  }
  const aioli_cuda_keypair_arrays arrays = {sizeof arrays,
                                            count,
                                            device.put(Buffer(expected.size(), 0xee)),
                                            device.put(sks),
                                            uint32_t(pk_bytes + 3),
                                            uint32_t(sk_bytes + 1),
                                            0,
                                            0};
  REQUIRE(aioli_cuda_keypair_on_device(cuda.c, alg, &arrays) == AIOLI_OK);
  CHECK(device.get(arrays.pk, expected.size()) == expected);
  CHECK(AIOLI_CONTROL(fake_launches)("keygen_times") > 1);
}

TEST_CASE("of secrets on a device only the caller's arrays are left, also when signing fails half way") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  for (const uint64_t fails_after : {0u, 25u}) {
    CAPTURE(fails_after);
    const Machine machine;
    const Cuda cuda;
    OnDevice device;
    SignArrays arrays(device, alg, 3, 1);
    for (void *p : device.pinned) (void)device.driver.free_pinned(p);  // what the test itself had staged
    device.pinned.clear();
    AIOLI_CONTROL(fake_watch)(arrays.sks.data(), arrays.sk_bytes);
    for (size_t i = 0; i < 3; i++) AIOLI_CONTROL(fake_watch)(&arrays.Rs[i * (arrays.R_bytes + 3)], arrays.R_bytes);
    const uint64_t callers = AIOLI_CONTROL(fake_found)();
    CHECK(callers >= 4);
    if (fails_after > 0) AIOLI_CONTROL(fake_fail)(fails_after, 700, false);
    const aioli_status status = aioli_cuda_sign_on_device(cuda.c, alg, &arrays.on_device);
    CHECK(status == (fails_after > 0 ? AIOLI_ERR_DEVICE : AIOLI_OK));
    AIOLI_CONTROL(fake_fail)(0, 0, false);
    CHECK(AIOLI_CONTROL(fake_found)() == callers);
    if (fails_after > 0) continue;
    // Of what was made of them nothing is left either; before that it would have been seen.
    CHECK(AIOLI_CONTROL(fake_nonzero)(100000) == 0);
    const Arrays verified(device, alg, 3, 1);
    CHECK(aioli_cuda_verify_on_device(cuda.c, alg, &verified.on_device) == AIOLI_OK);
    CHECK(AIOLI_CONTROL(fake_nonzero)(100000) > 0);
  }
}

TEST_CASE("arrays that cannot be signed or made keys of are refused") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  OnDevice device;
  const SignArrays good(device, alg, 2, 2);
  const auto signed_status = [&](auto change) {
    aioli_cuda_sign_arrays arrays = good.on_device;
    change(arrays);
    return aioli_cuda_sign_on_device(cuda.c, alg, &arrays);
  };
  CHECK(signed_status([](auto &) {}) == AIOLI_OK);
  CHECK(signed_status([](auto &a) { a.bytes--; }) == AIOLI_ERR_ARGUMENT);
  CHECK(signed_status([](auto &a) { a.reserved = 1; }) == AIOLI_ERR_ARGUMENT);
  CHECK(signed_status([](auto &a) { a.sk = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(signed_status([](auto &a) { a.count = 0, a.sk = nullptr; }) == AIOLI_OK);
  CHECK(signed_status([](auto &a) { a.sig_stride -= 6; }) == AIOLI_ERR_LENGTH);
  CHECK(signed_status([](auto &a) { a.digest_stride -= 2; }) == AIOLI_ERR_LENGTH);
  CHECK(signed_status([](auto &a) { a.randomness_stride -= 4; }) == AIOLI_ERR_LENGTH);
  CHECK(signed_status([](auto &a) { a.sk_stride = 1; }) == AIOLI_ERR_LENGTH);
  CHECK(signed_status([](auto &a) { a.device = 1; }) == AIOLI_ERR_NO_DEVICE);
  CHECK(good.signatures(device) == good.expected);
  const auto made_status = [&](auto change) {
    aioli_cuda_keypair_arrays arrays = {sizeof arrays,
                                        1,
                                        device.put(Buffer(aioli_public_key_bytes(alg))),
                                        good.on_device.sk,
                                        uint32_t(aioli_public_key_bytes(alg)),
                                        good.sk_bytes,
                                        0,
                                        0};
    change(arrays);
    return aioli_cuda_keypair_on_device(cuda.c, alg, &arrays);
  };
  CHECK(made_status([](auto &) {}) == AIOLI_OK);
  CHECK(made_status([](auto &a) { a.pk = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(made_status([](auto &a) { a.reserved = 1; }) == AIOLI_ERR_ARGUMENT);
  CHECK(made_status([](auto &a) { a.pk_stride--; }) == AIOLI_ERR_LENGTH);
  CHECK(made_status([](auto &a) { a.sk_stride--; }) == AIOLI_ERR_LENGTH);
  CHECK(made_status([](auto &a) { a.device = 9; }) == AIOLI_ERR_NO_DEVICE);
}
