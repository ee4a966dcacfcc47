// SPDX-License-Identifier: Apache-2.0
// Batches on (pretended) devices give what the processor gives, whatever the keys, the sizes, the memory and the number of
// devices.
#include "host.hpp"

using namespace test;

namespace {

std::string name_of(const aioli_alg *alg) { return aioli_alg_name(alg); }

}  // namespace

TEST_CASE("verification says what the one-shot call says, of rows good and bad, with few keys and with many") {
  for (const aioli_alg *alg : device_algs()) {
    CAPTURE(name_of(alg));
    const Machine machine;
    const Cuda cuda;
    REQUIRE(cuda.status == AIOLI_OK);
    for (const int keys : {1, 3, 40}) {
      const VerifyBatch batch(alg, 40, true, unsigned(keys), [&](size_t i) { return 1 + i % size_t(keys); });
      aioli_status result;
      CHECK(verify(cuda.c, alg, batch, nullptr, &result) == batch.expected);
      CHECK(result == first_error(batch.expected));
    }
    CHECK(AIOLI_CONTROL(fake_launches)("verify_times") > 0);
  }
}

TEST_CASE("many rows under one key are verified with tables, beside others that are not") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  // What is left for masks takes two passes of this device, and one key is in both.
  const VerifyBatch batch(alg, 440, true, 5, [](size_t i) { return i < 310 ? size_t{1} : 2 + (i - 310) / 15; });
  aioli_status result;
  CHECK(verify(cuda.c, alg, batch, nullptr, &result) == batch.expected);
  CHECK(AIOLI_CONTROL(fake_launches)("verify_tables") > 0);
  CHECK(AIOLI_CONTROL(fake_launches)("verify_times") > 0);
}

TEST_CASE("rows that do not lie apart are refused as by the processor, before anything is done") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  const Key key(alg);
  const Buffer msg = pattern(50, 3);
  const size_t n = aioli_signature_bytes(alg);
  Buffer place(2 * n, 0x5a);
  for (const size_t second : {n, n - 1}) {
    const aioli_sign_row rows[] = {{place.data() + second, n, msg.data(), msg.size(), key.sk.data(), key.sk.size()},
                                   {place.data(), n, msg.data(), msg.size(), key.sk.data(), key.sk.size()}};
    Statuses statuses(2);
    const aioli_status wanted = second == n ? AIOLI_OK : AIOLI_ERR_ARGUMENT;
    CHECK(aioli_cuda_sign_batch(cuda.c, alg, statuses.data(), rows, 2, nullptr) == wanted);
    CHECK(statuses == Statuses(2, wanted));
  }
  CHECK(all_zero(Buffer(place.begin(), place.end() - 1)));
}

TEST_CASE("digests may be given") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const Machine machine;
  const Cuda cuda;
  const Key key(alg);
  const Buffer msg = pattern(50, 3), other = pattern(51, 4), sig = key.sign(msg), other_sig = key.sign(other);
  Buffer digest(aioli_digest_bytes(alg)), other_digest(digest.size());
  const uint8_t *msgs[] = {msg.data()}, *others[] = {other.data()};
  const size_t msg_bytes[] = {msg.size()}, other_bytes[] = {other.size()};
  REQUIRE(aioli_digest_batch(alg, digest.data(), digest.size(), msgs, msg_bytes, 1) == AIOLI_OK);
  REQUIRE(aioli_digest_batch(alg, other_digest.data(), digest.size(), others, other_bytes, 1) == AIOLI_OK);
  Buffer longer = digest;
  longer.push_back(0);
  const aioli_verify_row rows[] = {
      {sig.data(), sig.size(), digest.data(), digest.size(), key.pk.data(), key.pk.size()},
      {sig.data(), sig.size(), msg.data(), msg.size(), key.pk.data(), key.pk.size()},
      {sig.data(), sig.size(), longer.data(), longer.size(), key.pk.data(), key.pk.size()},
      {other_sig.data(), sig.size(), other_digest.data(), digest.size(), key.pk.data(), key.pk.size()},
  };
  aioli_status status[4];
  aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
  options.flags = AIOLI_BATCH_DIGESTS;
  options.rng = aioli_rng_zero;
  CHECK(aioli_cuda_verify_batch(cuda.c, alg, status, rows, 4, &options) == AIOLI_ERR_LENGTH);
  CHECK(status[0] == AIOLI_OK);
  CHECK(status[1] == AIOLI_ERR_LENGTH);
  CHECK(status[2] == AIOLI_ERR_LENGTH);
  CHECK(status[3] == AIOLI_OK);
  Buffer made(sig.size()), other_made(sig.size());
  const aioli_sign_row sign[] = {
      {made.data(), made.size(), digest.data(), digest.size(), key.sk.data(), key.sk.size()},
      {other_made.data(), made.size(), other_digest.data(), digest.size(), key.sk.data(), key.sk.size()},
  };
  CHECK(aioli_cuda_sign_batch(cuda.c, alg, status, sign, 2, &options) == AIOLI_OK);
  CHECK(made == sig);
  CHECK(other_made == other_sig);
}

