// SPDX-License-Identifier: Apache-2.0
// Batches when the system fails them: memory at each request, threads, randomness.  And what they leave behind: no memory, no
// secrets.
#include <doctest/doctest.h>
#include <malloc.h>
#include <pthread.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>

#include "batch/grouping.hpp"
#include "batch_rows.hpp"
#include "symmetric/shake256.hpp"

using namespace test;

// ---- what the libraries call (--wrap), from any thread
// ----------------------------------------------------------------------------

namespace {
constexpr int never = 1 << 30;
std::atomic<int> mallocs_left = never, threads_left = never, balance = 0, made = 0;
std::atomic<bool> no_randomness = false, fixed_randomness = false, no_digests = false;
std::atomic<int> digest_calls = 0, digests_made = 0;
std::atomic<size_t> largest = 0;  // request for memory

// Byte strings that nobody may find in memory that is given back: any eight bytes in a row of them count.
std::mutex secrets_lock;
std::set<uint64_t> secrets;
std::atomic<bool> watching = false;
std::atomic<int> residue = 0, freed = 0;

uint64_t word(const uint8_t *p) {
  uint64_t w;
  std::memcpy(&w, p, sizeof w);
  return w;
}
void add_secret(const Buffer &b) {
  for (size_t i = 0; i + 8 <= b.size(); i++) secrets.insert(word(&b[i]));
}
}  // namespace

extern "C" {
void *__real_malloc(size_t n);
void __real_free(void *p);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __real_aioli_rng_system(void *context, uint8_t *out, size_t n);
aioli_status __real_aioli_digest_batch(const aioli_alg *alg, uint8_t *digests, size_t stride, const uint8_t *const *msgs,
                                       const size_t *msg_bytes, size_t count);

void *__wrap_malloc(size_t n) {
  if (mallocs_left-- <= 0) return nullptr;
  if (n > largest) largest = n;
  void *p = __real_malloc(n);
  std::memset(p, 0, malloc_usable_size(p));  // what the test itself left there is not the library's
  balance++;
  made++;
  return p;
}
void __wrap_free(void *p) {
  if (p != nullptr) balance--;
  if (p != nullptr && watching) {
    const std::lock_guard<std::mutex> lock(secrets_lock);
    const uint8_t *bytes = static_cast<const uint8_t *>(p);
    freed++;
    for (size_t i = 0; i + 8 <= malloc_usable_size(p); i++) residue += secrets.count(word(bytes + i)) != 0;
  }
  __real_free(p);
}
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  if (threads_left-- <= 0) return 11;  // EAGAIN
  return __real_pthread_create(thread, attributes, run, argument);
}
int __wrap_aioli_rng_system(void *context, uint8_t *out, size_t n) {
  if (no_randomness) return -1;
  if (fixed_randomness) {
    std::memset(out, 0, n);
    return 0;
  }
  return __real_aioli_rng_system(context, out, n);
}
aioli_status __wrap_aioli_digest_batch(const aioli_alg *alg, uint8_t *digests, size_t stride, const uint8_t *const *msgs,
                                       const size_t *msg_bytes, size_t count) {
  if (no_digests) return AIOLI_ERR_BACKEND;
  const aioli_status status = __real_aioli_digest_batch(alg, digests, stride, msgs, msg_bytes, count);
  digest_calls++;
  digests_made += status == AIOLI_OK ? int(count) : 0;
  return status;
}
}

namespace {

int count_up(void *context, uint8_t *out, size_t n) {
  std::memset(out, 0x80 + ++*static_cast<uint8_t *>(context), n);
  return 0;
}

// What the three calls do with a batch of some groups; statuses and outputs in one string.
struct Everything {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  VerifyBatch verify{alg, 12, true, 1, [](size_t i) { return 1 + i % 5; }};
  Key key{alg, 1}, other{alg, 2};
  Buffer msg = pattern(30, 1);

