// SPDX-License-Identifier: Apache-2.0
// Drivers that fail, at each call in turn; devices that err; and what is left of secrets.
#include <set>

#include "host.hpp"

using namespace test;

namespace {

const aioli_alg *alg() { return aioli_alg_by_name("MAYO-2"); }
constexpr int illegal_address = 700;
// Every call in turn; every fifth where a sanitizer makes it slow.
const uint64_t step = std::getenv("AIOLI_BATCH_QUICK") != nullptr ? 5 : 1;

// Everything that a program may do with a context, as far as it gets; true if all went well.
struct Everything {
  SignBatch sign{alg(), 6, 2, 5};
  VerifyBatch batch{alg(), 6, false, 5, [](size_t i) { return 1 + i % 2; }};

  bool run(uint32_t flags) const {
    const Cuda cuda(flags);
    if (cuda.status != AIOLI_OK) {
      CHECK((flags & AIOLI_CUDA_FALLBACK) == 0);
      CHECK(cuda.c == nullptr);
      return false;
    }
    bool good = true;
    const auto statuses_are_right = [&](const Statuses &statuses) {
      for (aioli_status s : statuses) {
        CHECK((s == AIOLI_OK || s == AIOLI_ERR_DEVICE || s == AIOLI_ERR_MEMORY));
        good = good && s == AIOLI_OK;
      }
    };
    aioli_status result;
    statuses_are_right(verify(cuda.c, alg(), batch, nullptr, &result));
    const auto r = sign.run(cuda.c, alg());
    statuses_are_right(r.statuses);
    for (size_t i = 0; i < r.sigs.size(); i++)
      CHECK((r.statuses[i] == AIOLI_OK ? r.sigs[i] == sign.expected[i] : all_zero(r.sigs[i])));
    Buffer pk(aioli_public_key_bytes(alg())), sk(aioli_secret_key_bytes(alg())), seed = pattern(sk.size(), 1);
    const aioli_keypair_row row = {pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size()};
    aioli_status status;
    (void)!aioli_cuda_keypair_batch(cuda.c, alg(), &status, &row, 1, nullptr);
    statuses_are_right({status});
    const Key key(alg(), 1);
    CHECK((status == AIOLI_OK ? pk == key.pk && sk == key.sk : all_zero(pk) && all_zero(sk)));
    if (!good) CHECK((aioli_cuda_devices(cuda.c) == 0) == (aioli_cuda_error(cuda.c) != nullptr));
    return good;
  }
};

}  // namespace

TEST_CASE("whichever call of the driver fails, rows are right or say so, and nothing is kept") {
  const Machine machine;
  const Everything everything;
  const uint64_t before = AIOLI_CONTROL(fake_calls)();
  REQUIRE(everything.run(0));
  const uint64_t calls = AIOLI_CONTROL(fake_calls)() - before;
  REQUIRE(calls > 100);
  REQUIRE(nothing_left());
  for (const Buffer &sk : everything.sign.sks) AIOLI_CONTROL(fake_watch)(sk.data(), sk.size());
  uint64_t noticed = 0, found = 0;
  std::set<std::string> failed;
  for (uint64_t n = 1; n <= calls; n += step) {
    for (const bool sticky : {true, false}) {
      CAPTURE(n);
      CAPTURE(sticky);
      AIOLI_CONTROL(fake_fail)(n, illegal_address, sticky);
      const bool good = everything.run(0);
      // Where one call failed and those after it did not, secrets are cleared as ever.
      if (!sticky) CHECK(AIOLI_CONTROL(fake_found)() == found);
      found = AIOLI_CONTROL(fake_found)();
      REQUIRE(AIOLI_CONTROL(fake_failed)() != nullptr);
      failed.insert(AIOLI_CONTROL(fake_failed)());
      noticed += !good;
      AIOLI_CONTROL(fake_fail)(0, 0, false);
    }
  }
  CHECK(noticed > calls / step);
  CHECK(found > 0);  // in the memory of devices that no longer do anything
  CHECK(failed.size() > (step == 1 ? 20 : 10));
  MESSAGE(calls, " calls of ", failed.size(), " functions failed, one in ", step, "; ", noticed, " times it was noticed");
}