TEST_CASE("long messages are hashed by the processor, short ones by the device") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  for (const size_t n : {size_t{0}, size_t{100}, size_t{5000}}) {
    AIOLI_CONTROL(fake_forget)();
    const Key key(alg);
    const Buffer msg = pattern(n, 1), sig = key.sign(msg);
    const aioli_verify_row row = {sig.data(), sig.size(), n > 0 ? msg.data() : nullptr, n, key.pk.data(), key.pk.size()};
    aioli_status status;
    CHECK(aioli_cuda_verify_batch(cuda.c, alg, &status, &row, 1, nullptr) == AIOLI_OK);
    CHECK((AIOLI_CONTROL(fake_launches)("hash_messages") > 0) == (n < 1000));
  }
}

TEST_CASE("signatures are those of one-shot calls") {
  for (const aioli_alg *alg : device_algs()) {
    CAPTURE(name_of(alg));
    const Machine machine;
    const Cuda cuda;
    for (const size_t keys : {size_t{1}, size_t{4}}) {
      const SignBatch batch(alg, 24, keys, unsigned(keys));
      const auto r = batch.run(cuda.c, alg);
      CHECK(r.status == AIOLI_OK);
      CHECK(r.sigs == batch.expected);
    }
  }
}

TEST_CASE("a singular system is tried again, with the rows that need it only") {
  // Of MAYO-1, round 3, one attempt in fifteen is singular: of 200 rows some are, with certainty for all purposes.
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const Machine machine;
  const Cuda cuda;
  const SignBatch batch(alg, 200, 1, 77);  // in several passes: this device takes 80 rows at a time
  const auto r = batch.run(cuda.c, alg);
  CHECK(r.status == AIOLI_OK);
  CHECK(r.sigs == batch.expected);
  CHECK(AIOLI_CONTROL(fake_launches)("sign_solve") == 4);    // three passes, and one of what they left
  CHECK(AIOLI_CONTROL(fake_launches)("linear_forms") == 1);  // the key is expanded once
}

TEST_CASE("randomness is drawn in the order of the rows, as on the processor") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  const SignBatch batch(alg, 20, 3, 6);
  Counting device_rng, processor_rng;
  const auto r = batch.run(cuda.c, alg, Counting::give, &device_rng);
  CHECK(r.status == AIOLI_OK);
  for (size_t i = 0; i < batch.msgs.size(); i++) {
    Buffer sig(aioli_signature_bytes(alg));
    const aioli_env env = {Counting::give, &processor_rng, nullptr, 0};
    const Buffer &sk = batch.sks[batch.key[i]];
    REQUIRE(aioli_sign(alg, sig.data(), sig.size(), batch.msgs[i].data(), batch.msgs[i].size(), sk.data(), sk.size(), &env) ==
            AIOLI_OK);
    CHECK(r.sigs[i] == sig);
  }
  // The system's generator: whatever it gives, the signatures are good and not the deterministic ones.
  const auto hedged = batch.run(cuda.c, alg, nullptr);
  CHECK(hedged.status == AIOLI_OK);
  for (size_t i = 0; i < batch.msgs.size(); i++) CHECK(hedged.sigs[i] != batch.expected[i]);
}

