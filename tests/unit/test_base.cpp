// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "base/workspace.hpp"
#include "oracle/random.hpp"

using namespace aioli;

namespace {

// What really stands in memory, which the compiler may believe to be dead.
bool memory_is(const volatile void *p, uint8_t value, size_t n) {
  const volatile uint8_t *q = static_cast<const volatile uint8_t *>(p);
  for (size_t i = 0; i < n; i++)
    if (q[i] != value) return false;
  return true;
}

}  // namespace

TEST_CASE("words are little-endian at any address") {
  const uint8_t bytes[] = {0xff, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x10};
  CHECK(load32(bytes + 1) == 0x67452301);
  CHECK(load64(bytes + 1) == 0xefcdab8967452301);
  CHECK(load32_big_endian(bytes + 1) == 0x01234567);
  CHECK(load32(bytes) == 0x452301ff);
  CHECK(load32_big_endian(bytes + 5) == 0x89abcdef);
  for (int offset = 0; offset < 8; offset++) {
    CAPTURE(offset);
    uint8_t out[24];
    std::memset(out, 0xee, sizeof out);
    store64(out + offset, 0xefcdab8967452301);
    CHECK(std::memcmp(out + offset, bytes + 1, 8) == 0);
    CHECK(memory_is(out, 0xee, size_t(offset)));
    CHECK(memory_is(out + offset + 8, 0xee, size_t(16 - offset)));
    std::memset(out, 0xee, sizeof out);
    store32_big_endian(out + offset, 0x01234567);
    CHECK(std::memcmp(out + offset, bytes + 1, 4) == 0);
    CHECK(memory_is(out + offset + 4, 0xee, size_t(20 - offset)));
  }
}

TEST_CASE("partial words: n bytes and not one more") {
  oracle::Random random(1);
  for (int n = 0; n <= 8; n++) {
    CAPTURE(n);
    const oracle::Bytes bytes = random.bytes(size_t(n));  // exactly n: a sanitizer sees more being read
    const uint64_t w = load_partial(bytes.data(), n);
    for (int i = 0; i < 8; i++) CHECK((w >> (8 * i) & 255) == (i < n ? bytes[size_t(i)] : 0));
    oracle::Bytes out(size_t(n), 0xee);
    store_partial(out.data(), w | (n < 8 ? ~uint64_t(0) << (8 * n) : 0), n);
    CHECK(out == bytes);
    uint8_t guarded[10];
    std::memset(guarded, 0xee, sizeof guarded);
    store_partial(guarded + 1, 0, n);
    CHECK(guarded[0] == 0xee);
    CHECK(memory_is(guarded + 1, 0, size_t(n)));
    CHECK(memory_is(guarded + 1 + n, 0xee, size_t(9 - n)));
  }
}

TEST_CASE("copy, zero, views") {
  oracle::Random random(2);
  for (size_t n : {0, 1, 7, 8, 9, 64, 100}) {
    CAPTURE(n);
    const oracle::Bytes from = random.bytes(n);
    oracle::Bytes to(n + 2, 0xee);
    copy(to.data() + 1, from.data(), n);
    CHECK(std::equal(from.begin(), from.end(), to.begin() + 1));
    CHECK((to[0] == 0xee && to[n + 1] == 0xee));
    zero(to.data() + 1, n);
    CHECK(memory_is(to.data() + 1, 0, n));
    CHECK((to[0] == 0xee && to[n + 1] == 0xee));
  }
  const Bytes<3> b = {{1, 2, 3}};
  CHECK(view(b).p == b.b);
  CHECK(view(b).n == 3);
  CHECK(view(view(b)).p == b.b);
  CHECK(b[2] == 3);
}

