// SPDX-License-Identifier: Apache-2.0
// Rows whose outputs lie on arguments of other rows: the whole batch is refused, before anything is computed or drawn.
#include <doctest/doctest.h>

#include <numeric>

#include "batch_rows.hpp"

using namespace test;

namespace {

int counting(void *calls, uint8_t *out, size_t n) {
  ++*static_cast<int *>(calls);
  std::fill(out, out + n, uint8_t(0x33));
  return 0;
}

struct Span {
  const uint8_t *p;
  size_t n;
};
bool share_a_byte(Span a, Span b) {
  for (size_t i = 0; i < a.n; i++)
    if (a.p + i >= b.p && a.p + i < b.p + b.n) return true;
  return false;
}

struct Signing {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-2");
  Key key{alg, 5};
  size_t n = aioli_signature_bytes(alg);
  Buffer msg = pattern(32, 2);
  int calls = 0;

  aioli_sign_row row(uint8_t *sig) const { return {sig, n, msg.data(), msg.size(), key.sk.data(), key.sk.size()}; }
  aioli_status sign(const std::vector<aioli_sign_row> &rows, Statuses &statuses, uint32_t threads = 1) {
    statuses.assign(rows.size(), AIOLI_ERR_SELFTEST);
    aioli_batch_options options = with_threads(threads);
    options.rng = counting;
    options.rng_context = &calls;
    calls = 0;
    return aioli_sign_batch(alg, statuses.data(), rows.data(), rows.size(), &options);
  }
  // Every row refused, every output zero, no randomness drawn.
  void refused(const std::vector<aioli_sign_row> &rows) {
    for (uint32_t threads : {1u, 3u}) {
      Statuses statuses;
      CHECK(sign(rows, statuses, threads) == AIOLI_ERR_ARGUMENT);
      CHECK(statuses == Statuses(rows.size(), AIOLI_ERR_ARGUMENT));
      CHECK(calls == 0);
      for (const aioli_sign_row &r : rows) CHECK(all_zero(Buffer(r.sig, r.sig + n)));
    }
  }
};

}  // namespace

TEST_CASE("signatures that overlap one another, in any order of the rows") {
  Signing s;
  Buffer place(4 * s.n, 0x5a);
  uint8_t *const at = place.data();
  s.refused({s.row(at), s.row(at)});
  s.refused({s.row(at), s.row(at + s.n - 1)});
  s.refused({s.row(at + s.n - 1), s.row(at)});
  s.refused({s.row(at + 2 * s.n), s.row(at), s.row(at + 3 * s.n), s.row(at + 1)});
  // A row that fails by itself is still one whose output is zeroed.
  aioli_sign_row shorter = s.row(at);
  shorter.sig_bytes--;
  s.refused({s.row(at + s.n - 2), shorter});
}

TEST_CASE("a signature on another row's message or key") {
  Signing s;
  Buffer place(2 * s.n, 0x5a), other(s.n);
  for (size_t from : {size_t{0}, size_t{7}, s.n - 1}) {
    aioli_sign_row second = s.row(other.data());
    second.msg = place.data() + from;
    s.refused({s.row(place.data()), second});
    s.refused({second, s.row(place.data())});
    second = s.row(other.data());
    second.sk = place.data() + from;
    s.refused({s.row(place.data()), second});
  }
  // What is zeroed with the outputs is what lay there, and no more.
  CHECK(all_zero(Buffer(place.begin(), place.begin() + long(s.n))));
  CHECK(place[s.n] == 0x5a);
}

TEST_CASE("signatures side by side, forwards and backwards and in no order, inputs shared and overlapping: all made") {
  Signing s;
  constexpr size_t count = 12;
  Buffer place(count * s.n);
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::mt19937 random(7);
  for (int way = 0; way < 3; way++) {
    std::vector<aioli_sign_row> rows;
    for (size_t i : order) rows.push_back(s.row(&place[i * s.n]));
    rows[1].msg += 3, rows[1].msg_bytes -= 3;
    Statuses statuses;
    CHECK(s.sign(rows, statuses, 2) == AIOLI_OK);
    for (const aioli_sign_row &r : rows)
      CHECK(s.key.verify(Buffer(r.sig, r.sig + s.n), Buffer(r.msg, r.msg + r.msg_bytes)) == AIOLI_OK);
    if (way == 0)
      std::reverse(order.begin(), order.end());
    else
      std::shuffle(order.begin(), order.end(), random);
  }
}

TEST_CASE("arrangements by chance: refused exactly if two rows share a byte that is written") {
  Signing s;
  std::mt19937 random(11);
  int refused = 0, made = 0;
  for (int round = 0; round < 300; round++) {
    Buffer place(12 * s.n);
    std::vector<aioli_sign_row> rows;
    for (size_t i = 0; i < 1 + random() % 5; i++) {
      aioli_sign_row r = s.row(&place[random() % (11 * s.n)]);
      if (random() % 2) r.msg = &place[random() % (11 * s.n)], r.msg_bytes = 1 + random() % 40;
      rows.push_back(r);
    }
    bool shared = false, alone = false;
    for (size_t i = 0; i < rows.size(); i++) {
      const Span sig = {rows[i].sig, s.n};
      alone |= share_a_byte(sig, {rows[i].msg, rows[i].msg_bytes});
      for (size_t j = 0; j < rows.size(); j++)
        if (j != i) shared |= share_a_byte(sig, {rows[j].sig, s.n}) || share_a_byte(sig, {rows[j].msg, rows[j].msg_bytes});
    }
    if (shared && alone) continue;  // a row that fails alone reads nothing, and may lie anywhere
    Statuses statuses;
    const aioli_status result = s.sign(rows, statuses);
    if (alone) {
      CHECK(result == AIOLI_ERR_ARGUMENT);
      continue;
    }
    CHECK(result == (shared ? AIOLI_ERR_ARGUMENT : AIOLI_OK));
    CHECK(statuses == Statuses(rows.size(), result));
    CHECK(s.calls == (shared ? 0 : int(rows.size())));
    ++(shared ? refused : made);
  }
  CHECK(refused > 30);
  CHECK(made > 30);
}

