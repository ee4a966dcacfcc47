// SPDX-License-Identifier: Apache-2.0
// Whatever device there is, its outputs are the processor's: all sets, odd sizes, few keys and many, spoilt rows.  In every test
// run on the fake driver; by `make gpu` on a real one, with more rows (AIOLI_CUDA_TEST_ROWS) and under compute-sanitizer.
#include <set>

#include "on_device.hpp"

using namespace test;

namespace {

size_t most_rows() {
  const char *text = std::getenv("AIOLI_CUDA_TEST_ROWS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 24;
}

}  // namespace

TEST_CASE("the outputs of this machine's devices are those of its processor") {
  REQUIRE_MESSAGE(aioli_cuda_device_count() > 0, std::string(aioli_cuda_why_no_device() ? aioli_cuda_why_no_device() : ""));
  for (const uint32_t flags : {0u, AIOLI_CUDA_CHECK_SIGNATURES}) {
    const Cuda cuda(flags);
    REQUIRE(cuda.status == AIOLI_OK);
    for (const aioli_alg *alg : device_algs()) {
      CAPTURE(std::string(aioli_alg_name(alg)));
      for (const size_t rows : std::set<size_t>{1, std::min(size_t{7}, most_rows()), most_rows()}) {
        for (const size_t keys : std::set<size_t>{1, rows / 2 + 1}) {
          CAPTURE(rows);
          CAPTURE(keys);
          if (flags == 0) {
            const VerifyBatch batch(alg, rows, true, unsigned(rows),
                                    [&](size_t i) { return 1 + i % std::min(keys, size_t{250}); });
            aioli_status result;
            CHECK(verify(cuda.c, alg, batch, nullptr, &result) == batch.expected);
          }
          const SignBatch sign(alg, rows, std::min(keys, size_t{50}), unsigned(rows));
          const auto r = sign.run(cuda.c, alg);
          CHECK(r.status == AIOLI_OK);
          CHECK(r.sigs == sign.expected);
        }
      }
      const size_t count = most_rows(), pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg);
      Buffer pks(count * pk_bytes), sks(count * sk_bytes), seeds = pattern(count * sk_bytes, 5), pk(pk_bytes), sk(sk_bytes);
      std::vector<aioli_keypair_row> key_rows;
      for (size_t i = 0; i < count; i++) {
        std::copy_n(reinterpret_cast<const uint8_t *>(&i), sizeof i, &seeds[i * sk_bytes]);
        key_rows.push_back({&pks[i * pk_bytes], pk_bytes, &sks[i * sk_bytes], sk_bytes, &seeds[i * sk_bytes], sk_bytes});
      }
      Statuses statuses(count);
      CHECK(aioli_cuda_keypair_batch(cuda.c, alg, statuses.data(), key_rows.data(), count, nullptr) == AIOLI_OK);
      for (size_t i = 0; i < count; i++) {
        REQUIRE(aioli_keypair_from_seed(alg, pk.data(), pk_bytes, sk.data(), sk_bytes, &seeds[i * sk_bytes], sk_bytes, nullptr) ==
                AIOLI_OK);
        CHECK(std::equal(pk.begin(), pk.end(), pks.begin() + long(i * pk_bytes)));
      }
      CHECK(sks == seeds);
    }
    CHECK(aioli_cuda_error(cuda.c) == nullptr);
  }
}

TEST_CASE("so are those of rows in a device's memory") {
  REQUIRE(aioli_cuda_device_count() > 0);
  const Cuda cuda;
  REQUIRE(cuda.status == AIOLI_OK);
  for (const char *name : {"MAYO-1", "MAYO-2"}) {
    CAPTURE(std::string(name));
    const aioli_alg *alg = aioli_alg_by_name(name);
    const size_t few = std::min(most_rows(), size_t{90}), pk_bytes = aioli_public_key_bytes(alg);
    for (const auto &[count, keys] : {std::pair{most_rows(), size_t{1}}, {few, few}}) {
      CAPTURE(count);
      OnDevice device;
      const Arrays verified(device, alg, count, keys);
      REQUIRE(aioli_cuda_verify_on_device(cuda.c, alg, &verified.on_device) == AIOLI_OK);
      CHECK(device.get(verified.on_device.verdict, count) == verified.expected);
      const SignArrays sign(device, alg, count, keys);
      REQUIRE(aioli_cuda_sign_on_device(cuda.c, alg, &sign.on_device) == AIOLI_OK);
      CHECK(sign.signatures(device) == sign.expected);
      const uint32_t sk_stride = uint32_t(sign.sks.size() / keys);
      const aioli_cuda_keypair_arrays made = {
          sizeof made, keys, device.put(Buffer(keys * pk_bytes)), sign.on_device.sk, uint32_t(pk_bytes), sk_stride, 0, 0};
      REQUIRE(aioli_cuda_keypair_on_device(cuda.c, alg, &made) == AIOLI_OK);
      const Buffer pks = device.get(made.pk, keys * pk_bytes);
      for (size_t i = 0; i < keys; i++) {
        const Key key(alg, uint8_t(i + 1));
        CHECK(std::equal(key.pk.begin(), key.pk.end(), pks.begin() + long(i * pk_bytes)));
      }
    }
  }
}