  std::vector<Statuses> run(const aioli_batch_options &given, std::vector<Buffer> &outputs) const {
    aioli_batch_options options = given;
    uint8_t draws = 0;
    std::vector<Statuses> statuses(3);
    aioli_status result = AIOLI_OK;
    statuses[0] = verify.run(alg, &options, &result);
    CHECK(result == first_error(statuses[0]));
    options.rng = count_up;
    options.rng_context = &draws;
    outputs.assign(8, Buffer(aioli_signature_bytes(alg), 0x5a));
    std::vector<aioli_sign_row> rows;
    for (size_t i = 0; i < 6; i++) {
      const Buffer &sk = i == 4 ? other.sk : key.sk;
      rows.push_back({outputs[i].data(), outputs[i].size(), msg.data(), msg.size(), sk.data(), sk.size()});
    }
    statuses[1].assign(6, AIOLI_ERR_SELFTEST);
    result = aioli_sign_batch(alg, statuses[1].data(), rows.data(), rows.size(), &options);
    CHECK(result == first_error(statuses[1]));
    outputs[6].assign(aioli_public_key_bytes(alg), 0x5a);
    outputs[7].assign(aioli_secret_key_bytes(alg), 0x5a);
    const aioli_keypair_row pair = {outputs[6].data(), outputs[6].size(), outputs[7].data(), outputs[7].size(), nullptr, 0};
    statuses[2].assign(1, AIOLI_ERR_SELFTEST);
    result = aioli_keypair_batch(alg, statuses[2].data(), &pair, 1, &options);
    CHECK(result == first_error(statuses[2]));
    return statuses;
  }
};

}  // namespace

TEST_CASE("memory fails at each request in turn: the right answer or AIOLI_ERR_MEMORY, and nothing is leaked") {
  const Everything all;
  for (uint32_t threads : {1, 3}) {
    CAPTURE(threads);
    const aioli_batch_options options = with_threads(threads);
    std::vector<Buffer> good, outputs;
    const int before = balance, made_before = made;
    const std::vector<Statuses> expected = all.run(options, good);
    CHECK(balance == before);
    const int requests = made - made_before;
    CHECK(requests > 10);
    int refused = 0, slower = 0;
    // Each call has requests of its own, so that the n-th failing for good spoils the calls that follow; and once only the n-th.
    for (int n = 0; n < requests + 2; n++) {
      CAPTURE(n);
      mallocs_left = n;
      const std::vector<Statuses> got = all.run(options, outputs);
      mallocs_left = never;
      CHECK(balance == before);
      for (size_t call = 0; call < 3; call++) {
        CAPTURE(call);
        const bool failed = got[call][0] == AIOLI_ERR_MEMORY;
        CHECK(got[call] == (failed ? Statuses(got[call].size(), AIOLI_ERR_MEMORY) : expected[call]));
        refused += failed;
        slower += !failed && n < requests;
        for (size_t i = call == 1 ? 0 : 6; call > 0 && i < (call == 1 ? size_t{6} : size_t{8}); i++)
          CHECK((failed ? all_zero(outputs[i]) : outputs[i] == good[i]));
      }
    }
    CHECK(refused > 10);
    CHECK(slower > 0);
  }
}

TEST_CASE("an expanded key for which there is no memory is done without") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const VerifyBatch batch(alg, 12, true, 2, [](size_t) { return 1; });
  aioli_status result = AIOLI_OK;
  const int before = made;
  CHECK(batch.run(alg, nullptr, &result) == batch.expected);
  const int requests = made - before;
  mallocs_left = requests - 1;  // the last one is the key's
  CHECK(batch.run(alg, nullptr, &result) == batch.expected);
  mallocs_left = requests - 2;
  CHECK(batch.run(alg, nullptr, &result) == Statuses(12, AIOLI_ERR_MEMORY));
  mallocs_left = never;
}