TEST_CASE("key pairs: an output on another row's output or seed; the own seed may be the secret key") {
  const aioli_alg *alg = aioli_alg_by_name("MAYO-1");
  const size_t pk_n = aioli_public_key_bytes(alg), sk_n = aioli_secret_key_bytes(alg), seed_n = aioli_seed_bytes(alg);
  Buffer pks(2 * pk_n), sks(2 * sk_n), seed = pattern(seed_n, 4);
  const auto row = [&](uint8_t *pk, uint8_t *sk, const uint8_t *from) {
    return aioli_keypair_row{pk, pk_n, sk, sk_n, from, from != nullptr ? seed_n : 0};
  };
  const auto make = [&](const std::vector<aioli_keypair_row> &rows, Statuses &statuses) {
    statuses.assign(rows.size(), AIOLI_ERR_SELFTEST);
    return aioli_keypair_batch(alg, statuses.data(), rows.data(), rows.size(), nullptr);
  };
  uint8_t *const pk = pks.data(), *const sk = sks.data();
  Statuses statuses;
  const aioli_keypair_row first = row(pk, sk, nullptr);
  for (const aioli_keypair_row &second :
       {row(pk + pk_n - 1, sk + sk_n, nullptr), row(pk + pk_n, sk + sk_n - 1, nullptr), row(pk + pk_n, pk + 9, nullptr),
        row(pk + pk_n, sk + sk_n, sk), row(pk + pk_n, sk + sk_n, pk + 1)}) {
    CHECK(make({first, second}, statuses) == AIOLI_ERR_ARGUMENT);
    CHECK(statuses == Statuses(2, AIOLI_ERR_ARGUMENT));
    CHECK(make({second, first}, statuses) == AIOLI_ERR_ARGUMENT);
    CHECK(statuses == Statuses(2, AIOLI_ERR_ARGUMENT));
  }
  // Within a row it is this row's error alone, also where a third output lies on neither.
  CHECK(make({row(pk, pk + 5, nullptr), row(pk + pk_n, sk, nullptr)}, statuses) == AIOLI_ERR_ARGUMENT);
  CHECK(statuses == Statuses{AIOLI_ERR_ARGUMENT, AIOLI_OK});
  std::copy(seed.begin(), seed.end(), sks.begin());
  CHECK(make({row(pk, sk, sk), row(pk + pk_n, sk + sk_n, seed.data())}, statuses) == AIOLI_OK);
  CHECK(Buffer(pk, pk + pk_n) == Buffer(pk + pk_n, pk + 2 * pk_n));
}

TEST_CASE("statuses on an argument: every row refused; anything on the rows themselves: nothing is written") {
  Signing s;
  Buffer sig(s.n, 0x5a), msg = s.msg;
  // Verification writes statuses alone.
  union {
    aioli_status status[16];
    uint8_t bytes[16 * sizeof(aioli_status)];
  } place = {};
  aioli_verify_row verify[] = {{sig.data(), s.n, s.msg.data(), s.msg.size(), s.key.pk.data(), s.key.pk.size()},
                               {sig.data(), s.n, place.bytes, 10, s.key.pk.data(), s.key.pk.size()}};
  CHECK(aioli_verify_batch(s.alg, place.status, verify, 2, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(place.status[0] == AIOLI_ERR_ARGUMENT);
  CHECK(place.status[1] == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_verify_batch(s.alg, place.status + 8, verify, 2, nullptr) == AIOLI_ERR_SIGNATURE);  // side by side

  std::vector<aioli_sign_row> rows = {s.row(sig.data()), s.row(nullptr)};
  alignas(aioli_sign_row) uint8_t memory[1024] = {};
  aioli_sign_row *inside = reinterpret_cast<aioli_sign_row *>(memory + 64);
  std::copy(rows.begin(), rows.end(), inside);
  inside[1].sig = memory + 64 + sizeof(aioli_sign_row);
  const Buffer before(memory, memory + sizeof memory);
  aioli_status statuses[2] = {AIOLI_ERR_SELFTEST, AIOLI_ERR_SELFTEST};
  const auto untouched = [&] { return Buffer(memory, memory + sizeof memory) == before && sig == Buffer(s.n, 0x5a); };
  CHECK(aioli_sign_batch(s.alg, statuses, inside, 2, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_sign_batch(nullptr, statuses, inside, 2, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(statuses[1] == AIOLI_ERR_SELFTEST);
  CHECK(untouched());
  aioli_status *on_rows = reinterpret_cast<aioli_status *>(memory + 64);
  CHECK(aioli_sign_batch(s.alg, on_rows, inside, 1, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_verify_batch(s.alg, on_rows, reinterpret_cast<aioli_verify_row *>(inside), 1, nullptr) == AIOLI_ERR_ARGUMENT);
  CHECK(untouched());
}
