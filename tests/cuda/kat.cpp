// SPDX-License-Identifier: Apache-2.0
// Known answers of one set by the kernels under the shim: a batch of records with a key each, keys made, messages signed and
// signatures verified there.  `cuda_kat NAME DIGEST_OF_RECORD_0 DIGEST_OF_ALL_100 RECORDS`; with a hundred records the digest of
// all is compared, with fewer the records after the first with the library on the CPU.
#include <cstdio>
#include <cstdlib>

#include "device.hpp"
#include "../../cli/drbg.hpp"
#include "kat/sha256.hpp"

using test::Buffer;

static std::string hex(const Buffer &b) {
  std::string s;
  for (uint8_t x : b) s += "0123456789ABCDEF"[x >> 4], s += "0123456789ABCDEF"[x & 15];
  return s;
}
static Buffer part(const Buffer &all, uint32_t bytes, uint32_t i) {
  return Buffer(all.begin() + i * bytes, all.begin() + (i + 1) * bytes);
}

int main(int argc, char **argv) {
  if (argc != 5) return std::puts("usage: cuda_kat NAME DIGEST_OF_RECORD_0 DIGEST_OF_ALL_100 RECORDS"), 2;
  const uint32_t records = uint32_t(std::atoi(argv[4]));
  const test::DeviceSet *set = nullptr;
  for (const auto &s : test::device_sets())
    if (std::string(s.name) == argv[1]) set = &s;
  if (!set || records < 1) return std::printf("no kernels of %s\n", argv[1]), 2;
  const auto &l = set->layout;
  const aioli_alg *alg = aioli_alg_by_name(set->name);

  uint8_t outer_seed[48];
  for (int i = 0; i < 48; i++) outer_seed[i] = uint8_t(i);
  aioli::cli::NistDrbg outer(outer_seed);
  std::vector<Buffer> seed, messages;
  std::vector<uint32_t> keys;
  Buffer seeds_sk, R;
  for (uint32_t count = 0; count < records; count++) {
    Buffer s(48), msg(33 * (size_t(count) + 1)), sk(l.seed_sk_bytes), r(l.R_bytes);
    outer.generate(s);
    outer.generate(msg);
    aioli::cli::NistDrbg inner{std::span(s).first<48>()};
    inner.generate(sk);
    inner.generate(r);
    seeds_sk.insert(seeds_sk.end(), sk.begin(), sk.end());
    R.insert(R.end(), r.begin(), r.end());
    seed.push_back(s), messages.push_back(msg), keys.push_back(count);
  }
  test::Device device(*set);
  const Buffer pks = device.keygen(seeds_sk);
  std::vector<uint32_t> restarts;
  const Buffer signatures = device.sign(device.expand_secret(seeds_sk), keys, messages, R, &restarts);
  uint32_t bad = 0, restarted = 0;
  for (uint8_t verdict : device.verify(device.expand_public(pks), keys, signatures, messages, test::Path::masked))
    bad += verdict != 1;
  if (bad != 0) std::printf("%u records are not verified\n", bad);

  std::string first, all;
  for (uint32_t i = 0; i < records; i++) {
    const Buffer pk = part(pks, l.public_key_bytes, i), sk = part(seeds_sk, l.seed_sk_bytes, i),
                 sig = part(signatures, l.signature_bytes, i);
    Buffer sm = sig;
    sm.insert(sm.end(), messages[i].begin(), messages[i].end());
    const std::string r = "count = " + std::to_string(i) + "\nseed = " + hex(seed[i]) +
                          "\nmlen = " + std::to_string(messages[i].size()) + "\nmsg = " + hex(messages[i]) + "\npk = " + hex(pk) +
                          "\nsk = " + hex(sk) + "\nsmlen = " + std::to_string(sm.size()) + "\nsm = " + hex(sm) + "\n";
    if (i == 0) first = test::sha256_hex(r);
    if (i > 0) all += "\n";
    all += r;
    restarted += restarts[i] > 0;
    if (records < 100) {
      Buffer cpu(sig.size());
      const aioli_status status = aioli_sign_with_randomness(alg, cpu.data(), cpu.size(), messages[i].data(), messages[i].size(),
                                                             sk.data(), sk.size(), R.data() + i * l.R_bytes, l.R_bytes, nullptr);
      if (status != AIOLI_OK || cpu != sig) std::printf("record %u is not the CPU's\n", i), bad++;
    }
  }
  if (first != argv[2]) std::puts("record 0 is not as published"), bad++;
  if (records == 100 && test::sha256_hex(all) != argv[3]) std::puts("the records are not as published"), bad++;
  // Record 12 of MAYO-1 is the first whose first system is singular.
  if (std::string(argv[1]) == "MAYO-1" && records > 12 && restarts[12] != 1)
    std::puts("record 12 does not take two attempts"), bad++;
  std::printf("%s: %u records, %u of them with a singular system: %s\n", argv[1], records, restarted,
              bad == 0 ? "as published" : "WRONG");
  return bad != 0;
}
