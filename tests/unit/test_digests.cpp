// SPDX-License-Identifier: Apache-2.0
// Many messages hashed at once are what each is alone: the one-state SHAKE256, which has answers of its own (test_shake256.cpp).
#include <aioli/aioli.h>
#include <aioli/research.h>
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "oracle/random.hpp"
#include "support.hpp"
#include "symmetric/keccak_plain.hpp"
#include "symmetric/keccak_wide.hpp"

using oracle::Bytes;

namespace {

constexpr size_t rate = 136;

struct Message {
  Bytes bytes;  // as long as it says, so that sanitizers see one step too far
  const uint8_t *at() const { return bytes.empty() ? nullptr : bytes.data(); }
};

Bytes alone(const Message &m, size_t n) {
  Bytes out(n);
  aioli::shake256(out.data(), n, aioli::View{m.at(), m.bytes.size()});
  return out;
}

using Many = std::function<void(uint8_t *, size_t, size_t, const uint8_t *const *, const size_t *, size_t)>;

// The digests at this stride, and nothing between or behind them.
void check(const Many &many, const std::vector<Message> &messages, size_t digest_bytes, size_t stride) {
  std::vector<const uint8_t *> at;
  std::vector<size_t> n;
  for (const Message &m : messages) at.push_back(m.at()), n.push_back(m.bytes.size());
  const size_t count = messages.size();
  Bytes got(count > 0 ? (count - 1) * stride + digest_bytes : 0, 0xee), wanted = got;
  for (size_t i = 0; i < count; i++) {
    const Bytes digest = alone(messages[i], digest_bytes);
    std::copy(digest.begin(), digest.end(), wanted.begin() + int(i * stride));
  }
  many(got.data(), stride, digest_bytes, at.data(), n.data(), count);
  CHECK(got == wanted);
}

std::vector<Message> of_lengths(const std::vector<size_t> &lengths, oracle::Random &random) {
  std::vector<Message> messages;
  for (size_t n : lengths) messages.push_back({random.bytes(n)});
  return messages;
}

void check_all(const Many &many, const std::vector<size_t> &digest_sizes) {
  oracle::Random random(41);
  const auto size = [&] { return digest_sizes[size_t(random.between(0, int(digest_sizes.size()) - 1))]; };
  // Every length, by itself and with others in all other lanes.
  std::vector<size_t> lengths;
  for (size_t n = 0; n <= 3 * rate + 1; n++) {
    check(many, of_lengths({n}, random), size(), 136);
    lengths.push_back(n);
  }
  check(many, of_lengths(lengths, random), size(), 136);
  check(many, of_lengths({lengths.rbegin(), lengths.rend()}, random), size(), 136);
  for (size_t digest_bytes : digest_sizes)
    for (size_t stride : {digest_bytes, digest_bytes + 1, size_t{200}})
      for (size_t count = 0; count <= 20; count++) {
        CAPTURE(digest_bytes);
        CAPTURE(stride);
        CAPTURE(count);
        check(many, of_lengths(std::vector<size_t>(count, 32), random), digest_bytes, stride);
        std::vector<size_t> mixed, blocks;
        for (size_t i = 0; i < count; i++) {
          mixed.push_back(size_t(random.between(0, random.between(0, 3) == 0 ? 5000 : 300)));
          blocks.push_back(rate * size_t(random.between(1, 4)) + size_t(random.between(0, 2)) - 1);
        }
        check(many, of_lengths(mixed, random), digest_bytes, stride);
        check(many, of_lengths(blocks, random), digest_bytes, stride);
      }
  // One long message among short ones, in each place: it ends alone.
  for (size_t place = 0; place < 9; place++) {
    std::vector<size_t> some(9, 100);
    some[place] = 3000;
    check(many, of_lengths(some, random), size(), 64 + 136);
  }
}

}  // namespace