TEST_CASE("a generator that fails is an error of its row") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  const SignBatch batch(alg, 6, 1, 6);
  struct Third {
    int n = 0;
    static int give(void *context, uint8_t *out, size_t bytes) {
      std::fill(out, out + bytes, uint8_t(0));
      return ++static_cast<Third *>(context)->n == 3 ? -1 : 0;
    }
  } third;
  const auto r = batch.run(cuda.c, alg, Third::give, &third);
  CHECK(r.status == AIOLI_ERR_RNG);
  for (size_t i = 0; i < 6; i++) {
    CHECK(r.statuses[i] == (i == 2 ? AIOLI_ERR_RNG : AIOLI_OK));
    CHECK((i == 2 ? all_zero(r.sigs[i]) : r.sigs[i] == batch.expected[i]));
  }
}

TEST_CASE("keys are those of one-shot calls, from seeds and from a generator, and a seed may be the key") {
  for (const aioli_alg *alg : device_algs()) {
    CAPTURE(name_of(alg));
    const Machine machine;
    const Cuda cuda;
    constexpr size_t count = 9;
    std::vector<Buffer> pks, sks, seeds;
    std::vector<aioli_keypair_row> rows;
    for (size_t i = 0; i < count; i++) {
      pks.push_back(pattern(aioli_public_key_bytes(alg), 1));
      sks.push_back(pattern(aioli_secret_key_bytes(alg), uint8_t(i)));
      seeds.push_back(pattern(aioli_secret_key_bytes(alg), uint8_t(100 + i)));
    }
    for (size_t i = 0; i < count; i++) {
      const Buffer &seed = i % 3 == 1 ? sks[i] : seeds[i];
      rows.push_back({pks[i].data(), pks[i].size(), sks[i].data(), sks[i].size(), i % 3 == 0 ? nullptr : seed.data(),
                      i % 3 == 0 ? 0 : seed.size()});
    }
    rows[4].pk_bytes--;
    rows[5].seed_bytes--;
    std::vector<Buffer> expected = sks;
    Counting rng, again;
    aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
    options.rng = Counting::give;
    options.rng_context = &rng;
    Statuses status(count);
    CHECK(aioli_cuda_keypair_batch(cuda.c, alg, status.data(), rows.data(), count, &options) == AIOLI_ERR_LENGTH);
    for (size_t i = 0; i < count; i++) {
      CAPTURE(i);
      Buffer seed = i % 3 == 1 ? expected[i] : seeds[i], pk(pks[i].size()), sk(sks[i].size());
      if (i % 3 == 0) Counting::give(&again, seed.data(), seed.size());
      if (i == 4 || i == 5) {
        CHECK(status[i] == AIOLI_ERR_LENGTH);
        continue;
      }
      CHECK(status[i] == AIOLI_OK);
      REQUIRE(aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) ==
              AIOLI_OK);
      CHECK(pks[i] == pk);
      CHECK(sks[i] == sk);
    }
  }
}

