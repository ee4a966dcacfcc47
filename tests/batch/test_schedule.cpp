// SPDX-License-Identifier: Apache-2.0
// The order of work by itself, without threads: every row is handed out once, whoever asks when.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "batch/schedule.hpp"

using namespace aioli;

namespace {

std::vector<uint64_t> random_tags(std::mt19937 &random, size_t count) {
  std::vector<uint64_t> tags(count);
  const unsigned kinds = 1 + random() % 40;
  for (uint64_t &tag : tags) tag = random() % 5 == 0 ? Grouping::alone : (random() % kinds) * 0x100000000;
  return tags;
}

}  // namespace

TEST_CASE("groups are the rows of equal tags, and all rows are somewhere") {
  std::mt19937 random(1);
  for (int round = 0; round < 300; round++) {
    const size_t count = 1 + random() % 200, worth = 1 + random() % 4;
    const std::vector<uint64_t> tags = random_tags(random, count);
    std::map<uint64_t, size_t> sizes;
    for (uint64_t tag : tags) sizes[tag]++;
    Grouping grouping;
    std::vector<uint64_t> scratch = tags;
    REQUIRE(grouping.build(scratch.data(), count, worth, random()));
    std::set<size_t> seen;
    std::set<uint64_t> tags_seen;
    size_t position = 0;
    for (size_t g = 0; g < grouping.groups(); g++) {
      CHECK(grouping.group(g).first == position);
      const uint64_t tag = tags[grouping.row(position)];
      CHECK(tag != Grouping::alone);
      CHECK(tags_seen.insert(tag).second);
      CHECK(grouping.group(g).count == sizes[tag]);
      CHECK(grouping.group(g).count >= worth);
      for (size_t i = 0; i < grouping.group(g).count; i++, position++) {
        CHECK(tags[grouping.row(position)] == tag);
        seen.insert(grouping.row(position));
      }
    }
    CHECK(grouping.grouped() == position);
    for (; position < count; position++) {
      const uint64_t tag = tags[grouping.row(position)];
      CHECK((tag == Grouping::alone || sizes[tag] < worth));
      seen.insert(grouping.row(position));
    }
    CHECK(seen.size() == count);
    CHECK(*seen.rbegin() == count - 1);
  }
}

TEST_CASE("whoever asks when, every position is handed out once, and keys are used only when they are there") {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; round++) {
    const size_t count = 1 + random() % 300, threads = 1 + random() % 6, keys = random() % (threads + 1);
    std::vector<uint64_t> tags = random_tags(random, count);
    Grouping grouping;
    if (keys > 0) REQUIRE(grouping.build(tags.data(), count, 2, 1));
    Schedule schedule(grouping, count, threads, keys);
    REQUIRE(schedule.sound());
    struct Thread {
      Slot *slot = nullptr;
      bool opening = false, ended = false;
    };
    std::vector<Thread> all(threads);
    std::vector<int> handed(count);
    size_t ended = 0;
    while (ended < threads) {
      const size_t me = random() % threads;
      Thread &t = all[me];
      if (t.ended) continue;
      if (t.opening) {
        schedule.opened(*t.slot, random() % 10 != 0);
        t.opening = false;
        continue;
      }
      Piece piece;
      Slot *emptied = nullptr;
      if (!schedule.next(piece, me, t.slot, emptied)) {
        t.ended = true;
        ended++;
        CHECK(t.slot == nullptr);
        CHECK(std::count(handed.begin(), handed.end(), 0) == 0);  // who is sent away could not have helped
        continue;
      }
      if (piece.open) {
        CHECK(t.slot->state == Slot::expanding);
        t.opening = true;
        size_t others = 0;  // that use the slot
        for (const Thread &other : all) others += &other != &t && other.slot == t.slot;
        CHECK(others == 0);
        continue;
      }
      CHECK(piece.count > 0);
      if (piece.with_key) CHECK(t.slot->state == Slot::ready);
      for (size_t i = 0; i < piece.count; i++) handed[piece.first + i]++;
      if (t.slot != nullptr) {
        // Of one group: the slot's, whose representative is its first row.
        size_t g = 0;
        while (grouping.group(g).first + grouping.group(g).count <= piece.first) g++;
        CHECK(piece.first + piece.count <= grouping.group(g).first + grouping.group(g).count);
        CHECK(t.slot->representative == grouping.row(grouping.group(g).first));
      } else {
        CHECK(piece.first >= grouping.grouped());
      }
    }
    CHECK(std::count(handed.begin(), handed.end(), 1) == int(count));
    size_t with_key = 0;
    for (size_t i = 0; i < schedule.slots(); i++) {
      CHECK(schedule.slot(i).users == 0);
      with_key += schedule.slot(i).has_key;
    }
    CHECK(with_key == keys);
  }
}

TEST_CASE("fingerprints see every bit, and the seed") {
  std::mt19937 random(3);
  std::vector<uint8_t> key(AIOLI_MAX_PUBLIC_KEY_BYTES);
  for (uint8_t &b : key) b = uint8_t(random());
  for (size_t n : {size_t{1}, size_t{7}, size_t{8}, size_t{1456}, size_t{8192}, size_t{8193}, size_t{20001}, key.size()}) {
    const Fingerprint f(5), other(6);
    const uint64_t tag = f.of(key.data(), n);
    CHECK(tag != other.of(key.data(), n));
    const size_t step = n > 1456 ? n / 200 + 1 : 1;  // of long keys every piece, though not every byte
    for (size_t at = 0; at < n + step - 1; at += step) {
      const size_t i = at < n ? at : n - 1;
      key[i] ^= uint8_t(1u << i % 8);
      CHECK(tag != f.of(key.data(), n));
      key[i] ^= uint8_t(1u << i % 8);
    }
    CHECK(tag == f.of(key.data(), n));
  }
}