TEST_CASE("with a fallback every row is right, whichever call fails") {
  const Machine machine;
  const Everything everything;
  const uint64_t before = AIOLI_CONTROL(fake_calls)();
  REQUIRE(everything.run(AIOLI_CUDA_FALLBACK));
  const uint64_t calls = AIOLI_CONTROL(fake_calls)() - before;
  for (uint64_t n = 1; n <= calls; n += step) {
    CAPTURE(n);
    AIOLI_CONTROL(fake_fail)(n, illegal_address, true);
    CHECK(everything.run(AIOLI_CUDA_FALLBACK));
  }
}

TEST_CASE("the processor takes over with the randomness that was drawn for a device") {
  const Machine machine;
  SignBatch batch(alg(), 9, 3, 5);
  batch.sks[batch.key[0]].pop_back();  // rows with wrong arguments draw nothing
  std::vector<Buffer> pks(3, Buffer(aioli_public_key_bytes(alg()))), sks(3, Buffer(aioli_secret_key_bytes(alg())));
  std::vector<aioli_keypair_row> rows;
  for (size_t i = 0; i < 3; i++) rows.push_back({pks[i].data(), pks[i].size(), sks[i].data(), sks[i].size(), nullptr, 0});
  rows[0].pk_bytes--;
  for (const uint64_t fails_after : {1u, 40u}) {
    CAPTURE(fails_after);
    const Cuda signs(AIOLI_CUDA_FALLBACK), makes(AIOLI_CUDA_FALLBACK);
    Counting rng, again;
    AIOLI_CONTROL(fake_fail)(fails_after, illegal_address, false);
    const auto r = batch.run(signs.c, alg(), Counting::give, &rng);
    CHECK(aioli_cuda_devices(signs.c) == 0);
    const aioli_env env = {Counting::give, &again, nullptr, 0};
    for (size_t i = 0; i < r.sigs.size(); i++) {
      const Buffer &msg = batch.msgs[i], &sk = batch.sks[batch.key[i]];
      Buffer sig(r.sigs[i].size());
      CHECK(aioli_sign(alg(), sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(), &env) == r.statuses[i]);
      CHECK(r.sigs[i] == sig);
    }
    aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
    options.rng = Counting::give;
    options.rng_context = &rng;
    aioli_status status[3];
    AIOLI_CONTROL(fake_fail)(1, illegal_address, false);
    CHECK(aioli_cuda_keypair_batch(makes.c, alg(), status, rows.data(), 3, &options) == AIOLI_ERR_LENGTH);
    CHECK(aioli_cuda_devices(makes.c) == 0);
    for (size_t i = 1; i < 3; i++) {
      Buffer pk(pks[i].size()), sk(sks[i].size());
      REQUIRE(aioli_keypair(alg(), pk.data(), pk.size(), sk.data(), sk.size(), &env) == AIOLI_OK);
      CHECK(pks[i] == pk);
      CHECK(sks[i] == sk);
    }
    CHECK(rng.next == again.next);  // nothing was drawn twice
  }
}

TEST_CASE("a context without its device stays usable, and says what happened") {
  const Machine machine;
  const Cuda cuda, falls_back(AIOLI_CUDA_FALLBACK);
  CHECK(aioli_cuda_error(cuda.c) == nullptr);
  const VerifyBatch batch(alg(), 6, true, 5, [](size_t i) { return 1 + i % 2; });
  for (aioli_cuda *c : {cuda.c, falls_back.c}) {
    AIOLI_CONTROL(fake_fail)(20, illegal_address, false);
    aioli_status result;
    const Statuses statuses = verify(c, alg(), batch, nullptr, &result);
    CHECK(aioli_cuda_devices(c) == 0);
    REQUIRE(aioli_cuda_error(c) != nullptr);
    CHECK(std::string(aioli_cuda_error(c)).find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos);
    const Statuses again = verify(c, alg(), batch, nullptr, &result);
    if (c == falls_back.c) CHECK((statuses == batch.expected && again == batch.expected));
    if (c == cuda.c) CHECK(std::count(again.begin(), again.end(), AIOLI_ERR_DEVICE) > 0);
  }
}