TEST_CASE("little memory means more waves, and none an error") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const SignBatch sign(alg, 40, 5, 3);
  const VerifyBatch batch(alg, 60, true, 9, [](size_t i) { return 1 + i / 4; });
  uint64_t launches = 0;
  for (const size_t bytes : {size_t{100} << 20, size_t{1} << 20}) {
    const Machine machine;
    const Cuda cuda(0, bytes);
    aioli_status result;
    CHECK(verify(cuda.c, alg, batch, nullptr, &result) == batch.expected);
    const auto r = sign.run(cuda.c, alg);
    CHECK(r.status == AIOLI_OK);
    CHECK(r.sigs == sign.expected);
    const uint64_t now = AIOLI_CONTROL(fake_launches)("sign_times");
    CHECK(now > launches);
    launches = now;
    CHECK(use().device_bytes <= bytes);
  }
  const Machine machine;
  const Cuda none(0, 1000), falls_back(AIOLI_CUDA_FALLBACK, 1000);
  aioli_status result;
  const Statuses statuses = verify(none.c, alg, batch, nullptr, &result);
  for (size_t i = 0; i < statuses.size(); i++) {
    const bool wrong = batch.expected[i] != AIOLI_OK && batch.expected[i] != AIOLI_ERR_SIGNATURE;
    CHECK(statuses[i] == (wrong ? batch.expected[i] : AIOLI_ERR_MEMORY));
  }
  CHECK(aioli_cuda_devices(none.c) == 1);  // which is no failure of the device
  CHECK(verify(falls_back.c, alg, batch, nullptr, &result) == batch.expected);
}

TEST_CASE("signing takes memory for the keys that there are, not for as many as rows") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  size_t bytes[2];
  for (const bool many : {false, true}) {
    const Machine machine;
    const Cuda cuda;
    const SignBatch batch(alg, 10, many ? 5 : 1, 3);
    CHECK(batch.run(cuda.c, alg).sigs == batch.expected);
    bytes[many] = use().device_bytes;
  }
  CHECK(bytes[1] > bytes[0] + 2 * 3 * 100000);  // three keys more, if not four, in both lanes
}

TEST_CASE("several devices share the work") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine(3);
  const Cuda cuda(0, size_t{3} << 20);
  REQUIRE(aioli_cuda_devices(cuda.c) == 3);
  const VerifyBatch batch(alg, 150, true, 9, [](size_t i) { return 1 + i % 50; });
  aioli_status result;
  CHECK(verify(cuda.c, alg, batch, nullptr, &result) == batch.expected);
  CHECK(use().modules == 3);  // each has loaded the set's kernels
  const SignBatch sign(alg, 60, 2, 3);
  CHECK(sign.run(cuda.c, alg).sigs == sign.expected);
}

TEST_CASE("what makes no sense is refused, as by libaioli_batch") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Machine machine;
  const Cuda cuda;
  const Key key(alg);
  const Buffer msg = pattern(10, 1), sig = key.sign(msg);
  const aioli_verify_row row = {sig.data(), sig.size(), msg.data(), msg.size(), key.pk.data(), key.pk.size()};
  aioli_status status = AIOLI_OK;
  CHECK(aioli_cuda_verify_batch(nullptr, alg, &status, &row, 1, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(status == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_cuda_verify_batch(cuda.c, nullptr, &status, &row, 1, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_cuda_verify_batch(cuda.c, alg, nullptr, &row, 1, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_cuda_verify_batch(cuda.c, alg, &status, nullptr, 1, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_cuda_verify_batch(cuda.c, alg, nullptr, nullptr, 0, nullptr) == AIOLI_OK);
  aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
  options.flags = 64;
  CHECK(aioli_cuda_verify_batch(cuda.c, alg, &status, &row, 1, &options) == AIOLI_ERR_ARGUMENT);
}

TEST_CASE("sets without kernels are the processor's, or an error") {
  for (const char *name : {"MAYO-1-r1b", "UOV-Is-pkc-skc"}) {
    const aioli_alg *alg = aioli_alg_by_name(name);
    if (alg == nullptr) continue;  // a build with round 3 only has UOV alone
    CAPTURE(std::string(name));
    const Machine machine;
    const Cuda cuda, falls_back(AIOLI_CUDA_FALLBACK);
    const VerifyBatch batch(alg, 5, false, 1, [](size_t) { return 1; });
    aioli_status result;
    CHECK(verify(cuda.c, alg, batch, nullptr, &result) == Statuses(5, AIOLI_ERR_ALGORITHM));
    CHECK(verify(falls_back.c, alg, batch, nullptr, &result) == batch.expected);
    const SignBatch sign(alg, 3, 1, 3);
    CHECK(sign.run(falls_back.c, alg).sigs == sign.expected);
  }
}
