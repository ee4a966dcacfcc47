// SPDX-License-Identifier: Apache-2.0
// AES-128-CTR by look-ups gives the keystream of the portable one, and the answers of the standards.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>

#include "oracle/random.hpp"
#include "symmetric/aes128_ctr.hpp"
#include "symmetric/aes128_table.hpp"
#include "symmetric/armv7m.hpp"

using aioli::Aes128Portable, aioli::Aes128Table;
using oracle::Bytes;

namespace {

// Blocks first .. of the portable keystream; the counter wraps.
Bytes portable(const Bytes &key, const Bytes &iv, uint32_t first, size_t blocks) {
  constexpr uint32_t batch = Aes128Portable::batch;
  Aes128Portable aes;
  aes.init(key.data(), iv.data());
  Bytes out;
  Bytes some(16 * batch);
  const size_t before = first % batch;
  for (uint32_t at = first - uint32_t(before); out.size() < 16 * (before + blocks); at += batch) {
    aes.keystream(some.data(), at, batch);
    out.insert(out.end(), some.begin(), some.end());
  }
  return {out.begin() + int(16 * before), out.begin() + int(16 * (before + blocks))};
}

// At an address of this alignment; nothing beside it is touched.
void check(const Aes128Table &aes, const Bytes &key, const Bytes &iv, uint32_t first, size_t blocks, size_t alignment) {
  CAPTURE(first);
  CAPTURE(blocks);
  CAPTURE(alignment);
  alignas(16) static uint8_t memory[16 * 1100];
  const size_t n = 16 * blocks;
  REQUIRE(alignment + n + 16 <= sizeof memory);
  Bytes wanted(alignment + n + 16, 0xee);
  const Bytes stream = portable(key, iv, first, blocks);
  std::copy(stream.begin(), stream.end(), wanted.begin() + int(alignment));
  std::fill(memory, memory + wanted.size(), uint8_t(0xee));
  aes.keystream(memory + alignment, first, uint32_t(blocks));
  CHECK(std::equal(wanted.begin(), wanted.end(), memory));
}

Aes128Table table_of(const Bytes &key, const Bytes &iv) {
  Aes128Table aes;
  aes.init(key.data(), iv.data());
  return aes;
}

}  // namespace

TEST_CASE("which code this is") {
#if defined(AIOLI_ARMV7M)
  std::puts("assembly for Armv7-M");
#else
  std::puts("plain C++");
#endif
#if (defined(AIOLI_WITH_CORTEX_M4_SMALL) || defined(AIOLI_WITH_CORTEX_M4_FAST)) && defined(__arm__)
  // On a processor for which there is assembly, it is what is tested.
#if !defined(AIOLI_ARMV7M)
  FAIL("the compiler's options leave the assembly out");
#endif
#endif
}

TEST_CASE("random keys, values, places, lengths and alignments") {
  oracle::Random random(90);
  for (int trial = 0; trial < 300; trial++) {
    const Bytes key = random.bytes(16), iv = trial % 4 == 0 ? Bytes(16) : random.bytes(16);
    const Aes128Table aes = table_of(key, iv);
    const uint32_t first = uint32_t(random.next() >> (32 + random.below(32)));
    check(aes, key, iv, first, size_t(random.below(trial % 10 == 0 ? 1000 : 40)), size_t(random.below(16)));
  }
}

// The work of rounds 1 and 2 is shared by the blocks of one value of the upper counter bytes.
TEST_CASE("from one value of the upper counter bytes to the next") {
  oracle::Random random(91);
  const Bytes key = random.bytes(16), iv = random.bytes(16);
  const Aes128Table aes = table_of(key, iv);
  for (uint32_t edge : {0x100u, 0x200u, 0xff00u, 0x10000u, 0x20000u, 0x1000000u, 0xff000000u, 0x80000000u, 0u})
    for (uint32_t before : {0u, 1u, 2u, 3u, 16u, 255u, 256u})
      for (size_t blocks : {0, 1, 2, 3, 4, 17, 256, 257, 258, 600}) check(aes, key, iv, edge - before, blocks, before % 4);
}

TEST_CASE("no block writes nothing") {
  oracle::Random random(92);
  const Bytes key = random.bytes(16), iv = random.bytes(16);
  for (uint32_t first : {0u, 1u, 255u, 256u, 0xffffffffu}) check(table_of(key, iv), key, iv, first, 0, 1);
}

// The counter is exclusive-ored into the starting value: no carries, whatever its low bytes are.
TEST_CASE("every last byte of the starting value, and extreme keys") {
  oracle::Random random(93);
  for (int last = 0; last < 256; last++) {
    const Bytes key(16, uint8_t(last % 5 == 0 ? 0xff : last));
    Bytes iv(16, 0xff);
    iv[15] = uint8_t(last);
    check(table_of(key, iv), key, iv, 0xfe, 4, size_t(last % 16));
  }
}

TEST_CASE("SP 800-38A, F.5.1, as one keystream") {
  const Bytes key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  Bytes iv;
  for (int i = 0; i < 16; i++) iv.push_back(uint8_t(0xf0 + i));
  const uint8_t wanted[] = {0xec, 0x8c, 0xdf, 0x73, 0x98, 0x60, 0x7c, 0xb0, 0xf2, 0xd2, 0x16, 0x75, 0xea, 0x9e, 0xa1, 0xe4,
                            0x36, 0x2b, 0x7c, 0x3c, 0x67, 0x73, 0x51, 0x63, 0x18, 0xa0, 0x77, 0xd7, 0xfc, 0x50, 0x73, 0xae};
  const Aes128Table aes = table_of(key, iv);
  uint8_t block[16];
  aes.keystream(block, 0, 1);
  CHECK(std::equal(block, block + 16, wanted));
  aes.keystream(block, 0xfeff ^ 0xff00, 1);
  CHECK(std::equal(block, block + 16, wanted + 16));
}