TEST_CASE("masks are all ones or zero") {
  const uint64_t all = ~uint64_t(0);
  oracle::Random random(3);
  CHECK(mask_of_bit(0) == 0);
  CHECK(mask_of_bit(1) == all);
  CHECK(mask_of_nonzero(0) == 0);
  CHECK(mask_of_nonzero(all) == all);
  for (int i = 0; i < 64; i++) {
    const uint64_t single = uint64_t(1) << i;
    CHECK(mask_of_nonzero(single) == all);
    CHECK(mask_of_nonzero(0 - single) == all);
    CHECK(mask_of_bit(single) == (i == 0 ? all : 0));  // the lowest bit counts, no other
    CHECK(mask_of_bit(all ^ single) == (i == 0 ? 0 : all));
    CHECK(opaque(single) == single);
  }
  for (int i = 0; i < 1000; i++) {
    const uint64_t x = random.next() >> random.below(64);
    CHECK(mask_of_nonzero(x) == (x != 0 ? all : 0));
    CHECK(mask_of_bit(x) == (x % 2 == 1 ? all : 0));
  }
}

TEST_CASE("wipe: exactly the bytes asked for") {
  for (size_t n = 0; n < 40; n++)
    for (size_t offset = 0; offset < 9; offset++) {
      uint8_t memory[64];
      std::memset(memory, 0xee, sizeof memory);
      wipe(memory + offset, n);
      CHECK(memory_is(memory, 0xee, offset));
      CHECK(memory_is(memory + offset, 0, n));
      CHECK(memory_is(memory + offset + n, 0xee, sizeof memory - offset - n));
    }
}

namespace {

struct Key {
  uint8_t bytes[100];
  uint64_t words[7];
};
struct Operation {  // as a scheme's working memory: secrets and others side by side
  Secret<Key> secret;
  Key other;
};

template <class T> void fill(T &t, uint8_t value) {
  volatile uint8_t *p = reinterpret_cast<volatile uint8_t *>(&t);
  for (size_t i = 0; i < sizeof t; i++) p[i] = value;
}

}  // namespace

TEST_CASE("a secret's memory is zero after its end") {
  static_assert(!std::is_copy_constructible_v<Secret<Key>> && !std::is_copy_assignable_v<Secret<Key>>);
  static_assert(!std::is_move_constructible_v<Secret<Key>> && !std::is_move_assignable_v<Secret<Key>>);
  static_assert(sizeof(Secret<Key>) == sizeof(Key));

  alignas(64) uint8_t memory[sizeof(Secret<Key>) + 2];
  std::memset(memory, 0xee, sizeof memory);
  {
    Secret<Key> *secret = new (Place{memory}) Secret<Key>;
    fill(*secret, 0x5a);
    REQUIRE(memory_is(memory, 0x5a, sizeof(Key)));
    secret->~Secret<Key>();
  }
  CHECK(memory_is(memory, 0, sizeof(Key)));
  CHECK(memory_is(memory + sizeof(Key), 0xee, 2));
}

TEST_CASE("working memory at any address is aligned, in bounds, and wiped of its secrets") {
  static_assert(workspace_bytes<Operation>() == sizeof(Operation) + workspace_alignment - 1);
  for (size_t offset = 0; offset <= workspace_alignment; offset++) {
    CAPTURE(offset);
    const size_t needed = workspace_bytes<Operation>();
    const std::unique_ptr<uint8_t[]> memory(new uint8_t[offset + needed + 1]);
    std::memset(memory.get(), 0xee, offset + needed + 1);
    uint8_t *const start = memory.get() + offset;
    Operation *at = nullptr;
    {
      Scratch<Operation> scratch(start);
      at = &*scratch;
      CHECK(reinterpret_cast<uintptr_t>(at) % workspace_alignment == 0);
      CHECK(reinterpret_cast<uint8_t *>(at) >= start);
      CHECK(reinterpret_cast<uint8_t *>(at + 1) <= start + needed);
      CHECK(align_up(start) == static_cast<void *>(at));
      fill(*at, 0x5a);
    }
    CHECK(memory_is(&at->secret, 0, sizeof at->secret));
    CHECK(memory_is(memory.get(), 0xee, offset));
    CHECK(memory_is(start + needed, 0xee, 1));
  }
}

TEST_CASE("reveal is the value itself") {
  Key key;
  fill(key, 0x5a);
  CHECK(&reveal(key) == &key);
  reveal_bytes(&key, sizeof key);
  CHECK(memory_is(&key, 0x5a, sizeof key));
}
