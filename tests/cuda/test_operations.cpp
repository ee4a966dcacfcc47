// SPDX-License-Identifier: Apache-2.0
// The kernels, one operation after another, under the shim: equal to the library on the CPU, for every set, for odd sizes of
// batches and in several orders of threads.
#include <doctest/doctest.h>

#include <algorithm>

#include "device.hpp"

using test::Buffer, test::Device, test::Path;

namespace {

constexpr uint32_t sizes[] = {1, 2, 5};

Buffer seeds_of(const test::DeviceSet &set, uint32_t count) {
  Buffer seeds;
  for (uint32_t i = 0; i < count; i++) {
    const Buffer one = test::pattern(set.layout.seed_sk_bytes, uint8_t(31 * i + 3));
    seeds.insert(seeds.end(), one.begin(), one.end());
  }
  return seeds;
}
Buffer part(const Buffer &all, uint32_t bytes, uint32_t i) {
  return Buffer(all.begin() + i * bytes, all.begin() + (i + 1) * bytes);
}
Buffer message(uint32_t i) {  // nothing, whole blocks of SHAKE256 and what is not
  constexpr size_t bytes[] = {0, 136, 135, 272, 50};
  return test::pattern(bytes[i % 5], uint8_t(i));
}
const aioli_alg *alg_of(const test::DeviceSet &set) {
  const aioli_alg *alg = aioli_alg_by_name(set.name);
  REQUIRE(alg != nullptr);
  return alg;
}

struct CpuKey {
  Buffer pk, sk;
  CpuKey(const aioli_alg *alg, const Buffer &seed) : pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg)) {
    REQUIRE(aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) ==
            AIOLI_OK);
  }
};
Buffer cpu_sign(const aioli_alg *alg, const Buffer &sk, const Buffer &msg, const Buffer &R) {
  Buffer sig(aioli_signature_bytes(alg));
  REQUIRE(aioli_sign_with_randomness(alg, sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(), R.data(),
                                     R.size(), nullptr) == AIOLI_OK);
  return sig;
}

}  // namespace

TEST_CASE("keygen gives the public keys of the CPU") {
  for (const auto &set : test::tested_sets()) {
    CAPTURE(set.name);
    const aioli_alg *alg = alg_of(set);
    for (const uint32_t count : {1u, 3u}) {
      Device device(set);
      device.seed = 100 * count;
      const Buffer seeds = seeds_of(set, count), keys = device.keygen(seeds);
      for (uint32_t i = 0; i < count; i++)
        CHECK(part(keys, set.layout.public_key_bytes, i) == CpuKey(alg, part(seeds, set.layout.seed_sk_bytes, i)).pk);
    }
  }
}

TEST_CASE("verify accepts what the CPU signed and nothing that differs in a bit") {
  for (const auto &set : test::tested_sets()) {
    CAPTURE(set.name);
    const aioli_alg *alg = alg_of(set);
    for (const uint32_t keys : {1u, 3u}) {
      const Buffer seeds = seeds_of(set, keys);
      std::vector<CpuKey> key;
      Buffer pks;
      for (uint32_t i = 0; i < keys; i++) {
        key.emplace_back(alg, part(seeds, set.layout.seed_sk_bytes, i));
        pks.insert(pks.end(), key[i].pk.begin(), key[i].pk.end());
      }
      for (const uint32_t count : sizes) {
        CAPTURE(count);
        Device device(set);
        device.seed = 1000 * keys + count;
        const test::Words expanded = device.expand_public(pks);
        std::vector<uint32_t> which;
        std::vector<Buffer> messages;
        Buffer signatures;
        std::vector<uint8_t> expected;
        for (uint32_t i = 0; i < count; i++) {
          which.push_back(i * 2 % keys);
          messages.push_back(message(i));
          Buffer sig = cpu_sign(alg, key[which[i]].sk, messages[i], Buffer(set.layout.R_bytes, uint8_t(i)));
          const bool half_byte = set.layout.k * set.layout.n % 2 != 0;  // at the end of s, which is no element
          if (i % 2 != 0 && half_byte && count == 2)
            sig[set.layout.s_bytes - 1] ^= 0x40;
          else if (i % 2 != 0)
            sig[(i * 131 + count) % sig.size()] ^= uint8_t(1 << i % 8);
          expected.push_back(aioli_verify(alg, sig.data(), sig.size(), messages[i].data(), messages[i].size(),
                                          key[which[i]].pk.data(), key[which[i]].pk.size(), nullptr) == AIOLI_OK);
          CHECK(expected[i] == (i % 2 == 0));
          signatures.insert(signatures.end(), sig.begin(), sig.end());
        }
        CHECK(device.verify(expanded, keys == 1 ? std::vector<uint32_t>() : which, signatures, messages, Path::masked) ==
              expected);
        if (keys == 1) CHECK(device.verify(expanded, {}, signatures, messages, Path::tables) == expected);
      }
    }
  }
}