TEST_CASE("vectors in plain C++, of one state to eight") {
  const std::vector<size_t> sizes = {1, 31, 32, 48, 64, 136};
  check_all(aioli::shake256_many<aioli::KeccakPlain<4>>, sizes);
#if !defined(AIOLI_TEST_FEW_VECTORS)
  check_all(aioli::shake256_many<aioli::KeccakPlain<1>>, sizes);
  check_all(aioli::shake256_many<aioli::KeccakPlain<2>>, sizes);
  check_all(aioli::shake256_many<aioli::KeccakPlain<8>>, sizes);
#endif
}

TEST_CASE("every backend") {
  std::vector<size_t> sizes;
  const aioli_alg *alg_of[65] = {};
  for (const aioli_alg *alg : test::mayo_algs()) {
    const size_t n = aioli_digest_bytes(alg);
    REQUIRE(n <= 64);
    if (alg_of[n] == nullptr) sizes.push_back(n);
    alg_of[n] = alg;
  }
  CHECK(sizes.size() >= 3);
  test::each_backend([&](const std::string &backend) {
    CAPTURE(backend);
    std::printf("digests of %s\n", backend.c_str());  // whoever ran this for one backend can see that it was there
    check_all([&](uint8_t *digests, size_t stride, size_t n, const uint8_t *const *msgs, const size_t *msg_bytes,
                  size_t count) { CHECK(aioli_digest_batch(alg_of[n], digests, stride, msgs, msg_bytes, count) == AIOLI_OK); },
              sizes);
  });
}

TEST_CASE("the digests are those of aioli_hash_final, and what cannot be hashed has its status") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const size_t n = aioli_digest_bytes(alg);
  const Bytes a = test::pattern(500, 1), b = test::pattern(20, 2), zero(3 * n + 2, 0);
  const uint8_t *msgs[] = {a.data(), nullptr, b.data()};
  size_t msg_bytes[] = {a.size(), 0, b.size()};
  Bytes digests(3 * n + 2), wanted(digests.size());
  for (size_t i = 0; i < 3; i++) {
    aioli_hash h;
    REQUIRE(aioli_hash_init(&h, alg) == AIOLI_OK);
    REQUIRE(aioli_hash_update(&h, msgs[i], msg_bytes[i]) == AIOLI_OK);
    REQUIRE(aioli_hash_final(&h, &wanted[i * (n + 1)], n) == AIOLI_OK);
  }
  CHECK(aioli_digest_batch(alg, digests.data(), n + 1, msgs, msg_bytes, 3) == AIOLI_OK);
  CHECK(digests == wanted);

  const Bytes gaps = [&] {  // zeroed digests, untouched bytes between
    Bytes g(digests.size(), 0);
    g[n] = g[2 * n + 1] = 0xee;
    return g;
  }();
  const auto fails = [&](aioli_status status, const uint8_t *const *m, const size_t *l) {
    digests.assign(digests.size(), 0xee);
    CHECK(aioli_digest_batch(alg, digests.data(), n + 1, m, l, 3) == status);
    CHECK(digests == gaps);
  };
  fails(AIOLI_ERR_ARGUMENT, nullptr, msg_bytes);
  fails(AIOLI_ERR_ARGUMENT, msgs, nullptr);
  msg_bytes[1] = 1;
  fails(AIOLI_ERR_ARGUMENT, msgs, msg_bytes);
  msg_bytes[1] = 0;
  digests.assign(digests.size(), 0xee);
  const Bytes untouched = digests;
  CHECK(aioli_digest_batch(nullptr, digests.data(), n + 1, msgs, msg_bytes, 3) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_digest_batch(alg, digests.data(), n - 1, msgs, msg_bytes, 3) == AIOLI_ERR_BUFFER);
  CHECK(digests == untouched);
  CHECK(aioli_digest_batch(alg, nullptr, n + 1, msgs, msg_bytes, 3) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_digest_batch(alg, nullptr, 0, nullptr, nullptr, 0) == AIOLI_OK);
}