TEST_CASE("of two devices one fails, and the other goes on") {
  const Machine machine(2);
  const Cuda cuda(AIOLI_CUDA_FALLBACK);
  REQUIRE(aioli_cuda_devices(cuda.c) == 2);
  const VerifyBatch batch(alg(), 20, true, 5, [](size_t i) { return 1 + i % 5; });
  AIOLI_CONTROL(fake_fail)(15, illegal_address, false);
  aioli_status result;
  CHECK(verify(cuda.c, alg(), batch, nullptr, &result) == batch.expected);
  CHECK(aioli_cuda_devices(cuda.c) == 1);
  CHECK(verify(cuda.c, alg(), batch, nullptr, &result) == batch.expected);
  CHECK(aioli_cuda_devices(cuda.c) == 1);
}

TEST_CASE("a signature that a device got wrong is not given out when signatures are checked") {
  const SignBatch batch(alg(), 5, 2, 5);
  for (const uint32_t flags : {0u, AIOLI_CUDA_CHECK_SIGNATURES, AIOLI_CUDA_CHECK_SIGNATURES | AIOLI_CUDA_FALLBACK}) {
    CAPTURE(flags);
    const Machine machine;
    const Cuda cuda(flags);
    const auto clean = batch.run(cuda.c, alg());
    CHECK(clean.sigs == batch.expected);
    AIOLI_CONTROL(fake_spoil)("sign_solve");
    const auto r = batch.run(cuda.c, alg());
    size_t different = 0, refused = 0;
    for (size_t i = 0; i < 5; i++) {
      if (r.statuses[i] == AIOLI_OK) {
        different += r.sigs[i] != batch.expected[i];
      } else {
        CHECK(r.statuses[i] == AIOLI_ERR_DEVICE);
        CHECK(all_zero(r.sigs[i]));
        refused++;
      }
    }
    CHECK(different == (flags == 0));
    CHECK(refused == (flags == AIOLI_CUDA_CHECK_SIGNATURES));
  }
}

TEST_CASE("a row that never has a solution is given up after 256 attempts, and the others have theirs") {
  const Machine machine;
  const Cuda cuda;
  const SignBatch batch(alg(), 3, 1, 5);
  AIOLI_CONTROL(fake_singular)(true);
  const auto r = batch.run(cuda.c, alg());
  AIOLI_CONTROL(fake_singular)(false);
  CHECK(r.status == AIOLI_ERR_NO_SOLUTION);
  CHECK(AIOLI_CONTROL(fake_launches)("sign_solve") == 256);
  size_t without = 0;
  for (size_t i = 0; i < 3; i++) {
    without += r.statuses[i] == AIOLI_ERR_NO_SOLUTION;
    CHECK((r.statuses[i] == AIOLI_OK ? r.sigs[i] == batch.expected[i] : all_zero(r.sigs[i])));
  }
  CHECK(without == 1);
}

TEST_CASE("secrets are cleared on the device and in pinned memory, at the end of each call") {
  const Machine machine;
  const SignBatch batch(alg(), 6, 2, 5);
  const Cuda cuda;
  for (const Buffer &sk : batch.sks) AIOLI_CONTROL(fake_watch)(sk.data(), sk.size());
  Counting rng, same;
  Buffer R(aioli_randomness_bytes(alg()));
  for (int i = 0; i < 6; i++) {
    Counting::give(&same, R.data(), R.size());
    AIOLI_CONTROL(fake_watch)(R.data(), R.size());
  }
  CHECK(batch.run(cuda.c, alg(), Counting::give, &rng).status == AIOLI_OK);
  CHECK(AIOLI_CONTROL(fake_found)() == 0);
  // O and what is made of it: the first sixteen bytes of O behind the public seed.
  Buffer pk(aioli_public_key_bytes(alg())), sk(aioli_secret_key_bytes(alg())), seed = pattern(sk.size(), 1);
  AIOLI_CONTROL(fake_watch)(seed.data(), seed.size());
  const aioli_keypair_row row = {pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size()};
  aioli_status status;
  CHECK(aioli_cuda_keypair_batch(cuda.c, alg(), &status, &row, 1, nullptr) == AIOLI_OK);
  CHECK(AIOLI_CONTROL(fake_found)() == 0);
  // That the fake driver would have found something:
  AIOLI_CONTROL(fake_watch)(pk.data(), 16);
  const VerifyBatch verified(alg(), 4, false, 0, [](size_t) { return 1; });
  aioli_status result;
  (void)verify(cuda.c, alg(), verified, nullptr, &result);
  CHECK(AIOLI_CONTROL(fake_found)() > 0);
}