TEST_CASE("sign gives the signatures of the CPU, restarts and all") {
  for (const auto &set : test::tested_sets()) {
    CAPTURE(set.name);
    const aioli_alg *alg = alg_of(set);
    const Buffer seeds = seeds_of(set, 2);
    for (const bool one_key : {true, false}) {
      Device device(set);
      device.seed = one_key ? 7 : 8;
      const auto secret = device.expand_secret(seeds);
      const uint32_t count = 3;
      std::vector<uint32_t> which;
      std::vector<Buffer> messages;
      Buffer R;
      for (uint32_t i = 0; i < count; i++) {
        which.push_back(i % 2);
        messages.push_back(message(i));
        const Buffer r = test::pattern(set.layout.R_bytes, uint8_t(77 * i));
        R.insert(R.end(), r.begin(), r.end());
      }
      const Buffer signatures = device.sign(secret, one_key ? std::vector<uint32_t>() : which, messages, R);
      for (uint32_t i = 0; i < count; i++) {
        const Buffer seed = part(seeds, set.layout.seed_sk_bytes, one_key ? 0 : which[i]);
        CHECK(part(signatures, set.layout.signature_bytes, i) ==
              cpu_sign(alg, seed, messages[i], part(R, set.layout.R_bytes, i)));
      }
    }
  }
}

TEST_CASE("every attempt has vinegar of its own") {
  for (const auto &set : test::tested_sets()) {
    CAPTURE(set.name);
    Device device(set);
    const auto &l = set.layout;
    const std::vector<uint32_t> attempts = {0, 1, 2, 3, 128, 255};
    const uint32_t count = uint32_t(attempts.size());
    const Buffer digests(count * l.digest_bytes, 1), salts(count * l.salt_bytes, 2), seed(l.seed_sk_bytes, 3);
    test::Words vinegar(count * l.vinegar_words);
    device.launch(aioli::cuda::step_sign_vinegar,
                  aioli::cuda::SignVinegarArgs{vinegar, nullptr, attempts.data(), digests.data(), salts.data(), seed.data(),
                                               nullptr, count, l.digest_bytes, l.salt_bytes, l.seed_sk_bytes},
                  count);
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t j = 0; j < i; j++)
        CHECK(!std::equal(vinegar + i * l.vinegar_words, vinegar + i * l.vinegar_words + 8, vinegar + j * l.vinegar_words));
  }
}

TEST_CASE("kernels that see secrets leave nothing of them in shared memory") {
  for (const auto &set : test::tested_sets()) {
    CAPTURE(set.name);
    Device device(set);
    const Buffer seeds = seeds_of(set, 1), pk = device.keygen(seeds);
    const auto secret = device.expand_secret(seeds);
    const std::vector<Buffer> messages = {message(1)};
    const Buffer sig = device.sign(secret, {}, messages, Buffer(set.layout.R_bytes, 7));
    const test::Words expanded = device.expand_public(pk);
    CHECK(device.verify(expanded, {}, sig, messages, Path::masked) == std::vector<uint8_t>{1});
    // Tables of AES, and what verification has: that this would be seen.
    const std::vector<std::string> &left = device.leave_shared;
    for (const char *public_one : {"expand", "verify_times", "verify_sums"})
      CHECK(std::count(left.begin(), left.end(), public_one) > 0);
    for (const std::string &kernel : left) CHECK((kernel == "expand" || kernel.find("verify_") == 0));
  }
}