TEST_CASE("no key is expanded to what would be but a copy of it") {
  for (const char *name : {"UOV-Ip", "UOV-Ip-pkc-skc"}) {
    CAPTURE(name);
    const aioli_alg *alg = aioli_alg_by_name(name);
    const bool copies = aioli_verifier_bytes(alg) < aioli_public_key_bytes(alg) + 1000;
    CHECK(copies == (aioli_signer_bytes(alg) < aioli_secret_key_bytes(alg) + 1000));
    CHECK(copies == (std::string(name) == "UOV-Ip"));
    aioli_status result = AIOLI_OK;
    const VerifyBatch batch(alg, 5, false, 1, [](size_t) { return 1; });
    largest = 0;
    CHECK(batch.run(alg, nullptr, &result) == batch.expected);
    CHECK(result == AIOLI_OK);
    CHECK((largest < aioli_verifier_bytes(alg)) == copies);
    const Key key(alg, 1);
    const Buffer msg = pattern(30, 1), sig = key.sign(msg);
    std::vector<Buffer> sigs(5, Buffer(sig.size()));
    std::vector<aioli_sign_row> rows;
    for (Buffer &s : sigs) rows.push_back({s.data(), s.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size()});
    aioli_batch_options options = with_threads(1);
    options.rng = aioli_rng_zero;
    Statuses statuses(rows.size());
    largest = 0;
    CHECK(aioli_sign_batch(alg, statuses.data(), rows.data(), rows.size(), &options) == AIOLI_OK);
    for (const Buffer &s : sigs) CHECK(s == sig);
    CHECK((largest < aioli_signer_bytes(alg)) == copies);
  }
}

TEST_CASE("threads that cannot be had: a batch does with fewer, a pool says so") {
  const Everything all;
  std::vector<Buffer> good, outputs;
  const std::vector<Statuses> expected = all.run(with_threads(1), good);
  const int before = balance;
  for (int n : {0, 1, 3}) {
    CAPTURE(n);
    threads_left = n;
    CHECK(all.run(with_threads(6), outputs) == expected);
    CHECK(outputs == good);
    threads_left = n;
    aioli_pool *pool = reinterpret_cast<aioli_pool *>(1);
    CHECK(aioli_pool_new(&pool, 6) == AIOLI_ERR_MEMORY);
    CHECK(pool == nullptr);
    threads_left = never;
    CHECK(balance == before);
  }
  for (int n : {0, 1}) {
    mallocs_left = n;
    aioli_pool *pool = nullptr;
    CHECK(aioli_pool_new(&pool, 2) == AIOLI_ERR_MEMORY);
    mallocs_left = never;
    CHECK(balance == before);
  }
}

TEST_CASE("verification needs no randomness") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const VerifyBatch batch(alg, 12, true, 3, [](size_t i) { return 1 + i % 3; });
  no_randomness = true;
  aioli_status result = AIOLI_OK;
  CHECK(batch.run(alg, nullptr, &result) == batch.expected);
  no_randomness = false;
}

