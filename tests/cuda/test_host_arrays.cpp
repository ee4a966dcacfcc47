// SPDX-License-Identifier: Apache-2.0
// Rows that are in a device's memory already: verified, signed and made keys of, with one key and with many, at odd strides.
#include "on_device.hpp"

using namespace test;

namespace {

// A call with arrays that are good, and with changed ones.
template <class A> struct Changed {
  aioli_status (*call)(aioli_cuda *, const aioli_alg *, const A *);
  aioli_cuda *cuda;
  const aioli_alg *alg;
  A good;
  template <class F> aioli_status with(F change) const {
    A arrays = good;
    change(arrays);
    return call(cuda, alg, &arrays);
  }
  // What all three calls want.
  void refuses() const {
    CHECK(with([](auto &) {}) == AIOLI_OK);
    CHECK(with([](auto &a) { a.bytes--; }) == AIOLI_ERR_ARGUMENT);
    CHECK(with([](auto &a) { a.count = 0; }) == AIOLI_OK);
    CHECK(with([](auto &a) { a.device = 1; }) == AIOLI_ERR_NO_DEVICE);
    CHECK(call(cuda, alg, nullptr) == AIOLI_ERR_ARGUMENT);
    CHECK(call(nullptr, alg, &good) == AIOLI_ERR_ARGUMENT);
    CHECK(call(cuda, nullptr, &good) == AIOLI_ERR_ARGUMENT);
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
  const Changed<aioli_cuda_verify_arrays> changed = {aioli_cuda_verify_on_device, cuda.c, alg, good.on_device};
  changed.refuses();
  for (const auto pointer : {&aioli_cuda_verify_arrays::sig, &aioli_cuda_verify_arrays::digest, &aioli_cuda_verify_arrays::pk})
    CHECK(changed.with([=](auto &a) { a.*pointer = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(changed.with([](auto &a) { a.verdict = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(changed.with([](auto &a) { a.count = 0, a.sig = nullptr; }) == AIOLI_OK);
  CHECK(changed.with([](auto &a) { a.sig_stride -= 4; }) == AIOLI_ERR_LENGTH);
  CHECK(changed.with([](auto &a) { a.digest_stride -= 6; }) == AIOLI_ERR_LENGTH);
  CHECK(changed.with([](auto &a) { a.pk_stride = 1; }) == AIOLI_ERR_LENGTH);
  AIOLI_CONTROL(fake_fail)(5, 700, true);
  CHECK(changed.with([](auto &) {}) == AIOLI_ERR_DEVICE);
  AIOLI_CONTROL(fake_fail)(0, 0, false);
}

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
  const Changed<aioli_cuda_sign_arrays> sign = {aioli_cuda_sign_on_device, cuda.c, alg, good.on_device};
  sign.refuses();
  CHECK(sign.with([](auto &a) { a.reserved = 1; }) == AIOLI_ERR_ARGUMENT);
  for (const auto pointer : {&aioli_cuda_sign_arrays::digest, &aioli_cuda_sign_arrays::sk})
    CHECK(sign.with([=](auto &a) { a.*pointer = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(sign.with([](auto &a) { a.sig = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(sign.with([](auto &a) { a.count = 0, a.sk = nullptr; }) == AIOLI_OK);
  CHECK(sign.with([](auto &a) { a.sig_stride -= 6; }) == AIOLI_ERR_LENGTH);
  CHECK(sign.with([](auto &a) { a.digest_stride -= 2; }) == AIOLI_ERR_LENGTH);
  CHECK(sign.with([](auto &a) { a.randomness_stride -= 4; }) == AIOLI_ERR_LENGTH);
  CHECK(sign.with([](auto &a) { a.sk_stride = 1; }) == AIOLI_ERR_LENGTH);
  CHECK(good.signatures(device) == good.expected);
  uint8_t *pk = device.put(Buffer(aioli_public_key_bytes(alg)));
  const Changed<aioli_cuda_keypair_arrays> make = {
      aioli_cuda_keypair_on_device,
      cuda.c,
      alg,
      {sizeof make.good, 1, pk, good.on_device.sk, uint32_t(aioli_public_key_bytes(alg)), good.sk_bytes, 0, 0}};
  make.refuses();
  CHECK(make.with([](auto &a) { a.reserved = 1; }) == AIOLI_ERR_ARGUMENT);
  CHECK(make.with([](auto &a) { a.pk = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(make.with([](auto &a) { a.sk = nullptr; }) == AIOLI_ERR_ARGUMENT);
  CHECK(make.with([](auto &a) { a.pk_stride--; }) == AIOLI_ERR_LENGTH);
  CHECK(make.with([](auto &a) { a.sk_stride--; }) == AIOLI_ERR_LENGTH);
}