TEST_CASE("two keys of one fingerprint are two keys") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Key key(alg, 5);
  const Buffer msg = pattern(20, 2), sig = key.sign(msg);
  // With the shifts known: two of the products a * b move by multiples of their a, in opposite directions.
  const aioli::Fingerprint fingerprint(0);
  const auto word32 = [](const Buffer &b, size_t i) { return aioli::load32(&b[4 * i]); };
  const auto put = [](Buffer &b, size_t i, uint32_t w) {
    for (int j = 0; j < 4; j++) b[4 * i + size_t(j)] = uint8_t(w >> 8 * j);
  };
  // The shift of a word, read off the fingerprint: the product of a pair is linear in its second word.
  Buffer collision;
  const uint64_t tag = fingerprint.of(key.pk.data(), key.pk.size());
  const auto factor = [&](size_t i) {  // a of the pair whose second word is i, if adding 1 to that does not wrap; else 0
    Buffer moved = key.pk;
    put(moved, i, word32(moved, i) + 1);
    const uint64_t a = fingerprint.of(moved.data(), moved.size()) - tag;
    return a >> 32 == 0 ? a : 0;
  };
  for (size_t i = 101; i < 151 && collision.empty(); i += 2)
    for (size_t j = 151; j < 201 && collision.empty(); j += 2) {
      Buffer moved = key.pk;
      put(moved, i, word32(moved, i) + uint32_t(factor(j)));
      put(moved, j, word32(moved, j) - uint32_t(factor(i)));
      if (moved != key.pk && fingerprint.of(moved.data(), moved.size()) == tag) collision = moved;
    }
  REQUIRE(!collision.empty());

  fixed_randomness = true;  // so that the batch's fingerprint is this one
  for (size_t place : {0, 1, 3}) {
    CAPTURE(place);
    VerifyBatch batch(alg, 0, false, 0, [](size_t) { return 0; });
    batch.rows.assign(3, {sig, msg, key.pk});
    batch.rows.insert(batch.rows.begin() + long(place), {sig, msg, collision});
    for (const VerifyRow &row : batch.rows) batch.expected.push_back(one_shot(alg, row.row()));
    CHECK(batch.expected[place] == AIOLI_ERR_SIGNATURE);
    aioli_status result = AIOLI_OK;
    CHECK(batch.run(alg, nullptr, &result) == batch.expected);
  }
  fixed_randomness = false;
}

TEST_CASE("what is freed holds no secret") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  const Key keys[] = {Key(alg, 1), Key(alg, 2), Key(alg, 3)};
  const size_t salt_bytes = aioli_randomness_bytes(alg);
  for (const Key &key : keys) {
    add_secret(key.sk);
    Buffer expanded(2048);  // the key's O, nibbles as they come; its first bytes are public
    aioli::shake256(expanded.data(), expanded.size(), aioli::View{key.sk.data(), key.sk.size()});
    add_secret(Buffer(expanded.begin() + 16, expanded.end()));
  }
  for (int draw = 1; draw <= 12; draw++) add_secret(Buffer(salt_bytes, uint8_t(0x80 + draw)));
  const Buffer msg = pattern(40, 1);
  std::vector<Buffer> sigs(11, Buffer(aioli_signature_bytes(alg)));
  std::vector<aioli_sign_row> rows;
  for (size_t i = 0; i < sigs.size(); i++) {
    const Buffer &sk = keys[i < 4 ? 0 : i < 9 ? 1 : 2].sk;
    rows.push_back({sigs[i].data(), sigs[i].size(), msg.data(), msg.size(), sk.data(), sk.size()});
  }
  // An expanded key as it is while it lives, for what could not be computed here.
  aioli_signer *signer = nullptr;
  Buffer memory(aioli_signer_bytes(alg));
  REQUIRE(aioli_signer_init(&signer, memory.data(), memory.size(), alg, keys[0].sk.data(), keys[0].sk.size(), nullptr) ==
          AIOLI_OK);
  for (size_t at = 256; at + 64 <= memory.size(); at += 1024) {
    const Buffer some(memory.begin() + long(at), memory.begin() + long(at) + 64);
    if (std::set<uint8_t>(some.begin(), some.end()).size() > 16) add_secret(some);  // nothing that is in any memory
  }
  for (uint32_t threads : {1, 2, 4}) {
    CAPTURE(threads);
    uint8_t draws = 0;
    aioli_batch_options options = with_threads(threads);
    options.rng = count_up;
    options.rng_context = &draws;
    Statuses statuses(rows.size());
    residue = freed = 0;
    watching = true;
    CHECK(aioli_sign_batch(alg, statuses.data(), rows.data(), rows.size(), &options) == AIOLI_OK);
    CHECK(freed > 5);
    CHECK(residue == 0);
    Buffer pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg));
    const aioli_keypair_row pair = {pk.data(), pk.size(), sk.data(), sk.size(), keys[0].sk.data(), keys[0].sk.size()};
    CHECK(aioli_keypair_batch(alg, statuses.data(), &pair, 1, &options) == AIOLI_OK);
    watching = false;
    CHECK(residue == 0);
  }
  // A secret is found where there is one.
  watching = true;
  uint8_t *planted = static_cast<uint8_t *>(__wrap_malloc(100));  // called so, lest the compiler sees that it is all for nothing
  std::memcpy(planted + 3, keys[2].sk.data(), 9);
  __wrap_free(planted);
  watching = false;
  CHECK(residue > 0);
  secrets.clear();
}

// Of UOV the digest is the state of SHAKE256, in which a short message stands as it is.
TEST_CASE("a batch leaves no short message on the stack") {
  const aioli_alg *alg = aioli_alg_by_name("UOV-Ip-pkc-skc");
  const Key key(alg);
  Buffer msg(100);
  aioli::shake256(msg.data(), msg.size(), aioli::View{key.sk.data(), key.sk.size()});
  add_secret(msg);
  std::vector<Buffer> sigs(16, Buffer(aioli_signature_bytes(alg)));
  std::vector<aioli_sign_row> rows;
  for (Buffer &sig : sigs) rows.push_back({sig.data(), sig.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size()});
  struct Run {
    std::function<void()> f;
    static void *start(void *run) { return static_cast<Run *>(run)->f(), nullptr; }
  };
  // How many words of secrets f leaves on a stack of its own.
  const auto left_by = [&](const std::function<void()> &f) {
    alignas(4096) static uint8_t stack[1 << 20];
    std::memset(stack, 0, sizeof stack);
    Run run{f};
    pthread_attr_t attributes;
    pthread_t thread;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
    REQUIRE(__real_pthread_create(&thread, &attributes, Run::start, &run) == 0);
    REQUIRE(pthread_join(thread, nullptr) == 0);
    pthread_attr_destroy(&attributes);
    size_t found = 0;
    for (size_t i = 0; i + 8 <= sizeof stack; i++) found += secrets.count(word(stack + i));
    return found;
  };
  aioli_status status = AIOLI_ERR_STATE;
  Statuses statuses(rows.size());
  digests_made = 0;
  CHECK(left_by([&] { status = aioli_sign_batch(alg, statuses.data(), rows.data(), rows.size(), nullptr); }) == 0);
  CHECK(status == AIOLI_OK);
  CHECK(digests_made > 2);
  CHECK(key.verify(sigs[1], msg) == AIOLI_OK);
  CHECK(left_by([&] {
          uint8_t copy[100];
          std::memcpy(copy, msg.data(), sizeof copy);
          __asm__ __volatile__("" : : "r"(copy) : "memory");
        }) > 0);
  secrets.clear();
}

TEST_CASE("messages are hashed together, those of wrong rows not at all; without that it goes one by one") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  // One key: a piece of one row while it is expanded is none, as there is one thread only.
  VerifyBatch batch(alg, 64, false, 3, [](size_t) { return 1; });
  std::mt19937 random(4);
  int hashed = 64;
  for (int way = 0; way < ways_to_spoil; way++) {
    const size_t i = size_t(5 * way);
    spoil(batch.rows[i], way, random);
    batch.expected[i] = one_shot(alg, batch.rows[i].row());
    if (batch.expected[i] != AIOLI_ERR_SIGNATURE) hashed--;
  }
  CHECK(hashed == 57);  // but for a wrong signature, message or key of the right length
  const auto run = [&] {
    digest_calls = digests_made = 0;
    aioli_status result = AIOLI_OK;
    CHECK(batch.run(alg, nullptr, &result) == batch.expected);
    CHECK(result == first_error(batch.expected));
  };
  run();
  CHECK(digest_calls >= 4);
  CHECK(digest_calls <= 12);
  CHECK(digests_made <= hashed);
  CHECK(digests_made >= hashed - 8);  // the last ones come singly
  no_digests = true;
  run();
  no_digests = false;
  CHECK(digests_made == 0);
}
